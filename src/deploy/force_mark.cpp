// Reads the force mark of a tree.
#include "deploy/force_mark.h"
#include "index/cells.h"
#include <algorithm>

namespace lockstep {
namespace {

bool same_word(std::string_view a, std::string_view b) {
    auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(), [&](char x, char y) { return lower(x) == lower(y); });
}

bool says(const Value* tree, std::string_view key, std::string_view word) {
    for (std::string_view where : {"annotations", "labels"}) // Flux reads both
        if (const Cell cell = cell_at(tree, {"metadata", where, key}); is_known(cell) && same_word(cell.text, word))
            return true;
    return false;
}

} // namespace

bool says_enabled(std::string_view value) {
    return same_word(value, "enabled");
}

bool says_disabled(std::string_view value) {
    return same_word(value, "disabled");
}

ForceMark force_mark(const Value* tree) {
    const Cell marks[] = {cell_at(tree, {"metadata", "annotations", force_key}),
                          cell_at(tree, {"metadata", "labels", force_key})};
    ForceMark mark;
    mark.cell = marks[0];
    if (!tree) return {ForceMark::Says::unsure, {}, "kustomize cannot build it"};
    for (const Cell& cell : marks)
        if (is_known(cell) && says_enabled(cell.text)) return {ForceMark::Says::enabled, cell, {}};
    for (const Cell& cell : marks) {
        if (cell.state == State::templated) return {ForceMark::Says::unsure, cell, "a templated value"};
        if (is_known(cell) && mark.says == ForceMark::Says::nothing) mark = {ForceMark::Says::other, cell, {}};
    }
    return mark;
}

bool is_forced(const Fleet& fleet, const Instance& instance, std::string& unsure) {
    if (fleet.root_of(instance).is_rendered()) return false; // Helm does not read the mark
    const ForceMark mark = force_mark(fleet.tree_of(instance));
    if (mark.says == ForceMark::Says::enabled) return true;
    if (mark.says == ForceMark::Says::unsure) unsure = mark.why;
    const Root& root = fleet.root_of(instance);
    if (!root.unread_change.empty()) unsure = root.unread_change;
    const Cell& whole = root.spec.force;
    if (whole.state == State::templated) unsure = "spec.force of the Flux Kustomization is templated";
    return is_known(whole) && whole.text == "true";
}

bool is_left_alone(const Value* tree) {
    return says(tree, "kustomize.toolkit.fluxcd.io/ssa", "ifnotpresent") ||
           says(tree, "kustomize.toolkit.fluxcd.io/ssa", "ignore") ||
           says(tree, "kustomize.toolkit.fluxcd.io/reconcile", "disabled");
}

bool is_shared(const Value* tree) {
    return is_left_alone(tree) || says(tree, "kustomize.toolkit.fluxcd.io/ssa", "merge");
}

bool is_object(const Object& object, std::string_view group, std::string_view kind) {
    return object.group == group && object.kind.text == kind;
}

bool is_declared(const Object& object) {
    return !object.partial && !object.as_patch && !object.embedded;
}

bool is_controller_of_flux(const Object& object) {
    for (std::string_view name : {"source", "kustomize", "helm", "notification", "image-reflector", "image-automation"})
        if (object.name.text == std::string(name) + "-controller") return true;
    return false;
}

bool uses_flux(const Index& index) {
    return !index.flux_kustomizations.empty() || !index.sources.empty() || !index.releases.empty();
}

} // namespace lockstep
