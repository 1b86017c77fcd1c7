// What a blueprint's chart brings: its dependencies, and the `catalystBlueprint.upstream` block of its values.yaml that
// mirrors them.
#include "base/semver.h"
#include "checks/checks.h"
#include "index/cells.h"
#include "index/pin_order.h"
#include "index/relations.h"
#include "rules/edit.h"
#include <algorithm>
#include <map>

namespace lockstep {
namespace {

// One row of the fact: `catalystBlueprint` of a values.yaml.
struct Mirror {
    Cell chart, version, repo;
    Place place;
    std::size_t filled() const {
        std::size_t count = 0;
        for (const Cell* cell : {&chart, &version, &repo})
            count += is_set(*cell) && !cell->text.empty() ? 1 : 0;
        return count;
    }
    bool complete() const { return filled() == 3; }
    bool templated() const {
        return chart.state == State::templated || version.state == State::templated || repo.state == State::templated;
    }
};

using Mirrors = std::map<std::string, Mirror>; // by folder of the chart

Mirrors read_mirrors(const CheckInput& input) {
    Mirrors mirrors;
    const Table& fact = input.facts["mirror"];
    for (const Row& row : fact.rows)
        mirrors[fact.at(row, "dir").text] = {fact.at(row, "chart"), fact.at(row, "version"), fact.at(row, "repo"),
                                             row.anchor};
    return mirrors;
}

// Folder of the chart that a blueprint names; where it names none, the `chart` folder beside it.
std::optional<EntityId> chart_of(const Index& index, const Blueprint& blueprint) {
    const Object& object = index.objects[blueprint.object];
    const std::string_view here = directory_of(index.tree->files[object.file].path);
    const std::string named = is_known(blueprint.chart) ? blueprint.chart.text : "chart";
    const auto dir = join_path(here, named);
    const auto found = dir ? index.chart_by_dir.find(*dir) : index.chart_by_dir.end();
    if (found == index.chart_by_dir.end()) return std::nullopt;
    return found->second;
}

std::map<EntityId, const Blueprint*> charts_of_blueprints(const Index& index) {
    std::map<EntityId, const Blueprint*> charts;
    for (const Blueprint& blueprint : index.blueprints) {
        const Object& object = index.objects[blueprint.object];
        if (object.partial || object.as_patch || blueprint.chart.state == State::templated) continue;
        if (const auto chart = chart_of(index, blueprint)) charts.emplace(*chart, &blueprint);
    }
    return charts;
}

std::string path_of_chart(const Index& index, const Chart& chart) {
    return index.tree->files[chart.file].path;
}

std::string normal_url(std::string_view url) {
    while (url.ends_with('/'))
        url.remove_suffix(1);
    return std::string(url);
}

class MirrorJudge {
public:
    MirrorJudge(const CheckInput& input, RuleOutcome& outcome) : index_(input.repository.index), outcome_(outcome) {
        for (const DependencyEdge& edge : index_.dependency_edges)
            if (!edge.own && !is_library(edge)) upstream_[edge.chart].push_back(edge.dependency);
    }

