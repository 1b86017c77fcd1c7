// Patches of a kustomization: reading them, finding their targets, noting what they change.
#pragma once
#include "kustomize/kustomization.h"
#include "kustomize/schema.h"
#include "kustomize/transformers.h"

namespace lockstep {

struct PatchFiles { // how a patch's file is found: kustomize's own words when it is not
    std::function<Failure(std::string_view path, Place entry, FileId& file)> find;
    std::vector<RemovedResource>* removed = nullptr; // what patches delete
};

// `patches`: strategic merge or JSON, told apart by their shape.
Failure apply_patch(const BuildContext& context, const PatchFiles& files, const SchemaSet& types, Resources& resources,
                    const PatchEntry& patch);
Failure apply_json6902(const BuildContext& context, const PatchFiles& files, Resources& resources,
                       const PatchEntry& patch);
// `patchesStrategicMerge`: texts that are patches, or files. All of them are read before the first is applied.
Failure apply_strategic_merges(const BuildContext& context, const PatchFiles& files, const SchemaSet& types,
                               Resources& resources, const std::vector<TextEntry>& entries, Place by);

} // namespace lockstep
