// Namespaces that a chart's templates write out: they must be the one it is released into, or one that somebody makes.
#include "base/text.h"
#include "deploy/fleet.h"
#include "deploy/flux_spec.h"
#include "deploy/identities.h"
#include "index/cells.h"
#include "index/template_gates.h"
#include "rules/check.h"
#include <algorithm>
#include <map>
#include <set>

namespace lockstep::chart_namespace_unknown {
namespace {

bool is_name_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
}

struct Releases {
    std::vector<const Object*> objects;
    std::set<std::string> namespaces;
    bool unsure = false; // a namespace that is not known
};

struct Namespaces {
    const CheckInput& input;
    RuleOutcome& outcome;
    const Index& index = input.repository.index;
    const Tree& tree = *input.repository.tree;
    std::set<std::string> made = {"default", "kube-system", "kube-public", "kube-node-lease", "flux-system"};
    std::map<EntityId, Releases> releases = {};
    std::set<std::string> templated_in = {}; // charts, not rendered, that make a namespace of a templated name
    const Fleet& fleet = fleet_of(input.repository);

    void collect() {
        for (const Object& object : index.objects) {
            if (object.kind.text != "Namespace" || !object.group.empty()) continue;
            const bool switched_off = fleet.is_shown(object) &&
                                      fleet.of_object(static_cast<EntityId>(&object - index.objects.data())).empty();
            if (is_known(object.name) && !switched_off) made.insert(object.name.text);
            if (object.name.state == State::templated && object.in_chart && !fleet.is_shown(object))
                templated_in.insert(object.chart);
        }
        for (const Instance& one : fleet.instances) // `namespace:` of a kustomization gives Namespaces their name
            if (one.id().kind == "Namespace" && one.id().group.empty() && one.name_known)
                made.insert(std::string(one.id().name));
        for (EntityId id = 0; id < index.releases.size(); ++id) {
            const HelmRelease& release = index.releases[id];
            const Object& object = index.objects[release.object];
            if (object.partial || object.as_patch) continue;
            std::set<std::string> own; // namespaces of the release itself, as clusters get it
            bool own_known = true;
            for (std::uint32_t number : fleet.of_object(release.object)) {
                const Instance& one = fleet.instances[number];
                own_known = own_known && one.ns_known && !one.id().ns.empty();
                if (one.ns_known && !one.id().ns.empty()) own.insert(std::string(one.id().ns));
            }
            if (fleet.of_object(release.object).empty()) {
                own_known = is_known(object.ns);
                if (own_known) own.insert(object.ns.text);
            }
            Releases* of_chart =
                index.release_edges[id].chart == no_entity ? nullptr : &releases[index.release_edges[id].chart];
            made.insert(own.begin(), own.end());
            for (const Cell* ns : {&release.target_namespace, &release.storage_namespace}) {
                if (is_known(*ns)) made.insert(ns->text);
                if (of_chart && ns->state == State::templated) of_chart->unsure = true;
            }
            if (!of_chart) continue;
            of_chart->objects.push_back(&object);
            if (is_known(release.target_namespace))
                of_chart->namespaces.insert(release.target_namespace.text);
            else
                of_chart->namespaces.insert(own.begin(), own.end());
            if (!is_set(release.target_namespace) && !own_known) of_chart->unsure = true;
        }
    }

    // A script or a cloud-init file that makes it: `kubectl create namespace X`, `--namespace X --create-namespace`.
    bool is_made_by_script(const std::string& name) const {
        for (FileId file = 0; file < tree.files.size(); ++file) {
            const std::string_view path = tree.files[file].path;
            if (!path.ends_with(".sh") && !path.ends_with(".bash") && !is_terraform_template(path) &&
                !is_workflow_path(path))
                continue;
            std::string_view text = tree.indexed_text(file);
            while (!text.empty()) {
                const std::string_view line = text.substr(0, text.find('\n'));
                text.remove_prefix(std::min(text.size(), line.size() + 1));
                const bool speaks = line.find("namespace") != npos || line.find(" ns ") != npos;
                for (auto at = speaks ? line.find(name) : npos; at != npos; at = line.find(name, at + 1)) {
                    const std::size_t end = at + name.size();
                    if ((at == 0 || !is_name_char(line[at - 1])) && (end == line.size() || !is_name_char(line[end])))
                        return true;
                }
            }
        }
        return false;
    }

