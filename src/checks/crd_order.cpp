// Custom resources against the charts that bring their kinds: a chart that uses what its own dependency brings, a
// release that does not wait for the one that brings it, and both in one Flux Kustomization.
#include "checks/checks.h"
#include "checks/nodes.h"
#include "checks/template_gates.h"
#include "index/cells.h"
#include "index/relations.h"
#include <algorithm>
#include <map>
#include <set>

namespace lockstep {
namespace {

constexpr std::size_t npos = std::string_view::npos;

struct Provider {
    std::string chart;
    bool first = false; // in crds/: Helm installs it before any template
};

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
}

struct Order {
    const CheckInput& input;
    RuleOutcome& outcome;
    Nodes nodes;
    const Index& index = input.repository.index;
    const Tree& tree = *input.repository.tree;
    std::map<std::string, std::vector<Provider>> providers = {}; // by group
    std::set<std::string> declared = {};                         // groups with CRDs outside of charts
    std::map<std::string, std::vector<EntityId>> released = {};  // chart name to releases
    std::map<EntityId, std::vector<EntityId>> by_chart = {};     // local chart to releases
    std::map<std::string, bool> prepared = {};                   // chart name: bootstrap files speak of it

    void collect() {
        const Table& charts = input.facts["charts"];
        for (const Row& row : charts.rows)
            providers[charts.at(row, "group").text].push_back(
                {charts.at(row, "chart").text, charts.at(row, "first").text == "yes"});
        for (const Object& object : index.objects) {
            if (object.kind.text != "CustomResourceDefinition" || !is_known(object.name)) continue;
            const std::string group =
                object.name.text.substr(std::min(object.name.text.find('.'), object.name.text.size() - 1) + 1);
            const auto chart = index.chart_by_dir.find(object.chart);
            if (!object.in_chart || chart == index.chart_by_dir.end())
                declared.insert(group);
            else
                providers[group].push_back({index.charts[chart->second].name.text, !object.in_templates});
        }
        for (EntityId id = 0; id < index.releases.size(); ++id) {
            const Object& object = index.objects[index.releases[id].object];
            const ReleaseEdges& edges = index.release_edges[id];
            if (object.partial || object.as_patch) continue;
            if (is_known(edges.chart_name)) released[edges.chart_name.text].push_back(id);
            if (edges.chart != no_entity) by_chart[edges.chart].push_back(id);
        }
    }

