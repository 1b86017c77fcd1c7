// Which fields the transformers of a build change: kustomize's own list from rules/data, and what `configurations` and
// `crds` add to it.
#pragma once
#include "yaml/value.h"
#include <memory>
#include <string>
#include <vector>

namespace lockstep {

struct KindFilter { // empty parts match anything
    std::string group, version, kind;
    bool selects(std::string_view of_group, std::string_view of_version, std::string_view of_kind) const {
        return (group.empty() || group == of_group) && (version.empty() || version == of_version) &&
               (kind.empty() || kind == of_kind);
    }
    friend bool operator==(const KindFilter&, const KindFilter&) = default;
};

struct FieldRow {
    KindFilter of;
    std::string path; // `spec/template/metadata/labels`, with `\/` for a slash in a key
    bool create = false;
};
using FieldRows = std::vector<FieldRow>;

struct BackReferences { // fields that hold the name of a `target`
    KindFilter target;
    FieldRows referrers;
};

struct TransformerConfig {
    FieldRows name_prefix, name_suffix, ns, common_labels, labels, template_labels, common_annotations, var_reference,
        images, replicas;
    std::vector<BackReferences> name_reference;
};
using ConfigPointer = std::shared_ptr<const TransformerConfig>;

// The table under rules/data; made once per process. The raw one is what `configurations` are merged into; what a build
// without them uses is that, merged into nothing.
const ConfigPointer& default_config();
const ConfigPointer& raw_default_config();
// Adds what `rows` does not have. False: the same field with another `create`.
bool merge_rows(FieldRows& rows, const FieldRows& more);
bool merge_row(FieldRows& rows, const FieldRow& row);
// `into` may be shared: it is copied before it is changed. An error in kustomize's words, or empty.
std::string merge_config(ConfigPointer& into, const ConfigPointer& more);
// A document of `configurations`. An error, or empty.
std::string read_config(const Value& document, TransformerConfig& config);
FieldRow read_field_row(const Value& entry);
// A document of `crds`: OpenAPI definitions.
std::string read_crd_config(const Value& document, TransformerConfig& config);

} // namespace lockstep
