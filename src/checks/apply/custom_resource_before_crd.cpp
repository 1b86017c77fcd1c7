// Custom resources and the charts that bring their kinds: a chart that uses what its own dependency brings, a release
// that does not wait for the one that brings it, and both in one Flux Kustomization.
#include "base/text.h"
#include "deploy/crd_providers.h"
#include "deploy/nodes.h"
#include "index/cells.h"
#include "index/relations.h"
#include "index/template_gates.h"
#include "index/text_search.h"
#include "rules/check.h"
#include <algorithm>
#include <map>
#include <set>

namespace lockstep::custom_resource_before_crd {
namespace {

struct Need { // an object whose CRD comes with what other Kustomizations apply
    std::uint32_t number = no_number;
    std::vector<const Instance*> outside;
};

struct Order {
    const CheckInput& input;
    RuleOutcome& outcome;
    Nodes nodes;
    const Index& index = input.repository.index;
    const Tree& tree = *input.repository.tree;
    const Fleet& fleet = fleet_of(input.repository);
    CrdProviders crds = CrdProviders(index, fleet, input.facts["charts"], input.texts());
    std::map<std::pair<std::string, EntityId>, std::vector<std::uint32_t>> both = {}; // owner and release: instances

    std::map<std::uint32_t, std::vector<Need>> needs = {}; // by root

    std::span<const std::uint32_t> instances_of(const Object& object) const {
        return fleet.of_object(static_cast<EntityId>(&object - index.objects.data()));
    }

    bool is_made_by(const Object& object, std::uint32_t release) const {
        const auto all = instances_of(object);
        return std::any_of(all.begin(), all.end(), [&](std::uint32_t number) {
            return fleet.root_of(fleet.instances[number]).maker == release;
        });
    }

    bool is_hook(const Object& object) {
        const NodeRef annotations = nodes.root(object).get("metadata").resolved().get("annotations").resolved();
        return static_cast<bool>(annotations.get_key("helm.sh/hook"));
    }

    void report(const Object& object, const std::string& subject, std::string message, std::vector<Related> related) {
        Finding finding;
        finding.message = object.kind.text + " " + object.name.text + " is of " + object.group + ", " + message;
        finding.place = object.api_version.place;
        finding.related = std::move(related);
        outcome.fail(subject, std::move(finding));
    }

    // Another dependency, or the chart's own values, may take care of the CRDs.
    bool is_left_to_others(const Chart& chart, const ChartDependency& dependency) {
        for (const ChartDependency& other : chart.dependencies)
            if (other.name.text != dependency.name.text &&
                (other.name.text.ends_with("-crds") || other.name.text.ends_with("-crd")))
                return true;
        const std::string& key = is_set(dependency.alias) ? dependency.alias.text : dependency.name.text;
        for (FileId file : chart.values_files)
            for (const DocumentView& document : nodes.view(file).documents) {
                const NodeRef values = document.root ? document.root.get(key).resolved() : NodeRef();
                const NodeRef switches = values ? values.get("crds").resolved() : NodeRef();
                for (const NodeRef& flag :
                     {switches ? switches.get("enabled") : NodeRef(), switches ? switches.get("create") : NodeRef(),
                      values ? values.get("installCRDs") : NodeRef()})
                    if (flag && flag.text() == "false") return true;
            }
        return false;
    }

    // Argo CD renders charts and applies CRDs first. A release in the tree says that Helm installs this one.
    bool is_for_argo(EntityId chart) const {
        for (const ReleaseEdges& edge : index.release_edges)
            if (edge.chart == chart) return false;
        return is_mentioned(tree, "argoproj");
    }

    // An object of a chart's templates.
    void judge_template(const Object& object) {
        const auto found = index.chart_by_dir.find(object.chart);
        if (found == index.chart_by_dir.end() || index.charts[found->second].subchart) return;
        const Chart& chart = index.charts[found->second];
        const std::string subject = subject_of(index, object);
        const Place place = object.api_version.place;
        const std::string_view text = tree.indexed_text(object.file);
        if (fleet.is_shown(object) && instances_of(object).empty()) return; // no cluster gets it
        if (is_hook(object)) return outcome.pass(place, subject);
        if (!gates_around(text, go_actions(text), place.span.begin).empty() ||
            text.find(".Capabilities.APIVersions") != npos)
            return outcome.pass(place, subject); // gated: somebody decides
        if (is_for_argo(found->second))
            return outcome.undecided(place, subject, "nothing here releases the chart, and Argo CD applies CRDs first");
        if (const auto own = crds.own.find({found->second, object.group}); own != crds.own.end()) {
            if (own->second.first) return outcome.pass(place, subject);
            return report(object, subject,
                          "whose CRD is among the templates of the same chart: Helm cannot apply both at once",
                          {{chart.name.place, "the chart"}});
        }
        const auto known = crds.known.find(object.group);
        if (known != crds.known.end())
            for (const CrdProvider& provider : known->second)
                for (const ChartDependency& dependency : chart.dependencies) {
                    if (dependency.name.text != provider.chart) continue;
                    if (provider.first) return outcome.pass(place, subject);
                    if (is_set(dependency.condition))
                        return outcome.undecided(place, subject, "the dependency that brings its CRD has a condition");
                    if (is_left_to_others(chart, dependency))
                        return outcome.undecided(place, subject, "something else may bring its CRD");
                    return report(object, subject,
                                  "whose CRD comes with " + provider.chart +
                                      ", a dependency of the same chart: Helm cannot apply both at once",
                                  {{dependency.name.place, "the dependency"}});
                }
        judge_release(object, found->second, subject);
    }

