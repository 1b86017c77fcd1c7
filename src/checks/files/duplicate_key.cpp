// Keys that a mapping has twice: which of the two counts depends on who reads it.
#include "checks/file_problems.h"
#include <algorithm>
#include <unordered_map>

namespace lockstep::duplicate_key {
namespace {

// `<<` twice: the readers of Kubernetes and Helm refuse it, those of GitLab and Ansible merge both.
bool merges_twice(std::string_view text, const YamlProblem& problem) {
    return problem.kind == YamlProblem::Kind::duplicate_key && problem.span.end <= text.size() &&
           text.substr(problem.span.begin, problem.span.end - problem.span.begin) == "<<" &&
           text.find("apiVersion:") == std::string_view::npos;
}

// A values file of a chart, or a template that no kustomization lists: of a key that is there twice Helm takes the
// last.
bool is_read_by_helm(const Index& index, FileId file) {
    const std::string& path = index.tree->files[file].path;
    const std::string_view name = file_name_of(path);
    if (name.starts_with("values") && index.chart_by_dir.count(std::string(directory_of(path)))) return true;
    if (!index.listers.of(file).empty()) return false;
    return std::any_of(index.charts.begin(), index.charts.end(), [&](const Chart& chart) {
        return std::find(chart.templates.begin(), chart.templates.end(), file) != chart.templates.end();
    });
}

// A values file beside the default ones that nothing names together with its chart: Helm reads it only when asked to.
bool is_unread_values(const Index& index, FileId file) {
    const Tree& tree = *index.tree;
    const std::string_view name = file_name_of(tree.files[file].path);
    const std::string_view chart = file_name_of(directory_of(tree.files[file].path));
    if (!name.starts_with("values") || name == "values.yaml") return false;
    for (FileId one = 0; one < tree.files.size(); ++one) {
        const std::string_view text = tree.indexed_text(one);
        if (one != file && text.find(name) != std::string_view::npos && text.find(chart) != std::string_view::npos)
            return false;
    }
    return true;
}

// The first of the two says nothing, so that nothing is lost.
bool is_empty_before(std::string_view text, const YamlProblem& problem) {
    if (problem.other.end >= text.size()) return false;
    const std::size_t line_end = std::min(text.find('\n', problem.other.end), text.size());
    std::string_view value = text.substr(problem.other.end, line_end - problem.other.end);
    value.remove_prefix(std::min(value.find_first_not_of(": \t\"'"), value.size()));
    value = value.substr(0, value.find_first_of(" \t\r#"));
    if (value == "{}" || value == "[]" || value == "null" || value == "~") return true;
    if (!value.empty()) return false;
    // Nothing on its line: a value follows where the next line is deeper, or begins a list at the same depth.
    const std::size_t begin = text.rfind('\n', problem.other.begin) + 1; // npos + 1 is 0
    const std::size_t depth = problem.other.begin - begin;
    for (std::size_t at = line_end + 1; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::size_t first = std::min(text.find_first_not_of(" \t\r", at), end);
        if (first < end && text[first] != '#') return first - at < depth || (first - at == depth && text[first] != '-');
        at = end + 1;
    }
    return true;
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
    struct Asked {
        bool by_helm = false, unread = false;
    };
    std::unordered_map<FileId, Asked> asked; // of files with such keys
    auto judge = [&](const File& file, const FileProblem& one, Finding finding) -> ProblemVerdict {
        if (merges_twice(file.text, one.problem)) return {"its own reader may merge both", {}};
        const auto [known, fresh] = asked.try_emplace(one.file);
        if (fresh) known->second.by_helm = is_read_by_helm(repository.index, one.file);
        if (fresh) known->second.unread = known->second.by_helm && is_unread_values(repository.index, one.file);
        if (known->second.by_helm) {
            finding.message += "; Helm takes the last";
            const bool idle = is_empty_before(file.text, one.problem) || known->second.unread;
            finding.severity = idle ? Severity::note : std::min(finding.severity, Severity::warning);
        }
        if (one.problem.same_value) finding.severity = Severity::note; // whichever counts, it says the same
        if (!repository.index.listers.of(one.file).empty() &&
            is_joined_by_kustomize(repository, one.file, one.problem.span)) {
            finding.message += "; kustomize merges both";
            finding.severity = Severity::note;
        }
        return {{}, std::move(finding)};
    };
    judge_problems(input, true, judge, outcome);
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::duplicate_key
