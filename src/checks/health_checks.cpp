// healthChecks of Flux Kustomizations: what they watch exists.
#include "checks/checks.h"
#include "checks/known_objects.h"
#include "checks/overlay.h"
#include "index/cells.h"
#include "index/relations.h"

namespace lockstep {
namespace {

std::string_view flux_group_of(std::string_view kind) {
    if (kind == "HelmRelease") return "helm.toolkit.fluxcd.io";
    if (kind == "Kustomization") return "kustomize.toolkit.fluxcd.io";
    return {};
}

bool is_workload(std::string_view group, std::string_view kind) {
    if (group == "apps") return kind == "Deployment" || kind == "StatefulSet" || kind == "DaemonSet";
    return group == "batch" && kind == "Job";
}

// Groups of Kubernetes itself, whose objects make no workloads of other names.
bool is_plain_group(std::string_view group) {
    return group.empty() || group == "apps" || group == "batch" || group == "policy" || group == "autoscaling" ||
           group.ends_with(".k8s.io");
}

struct Watched {
    const CheckInput& input;
    RuleOutcome& outcome;
    const Index& index = input.repository.index;
    KnownObjects known{input.repository, input.config};
    Overlay overlay{input.repository};
    std::optional<std::set<std::string>> release_namespaces = {}; // `*` when one is not known

    bool is_patched(const Object& object) {
        const FieldPath path = {"spec", "healthChecks"};
        const Place own = overlay.own(object, path).cell.place;
        for (const Route& route : overlay.routes(object)) {
            const Field field = overlay.look(object, route, path);
            if (field.gone || !field.unsure.empty() || field.cell.place != own) return true;
        }
        return false;
    }

    // Nothing that the Kustomization applies, and no release into that namespace, can make a workload.
    bool shows_all(EntityId id, const Cell& ns) {
        const Closure& closure = closure_of(input.repository);
        const auto roots = closure.by_flux.find(id);
        if (!is_known(ns) || roots == closure.by_flux.end()) return false;
        for (std::uint32_t number : roots->second) {
            const ClosureRoot& root = closure.roots[number];
            if (!root.sure || !root.complete()) return false;
            for (std::uint32_t i = root.first; i < root.first + root.count; ++i)
                if (!is_plain_group(group_of(index, closure.applied[i]))) return false;
        }
        if (!release_namespaces) {
            release_namespaces.emplace();
            for (const HelmRelease& release : index.releases) {
                const Namespaces own = namespaces_looked_in(input.repository, release.object, release.target_namespace);
                const std::set<std::string> into = own ? *own : std::set<std::string>{"*"};
                release_namespaces->insert(into.begin(), into.end());
            }
        }
        return !release_namespaces->count("*") && !release_namespaces->count(ns.text);
    }

    void judge(EntityId id, const Reference& reference) {
        const FluxKustomization& flux = index.flux_kustomizations[id];
        const Object& object = index.objects[flux.object];
        const std::string subject = subject_of(index, object) + ":healthChecks/" + reference.kind.text + "/" +
                                    reference.ns.text + "/" + reference.name.text;
        const Place place = is_set(reference.name) ? reference.name.place : reference.place;
        auto undecided = [&](std::string why) { outcome.undecided(place, subject, std::move(why)); };
        if (!is_known(reference.name) || is_placeholder(reference.name.text) || !is_known(reference.kind) ||
            reference.ns.state == State::templated)
            return undecided("a templated reference");
        if (is_there(flux.kube_config)) return undecided("it watches another cluster");
        const Standing standing = standing_of(input.repository, object, index.flux_edges[id].this_repository);
        if (standing.is != Standing::Is::applied) return undecided(standing.why);
        const std::string& kind = reference.kind.text;
        const std::string_view flux_group = flux_group_of(kind);
        const std::string_view group =
            flux_group.empty() ? split_api_version(reference.api_version.text).group : flux_group;
        Existence existence = known.look({group, kind, reference.ns.text, reference.name.text});
        Declared* const named = existence.declared;
        const std::string missed =
            flux_group.empty() ? std::string() : known.missed_namespace(flux.object, reference.ns, named);
        if (existence.is == Existence::Is::here && missed.empty()) return outcome.pass(place, subject);
        if (!missed.empty()) existence = known.look_beyond({group, kind, missed, reference.name.text});
        if (flux_group.empty() && !is_workload(group, kind)) return undecided("a controller may make it");
        if (flux_group.empty() && !shows_all(id, reference.ns)) return undecided("a chart or a controller may make it");
        if (existence.is == Existence::Is::maybe) return undecided(std::move(existence.why));
        if (is_patched(object)) return undecided("a patch changes healthChecks");
        Finding finding;
        finding.place = place;
        finding.message = "Kustomization " + object.name.text + " waits until " + kind + " " +
                          (is_known(reference.ns) ? reference.ns.text + "/" : "") + reference.name.text +
                          " is ready, but this repository holds none of that name";
        if (!missed.empty())
            finding.message = "Kustomization " + object.name.text + " waits until " + kind + " " + missed + "/" +
                              reference.name.text + " is ready, but " + reference.name.text + " stands in namespace " +
                              shown(*known.namespaces_of(*named));
        finding.related.push_back({object.name.place, "the Kustomization"});
        add_declared(finding, index, named);
        outcome.fail(subject, std::move(finding));
    }
};

} // namespace

void check_health_check_missing(const CheckInput& input, RuleOutcome& outcome) {
    Watched check{input, outcome};
    for (EntityId id = 0; id < check.index.flux_kustomizations.size(); ++id) {
        const Object& object = check.index.objects[check.index.flux_kustomizations[id].object];
        if (object.as_patch || object.partial) continue;
        for (const Reference& reference : check.index.flux_kustomizations[id].health_checks)
            check.judge(id, reference);
    }
}

} // namespace lockstep
