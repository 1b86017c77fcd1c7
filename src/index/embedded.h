// YAML inside YAML: manifests and PodSpecs in ConfigMap data, files that cloud-init writes. Internal to view_file.
#pragma once
#include "index/view.h"

namespace lockstep {

// Appends every document of `yaml`; `mould` carries what they have in common.
void append_documents(FileView& view, const YamlText& yaml, const DocumentView& mould);
// Parses the texts that document `number` of the view holds and appends their documents.
void append_embedded(FileView& view, std::uint32_t number);

} // namespace lockstep
