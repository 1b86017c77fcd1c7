// Monitoring switches in the default values of charts: a fresh cluster has no CRDs for them yet.
#include "deploy/nodes.h"
#include "rules/check.h"
#include <algorithm>

namespace lockstep::observability_on {
namespace {

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return out;
}

bool is_monitor(std::string_view key) {
    const std::string name = lower(key);
    return name == "servicemonitor" || name == "podmonitor";
}

bool holds_monitor(NodeRef map) {
    const auto entries = map.entries();
    return std::any_of(entries.begin(), entries.end(),
                       [](const NodeRef::Entry& entry) { return is_monitor(entry.key.text()); });
}

// `prometheus.enabled` alone may mean the server itself; beside a monitor it means scraping.
bool is_toggle_holder(std::string_view key, NodeRef map) {
    return is_monitor(key) || key == "metrics" || (key == "prometheus" && holds_monitor(map));
}

// `metrics.enabled` beside a switch for the monitor opens a port, no more; so it does in charts that the rule file
// names, whose monitor has a switch that these values leave alone.
bool opens_a_port(const CheckInput& input, NodeRef map, std::string_view key) {
    if (key != "metrics") return false;
    if (holds_monitor(map)) return true;
    const auto plain = input.rule.params.find("metrics-without-crd");
    if (plain == input.rule.params.end()) return false;
    const std::string path = path_of(map);
    return std::any_of(plain->second.begin(), plain->second.end(),
                       [&](const std::string& chart) { return path.starts_with(chart + "."); });
}

bool is_on(NodeRef value) {
    if (value.is_sequence()) return !value.items().empty(); // a list of metrics is a switch too
    return value.is_scalar() && !value.is_quoted() && lower(value.text()) == "true";
}

// The chart that brings the monitoring stack may use it.
bool brings_monitoring(const Chart& chart) {
    const auto speaks_of = [](const Cell& name) { return name.text.find("prometheus") != std::string::npos; };
    return speaks_of(chart.name) ||
           std::any_of(chart.dependencies.begin(), chart.dependencies.end(),
                       [&](const ChartDependency& dependency) { return speaks_of(dependency.name); });
}

void judge_values(const CheckInput& input, const Chart& chart, FileId file, NodeRef root, RuleOutcome& outcome) {
    const std::string& path = input.repository.tree->files[file].path;
    const YamlText& yaml = root.yaml();
    for (NodeId id = root.id(); id < root.node().after && id < yaml.nodes.size(); ++id) {
        const NodeRef map(&yaml, id);
        if (!map.is_mapping()) continue;
        for (const NodeRef::Entry& entry : map.entries()) {
            if (!entry.value.is_mapping() || !is_toggle_holder(entry.key.text(), entry.value)) continue;
            for (std::string_view key : {"enabled", "create"}) {
                const NodeRef value = entry.value.get(key);
                if (!value) continue;
                const Place place{file, value.span()};
                const std::string field = path_of(value);
                const std::string subject = path + ":" + field;
                if (value.templated()) {
                    outcome.undecided(place, subject, "a template");
                } else if (!is_on(value) || opens_a_port(input, entry.value, entry.key.text())) {
                    outcome.pass(place, subject);
                } else {
                    Finding finding;
                    const std::string shown(value.is_scalar() ? value.text() : "a list");
                    finding.message = "the default of " + field + " in the chart " + chart.name.text + " is " + shown +
                                      "; it must be false until the monitoring CRDs are installed";
                    finding.place = place;
                    outcome.fail(subject, std::move(finding));
                }
            }
        }
    }
}

void run(const CheckInput& input, RuleOutcome& outcome) {
    Nodes nodes(input.repository);
    for (const Chart& chart : input.repository.index.charts) {
        if (chart.subchart || brings_monitoring(chart)) continue;
        const auto file = input.repository.tree->find((chart.dir.empty() ? "" : chart.dir + "/") + "values.yaml");
        if (!file) continue;
        for (const DocumentView& document : nodes.view(*file).documents)
            if (document.root && !document.embedded) judge_values(input, chart, *file, document.root, outcome);
    }
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::observability_on
