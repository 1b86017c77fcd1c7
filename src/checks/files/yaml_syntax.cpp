// Files that are no YAML, and merge conflicts that were left in them.
#include "checks/file_problems.h"
#include <algorithm>
#include <array>

namespace lockstep::yaml_syntax {
namespace {

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

bool is_git_crypt(std::string_view text) {
    return text.starts_with(std::string_view("\0GITCRYPT\0", 10));
}

// Whoever unlocked the repository can read it; Flux never can.
ProblemVerdict judge_git_crypt(const Repository& repository, Finding finding) {
    const Fleet& fleet = fleet_of(repository);
    if (!fleet.has_roots || fleet.certainty_of_file(finding.place.file) != Certainty::proven)
        return {"git-crypt has encrypted it", {}};
    finding.message = "git-crypt has encrypted this file, and Flux, which applies it, cannot decrypt it";
    return {{}, std::move(finding)};
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
void tell_conflict(const std::vector<Span>& marks, Finding& finding) {
    const FileId file = finding.place.file;
    finding.message = "a merge conflict was left in this file" +
                      (marks.size() > 1 ? ", in " + std::to_string(marks.size()) + " places" : std::string());
    finding.place = {file, marks.front()};
    finding.related.clear();
    for (std::size_t i = 1; i < marks.size() && i <= most_related; ++i)
        finding.related.push_back({{file, marks[i]}, "and here"});
}

void run(const CheckInput& input, RuleOutcome& outcome) {
    const Repository& repository = input.repository;
    FileId conflict_of = no_file; // the file whose merge conflict is told
    FileId locked = no_file;      // the encrypted file that is judged
    auto judge = [&](const File& file, const FileProblem& one, Finding finding) -> ProblemVerdict {
        if (is_git_crypt(file.text)) {
            const bool first = locked != one.file;
            locked = one.file;
            return first ? judge_git_crypt(repository, std::move(finding)) : ProblemVerdict{};
        }
        // A limit is told wherever it is met: else a file could hide behind it.
        if (one.problem.limit) return {{}, std::move(finding)};
        const bool broken = one.problem.kind == YamlProblem::Kind::syntax;
        if (broken && is_partial(repository.index, file)) return {"a partial: Helm makes no document of it", {}};
        if (broken && !is_listed(repository, one.file) &&
            may_be_a_template(file.text, one.problem.span, is_terraform_template(file.path)))
            return {"a template that cannot be read without rendering it", {}};
        if (conflict_of == one.file) return {};
        if (one.problem.kind == YamlProblem::Kind::line_separator) finding.severity = Severity::warning;
        if (const auto marks = conflict_marks(file.text); !marks.empty()) {
            conflict_of = one.file;
            tell_conflict(marks, finding);
        }
        return {{}, std::move(finding)};
    };
    judge_problems(input, false, judge, outcome);
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::yaml_syntax
