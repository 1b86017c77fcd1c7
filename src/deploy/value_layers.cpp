// Lays values over each other, and finds the images in what is on top.
#include "deploy/value_layers.h"
#include "deploy/flux_spec.h"
#include "yaml/parse.h"

namespace lockstep {
namespace {

constexpr std::size_t most_nodes = 200'000;     // of one text, aliases expanded
constexpr std::size_t most_kept_values = 2'000; // of one release: there may be thousands of them
constexpr std::size_t most_keys = 100;          // of one path

void put_at(Value& value, Place place) {
    value.place = place;
    for (Value* child : value.all())
        put_at(*child, place);
}

} // namespace

Value* yaml_of(FileId file, std::string_view text, Arena& arena) {
    const YamlText yaml = parse_yaml(arena.keep(text)); // values are views into it
    if (yaml.documents.empty() || yaml.documents[0].root == no_node) return nullptr;
    Value* tree = value_of({&yaml, yaml.documents[0].root}, file, arena, nullptr, {most_nodes});
    return tree && !tree->is_scalar() ? tree : nullptr;
}

Value* yaml_in(std::string_view text, Place place, Arena& arena) {
    Value* tree = yaml_of(place.file, text, arena);
    if (tree) put_at(*tree, place);
    return tree;
}

Value* images_only(const Value& tree, Arena& arena) {
    Value* kept = nullptr;
    for (std::size_t i = 0; i < tree.size() && !tree.is_scalar(); ++i) {
        const Value& value = tree.is_mapping() ? *tree.value_at(i) : *tree.at(i);
        const bool whole = tree.is_mapping() && names_image(tree.key_at(i)->text);
        Value* below = whole ? clone(value, arena) : images_only(value, arena);
        if (!below) continue;
        if (!kept) {
            kept = tree.is_mapping() ? make_mapping(arena) : make_sequence(arena);
            kept->place = tree.place;
        }
        if (tree.is_mapping())
            append_entry(*kept, tree.key_at(i), below, arena);
        else
            append(*kept, below, arena);
    }
    return kept;
}

void ImageValues::add(const Value& values) {
    if (values.is_mapping()) add(top_, values, false);
}

// True when something was kept. `inside` an image all counts.
bool ImageValues::add(Node& node, const Value& values, bool inside) {
    bool any = false;
    for (std::size_t i = 0; i < values.size() && kept_ < most_kept_values; ++i) {
        const std::string_view key = values.key_at(i)->text;
        const Value& value = *values.value_at(i);
        const bool whole = inside || names_image(key);
        if (value.is_scalar() && !whole) continue;
        const auto [place, fresh] = node.below.try_emplace(key);
        if (fresh) place->second = std::make_unique<Node>();
        Node& below = *place->second;
        bool kept = true;
        if (value.is_mapping()) {
            kept = add(below, value, whole) || whole;
            if (kept) below.value = nullptr;
        } else {
            below.below.clear();
            below.value = &value;
            ++kept_;
        }
        if (fresh && !kept) node.below.erase(place);
        any = any || kept;
    }
    return any;
}

void ImageValues::add(std::string_view path, const Value& value) {
    Node* node = &top_;
    for (std::size_t i = 0; i < most_keys; ++i) {
        const std::size_t end = path.find('.');
        std::unique_ptr<Node>& next = node->below[path.substr(0, end)];
        if (!next) next = std::make_unique<Node>();
        node->value = nullptr;
        node = next.get();
        if (end == std::string_view::npos) break;
        path.remove_prefix(end + 1);
    }
    node->below.clear();
    node->value = &value;
    ++kept_;
}

bool ImageValues::is_full() const {
    return kept_ >= most_kept_values;
}

std::vector<ImageUse> ImageValues::images() const {
    std::vector<ImageUse> found;
    find(top_, found);
    return found;
}

void ImageValues::find(const Node& node, std::vector<ImageUse>& found) {
    for (const auto& [key, below] : node.below) {
        const auto cell = [&, &parts = below->below](std::string_view part) {
            const auto at = parts.find(part);
            return at == parts.end() ? Cell{} : cell_of(at->second->value);
        };
        if (below->value && names_image(key) && below->value->is_scalar())
            found.push_back({cell_of(below->value)});
        else if (below->value && !below->value->is_scalar())
            for (ImageUse& one : images_in(below->value))
                found.push_back(std::move(one));
        else if (names_image(key) && below->below.count("repository"))
            found.push_back(image_of_parts(cell("registry"), cell("repository"), cell("tag")));
        find(*below, found);
    }
}

} // namespace lockstep
