// What the YAML layer could not read, as findings of yaml-syntax and duplicate-key.
#include "checks/checks.h"
#include "deploy/fleet.h"
#include "index/side_paths.h"
#include <algorithm>
#include <array>
#include <optional>

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

// A template that cannot be read without rendering it is no broken file: where an action (or another tool's `{% %}`)
// stands within a few lines of the break, nobody can tell here whose fault it is.
bool may_be_a_template(std::string_view text, Span span, bool terraform) {
    constexpr std::array<std::string_view, 2> helm_actions = {"{{", "}}"}, terraform_actions = {"%{", "\n${"};
    for (std::string_view mark : {"{%", "\n<#if", "\n<#list", "\n<#assign"}) // Jinja, FreeMarker
        if (text.find(mark) != std::string_view::npos) return true;
    constexpr int lines_around = 3;
    std::size_t begin = std::min<std::size_t>(span.begin, text.size()), end = begin;
    for (int i = 0; i <= lines_around && begin > 0; ++i)
        begin = text.rfind('\n', begin - 1) == std::string_view::npos ? 0 : text.rfind('\n', begin - 1);
    for (int i = 0; i <= 1 && end < text.size(); ++i)
        end = std::min(text.find('\n', end + (i > 0 ? 1 : 0)), text.size());
    const std::string_view around = text.substr(begin, end - begin);
    for (std::string_view action : terraform ? terraform_actions : helm_actions)
        if (around.find(action) != std::string_view::npos) return true;
    return false;
}

// A chart's partials: Helm makes no document of them, and what they define may be any text. Of a library's templates it
// reads nothing else.
bool is_partial(const Index& index, const File& file) {
    const std::string_view path = file.path, text = file.text;
    const std::size_t first = std::min(text.find_first_not_of(" \t\r\n-{"), text.size());
    const bool partial =
        file_name_of(path).starts_with('_') || (text.starts_with("{{") && text.substr(first).starts_with("define"));
    for (std::string_view dir = directory_of(path); !dir.empty(); dir = directory_of(dir))
        if (file_name_of(dir) == "templates")
            if (const auto chart = index.chart_by_dir.find(std::string(directory_of(dir)));
                chart != index.chart_by_dir.end())
                return partial || index.charts[chart->second].type.text == "library";
    return false;
}

// kustomize reads it as it is, braces or not.
bool is_listed(const Repository& repository, FileId file) {
    const Index& index = repository.index;
    const auto listers = index.listers.of(file);
    return std::any_of(listers.begin(), listers.end(),
                       [&](std::uint32_t number) {
                           const ListedEdge& edge = index.listed_edges[number];
                           return index.kustomizations[edge.kustomization].listed[edge.entry].as == Listing::resource;
                       }) &&
           fleet_of(repository).certainty_of_file(file) == Certainty::proven;
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

// `<<` twice: the readers of Kubernetes and Helm refuse it, those of GitLab and Ansible merge both.
bool merges_twice(std::string_view text, const YamlProblem& problem) {
    return problem.kind == YamlProblem::Kind::duplicate_key && problem.span.end <= text.size() &&
           text.substr(problem.span.begin, problem.span.end - problem.span.begin) == "<<" &&
           text.find("apiVersion:") == std::string_view::npos;
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

// The lines that git writes around what two sides say, in this order. None: somebody draws with `=======`.
std::vector<Span> conflict_marks(std::string_view text) {
    std::vector<Span> found;
    constexpr std::array<std::string_view, 3> marks = {"<<<<<<< ", "=======", ">>>>>>> "};
    std::size_t next = 0, complete = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        if (text.substr(at, end - at).starts_with(marks[next])) {
            if (next == 0) found.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + 7)});
            if (next == 2) complete = found.size();
            next = (next + 1) % marks.size();
        }
        at = end + 1;
    }
    found.resize(complete);
    return found;
}

