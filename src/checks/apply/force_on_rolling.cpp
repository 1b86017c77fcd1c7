// Force on a Deployment that rolls and that a Service sends traffic to: a refused apply takes all its pods at once.
#include "checks/forced_deployments.h"
#include "index/cells.h"
#include "index/relations.h"

namespace lockstep::force_on_rolling {
namespace {

void run(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    Nodes nodes(input.repository);
    each_forced(input, nodes, outcome, [&](const Forced& forced) {
        const std::string subject = subject_of(index, forced.object);
        const Place place = forced.mark.cell.place;
        const Cell type = cell_at(forced.tree, {"spec", "strategy", "type"});
        if (type.state == State::templated) return outcome.undecided(place, subject, "the strategy is unknown");
        if ((is_known(type) && type.text == "Recreate") || forced.services.empty()) return outcome.pass(place, subject);
        Finding finding;
        finding.message = "Deployment " + forced.object.name.text + " is marked force: " + forced.mark.cell.text +
                          " but its strategy is " + (is_known(type) ? type.text : "RollingUpdate by default") +
                          " and Service " + forced.services.front()->name +
                          " selects it: a rejected apply deletes all its pods at once";
        finding.place = place;
        if (is_known(type)) finding.related.push_back({type.place, "the strategy"});
        relate_services(forced, finding);
        outcome.fail(subject, std::move(finding));
    });
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::force_on_rolling
