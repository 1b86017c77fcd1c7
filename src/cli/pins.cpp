// `lockstep pins`: every group of pins that move together, with the value and the place of each site. What to read
// before a version is moved.
#include "cli/commands.h"
#include "deploy/applied_fields.h"
#include "index/cells.h"
#include "index/flux_sites.h"
#include "rules/flux_facts.h"
#include <algorithm>
#include <map>

namespace lockstep {
namespace {

struct Pin {
    std::string value, what;
    Place place;
    std::string compared = {}; // what the value stands for, when it is not the version itself
    bool counts = true;        // against the others of its group
};

struct Group {
    std::string title;
    std::vector<Pin> pins;
};

std::string shown(const Cell& cell) {
    if (cell.state == State::absent) return cell.text.empty() ? "-" : "- (" + cell.text + ")";
    return cell.text;
}

class Page {
public:
    explicit Page(LintRun& run) : run_(run), index_(run.read.repository.index), fleet_(fleet_of(run.read.repository)) {}

    std::string text() {
        flux();
        local_charts();
        upstream_charts();
        kubernetes();
        config_groups();
        if (out_.empty()) return "no pins: nothing in this repository has to move together\n";
        return out_;
    }

private:
    // A fact's table by the names of rule and fact.
    const Table* table(std::string_view rule_id, std::string_view fact) const {
        for (std::size_t i = 0; i < run_.rules.rules.size(); ++i) {
            const Rule& rule = run_.rules.rules[i];
            if (rule.id != rule_id) continue;
            for (std::size_t f = 0; f < rule.facts.size(); ++f)
                if (rule.facts[f].name == fact) return &run_.read.tables[run_.plan->number(i, f)];
        }
        return nullptr;
    }

    std::string where(Place place) const {
        const Location at = run_.locator->locate(place);
        return std::string(at.path) + ":" + std::to_string(at.begin.line);
    }

    static bool differ(const Group& group) {
        std::optional<Version> first;
        for (const Pin& pin : group.pins) {
            const auto version = parse_version(pin.compared.empty() ? pin.value : pin.compared);
            if (!pin.counts || !version) continue;
            if (first && compare(*first, *version) != 0) return true;
            first = version;
        }
        return false;
    }

    void print(const Group& group) {
        out_ += "  " + group.title + (differ(group) ? "  (differ)\n" : "\n");
        std::size_t value_width = 0, what_width = 0;
        for (const Pin& pin : group.pins) {
            value_width = std::max(value_width, pin.value.size());
            what_width = std::max(what_width, pin.what.size());
        }
        for (const Pin& pin : group.pins) {
            out_ += "    " + pin.value + std::string(value_width - pin.value.size() + 2, ' ');
            out_ += pin.what + std::string(what_width - pin.what.size() + 2, ' ') + where(pin.place) + "\n";
        }
    }

    void print(std::string_view heading, const std::vector<Group>& groups, const std::string& rest = {}) {
        if (groups.empty() && rest.empty()) return;
        if (!out_.empty()) out_ += "\n";
        out_ += std::string(heading) + "\n";
        for (const Group& group : groups)
            print(group);
        out_ += rest;
    }

    void flux() {
        FluxFacts facts;
        for (const Rule& rule : run_.rules.rules)
            if (rule.id == "flux-version-split") {
                std::vector<const Table*> tables;
                for (const FactSpec& fact : rule.facts)
                    tables.push_back(table(rule.id, fact.name));
                facts = flux_facts({&rule, std::move(tables)}, run_.read.repository);
            }
        const FluxReleases known(facts.charts, facts.releases);
        std::map<std::string, Group> groups;
        for (const FluxSite& site : flux_sites(index_, run_.config, facts, known)) {
            Group& group = groups[site.group];
            group.title = site.group.empty() ? "bootstrap files, local charts, template tree" : site.group;
            const bool decided = site.status == FluxSite::Status::exact || site.status == FluxSite::Status::range;
            const std::string value = decided ? "Flux " + site.flux : shown(site.pin);
            std::string what = site.name;
            if (!decided && !site.why.empty()) what += " (" + site.why + ")";
            if (site.kind == FluxSite::Kind::hint) what += " (a hint)";
            Pin pin{value, what, site.pin.place, site.flux};
            pin.counts = site.status == FluxSite::Status::exact && site.kind != FluxSite::Kind::hint;
            group.pins.push_back(std::move(pin));
        }
        std::vector<Group> all;
        for (auto& [name, group] : groups)
            all.push_back(std::move(group));
        print("Flux", all);
    }

