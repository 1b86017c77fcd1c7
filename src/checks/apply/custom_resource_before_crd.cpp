// Custom resources and the charts that bring their kinds: a chart that uses what its own dependency brings, a release
// that does not wait for the one that brings it, and both in one Flux Kustomization.
#include "base/text.h"
#include "deploy/fleet.h"
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

struct Provider { // a chart of somebody else, by its name
    std::string chart;
    bool first = false;   // in crds/: Helm installs it before any template
    bool network = false; // Flux cannot run before it: it is there first
};

struct OwnCrds { // of a chart of this tree
    bool first = false, among_templates = false;
};

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
}

bool is_no(const Cell& cell) {
    return cell.text == "false" || cell.text == "no" || cell.text == "False";
}

// The values that most charts know this switch by.
bool are_switched_off(const Value* values) {
    return is_no(cell_at(values, {"crds", "enabled"})) || is_no(cell_at(values, {"crds", "create"})) ||
           is_no(cell_at(values, {"crds", "install"})) || is_no(cell_at(values, {"installCRDs"}));
}

// The word by itself, or as the name of what holds only its CRDs: `cert-manager-crds`, `cert-manager.crds.yaml`.
bool speaks_of(std::string_view text, std::string_view word) {
    for (auto at = text.find(word); at != npos; at = text.find(word, at + 1)) {
        const std::string_view rest = text.substr(at + word.size());
        if ((at == 0 || !is_word(text[at - 1])) && (rest.empty() || !is_word(rest[0]) || rest.starts_with("-crd")))
            return true;
    }
    return false;
}

