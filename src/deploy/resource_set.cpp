// The template is read line by line: what its loops and conditions leave out is not known here.
#include "deploy/resource_set.h"
#include <algorithm>
#include <optional>

namespace lockstep {
namespace {

std::string_view item_text(std::string_view text) {
    const std::size_t begin = std::min(text.find_first_not_of(" \t\r-"), text.size());
    text.remove_prefix(begin);
    return text.substr(0, text.find_last_not_of(" \t\r") + 1);
}

const Value* value_at(const Value* from, std::string_view path) {
    while (from && !path.empty()) {
        const std::size_t dot = std::min(path.find('.'), path.size());
        from = from->is_mapping() ? from->get(path.substr(0, dot)) : nullptr;
        path.remove_prefix(std::min(dot + 1, path.size()));
    }
    return from;
}

// `<< inputs.tag >>` and `<<- inputs.tag | quote ->>`; nothing where one stays unknown.
std::optional<std::string> filled_in(std::string_view text, const Value* inputs) {
    std::string out;
    for (;;) {
        const std::size_t open = text.find("<<");
        out += text.substr(0, open);
        if (open == std::string_view::npos) return out;
        text.remove_prefix(open + 2);
        const std::size_t close = text.find(">>");
        if (close == std::string_view::npos) return std::nullopt;
        std::string_view name = text.substr(0, close);
        name = item_text(name.substr(0, name.find('|')));
        while (name.ends_with('-') || name.ends_with(' '))
            name.remove_suffix(1);
        if (!name.starts_with("inputs.")) return std::nullopt;
        const Value* found = value_at(inputs, name.substr(7));
        if (!found || !found->is_scalar() || found->unknown) return std::nullopt;
        out += found->text;
        text.remove_prefix(close + 2);
    }
}

std::string_view unquoted(std::string_view text) {
    if (text.starts_with('"') || text.starts_with('\'')) {
        const std::size_t end = text.find(text.front(), 1);
        return text.substr(1, end == std::string_view::npos ? end : end - 1);
    }
    return item_text(text.substr(0, text.find(" #")));
}

void add_template(const Value& text, std::vector<ImageUse>& images) {
    std::string_view rest = text.text;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = item_text(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const std::size_t colon = line.find(": ");
        if (colon == std::string_view::npos || !names_image(unquoted(line.substr(0, colon)))) continue;
        const std::string_view value = unquoted(item_text(line.substr(colon + 2)));
        if (!value.empty() && value.front() != '{' && value.front() != '#')
            images.push_back({{State::known, std::string(value), text.place}});
    }
}

} // namespace

bool is_resource_set(const Value& tree) {
    return tree.text_of("kind") == "ResourceSet" && tree.text_of("apiVersion").starts_with("fluxcd.controlplane.io/");
}

std::vector<ImageUse> images_of_resource_set(const Value& tree) {
    std::vector<ImageUse> images = images_in(&tree);
    const Value* spec = tree.get("spec");
    if (!spec || !spec->is_mapping()) return images;
    const Value* text = spec->get("resourcesTemplate");
    if (text && text->is_scalar()) add_template(*text, images);
    const Value* inputs = spec->get("inputs");
    std::vector<ImageUse> out;
    for (ImageUse& one : images) {
        if (one.image.text.find("<<") == std::string::npos) {
            out.push_back(std::move(one));
            continue;
        }
        bool whole = false;
        if (inputs)
            for (const Value* input : inputs->items())
                if (auto filled = filled_in(one.image.text, input)) {
                    out.push_back(one);
                    out.back().image.text = std::move(*filled);
                    whole = true;
                }
        if (whole) continue;
        one.image.state = State::templated;
        out.push_back(std::move(one));
    }
    return out;
}

} // namespace lockstep