    // What clusters get after patches and substitution; as it is written where nothing changes it.
    std::vector<Pin> release_pins(EntityId id) const {
        const Object& object = index_.objects[index_.releases[id].object];
        const Cell& written = index_.release_edges[id].version;
        const std::string what = "HelmRelease " + shown(object.name);
        std::vector<AppliedValue> made = applied_values(index_, fleet_, index_.releases[id].object)["version"];
        if (made.empty()) made.push_back({{AppliedField::Is::pin, "version", written, {}}});
        std::sort(made.begin(), made.end(), [](const AppliedValue& a, const AppliedValue& b) {
            return shown(a.field.cell) < shown(b.field.cell);
        });
        std::vector<Pin> pins;
        for (const AppliedValue& one : made) {
            const std::size_t clusters = one.clusters.size();
            const std::string in = made.size() < 2 || clusters == 0 ? ""
                                   : clusters == 1                  ? " in " + one.clusters.front()
                                                                    : " in " + std::to_string(clusters) + " clusters";
            const Cell& cell = one.field.cell;
            pins.push_back({shown(cell), what + in, is_set(cell) ? cell.place : object.name.place});
        }
        return pins;
    }

    void local_charts() {
        std::vector<Group> groups(index_.charts.size());
        for (EntityId id = 0; id < index_.charts.size(); ++id) {
            const Chart& chart = index_.charts[id];
            groups[id].title = "chart " + shown(chart.name);
            groups[id].pins.push_back({shown(chart.version), "the chart itself", chart.version.place});
        }
        for (const Blueprint& blueprint : index_.blueprints) {
            const Object& object = index_.objects[blueprint.object];
            const std::string dir = chart_folder(object.file, blueprint.chart);
            if (const auto chart = index_.chart_by_dir.find(dir); chart != index_.chart_by_dir.end())
                groups[chart->second].pins.push_back(
                    {shown(blueprint.version), "Blueprint " + shown(object.name), blueprint.version.place});
        }
        for (EntityId id = 0; id < index_.releases.size(); ++id)
            if (const EntityId chart = index_.release_edges[id].chart; chart != no_entity)
                for (Pin& pin : release_pins(id))
                    groups[chart].pins.push_back(std::move(pin));
        for (const DependencyEdge& edge : index_.dependency_edges)
            if (edge.local != no_entity) {
                const Chart& chart = index_.charts[edge.chart];
                const ChartDependency& dependency = chart.dependencies[edge.dependency];
                groups[edge.local].pins.push_back(
                    {shown(dependency.version), "dependency of " + shown(chart.name),
                     is_set(dependency.version) ? dependency.version.place : dependency.place});
            }
        print_groups("Charts of this repository", std::move(groups));
    }

    void upstream_charts() {
        std::map<std::string, Group> groups;
        const auto add = [&](std::string_view repository, std::string_view chart, Pin pin) {
            if (pin.place.file == no_file) return;
            const std::string key = registry_key(repository) + "/" + std::string(chart);
            Group& group = groups[key];
            group.title = std::string(chart) + " from " + registry_key(repository);
            group.pins.push_back(std::move(pin));
        };
        for (const BootstrapPin& pin : index_.bootstrap_pins)
            if (pin.kind == BootstrapPin::Kind::helm_install && is_known(pin.chart))
                add(pin.repository.text, pin.chart.text,
                    {shown(pin.version), "helm install", is_set(pin.version) ? pin.version.place : pin.anchor});
        for (const DependencyEdge& edge : index_.dependency_edges) {
            const Chart& chart = index_.charts[edge.chart];
            const ChartDependency& dependency = chart.dependencies[edge.dependency];
            if (edge.local != no_entity || chart.subchart || !is_known(dependency.name)) continue;
            add(dependency.repository.text, dependency.name.text,
                {shown(dependency.version), "dependency of " + shown(chart.name),
                 is_set(dependency.version) ? dependency.version.place : dependency.place});
        }
        if (const Table* mirrors = table("bootstrap-chart-split", "mirror"))
            for (const Row& row : mirrors->rows)
                add(row.cells[2].text, row.cells[0].text,
                    {shown(row.cells[1]), "catalystBlueprint.upstream", row.cells[1].place});
        for (EntityId id = 0; id < index_.releases.size(); ++id) {
            const ReleaseEdges& edges = index_.release_edges[id];
            if (index_.releases[id].partial || edges.chart != no_entity || !is_known(edges.chart_name)) continue;
            for (Pin& pin : release_pins(id))
                add(edges.registry, edges.chart_name.text, std::move(pin));
        }
        std::vector<Group> all;
        for (auto& [key, group] : groups)
            all.push_back(std::move(group));
        print_groups("Charts from elsewhere", std::move(all));
    }

