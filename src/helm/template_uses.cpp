// Walks parsed templates for `include` and `template`.
#include "helm/template_uses.h"
#include <algorithm>

namespace lockstep {
namespace {

using Type = TemplateNodeType;

struct Uses {
    const TemplateSet& set;
    std::vector<TemplateUse>& found;

    void add(const TemplateNode& node, std::string_view name, std::size_t size) {
        if (set.find(name) != nullptr || node.source == nullptr || node.source->file == no_file) return;
        found.push_back(
            {std::string(name), {node.source->file, {node.at, node.at + static_cast<std::uint32_t>(size)}}});
    }

    void walk(const TemplateNode* node) {
        if (node == nullptr) return;
        if (node->type == Type::template_) add(*node, node->text, 0);
        if (node->type == Type::command && node->children.size() > 1 && node->children[0]->type == Type::identifier &&
            node->children[0]->text == "include" && node->children[1]->type == Type::string)
            add(*node->children[1], node->children[1]->text, node->children[1]->literal.size());
        for (const TemplateNode* child : node->children)
            walk(child);
        for (const TemplateNode* child : {node->pipe, node->body, node->else_body, node->inner})
            walk(child);
    }
};

} // namespace

std::vector<TemplateUse> undefined_uses(const TemplateSet& set) {
    std::vector<TemplateUse> found;
    Uses uses{set, found};
    set.each([&](const NamedTemplate& named) { uses.walk(named.root); });
    std::sort(found.begin(), found.end(), [](const TemplateUse& a, const TemplateUse& b) {
        return a.place.file != b.place.file ? a.place.file < b.place.file : a.place.span.begin < b.place.span.begin;
    });
    return found;
}

std::vector<std::string_view> defined_names(std::string_view text) {
    std::vector<std::string_view> names;
    for (const std::string_view word : {std::string_view("define"), std::string_view("block")})
        for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
            const std::size_t open = text.find_first_not_of(" \t", at + word.size());
            if (open == std::string_view::npos || (text[open] != '"' && text[open] != '`')) continue;
            const std::size_t close = text.find(text[open], open + 1);
            if (close != std::string_view::npos) names.push_back(text.substr(open + 1, close - open - 1));
        }
    return names;
}

} // namespace lockstep
