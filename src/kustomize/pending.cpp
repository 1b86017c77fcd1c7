// Replays pending changes.
#include "kustomize/pending.h"
#include "yaml/parse.h"

namespace lockstep {
namespace {

NodeId find_item(const YamlText& yaml, Span span) {
    for (NodeId id = 0; id < yaml.nodes.size(); ++id)
        if (yaml.nodes[id].begin == span.begin && yaml.nodes[id].end == span.end &&
            yaml.nodes[id].kind == NodeKind::mapping)
            return id;
    return no_node;
}

} // namespace

Value* TreeMaker::read(const TreeStep& source, Arena& arena, BuildError& error) {
    if (const NodeRef kept =
            loader_.nodes && !source.list_item ? loader_.nodes(source.file, source.document) : NodeRef())
        if (Value* tree = value_of(kept, source.file, arena)) return tree;
    const std::string_view text = loader_.text(source.file);
    const YamlText yaml =
        source.list_item ? parse_yaml(text) : parse_yaml_slice(text, source.document, 0, Dialect::yaml);
    NodeId root = no_node;
    if (source.list_item)
        root = find_item(yaml, source.document);
    else if (!yaml.documents.empty())
        root = yaml.documents.front().root;
    std::string why = root == no_node ? "the document cannot be read" : "";
    for (const YamlProblem& problem : yaml.problems) {
        if (problem.kind != YamlProblem::Kind::duplicate_key || source.list_item) continue;
        error = {problem.message, {source.file, problem.span}};
        return nullptr;
    }
    Value* tree = root == no_node ? nullptr : value_of({&yaml, root}, source.file, arena, &why);
    if (!tree) error = {why, {source.file, source.document}};
    return tree;
}

Value* TreeMaker::make(const TreeStep& step, Arena& arena, BuildError& error) {
    std::vector<const TreeStep*> steps;
    const TreeStep* at = &step;
    const Value* known = nullptr;
    for (; at; at = at->before) {
        known = at->made.load(std::memory_order_acquire);
        if (known || !at->change) break;
        steps.push_back(at);
    }
    Value* tree = known ? clone(*known, arena) : at ? read(*at, arena, error) : nullptr;
    if (!tree) return nullptr;
    ++made_;
    for (auto one = steps.rbegin(); one != steps.rend(); ++one) {
        TreeWork work{tree, arena, (*one)->self, error};
        if (!(*(*one)->change)(work)) return nullptr;
        tree = work.tree;
    }
    return tree;
}

} // namespace lockstep
