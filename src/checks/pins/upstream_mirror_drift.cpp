// The `catalystBlueprint.upstream` block of a chart's values.yaml mirrors its dependencies.
#include "checks/upstream_block.h"
#include "index/blueprint_charts.h"
#include "index/cells.h"
#include "index/pin_order.h"
#include "rules/check.h"
#include "rules/edit.h"
#include <algorithm>

namespace lockstep::upstream_mirror_drift {
namespace {

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

void run(const CheckInput& input, RuleOutcome& outcome) {
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

} // namespace

constexpr NativeCheck check{run, "mirror: dir chart version repo"};

} // namespace lockstep::upstream_mirror_drift
