// OCI registries whose url already ends with the chart's name. Flux and Helm append the name themselves, so the pull
// asks for it twice. Some publishers do nest their charts that way; only where the tree shows where the charts stand is
// it said.
#include "index/cells.h"
#include "index/relations.h"
#include "rules/check.h"
#include <map>
#include <set>

namespace lockstep::oci_url_repeats_chart {
namespace {

struct Pull {
    Cell url;
    std::string chart, subject;
    Place chart_place;
};

bool is_oci(const Cell& url) {
    return is_known(url) && url.text.starts_with("oci://");
}

std::string_view last_segment(std::string_view key) {
    const std::size_t slash = key.rfind('/');
    return slash == std::string_view::npos ? std::string_view() : key.substr(slash + 1);
}

std::string parent_of(const std::string& key) {
    const std::size_t slash = key.rfind('/');
    return slash == std::string::npos ? std::string() : key.substr(0, slash);
}

class Doubled {
public:
    Doubled(const Index& index, RuleOutcome& outcome) : index_(index), outcome_(outcome) {
        // Where charts stand: urls that others pull from, and the parents of urls that name a chart in full.
        for (const Source& source : index.sources) {
            if (!is_oci(source.url)) continue;
            const std::string key = registry_key(source.url.text);
            if (source.kind == "HelmRepository") parents_[key].insert(source.name.text);
            if (source.kind == "OCIRepository") parents_[parent_of(key)].insert(source.name.text);
        }
        for (const Chart& chart : index.charts)
            for (const ChartDependency& dependency : chart.dependencies)
                if (is_oci(dependency.repository))
                    parents_[registry_key(dependency.repository.text)].insert(dependency.name.text);
    }

    void judge(const Pull& pull) const {
        const std::string key = registry_key(pull.url.text);
        if (last_segment(key) != pull.chart) return outcome_.pass(pull.url.place, pull.subject);
        const std::string parent = parent_of(key);
        std::string proof;
        if (is_own_registry(index_, parent))
            proof = "the charts of this tree are directly below " + parent;
        else if (const auto others = parents_.find(parent); others != parents_.end() && others->second.size() > 1)
            proof = "others here are pulled from directly below " + parent;
        else if (const auto folder = last_segment(parent);
                 folder == "charts" || folder == "helm-charts" || folder == "helm")
            proof = parent + " is where the charts are";
        if (proof.empty())
            return outcome_.undecided(pull.url.place, pull.subject, "the registry may hold the chart one level deeper");
        Finding finding;
        finding.message = "the url ends with the chart's name, and the pull appends it again: " + key + "/" +
                          pull.chart + " is asked for, while " + proof;
        finding.place = pull.url.place;
        finding.related.push_back({pull.chart_place, "the chart that is appended"});
        outcome_.fail(pull.subject, std::move(finding));
    }

private:
    const Index& index_;
    RuleOutcome& outcome_;
    std::map<std::string, std::set<std::string>> parents_; // to what is pulled from there
};

void run(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    const Doubled doubled(index, outcome);
    std::set<std::pair<EntityId, std::string>> seen;
    for (EntityId id = 0; id < index.releases.size(); ++id) {
        const ReleaseEdges& edges = index.release_edges[id];
        const Object& object = index.objects[index.releases[id].object];
        if (object.partial || object.as_patch || edges.source == no_entity || !is_known(edges.chart_name)) continue;
        const Source& source = index.sources[edges.source];
        if (source.kind != "HelmRepository" || !is_oci(source.url)) continue;
        if (!seen.emplace(edges.source, edges.chart_name.text).second) continue;
        doubled.judge({source.url, edges.chart_name.text,
                       subject_of(index, index.objects[source.object]) + ":" + edges.chart_name.text,
                       edges.chart_name.place});
    }
    for (const Chart& chart : index.charts) {
        if (chart.subchart) continue;
        for (const ChartDependency& dependency : chart.dependencies)
            if (is_oci(dependency.repository) && is_known(dependency.name))
                doubled.judge({dependency.repository, dependency.name.text,
                               index.tree->files[chart.file].path + "#dependencies[name=" + dependency.name.text + "]",
                               dependency.name.place});
    }
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::oci_url_repeats_chart
