// Tells problems of rendering apart, and finds the line each belongs to.
#include "checks/chart_problems.h"
#include "checks/values_elsewhere.h"
#include "index/cells.h"
#include "index/side_paths.h"
#include "index/text_search.h"
#include <algorithm>
#include <map>
#include <set>

namespace lockstep {
namespace {

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
    const bool unset = holds(problem.message, "values don't meet") && holds(problem.message, "got null");
    if (!one.release && (problem.asked || unset)) return "the chart asks for values";
    if (!one.release && is_of_another_chart(template_named(problem.message), one.rendered.name))
        return "the chart that has it among its dependencies may define the template";
    return {};
}

// A path that a template prints, and that these values do not have.
struct UnsetValue {
    EntityId chart = no_entity;
    const RenderedChart* rendered = nullptr;
    const ReleaseRow* release = nullptr;
    std::string path;
    Place parent;
};

// `__name__`, `<NAME>`: a generator fills it in where it makes a chart of this.
bool is_placeholder_name(std::string_view name) {
    return name.starts_with("__") || name.find_first_of("<>{}%$@") != std::string_view::npos;
}

// The path that a message of Helm is about, as far as its first name: `.Values.web`, `.Release.Time`.
std::string top_of_path(std::string_view message) {
    const std::size_t at = message.rfind("at <");
    if (at == std::string_view::npos) return std::string(message);
    std::string_view path = message.substr(at + 4);
    path = path.substr(0, path.find('>'));
    for (std::string_view object : {".Values.", ".Release.", ".Capabilities.", ".Chart."})
        if (const std::size_t begin = path.find(object); begin != std::string_view::npos) {
            const std::size_t end = path.find_first_of(". )|", begin + object.size());
            return std::string(path.substr(begin, std::min(end, path.size()) - begin));
        }
    return std::string(path);
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
          has_roots_(fleet_of(input.repository).has_roots), elsewhere_(input) {
        for (const ReleaseEdges& edges : index_.release_edges) {
            released_.insert(edges.chart);
            released_names_.insert(edges.chart_name.text);
        }
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
        if (kind_ == ProblemKind::nil_path && rendered.problems.empty()) note_reads(chart, rendered, release);
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
        for (const auto& [at, unset] : unset_)
            if (!defined_.contains(at)) judge_unset(at, unset);
        for (auto& [key, finding] : found_)
            outcome_.fail(key, std::move(finding));
    }

private:
    // Of the chart's own templates: one that is brought along is somebody else's.
    void note_reads(EntityId chart, const RenderedChart& rendered, const ReleaseRow* release) {
        if (chart == no_entity) return;
        const std::string& dir = index_.charts[chart].dir;
        const std::string below = dir.empty() ? "templates/" : dir + "/templates/";
        for (const RenderedChart::Read& read : rendered.reads) {
            if (!index_.tree->files[read.at.file].path.starts_with(below)) continue;
            if (read.defined) defined_.insert(read.at);
            if (read.missing)
                unset_.try_emplace(read.at, UnsetValue{chart, &rendered, release, read.path, read.parent});
        }
    }

    // One finding for a path, however many templates print it.
    void judge_unset(Place at, const UnsetValue& unset) {
        const std::string subject = index_.charts[unset.chart].dir;
        RenderProblem problem;
        problem.message = ".Values." + unset.path;
        const ChartProblem one{unset.chart, *unset.rendered, problem, unset.release};
        const std::string leaf = unset.path.substr(unset.path.rfind('.') + 1);
        std::string doubt = doubt_of(one);
        if (doubt.empty()) doubt = elsewhere_.left_to_others(one, kind_);
        if (const FileId file = elsewhere_.other_values_with(unset.chart, leaf); doubt.empty() && file != no_file)
            doubt = leaf + " is set in " + index_.tree->files[file].path;
        if (!doubt.empty()) return outcome_.undecided(at, subject, doubt);
        Finding finding;
        finding.rule = input_.rule.id;
        finding.severity = Severity::note;
        finding.message =
            "no values file defines `" + problem.message + "`, and the template prints it without a default, so it comes out empty";
        finding.place = at;
        if (is_there(unset.parent)) finding.related.push_back({unset.parent, "the map that does not have it"});
        const auto [known, fresh] = found_.emplace(subject + ":" + unset.path, finding);
        if (!fresh && known->second.related.size() < most_related)
            known->second.related.push_back({at, "printed here, too"});
    }

    // Rendering met it, and says so.
    static bool is_told(const RenderedChart& rendered, const RenderProblem& include) {
        return std::any_of(rendered.problems.begin(), rendered.problems.end(), [&](const RenderProblem& problem) {
            return problem.message.find(include.message) != std::string::npos;
        });
    }

    // A file without any action is as broken before it is rendered.
    bool is_told_by_yaml(const RenderProblem& problem) const {
        if (problem.places.empty() || !holds(problem.message, "YAML parse error on ")) return false;
        const FileId file = problem.places.front().file;
        return file < index_.tree->files.size() && !holds(index_.tree->indexed_text(file), "{{") &&
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

    // Of a chart that Helm does not even load: what its words name.
    Place place_of_file(const ChartProblem& one, Place otherwise) const {
        if (one.chart == no_entity) return otherwise;
        const Chart& chart = index_.charts[one.chart];
        if (holds(one.problem.message, "cannot load values.yaml"))
            if (const auto own = own_values(*index_.tree, chart)) return {*own, {0, 0}};
        for (const auto& [words, cell] :
             {std::pair("chart.metadata.version ", &chart.version), std::pair("chart.metadata.type ", &chart.type)})
            if (holds(one.problem.message, words) && is_set(*cell)) return cell->place;
        return otherwise;
    }

    // The tree says what is applied, and no release asks for a chart of this name.
    bool is_idle(EntityId chart) {
        if (!has_roots_ && chart != no_entity && elsewhere_.is_left_out_by_helmfile(chart)) return true;
        return has_roots_ && chart != no_entity && !released_.contains(chart) &&
               !released_names_.contains(index_.charts[chart].name.text);
    }

    void judge(const ChartProblem& one, Place place, const std::string& subject) {
        std::string doubt = doubt_of(one);
        if (doubt.empty() && (kind_ == ProblemKind::other || kind_ == ProblemKind::nil_path))
            doubt = elsewhere_.left_to_others(one, kind_);
        if (doubt.empty() && one.chart != no_entity && is_placeholder_name(index_.charts[one.chart].name.text))
            doubt = "its name is a placeholder: a generator makes charts from it";
        if (doubt.empty() && kind_ == ProblemKind::broken && !one.met && one.chart != no_entity &&
            elsewhere_.is_documented(one.chart, template_named(one.problem.message)))
            doubt = "the chart's documentation asks its users to define the template";
        if (doubt.empty() && is_told_by_yaml(one.problem))
            doubt = "the file itself is not YAML, which yaml-syntax reports";
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
                              short_message(one.problem.message) +
                              (holds(one.problem.message, "<.Release.Time") ? "; Helm 3 has no .Release.Time" : "");
        else {
            finding.severity = std::min(finding.severity, Severity::warning);
            finding.message = "chart " + name + " includes `" + std::string(template_named(one.problem.message)) +
                              "`, which no chart defines: rendering fails as soon as this line runs";
        }
        finding.place = one.problem.places.empty() ? place_of_file(one, place) : one.problem.places.front();
        for (std::size_t i = 1; i < one.problem.places.size() && i < 4; ++i)
            if (one.problem.places[i] != finding.place)
                finding.related.push_back({one.problem.places[i], "used from here"});
        if (one.release && finding.place != place) finding.related.push_back({place, "this release installs it"});
        if (kind_ == ProblemKind::nil_path) finding.cause = subject + ":" + top_of_path(one.problem.message);
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
    ValuesElsewhere elsewhere_;
    std::map<Place, UnsetValue> unset_; // by the place that prints it
    std::set<Place> defined_;           // that some release has a value for
    std::map<std::string, Finding> found_;
};

} // namespace

ProblemKind kind_of(const RenderProblem& problem) {
    const std::string_view message = problem.message;
    if (problem.schema) return ProblemKind::schema;
    if (message.starts_with("parse error at ") || holds(message, "no template \"") || holds(message, "\" not defined"))
        return ProblemKind::broken;
    if (holds(message, "nil pointer evaluating")) return ProblemKind::nil_path;
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