    void judge_release(const Object& object, EntityId chart, const std::string& subject) {
        const Place place = object.api_version.place;
        bool used = false, brought = false, sure = true;
        for (const auto& [cluster, numbers] : crds.releases)
            for (std::uint32_t number : numbers) {
                const Instance& user = fleet.instances[number];
                if (index.release_edges[crds.release_of.at(user.object)].chart != chart) continue;
                if (fleet.is_shown(object) && !is_made_by(object, number)) continue;
                used = true;
                sure = sure && fleet.certainty_of(user) == Certainty::proven;
                if (crds.given.count({cluster, object.group})) {
                    brought = true;
                    continue;
                }
                const Instance* bringer = nullptr;
                bool ordered = false;
                for (std::uint32_t other : numbers)
                    if (const CrdProvider* provider = crds.brings(fleet.instances[other], object.group)) {
                        bringer = &fleet.instances[other];
                        ordered = ordered || provider->network || crds.waits_for(user, *bringer) ||
                                  crds.is_prepared(object.group);
                    }
                brought = brought || bringer;
                if (!bringer || ordered || fleet.certainty_of(user) != Certainty::proven) continue;
                const Object& release = index.objects[user.object];
                const Object& other = index.objects[bringer->object];
                return report(
                    object, subject,
                    "whose CRD comes with the release " + other.name.text + ", and the release " + release.name.text +
                        " does not wait for it",
                    {{release.name.place, "released here, without dependsOn"}, {other.name.place, "brings the CRD"}});
            }
        if (!used) return outcome.undecided(place, subject, "nothing in the tree releases the chart");
        if (!brought) return outcome.undecided(place, subject, "nothing in the tree brings its CRD");
        if (!sure) return outcome.undecided(place, subject, "nothing proves that the chart is released");
        outcome.pass(place, subject);
    }

    // An object that kustomize applies. Any provider outside of the same Flux Kustomization is enough.
    void judge_instance(std::uint32_t number) {
        const Instance& one = fleet.instances[number];
        const Root& root = fleet.root_of(one);
        if (root.by == Root::By::given || root.by == Root::By::alone || root.certainty == Certainty::loose) return;
        const Object& object = index.objects[one.object];
        const std::string subject = subject_of(index, object);
        const Place place = object.api_version.place;
        auto undecided = [&](std::string why) { outcome.undecided(place, subject, std::move(why)); };
        const std::string group(one.id().group);
        if (crds.given.count({root.cluster, group})) return outcome.pass(place, subject);
        if (crds.declared.count(group)) return undecided("the CRD is declared in the tree");
        const Instance* inside = nullptr;
        Need need{number, {}};
        for (std::uint32_t other : crds.releases[root.cluster]) {
            const Instance& release = fleet.instances[other];
            const CrdProvider* provider = crds.brings(release, group);
            if (!provider) continue;
            if (provider->network) return outcome.pass(place, subject);
            if (fleet.root_of(release).flux != root.flux || release.root != one.root)
                need.outside.push_back(&release);
            else
                inside = &release;
        }
        if (!need.outside.empty()) {
            const bool sure = root.certainty == Certainty::proven && !crds.may_come_from_outside(root.cluster, group) &&
                              !crds.is_prepared(group);
            if (!sure) return outcome.pass(place, subject);
            needs[one.root].push_back(std::move(need));
            return;
        }
        if (!inside) return undecided("nothing in the tree brings its CRD");
        if (root.certainty != Certainty::proven) return undecided(root.why);
        if (crds.may_come_from_outside(root.cluster, group))
            return undecided("another repository that the cluster takes may bring its CRD");
        if (crds.is_prepared(group))
            return undecided("bootstrap files mention " + group + " or the chart that brings it");
        both[{root.ns + "/" + root.name, inside->object}].push_back(number);
    }