    void kubernetes() {
        Group group{"the nodes", {}};
        for (const BootstrapPin& pin : index_.bootstrap_pins)
            if (pin.kind == BootstrapPin::Kind::k3s_version || pin.kind == BootstrapPin::Kind::k3s_channel ||
                pin.kind == BootstrapPin::Kind::node_kubernetes || pin.kind == BootstrapPin::Kind::kind_node)
                group.pins.push_back({shown(pin.version), std::string(to_string(pin.kind)),
                                      is_set(pin.version) ? pin.version.place : pin.anchor});
        if (!group.pins.empty()) print("Kubernetes", {group});
    }

    // Each site of a group of the config is a rule of its own against the canonical one, which is listed once.
    void config_groups() {
        std::map<std::string, Group> groups;
        for (std::size_t i = 0; i < run_.rules.rules.size(); ++i) {
            const Rule& rule = run_.rules.rules[i];
            if (rule.pack != "pins") continue;
            Group& group = groups[rule.id];
            const bool first = group.pins.empty();
            group.title = rule.id;
            for (std::size_t fact = rule.facts.size(); fact-- > 0;) {
                if (fact != 0 && !first) continue;
                const Table& rows = run_.read.tables[run_.plan->number(i, fact)];
                for (const Row& row : rows.rows)
                    group.pins.push_back({shown(row.cells[0]), rule.facts[fact].name,
                                          is_set(row.cells[0]) ? row.cells[0].place : row.anchor});
            }
        }
        std::vector<Group> all;
        for (auto& [name, group] : groups)
            all.push_back(std::move(group));
        print("Groups of the config", all);
    }

    // A pin that stands alone moves alone: those are only counted.
    void print_groups(std::string_view heading, std::vector<Group> groups) {
        const std::size_t before = groups.size();
        std::erase_if(groups, [](const Group& group) { return group.pins.size() < 2; });
        const std::size_t alone = before - groups.size();
        const std::string more = groups.empty() ? " pinned in one place only\n" : " more pinned in one place only\n";
        print(heading, groups, alone == 0 ? "" : "  " + std::to_string(alone) + more);
    }

    std::string chart_folder(FileId file, const Cell& chart) const {
        std::string dir(directory_of(run_.tree.files[file].path));
        std::string_view rest = chart.text;
        while (rest.starts_with("./"))
            rest.remove_prefix(2);
        while (rest.starts_with("../")) {
            rest.remove_prefix(3);
            dir = std::string(directory_of(dir));
        }
        while (rest.ends_with('/'))
            rest.remove_suffix(1);
        return dir.empty() || rest.empty() ? dir + std::string(rest) : dir + "/" + std::string(rest);
    }

    LintRun& run_;
    const Index& index_;
    const Fleet& fleet_;
    std::string out_;
};

} // namespace

std::string pins_text(LintRun& run) {
    return Page(run).text();
}

Result<Printed> run_pins(const Options& options) {
    LintRequest request = request_of(options);
    request.selection.only = {"flux-version-split"}; // facts are read for all rules; none has to be judged
    auto run = lint(request);
    if (!run) return run.error();
    return Printed{0, PlainText::lines(pins_text(**run))};
}

} // namespace lockstep
