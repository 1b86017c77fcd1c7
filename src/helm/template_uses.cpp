// Walks parsed templates for `include` and `template`.
#include "helm/template_uses.h"
#include <algorithm>
#include <unordered_set>

namespace lockstep {
using Type = TemplateNodeType;

namespace {

// From the templates that Helm runs, through what they include. A name that is made up at run time may be any.
struct Uses {
    const TemplateSet& set;
    std::vector<TemplateUse> found = {};
    std::unordered_set<std::string_view> seen = {};
    std::vector<const NamedTemplate*> open = {};
    bool any_name = false;

    void meet(const NamedTemplate& named) {
        if (seen.insert(named.name).second) open.push_back(&named);
    }

    void use(const TemplateNode& node, std::string_view name, std::size_t size) {
        if (const NamedTemplate* named = set.find(name)) return meet(*named);
        if (node.source == nullptr || node.source->file == no_file) return;
        found.push_back(
            {std::string(name), {node.source->file, {node.at, node.at + static_cast<std::uint32_t>(size)}}});
    }

    void walk(const TemplateNode* node) {
        if (node == nullptr) return;
        if (node->type == Type::template_) use(*node, node->text, 0);
        if (node->type == Type::identifier && node->text == "include") any_name = true;
        std::size_t first = 0;
        if (node->type == Type::command && node->children.size() > 1 && node->children[0]->type == Type::identifier &&
            node->children[0]->text == "include" && node->children[1]->type == Type::string) {
            use(*node->children[1], node->children[1]->text, node->children[1]->literal.size());
            first = 2;
        }
        for (std::size_t i = first; i < node->children.size(); ++i)
            walk(node->children[i]);
        for (const TemplateNode* child : {node->pipe, node->body, node->else_body, node->inner})
            walk(child);
    }

    void drain() {
        while (!open.empty()) {
            const NamedTemplate* next = open.back();
            open.pop_back();
            walk(next->root);
        }
    }
};

bool is_run_by_helm(const NamedTemplate& named) {
    return named.root != nullptr && named.root->source != nullptr && named.root->source->name == named.name &&
           !named.name.substr(named.name.rfind('/') + 1).starts_with('_');
}

} // namespace

std::vector<TemplateUse> undefined_uses(const TemplateSet& set) {
    Uses uses{set};
    set.each([&](const NamedTemplate& named) {
        if (is_run_by_helm(named)) uses.meet(named);
    });
    uses.drain();
    if (uses.any_name) set.each([&](const NamedTemplate& named) { uses.meet(named); });
    uses.drain();
    std::vector<TemplateUse> found = std::move(uses.found);
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