    void judge(EntityId id) {
        const auto released = releases.find(id);
        const Chart& chart = index.charts[id];
        if (released == releases.end()) return;
        std::map<std::string, std::vector<Place>> unknown;
        const auto look = [&](const Cell& ns, const std::string& subject, bool written) {
            if (!is_known(ns)) {
                outcome.undecided(ns.place, subject, "a templated namespace");
            } else if (made.count(ns.text) || released->second.namespaces.count(ns.text)) {
                outcome.pass(ns.place, subject);
            } else if (released->second.unsure || templated_in.count(chart.dir)) {
                outcome.undecided(ns.place, subject, "which namespaces there are is not known");
            } else if (written && is_gated(ns.place.file, ns.place.span.begin)) {
                outcome.undecided(ns.place, subject, "it is inside a condition");
            } else {
                std::vector<Place>& places = unknown[ns.text];
                if (std::find(places.begin(), places.end(), ns.place) == places.end()) places.push_back(ns.place);
            }
        };
        for (FileId file : chart.templates)
            for (const Object* object : by_file[file])
                if (is_set(object->ns) && object->kind.text != "Namespace" && !fleet.is_shown(*object))
                    look(object->ns, tree.files[file].path + "#" + object->kind.text + "/" + object->name.text, true);
        for (const Root& root : fleet.roots)
            if (root.is_rendered() && root.chart == id && root.certainty != Certainty::possible)
                for (std::uint32_t i = root.first; i < root.first + root.count; ++i)
                    if (const Instance& one = fleet.instances[i]; one.id().kind != "Namespace" && !one.cluster_scoped)
                        if (const Cell ns = cell_at(fleet.tree_of(one), {"metadata", "namespace"}); is_set(ns))
                            look(is_there(ns.place) ? ns : Cell{ns.state, ns.text, place_of(index, one)},
                                 subject_of(index, one), false);
        for (auto& [name, places] : unknown)
            report(chart, released->second, name, places);
    }

    bool is_gated(FileId file, std::size_t offset) {
        const std::string_view text = tree.indexed_text(file);
        if (text.find("{{") == std::string_view::npos) return false;
        return !gates_around(text, go_actions(text), offset).empty();
    }

    void report(const Chart& chart, const Releases& released, const std::string& name,
                const std::vector<Place>& places) {
        const std::string subject = tree.files[chart.file].path + ":" + name;
        if (is_made_by_script(name)) return outcome.undecided(places.front(), subject, "a script names it");
        std::string targets;
        for (const std::string& target : released.namespaces)
            targets += (targets.empty() ? "" : ", ") + target;
        Finding finding;
        finding.message = "the chart " + chart.name.text + " writes objects into the namespace " + name +
                          " but is released into " + targets + ", and nothing in the tree makes " + name;
        finding.place = places.front();
        for (const Object* object : released.objects)
            finding.related.push_back({object->name.place, "released by " + object->name.text});
        for (std::size_t i = 1; i < places.size(); ++i)
            finding.related.push_back({places[i], "and here"});
        outcome.fail(subject, std::move(finding));
    }

    std::map<FileId, std::vector<const Object*>> by_file = {};
};

void run(const CheckInput& input, RuleOutcome& outcome) {
    Namespaces namespaces{input, outcome};
    namespaces.collect();
    for (const Object& object : input.repository.index.objects)
        if (object.in_templates && !object.embedded && !object.partial)
            namespaces.by_file[object.file].push_back(&object);
    for (EntityId id = 0; id < input.repository.index.charts.size(); ++id)
        namespaces.judge(id);
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::chart_namespace_unknown
