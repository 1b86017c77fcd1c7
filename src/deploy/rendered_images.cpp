// A container is known again by the place of its script: names and images may be templates.
#include "deploy/rendered_images.h"
#include "index/cells.h"
#include <algorithm>

namespace lockstep {
namespace {

bool holds(const Value& value, Place script) {
    const Place& at = value.place;
    if (value.is_scalar() && at.file == script.file && at.span.begin < script.span.end &&
        script.span.begin < at.span.end)
        return true;
    const auto children = value.all();
    return std::any_of(children.begin(), children.end(), [&](const Value* child) { return holds(*child, script); });
}

void find(const Value& value, Place script, std::vector<Cell>& images) {
    if (value.is_mapping() && value.get("image") && holds(value, script)) {
        Cell image = cell_of(value.get("image"));
        if (std::none_of(images.begin(), images.end(), [&](const Cell& one) { return one.text == image.text; }))
            images.push_back(std::move(image));
        return;
    }
    for (const Value* child : value.all())
        find(*child, script, images);
}

} // namespace

std::vector<Cell> rendered_images(const Fleet& fleet, const Script& script) {
    std::vector<Cell> images;
    if (script.object == no_entity) return images;
    for (const std::uint32_t number : fleet.of_object(script.object)) {
        const Instance& one = fleet.instances[number];
        if (!fleet.is_rendered(one)) continue;
        Arena arena;
        if (const Value* tree = fleet.tree_of(one, arena)) find(*tree, script.place, images);
    }
    return images;
}

} // namespace lockstep
