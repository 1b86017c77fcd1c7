// Paths that the config excludes and that something applies all the same: they are read, and that is said.
#include "deploy/unseen_files.h"
#include "index/cells.h"
#include "rules/check.h"

namespace lockstep::exclude_overruled {
namespace {

void run(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    for (const std::string& path : input.repository.tree->brought_in) {
        Finding finding;
        finding.place = brought_in_by(index, fleet_of(input.repository), path);
        if (!is_there(finding.place)) continue; // the base listed it, this tree does not
        const std::string who = input.repository.tree->files[finding.place.file].path;
        finding.message = path + " is excluded, but " + who + " applies it, so it is read";
        outcome.fail(path, std::move(finding));
    }
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::exclude_overruled