// Files that people or machines run before Flux does.
bool prepares_clusters(std::string_view path) {
    for (std::string_view word : {"bootstrap", "helmfile", "talos", "talconfig"})
        if (path.find(word) != npos) return true;
    if (is_terraform_template(path)) return true;
    const std::string_view name = path.substr(path.rfind('/') + 1);
    for (std::string_view end : {".sh", ".bash", ".tf", ".tofu", ".just"})
        if (name.ends_with(end)) return true;
    for (std::string_view one : {"Makefile", "justfile", ".justfile", "Justfile"})
        if (name == one) return true;
    return name.starts_with("Taskfile.") || path.find("/.taskfiles/") != npos || path.starts_with(".taskfiles/");
}

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
    std::map<std::string, std::vector<Provider>, std::less<>> providers = {}; // by group
    std::map<std::pair<EntityId, std::string>, OwnCrds> own = {};             // by chart and group
    std::set<std::string, std::less<>> own_groups = {};
    std::set<std::string> declared = {};                               // groups with CRDs outside of charts
    std::set<std::pair<std::uint32_t, std::string>> given = {};        // cluster and group: CRDs it gets
    std::map<EntityId, EntityId> release_of = {};                      // by object
    std::map<std::uint32_t, std::vector<std::uint32_t>> releases = {}; // by cluster: instances
    std::map<std::string, bool> prepared = {};                         // by group
    std::map<std::pair<std::string, EntityId>, std::vector<std::uint32_t>> both = {}; // owner and release: instances

    std::map<std::uint32_t, std::vector<Need>> needs = {}; // by root

    static std::string group_of(std::string_view crd) { // of `widgets.example.com`
        return std::string(crd.substr(std::min(crd.find('.'), crd.size() - 1) + 1));
    }

    void collect() {
        const Table& charts = input.facts["charts"];
        for (const Row& row : charts.rows)
            providers[charts.at(row, "group").text].push_back({charts.at(row, "chart").text,
                                                               charts.at(row, "first").text == "yes",
                                                               charts.at(row, "network").text == "yes"});
        for (const Object& object : index.objects) {
            if (object.kind.text != "CustomResourceDefinition" || !is_known(object.name)) continue;
            if (fleet.is_shown(object)) continue; // as rendered
            const std::string group = group_of(object.name.text);
            const auto chart = index.chart_by_dir.find(object.chart);
            if (!object.in_chart || chart == index.chart_by_dir.end()) {
                declared.insert(group);
                continue;
            }
            OwnCrds& crds = own[{chart->second, group}];
            (object.in_templates ? crds.among_templates : crds.first) = true;
            own_groups.insert(group);
        }
        for (EntityId id = 0; id < index.releases.size(); ++id)
            release_of.emplace(index.releases[id].object, id);
        for (std::uint32_t i = 0; i < fleet.instances.size(); ++i) {
            const Instance& one = fleet.instances[i];
            if (one.id().kind == "CustomResourceDefinition") take_rendered_crd(one);
            if (fleet.certainty_of(one) == Certainty::loose) continue;
            const std::uint32_t cluster = fleet.root_of(one).cluster;
            const bool by_helm = fleet.root_of(one).is_rendered(); // then the release brings it
            if (one.id().kind == "CustomResourceDefinition" && !by_helm)
                given.emplace(cluster, group_of(one.id().name));
            if (one.object != no_entity && release_of.count(one.object)) releases[cluster].push_back(i);
        }
    }

    // By the chart that is installed, and by that of the template, which may be a part of it.
    void take_rendered_crd(const Instance& one) {
        if (!fleet.is_rendered(one)) return;
        const std::string group = group_of(one.id().name);
        const Object* object = one.object == no_entity ? nullptr : &index.objects[one.object];
        const bool first = object && !object->in_templates;
        std::set<EntityId> charts{fleet.root_of(one).chart};
        if (const auto own_chart = object ? index.chart_by_dir.find(object->chart) : index.chart_by_dir.end();
            own_chart != index.chart_by_dir.end())
            charts.insert(own_chart->second);
        charts.erase(no_entity);
        for (EntityId chart : charts) {
            OwnCrds& crds = own[{chart, group}];
            (first ? crds.first : crds.among_templates) = true;
            own_groups.insert(group);
        }
    }

    std::span<const std::uint32_t> instances_of(const Object& object) const {
        return fleet.of_object(static_cast<EntityId>(&object - index.objects.data()));
    }

    bool is_made_by(const Object& object, std::uint32_t release) const {
        const auto all = instances_of(object);
        return std::any_of(all.begin(), all.end(), [&](std::uint32_t number) {
            return fleet.root_of(fleet.instances[number]).maker == release;
        });
    }

    bool is_of_interest(std::string_view group) const { return providers.count(group) || own_groups.count(group); }

    // What a file that brings the CRDs of a group would speak of: the group, or a chart that is known to bring them.
    std::vector<std::string> words_of(const std::string& group) const {
        std::vector<std::string> words{group};
        if (const auto known = providers.find(group); known != providers.end())
            for (const Provider& provider : known->second)
                words.push_back(provider.chart.substr(0, provider.chart.rfind("-crds")));
        return words;
    }

    // A script brings CRDs with a helmfile that is not in this tree: nobody here sees which.
    bool runs_lost_helmfile() const {
        bool runs = false;
        for (FileId file = 0; file < tree.files.size(); ++file) {
            const std::string_view path = tree.files[file].path;
            if (path.find("helmfile") != npos && is_indexable(tree.files[file])) return false;
            if (runs || !prepares_clusters(path)) continue;
            const std::string_view text = input.text(file);
            runs = speaks_of(text, "helmfile") && (text.find("crds") != npos || text.find("CustomResource") != npos);
        }
        return runs;
    }

    // Files that prepare a cluster before Flux runs and that speak of the CRDs: they may be there already.
    bool is_prepared(const std::string& group) {
        if (const auto known = prepared.find(group); known != prepared.end()) return known->second;
        const std::vector<std::string> words = words_of(group);
        bool found = runs_lost_helmfile();
        for (FileId file = 0; file < tree.files.size() && !found; ++file)
            if (prepares_clusters(tree.files[file].path))
                found = std::any_of(words.begin(), words.end(),
                                    [&](const std::string& word) { return speaks_of(input.text(file), word); });
        for (const Kustomization& made : index.kustomizations) // helmCharts: whoever runs kustomize installs it
            for (const KustomizeChart& one : made.helm_charts)
                found = found || std::find(words.begin(), words.end(), one.name.text) != words.end();
        return prepared[group] = found;
    }

    // Another repository or a remote base that the cluster takes, and whose name, path or url speaks of the CRDs:
    // nobody here sees what is in it.
    bool may_come_from_outside(std::uint32_t cluster, const std::string& group) const {
        const std::vector<std::string> words = words_of(group);
        for (const Root& root : fleet.roots) {
            if (root.cluster != cluster || root.certainty == Certainty::loose) continue;
            for (const Gap& gap : root.gaps) {
                if (gap.why != Gap::Why::remote && gap.why != Gap::Why::unknown) continue;
                const Span span = gap.place.span;
                const std::string_view entry =
                    is_there(gap.place) ? tree.indexed_text(gap.place.file).substr(span.begin, span.end - span.begin)
                                        : std::string_view();
                for (const std::string& word : words)
                    for (std::string_view text :
                         {std::string_view(root.name), std::string_view(root.spec.path.text), entry})
                        if (text.find(word) != npos) return true;
            }
        }
        return false;
    }

    bool is_hook(const Object& object) {
        const NodeRef annotations = nodes.root(object).get("metadata").resolved().get("annotations").resolved();
        return static_cast<bool>(annotations.get_key("helm.sh/hook"));
    }

    // Whether a release brings the CRDs of a group. A chart of the tree is judged by what it has, not by its name.
    const Provider* brings(const Instance& one, std::string_view group) const {
        static const Provider of_tree{"", false, false};
        const EntityId release = release_of.at(one.object);
        const EntityId chart = index.release_edges[release].chart;
        const auto known = providers.find(group);
        const Provider* found = nullptr;
        if (chart != no_entity) {
            if (own.count({chart, std::string(group)})) found = &of_tree;
            for (const ChartDependency& dependency : index.charts[chart].dependencies)
                if (known != providers.end())
                    for (const Provider& provider : known->second)
                        if (dependency.name.text == provider.chart) found = &provider;
        } else if (known != providers.end()) {
            for (const Provider& provider : known->second)
                if (index.release_edges[release].chart_name.text == provider.chart) found = &provider;
        }
        if (!found) return nullptr;
        const Value* tree_of = fleet.tree_of(one);
        if (value_at(tree_of, {"spec", "kubeConfig"})) return nullptr; // another cluster gets the chart
        if (cell_at(tree_of, {"spec", "suspend"}).text == "true" || fleet.root_of(one).spec.suspend.text == "true")
            return nullptr; // not on a fresh cluster
        if (are_switched_off(value_at(tree_of, {"spec", "values"}))) return nullptr;
        if (found->first && cell_at(tree_of, {"spec", "install", "crds"}).text == "Skip") return nullptr;
        return found;
    }

    // Everything a release waits for, itself included; and what the Flux Kustomizations above it wait for.
    bool waits_for(const Instance& one, const Instance& other) const {
        std::vector<EntityId> open{release_of.at(one.object)};
        std::set<EntityId> seen{open.front()};
        for (std::size_t i = 0; i < open.size(); ++i) {
            if (open[i] == release_of.at(other.object)) return true;
            for (EntityId next : index.release_edges[open[i]].depends_on)
                if (next != no_entity && seen.insert(next).second) open.push_back(next);
        }
        auto with_all_above = [&](std::uint32_t root, std::set<EntityId>& found, std::vector<EntityId>* order) {
            for (; root != no_number; root = fleet.roots[root].above)
                if (const EntityId flux = fleet.roots[root].flux;
                    flux != no_entity && found.insert(flux).second && order)
                    order->push_back(flux);
        };
        std::set<EntityId> there, met;
        std::vector<EntityId> fluxes;
        with_all_above(other.root, there, nullptr);
        with_all_above(one.root, met, &fluxes);
        for (std::size_t i = 0; i < fluxes.size(); ++i)
            for (EntityId next : index.flux_edges[fluxes[i]].depends_on) {
                if (next == no_entity) continue;
                if (there.count(next)) return true;
                for (std::uint32_t root : fleet.of_flux(next))
                    with_all_above(root, met, &fluxes);
            }
        return false;
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
                const NodeRef crds = values ? values.get("crds").resolved() : NodeRef();
                for (const NodeRef& flag :
                     {crds ? crds.get("enabled") : NodeRef(), crds ? crds.get("create") : NodeRef(),
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
        if (const auto crds = own.find({found->second, object.group}); crds != own.end()) {
            if (crds->second.first) return outcome.pass(place, subject);
            return report(object, subject,
                          "whose CRD is among the templates of the same chart: Helm cannot apply both at once",
                          {{chart.name.place, "the chart"}});
        }
        const auto known = providers.find(object.group);
        if (known != providers.end())
            for (const Provider& provider : known->second)
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
        for (const auto& [cluster, numbers] : releases)
            for (std::uint32_t number : numbers) {
                const Instance& user = fleet.instances[number];
                if (index.release_edges[release_of.at(user.object)].chart != chart) continue;
                if (fleet.is_shown(object) && !is_made_by(object, number)) continue;
                used = true;
                sure = sure && fleet.certainty_of(user) == Certainty::proven;
                if (given.count({cluster, object.group})) {
                    brought = true;
                    continue;
                }
                const Instance* bringer = nullptr;
                bool ordered = false;
                for (std::uint32_t other : numbers)
                    if (const Provider* provider = brings(fleet.instances[other], object.group)) {
                        bringer = &fleet.instances[other];
                        ordered =
                            ordered || provider->network || waits_for(user, *bringer) || is_prepared(object.group);
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
        if (given.count({root.cluster, group})) return outcome.pass(place, subject);
        if (declared.count(group)) return undecided("the CRD is declared in the tree");
        const Instance* inside = nullptr;
        Need need{number, {}};
        for (std::uint32_t other : releases[root.cluster]) {
            const Instance& release = fleet.instances[other];
            const Provider* provider = brings(release, group);
            if (!provider) continue;
            if (provider->network) return outcome.pass(place, subject);
            if (fleet.root_of(release).flux != root.flux || release.root != one.root)
                need.outside.push_back(&release);
            else
                inside = &release;
        }
        if (!need.outside.empty()) {
            const bool sure = root.certainty == Certainty::proven && !may_come_from_outside(root.cluster, group) &&
                              !is_prepared(group);
            if (!sure) return outcome.pass(place, subject);
            needs[one.root].push_back(std::move(need));
            return;
        }
        if (!inside) return undecided("nothing in the tree brings its CRD");
        if (root.certainty != Certainty::proven) return undecided(root.why);
        if (may_come_from_outside(root.cluster, group))
            return undecided("another repository that the cluster takes may bring its CRD");
        if (is_prepared(group))
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
    order.collect();
    for (const Object& object : input.repository.index.objects)
        if (object.in_templates && !object.embedded && !object.partial && !object.as_patch &&
            object.kind.text != "CustomResourceDefinition" && order.is_of_interest(object.group))
            order.judge_template(object);
    for (std::uint32_t i = 0; i < order.fleet.instances.size(); ++i) {
        const Instance& one = order.fleet.instances[i];
        if (one.object != no_entity && one.id().kind != "CustomResourceDefinition" &&
            !input.repository.index.objects[one.object].in_templates && order.is_of_interest(one.id().group))
            order.judge_instance(i);
    }
    order.settle_needs();
    order.report_instances();
}

} // namespace

constexpr NativeCheck check{run, "charts: group chart first network; scripts"};

} // namespace lockstep::custom_resource_before_crd
