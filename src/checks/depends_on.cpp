// dependsOn of Flux Kustomizations and HelmReleases: what they wait for exists, and no ring of them waits for itself.
#include "checks/checks.h"
#include "checks/cycles.h"
#include "checks/known_objects.h"
#include "checks/overlay.h"
#include "index/cells.h"
#include "index/relations.h"
#include <algorithm>

namespace lockstep {
namespace {

// A Flux object that waits for others of its own kind.
struct Waiting {
    EntityId object = no_entity;
    std::string_view group, kind;
    const std::vector<Reference>* depends_on = nullptr;
    Ours source = Ours::unknown; // of a Kustomization
};

std::vector<Waiting> waiting_objects(const Index& index) {
    std::vector<Waiting> found;
    for (EntityId id = 0; id < index.flux_kustomizations.size(); ++id) {
        const FluxKustomization& flux = index.flux_kustomizations[id];
        found.push_back({flux.object, "kustomize.toolkit.fluxcd.io", "Kustomization", &flux.depends_on,
                         index.flux_edges[id].this_repository});
    }
    for (const HelmRelease& release : index.releases)
        found.push_back({release.object, "helm.toolkit.fluxcd.io", "HelmRelease", &release.depends_on, Ours::unknown});
    return found;
}

std::string subject_for(const Index& index, const Waiting& waiting, const Reference& reference) {
    return subject_of(index, index.objects[waiting.object]) + ":dependsOn/" + reference.name.text;
}

struct Missing {
    const CheckInput& input;
    RuleOutcome& outcome;
    const Index& index = input.repository.index;
    KnownObjects known{input.repository, input.config};
    Overlay overlay{input.repository};
    Custom custom = {};
    std::vector<std::pair<std::string, Finding>> loose = {}; // findings that hang on the custom

    bool is_patched(const Object& object) {
        const FieldPath path = {"spec", "dependsOn"};
        const Place own = overlay.own(object, path).cell.place;
        for (const Route& route : overlay.routes(object)) {
            const Field field = overlay.look(object, route, path);
            if (field.gone || !field.unsure.empty() || field.cell.place != own) return true;
        }
        return false;
    }

    void judge(const Waiting& waiting, const Reference& reference) {
        const Object& object = index.objects[waiting.object];
        const std::string subject = subject_for(index, waiting, reference);
        const Place place = reference.name.place;
        auto undecided = [&](std::string why) { outcome.undecided(place, subject, std::move(why)); };
        if (!is_known(reference.name) || is_placeholder(reference.name.text)) return undecided("a templated name");
        const std::string ns = is_known(reference.ns)                         ? reference.ns.text
                               : is_set(reference.ns) || !is_known(object.ns) ? std::string()
                                                                              : object.ns.text;
        const Standing standing = standing_of(input.repository, object, waiting.source);
        if (standing.is == Standing::Is::not_judged) return undecided(standing.why);
        Existence existence = known.look({waiting.group, waiting.kind, ns, reference.name.text});
        if (existence.is == Existence::Is::maybe) return undecided(std::move(existence.why));
        Declared* const named = existence.declared;
        const std::string missed = known.missed_namespace(waiting.object, reference.ns, named);
        if (existence.is == Existence::Is::here && missed.empty()) {
            ++custom.here;
            return outcome.pass(place, subject);
        }
        if (!missed.empty()) {
            existence = known.look_beyond({waiting.group, waiting.kind, missed, reference.name.text});
            if (existence.is != Existence::Is::missing) return undecided("another of that name may stand there");
        }
        if (is_patched(object)) return undecided("a patch changes dependsOn");
        ++custom.missing;
        Finding finding;
        finding.place = place;
        finding.message = std::string(waiting.kind) + " " + object.name.text + " waits for " + reference.name.text +
                          ", but no " + std::string(waiting.kind) + " of that name stands in this repository";
        if (!missed.empty())
            finding.message = std::string(waiting.kind) + " " + object.name.text + " waits for " + missed + "/" +
                              reference.name.text + ", but " + reference.name.text + " stands in namespace " +
                              shown(*known.namespaces_of(*named));
        finding.related.push_back({object.name.place, "the one that waits"});
        add_declared(finding, index, named);
        if (standing.is == Standing::Is::applied) return outcome.fail(subject, std::move(finding));
        loose.emplace_back(subject, std::move(finding));
    }

