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

struct Watched {
    const CheckInput& input;
    RuleOutcome& outcome;
    const Index& index = input.repository.index;
    KnownObjects known{input.repository, input.config};
    Overlay overlay{input.repository};

    bool is_patched(const Object& object) {
        const FieldPath path = {"spec", "healthChecks"};
        const Place own = overlay.own(object, path).cell.place;
        for (const Route& route : overlay.routes(object)) {
            const Field field = overlay.look(object, route, path);
            if (field.gone || !field.unsure.empty() || field.cell.place != own) return true;
        }
        return false;
    }

    void judge(EntityId id, const Reference& reference) {
        const FluxKustomization& flux = index.flux_kustomizations[id];
        const Object& object = index.objects[flux.object];
        const std::string subject = subject_of(index, object) + ":healthChecks/" + reference.kind.text + "/" +
                                    reference.ns.text + "/" + reference.name.text;
        const Place place = is_set(reference.name) ? reference.name.place : reference.place;
        auto undecided = [&](std::string why) { outcome.undecided(place, subject, std::move(why)); };
        if (!is_known(reference.name) || !is_known(reference.kind) || reference.ns.state == State::templated)
            return undecided("a templated reference");
        if (is_there(flux.kube_config)) return undecided("it watches another cluster");
        const Standing standing = standing_of(input.repository, object, index.flux_edges[id].this_repository);
        if (standing.is != Standing::Is::applied) return undecided(standing.why);
        const std::string& kind = reference.kind.text;
        const std::string_view flux_group = flux_group_of(kind);
        const std::string_view group =
            flux_group.empty() ? split_api_version(reference.api_version.text).group : flux_group;
        Existence existence = known.look({group, kind, reference.ns.text, reference.name.text});
        if (existence.is == Existence::Is::here) return outcome.pass(place, subject);
        if (flux_group.empty()) return undecided("a chart or a controller may make it");
        if (existence.is == Existence::Is::maybe) return undecided(std::move(existence.why));
        if (is_patched(object)) return undecided("a patch changes healthChecks");
        Finding finding;
        finding.place = place;
        finding.message = "Kustomization " + object.name.text + " waits until " + kind + " " +
                          (is_known(reference.ns) ? reference.ns.text + "/" : "") + reference.name.text +
                          " is ready, but this repository holds none of that name";
        finding.related.push_back({object.name.place, "the Kustomization"});
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
