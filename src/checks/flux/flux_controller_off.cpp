// Controllers that a Flux install leaves out: by values of the flux2 chart, or by `--components`.
#include "checks/flux_rendered.h"
#include "deploy/nodes.h"
#include "index/cells.h"
#include "index/flux_self.h"
#include "index/flux_sites.h"
#include "index/relations.h"
#include "rules/check.h"
#include "yaml/plain_type.h"
#include <algorithm>

namespace lockstep::flux_controller_off {
namespace {

struct Controller {
    std::string_view name, values_key;
};
constexpr Controller controllers[] = {{"source-controller", "sourceController"},
                                      {"kustomize-controller", "kustomizeController"},
                                      {"helm-controller", "helmController"},
                                      {"notification-controller", "notificationController"}};

Finding off(const Controller& controller, Place place, std::string how) {
    Finding finding;
    finding.message = "Flux is installed without " + std::string(controller.name) + ": " + std::move(how);
    finding.place = place;
    return finding;
}

// Values files are read by Helm, releases by kustomize: `no` is a word there.
bool is_false(NodeRef value, bool of_chart) {
    if (!value || value.is_quoted()) return false;
    return of_chart ? reads_as_false_v2(value.text()) : value.text() == "false";
}

bool is_switched_off(NodeRef values, std::string_view key, bool of_chart) {
    return is_false(node_at(values, {key, "create"}).resolved(), of_chart);
}

// Nothing in the tree is Flux's or speaks of it: a chart may bring Flux for others, as what installs charts and no
// more.
bool only_installs_charts(const Index& index, NodeRef values, bool of_chart) {
    if (!is_switched_off(values, "kustomizeController", of_chart) ||
        !is_switched_off(values, "notificationController", of_chart) || !index.blueprints.empty())
        return false;
    const auto of_flux = [](const BootstrapPin& pin) {
        return std::string_view(to_string(pin.kind)).starts_with("flux-") || pin.chart.text == "flux2";
    };
    return std::none_of(index.bootstrap_pins.begin(), index.bootstrap_pins.end(), of_flux) &&
           std::none_of(index.objects.begin(), index.objects.end(),
                        [](const Object& one) { return one.group.ends_with("toolkit.fluxcd.io"); });
}

// `values` are those of the flux2 chart.
void judge_values(const Index& index, FileId file, NodeRef values, const std::string& subject, bool of_chart,
                  RuleOutcome& outcome) {
    const bool meant = only_installs_charts(index, values, of_chart);
    for (const Controller& controller : controllers) {
        const Cell create = cell_at(file, values, {controller.values_key, "create"});
        const std::string name = subject + ":" + std::string(controller.values_key) + ".create";
        if (create.state == State::templated)
            outcome.undecided(create.place, name, "templated");
        else if (create.state == State::known && is_switched_off(values, controller.values_key, of_chart)) {
            Finding finding =
                off(controller, create.place, std::string(controller.values_key) + ".create is " + create.text);
            finding.rule = outcome.rule->id;
            finding.severity = meant && controller.name != "source-controller" && controller.name != "helm-controller"
                                   ? Severity::note
                                   : outcome.rule->severity;
            outcome.fail(name, std::move(finding));
        } else
            outcome.pass(file == no_file ? Place{} : Place{file, values.span()}, name);
    }
}

// Which controllers the objects of the tree wait for.
struct Needs {
    bool helm = false, notification = false;

    explicit Needs(const Index& index) : helm(!index.releases.empty()) {
        notification = std::any_of(index.objects.begin(), index.objects.end(), [](const Object& object) {
            return object.group == "notification.toolkit.fluxcd.io" && !object.partial;
        });
    }
    bool of(const Controller& controller) const {
        if (controller.name == "helm-controller") return helm;
        return controller.name != "notification-controller" || notification;
    }
};

bool lists(std::string_view components, std::string_view name) {
    while (!components.empty()) {
        const std::size_t comma = components.find(',');
        if (components.substr(0, comma) == name) return true;
        components = comma == std::string_view::npos ? std::string_view() : components.substr(comma + 1);
    }
    return false;
}

// A short list may be meant: it is an error where something in the tree waits for what is left out.
void judge_list(const Cell& components, const std::string& how, const std::string& subject, bool aside,
                const Needs& needs, RuleOutcome& outcome) {
    bool whole = true;
    for (const Controller& controller : controllers) {
        if (lists(components.text, controller.name)) continue;
        whole = false;
        Finding finding = off(controller, components.place, how + " leaves it out");
        finding.rule = outcome.rule->id;
        finding.severity = needs.of(controller) && !aside ? outcome.rule->severity : Severity::note;
        outcome.fail(subject + ":" + std::string(controller.name), std::move(finding));
    }
    if (whole) outcome.pass(components.place, subject);
}

void run(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    Nodes nodes(input.repository);
    const auto charts = flux_charts(index, input.facts.find("mirror"));
    for (const FluxChart& flux : charts)
        for (const FileId file : index.charts[flux.chart].values_files) {
            const std::string& path = input.repository.tree->files[file].path;
            for (const DocumentView& document : nodes.view(file).documents)
                if (const NodeRef values = node_at(document.root, {flux.values_key}); values.is_mapping())
                    judge_values(index, file, values, path + ":" + flux.values_key, true, outcome);
        }
    for (const SelfRelease& self : releases_of_flux(index, charts)) {
        const Object& object = index.objects[index.releases[self.release].object];
        NodeRef values = node_at(nodes.root(object), {"spec", "values"});
        if (!self.values_key.empty()) values = node_at(values, {self.values_key});
        if (values.is_mapping())
            judge_values(index, object.file, values, subject_of(index, object) + ":spec.values", false, outcome);
    }
    judge_rendered_flux(input, charts, outcome);
    const Needs needs(index);
    for (const BootstrapPin& pin : index.bootstrap_pins) {
        if (!is_set(pin.components)) continue;
        const std::string& path = input.repository.tree->files[pin.anchor.file].path;
        const std::string subject = path + ":" + std::string(to_string(pin.kind)) + " --components";
        if (pin.components.state == State::templated)
            outcome.undecided(pin.components.place, subject, "templated");
        else
            judge_list(pin.components, "--components", subject, is_side_script(input.repository.index, pin), needs,
                       outcome);
    }
}

} // namespace

constexpr NativeCheck check{run, "mirror: chart"};

} // namespace lockstep::flux_controller_off
