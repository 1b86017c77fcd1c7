// Files that a rule wanted and nobody could read: too large, not readable, or a packed chart that is none. Never passed
// over in silence.
#include "index/ignored_paths.h"
#include "rules/check.h"
#include <algorithm>

namespace lockstep::file_unread {
namespace {

// A link that leads nowhere beside a submodule leads into it: its files are in another repository.
bool leads_into_a_submodule(std::string_view path, const std::vector<std::string>& submodules) {
    const std::string folder(directory_of(path));
    return std::any_of(submodules.begin(), submodules.end(), [&](const std::string& one) {
        return folder.empty() || one.starts_with(folder + "/") || folder == one;
    });
}

// A link to nothing holds nothing: it matters where something reads that file, a list or a chart that has it.
bool is_asked_for(const Index& index, FileId file) {
    if (!index.listers.of(file).empty()) return true;
    for (std::string_view dir = directory_of(index.tree->files[file].path); !dir.empty(); dir = directory_of(dir))
        if (index.chart_by_dir.count(std::string(dir))) return true;
    return false;
}

// A checkout without Git LFS lacks the bytes, and so does Flux, which never fetches them.
void speak_of_pointer(const Index& index, EntityId chart, const Rule& rule, Finding& finding) {
    const bool from_git = std::any_of(index.release_edges.begin(), index.release_edges.end(), [&](const auto& edges) {
        return edges.chart == chart && edges.source != no_entity && index.sources[edges.source].kind == "GitRepository";
    });
    finding.message = from_git ? "this packed chart is a Git LFS pointer, and Flux takes the chart from Git without "
                                 "fetching what pointers stand for"
                               : "this packed chart is a Git LFS pointer, so what it holds was not checked";
    finding.cause = "git-lfs";
    finding.rule = rule.id;
    finding.severity = from_git ? rule.severity : Severity::note;
}

void run(const CheckInput& input, RuleOutcome& outcome) {
    const Tree& tree = *input.repository.tree;
    const std::vector<std::string> submodules = submodules_of(*input.repository.tree, input.texts());
    for (FileId id = 0; id < tree.files.size(); ++id) {
        const File& file = tree.files[id];
        if (file.state == FileState::read) outcome.pass({id, {}}, [&] { return file.path; });
        if (file.state != FileState::oversize && file.state != FileState::unreadable) continue;
        Finding finding;
        finding.message = "this file was not read: " + file.why;
        finding.place = {id, {}};
        if (file.why == "a link to something that does not exist") {
            const bool submodule = leads_into_a_submodule(file.path, submodules);
            if (submodule) finding.message += ", perhaps in a submodule";
            if (submodule || !is_asked_for(input.repository.index, id)) {
                finding.rule = input.rule.id;
                finding.severity = Severity::note;
            }
        }
        outcome.fail(file.path, std::move(finding));
    }
    const Index& index = input.repository.index;
    for (EntityId id = 0; id < index.charts.size(); ++id)
        for (const Vendored& vendored : index.charts[id].vendored) {
            const FileState state = tree.files[vendored.file].state; // another rule may have asked for its bytes
            if (vendored.problem.empty() || state == FileState::oversize || state == FileState::unreadable) continue;
            Finding finding;
            finding.message = "this packed chart was not read: it " + vendored.problem;
            finding.place = {vendored.file, {}};
            if (vendored.problem == "is a Git LFS pointer") speak_of_pointer(index, id, input.rule, finding);
            outcome.fail(tree.files[vendored.file].path, std::move(finding));
        }
}

} // namespace

constexpr NativeCheck check{run, "modules"};

} // namespace lockstep::file_unread
