// A table of kinds, and the tree's own CustomResourceDefinitions.
#include "deploy/scopes.h"
#include "yaml/data_table.h"

namespace lockstep {

Scopes::Scopes(const Index& index) {
    for (const DataRow& row : data_table("scopes"))
        if (row.size() == 3) cluster_[row[0]][row[1]] = row[2] == "yes";
    for (const CustomKind& custom : index.custom_kinds)
        if (!custom.kind.empty()) cluster_[custom.group].emplace(custom.kind, custom.cluster_scoped);
}

Scope Scopes::of(std::string_view group, std::string_view kind) const {
    const auto kinds = cluster_.find(group);
    if (kinds == cluster_.end()) return {false, false};
    for (std::string_view name : {kind, std::string_view("*")})
        if (const auto found = kinds->second.find(name); found != kinds->second.end()) return {found->second, true};
    return {false, false};
}

} // namespace lockstep
