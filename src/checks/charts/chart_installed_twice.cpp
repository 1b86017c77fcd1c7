// Charts of this tree that one cluster installs twice: by a HelmRelease of their own, and inside an umbrella.
#include "index/cells.h"
#include "rules/check.h"
#include <map>

namespace lockstep::chart_installed_twice {
namespace {

void run(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    std::map<EntityId, std::vector<const Object*>> released; // chart to HelmReleases
    for (EntityId id = 0; id < index.releases.size(); ++id) {
        const Object& object = index.objects[index.releases[id].object];
        if (!object.partial && !object.as_patch && index.release_edges[id].chart != no_entity)
            released[index.release_edges[id].chart].push_back(&object);
    }
    std::map<EntityId, Finding> findings; // one per umbrella
    std::map<EntityId, std::string> names;
    for (const DependencyEdge& edge : index.dependency_edges) {
        const Chart& umbrella = index.charts[edge.chart];
        if (umbrella.subchart || edge.local == no_entity || edge.local == edge.chart) continue;
        const auto outer = released.find(edge.chart), inner = released.find(edge.local);
        if (outer == released.end()) continue;
        const ChartDependency& dependency = umbrella.dependencies[edge.dependency];
        const Place place = dependency.name.place;
        const std::string subject =
            index.tree->files[umbrella.file].path + "#dependencies[name=" + dependency.name.text + "]";
        std::vector<Related> twice;
        for (const Object* whole : outer->second)
            for (const Object* own : inner == released.end() ? std::vector<const Object*>() : inner->second)
                if (tree_of(index, *whole) == tree_of(index, *own))
                    twice.push_back({own->name.place, own->name.text + " is released on its own"});
        if (twice.empty()) {
            outcome.pass(place, subject);
        } else if (is_set(dependency.condition)) {
            outcome.undecided(place, subject, "the dependency has a condition");
        } else {
            Finding& finding = findings[edge.chart];
            if (is_there(finding.place))
                finding.related.push_back({place, dependency.name.text + " as a dependency"});
            else
                finding.place = place;
            finding.related.insert(finding.related.end(), twice.begin(), twice.end());
            std::string& list = names[edge.chart];
            list += (list.empty() ? "" : ", ") + index.charts[edge.local].name.text;
            outcome.subjects.push_back({place, subject, Verdict::fail, {}, outcome.subjects.size()});
        }
    }
    for (auto& [chart, finding] : findings) {
        const Chart& umbrella = index.charts[chart];
        finding.message = umbrella.name.text +
                          " brings as a dependency what the same cluster also releases on its own: " + names[chart];
        for (const Object* whole : released[chart])
            finding.related.push_back({whole->name.place, umbrella.name.text + " is released here"});
        finding.rule = input.rule.id;
        finding.severity = input.rule.severity;
        finding.key = input.rule.id + ":" + umbrella.dir;
        outcome.add(std::move(finding));
    }
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::chart_installed_twice