    void judge(EntityId id, const Mirror* mirror, bool of_blueprint) {
        const Chart& chart = index_.charts[id];
        const std::string subject = path_of_chart(index_, chart) + "#catalystBlueprint";
        const auto found = upstream_.find(id);
        const bool depends = found != upstream_.end();
        if (!mirror) {
            if (of_blueprint && depends) report_missing(chart, found->second, subject);
            return;
        }
        if (mirror->templated()) return outcome_.undecided(mirror->place, subject, "a templated value");
        if (const ChartDependency* named = dependency_called(chart, mirror->chart.text))
            return compare(subject, *mirror, *named);
        if (!depends) return judge_without(chart, *mirror, subject);
        if (mirror->filled() == 0)
            return fail(subject, mirror->place,
                        "the upstream block is empty, but " + chart.name.text + " depends on " +
                            names(chart, found->second),
                        chart.dependencies[found->second.front()].name.place, "the dependency");
        fail(subject, is_set(mirror->chart) ? mirror->chart.place : mirror->place,
             "the upstream block names " + (mirror->chart.text.empty() ? "no chart" : in_quotes(mirror->chart.text)) +
                 ", the dependencies are " + names(chart, found->second),
             chart.dependencies[found->second.front()].name.place, "the dependency");
    }

private:
    // Helpers for templates: it renders nothing by itself, so that a chart from scratch may depend on it.
    bool is_library(const DependencyEdge& edge) const {
        const std::string& name = index_.charts[edge.chart].dependencies[edge.dependency].name.text;
        const auto local = index_.charts_by_name.find(name);
        if (local != index_.charts_by_name.end())
            return std::all_of(local->second.begin(), local->second.end(),
                               [&](EntityId id) { return index_.charts[id].type.text == "library"; });
        return name == "common" || name.ends_with("-common") || name.ends_with("-library") || name.ends_with("-lib");
    }

    // By name, then by alias; the order of the list means nothing.
    static const ChartDependency* dependency_called(const Chart& chart, const std::string& name) {
        const ChartDependency* found = nullptr;
        for (const ChartDependency& one : chart.dependencies) {
            if (name.empty()) break;
            if (one.name.text == name) return &one;
            if (is_known(one.alias) && one.alias.text == name) found = &one;
        }
        return found;
    }

    void judge_without(const Chart& chart, const Mirror& mirror, const std::string& subject) {
        if (mirror.filled() == 0 || mirror.complete()) return outcome_.pass(mirror.place, subject);
        std::string lacks;
        for (const auto& [name, cell] : {std::pair{"chart", &mirror.chart}, std::pair{"version", &mirror.version},
                                         std::pair{"repo", &mirror.repo}})
            if (!is_set(*cell) || cell->text.empty()) lacks += (lacks.empty() ? "" : " and ") + std::string(name);
        fail(subject, mirror.place,
             "the upstream block of " + chart.name.text + " has no " + lacks +
                 ", and there is no dependency to say what it wraps",
             {}, {});
    }

    void compare(const std::string& subject, const Mirror& mirror, const ChartDependency& dependency) {
        if (dependency.version.state == State::templated || dependency.repository.state == State::templated)
            return outcome_.undecided(mirror.place, subject, "a templated dependency");
        bool good = true;
        const std::string& name = dependency.name.text;
        if (!is_set(mirror.version) || mirror.version.text.empty()) {
            good = false;
            fail(subject, mirror.place,
                 "the upstream block has no version, the dependency " + name + " is " +
                     (is_known(dependency.version) ? dependency.version.text : "unpinned"),
                 dependency.version.place, "the dependency");
        } else if (is_known(dependency.version) && !same_version(dependency.version, mirror.version)) {
            good = false;
            fail(subject, mirror.version.place,
                 "the upstream block says " + name + " " + mirror.version.text + ", the dependency is " +
                     dependency.version.text,
                 dependency.version.place, "the dependency is " + dependency.version.text,
                 same_version_edit(mirror.version, dependency.version));
        }
        if (!is_set(mirror.repo) || mirror.repo.text.empty()) {
            good = false;
            fail(subject + ".repo", mirror.place,
                 "the upstream block has no repo, the dependency " + name + " comes from " + dependency.repository.text,
                 dependency.repository.place, "the dependency");
        } else if (is_known(dependency.repository) &&
                   normal_url(mirror.repo.text) != normal_url(dependency.repository.text)) {
            good = false;
            fail(subject + ".repo", mirror.repo.place,
                 "the upstream block says that " + name + " comes from " + mirror.repo.text + ", the dependency says " +
                     dependency.repository.text,
                 dependency.repository.place, "the dependency");
        }
        if (good) outcome_.pass(mirror.place, subject);
    }

