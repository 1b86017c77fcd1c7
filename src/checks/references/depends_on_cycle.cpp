// dependsOn of Flux Kustomizations and HelmReleases: no ring of them waits for itself in any cluster, and none waits
// for what comes only with itself.
#include "base/cycles.h"
#include "checks/reference_facts.h"
#include "deploy/identities.h"
#include "deploy/sole_applier.h"
#include "index/cells.h"
#include "rules/check.h"
#include <algorithm>

namespace lockstep::depends_on_cycle {
namespace {

struct Rings {
    const CheckInput& input;
    RuleOutcome& outcome;
    const Fleet& fleet = fleet_of(input.repository);
    std::vector<std::uint32_t> nodes = {};                     // an instance for each object of each cluster
    std::unordered_map<std::string, std::size_t> numbers = {}; // by cluster and identity
    std::unordered_map<std::uint32_t, std::uint32_t> appliers = {};
    std::map<std::pair<std::size_t, std::size_t>, const ResolvedReference*> edges = {};
    std::set<std::string> told = {}; // the same files make the same ring in many clusters
    const ScriptMakers scripts = ScriptMakers(scripts_of(input));
    static constexpr std::size_t most_above = 100; // Kustomizations that apply each other have no top

    std::size_t node_of(std::uint32_t instance) {
        const Instance& one = fleet.instances[instance];
        const ResourceId& id = one.id();
        std::string key = std::to_string(fleet.root_of(one).cluster);
        for (std::string_view part : {id.group, id.kind, id.ns, id.name})
            key += "/" + std::string(part);
        const auto [known, fresh] = numbers.emplace(std::move(key), nodes.size());
        if (fresh) nodes.push_back(instance);
        return known->second;
    }

    std::string name_of(std::size_t node) const { return std::string(fleet.instances[nodes[node]].id().name); }

    void report(const std::vector<std::size_t>& ring) {
        Finding finding;
        std::string chain;
        for (std::size_t i = 0; i < ring.size(); ++i) {
            const ResolvedReference& reference = *edges.at({ring[i], ring[(i + 1) % ring.size()]});
            if (i < 8) chain += name_of(ring[i]) + " -> ";
            if (i == 8) chain += "… -> ";
            if (i == 0)
                finding.place = reference.place;
            else if (i <= most_related)
                finding.related.push_back({reference.place, name_of(ring[i]) + " waits for " + reference.name});
        }
        const ResolvedReference& first = *edges.at({ring.front(), ring[1 % ring.size()]});
        const std::string kind(fleet.instances[nodes[ring.front()]].id().kind), name = name_of(ring.front());
        finding.message = ring.size() == 1 ? kind + " " + name + " waits for itself"
                                           : kind + "s wait for each other in a cycle: " + chain + name;
        const std::string subject = subject_of_reference(input.repository, first) + ":dependsOn";
        if (told.insert(subject).second) outcome.fail(subject, std::move(finding));
    }

    // Many wait for the same one.
    std::uint32_t applier_of(std::uint32_t instance) {
        const auto [known, fresh] = appliers.try_emplace(instance, no_number);
        if (fresh) known->second = sole_applier(fleet, fleet.instances[instance]);
        return known->second;
    }

    // From what is waited for up to the one that waits: each is applied by the next and by nothing else. Empty where
    // that does not lead there.
    std::vector<std::uint32_t> way_up(std::uint32_t from, std::uint32_t to) {
        const ResourceId& wanted = fleet.instances[to].id();
        std::vector<std::uint32_t> way;
        for (std::uint32_t here = from; here != no_number && way.size() < most_above; here = applier_of(here)) {
            const ResourceId& id = fleet.instances[here].id();
            if (id.ns == wanted.ns && id.name == wanted.name) return way;
            way.push_back(here);
        }
        return {};
    }

    bool is_applied_by_hand(std::uint32_t instance) const {
        const FileId file = fleet.instances[instance].resource.document.file;
        return file == no_file || !scripts.applier_of(input.repository.tree->files[file].path).empty();
    }

    // Waits for what it alone applies.
    bool report_own_child(const ResolvedReference& one, std::uint32_t target) {
        const Instance& from = fleet.instances[one.from];
        if (from.id().kind != "Kustomization" || fleet.root_of(from).certainty != Certainty::proven) return false;
        const std::vector<std::uint32_t> way = way_up(target, one.from);
        if (way.empty() ||
            std::any_of(way.begin(), way.end(), [&](std::uint32_t number) { return is_applied_by_hand(number); }))
            return false;
        const auto called = [&](std::uint32_t number) { return std::string(fleet.instances[number].id().name); };
        Finding finding;
        finding.message = "Kustomization " + called(one.from) + " waits for " + one.name + ", which only " +
                          called(one.from) + " applies";
        for (std::size_t i = 1; i < way.size(); ++i)
            finding.message += (i == 1 ? ", through " : " and ") + called(way[way.size() - i]);
        finding.message += ": on a new cluster it waits forever";
        finding.place = one.place;
        for (std::size_t i = 0; i < way.size(); ++i)
            finding.related.push_back(
                {place_of(input.repository.index, fleet.instances[way[i]]),
                 called(way[i]) + " is applied only by " + called(i + 1 < way.size() ? way[i + 1] : one.from)});
        finding.instances.push_back(one.from);
        const std::string subject = subject_of_reference(input.repository, one) + ":dependsOn/" + one.name;
        if (told.insert(subject).second) outcome.fail(subject, std::move(finding));
        return true;
    }

    void run() {
        References references = references_of(input);
        const std::vector<ResolvedReference> all = references.of_set("depends-on");
        std::vector<std::pair<std::size_t, std::size_t>> pairs;
        for (const ResolvedReference& one : all) {
            if (one.is->is != Resolution::Is::here) continue;
            const std::size_t from = node_of(one.from);
            for (std::uint32_t target : one.is->to) {
                const std::size_t to = node_of(target);
                if (edges.emplace(std::pair(from, to), &one).second) pairs.emplace_back(from, to);
            }
        }
        Graph graph(nodes.size());
        for (const auto& [from, to] : pairs)
            graph[from].push_back(to);
        std::vector<bool> failed(nodes.size(), false);
        for (const auto& ring : find_cycles(graph)) {
            for (std::size_t node : ring)
                failed[node] = true;
            report(ring);
        }
        for (const auto& [pair, reference] : edges)
            if (!failed[pair.first] && report_own_child(*reference, nodes[pair.second])) failed[pair.first] = true;
        std::set<std::string> passed;
        for (const auto& [pair, reference] : edges)
            if (!failed[pair.first])
                if (std::string subject = subject_of_reference(input.repository, *reference);
                    passed.insert(subject).second)
                    outcome.pass(reference->place, std::move(subject));
    }
};

void run(const CheckInput& input, RuleOutcome& outcome) {
    Rings{input, outcome}.run();
}

} // namespace

constexpr NativeCheck check{run, "references: set from path to name namespace optional key; scripts"};

} // namespace lockstep::depends_on_cycle
