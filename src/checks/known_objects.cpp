// Looks an object up by group, kind and name among everything the tree declares.
#include "checks/known_objects.h"
#include "checks/listed_paths.h"
#include "checks/mentions.h"
#include "index/cells.h"
#include <algorithm>

namespace lockstep {
namespace {

constexpr std::string_view source_group = "source.toolkit.fluxcd.io";

std::string full_key(std::string_view group, std::string_view kind, std::string_view name) {
    return std::string(group) + "/" + std::string(kind) + "/" + std::string(name);
}

// Below folders that hold no live configuration: documentation, tests, what new things are copied from.
bool is_aside(std::string_view path) {
    for (auto slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/')) {
        const std::string_view folder = path.substr(0, slash);
        for (std::string_view one : {"doc", "docs", "e2e", "hack", "skeleton", "template", "test", "tests"})
            if (folder == one) return true;
        path.remove_prefix(slash + 1);
    }
    return false;
}

bool is_sync_kind(std::string_view kind) {
    return kind == "GitRepository" || kind == "OCIRepository" || kind == "Bucket" || kind == "Kustomization";
}

} // namespace

void add_declared(Finding& finding, const Index& index, const Declared* declared) {
    for (std::size_t i = 0; declared && i < declared->objects.size() && finding.related.size() < most_related; ++i)
        finding.related.push_back({index.objects[declared->objects[i]].name.place, "the one of that name"});
}

std::string pattern_of_name(std::string_view name) {
    std::string pattern;
    while (!name.empty()) {
        const std::string_view close = name.starts_with("${") ? "}" : name.starts_with("{{") ? "}}" : "";
        const std::size_t end = close.empty() ? std::string_view::npos : name.find(close);
        pattern += end == std::string_view::npos ? name.front() : '*';
        name.remove_prefix(end == std::string_view::npos ? 1 : end + close.size());
    }
    return pattern;
}

bool fits(std::string_view pattern, std::string_view text) {
    std::size_t at = 0, from = 0, star = std::string_view::npos, mark = 0;
    while (from < text.size()) {
        if (at < pattern.size() && pattern[at] == '*') {
            star = at++;
            mark = from;
        } else if (at < pattern.size() && pattern[at] == text[from]) {
            ++at;
            ++from;
        } else if (star != std::string_view::npos) {
            at = star + 1;
            from = ++mark;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

bool is_placeholder(std::string_view text) {
    if (text.find_first_of("{}<>[]$%#?*|") != std::string_view::npos) return true;
    for (std::string_view word : {"PLACEHOLDER", "placeholder", "CHANGE", "REPLACE", "YOUR", "your-", "TODO", "@@"})
        if (text.find(word) != std::string_view::npos) return true;
    return false;
}

KnownObjects::KnownObjects(const Repository& repository, const Config& config)
    : repository_(repository), config_(config), nodes_(repository) {
    const Index& index = repository.index;
    for (EntityId id = 0; id < index.objects.size(); ++id) {
        const Object& object = index.objects[id];
        if (!is_known(object.kind)) continue;
        if (object.name.state == State::templated)
            patterns_[object.group + "/" + object.kind.text].insert(pattern_of_name(object.name.text));
        else if (is_known(object.name) && (object.as_patch || object.partial))
            (object.as_patch ? patched_ : more_)[full_key(object.group, object.kind.text, object.name.text)].push_back(
                id);
    }
    for (const Source& source : index.sources) {
        if (!source.generated) continue;
        if (is_known(source.name))
            more_[full_key(source_group, source.kind, source.name.text)].push_back(source.object);
        else if (is_set(source.name))
            patterns_[std::string(source_group) + "/" + source.kind].insert(pattern_of_name(source.name.text));
    }
    auto take = [&](const Cell& affix) {
        if (is_set(affix) && !affix.text.empty())
            affixes_.insert(is_known(affix) ? affix.text : pattern_of_name(affix.text));
    };
    for (const Kustomization& made : index.kustomizations) {
        take(made.name_prefix);
        take(made.name_suffix);
    }
    for (const FluxKustomization& flux : index.flux_kustomizations) {
        take(flux.name_prefix);
        take(flux.name_suffix);
    }
    add_implicit_sync();
}

// `flux bootstrap` and a FluxInstance make a source and a Kustomization of one name that need not stand in Git.
void KnownObjects::add_implicit_sync() {
    implicit_.insert("flux-system");
    auto take = [&](NodeRef sync) {
        if (const NodeRef name = sync.get("name").resolved(); name.is_scalar()) implicit_.emplace(name.text());
    };
    const Index& index = repository_.index;
    for (const Object& object : index.objects)
        if (object.kind.text == "FluxInstance") {
            take(node_at(nodes_.root(object), {"spec", "sync"}));
            if (is_known(object.ns)) implicit_.insert(object.ns.text);
        }
    for (EntityId id = 0; id < index.releases.size(); ++id)
        if (index.release_edges[id].chart_name.text == "flux-instance")
            take(
                node_at(nodes_.root(index.objects[index.releases[id].object]), {"spec", "values", "instance", "sync"}));
}

bool KnownObjects::is_external(std::string_view kind, std::string_view ns, std::string_view name) const {
    for (std::string_view entry : config_.external) {
        const std::size_t first = entry.find('/'), last = entry.rfind('/');
        if (first == std::string_view::npos || !fits(entry.substr(0, first), kind)) continue;
        if (!fits(entry.substr(last + 1), name)) continue;
        if (first == last || ns.empty() || fits(entry.substr(first + 1, last - first - 1), ns)) return true;
    }
    return false;
}

Existence KnownObjects::look(const Wanted& wanted) {
    std::string key = full_key(wanted.group, wanted.kind, wanted.name);
    auto known = declared_.find(key);
    if (known == declared_.end()) {
        const Index& index = repository_.index;
        std::vector<EntityId> found;
        if (const auto named = index.objects_by_name.find(name_key(wanted.kind, wanted.name));
            named != index.objects_by_name.end())
            for (EntityId id : named->second)
                if (index.objects[id].group == wanted.group) found.push_back(id);
        if (const auto more = more_.find(key); more != more_.end()) {
            found.insert(found.end(), more->second.begin(), more->second.end());
            std::sort(found.begin(), found.end());
        }
        known = declared_.emplace(std::move(key), Declared{std::move(found)}).first;
    }
    if (known->second.objects.empty()) return look_beyond(wanted);
    return {Existence::Is::here, &known->second};
}

const Namespaces& KnownObjects::namespaces_of(Declared& declared) const {
    if (!declared.namespaces) declared.namespaces = namespaces_of_all(repository_, declared.objects);
    return *declared.namespaces;
}

std::string KnownObjects::missed_namespace(EntityId referrer, const Cell& ns, Declared* declared) const {
    if (!declared) return {};
    const Namespaces looked = namespaces_looked_in(repository_, referrer, ns);
    if (!looked || looked->size() != 1) return {};
    const Namespaces& there = namespaces_of(*declared);
    return there && !there->count(*looked->begin()) ? *looked->begin() : std::string();
}

Existence KnownObjects::look_beyond(const Wanted& wanted) {
    Existence answer;
    answer.is = Existence::Is::maybe;
    const std::string key = full_key(wanted.group, wanted.kind, wanted.name);
    if (is_external(wanted.kind, wanted.ns, wanted.name) ||
        (is_sync_kind(wanted.kind) && implicit_.count(wanted.name))) {
        answer.is = Existence::Is::here;
        return answer;
    }
    if (patched_.count(key)) answer.why = "a patch names it: its base is not in this tree";
    const auto patterns = patterns_.find(std::string(wanted.group) + "/" + std::string(wanted.kind));
    if (answer.why.empty() && patterns != patterns_.end())
        for (const std::string& pattern : patterns->second)
            if (fits(pattern, wanted.name)) answer.why = "a templated name may become it";
    if (answer.why.empty())
        for (const std::string& affix : affixes_)
            if (fits(affix + "*", wanted.name) || fits("*" + affix, wanted.name))
                answer.why = "a name prefix or suffix may make it";
    if (answer.why.empty()) answer.why = unseen(wanted.kind, wanted.ns);
    if (answer.why.empty()) answer.why = named_in_script(wanted.name);
    if (answer.why.empty()) answer.is = Existence::Is::missing;
    return answer;
}

std::vector<std::string> KnownObjects::names_of(std::string_view group, std::string_view kind) const {
    const std::string start = full_key(group, kind, "");
    std::vector<std::string> names;
    for (const Object& object : repository_.index.objects)
        if (!object.as_patch && is_known(object.name) && is_known(object.kind) && object.kind.text == kind &&
            object.group == group)
            names.push_back(object.name.text);
    for (const auto& [key, objects] : more_)
        if (key.starts_with(start)) names.push_back(key.substr(start.size()));
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

namespace {

// What `kubectl get -o yaml` prints, kept as a backup: the world it speaks of is that of its day. The word is looked
// for first, as the nodes of a file cost more.
bool is_live_copy(const Repository& repository, const Object& object) {
    if (document_text(*repository.tree, object).find("resourceVersion") == std::string_view::npos) return false;
    const NodeRef root = Nodes(repository).root(object);
    return node_at(root, {"metadata", "resourceVersion"}) && node_at(root, {"metadata", "uid"});
}

} // namespace

Standing standing_of(const Repository& repository, const Object& object, Ours source) {
    using Is = Standing::Is;
    const Index& index = repository.index;
    const std::string& path = repository.tree->files[object.file].path;
    if (object.bootstrap) return {};
    if (object.embedded) return {Is::not_judged, "a text inside another object"};
    if (is_sample_path(path) || is_aside(path)) return {Is::not_judged, "a sample or a test by its path"};
    if (object.in_templates && index.listers.of(object.file).empty())
        return {Is::not_judged, "only Helm can render it"};
    for (EntityId flux : flux_above(index, object.file))
        if (index.flux_edges[flux].this_repository == Ours::yes) return {};
    if (is_live_copy(repository, object)) return {Is::not_judged, "a copy out of a cluster"};
    if (source == Ours::yes) return {};
    return {Is::loose, "nothing in this tree applies it"};
}

} // namespace lockstep
