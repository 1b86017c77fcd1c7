// Kustomizations that include themselves, directly or through others.
#include "checks/checks.h"
#include "index/cells.h"
#include <set>

namespace lockstep {

void check_kustomization_cycle(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    const Closure& closure = closure_of(input.repository);
    auto path_of = [&](EntityId id) { return index.tree->files[index.kustomizations[id].file].path; };
    std::set<EntityId> inside; // kustomizations of a circle
    for (const Cycle& cycle : closure.cycles) {
        Finding finding;
        std::string through;
        std::size_t steps = 0;
        for (std::uint32_t step = cycle.step; step != no_number; step = closure.steps[step].above) {
            const Step& here = closure.steps[step];
            inside.insert(here.kustomization);
            if (here.kustomization == cycle.kustomization) break;
            if (++steps <= 5) {
                through = path_of(here.kustomization) + (through.empty() ? "" : ", " + through);
                finding.related.push_back({here.entry, "leads to " + path_of(here.kustomization)});
            }
        }
        finding.message = path_of(cycle.kustomization) + " includes itself" +
                          (through.empty() ? "" : " through " + through + (steps > 5 ? " and others" : "")) +
                          ": kustomize refuses to build it";
        finding.place = cycle.entry;
        outcome.fail(path_of(cycle.kustomization), std::move(finding));
    }
    for (EntityId id = 0; id < index.kustomizations.size(); ++id)
        if (!index.kustomizations[id].embedded && !inside.count(id))
            outcome.pass(index.kustomizations[id].place, path_of(id));
}

} // namespace lockstep
