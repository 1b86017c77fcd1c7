// One pass over what a cluster gets for each kind that somebody misses.
#include "deploy/made_objects.h"
#include "deploy/name_pattern.h"
#include "deploy/openings.h"
#include "index/cells.h"
#include <algorithm>

namespace lockstep {
namespace {

std::string title(const Instance& one) {
    return std::string(one.id().kind) + " " + std::string(one.id().name);
}

// The name, with `*` for what is not known.
std::string pattern_of(const Value& value) {
    std::string pattern = pattern_of_name(value.text);
    return value.unknown && pattern == value.text ? "*" : pattern;
}

bool is_sync_kind(const GroupKind& wanted) {
    return is_flux_group(wanted.group) && (wanted.kind == "GitRepository" || wanted.kind == "OCIRepository" ||
                                           wanted.kind == "Bucket" || wanted.kind == "Kustomization");
}

// The names that a row gives for one maker; `*` for what is not known.
std::vector<std::string> names_made(const MakerRow& row, const Value* tree) {
    std::vector<std::string> names;
    if (!tree) return names;
    names.emplace_back();
    for (const MakerRow::Part& part : row.name) {
        std::vector<std::string> longer;
        std::vector<std::string> ends = {part.text};
        if (part.path) {
            ends.clear();
            for (const ValueMatch& match : find(*part.path, const_cast<Value*>(tree)))
                if (match.value->is_scalar() && !match.value->is_null()) ends.push_back(pattern_of(*match.value));
        }
        for (const std::string& begin : names)
            for (const std::string& end : ends)
                longer.push_back(begin + end);
        names = std::move(longer);
    }
    return names;
}

} // namespace

MadeObjects::MadeObjects(const Fleet& fleet, const Index& index, std::vector<MakerRow> makers, ScriptMakers scripts,
                         MayApply may_apply)
    : fleet_(fleet), index_(index), makers_(std::move(makers)), scripts_(std::move(scripts)),
      may_apply_(std::move(may_apply)), release_of_object_(index.objects.size(), no_entity) {
    for (std::uint32_t number = 0; number < fleet.roots.size(); ++number)
        if (fleet.roots[number].certainty != Certainty::loose) roots_[fleet.roots[number].cluster].push_back(number);
    for (EntityId id = 0; id < index.releases.size(); ++id)
        release_of_object_[index.releases[id].object] = id;
    std::set<std::pair<std::string_view, std::string_view>> kinds;
    for (const MakerRow& row : makers_)
        kinds.emplace(row.by.kind, row.by.group);
    for (EntityId id = 0; id < index.objects.size(); ++id) {
        const Object& object = index.objects[id];
        if (object.bootstrap || object.in_templates || object.embedded)
            declared_[{object.group, object.kind.text}].push_back(id);
        else if (kinds.contains({object.kind.text, object.group}))
            maker_objects_.push_back(id);
    }
}

void MadeObjects::OfKind::add(Made one) {
    if (one.name.find('*') != std::string::npos) {
        one.sure = false;
        patterns.push_back(std::move(one));
    } else if (!one.name.empty()) {
        std::vector<Made>& same = by_name[one.name];
        same.push_back(std::move(one));
    }
}

MadeObjects::Answer MadeObjects::look(std::uint32_t cluster, const GroupKind& wanted, std::string_view ns,
                                      std::string_view name) {
    const OfKind& made = of(cluster, wanted);
    Answer answer;
    auto take = [&](const Made& one) {
        if (answer.made || (!one.ns.empty() && !ns.empty() && one.ns != ns)) return;
        if (!one.sure && answer.perhaps) return;
        answer.made = one.sure;
        answer.perhaps = !one.sure;
        answer.why = one.why;
    };
    if (const auto same = made.by_name.find(name); same != made.by_name.end())
        std::for_each(same->second.begin(), same->second.end(), take);
    for (const Made& one : made.patterns)
        if (fits(one.name, name)) take(one);
    if (answer.made) return answer;
    if (const std::string_view script = scripts_.find(wanted.kind, name); !script.empty())
        return {true, false, std::string(script) + " makes it"};
    return answer;
}

std::vector<std::string> MadeObjects::names(std::uint32_t cluster, const GroupKind& wanted, std::string_view ns) {
    std::vector<std::string> found;
    for (const auto& [name, all] : of(cluster, wanted).by_name)
        for (const Made& one : all)
            if (one.sure && (one.ns.empty() || ns.empty() || one.ns == ns)) {
                found.push_back(name);
                break;
            }
    return found;
}

MadeObjects::OfKind& MadeObjects::of(std::uint32_t cluster, const GroupKind& wanted) {
    const auto [known, fresh] = of_kind_.try_emplace({cluster, wanted});
    if (!fresh) return known->second;
    add_instances(cluster, wanted, known->second);
    add_unapplied(cluster, wanted, known->second);
    add_declared(cluster, wanted, known->second);
    if (is_sync_kind(wanted)) add_syncs(known->second);
    return known->second;
}

// Kinds whose objects hold manifests of others: releases by their values, sets and policies by their nature.
bool MadeObjects::may_hold(const Instance& one, const GroupKind& wanted) const {
    const std::string_view group = one.id().group;
    if (group.empty() || group == "apps" || group == "batch" || group.ends_with(".k8s.io")) return false;
    if (is_flux_group(group) && one.id().kind != "HelmRelease") return false;
    if (one.object == no_entity) return true;
    const Object& object = index_.objects[one.object]; // a tree costs more than a look at the bytes
    const std::string_view text = index_.tree->files[object.file].text;
    const std::string_view own = text.substr(object.document.begin, object.document.end - object.document.begin);
    // Each HelmRelease names the kind of its source; a manifest in it has an apiVersion of that group, too.
    return own.find(wanted.kind) != std::string_view::npos && own.find(wanted.group) != std::string_view::npos;
}

void MadeObjects::add_instances(std::uint32_t cluster, const GroupKind& wanted, OfKind& made) {
    const auto roots = roots_.find(cluster);
    if (roots == roots_.end()) return;
    std::vector<const MakerRow*> rows;
    for (const MakerRow& row : makers_)
        if (row.makes == wanted) rows.push_back(&row);
    for (std::uint32_t number : roots->second) {
        const Root& root = fleet_.roots[number];
        for (std::uint32_t i = root.first; i < root.first + root.count; ++i) {
            const Instance& one = fleet_.instances[i];
            for (const MakerRow* row : rows)
                if (row->by.kind == one.id().kind && row->by.group == one.id().group) add_by_row(*row, one, made);
            if (one.id().kind == wanted.kind && one.id().group == wanted.group && !one.name_known)
                made.add({one.ns_known ? std::string(one.id().ns) : std::string(), pattern_of_name(one.id().name),
                          false, "the templated name of " + title(one) + " may become it"});
            if (!may_hold(one, wanted)) continue;
            Arena arena;
            if (const Value* tree = fleet_.tree_of(one, arena))
                for (const Value* child : tree->all())
                    add_inside(*child, wanted, one, made);
        }
    }
}

void MadeObjects::add_by_row(const MakerRow& row, const Instance& one, OfKind& made) const {
    const bool proven = fleet_.certainty_of(one) == Certainty::proven;
    Arena arena;
    for (std::string& name : names_made(row, fleet_.tree_of(one, arena)))
        made.add({one.cluster_scoped || !one.ns_known ? std::string() : std::string(one.id().ns), std::move(name),
                  proven, title(one) + (proven ? " makes it" : " may make it")});
}

// Where the tree does not show how a cluster begins, makers of other folders may be its own.
void MadeObjects::add_unapplied(std::uint32_t cluster, const GroupKind& wanted, OfKind& made) const {
    if (!may_apply_(cluster)) return;
    for (EntityId id : maker_objects_) {
        const Object& object = index_.objects[id];
        for (const MakerRow& row : makers_)
            if (row.makes == wanted && object.kind.text == row.by.kind && object.group == row.by.group)
                for (std::string& name : names_made(row, fleet_.declared_tree(id)))
                    made.add({is_known(object.ns) ? object.ns.text : std::string(), std::move(name), false,
                              object.kind.text + " " + object.name.text + " may make it"});
    }
}

// A mapping with apiVersion, kind and a body is a manifest, wherever it is; one that only names an object is not.
void MadeObjects::add_inside(const Value& value, const GroupKind& wanted, const Instance& holder, OfKind& made) const {
    if (value.is_mapping() && value.text_of("kind") == wanted.kind &&
        split_api_version(value.text_of("apiVersion")).group == wanted.group) {
        const Value* metadata = value.get("metadata");
        const bool body = (metadata && metadata->is_mapping()) || value.get("spec") || value.get("data");
        const Value* name = metadata && metadata->is_mapping() ? metadata->get("name") : value.get("name");
        const Value* ns = metadata && metadata->is_mapping() ? metadata->get("namespace") : value.get("namespace");
        if (body) {
            std::string space = ns && ns->is_scalar() ? pattern_of(*ns) : std::string();
            if (space.find('*') != std::string::npos) space.clear();
            made.add({std::move(space), name && name->is_scalar() ? pattern_of(*name) : "*", false,
                      title(holder) + " has a manifest that may become it"});
        }
    }
    for (const Value* child : value.all())
        add_inside(*child, wanted, holder, made);
}

const std::set<std::string>& MadeObjects::charts_of(std::uint32_t cluster) {
    const auto [known, fresh] = charts_.try_emplace(cluster);
    std::set<std::string>& dirs = known->second;
    if (!fresh) return dirs;
    std::vector<EntityId> open;
    auto take = [&](EntityId chart) {
        if (chart != no_entity && dirs.insert(index_.charts[chart].dir).second) open.push_back(chart);
    };
    for (std::uint32_t number : roots_[cluster]) {
        const Root& root = fleet_.roots[number];
        for (std::uint32_t i = root.first; i < root.first + root.count; ++i)
            if (const EntityId object = fleet_.instances[i].object; object != no_entity)
                if (const EntityId release = release_of_object_[object]; release != no_entity)
                    if (const EntityId chart = index_.release_edges[release].chart; !fleet_.is_rendered(chart))
                        take(chart);
    }
    while (!open.empty()) {
        const EntityId chart = open.back();
        open.pop_back();
        for (const DependencyEdge& edge : index_.dependency_edges)
            if (edge.chart == chart) take(edge.local);
    }
    return dirs;
}

// What cloud-init writes; templates of charts that are installed; texts inside other objects.
void MadeObjects::add_declared(std::uint32_t cluster, const GroupKind& wanted, OfKind& made) {
    const auto declared = declared_.find(wanted);
    if (declared == declared_.end()) return;
    for (EntityId id : declared->second) {
        const Object& object = index_.objects[id];
        const std::string& path = index_.tree->files[object.file].path;
        const std::string ns = is_known(object.ns) ? object.ns.text : std::string();
        const std::string name = is_set(object.name) ? pattern_of_name(object.name.text) : std::string("*");
        if (object.bootstrap) {
            made.add({ns, name, true, path + " makes it"});
        } else if (object.in_templates) {
            const std::set<std::string>& charts = charts_of(cluster);
            const bool used = std::any_of(charts.begin(), charts.end(), [&](const std::string& dir) {
                return object.chart == dir || object.chart.starts_with(dir + "/charts/");
            });
            if (used) made.add({{}, name, false, "the template " + path + " may become it"});
        } else if (object.embedded && fleet_.certainty_of_file(object.file) == Certainty::proven) {
            made.add({ns, name, false, "a text in " + path + " may become it"});
        }
    }
}

// `flux bootstrap` and a FluxInstance make a source and a Kustomization of one name that need not be in Git.
void MadeObjects::add_syncs(OfKind& made) const {
    made.add({"flux-system", "flux-system", true, "`flux bootstrap` makes it"});
    for (const OperatorSync& sync : fleet_.syncs)
        if (is_set(sync.url))
            made.add({sync.ns, sync.name, true, index_.objects[sync.object].kind.text + " " + sync.name + " makes it"});
}

} // namespace lockstep
