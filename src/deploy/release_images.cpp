// Puts the values of a release together without its chart.
#include "deploy/release_images.h"
#include "deploy/post_renderers.h"
#include "deploy/rendered_chart.h"
#include "deploy/value_layers.h"
#include "index/cells.h"

namespace lockstep {
namespace {

void move_to(std::vector<ImageUse>& all, std::vector<ImageUse> some) {
    std::move(some.begin(), some.end(), std::back_inserter(all));
}

void look_at_post_renderers(const Value* release, std::vector<ImageUse>& found) {
    Arena arena;
    for (const ExtraLayer& layer : post_rendering(release, {}, {}, arena).layers) {
        for (const Value* image : layer.images) {
            const Cell name = cell_at(image, {"newName"}), tag = cell_at(image, {"newTag"});
            found.push_back(image_of_parts({}, is_set(name) ? name : cell_at(image, {"name"}), tag));
        }
        for (const Value* entry : layer.patches)
            if (const Value* patch = entry->get("patch"); patch && patch->is_scalar())
                if (const Value* tree = yaml_in(patch->text, patch->place, arena))
                    move_to(found, images_in_patch(*tree));
    }
}

} // namespace

ReleaseImages::Text ReleaseImages::text_of(const Value& entry, const Instance& release) {
    const std::string_view kind = entry.text_of("kind"), name = entry.text_of("name"), key = entry.text_of("valuesKey");
    const auto suppliers = fleet_.find(fleet_.root_of(release).cluster, "", kind, release.id().ns, name);
    if (suppliers.empty()) return {};
    const auto [known, fresh] =
        texts_.try_emplace({suppliers[0], key.empty() ? std::string("values.yaml") : std::string(key)});
    if (!fresh) return known->second;
    for (const Datum& datum : data_of(fleet_.tree_of(fleet_.instances[suppliers[0]]), kind == "Secret")) {
        if (datum.key != known->first.second || !datum.known) continue;
        Value* text = make_text(arena_, datum.text);
        text->place = datum.place;
        const Value* tree = yaml_in(datum.text, datum.place, arena_);
        known->second = {text, tree ? images_only(*tree, arena_) : nullptr};
    }
    return known->second;
}

std::vector<ImageUse> ReleaseImages::of(const ReleaseRow& row) {
    const Instance& one = fleet_.instances[row.maker];
    if (row.rendered && row.why_not.empty() && row.doubt.empty() && row.rendered->complete()) return {};
    const Value* release = fleet_.tree_of(one);
    std::vector<ImageUse> found;
    if (!release) return found;
    ImageValues values;
    std::vector<const Value*> parts;
    if (const Value* from = value_at(release, {"spec", "valuesFrom"}))
        for (const Value* entry : from->items()) {
            const Text text = text_of(*entry, one);
            if (const std::string_view path = entry->text_of("targetPath"); !path.empty() && text.text)
                values.add(path, *text.text);
            else if (text.images && path.empty())
                values.add(*parts.emplace_back(text.images));
        }
    if (const Value* own = value_at(release, {"spec", "values"}); own && own->is_mapping()) values.add(*own);
    move_to(found, values.images());
    for (std::size_t i = 0; values.is_full() && i < parts.size(); ++i) // not all of it was laid over each other
        move_to(found, images_in(parts[i]));
    look_at_post_renderers(release, found);
    for (ImageUse& image : found)
        if (!is_there(image.image.place)) image.image.place = row.place;
    return found;
}

} // namespace lockstep
