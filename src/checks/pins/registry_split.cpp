// The charts of blueprints come from one registry: within a kit (one folder), or those that the config names.
#include "deploy/fleet.h"
#include "deploy/flux_spec.h"
#include "index/cells.h"
#include "index/pin_order.h"
#include "index/relations.h"
#include "rules/check.h"
#include <algorithm>
#include <map>
#include <set>

namespace lockstep::registry_split {
namespace {

struct Pull {
    Cell url;
    std::string registry, subject;
};

std::set<std::string> names_of_blueprints(const Index& index) {
    std::set<std::string> names;
    for (const Blueprint& blueprint : index.blueprints)
        names.insert(index.objects[blueprint.object].name.text);
    return names;
}

// `oci://ghcr.io/acme/bp-web` for the chart bp-web: the doubled name is another rule's matter.
std::string without_chart(std::string registry, const std::string& chart) {
    if (registry.ends_with("/" + chart)) registry.resize(registry.size() - chart.size() - 1);
    return registry;
}

// An OCIRepository's url ends with the chart's own name.
std::string registry_of(const Source& source, const std::string& url, const std::string& chart) {
    const std::string key = registry_key(url);
    return source.kind == "OCIRepository" ? key.substr(0, key.rfind('/')) : without_chart(key, chart);
}

// What releases make of a template: each url once.
std::vector<Cell> rendered_urls(const Fleet& fleet, EntityId object) {
    std::vector<Cell> urls;
    for (std::uint32_t number : fleet.of_object(object)) {
        const Instance& one = fleet.instances[number];
        if (fleet.certainty_of(one) == Certainty::possible) continue;
        Cell url = cell_at(fleet.tree_of(one), {"spec", "url"});
        if (std::none_of(urls.begin(), urls.end(), [&](const Cell& other) { return other.text == url.text; }))
            urls.push_back(std::move(url));
    }
    return urls;
}

// Sources of blueprints' charts by folder; one entry per source.
std::map<std::string, std::vector<Pull>> kits(const Repository& repository, RuleOutcome& outcome) {
    const Index& index = repository.index;
    const Fleet& fleet = fleet_of(repository);
    const auto names = names_of_blueprints(index);
    std::map<std::string, std::vector<Pull>> found;
    std::set<EntityId> seen;
    for (EntityId id = 0; id < index.releases.size(); ++id) {
        const ReleaseEdges& edges = index.release_edges[id];
        const Object& object = index.objects[index.releases[id].object];
        if (object.partial || object.as_patch || edges.source == no_entity) continue;
        if (fleet.is_shown(object) && fleet.of_object(index.releases[id].object).empty()) continue; // switched off
        if (!is_known(edges.chart_name) || !names.contains(edges.chart_name.text)) continue;
        if (!seen.insert(edges.source).second) continue;
        const Source& source = index.sources[edges.source];
        if (source.kind != "HelmRepository" && source.kind != "OCIRepository") continue;
        const Object& declared = index.objects[source.object];
        const std::string subject = subject_of(index, declared);
        const std::string folder(directory_of(index.tree->files[declared.file].path));
        if (fleet.is_shown(declared)) {
            for (Cell& url : rendered_urls(fleet, source.object)) {
                const std::string registry = registry_of(source, url.text, edges.chart_name.text);
                if (is_known(url))
                    found[folder].push_back({std::move(url), registry, subject});
                else
                    outcome.undecided(declared.name.place, subject, "the url is not known");
            }
            continue;
        }
        if (!is_set(source.url)) {
            Finding finding;
            finding.message = source.kind + " " + declared.name.text + " has no url, and " + edges.chart_name.text +
                              " is pulled from it: its registry cannot be compared with the others";
            finding.place = declared.name.place;
            outcome.fail(subject, std::move(finding));
            continue;
        }
        if (!is_known(source.url)) {
            outcome.undecided(source.url.place, subject, "a templated url");
            continue;
        }
        found[folder].push_back({source.url, without_chart(edges.registry, edges.chart_name.text), subject});
    }
    return found;
}

std::string most_used(const std::vector<Pull>& pulls, const Index& index) {
    std::map<std::string, std::size_t> counts;
    for (const Pull& pull : pulls)
        ++counts[pull.registry];
    std::string best;
    std::pair<std::size_t, bool> best_score;
    for (const auto& [registry, count] : counts) {
        const std::pair<std::size_t, bool> score{count, is_own_registry(index, registry)};
        if (!best.empty() && score <= best_score) continue;
        best = registry;
        best_score = score;
    }
    return best;
}

void run(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    std::vector<std::string> right;
    for (const auto& url : input.config.registries)
        right.push_back(registry_key(url));
    for (const auto& [folder, pulls] : kits(input.repository, outcome)) {
        const std::string common = right.empty() ? most_used(pulls, index) : std::string();
        const auto sibling =
            std::find_if(pulls.begin(), pulls.end(), [&](const Pull& pull) { return pull.registry == common; });
        for (const Pull& pull : pulls) {
            const bool good = right.empty() ? pull.registry == common
                                            : std::find(right.begin(), right.end(), pull.registry) != right.end();
            if (good) {
                outcome.pass(pull.url.place, pull.subject);
                continue;
            }
            Finding finding;
            finding.place = pull.url.place;
            if (right.empty()) {
                finding.message =
                    "this blueprint is pulled from " + pull.registry + ", the others of the kit from " + common;
                finding.related.push_back({sibling->url.place, "as most of the kit"});
            } else {
                finding.message =
                    "this blueprint is pulled from " + pull.registry + ", the config says " + right.front();
            }
            finding.cause = folder;
            outcome.fail(pull.subject, std::move(finding));
        }
    }
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::registry_split
