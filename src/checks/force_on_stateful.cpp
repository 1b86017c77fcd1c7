// Force on something that holds data: Flux would delete it to apply it.
#include "checks/checks.h"
#include "checks/force.h"
#include "index/cells.h"
#include "index/relations.h"

namespace lockstep {
namespace {

bool is_stateful(const Object& object) {
    return is_object(object, "", "PersistentVolumeClaim") || is_object(object, "apps", "StatefulSet");
}

std::string title(const Object& object) {
    return object.kind.text + " " + object.name.text;
}

std::string lost_words(const Object& object) {
    return object.kind.text == "StatefulSet" ? "its pods and their identity go" : "the data goes";
}

void relate(Finding& finding, Place place, std::string message) {
    if (is_there(place) && finding.related.size() < most_related)
        finding.related.push_back({place, std::move(message)});
}

// A mark that reaches many objects from one common annotation is one finding.
struct Marks {
    std::map<Place, std::pair<std::string, Finding>> found;

    void add(const Index& index, const Object& object, const Cell& mark, Place entry) {
        auto slot = found.find(mark.place);
        if (slot != found.end()) return relate(slot->second.second, object.name.place, "reaches this too");
        Finding finding;
        finding.message = title(object) + " is marked " + std::string(force_key) + ": " + mark.text +
                          "; when an apply is refused, Flux deletes it and " + lost_words(object) + " with it";
        finding.place = mark.place;
        relate(finding, object.name.place, "the object");
        relate(finding, entry, "applied by kustomize from here");
        found.emplace(mark.place, std::pair(subject_of(index, object), std::move(finding)));
    }
};

void judge_object(const CheckInput& input, Overlay& overlay, const Object& object, Marks& marks, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    std::vector<Route> routes = overlay.routes(object);
    if (routes.empty() && object.in_templates) return; // Helm takes no notice of the mark
    if (routes.empty()) routes.emplace_back();
    std::string unsure;
    for (const Route& route : routes) {
        const ForceMark mark = force_mark(overlay, object, route);
        if (mark.says == ForceMark::Says::enabled) return marks.add(index, object, mark.cell, route.entry);
        if (mark.says == ForceMark::Says::unsure) unsure = mark.why;
    }
    if (unsure.empty())
        outcome.pass(object.name.place, subject_of(index, object));
    else
        outcome.undecided(object.name.place, subject_of(index, object), unsure);
}

void judge_flux(const CheckInput& input, Overlay& overlay, EntityId flux, const std::vector<const Object*>& below,
                RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    const Object& object = index.objects[index.flux_kustomizations[flux].object];
    const std::string subject = subject_of(index, object) + ":spec.force";
    const Field force = flux_force(overlay, index, flux);
    if (force.cell.state == State::absent) return;
    if (force.cell.state == State::templated) return outcome.undecided(force.cell.place, subject, "a templated value");
    if (force.cell.text != "true") return outcome.pass(force.cell.place, subject);
    const FluxEdges& edges = index.flux_edges[flux];
    if (!edges.exists || edges.this_repository == Ours::no)
        return outcome.undecided(force.cell.place, subject, "what it applies is not in this repository");
    Finding finding;
    finding.rule = input.rule.id;
    finding.place = force.cell.place;
    if (below.empty()) {
        finding.severity = Severity::warning;
        finding.message = "spec.force: true lets Flux delete and recreate everything that Kustomization " +
                          object.name.text + " applies, whenever an apply is refused";
    } else {
        finding.severity = input.rule.severity;
        finding.message =
            "spec.force: true on Kustomization " + object.name.text + " reaches " + title(*below.front()) +
            (below.size() > 1 ? " and " + std::to_string(below.size() - 1) + " more that hold data" : "") +
            ": when an apply is refused, Flux deletes it and " + lost_words(*below.front()) + " with it";
        for (const Object* stateful : below)
            relate(finding, stateful->name.place, "would be deleted");
    }
    outcome.fail(subject, std::move(finding));
}

} // namespace

void check_force_on_stateful(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    Overlay overlay(input.repository);
    Marks marks;
    std::vector<std::vector<const Object*>> below(index.flux_kustomizations.size());
    for (const Object& object : index.objects) {
        if (!is_stateful(object) || !is_declared(input.repository, object)) continue;
        judge_object(input, overlay, object, marks, outcome);
        for (const Route& route : overlay.routes(object))
            if (route.flux != no_entity && (below[route.flux].empty() || below[route.flux].back() != &object))
                below[route.flux].push_back(&object);
    }
    for (auto& [place, mark] : marks.found)
        outcome.fail(std::move(mark.first), std::move(mark.second));
    for (EntityId flux = 0; flux < below.size(); ++flux) {
        const Object& object = index.objects[index.flux_kustomizations[flux].object];
        if (!object.partial && !object.as_patch) judge_flux(input, overlay, flux, below[flux], outcome);
    }
}

} // namespace lockstep
