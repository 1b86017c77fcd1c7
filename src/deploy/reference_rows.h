// What refers to what: the rows of rules/data/references.yaml and makers.yaml, with those that the config adds.
#pragma once
#include "base/result.h"
#include "base/table.h"
#include "yaml/path.h"

namespace lockstep {

// `Kind.group`; the group is empty for what Kubernetes calls core.
struct GroupKind {
    std::string group, kind;
    friend auto operator<=>(const GroupKind&, const GroupKind&) = default;
};
GroupKind parse_group_kind(std::string_view text);

// One way in which objects of a kind name another object.
struct ReferenceRow {
    enum class Where : std::uint8_t {
        own,     // beside the object that refers
        field,   // the field `namespace`, else beside it
        named,   // the field `namespace`, else anywhere
        cluster, // the target has no namespace
        release, // where a HelmRelease installs
    };
    std::string set; // rules take the rows of one set
    GroupKind from;
    YamlPath path;     // to the mapping, or to the text that is the name
    std::string field; // the last key of the path, for messages
    GroupKind to;
    bool kind_in_field = false;  // `{kind}.group`
    bool group_in_field = false; // `{kind}.{apiVersion}`
    std::string name = "name";
    Where where = Where::own;
    std::string optional; // the field that says it may be missing; empty: none
    std::string key;      // the field that names a key of the data; empty: none
};
Result<std::vector<ReferenceRow>> read_reference_rows(const Table& table);

// Objects that a controller makes of others. The name is a text with paths in braces: `{metadata.name}-kubeconfig`.
struct MakerRow {
    GroupKind by, makes;
    struct Part {
        std::string text;
        std::optional<YamlPath> path; // instead of a text
    };
    std::vector<Part> name;
};
Result<std::vector<MakerRow>> read_maker_rows(const Table& table);

} // namespace lockstep
