// Keys that a mapping has twice: which of the two counts depends on who reads it.
#include "checks/file_problems.h"
#include <algorithm>

namespace lockstep::duplicate_key {
namespace {

// `<<` twice: the readers of Kubernetes and Helm refuse it, those of GitLab and Ansible merge both.
bool merges_twice(std::string_view text, const YamlProblem& problem) {
    return problem.kind == YamlProblem::Kind::duplicate_key && problem.span.end <= text.size() &&
           text.substr(problem.span.begin, problem.span.end - problem.span.begin) == "<<" &&
           text.find("apiVersion:") == std::string_view::npos;
}

// The values that Helm reads of a chart: of a key that is there twice it takes the last.
bool is_chart_values(const Index& index, std::string_view path) {
    return file_name_of(path) == "values.yaml" && index.chart_by_dir.count(std::string(directory_of(path)));
}

// The first of the two says nothing, so that nothing is lost.
bool is_empty_before(std::string_view text, const YamlProblem& problem) {
    if (problem.other.end >= text.size()) return false;
    std::string_view value = text.substr(problem.other.end, text.find('\n', problem.other.end) - problem.other.end);
    value.remove_prefix(std::min(value.find_first_not_of(": \t\"'"), value.size()));
    value = value.substr(0, value.find_first_of(" \t\r#"));
    return value == "{}" || value == "[]" || value == "null" || value == "~";
}

// A document's metadata.annotations, or a key in it: kustomize puts them together before it decodes the object.
bool is_joined_by_kustomize(const Repository& repository, FileId file, Span span) {
    for (const DocumentView& document : repository.on_demand->files.view(file).documents) {
        if (document.embedded || !document.root) continue;
        for (const NodeRef::Entry& own : document.root.get("metadata").entries()) {
            if (own.key.text() != "annotations") continue;
            if (own.key.span() == span) return true;
            for (const NodeRef::Entry& one : own.value.entries())
                if (one.key.span() == span) return true;
        }
    }
    return false;
}

void run(const CheckInput& input, RuleOutcome& outcome) {
    const Repository& repository = input.repository;
    auto judge = [&](const File& file, const FileProblem& one, Finding finding) -> ProblemVerdict {
        if (merges_twice(file.text, one.problem)) return {"its own reader may merge both", {}};
        if (is_chart_values(repository.index, file.path)) {
            finding.message += "; Helm takes the last";
            finding.severity = is_empty_before(file.text, one.problem) ? Severity::note
                                                                       : std::min(finding.severity, Severity::warning);
        }
        if (one.problem.same_value) finding.severity = Severity::note; // whichever counts, it says the same
        if (!repository.index.listers.of(one.file).empty() &&
            is_joined_by_kustomize(repository, one.file, one.problem.span)) {
            finding.message += "; kustomize puts both together";
            finding.severity = Severity::note;
        }
        return {{}, std::move(finding)};
    };
    judge_problems(input, true, judge, outcome);
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::duplicate_key
