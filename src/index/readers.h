// One reader per kind of entity: a document's root in, a plain struct out. Internal to index_file.
#pragma once
#include "index/cells.h"
#include "index/entities.h"
#include "index/file_index.h"
#include "index/layout.h"
#include "index/view.h"

namespace lockstep {

Object read_object(const FileView& view, std::uint32_t number, const Layout& layout);
// A document of role chart or chart_lock; adds to `charts` or `chart_sides`.
void read_chart_document(FileIndex& index, const FileView& view, const DocumentView& document, const Layout& layout);
// A Flux object (HelmRelease, sources, Kustomization, ArtifactGenerator) or a Blueprint, by group and kind.
void read_typed(FileIndex& index, FileId file, const DocumentView& document, EntityId object);
void read_kustomization(FileIndex& index, const FileView& view, const DocumentView& document, EntityId object,
                        const Layout& layout);
void read_scripts(FileIndex& index, const FileView& view, const DocumentView& document, EntityId object);
// Annotations, labels, ConfigMap data: what is no string there.
void read_string_maps(FileIndex& index, FileId file, const DocumentView& document, EntityId object);
// Patch of `patches`, `patchesStrategicMerge`, `patchesJson6902`, for kustomize and Flux alike.
void read_patches(std::vector<Patch>& patches, FileId file, NodeRef owner);

} // namespace lockstep
