// Files that a rule wanted and nobody could read: too large, not readable, or a packed chart that is none. Never passed
// over in silence.
#include "checks/checks.h"
#include "checks/listed_paths.h"
#include <algorithm>

namespace lockstep {

void check_file_unread(const CheckInput& input, RuleOutcome& outcome) {
    const Tree& tree = *input.repository.tree;
    const std::vector<std::string> submodules = submodules_of(input);
    for (FileId id = 0; id < tree.files.size(); ++id) {
        const File& file = tree.files[id];
        if (file.state == FileState::read) outcome.pass({id, {}}, [&] { return file.path; });
        if (file.state != FileState::oversize && file.state != FileState::unreadable) continue;
        Finding finding;
        finding.message = "this file was not read: " + file.why;
        finding.place = {id, {}};
        // A link that leads nowhere beside a submodule leads into it: its files are in another repository.
        const std::string folder(directory_of(file.path));
        if (file.why == "a link to something that does not exist" &&
            std::any_of(submodules.begin(), submodules.end(), [&](const std::string& path) {
                return folder.empty() || path.starts_with(folder + "/") || folder == path;
            })) {
            finding.rule = input.rule.id;
            finding.severity = Severity::note;
            finding.message += ", perhaps in a submodule";
        }
        outcome.fail(file.path, std::move(finding));
    }
    for (const Chart& chart : input.repository.index.charts)
        for (const Vendored& vendored : chart.vendored) {
            if (vendored.problem.empty() || tree.files[vendored.file].state != FileState::listed) continue;
            Finding finding;
            finding.message = "this packed chart was not read: it " + vendored.problem;
            finding.place = {vendored.file, {}};
            outcome.fail(tree.files[vendored.file].path, std::move(finding));
        }
}

} // namespace lockstep
