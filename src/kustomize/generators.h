// configMapGenerator and secretGenerator: objects made of files, env files and literals, and the hash of their content.
#pragma once
#include "kustomize/kustomization.h"
#include "kustomize/patches.h"

namespace lockstep {

// Makes the object of one entry. `options` are the kustomization's generatorOptions, or null.
Failure generate(const BuildContext& context, const PatchFiles& files, const Value& entry, bool secret,
                 const Value* options, Resource& made);
// Ten characters, as kustomize appends them to the name.
std::string content_hash(const Value& tree);
// Those that wait for it get their hash; they still count as waiting, and a second time gives them a second one.
Failure add_hashes(const BuildContext& context, Resources& resources);
// Adds a generated resource to the others, or merges it into the one that it means to change.
Failure absorb(const BuildContext& context, Resources& resources, Resource made);

} // namespace lockstep