    static bool same_version(const Cell& dependency, const Cell& mirror) {
        return pin_order(dependency, mirror) == PinOrder::same;
    }

    void report_missing(const Chart& chart, const std::vector<std::uint32_t>& numbers, const std::string& subject) {
        fail(subject, chart.dependencies[numbers.front()].name.place,
             chart.name.text + " depends on " + names(chart, numbers) +
                 ", but its values.yaml has no catalystBlueprint.upstream block that says so",
             {}, {});
    }

    static std::string names(const Chart& chart, const std::vector<std::uint32_t>& numbers) {
        std::string all;
        for (const auto number : numbers)
            all += (all.empty() ? "" : ", ") + chart.dependencies[number].name.text;
        return all;
    }

    void fail(const std::string& subject, Place place, std::string message, Place other, std::string about,
              std::vector<Edit> edits = {}) {
        Finding finding;
        finding.message = std::move(message);
        finding.place = place;
        finding.edits = std::move(edits);
        if (is_there(other)) finding.related.push_back({other, std::move(about)});
        outcome_.fail(subject, std::move(finding));
    }

    const Index& index_;
    RuleOutcome& outcome_;
    std::map<EntityId, std::vector<std::uint32_t>> upstream_; // dependencies that are not our own charts
};

const Pair* no_upstream(const Chart& chart) {
    for (const Pair& pair : chart.annotations)
        if (pair.key.text == "catalyst.openova.io/no-upstream") return &pair;
    return nullptr;
}

} // namespace

void check_upstream_mirror(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    const Mirrors mirrors = read_mirrors(input);
    const auto blueprints = charts_of_blueprints(index);
    MirrorJudge judge(input, outcome);
    for (EntityId id = 0; id < index.charts.size(); ++id) {
        if (index.charts[id].subchart) continue; // judged where it comes from
        const auto mirror = mirrors.find(index.charts[id].dir);
        judge.judge(id, mirror == mirrors.end() ? nullptr : &mirror->second, blueprints.contains(id));
    }
}

void check_hollow_chart(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    const Mirrors mirrors = read_mirrors(input);
    for (const auto& [id, blueprint] : charts_of_blueprints(index)) {
        const Chart& chart = index.charts[id];
        if (chart.type.text == "library") continue;
        const std::string subject = path_of_chart(index, chart);
        const Pair* mark = no_upstream(chart);
        const Place place = is_set(chart.name) ? chart.name.place : chart.place;
        if (mark && mark->value.state == State::templated) {
            outcome.undecided(mark->value.place, subject, "a templated annotation");
            continue;
        }
        const bool from_scratch = mark && mark->value.text == "true";
        const Object& object = index.objects[blueprint->object];
        Finding finding;
        finding.related.push_back({object.name.place, "its blueprint " + object.name.text});
        if (from_scratch && !chart.dependencies.empty()) {
            finding.message = chart.name.text + " says no-upstream, but depends on " +
                              chart.dependencies.front().name.text + ": one of the two is wrong";
            finding.place = mark->value.place;
            finding.related.push_back({chart.dependencies.front().name.place, "the dependency"});
            outcome.fail(subject, std::move(finding));
            continue;
        }
        if (from_scratch || !chart.dependencies.empty()) {
            outcome.pass(place, subject);
            continue;
        }
        const auto mirror = mirrors.find(chart.dir);
        if (input.config.overlay_blueprints && mirror != mirrors.end() && mirror->second.complete()) {
            outcome.pass(place, subject);
            continue;
        }
        finding.message = chart.name.text + " has no dependencies and no annotation " +
                          "catalyst.openova.io/no-upstream: \"true\": it installs nothing of what it is named after";
        finding.place = place;
        if (mirror != mirrors.end() && mirror->second.filled() > 0)
            finding.related.push_back(
                {mirror->second.place, "the values say that it wraps " + mirror->second.chart.text});
        outcome.fail(subject, std::move(finding));
    }
}

} // namespace lockstep
