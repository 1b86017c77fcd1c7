// Reads fields into leaves and compares them.
#include "checks/field_values.h"
#include "index/cells.h"

namespace lockstep {
namespace {

constexpr int deepest = 64; // an alias may lead in circles only by way of a broken file

void walk(FileId file, NodeRef node, const std::string& path, int depth, std::map<std::string, Leaf>& leaves) {
    node = node.resolved();
    if (!node || depth > deepest || node.is_null()) return;
    const Place place{file, node.span()};
    if (node.is_scalar()) {
        leaves[path] = {std::string(node.text()), place, node.templated()};
    } else if (node.is_mapping()) {
        const auto entries = node.entries();
        if (entries.empty()) leaves[path] = {"{}", place, false};
        for (const auto& entry : entries) {
            if (entry.key.text() == "<<") {
                walk(file, entry.value, path, depth + 1, leaves);
                continue;
            }
            const std::string key = (path.empty() ? "" : path + ".") + std::string(entry.key.text());
            if (entry.key.templated()) leaves[key] = {"", place, true};
            walk(file, entry.value, key, depth + 1, leaves);
        }
    } else {
        const auto items = node.items();
        if (items.empty()) leaves[path] = {"[]", place, false};
        for (std::size_t i = 0; i < items.size(); ++i) {
            const std::string_view name = items[i].resolved().get("name").resolved().text();
            const std::string step = name.empty() ? std::to_string(i) : "name=" + std::string(name);
            walk(file, items[i], path + "[" + step + "]", depth + 1, leaves);
        }
    }
}

// commonLabels, and `labels` with includeSelectors (or includeTemplates for a pod template).
std::vector<Pair> spread_labels(AppliedObjects& objects, const Kustomization& made, Shape shape) {
    std::vector<Pair> pairs = made.common_labels;
    if (made.labels.empty()) return pairs;
    for (const DocumentView& document : objects.overlay().nodes().view(made.file).documents) {
        if (document.span != made.place.span) continue;
        for (NodeRef item : items_at(document.root, {"labels"})) {
            const bool selectors = node_at(item, {"includeSelectors"}).text() == "true";
            const bool templates = node_at(item, {"includeTemplates"}).text() == "true";
            if (!selectors && !(templates && shape == Shape::pod_template)) continue;
            for (Pair& pair : pairs_at(made.file, item, {"pairs"}))
                pairs.push_back(std::move(pair));
        }
    }
    return pairs;
}

void spread(const std::vector<Pair>& pairs, const std::string& under, FieldValues& values) {
    for (const Pair& pair : pairs)
        values.leaves[under + pair.key.text] = {pair.value.text, pair.value.place,
                                                pair.value.state == State::templated};
}

std::string image_name(std::string_view image) {
    image = image.substr(0, image.find('@'));
    const auto colon = image.rfind(':');
    const auto slash = image.rfind('/');
    const bool tagged = colon != std::string_view::npos && (slash == std::string_view::npos || colon > slash);
    return std::string(tagged ? image.substr(0, colon) : image);
}

// Only overrides of images that stand in the template.
void override_images(const Kustomization& made, FieldValues& values) {
    for (auto& [path, leaf] : values.leaves) {
        if (!path.ends_with("].image")) continue;
        for (const ImageOverride& one : made.images) {
            if (!is_known(one.name) || one.name.text != image_name(leaf.text)) continue;
            for (const Cell* cell : {&one.new_name, &one.new_tag, &one.digest}) {
                if (!is_set(*cell)) continue;
                leaf.templated = leaf.templated || cell->state == State::templated;
                leaf.place = cell->place;
            }
            const std::string name = is_set(one.new_name) ? one.new_name.text : one.name.text;
            const auto tail = leaf.text.substr(image_name(leaf.text).size());
            leaf.text = name + (is_set(one.digest)    ? "@" + one.digest.text
                                : is_set(one.new_tag) ? ":" + one.new_tag.text
                                                      : tail);
        }
    }
}

} // namespace

void add_leaves(FileId file, NodeRef node, const std::string& path, std::map<std::string, Leaf>& leaves) {
    walk(file, node, path, 0, leaves);
}

FieldValues field_values(AppliedObjects& objects, const RoutedObject& applied, const FieldPath& path, Shape shape) {
    const Object& object = *applied.object;
    Overlay& overlay = objects.overlay();
    const Field own = overlay.own(object, path);
    const Field field = overlay.look(object, applied.route, path);
    FieldValues values;
    values.place = field.cell.place;
    values.unsure = field.unsure;
    values.gone = field.gone;
    if (shape == Shape::scalar) {
        if (is_set(field.cell))
            values.leaves[""] = {field.cell.text, field.cell.place, field.cell.state == State::templated};
        return values;
    }
    values.patched = field.cell.place != own.cell.place || field.cell.state != own.cell.state;
    NodeRef node = overlay.nodes().root(object);
    for (std::string_view key : path)
        node = node.get(key).resolved();
    walk(object.file, node, "", 0, values.leaves);
    if (shape == Shape::tree) return values;
    for (EntityId id : applied.route.kustomizations) {
        const Kustomization& made = objects.index().kustomizations[id];
        spread(spread_labels(objects, made, shape), shape == Shape::selector ? "matchLabels." : "metadata.labels.",
               values);
        if (shape == Shape::pod_template) override_images(made, values);
    }
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