    // A Kustomization is applied as a whole once every kind in it is known. Those that nothing can begin with wait for
    // one another's CRDs.
    void settle_needs() {
        std::set<std::uint32_t> blocked;
        for (const auto& [root, wanted] : needs)
            blocked.insert(root);
        const auto is_met = [&](const Need& need) {
            return std::any_of(need.outside.begin(), need.outside.end(),
                               [&](const Instance* release) { return !blocked.count(release->root); });
        };
        for (bool changed = true; changed;) {
            changed = false;
            for (const auto& [root, wanted] : needs)
                if (blocked.count(root) && std::all_of(wanted.begin(), wanted.end(), is_met))
                    changed = blocked.erase(root) != 0;
        }
        // What only waits for such a ring is no cause of it.
        std::set<std::uint32_t> ring = blocked;
        for (bool changed = true; changed;) {
            std::set<std::uint32_t> waited_for;
            for (const std::uint32_t root : ring)
                for (const Need& need : needs[root])
                    for (const Instance* release : need.outside)
                        if (ring.count(release->root) && !is_met(need)) waited_for.insert(release->root);
            changed = waited_for.size() < ring.size();
            ring = std::move(waited_for);
        }
        for (const auto& [root, wanted] : needs)
            for (const Need& need : wanted) {
                const Instance& one = fleet.instances[need.number];
                const Object& object = index.objects[one.object];
                const Root& owner = fleet.root_of(one);
                if (is_met(need) || !ring.count(root))
                    outcome.pass(object.api_version.place, subject_of(index, object));
                else
                    both[{owner.ns + "/" + owner.name, need.outside.front()->object}].push_back(need.number);
            }
    }

    // ` of the same Flux Kustomization web`, or of another one that cannot be applied before this one.
    std::string maker_of(const Root& root, EntityId release) const {
        for (std::uint32_t number : fleet.of_object(release)) {
            const Root& other = fleet.root_of(fleet.instances[number]);
            if (other.cluster != root.cluster) continue;
            if (&other == &root) return " of the same Flux Kustomization " + root.name;
            return " of the Flux Kustomization " + other.name + ", which cannot be applied before " + root.name;
        }
        return " of the same Flux Kustomization " + root.name;
    }

    // One cause, one finding, however many objects and clusters.
    void report_instances() {
        for (const auto& [key, numbers] : both) {
            std::set<EntityId> objects;
            for (std::uint32_t number : numbers)
                objects.insert(fleet.instances[number].object);
            const Object& object = index.objects[*objects.begin()];
            const Object& release = index.objects[key.second];
            const Root& root = fleet.root_of(fleet.instances[numbers.front()]);
            Finding finding;
            finding.message = object.kind.text + " " + object.name.text;
            if (objects.size() > 1) finding.message += " and " + std::to_string(objects.size() - 1) + " more";
            finding.message += (objects.size() > 1 ? " are of " : " is of ") + object.group +
                               ", whose CRD comes with the HelmRelease " + release.name.text +
                               maker_of(root, key.second) + ": on a fresh cluster none of them is ever applied";
            finding.place = object.api_version.place;
            finding.related.push_back({release.name.place, "brings the CRD"});
            if (root.flux != no_entity)
                finding.related.push_back(
                    {index.objects[index.flux_kustomizations[root.flux].object].name.place, "applies both at once"});
            for (EntityId other : objects)
                if (&index.objects[other] != &object && finding.related.size() < most_related)
                    finding.related.push_back({index.objects[other].api_version.place, "and this one"});
            outcome.fail(subject_of(index, object), std::move(finding));
        }
    }
};

void run(const CheckInput& input, RuleOutcome& outcome) {
    Order order{input, outcome, Nodes(input.repository)};
    for (const Object& object : input.repository.index.objects)
        if (object.in_templates && !object.embedded && !object.partial && !object.as_patch &&
            object.kind.text != "CustomResourceDefinition" && order.crds.is_of_interest(object.group))
            order.judge_template(object);
    for (std::uint32_t i = 0; i < order.fleet.instances.size(); ++i) {
        const Instance& one = order.fleet.instances[i];
        if (one.object != no_entity && one.id().kind != "CustomResourceDefinition" &&
            !input.repository.index.objects[one.object].in_templates && order.crds.is_of_interest(one.id().group))
            order.judge_instance(i);
    }
    order.settle_needs();
    order.report_instances();
}

} // namespace

constexpr NativeCheck check{run, "charts: group chart first network; scripts"};

} // namespace lockstep::custom_resource_before_crd
