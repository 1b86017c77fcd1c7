// Replays pending changes.
#include "kustomize/pending.h"
#include "yaml/parse.h"
#include <set>

namespace lockstep {
namespace {

constexpr std::size_t most_lists = 8; // a rule goes from file to file

} // namespace

std::shared_ptr<const TreeMaker::ParsedList> TreeMaker::list_in(FileId file) {
    {
        const std::scoped_lock lock(lists_busy_);
        if (const auto known = lists_.find(file); known != lists_.end()) return known->second;
    }
    auto made = std::make_shared<ParsedList>();
    made->yaml = parse_yaml(loader_.text(file));
    for (NodeId id = 0; id < made->yaml.nodes.size(); ++id)
        if (const Node& node = made->yaml.nodes[id]; node.kind == NodeKind::mapping)
            made->mappings.try_emplace({node.begin, node.end}, id);
    const std::scoped_lock lock(lists_busy_);
    if (lists_.size() >= most_lists) lists_.clear();
    return lists_.emplace(file, std::move(made)).first->second;
}

Value* TreeMaker::read_item(const TreeStep& source, Arena& arena, BuildError& error) {
    const auto list = list_in(source.file);
    const auto item = list->mappings.find({source.document.begin, source.document.end});
    std::string why = "the document cannot be read";
    Value* tree =
        item == list->mappings.end() ? nullptr : value_of({&list->yaml, item->second}, source.file, arena, &why);
    if (!tree) error = {why, {source.file, source.document}};
    return tree;
}

void take_failed_trees(Workspace& work, std::vector<BuildError>& into) {
    std::set<std::pair<Place, std::string>> told;
    for (BuildError& error : work.failed_trees)
        if (told.emplace(error.place, error.message).second) into.push_back(std::move(error));
    work.failed_trees.clear();
}

Value* TreeMaker::read(const TreeStep& source, Arena& arena, BuildError& error) {
    if (source.list_item) return read_item(source, arena, error);
    if (const NodeRef kept = loader_.nodes ? loader_.nodes(source.file, source.document) : NodeRef())
        if (Value* tree = value_of(kept, source.file, arena)) return tree;
    const YamlText yaml = parse_yaml_slice(loader_.text(source.file), source.document, 0, Dialect::yaml);
    const NodeId root = yaml.documents.empty() ? no_node : yaml.documents.front().root;
    std::string why = root == no_node ? "the document cannot be read" : "";
    for (const YamlProblem& problem : yaml.problems) {
        if (problem.kind != YamlProblem::Kind::duplicate_key) continue;
        error = {problem.message, {source.file, problem.span}};
        return nullptr;
    }
    Value* tree = root == no_node ? nullptr : value_of({&yaml, root}, source.file, arena, &why);
    if (!tree) error = {why, {source.file, source.document}};
    return tree;
}

Value* TreeMaker::make(const TreeStep& step, Arena& arena, BuildError& error, bool keep_going) {
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
        BuildError why;
        TreeWork work{tree, arena, (*one)->self, why};
        const bool done = (*(*one)->change)(work);
        if (!done && error.message.empty()) error = std::move(why);
        if (!done && (!keep_going || !work.tree)) return nullptr;
        tree = work.tree;
    }
    return tree;
}

} // namespace lockstep
