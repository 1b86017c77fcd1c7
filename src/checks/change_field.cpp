// What one patch does to one field, without building the whole object.
#include "checks/overlay.h"
#include "index/cells.h"

namespace lockstep {
namespace {

void set_absent(Field& field, Place place) {
    field.cell = {State::absent, {}, place};
}

void set_value(const Change& change, NodeRef value, Field& field) {
    const Place place = change.place_of(value);
    if (value.is_null())
        set_absent(field, place);
    else if (!value.is_scalar())
        field.cell = {State::known, value.is_mapping() ? "{…}" : "[…]", place};
    else
        field.cell = {value.templated() ? State::templated : State::known, std::string(value.text()), place};
}

// `metadata.annotations` of a JSON pointer: `~1` is a slash, `~0` a tilde.
std::vector<std::string> pointer_steps(std::string_view pointer) {
    std::vector<std::string> steps;
    while (pointer.starts_with('/')) {
        pointer.remove_prefix(1);
        const auto end = std::min(pointer.find('/'), pointer.size());
        std::string step;
        for (std::size_t i = 0; i < end; ++i) {
            if (pointer[i] == '~' && i + 1 < end && (pointer[i + 1] == '0' || pointer[i + 1] == '1'))
                step += pointer[++i] == '0' ? '~' : '/';
            else
                step += pointer[i];
        }
        steps.push_back(std::move(step));
        pointer.remove_prefix(end);
    }
    return steps;
}

// A value put in whole at some step above the field: what it does not hold is not there afterwards.
void put_whole(const Change& change, NodeRef value, const FieldPath& path, std::size_t from, Field& field) {
    for (std::size_t i = from; i < path.size(); ++i) {
        if (value.templated()) break;
        if (!value.is_mapping() || !value.get_key(path[i])) return set_absent(field, change.place_of(value));
        value = value.get(path[i]).resolved();
    }
    set_value(change, value, field);
}

void run_operation(const Change& change, NodeRef operation, const FieldPath& path, Field& field) {
    const std::string_view verb = operation.get("op").resolved().text();
    const NodeRef pointer = operation.get("path").resolved();
    if (verb == "test") return;
    if (pointer.templated()) {
        field.unsure = "a patch names its path by a variable";
        return;
    }
    const std::vector<std::string> steps = pointer_steps(pointer.text());
    std::size_t same = 0;
    while (same < steps.size() && same < path.size() && steps[same] == path[same])
        ++same;
    const bool above = same == steps.size(); // the operation speaks of the field or of something around it
    const bool below = same == path.size() && !above;
    if (verb == "move" || verb == "copy") {
        if (above || below) field.unsure = "a patch moves the field about";
        return;
    }
    if (above && verb == "remove") return set_absent(field, change.place_of(pointer));
    if (above) return put_whole(change, operation.get("value").resolved(), path, same, field);
    const bool there = field.cell.state != State::absent;
    if (below && field.cell.state != State::templated && (there || verb != "remove"))
        field.cell = {State::known, "{…}", change.place_of(pointer)};
}

} // namespace

void run_operations(const Change& change, const FieldPath& path, Field& field) {
    for (NodeRef operation : change.root.items())
        run_operation(change, operation.resolved(), path, field);
}

void merge_change(const Change& change, const FieldPath& path, Field& field) {
    NodeRef node = change.root.resolved();
    for (std::size_t i = 0; i <= path.size(); ++i) {
        const NodeRef directive = node.get_key("$patch");
        const std::string_view word = node.get("$patch").resolved().text();
        if (directive && i == 0 && word == "delete") {
            field.gone = true;
            return;
        }
        if (directive && (word == "delete" || word == "replace")) set_absent(field, change.place_of(directive));
        if (word == "delete") return;
        if (node.get_key("$retainKeys")) field.unsure = "a patch keeps fields by $retainKeys";
        if (i == path.size()) break;
        if (!node.get_key(path[i])) return; // says nothing about it
        node = node.get(path[i]).resolved();
        if (node.is_null() || node.templated()) break;
        if (!node.is_mapping() && i + 1 < path.size()) return set_absent(field, change.place_of(node));
    }
    set_value(change, node, field);
}

} // namespace lockstep
