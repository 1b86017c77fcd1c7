// Goes through the problems file by file, and lowers what no cluster reads.
#include "checks/file_problems.h"
#include "index/side_paths.h"
#include <algorithm>

namespace lockstep {
namespace {

Finding finding_of(const FileProblem& problem) {
    Finding finding;
    finding.message = problem.problem.message;
    finding.place = {problem.file, problem.problem.span};
    if (!problem.problem.other_message.empty())
        finding.related.push_back({{problem.file, problem.problem.other}, problem.problem.other_message});
    return finding;
}

// A .tftpl may hold any language, a script or an inventory: only its name or its first line says that it is YAML. One
// with a NUL is no text in any of them.
bool is_said_to_be_yaml(const File& file) {
    const std::string_view path = file.path;
    std::string_view text = file.text;
    if (file.manifest || !is_terraform_template(path) || text.find('\0') != std::string_view::npos) return true;
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (text.starts_with("#cloud-config")) return true;
    const bool named = path.ends_with(".yaml.tftpl") || path.ends_with(".yml.tftpl");
    return named && !text.starts_with("#!") && !text.starts_with("Content-Type:");
}

// A file that no tool of the cluster reads as YAML: a chart's data, which templates only embed, or what a generator
// puts into a ConfigMap as it is.
bool is_payload(const Index& index, FileId file) {
    const std::string_view path = index.tree->files[file].path;
    const auto listers = index.listers.of(file);
    if (!listers.empty())
        return std::all_of(listers.begin(), listers.end(), [&](std::uint32_t number) {
            const ListedEdge& edge = index.listed_edges[number];
            return index.kustomizations[edge.kustomization].listed[edge.entry].as == Listing::generated_from;
        });
    for (std::string_view dir = directory_of(path); !dir.empty(); dir = directory_of(dir)) {
        if (!index.chart_by_dir.count(std::string(dir))) continue;
        const std::string_view inside = path.substr(dir.size() + 1);
        for (std::string_view read : {"Chart.", "values", "templates/", "crds/", "charts/", "requirements.", "ci/"})
            if (inside.starts_with(read)) return false;
        return inside.find("values") == std::string_view::npos;
    }
    return false;
}

// A sample, a test, a copy or a generator's template, and nothing in this tree says that it is applied.
bool is_idle(const Repository& repository, FileId file) {
    const Fleet& fleet = fleet_of(repository);
    return is_side_path(repository.index, file) &&
           (fleet.certainty_of_file(file) != Certainty::proven || !fleet.has_roots);
}

} // namespace

void judge_problems(const CheckInput& input, bool duplicate_keys, const JudgeProblem& judge, RuleOutcome& outcome) {
    const Repository& repository = input.repository;
    std::size_t next = 0;
    for (FileId id = 0; id < repository.tree->files.size(); ++id) {
        const File& file = repository.tree->files[id];
        bool clean = true;
        for (; next < repository.problems.size() && repository.problems[next].file == id; ++next) {
            const FileProblem& one = repository.problems[next];
            if ((one.problem.kind == YamlProblem::Kind::duplicate_key) != duplicate_keys) continue;
            clean = false;
            if (!is_said_to_be_yaml(file)) {
                outcome.undecided({id, one.problem.span}, file.path, "nothing says that this template is YAML");
                continue;
            }
            Finding finding = finding_of(one);
            finding.rule = input.rule.id;
            finding.severity = input.rule.severity;
            ProblemVerdict verdict = judge(file, one, std::move(finding));
            if (!verdict.undecided.empty()) outcome.undecided({id, one.problem.span}, file.path, verdict.undecided);
            if (!verdict.finding) continue;
            // A limit or a NUL may hide more than data.
            if (!one.problem.limit && (is_payload(repository.index, id) || is_idle(repository, id)))
                verdict.finding->severity = Severity::note;
            outcome.fail(file.path, *std::move(verdict.finding));
        }
        if (clean && file.state == FileState::read && is_indexable(file))
            outcome.pass({id, {}}, [&] { return file.path; });
    }
}

} // namespace lockstep
