// Gathers CRDs of charts, manifests and releases, and asks files and gaps for those that nobody sees.
#include "deploy/crd_providers.h"
#include "base/text.h"
#include "deploy/nodes.h"
#include "index/cells.h"
#include "index/text_search.h"
#include <algorithm>

namespace lockstep {
namespace {

bool is_name(char c) {
    return is_letter(c) || is_digit(c) || c == '-';
}

bool is_no(const Cell& cell) {
    return cell.text == "false" || cell.text == "no" || cell.text == "False";
}

// The values that most charts know this switch by.
bool are_switched_off(const Value* values) {
    return is_no(cell_at(values, {"crds", "enabled"})) || is_no(cell_at(values, {"crds", "create"})) ||
           is_no(cell_at(values, {"crds", "install"})) || is_no(cell_at(values, {"installCRDs"}));
}

// The word by itself, or as the name of what holds only its CRDs: `cert-manager-crds`, `cert-manager.crds.yaml`.
bool mentions(std::string_view text, std::string_view word) {
    for (auto at = text.find(word); at != npos; at = text.find(word, at + 1)) {
        const std::string_view rest = text.substr(at + word.size());
        if ((at == 0 || !is_name(text[at - 1])) && (rest.empty() || !is_name(rest[0]) || rest.starts_with("-crd")))
            return true;
    }
    return false;
}

// Files that people or machines run before Flux does.
bool prepares_clusters(std::string_view path) {
    for (std::string_view word : {"bootstrap", "helmfile", "talos", "talconfig"})
        if (path.find(word) != npos) return true;
    if (is_terraform_template(path)) return true;
    const std::string_view name = path.substr(path.rfind('/') + 1);
    for (std::string_view end : {".sh", ".bash", ".tf", ".tofu", ".just"})
        if (name.ends_with(end)) return true;
    for (std::string_view one : {"Makefile", "justfile", ".justfile", "Justfile"})
        if (name == one) return true;
    return name.starts_with("Taskfile.") || path.find("/.taskfiles/") != npos || path.starts_with(".taskfiles/");
}

std::string group_of_crd(std::string_view crd) { // of `widgets.example.com`
    return std::string(crd.substr(std::min(crd.find('.'), crd.size() - 1) + 1));
}

} // namespace

CrdProviders::CrdProviders(const Index& index, const Fleet& fleet, const Table& charts, TextOfFile text)
    : index_(index), tree_(*index.tree), fleet_(fleet), text_(std::move(text)) {
    for (const Row& row : charts.rows)
        known[charts.at(row, "group").text].push_back({charts.at(row, "chart").text,
                                                       charts.at(row, "first").text == "yes",
                                                       charts.at(row, "network").text == "yes"});
    for (const Object& object : index.objects) {
        if (object.kind.text != "CustomResourceDefinition" || !is_known(object.name)) continue;
        if (fleet.is_shown(object)) continue; // as rendered
        const std::string group = group_of_crd(object.name.text);
        const auto chart = index.chart_by_dir.find(object.chart);
        if (!object.in_chart || chart == index.chart_by_dir.end()) {
            declared.insert(group);
            continue;
        }
        OwnCrds& crds = own[{chart->second, group}];
        (object.in_templates ? crds.among_templates : crds.first) = true;
        own_groups_.insert(group);
    }
    for (EntityId id = 0; id < index.releases.size(); ++id)
        release_of.emplace(index.releases[id].object, id);
    for (std::uint32_t i = 0; i < fleet.instances.size(); ++i) {
        const Instance& one = fleet.instances[i];
        if (one.id().kind == "CustomResourceDefinition") take_rendered(one);
        if (fleet.certainty_of(one) == Certainty::loose) continue;
        const std::uint32_t cluster = fleet.root_of(one).cluster;
        const bool by_helm = fleet.root_of(one).is_rendered(); // then the release brings it
        if (one.id().kind == "CustomResourceDefinition" && !by_helm)
            given.emplace(cluster, group_of_crd(one.id().name));
        if (one.object != no_entity && release_of.count(one.object)) releases[cluster].push_back(i);
    }
}

// By the chart that is installed, and by that of the template, which may be a part of it.
void CrdProviders::take_rendered(const Instance& one) {
    if (!fleet_.is_rendered(one)) return;
    const std::string group = group_of_crd(one.id().name);
    const Object* object = one.object == no_entity ? nullptr : &index_.objects[one.object];
    const bool first = object && !object->in_templates;
    std::set<EntityId> charts{fleet_.root_of(one).chart};
    if (const auto own_chart = object ? index_.chart_by_dir.find(object->chart) : index_.chart_by_dir.end();
        own_chart != index_.chart_by_dir.end())
        charts.insert(own_chart->second);
    charts.erase(no_entity);
    for (EntityId chart : charts) {
        OwnCrds& crds = own[{chart, group}];
        (first ? crds.first : crds.among_templates) = true;
        own_groups_.insert(group);
    }
}

// What a file that brings the CRDs of a group would speak of: the group, or a chart that is known to bring them.
std::vector<std::string> CrdProviders::words_of(const std::string& group) const {
    std::vector<std::string> words{group};
    if (const auto found = known.find(group); found != known.end())
        for (const CrdProvider& provider : found->second)
            words.push_back(provider.chart.substr(0, provider.chart.rfind("-crds")));
    return words;
}

// A script brings CRDs with a helmfile that is not in this tree: nobody here sees which.
bool CrdProviders::runs_lost_helmfile() const {
    bool runs = false;
    for (FileId file = 0; file < tree_.files.size(); ++file) {
        const std::string_view path = tree_.files[file].path;
        if (path.find("helmfile") != npos && is_indexable(tree_.files[file])) return false;
        if (runs || !prepares_clusters(path)) continue;
        const std::string_view text = text_(file);
        runs = mentions(text, "helmfile") && (text.find("crds") != npos || text.find("CustomResource") != npos);
    }
    return runs;
}

// Files that prepare a cluster before Flux runs and that speak of the CRDs: they may be there already.
bool CrdProviders::is_prepared(const std::string& group) {
    if (const auto asked = prepared_.find(group); asked != prepared_.end()) return asked->second;
    const std::vector<std::string> words = words_of(group);
    bool found = runs_lost_helmfile();
    for (FileId file = 0; file < tree_.files.size() && !found; ++file)
        if (prepares_clusters(tree_.files[file].path))
            found = std::any_of(words.begin(), words.end(),
                                [&](const std::string& word) { return mentions(text_(file), word); });
    for (const Kustomization& made : index_.kustomizations) // helmCharts: whoever runs kustomize installs it
        for (const KustomizeChart& one : made.helm_charts)
            found = found || std::find(words.begin(), words.end(), one.name.text) != words.end();
    return prepared_[group] = found;
}

// Another repository or a remote base that the cluster takes, and whose name, path or url speaks of the CRDs:
// nobody here sees what is in it.
bool CrdProviders::may_come_from_outside(std::uint32_t cluster, const std::string& group) const {
    const std::vector<std::string> words = words_of(group);
    for (const Root& root : fleet_.roots) {
        if (root.cluster != cluster || root.certainty == Certainty::loose) continue;
        for (const Gap& gap : root.gaps) {
            if (gap.why != Gap::Why::remote && gap.why != Gap::Why::unknown) continue;
            const Span span = gap.place.span;
            const std::string_view entry =
                is_there(gap.place) ? tree_.indexed_text(gap.place.file).substr(span.begin, span.end - span.begin)
                                    : std::string_view();
            for (const std::string& word : words)
                for (std::string_view text :
                     {std::string_view(root.name), std::string_view(root.spec.path.text), entry})
                    if (text.find(word) != npos) return true;
        }
    }
    return false;
}

// Whether a release brings the CRDs of a group. A chart of the tree is judged by what it has, not by its name.
const CrdProvider* CrdProviders::brings(const Instance& one, std::string_view group) const {
    static const CrdProvider of_tree{"", false, false};
    const EntityId release = release_of.at(one.object);
    const EntityId chart = index_.release_edges[release].chart;
    const auto by_name = known.find(group);
    const CrdProvider* found = nullptr;
    if (chart != no_entity) {
        if (own.count({chart, std::string(group)})) found = &of_tree;
        for (const ChartDependency& dependency : index_.charts[chart].dependencies)
            if (by_name != known.end())
                for (const CrdProvider& provider : by_name->second)
                    if (dependency.name.text == provider.chart) found = &provider;
    } else if (by_name != known.end()) {
        for (const CrdProvider& provider : by_name->second)
            if (index_.release_edges[release].chart_name.text == provider.chart) found = &provider;
    }
    if (!found) return nullptr;
    const Value* tree_of = fleet_.tree_of(one);
    if (value_at(tree_of, {"spec", "kubeConfig"})) return nullptr; // another cluster gets the chart
    if (cell_at(tree_of, {"spec", "suspend"}).text == "true" || fleet_.root_of(one).spec.suspend.text == "true")
        return nullptr; // not on a fresh cluster
    if (are_switched_off(value_at(tree_of, {"spec", "values"}))) return nullptr;
    if (found->first && cell_at(tree_of, {"spec", "install", "crds"}).text == "Skip") return nullptr;
    return found;
}

// Everything a release waits for, itself included; and what the Flux Kustomizations above it wait for.
bool CrdProviders::waits_for(const Instance& one, const Instance& other) const {
    std::vector<EntityId> open{release_of.at(one.object)};
    std::set<EntityId> seen{open.front()};
    for (std::size_t i = 0; i < open.size(); ++i) {
        if (open[i] == release_of.at(other.object)) return true;
        for (EntityId next : index_.release_edges[open[i]].depends_on)
            if (next != no_entity && seen.insert(next).second) open.push_back(next);
    }
    auto with_all_above = [&](std::uint32_t root, std::set<EntityId>& found, std::vector<EntityId>* order) {
        for (; root != no_number; root = fleet_.roots[root].above)
            if (const EntityId flux = fleet_.roots[root].flux; flux != no_entity && found.insert(flux).second && order)
                order->push_back(flux);
    };
    std::set<EntityId> there, met;
    std::vector<EntityId> fluxes;
    with_all_above(other.root, there, nullptr);
    with_all_above(one.root, met, &fluxes);
    for (std::size_t i = 0; i < fluxes.size(); ++i)
        for (EntityId next : index_.flux_edges[fluxes[i]].depends_on) {
            if (next == no_entity) continue;
            if (there.count(next)) return true;
            for (std::uint32_t root : fleet_.of_flux(next))
                with_all_above(root, met, &fluxes);
        }
    return false;
}

} // namespace lockstep