    // Files that prepare a cluster before Flux runs and that name the chart: its CRDs may be there already.
    bool is_prepared(const std::string& chart) {
        const auto known = prepared.find(chart);
        if (known != prepared.end()) return known->second;
        bool found = false;
        for (FileId file = 0; file < tree.files.size(); ++file) {
            const std::string_view path = tree.files[file].path;
            const bool prepares = path.find("bootstrap") != npos || path.find("helmfile") != npos ||
                                  path.ends_with(".sh") || is_terraform_template(path);
            if (!prepares || found) continue;
            const std::string_view text = input.text(file);
            for (auto at = text.find(chart); at != npos && !found; at = text.find(chart, at + 1)) {
                const std::size_t end = at + chart.size();
                found = (at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]));
            }
        }
        return prepared[chart] = found;
    }

    bool is_hook(const Object& object) {
        const NodeRef annotations = nodes.root(object).get("metadata").resolved().get("annotations").resolved();
        return static_cast<bool>(annotations.get_key("helm.sh/hook"));
    }

    // Everything a release waits for, itself included; and the Flux Kustomizations that theirs wait for.
    bool waits_for(EntityId release, EntityId other) const {
        std::vector<EntityId> open{release};
        std::set<EntityId> seen{release};
        for (std::size_t i = 0; i < open.size(); ++i) {
            if (open[i] == other) return true;
            for (EntityId next : index.release_edges[open[i]].depends_on)
                if (next != no_entity && seen.insert(next).second) open.push_back(next);
        }
        const auto there = flux_above(index, index.objects[index.releases[other].object].file);
        std::vector<EntityId> flux = flux_above(index, index.objects[index.releases[release].object].file);
        std::set<EntityId> met(flux.begin(), flux.end());
        for (std::size_t i = 0; i < flux.size(); ++i)
            for (EntityId next : index.flux_edges[flux[i]].depends_on) {
                if (next == no_entity) continue;
                if (std::find(there.begin(), there.end(), next) != there.end()) return true;
                if (met.insert(next).second) flux.push_back(next);
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

    // An object of a chart's templates.
    void judge_template(const Object& object, const std::vector<Provider>& known) {
        const auto found = index.chart_by_dir.find(object.chart);
        if (found == index.chart_by_dir.end() || index.charts[found->second].subchart) return;
        const Chart& chart = index.charts[found->second];
        const std::string subject = subject_of(index, object);
        const Place place = object.api_version.place;
        const std::string_view text = tree.indexed_text(object.file);
        if (is_hook(object)) return outcome.pass(place, subject);
        if (!gates_around(text, go_actions(text), object.document.begin + 1).empty() ||
            text.find(".Capabilities.APIVersions") != npos)
            return outcome.pass(place, subject); // gated: somebody decides
        for (const Provider& provider : known) {
            if (provider.chart == chart.name.text && provider.first) return outcome.pass(place, subject);
            if (provider.chart == chart.name.text)
                return report(object, subject,
                              "whose CRD stands among the templates of the same chart: Helm cannot apply both at once",
                              {{chart.name.place, "the chart"}});
            for (const ChartDependency& dependency : chart.dependencies) {
                if (dependency.name.text != provider.chart) continue;
                if (provider.first) return outcome.pass(place, subject);
                if (is_set(dependency.condition))
                    return outcome.undecided(place, subject, "the dependency that brings its CRD has a condition");
                return report(object, subject,
                              "whose CRD comes with " + provider.chart +
                                  ", a dependency of the same chart: Helm cannot apply both at once",
                              {{dependency.name.place, "the dependency"}});
            }
        }
        judge_release(object, known, found->second, subject);
    }

    void judge_release(const Object& object, const std::vector<Provider>& known, EntityId chart,
                       const std::string& subject) {
        const Place place = object.api_version.place;
        const auto users = by_chart.find(chart);
        if (declared.count(object.group)) return outcome.undecided(place, subject, "the CRD is declared in the tree");
        if (users == by_chart.end()) return outcome.undecided(place, subject, "nothing in the tree releases the chart");
        bool brought = false;
        for (EntityId user : users->second) {
            const Object& release = index.objects[index.releases[user].object];
            const Object* bringer = nullptr;
            bool ordered = false;
            std::string name;
            for (const Provider& provider : known)
                for (EntityId other : releases_of(provider.chart)) {
                    const Object& candidate = index.objects[index.releases[other].object];
                    if (!is_same_cluster(candidate, release)) continue;
                    if (is_prepared(provider.chart)) ordered = true;
                    bringer = &candidate;
                    name = provider.chart;
                    ordered = ordered || waits_for(user, other);
                }
            brought = brought || bringer;
            if (!bringer || ordered) continue;
            return report(
                object, subject,
                "whose CRD comes with the release " + bringer->name.text + " (" + name + "), and the release " +
                    release.name.text + " does not wait for it",
                {{release.name.place, "released here, without dependsOn"}, {bringer->name.place, "brings the CRD"}});
        }
        if (!brought) return outcome.undecided(place, subject, "nothing in the tree brings its CRD");
        outcome.pass(place, subject);
    }

    // Outside of cluster trees the top folder has to do: `staging/` and `production/` are two clusters.
    bool is_same_cluster(const Object& a, const Object& b) const {
        if (a.tree != b.tree || !a.tree.empty()) return a.tree == b.tree;
        const std::string_view one = tree.files[a.file].path, two = tree.files[b.file].path;
        return one.substr(0, one.find('/')) == two.substr(0, two.find('/'));
    }

    std::vector<EntityId> releases_of(const std::string& chart) const {
        const auto found = released.find(chart);
        return found == released.end() ? std::vector<EntityId>() : found->second;
    }

    // An object that kustomize applies.
    void judge_manifest(const Object& object, const std::vector<Provider>& known) {
        const auto flux = flux_above(index, object.file);
        if (flux.empty()) return;
        const std::string subject = subject_of(index, object);
        const Place place = object.api_version.place;
        if (declared.count(object.group)) return outcome.undecided(place, subject, "the CRD is declared in the tree");
        bool brought = false;
        for (const Provider& provider : known)
            for (EntityId id : releases_of(provider.chart)) {
                const Object& release = index.objects[index.releases[id].object];
                brought = true;
                const auto there = flux_above(index, release.file);
                const auto both = std::find_first_of(flux.begin(), flux.end(), there.begin(), there.end());
                if (both == flux.end()) continue;
                if (is_prepared(provider.chart))
                    return outcome.undecided(place, subject, "bootstrap files speak of " + provider.chart);
                const Object& owner = index.objects[index.flux_kustomizations[*both].object];
                return report(object, subject,
                              "whose CRD comes with the HelmRelease " + release.name.text +
                                  " of the same Flux Kustomization " + owner.name.text +
                                  ": on a fresh cluster neither is ever applied",
                              {{release.name.place, "brings the CRD"}, {owner.name.place, "applies both at once"}});
            }
        if (brought) return outcome.pass(place, subject);
        outcome.undecided(place, subject, "nothing in the tree brings its CRD");
    }
};

} // namespace

void check_crd_order(const CheckInput& input, RuleOutcome& outcome) {
    Order order{input, outcome, Nodes(input.repository)};
    order.collect();
    for (const Object& object : input.repository.index.objects) {
        if (object.embedded || object.partial || object.as_patch) continue;
        const auto known = order.providers.find(object.group);
        if (known == order.providers.end() || object.kind.text == "CustomResourceDefinition") continue;
        if (object.in_templates)
            order.judge_template(object, known->second);
        else if (!object.in_chart)
            order.judge_manifest(object, known->second);
    }
}

} // namespace lockstep
