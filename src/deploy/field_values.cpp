// Reads fields into leaves and compares them.
#include "deploy/field_values.h"

namespace lockstep {
namespace {

constexpr int deepest_value = 1000;

void walk(const Value& value, const std::string& path, int depth, std::map<std::string, Leaf>& leaves) {
    if (depth > deepest_value || value.is_null()) return;
    if (value.is_scalar()) {
        leaves[path] = {std::string(value.text), decided_at(value), value.unknown, value.place};
    } else if (value.is_mapping()) {
        if (value.size() == 0) leaves[path] = {"{}", value.place, false};
        for (std::size_t i = 0; i < value.size(); ++i) {
            const Value& name = *value.key_at(i);
            const std::string key = (path.empty() ? "" : path + ".") + std::string(name.text);
            if (name.unknown) leaves[key] = {"", name.place, true};
            walk(*value.value_at(i), key, depth + 1, leaves);
        }
    } else {
        if (value.size() == 0) leaves[path] = {"[]", value.place, false};
        for (std::size_t i = 0; i < value.size(); ++i) {
            const Value& item = *value.at(i);
            const std::string_view name = item.is_mapping() ? item.text_of("name") : std::string_view();
            const std::string step = name.empty() ? std::to_string(i) : "name=" + std::string(name);
            walk(item, path + "[" + step + "]", depth + 1, leaves);
        }
    }
}

} // namespace

void add_leaves(const Value* value, const std::string& path, std::map<std::string, Leaf>& leaves) {
    if (value) walk(*value, path, 0, leaves);
}

FieldValues field_values(const Value* tree, const FieldPath& path) {
    FieldValues values;
    if (!tree) values.unsure = "kustomize cannot build it";
    const Value* at = tree;
    if (tree) values.place = tree->place;
    for (std::string_view key : path) {
        if (const Value* own = at ? at->get_key(key) : nullptr) values.place = own->place;
        at = at ? at->get(key) : nullptr;
    }
    if (at) values.place = decided_at(*at);
    add_leaves(at, "", values.leaves);
    return values;
}

std::vector<FieldDifference> differences(const FieldValues& before, const FieldValues& now) {
    std::vector<FieldDifference> found;
    for (const auto& [path, leaf] : before.leaves) {
        const auto there = now.leaves.find(path);
        if (there == now.leaves.end())
            found.push_back({path, &leaf, nullptr});
        else if (there->second.text != leaf.text)
            found.push_back({path, &leaf, &there->second});
    }
    for (const auto& [path, leaf] : now.leaves)
        if (!before.leaves.contains(path)) found.push_back({path, nullptr, &leaf});
    return found;
}

} // namespace lockstep