// One cause, however many documents it breaks.
Finding conflict_finding(FileId file, const std::vector<Span>& marks) {
    Finding finding;
    finding.message = "a merge conflict was left in this file" +
                      (marks.size() > 1 ? ", in " + std::to_string(marks.size()) + " places" : std::string());
    finding.place = {file, marks.front()};
    for (std::size_t i = 1; i < marks.size() && i <= most_related; ++i)
        finding.related.push_back({{file, marks[i]}, "and here"});
    return finding;
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

// One verdict per file that was parsed: pass, or each of its problems of this kind.
void report_kind(const CheckInput& input, RuleOutcome& outcome, YamlProblem::Kind kind) {
    const Repository& repository = input.repository;
    std::size_t next = 0;
    for (FileId id = 0; id < repository.tree->files.size(); ++id) {
        const File& file = repository.tree->files[id];
        bool clean = true;
        std::optional<std::vector<Span>> conflict; // looked for at the first problem of the file
        for (; next < repository.problems.size() && repository.problems[next].file == id; ++next) {
            const FileProblem& problem = repository.problems[next];
            const bool syntax = problem.problem.kind != YamlProblem::Kind::duplicate_key;
            if (syntax != (kind == YamlProblem::Kind::syntax)) continue;
            clean = false;
            if (!is_said_to_be_yaml(file)) {
                outcome.undecided({id, problem.problem.span}, file.path, "nothing says that this template is YAML");
                continue;
            }
            // A limit is told wherever it is met: else a file could hide behind it.
            if (problem.problem.kind == YamlProblem::Kind::syntax && !problem.problem.limit &&
                is_partial(repository.index, file)) {
                outcome.undecided({id, problem.problem.span}, file.path, "a partial: Helm makes no document of it");
                continue;
            }
            if (problem.problem.kind == YamlProblem::Kind::syntax && !problem.problem.limit &&
                !is_listed(repository, id) &&
                may_be_a_template(file.text, problem.problem.span, is_terraform_template(file.path))) {
                outcome.undecided({id, problem.problem.span}, file.path, "a template that cannot be read as it stands");
                continue;
            }
            if (merges_twice(file.text, problem.problem)) {
                outcome.undecided({id, problem.problem.span}, file.path, "its own reader may merge both");
                continue;
            }
            Finding finding = finding_of(problem);
            if (syntax && !problem.problem.limit) {
                const bool first = !conflict;
                if (first) conflict = conflict_marks(file.text);
                if (!conflict->empty() && !first) continue;
                if (!conflict->empty()) finding = conflict_finding(id, *conflict);
            }
            finding.rule = input.rule.id;
            finding.severity =
                problem.problem.kind == YamlProblem::Kind::line_separator ? Severity::warning : input.rule.severity;
            if (!syntax && is_chart_values(repository.index, file.path)) {
                finding.message += "; Helm takes the last";
                finding.severity = is_empty_before(file.text, problem.problem)
                                       ? Severity::note
                                       : std::min(finding.severity, Severity::warning);
            }
            // A limit or a NUL may hide more than data.
            if (!problem.problem.limit && (is_payload(repository.index, id) || is_idle(repository, id)))
                finding.severity = Severity::note;
            if (problem.problem.same_value) finding.severity = Severity::note; // whichever counts, it says the same
            if (!syntax && !repository.index.listers.of(id).empty() &&
                is_joined_by_kustomize(repository, id, problem.problem.span)) {
                finding.message += "; kustomize puts both together";
                finding.severity = Severity::note;
            }
            outcome.fail(file.path, std::move(finding));
        }
        if (clean && file.state == FileState::read && is_indexable(file))
            outcome.pass({id, {}}, [&] { return file.path; });
    }
}

} // namespace

void check_yaml_syntax(const CheckInput& input, RuleOutcome& outcome) {
    report_kind(input, outcome, YamlProblem::Kind::syntax);
}

void check_duplicate_key(const CheckInput& input, RuleOutcome& outcome) {
    report_kind(input, outcome, YamlProblem::Kind::duplicate_key);
}

} // namespace lockstep