    void settle() {
        for (auto& [subject, finding] : loose) {
            finding.rule = input.rule.id;
            finding.severity = Severity::warning; // by custom only
            if (custom.is_to_declare())
                outcome.fail(subject, std::move(finding));
            else
                outcome.undecided(finding.place, subject, "nothing in this tree applies what waits");
        }
    }
};

struct Rings {
    const CheckInput& input;
    RuleOutcome& outcome;
    const Index& index = input.repository.index;
    std::vector<Waiting> nodes = waiting_objects(index);
    struct Same {
        std::vector<std::size_t> nodes;
        bool placed = true; // all of them name their namespace
    };
    std::unordered_map<std::string, Same> by_name = {}; // kind/name
    std::map<std::pair<std::size_t, std::size_t>, const Reference*> edges = {};

    bool counts(const Waiting& waiting) const {
        const Object& object = index.objects[waiting.object];
        return !object.as_patch && !object.partial && is_known(object.name) && !object.in_templates &&
               (!object.embedded || object.bootstrap);
    }

    // The node that a reference surely means; nodes.size() when it cannot be told.
    std::size_t target(std::size_t from, const Reference& reference) const {
        const Object& object = index.objects[nodes[from].object];
        const auto found = by_name.find(name_key(nodes[from].kind, reference.name.text));
        if (!is_known(reference.name) || found == by_name.end() || reference.ns.state == State::templated)
            return nodes.size();
        const bool same_ns = !is_set(reference.ns) || (is_known(object.ns) && object.ns.text == reference.ns.text);
        if (reference.name.text == object.name.text) return same_ns ? from : nodes.size();
        // Of several in namespaces that are not written here, none is sure.
        const std::vector<std::size_t>& there = found->second.nodes;
        const std::string ns = is_set(reference.ns) ? reference.ns.text : is_known(object.ns) ? object.ns.text : "";
        if (is_set(reference.ns) && there.size() > 1 && !found->second.placed) return nodes.size();
        const auto object_at = [&](std::size_t i) -> const Object& { return index.objects[nodes[there[i]].object]; };
        const std::size_t best = nearest_object(index, there.size(), object_at, ns, object.file);
        return best < there.size() ? there[best] : nodes.size();
    }

    Graph graph() {
        for (std::size_t node = 0; node < nodes.size(); ++node)
            if (counts(nodes[node])) {
                const Object& object = index.objects[nodes[node].object];
                Same& same = by_name[name_key(nodes[node].kind, object.name.text)];
                same.nodes.push_back(node);
                same.placed = same.placed && is_known(object.ns);
            }
        Graph made(nodes.size());
        for (std::size_t node = 0; node < nodes.size(); ++node) {
            if (!counts(nodes[node])) continue;
            for (const Reference& reference : *nodes[node].depends_on) {
                const std::size_t to = target(node, reference);
                if (to == nodes.size()) continue;
                made[node].push_back(to);
                edges.emplace(std::pair(node, to), &reference);
            }
        }
        return made;
    }

    void report(const std::vector<std::size_t>& ring) {
        Finding finding;
        std::string way;
        for (std::size_t i = 0; i < ring.size(); ++i) {
            const Reference& reference = *edges.at({ring[i], ring[(i + 1) % ring.size()]});
            const std::string& name = index.objects[nodes[ring[i]].object].name.text;
            if (i < 8) way += name + " -> ";
            if (i == 8) way += "… -> ";
            if (i == 0)
                finding.place = reference.name.place;
            else if (i <= 20)
                finding.related.push_back({reference.name.place, name + " waits for " + reference.name.text});
        }
        const Waiting& first = nodes[ring.front()];
        const Object& object = index.objects[first.object];
        finding.message = ring.size() == 1
                              ? std::string(first.kind) + " " + object.name.text + " waits for itself"
                              : std::string(first.kind) + "s wait for one another in a ring: " + way + object.name.text;
        outcome.fail(subject_of(index, object) + ":dependsOn", std::move(finding));
    }

    void run() {
        const Graph made = graph();
        std::vector<bool> failed(nodes.size(), false);
        for (const auto& ring : find_cycles(made)) {
            for (std::size_t node : ring)
                failed[node] = true;
            report(ring);
        }
        for (std::size_t node = 0; node < nodes.size(); ++node) {
            const Object& object = index.objects[nodes[node].object];
            if (!made[node].empty() && !failed[node]) outcome.pass(object.name.place, subject_of(index, object));
        }
    }
};

} // namespace

void check_depends_on_missing(const CheckInput& input, RuleOutcome& outcome) {
    Missing check{input, outcome};
    for (const Waiting& waiting : waiting_objects(check.index)) {
        const Object& object = check.index.objects[waiting.object];
        if (object.as_patch || object.partial) continue; // a patch: its list may meet any object
        for (const Reference& reference : *waiting.depends_on)
            check.judge(waiting, reference);
    }
    check.settle();
}

void check_depends_on_cycle(const CheckInput& input, RuleOutcome& outcome) {
    Rings{input, outcome}.run();
}

} // namespace lockstep
