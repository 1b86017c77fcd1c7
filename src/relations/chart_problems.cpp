// Why charts of this tree do not render, and which values their templates print that nobody sets: each on its own line,
// once, however many releases meet it.
#include "relations/chart_problems.h"
#include "index/cells.h"
#include "index/side_paths.h"
#include "index/text_search.h"
#include "relations/relation.h"
#include "relations/values_elsewhere.h"
#include <algorithm>
#include <map>
#include <set>

namespace lockstep::chart_problems {
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

std::string_view word_of(ProblemKind kind) {
    switch (kind) {
    case ProblemKind::parse:
        return "parse";
    case ProblemKind::undefined:
        return "undefined";
    case ProblemKind::path:
        return "path";
    case ProblemKind::schema:
        return "schema";
    case ProblemKind::render:
        return "render";
    }
    return {};
}

class Problems {
public:
    Problems(const RelationInput& input, RelationRows& rows)
        : input_(input), index_(input.repository.index), rows_(rows), has_roots_(fleet_of(input.repository).has_roots),
          elsewhere_(input) {
        for (const ReleaseEdges& edges : index_.release_edges) {
            released_.insert(edges.chart);
            released_names_.insert(edges.chart_name.text);
        }
    }

    void add(EntityId chart, const RenderedChart& rendered, const ReleaseRow* release) {
        const std::string of = chart != no_entity ? index_.charts[chart].dir : release->name + " " + release->version;
        const Place place = release ? release->place : index_.charts[chart].name.place;
        bool any = false;
        for (const RenderProblem& problem : rendered.problems) {
            any = true;
            take({chart, rendered, problem, release}, place, of);
        }
        if (rendered.problems.empty()) note_reads(chart, rendered, release);
        for (const auto& include : rendered.undefined) {
            RenderProblem problem;
            problem.message = "no template \"" + include.name + "\"";
            problem.places.push_back(include.place);
            if (is_told(rendered, problem)) continue;
            any = true;
            take({chart, rendered, problem, release, false}, place, of);
        }
        if (!any) rows_.add(rows_.start(place, of).set("kind", "none").set("of", of));
    }

