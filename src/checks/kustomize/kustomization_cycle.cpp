// Kustomizations that include themselves, directly or through others: kustomize refuses them.
#include "deploy/fleet.h"
#include "index/cells.h"
#include "rules/check.h"
#include <set>

namespace lockstep::kustomization_cycle {
namespace {

void run(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    const Fleet& fleet = fleet_of(input.repository);
    const auto& files = input.repository.tree->files;
    std::set<Place> told;
    std::set<FileId> inside; // kustomizations of a circle
    for (const Certainty certainty : {Certainty::proven, Certainty::possible, Certainty::loose})
        for (const Root& root : fleet.roots)
            for (const BuildError& error : root.errors) {
                if (root.certainty != certainty || error.kind != BuildError::Kind::cycle) continue;
                if (!told.insert(error.place).second) continue;
                const FileId again = error.entries.empty() ? error.place.file : error.entries.front().file;
                Finding finding;
                std::string through;
                std::set<FileId> named{again};
                inside.insert(again);
                for (const Place& entry : error.entries) {
                    inside.insert(entry.file);
                    if (!named.insert(entry.file).second) continue;
                    if (named.size() <= 6) through += (through.empty() ? "" : ", ") + files[entry.file].path;
                    finding.related.push_back({entry, "leads on from " + files[entry.file].path});
                }
                if (root.certainty == Certainty::possible) {
                    outcome.undecided(error.place, files[again].path, root.why);
                    continue;
                }
                finding.rule = input.rule.id;
                finding.severity = root.certainty == Certainty::loose ? Severity::note : input.rule.severity;
                finding.message =
                    files[again].path + " includes itself" +
                    (through.empty() ? "" : " through " + through + (named.size() > 6 ? " and others" : "")) +
                    ": kustomize refuses to build it";
                finding.place = error.place;
                outcome.fail(files[again].path, std::move(finding));
            }
    for (const Kustomization& made : index.kustomizations)
        if (!made.embedded && !inside.count(made.file)) outcome.pass(made.place, files[made.file].path);
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::kustomization_cycle
