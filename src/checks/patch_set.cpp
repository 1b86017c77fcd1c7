// Patches to changes, and which of them reach an object: targets as kustomize matches them, by anchored expressions.
#include "checks/patch_set.h"
#include "index/cells.h"
#include <algorithm>

namespace lockstep {
namespace {

// A name that as an expression fits only itself.
bool is_plain_name(const Cell& name) {
    return is_known(name) && !name.text.empty() &&
           name.text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-") ==
               std::string::npos;
}

void set_expression(Change& change, std::optional<Expression>& to, const Cell& cell) {
    if (cell.state == State::absent || cell.text.empty()) return;
    if (cell.state == State::templated) {
        change.vague = true;
        return;
    }
    if (is_plain_name(cell)) {
        to = Expression{cell.text, std::nullopt};
        return;
    }
    Result<Pattern> pattern = Pattern::compile("^(?:" + cell.text + ")$", linted_pattern_memory);
    if (pattern)
        to = Expression{{}, std::move(*pattern)};
    else
        change.vague = true;
}

bool has_target(const Patch& patch) {
    for (const Cell* cell : {&patch.target_group, &patch.target_kind, &patch.target_name, &patch.target_namespace,
                             &patch.target_selector, &patch.target_annotation_selector})
        if (is_set(*cell)) return true;
    return false;
}

void add_change(PatchSet& set, const Patch& patch, NodeRef root, Place whole, bool placed) {
    if (!root || root.is_null()) return;
    Change change;
    change.root = root;
    change.operations = root.is_sequence();
    change.whole = whole;
    change.placed = placed;
    change.patch = &patch;
    change.targeted = has_target(patch) || change.operations;
    set_expression(change, change.group, patch.target_group);
    set_expression(change, change.kind, patch.target_kind);
    set_expression(change, change.name, patch.target_name);
    set_expression(change, change.ns, patch.target_namespace);
    const std::size_t number = set.changes.size();
    if (!change.targeted) {
        const NodeRef kind = root.get("kind").resolved(), name = node_at(root, {"metadata", "name"});
        change.own_kind = kind.text();
        change.own_name = name.text();
        if (const NodeRef ns = node_at(root, {"metadata", "namespace"}); !ns.templated()) change.own_ns = ns.text();
        change.vague = kind.templated() || name.templated();
    }
    if (!change.targeted && !change.vague)
        set.by_document[name_key(change.own_kind, change.own_name)].push_back(number);
    else if (change.targeted && is_plain_name(patch.target_name))
        set.by_target[patch.target_name.text].push_back(number);
    else
        set.others.push_back(number);
    set.changes.push_back(std::move(change));
}

void add_file(PatchSet& set, const Repository& repository, Nodes& nodes, std::string_view dir, const Patch& patch) {
    const std::optional<std::string> path =
        is_known(patch.path) ? join_path(dir, patch.path.text) : std::optional<std::string>();
    const std::optional<FileId> file = path ? repository.tree->find(*path) : std::optional<FileId>();
    if (!file || repository.tree->files[*file].state != FileState::read) {
        set.unreadable = "the patch " + patch.path.text + " is not here to be read";
        return;
    }
    for (const DocumentView& document : nodes.view(*file).documents)
        if (!document.embedded && !document.list_item)
            add_change(set, patch, document.root, {*file, document.span}, true);
}

void add_documents(PatchSet& set, const Patch& patch, bool placed) {
    const YamlText& yaml = set.inner.back();
    if (!yaml.problems.empty()) set.unreadable = "a patch is not valid YAML";
    for (const YamlDocument& document : yaml.documents)
        add_change(set, patch, NodeRef(&yaml, document.root), patch.inline_text, placed);
}

void add_inline(PatchSet& set, const Repository& repository, const Patch& patch) {
    const std::string_view text = repository.tree->files[patch.inline_text.file].text;
    set.inner.push_back(parse_yaml_slice(text, patch.inline_text.span, patch.indent));
    const YamlText& outer = set.inner.back();
    const NodeRef root = outer.documents.empty() ? NodeRef() : NodeRef(&outer, outer.documents.front().root);
    if (!root.is_scalar()) return add_documents(set, patch, true);
    // A quoted or plain scalar: the patch is what it says, without places of its own.
    set.texts.emplace_back(root.text());
    set.inner.push_back(parse_yaml(set.texts.back()));
    add_documents(set, patch, false);
}

bool any_fits(const Expression& expression, const std::vector<std::string>& values) {
    return std::any_of(values.begin(), values.end(), [&](const std::string& value) {
        return expression.pattern ? expression.pattern->occurs_in(value) : expression.plain == value;
    });
}

Match weaker(Match a, Match b) {
    return std::min(a, b);
}

Match fits(const Change& change, const PatchTarget& target) {
    const Object& object = target.object;
    Match match = change.vague ? Match::maybe : Match::yes;
    auto ask = [&](const std::optional<Expression>& wanted, State state, const std::vector<std::string>& values) {
        if (!wanted) return;
        if (state == State::templated)
            match = weaker(match, Match::maybe);
        else if (!any_fits(*wanted, values))
            match = Match::no;
    };
    ask(change.kind, object.kind.state, {object.kind.text});
    ask(change.group, object.api_version.state, {object.group});
    ask(change.name, object.name.state, target.names);
    if (change.ns && target.namespaces.empty())
        match = weaker(match, Match::maybe);
    else
        ask(change.ns, object.ns.state, target.namespaces);
    if (!change.targeted) {
        const auto& known = target.namespaces;
        if (!change.own_kind.empty() && change.own_kind != object.kind.text) match = Match::no;
        if (!change.own_ns.empty() && !known.empty() &&
            std::find(known.begin(), known.end(), change.own_ns) == known.end())
            match = Match::no;
        return match;
    }
    const NodeRef metadata = target.root.get("metadata").resolved();
    for (const auto& [selector, field] : {std::pair(&change.patch->target_selector, "labels"),
                                          std::pair(&change.patch->target_annotation_selector, "annotations")}) {
        if (!is_set(*selector) || match == Match::no) continue;
        match = weaker(match, is_known(*selector)
                                  ? match_selector(selector->text, metadata.get(field).resolved(), target.added_labels)
                                  : Match::maybe);
    }
    return match;
}

} // namespace

std::vector<std::pair<const Change*, Match>> PatchSet::reaching(const PatchTarget& target) const {
    std::vector<std::pair<std::size_t, Match>> found;
    auto ask = [&](const std::vector<std::size_t>& numbers) {
        for (std::size_t number : numbers)
            if (const Match match = fits(changes[number], target); match != Match::no)
                found.emplace_back(number, match);
    };
    for (const std::string& name : target.names) {
        const auto document = by_document.find(name_key(target.object.kind.text, name));
        if (document != by_document.end()) ask(document->second);
        const auto targeted = by_target.find(name);
        if (targeted != by_target.end()) ask(targeted->second);
    }
    if (target.object.name.state == State::templated)
        for (const auto& [name, numbers] : by_target)
            ask(numbers);
    ask(others);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    std::vector<std::pair<const Change*, Match>> reached;
    for (const auto& [number, match] : found)
        reached.emplace_back(&changes[number], match);
    return reached;
}

PatchSet read_patch_set(const Repository& repository, Nodes& nodes, std::string_view dir,
                        const std::vector<Patch>& patches) {
    PatchSet set;
    for (const Patch& patch : patches) {
        if (is_set(patch.path))
            add_file(set, repository, nodes, dir, patch);
        else if (is_there(patch.inline_text))
            add_inline(set, repository, patch);
    }
    return set;
}

} // namespace lockstep
