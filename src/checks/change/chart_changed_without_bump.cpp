// Charts whose content this change touches while their version stays: what is published under it does not change with
// them.
#include "deploy/chart_content.h"
#include "deploy/nodes.h"
#include "index/cells.h"
#include "index/pin_order.h"
#include "rules/check.h"
#include <algorithm>
#include <set>

namespace lockstep::chart_changed_without_bump {
namespace {

struct Touched {
    std::string path; // inside the chart
    Place place;      // no file when it was removed
};

class ChartJudge {
public:
    ChartJudge(const CheckInput& input, RuleOutcome& outcome)
        : base_(*input.base), head_(input.repository), nodes_(input.repository), outcome_(outcome) {
        for (EntityId id = 0; id < head_.index.release_edges.size(); ++id)
            if (const EntityId chart = head_.index.release_edges[id].chart; chart != no_entity)
                releases_[chart].push_back(id);
        for (const DependencyEdge& edge : head_.index.dependency_edges)
            if (edge.local != no_entity && !edge.by_file) pulled_.insert(edge.local);
    }

    void judge(EntityId id) {
        const Chart& chart = head_.index.charts[id];
        const Chart* old = chart_before(chart);
        if (chart.subchart || !old || !is_published(id) || !is_set(chart.version)) return;
        const std::string subject = head_.tree->files[chart.file].path;
        const Place place = chart.version.place;
        if (!is_known(chart.version) || !is_known(old->version))
            return outcome_.undecided(place, subject, "a templated version");
        if (plain_version(chart.version.text) != plain_version(old->version.text) || follows_revisions(id))
            return outcome_.pass(place, subject);
        const std::vector<Touched> touched = changes(*old, chart);
        if (touched.empty()) return outcome_.pass(place, subject);
        if (is_stamped_later(head_.index, chart.version))
            return outcome_.undecided(place, subject, "the chart's version is stamped when it is published");
        Finding finding;
        finding.message = "this change touches " + touched.front().path +
                          (touched.size() > 1 ? " and " + std::to_string(touched.size() - 1) + " more files" : "") +
                          " of chart " + chart.name.text + ", whose version stays " + chart.version.text +
                          ": clusters that have " + chart.version.text + " do not get it";
        finding.place = place;
        for (const Touched& one : touched)
            if (is_there(one.place)) finding.related.push_back({one.place, "changed here"});
        outcome_.fail(subject, std::move(finding));
    }

private:
    // In the same folder, or the only one of its name when the folder moved.
    const Chart* chart_before(const Chart& chart) const {
        const Index& index = base_.index;
        if (const auto there = index.chart_by_dir.find(chart.dir); there != index.chart_by_dir.end())
            return &index.charts[there->second];
        const auto named = index.charts_by_name.find(chart.name.text);
        return named != index.charts_by_name.end() && named->second.size() == 1 ? &index.charts[named->second.front()]
                                                                                : nullptr;
    }

    static bool is_sample(std::string_view dir) {
        const std::string path = "/" + std::string(dir) + "/";
        for (std::string_view folder : {"/tests/", "/test/", "/testdata/", "/examples/", "/fixtures/"})
            if (path.find(folder) != std::string::npos) return true;
        return false;
    }

    // Somebody gets it by its version: a release, another chart, or a registry that this repository pushes to.
    bool is_published(EntityId id) const {
        return releases_.contains(id) || pulled_.contains(id) ||
               (!head_.index.own_registry_keys.empty() && !is_sample(head_.index.charts[id].dir));
    }

    // Taken from Git with `reconcileStrategy: Revision` everywhere: every commit counts, versions do not.
    bool follows_revisions(EntityId chart) {
        const auto found = releases_.find(chart);
        if (found == releases_.end() || pulled_.contains(chart)) return false;
        return std::all_of(found->second.begin(), found->second.end(), [&](EntityId release) {
            const Object& object = head_.index.objects[head_.index.releases[release].object];
            const NodeRef spec = node_at(nodes_.root(object), {"spec", "chart", "spec"});
            return spec.get("reconcileStrategy").resolved().text() == "Revision";
        });
    }

    std::vector<Touched> changes(const Chart& old, const Chart& chart) const {
        std::vector<Touched> touched;
        const auto before = chart_files(base_.index, old), now = chart_files(head_.index, chart);
        for (const auto& [path, file] : now) {
            const auto there = before.find(path);
            Span at;
            if (there == before.end())
                touched.push_back({path, {file, {}}});
            else if (content_differs(*base_.tree, there->second, *head_.tree, file, path, at))
                touched.push_back({path, {file, at}});
        }
        for (const auto& [path, file] : before)
            if (!now.contains(path)) touched.push_back({path + " (removed)", {}});
        return touched;
    }

    const Repository& base_;
    const Repository& head_;
    Nodes nodes_;
    RuleOutcome& outcome_;
    std::map<EntityId, std::vector<EntityId>> releases_; // by chart
    std::set<EntityId> pulled_;                          // charts that another one depends on by version
};

void run(const CheckInput& input, RuleOutcome& outcome) {
    if (!input.base) return;
    ChartJudge judge(input, outcome);
    for (EntityId id = 0; id < input.repository.index.charts.size(); ++id)
        judge.judge(id);
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::chart_changed_without_bump
