// healthChecks of Flux Kustomizations: what they watch exists.
#include "checks/reference_verdicts.h"
#include "rules/check.h"

namespace lockstep::health_check_missing {
namespace {

void run(const CheckInput& input, RuleOutcome& outcome) {
    ReferenceWords words;
    words.set = "health-check";
    words.says = [](const ResolvedReference&, const std::string& who, const std::string& target) {
        return who + " waits until " + target + " is ready";
    };
    words.absent = ", but this repository has none of that name";
    words.role = "the Kustomization";
    words.one_per_object = true;
    words.key = [](const ResolvedReference& reference) {
        return reference.row->field + "/" + reference.wanted.kind + "/" + reference.ns + "/" + reference.name;
    };
    // Beside `wait: true` Flux does not read the list: flux-field-ignored tells that.
    words.is_idle = [](const CheckInput& about, const ResolvedReference& reference) {
        const Fleet& fleet = fleet_of(about.repository);
        const Value* tree = reference.from != no_number     ? fleet.tree_of(fleet.instances[reference.from])
                            : reference.object != no_entity ? fleet.declared_tree(reference.object)
                                                            : nullptr;
        return cell_at(tree, {"spec", "wait"}).text == "true";
    };
    judge_references(input, outcome, words);
}

} // namespace

constexpr NativeCheck check{run,
                            "references: set from path to name namespace optional key; makers: by makes name; scripts"};

} // namespace lockstep::health_check_missing