    void finish() {
        for (const auto& [at, unset] : unset_)
            if (!defined_.contains(at)) take_unset(at, unset);
        for (auto& [key, row] : found_)
            rows_.add(std::move(row));
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

    // One row for a path, however many templates print it.
    void take_unset(Place at, const UnsetValue& unset) {
        const std::string of = index_.charts[unset.chart].dir;
        RenderProblem problem;
        problem.message = ".Values." + unset.path;
        const ChartProblem one{unset.chart, *unset.rendered, problem, unset.release};
        const std::string leaf = unset.path.substr(unset.path.rfind('.') + 1);
        std::string doubt = doubt_of(one);
        if (doubt.empty()) doubt = elsewhere_.left_to_others(one, ProblemKind::path);
        if (const FileId file = elsewhere_.other_values_with(unset.chart, leaf); doubt.empty() && file != no_file)
            doubt = leaf + " is set in " + index_.tree->files[file].path;
        if (!doubt.empty())
            return rows_.add(rows_.start(at, of).set("kind", "unset").set("of", of).set("doubt", doubt));
        NewRow row = rows_.start(at, of + ":" + unset.path);
        row.set("kind", "unset").set("of", of).set("path", problem.message);
        if (is_there(unset.parent)) row.also(unset.parent, "the map that does not have it");
        const auto [known, fresh] = found_.emplace("unset " + of + ":" + unset.path, std::move(row));
        if (!fresh) known->second.also(at, "printed here, too");
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

    std::string why_nobody_knows(const ChartProblem& one, ProblemKind kind) {
        std::string doubt = doubt_of(one);
        if (doubt.empty() && (kind == ProblemKind::render || kind == ProblemKind::path))
            doubt = elsewhere_.left_to_others(one, kind);
        if (doubt.empty() && one.chart != no_entity && is_placeholder_name(index_.charts[one.chart].name.text))
            doubt = "its name is a placeholder: a generator makes charts from it";
        if (doubt.empty() && kind == ProblemKind::undefined && !one.met && one.chart != no_entity &&
            elsewhere_.is_documented(one.chart, template_named(one.problem.message)))
            doubt = "the chart's documentation asks its users to define the template";
        if (doubt.empty() && is_told_by_yaml(one.problem))
            doubt = "the file itself is not YAML, which yaml-syntax reports";
        return doubt;
    }

    void take(const ChartProblem& one, Place place, const std::string& of) {
        const ProblemKind kind = kind_of(one.problem);
        const std::string word(one.met ? word_of(kind) : "include");
        if (std::string doubt = why_nobody_knows(one, kind); !doubt.empty())
            return rows_.add(rows_.start(place, of).set("kind", word).set("of", of).set("doubt", std::move(doubt)));
        const std::string message = short_message(one.problem.message);
        const std::string key = of + ":" + message;
        if (const auto known = found_.find(word + " " + key); known != found_.end()) {
            if (one.release) known->second.also(place, "and this release");
            return;
        }
        const Place at = one.problem.places.empty() ? place_of_file(one, place) : one.problem.places.front();
        NewRow row = rows_.start(at, key);
        row.set("kind", word).set("of", of).set("message", message);
        row.set("chart", one.chart == no_entity ? one.rendered.name : index_.charts[one.chart].name.text);
        row.set("installed", one.release ? "by a release" : is_idle(one.chart) ? "by nobody" : "perhaps");
        if (!one.release) row.set("values", "its own values");
        if (!one.met) row.set("template", std::string(template_named(one.problem.message)));
        if (kind == ProblemKind::path) row.set("path", top_of_path(one.problem.message));
        if (holds(one.problem.message, "<.Release.Time")) row.set("hint", "Helm 3 has no .Release.Time");
        for (std::size_t i = 1; i < one.problem.places.size() && i < 4; ++i)
            if (one.problem.places[i] != at) row.also(one.problem.places[i], "used from here");
        if (one.release && at != place) row.also(place, "this release installs it");
        found_.emplace(word + " " + key, std::move(row));
    }

    const RelationInput& input_;
    const Index& index_;
    RelationRows& rows_;
    bool has_roots_;
    std::set<EntityId> released_;
    std::set<std::string_view> released_names_;
    ValuesElsewhere elsewhere_;
    std::map<Place, UnsetValue> unset_; // by the place that prints it
    std::set<Place> defined_;           // that some release has a value for
    std::map<std::string, NewRow> found_;
};

void fill(const RelationInput& input, RelationRows& rows) {
    const Fleet& fleet = fleet_of(input.repository);
    const Index& index = input.repository.index;
    Problems problems(input, rows);
    for (const ReleaseRow& row : fleet.releases)
        if (row.rendered && fleet.certainty_of(fleet.instances[row.maker]) == Certainty::proven)
            problems.add(row.chart, *row.rendered, &row);
    for (EntityId id = 0; id < fleet.unreleased.size(); ++id)
        if (const auto& chart = fleet.unreleased[id].rendered; chart && !is_side_path(index, index.charts[id].file))
            problems.add(id, *chart, nullptr);
    problems.finish();
}

} // namespace

constexpr Relation relation{"chart-problems", "kind of chart message installed values template path hint doubt",
                            "**/*.gotmpl **/*.md", fill};

} // namespace lockstep::chart_problems

namespace lockstep {

ProblemKind kind_of(const RenderProblem& problem) {
    const std::string_view message = problem.message;
    if (problem.schema) return ProblemKind::schema;
    if (message.starts_with("parse error at ")) return ProblemKind::parse;
    if (holds(message, "no template \"") || holds(message, "\" not defined")) return ProblemKind::undefined;
    if (holds(message, "nil pointer evaluating")) return ProblemKind::path;
    return ProblemKind::render;
}

} // namespace lockstep
