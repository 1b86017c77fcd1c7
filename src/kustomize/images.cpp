// The images transformer: names, tags and digests of containers, wherever they are.
#include "base/pattern.h"
#include "kustomize/field_walk.h"
#include "kustomize/transformers.h"
#include "kustomize/tree_edit.h"
#include <algorithm>

namespace lockstep {
namespace {

bool is_word(char c, std::string_view more) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           more.find(c) != std::string_view::npos;
}

// (:[a-zA-Z0-9_.{}-]*)?(@sha256:[a-zA-Z0-9_.{}-]*)?
bool is_tag_and_digest(std::string_view rest) {
    constexpr std::string_view letters = "_.{}-", digest = "@sha256:";
    std::size_t at = 0;
    if (at < rest.size() && rest[at] == ':')
        for (++at; at < rest.size() && is_word(rest[at], letters);)
            ++at;
    rest.remove_prefix(at);
    if (rest.empty()) return true;
    if (!rest.starts_with(digest)) return false;
    rest.remove_prefix(digest.size());
    return std::all_of(rest.begin(), rest.end(), [&](char c) { return is_word(c, letters); });
}

// A name may be a pattern; nearly none is.
class ImageName {
public:
    explicit ImageName(std::string_view name) : name_(name) {
        if (name.find_first_of("\\^$|?*+()[]{}") == std::string_view::npos) return;
        auto made = Pattern::compile("^" + std::string(name) + "(:[a-zA-Z0-9_.{}-]*)?(@sha256:[a-zA-Z0-9_.{}-]*)?$",
                                     linted_pattern_memory);
        if (made)
            pattern_ = *made;
        else
            broken_ = true;
    }
    bool matches(std::string_view image) const {
        if (broken_) return false;
        if (pattern_) return pattern_->occurs_in(image);
        if (image.size() < name_.size()) return false;
        for (std::size_t i = 0; i < name_.size(); ++i) // a dot is any character
            if (image[i] != name_[i] && name_[i] != '.') return false;
        return is_tag_and_digest(image.substr(name_.size()));
    }

private:
    std::string name_;
    std::optional<Pattern> pattern_;
    bool broken_ = false;
};

struct ImageChange {
    ImageArgs args;
    ImageName name;
    FieldRows rows;
    Place by;

    std::string set(Value& node, Arena& arena) const {
        if (!node.is_scalar()) return wrong_kind(node, NodeKind::scalar);
        if (!name.matches(node.text)) return {};
        auto [base, tag, digest] = split_image(node.text);
        std::string made(args.new_name.empty() ? base : args.new_name);
        std::string new_tag(tag);
        if (!args.new_tag.empty() || !args.digest.empty()) {
            new_tag = args.new_tag;
            digest = args.digest;
        } else if (!args.tag_suffix.empty()) {
            new_tag += args.tag_suffix;
            digest = {};
        }
        if (!new_tag.empty()) made += ":" + new_tag;
        if (!digest.empty()) made += "@" + std::string(digest);
        return set_scalar(node, arena.keep(made), {}, by);
    }

    // Every `image` of an item below `containers` or `initContainers`, at any depth.
    std::string walk(Value& node, Arena& arena) const {
        if (node.is_mapping())
            for (std::size_t i = 0; i < node.size(); ++i) {
                Value& value = *node.value_at(i);
                if (std::string error = walk(value, arena); !error.empty()) return error;
                const std::string_view key = node.key_at(i)->text;
                if ((key != "containers" && key != "initContainers") || !value.is_sequence()) continue;
                for (Value* item : value.items()) {
                    if (item->is_null()) continue;
                    if (!item->is_mapping()) return wrong_kind(*item, NodeKind::mapping);
                    Value* image = item->get("image");
                    if (!image || image->is_null()) continue;
                    if (std::string error = set(*image, arena); !error.empty()) return error;
                }
            }
        for (Value* item : node.items())
            if (std::string error = walk(*item, arena); !error.empty()) return error;
        return {};
    }
};

} // namespace

bool is_image(std::string_view image, std::string_view name) {
    return ImageName(name).matches(image);
}

ImageParts split_image(std::string_view image) {
    std::size_t slash = image.find('/');
    if (slash == std::string_view::npos) slash = 0;
    const std::size_t at = image.find('@', slash), colon = image.find(':', slash);
    constexpr std::size_t none = std::string_view::npos;
    if (at == none && colon == none) return {image, {}, {}};
    if (at != none && (colon == none || at < colon)) return {image.substr(0, at), {}, image.substr(at + 1)};
    if (at != none) return {image.substr(0, colon), image.substr(colon + 1, at - colon - 1), image.substr(at + 1)};
    return {image.substr(0, colon), image.substr(colon + 1), {}};
}

void transform_images(const BuildContext& context, Resources& resources, const ImageArgs& args, FieldRows rows,
                      Place by) {
    auto image = std::make_shared<ImageChange>(ImageChange{args, ImageName(args.name), std::move(rows), by});
    const TreeOperation* change = context.work.add(tree_change(by, [image](Value& tree, Arena& arena) {
        if (tree.text_of("kind") == "CustomResourceDefinition") return std::string();
        if (std::string error = image->walk(tree, arena); !error.empty()) return error;
        return walk_fields(tree, image->rows, {}, arena, [&](Value& node) { return image->set(node, arena); });
    }));
    for (Resource& resource : resources)
        if (resource.id.kind != "CustomResourceDefinition") context.add_change(resource, change);
}

} // namespace lockstep
