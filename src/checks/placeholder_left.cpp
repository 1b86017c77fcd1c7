// Tokens such as DOMAIN_PLACEHOLDER in what a cluster is given, where nothing in the tree puts a value in their place.
#include "checks/checks.h"
#include "checks/listed_paths.h"
#include "checks/overlay.h"
#include "index/cells.h"
#include "index/relations.h"
#include <algorithm>
#include <map>
#include <set>

namespace lockstep {
namespace {

constexpr std::string_view ending = "_PLACEHOLDER";

bool is_token_char(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

struct Token {
    std::string name;
    std::size_t at = 0;
};

std::vector<Token> tokens_in(std::string_view text) {
    std::vector<Token> found;
    for (auto at = text.find(ending); at != std::string_view::npos; at = text.find(ending, at + 1)) {
        std::size_t begin = at, end = at + ending.size();
        while (begin > 0 && is_token_char(text[begin - 1]))
            --begin;
        if (begin == at || (end < text.size() && is_token_char(text[end]))) continue;
        found.push_back({std::string(text.substr(begin, end - begin)), begin});
    }
    return found;
}

// A text that puts something in a token's place, in a container or a pipeline.
bool is_a_substitution(std::string_view text) {
    for (std::string_view word : {"sed ", "envsubst", "perl ", "replace", "yq ", "awk "})
        if (text.find(word) != std::string_view::npos) return true;
    return false;
}

struct Placeholders {
    const CheckInput& input;
    RuleOutcome& outcome;
    Overlay overlay;
    std::set<std::string> substituted = {};
    std::vector<bool> holds = {}; // per file: a token stands in it
    const Index& index = input.repository.index;
    const Tree& tree = *input.repository.tree;

    void add(std::string_view text) {
        for (Token& token : tokens_in(text))
            substituted.insert(std::move(token.name));
    }

    void collect() {
        holds.assign(tree.files.size(), false);
        for (const Table* table : input.facts)
            for (const Row& row : table->rows)
                substituted.insert(row.cells.front().text);
        for (FileId file = 0; file < tree.files.size(); ++file) {
            const File& source = tree.files[file];
            if (source.text.find(ending) == std::string::npos) continue;
            holds[file] = is_indexable(source.path);
            if (is_workflow_path(source.path) || is_terraform_template(source.path) || !holds[file]) add(source.text);
        }
        for (const Script& script : index.scripts)
            if (script.place.file != no_file && holds[script.place.file])
                add(std::string_view(tree.files[script.place.file].text)
                        .substr(script.place.span.begin, script.place.span.end - script.place.span.begin));
    }

    // Something on the way may replace the value; empty for nothing.
    std::string replaced_on(const Route& route) const {
        for (EntityId id : route.kustomizations) {
            const Kustomization& made = index.kustomizations[id];
            const std::string_view text = tree.files[made.file].text;
            if (!made.patches.empty()) return "a kustomization on the way has patches";
            if (!made.images.empty()) return "a kustomization on the way sets images";
            if (text.find("replacements:") != std::string_view::npos || text.find("vars:") != std::string_view::npos)
                return "a kustomization on the way replaces values";
            for (const Listed& entry : made.listed)
                if (entry.as == Listing::transformer || entry.as == Listing::component)
                    return "a kustomization on the way has transformers or components";
        }
        if (route.flux != no_entity && !index.flux_kustomizations[route.flux].patches.empty())
            return "the Flux Kustomization has patches";
        return {};
    }

    void judge(const Object& object, const Glob* template_tree) {
        if (!holds[object.file] || object.embedded || object.as_patch || object.partial) return;
        const NodeRef root = overlay.nodes().root(object);
        if (!root) return;
        std::map<std::string, std::vector<NodeRef>> left;
        const YamlText& yaml = root.yaml();
        for (NodeId id = root.id(); id < root.node().after && id < yaml.nodes.size(); ++id) {
            const NodeRef node(&yaml, id);
            if (!node.is_scalar() || node.source().find(ending) == std::string_view::npos) continue;
            if (is_a_substitution(node.source())) continue;
            for (const Token& token : tokens_in(node.source()))
                left[token.name].push_back(node);
        }
        if (left.empty()) return;
        const auto routes = overlay.routes(object);
        for (const auto& [token, nodes] : left) {
            const Place place{object.file, nodes.front().span()};
            const std::string subject = subject_of(index, object) + ":" + token;
            if (substituted.count(token)) {
                outcome.undecided(place, subject, "a script of the tree names it");
            } else if (routes.empty()) {
                outcome.undecided(place, subject, "kustomize does not apply it");
            } else if (template_tree && !object.tree.empty() && template_tree->matches(object.tree)) {
                outcome.undecided(place, subject, "it belongs to the template that clusters are made from");
            } else if (is_sample_path(tree.files[object.file].path)) {
                outcome.undecided(place, subject, "a sample by its path");
            } else if (std::string why = replaced_on(routes.front()); !why.empty()) {
                outcome.undecided(place, subject, std::move(why));
            } else {
                Finding finding;
                finding.message = token + " stands in what the cluster is given (" + object.kind.text + " " +
                                  object.name.text + "), and nothing in the tree puts a value in its place";
                finding.place = place;
                for (std::size_t i = 1; i < nodes.size(); ++i)
                    finding.related.push_back({{object.file, nodes[i].span()}, "and here"});
                finding.related.push_back({routes.front().entry, "applied from here"});
                finding.cause = token;
                outcome.fail(subject, std::move(finding));
            }
        }
    }

    // Scripts inside manifests, whatever object they stand in.
    void collect_from(const Object& object) {
        if (!holds[object.file] || object.embedded) return;
        const NodeRef root = overlay.nodes().root(object);
        if (!root) return;
        const YamlText& yaml = root.yaml();
        for (NodeId id = root.id(); id < root.node().after && id < yaml.nodes.size(); ++id)
            if (const NodeRef node(&yaml, id); node.is_scalar() && is_a_substitution(node.source())) add(node.source());
    }
};

} // namespace

void check_placeholder_left(const CheckInput& input, RuleOutcome& outcome) {
    Placeholders placeholders{input, outcome, Overlay(input.repository)};
    placeholders.collect();
    const auto template_tree = Glob::compile(input.config.template_tree);
    for (const Object& object : input.repository.index.objects)
        placeholders.collect_from(object);
    for (const Object& object : input.repository.index.objects)
        placeholders.judge(object, template_tree ? &*template_tree : nullptr);
}

} // namespace lockstep
