// Tells problems of rendering apart, and finds the line each belongs to.
#include "checks/chart_problems.h"
#include "index/cells.h"
#include "index/side_paths.h"
#include <algorithm>
#include <map>
#include <set>

namespace lockstep {
namespace {

bool has(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

// The name in Go's words for an include of what is not there; empty for other messages.
std::string_view template_named(std::string_view message) {
    constexpr std::string_view start = "no template \"";
    const std::size_t at = message.find(start);
    if (at == std::string_view::npos) return {};
    message.remove_prefix(at + start.size());
    return message.substr(0, message.find('"'));
}

// Helpers are called `chart.helper`, and charts that are installed together share them.
bool is_of_another_chart(std::string_view helper, std::string_view chart) {
    const std::string_view owner = helper.substr(0, helper.find('.'));
    return owner.size() < helper.size() && owner != chart;
}

// Why nobody can judge it; empty: it can be judged.
std::string doubt_of(const ChartProblem& one) {
    const RenderProblem& problem = one.problem;
    if (problem.unknown) return "a value that only the cluster knows decides";
    if (problem.message.starts_with("chart requires kubeVersion") && !one.rendered.kubernetes_known)
        return "the cluster's Kubernetes version is unknown";
    if (one.release && !one.release->doubt.empty()) return one.release->doubt;
    const bool parses = !problem.message.starts_with("parse error at ");
    for (const DependencyOutcome& missing : one.rendered.missing)
        if (parses) return "chart " + missing.name + " is not at hand";
    for (const DependencyOutcome& taken : one.rendered.dependencies)
        if (parses && taken.by_name) return "chart " + taken.name + " is taken from this repository by its name only";
    if (parses && one.rendered.empty_helpers) return "a helper file of the chart is empty";
    const bool unset = has(problem.message, "values don't meet") && has(problem.message, "got null");
    if (!one.release && (problem.asked || unset)) return "the chart asks for values";
    if (!one.release && is_of_another_chart(template_named(problem.message), one.rendered.name))
        return "the chart that has it among its dependencies may define the template";
    return {};
}

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Top keys of values that the words of an error name.
std::vector<std::string> keys_named(std::string_view message) {
    constexpr std::string_view mark = ".Values.";
    std::vector<std::string> keys;
    for (auto at = message.find(mark); at != std::string_view::npos; at = message.find(mark, at + 1)) {
        std::size_t end = at + mark.size();
        while (end < message.size() && is_word(message[end]))
            ++end;
        keys.emplace_back(message.substr(at + mark.size(), end - at - mark.size()));
    }
    return keys;
}

bool has_key(std::string_view text, const std::string& key, bool at_top) {
    for (auto at = text.find(key + ":"); at != std::string_view::npos; at = text.find(key + ":", at + 1))
        if (at == 0 || text[at - 1] == '\n' || (!at_top && !is_word(text[at - 1]))) return true;
    return false;
}

bool is_below_chart(const Index& index, std::string_view path) {
    for (std::string_view dir = directory_of(path);; dir = directory_of(dir)) {
        if (index.chart_by_dir.count(std::string(dir))) return true;
        if (dir.empty()) return false;
    }
}

bool is_name(char c) {
    return is_word(c) || c == '-' || c == '.';
}

// A line `chart: ../charts/web` or `path: charts/web` that ends with the folder's name.
bool points_at(std::string_view text, std::string_view folder) {
    const std::string end = "/" + std::string(file_name_of(folder));
    for (auto at = text.find(end); at != std::string_view::npos; at = text.find(end, at + 1)) {
        if (at + end.size() < text.size() && is_name(text[at + end.size()])) continue;
        const std::size_t line = text.rfind('\n', at) + 1; // npos + 1 is 0
        const std::string_view before = text.substr(line, at - line);
        if (has(before, "chart:") || has(before, "path:")) return true;
    }
    return false;
}

// `ci/full-values.yaml`, `linter_values.yaml`, `tests/values/small.yaml`: of a chart's files, what its owners try it
// with.
bool is_other_values(std::string_view inside) {
    if (!inside.ends_with(".yaml") && !inside.ends_with(".yml")) return false;
    return inside.starts_with("ci/") || (inside.find("values") != std::string_view::npos && inside != "values.yaml" &&
                                         !inside.starts_with("templates/") && !inside.starts_with("charts/"));
}

// What else in the tree installs the chart, with values of its own.
std::string installer_of(const CheckInput& input, const std::set<FileId>& installers, const Chart& chart, EntityId id) {
    const Index& index = input.repository.index;
    for (const DependencyEdge& edge : index.dependency_edges)
        if (edge.by_file && edge.local == id && edge.chart != id)
            return "chart " + index.charts[edge.chart].name.text + " brings it along";
    const std::string below = chart.dir.empty() ? std::string() : chart.dir + "/";
    const std::vector<File>& files = index.tree->files; // in the order of their paths
    auto file = std::lower_bound(files.begin(), files.end(), below,
                                 [](const File& one, std::string_view path) { return one.path < path; });
    for (; file != files.end() && file->path.starts_with(below); ++file)
        if (is_other_values(std::string_view(file->path).substr(below.size())))
            return "it comes with other values, in " + file->path;
    for (const FileId other : installers)
        if (points_at(input.text(other), chart.dir)) return files[other].path + " installs it";
    return {};
}

// A value of a chart's own that is empty: whoever installs it fills it in.
bool is_empty_value(std::string_view message) {
    return has(message, "invalid value; expected ") || message.ends_with("; got interface {}");
}

// A chart of one's own may leave a value to whoever installs it: another tool, whose values are elsewhere in the tree.
std::string left_to_others(const CheckInput& input, const std::set<FileId>& installers, const ChartProblem& one,
                           ProblemKind kind) {
    if (one.release || one.chart == no_entity) return {};
    const Index& index = input.repository.index;
    const Tree& tree = *index.tree;
    if (has(one.problem.message, "cannot load values.yaml")) return "its values.yaml is no YAML";
    if (has(one.problem.message, ".Values.global.")) return "globals come from whoever installs the chart";
    if (is_empty_value(one.problem.message)) return "the chart leaves a value empty for whoever installs it";
    if (std::string other = installer_of(input, installers, index.charts[one.chart], one.chart); !other.empty())
        return other;
    if (tree.indexed_text(index.charts[one.chart].file).find("{{") != std::string_view::npos)
        return "another tool fills in its Chart.yaml before Helm reads it";
    const auto own = own_values(tree, index.charts[one.chart]);
    if (!own) return "the chart has no values.yaml: whoever installs it brings all values";
    for (const std::string& key : keys_named(one.problem.message)) {
        if (own && has_key(tree.indexed_text(*own), key, true)) continue;
        if (kind == ProblemKind::other) return "the chart leaves " + key + " to whoever installs it";
        for (FileId file = 0; file < tree.files.size(); ++file)
            if (has_key(tree.indexed_text(file), key, false) && !is_below_chart(index, tree.files[file].path))
                return key + " is set in " + tree.files[file].path;
    }
    return {};
}

// Helm names the template once more in front of each include around the fault; the innermost says what is wrong.
std::string short_message(const std::string& message) {
    constexpr std::string_view calling = ": error calling include: ";
    const std::size_t last = message.rfind(calling);
    std::string made = last == std::string::npos ? message : message.substr(last + calling.size());
    // `tpl` quotes the whole text that it was given.
    constexpr std::string_view quoting = "error during tpl function execution for \"";
    if (const std::size_t begin = made.find(quoting); begin != std::string::npos)
        if (const std::size_t end = made.rfind("\": "); end != std::string::npos && end > begin)
            made.erase(begin, end + 3 - begin);
    std::replace(made.begin(), made.end(), '\n', ' ');
    while (made.ends_with(' '))
        made.pop_back();
    constexpr std::size_t readable = 400;
    if (made.size() > readable) made = made.substr(0, readable) + " …";
    return made;
}

class Problems {
public:
    Problems(const CheckInput& input, ProblemKind kind, RuleOutcome& outcome)
        : input_(input), index_(input.repository.index), kind_(kind), outcome_(outcome),
          has_roots_(fleet_of(input.repository).has_roots) {
        for (const ReleaseEdges& edges : index_.release_edges) {
            released_.insert(edges.chart);
            released_names_.insert(edges.chart_name.text);
        }
        for (const Foreign& other : index_.foreign)
            installers_.insert(other.place.file);
        for (FileId file = 0; file < index_.tree->files.size(); ++file)
            if (index_.tree->files[file].path.ends_with(".gotmpl")) installers_.insert(file);
    }

    void add(EntityId chart, const RenderedChart& rendered, const ReleaseRow* release) {
        const std::string subject = subject_for(chart, release);
        const Place place = place_for(chart, release);
        bool any = false;
        for (const RenderProblem& problem : rendered.problems) {
            if (kind_of(problem) != kind_) continue;
            any = true;
            judge({chart, rendered, problem, release}, place, subject);
        }
        if (kind_ == ProblemKind::broken)
            for (const auto& include : rendered.undefined) {
                RenderProblem problem;
                problem.message = "no template \"" + include.name + "\"";
                problem.places.push_back(include.place);
                if (is_told(rendered, problem)) continue;
                any = true;
                judge({chart, rendered, problem, release, false}, place, subject);
            }
        if (!any) outcome_.pass(place, subject);
    }

    void report() {
        for (auto& [key, finding] : found_)
            outcome_.fail(key, std::move(finding));
    }

private:
    // Rendering met it, and says so.
    static bool is_told(const RenderedChart& rendered, const RenderProblem& include) {
        return std::any_of(rendered.problems.begin(), rendered.problems.end(), [&](const RenderProblem& problem) {
            return problem.message.find(include.message) != std::string::npos;
        });
    }

    // A file without any action is as broken before it is rendered.
    bool is_told_by_yaml(const RenderProblem& problem) const {
        if (problem.places.empty() || !has(problem.message, "YAML parse error on ")) return false;
        const FileId file = problem.places.front().file;
        return file < index_.tree->files.size() && !has(index_.tree->indexed_text(file), "{{") &&
               std::any_of(input_.repository.problems.begin(), input_.repository.problems.end(),
                           [&](const FileProblem& one) { return one.file == file; });
    }

    std::string subject_for(EntityId chart, const ReleaseRow* release) const {
        if (chart != no_entity) return index_.charts[chart].dir;
        return release->name + " " + release->version;
    }
    Place place_for(EntityId chart, const ReleaseRow* release) const {
        return release ? release->place : index_.charts[chart].name.place;
    }

    // The tree says what is applied, and no release asks for a chart of this name.
    bool is_idle(EntityId chart) const {
        return has_roots_ && chart != no_entity && !released_.contains(chart) &&
               !released_names_.contains(index_.charts[chart].name.text);
    }

    void judge(const ChartProblem& one, Place place, const std::string& subject) {
        std::string doubt = doubt_of(one);
        if (doubt.empty() && (kind_ == ProblemKind::other || kind_ == ProblemKind::nil_path))
            doubt = left_to_others(input_, installers_, one, kind_);
        if (doubt.empty() && is_told_by_yaml(one.problem))
            doubt = "the file itself is no YAML, which yaml-syntax tells";
        if (!doubt.empty()) return outcome_.undecided(place, subject, doubt);
        Finding finding;
        finding.rule = input_.rule.id;
        finding.severity = input_.rule.severity;
        if (!one.release)
            finding.severity = std::min(finding.severity, is_idle(one.chart) ? Severity::note : Severity::warning);
        // What no values can change is as wrong without a release.
        if (!one.release && kind_ == ProblemKind::broken && one.problem.message.starts_with("parse error at "))
            finding.severity = input_.rule.severity;
        const std::string name = one.chart == no_entity ? one.rendered.name : index_.charts[one.chart].name.text;
        if (one.met)
            finding.message = "chart " + name + " does not render" +
                              (one.release ? std::string() : std::string(" with its own values")) + ": " +
                              short_message(one.problem.message);
        else {
            finding.severity = std::min(finding.severity, Severity::warning);
            finding.message = "chart " + name + " includes `" + std::string(template_named(one.problem.message)) +
                              "`, which no chart defines: it does not render once this runs";
        }
        finding.place = one.problem.places.empty() ? place : one.problem.places.front();
        for (std::size_t i = 1; i < one.problem.places.size() && i < 4; ++i)
            if (one.problem.places[i] != finding.place)
                finding.related.push_back({one.problem.places[i], "used from here"});
        if (one.release && finding.place != place) finding.related.push_back({place, "this release installs it"});
        const std::string key = subject + ":" + short_message(one.problem.message);
        const auto [known, fresh] = found_.emplace(key, finding);
        if (fresh) return;
        if (finding.severity > known->second.severity) std::swap(known->second, finding);
        if (one.release && known->second.related.size() < most_related)
            known->second.related.push_back({place, "and this release"});
    }

    const CheckInput& input_;
    const Index& index_;
    ProblemKind kind_;
    RuleOutcome& outcome_;
    bool has_roots_;
    std::set<EntityId> released_;
    std::set<std::string_view> released_names_;
    std::set<FileId> installers_; // files of other tools, which may install a chart of this tree
    std::map<std::string, Finding> found_;
};

} // namespace

ProblemKind kind_of(const RenderProblem& problem) {
    const std::string_view message = problem.message;
    if (problem.schema) return ProblemKind::schema;
    if (message.starts_with("parse error at ") || has(message, "no template \"") || has(message, "\" not defined"))
        return ProblemKind::broken;
    if (has(message, "nil pointer evaluating")) return ProblemKind::nil_path;
    return ProblemKind::other;
}

void report_problems(const CheckInput& input, ProblemKind kind, RuleOutcome& outcome) {
    const Fleet& fleet = fleet_of(input.repository);
    const Index& index = input.repository.index;
    Problems problems(input, kind, outcome);
    for (const ReleaseRow& row : fleet.releases)
        if (row.rendered && fleet.certainty_of(fleet.instances[row.maker]) == Certainty::proven)
            problems.add(row.chart, *row.rendered, &row);
    for (EntityId id = 0; id < fleet.unreleased.size(); ++id)
        if (const auto& chart = fleet.unreleased[id].rendered; chart && !is_side_path(index, index.charts[id].file))
            problems.add(id, *chart, nullptr);
    problems.report();
}

} // namespace lockstep
