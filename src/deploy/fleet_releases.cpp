// HelmReleases among what clusters get: their charts, if at hand, are rendered with their values, and what comes out is
// applied by roots of their own. A chart may bring further releases and Flux Kustomizations.
#include "base/parallel.h"
#include "deploy/fleet_walk.h"
#include "deploy/release_values.h"
#include "helm/hashes.h"
#include "index/cells.h"
#include "index/links.h"
#include <algorithm>

namespace lockstep {
namespace {

constexpr std::size_t releases_at_once = 256; // releases that are looked at before they are taken

bool is_exact(std::string_view version) {
    return !version.empty() && version.find_first_not_of("v0123456789.") == std::string_view::npos &&
           std::count(version.begin(), version.end(), '.') == 2;
}

bool is_same_version(std::string_view a, std::string_view b) {
    const auto bare = [](std::string_view text) { return text.starts_with('v') ? text.substr(1) : text; };
    return bare(a) == bare(b);
}

// Flux cuts a name that Helm would refuse, and puts a part of its checksum behind it.
std::string shortened(std::string name) {
    constexpr std::size_t longest = 53, of_checksum = 12;
    if (name.size() <= longest) return name;
    const std::string checksum = hex_text(sha256_bytes(name));
    return name.substr(0, longest - of_checksum - 1) + "-" + checksum.substr(0, of_checksum);
}

std::string titled(std::string_view name, std::string_view version) {
    return std::string(name) + (version.empty() ? "" : " ") + std::string(version);
}

void add_to_key(const Value& value, std::string& key) {
    key += std::to_string(value.place.file) + ":" + std::to_string(value.place.span.begin) + ":" +
           std::to_string(value.changed_by.file) + ":" + std::to_string(value.changed_by.span.begin);
    key += value.unknown ? '?' : ' ';
    key += value.tag;
    key += ' ';
    key += std::to_string(value.text.size()) + " ";
    key += value.text;
    key += std::to_string(value.count) + "\n";
    for (const Value* child : value.all())
        add_to_key(*child, key);
}

std::string key_of(const ChartRequest& request) {
    std::string key = request.archive ? request.archive->file : std::to_string(request.chart);
    key += "\n" + request.release + "\n" + request.ns + "\n" + (request.crds ? "c" : "-") +
           (request.skip_schema ? "s" : "-") + (request.skip_missing_files ? "m" : "-") +
           (request.files_of_chart ? "f" : "-") + std::to_string(request.helm.major) + "." +
           std::to_string(request.helm.minor) + "." + std::to_string(request.helm.patch) + " " + request.kube_version +
           "\n";
    for (const ChartRequest::ValuesFile& file : request.values_files)
        key += std::to_string(file.at.file) + ":" + std::to_string(file.at.span.begin) + " " + file.path;
    for (const ValuesPart& part : request.values) {
        key += "\n" + part.target_path + " " + (part.literal ? "l" : "") + (part.known ? "k" : "?") +
               std::to_string(part.place.file) + ":" + std::to_string(part.place.span.begin) + " " + part.text;
        if (part.tree) add_to_key(*part.tree, key);
    }
    return key;
}

} // namespace

void FleetWalk::render_releases() {
    while (!releases_.empty() && !made_.beyond_limit) {
        std::vector<AskedRelease> asked;
        const std::vector<std::uint32_t> makers = std::exchange(releases_, {});
        number_releases();
        for (std::size_t begin = 0; begin < makers.size(); begin += releases_at_once) {
            std::vector<AskedRelease> some(std::min(releases_at_once, makers.size() - begin));
            parallel_for(some.size(), input_.jobs, [&](std::size_t i) { some[i] = look_up(makers[begin + i]); });
            for (AskedRelease& one : some)
                if (one.row.why_not.empty()) {
                    ask_for(one);
                    asked.push_back(std::move(one));
                } else { // of most releases the chart is not at hand
                    take_release(one, nullptr);
                }
        }
        std::vector<AskedRelease*> fresh; // one for each key
        for (AskedRelease& one : asked)
            if (rendered_.try_emplace(one.key).second) fresh.push_back(&one);
        std::vector<std::shared_ptr<const RenderedChart>> made(fresh.size());
        parallel_for(fresh.size(), input_.jobs, [&](std::size_t i) {
            made[i] =
                std::make_shared<const RenderedChart>(render_request(*input_.charts, *index_.tree, fresh[i]->request));
        });
        for (std::size_t i = 0; i < fresh.size(); ++i)
            rendered_[fresh[i]->key] = made[i];
        for (AskedRelease& one : asked)
            take_release(one, rendered_[one.key]);
        drain();
    }
    for (Root& root : made_.roots)
        fill_variables(root);
}

void FleetWalk::number_releases() {
    if (!release_of_object_.empty()) return;
    release_of_object_.assign(index_.objects.size(), no_entity);
    for (EntityId id = 0; id < index_.releases.size(); ++id)
        release_of_object_[index_.releases[id].object] = id;
}

// Changes nothing here: several threads look at a time.
FleetWalk::AskedRelease FleetWalk::look_up(std::uint32_t maker) const {
    AskedRelease asked;
    asked.maker = asked.row.maker = maker;
    const Instance& one = made_.instances[maker];
    Arena arena; // of most releases the chart is not at hand
    asked.tree = made_.tree_of(one, arena);
    if (!asked.tree) {
        asked.row.why_not = "kustomize cannot make it";
        return asked;
    }
    if (one.object != no_entity) asked.row.declared = release_of_object_[one.object];
    find_chart(asked, std::string(one.id().ns), made_.root_of(one).cluster);
    asked.tree = nullptr;
    return asked;
}

// Fills in what it takes to render it.
void FleetWalk::ask_for(AskedRelease& asked) {
    const Instance one = made_.instances[asked.maker];
    const std::uint32_t cluster = made_.root_of(one).cluster;
    const std::string ns(one.id().ns);
    asked.tree = made_.tree_of(one, *made_.specs_);

    const Cell target = cell_at(asked.tree, {"spec", "targetNamespace"}),
               named = cell_at(asked.tree, {"spec", "releaseName"});
    asked.request.ns = is_set(target) ? target.text : ns.empty() ? "default" : ns;
    asked.request.release = shortened(is_set(named)    ? named.text
                                      : is_set(target) ? target.text + "-" + std::string(one.id().name)
                                                       : std::string(one.id().name));
    asked.request.crds = cell_at(asked.tree, {"spec", "install", "crds"}).text != "Skip";
    const ClusterVersions& runs = versions_of(cluster);
    asked.request.kube_version = runs.kubernetes;
    asked.request.helm = runs.helm;
    if (target.state == State::templated || named.state == State::templated || !one.name_known || !one.ns_known)
        asked.doubt = "the names of the release are not known";
    const SupplierOf supply = [&](std::string_view kind, std::string_view name) {
        return supplier(kind, name, ns, cluster);
    };
    std::string unseen = values_of_release(asked.tree, supply, asked.request);
    const std::string base = asked.request.files_of_chart && asked.row.chart != no_entity
                                 ? index_.charts[asked.row.chart].dir + "/"
                                 : std::string();
    for (const ChartRequest::ValuesFile& file : asked.request.values_files)
        if (unseen.empty() && index_.tree->is_unlisted(clamp_path(base + file.path)))
            unseen = "the values file " + file.path + " is excluded from what is read";
    if (!unseen.empty()) asked.doubt = std::move(unseen);
    asked.key = key_of(asked.request);
}

const ClusterVersions& FleetWalk::versions_of(std::uint32_t cluster) {
    const auto [known, fresh] = versions_.try_emplace(cluster);
    if (fresh) known->second = cluster_versions(index_, made_.clusters[cluster].name, input_.kubernetes);
    return known->second;
}

void FleetWalk::take_local_chart(AskedRelease& asked, EntityId chart) const {
    asked.row.chart = asked.request.chart = chart;
    asked.row.where = index_.charts[chart].dir;
    if (asked.row.version.empty() && is_known(index_.charts[chart].version))
        asked.row.version = index_.charts[chart].version.text;
}

void FleetWalk::take_cached_chart(AskedRelease& asked) const {
    asked.request.archive = input_.charts->archive(asked.row.name, asked.row.version);
    if (asked.request.archive) asked.row.where = asked.request.archive->file;
    if (!asked.request.archive)
        asked.row.why_not = "chart " + titled(asked.row.name, asked.row.version) + " is not at hand";
    else if (!is_exact(asked.row.version))
        asked.doubt = "the release takes the newest chart in " + asked.row.version;
}

void FleetWalk::find_chart(AskedRelease& asked, const std::string& ns, std::uint32_t cluster) const {
    ReleaseRow& row = asked.row;
    const Cell chart = cell_at(asked.tree, {"spec", "chart", "spec", "chart"});
    const Cell version = cell_at(asked.tree, {"spec", "chart", "spec", "version"});
    const Value* source_ref = value_at(asked.tree, {"spec", "chart", "spec", "sourceRef"});
    row.place = is_there(chart.place) ? chart.place : cell_at(asked.tree, {"spec", "chartRef", "name"}).place;
    row.name = chart.text;
    if (chart.state == State::templated || version.state == State::templated) {
        row.why_not = "its chart is not known";
        return;
    }
    const std::string kind = cell_at(source_ref, {"kind"}).text;
    asked.request.files_of_chart = true;
    if (is_known(chart) && (kind == "GitRepository" || kind == "Bucket")) {
        asked.request.files_of_chart = false;
        Reference source;
        source.kind = cell_at(source_ref, {"kind"});
        source.name = cell_at(source_ref, {"name"});
        source.ns = cell_at(source_ref, {"namespace"});
        const Origin origin = origin_of(source, ns, made_.instances[asked.maker].object, cluster);
        const auto local = index_.chart_by_dir.find(clamp_path(chart.text));
        if (origin.ours == Ours::no)
            row.why_not = "its chart is in another repository";
        else if (local == index_.chart_by_dir.end())
            row.why_not = "this repository has no chart in " + clamp_path(chart.text);
        else
            take_local_chart(asked, local->second);
        if (origin.ours == Ours::unknown) asked.doubt = "its source is not known to be this repository";
        return;
    }
    static const ReleaseEdges nothing;
    const ReleaseEdges& edges = row.declared == no_entity ? nothing : index_.release_edges[row.declared];
    if (!is_known(chart) && is_known(edges.chart_name)) row.name = edges.chart_name.text;
    const Cell& asked_version = is_set(version) ? version : edges.version;
    row.version = asked_version.text;
    row.repository = is_known(edges.source_url) ? edges.source_url.text : std::string();
    if (row.name.empty() || asked_version.state == State::templated) {
        row.why_not = "its chart is not known";
        return;
    }
    const Chart* local = edges.chart == no_entity ? nullptr : &index_.charts[edges.chart];
    if (local && is_known(local->version) && is_same_version(local->version.text, row.version))
        return take_local_chart(asked, edges.chart);
    take_cached_chart(asked);
    if (local && !asked.request.archive && is_known(local->version))
        row.why_not += "; this repository has " + titled(row.name, local->version.text);
}

// A ConfigMap or Secret that the cluster gets for sure.
const Value* FleetWalk::supplier(std::string_view kind, std::string_view name, std::string_view ns,
                                 std::uint32_t cluster) const {
    const auto named = by_name_.find(name_key(kind, name));
    if (named == by_name_.end()) return nullptr;
    for (const std::uint32_t number : named->second) {
        const Instance& one = made_.instances[number];
        if (made_.root_of(one).cluster != cluster || !one.id().group.empty() || !one.name_known) continue;
        if (one.id().ns != ns && !one.id().ns.empty() && !ns.empty()) continue;
        if (made_.certainty_of(one) != Certainty::proven) continue;
        return made_.tree_of(one);
    }
    return nullptr;
}

std::uint32_t FleetWalk::add_release_root(const AskedRelease& asked, const RenderedChart& chart, bool unknown) {
    const Instance& maker = made_.instances[asked.maker];
    const Root& above = made_.roots[maker.root];
    Root root;
    root.by = Root::By::release;
    root.release = asked.row.declared;
    root.chart = asked.row.chart;
    root.maker = asked.maker;
    root.above = maker.root;
    root.ns = asked.request.ns;
    root.name = asked.request.release;
    root.place = asked.row.place;
    root.certainty = above.certainty;
    root.why = above.why;
    if (asked.row.chart != no_entity) root.dir = index_.charts[asked.row.chart].dir;
    std::string cluster = made_.clusters[above.cluster].name;
    for (const char* holder : {"secretRef", "configMapRef"})
        if (const Cell other = cell_at(asked.tree, {"spec", "kubeConfig", holder, "name"}); is_set(other))
            cluster += " through " + other.text;
    root.cluster = cluster_for(cluster);
    const auto doubt = [&](const std::string& why) {
        if (why.empty() || root.certainty != Certainty::proven) return;
        root.certainty = Certainty::possible;
        root.why = why;
    };
    doubt(asked.doubt);
    for (const DependencyOutcome& taken : chart.dependencies)
        if (taken.by_name) doubt("chart " + taken.name + " is taken from " + taken.where + " by its name only");
    if (unknown) doubt("a value that only the cluster knows decides about it");
    for (const DependencyOutcome& missing : chart.missing)
        root.gaps.push_back(
            {Gap::Why::chart, is_there(missing.at) ? missing.at : root.place, words_for_missing(missing)});
    if (!asked.doubt.empty()) root.gaps.push_back({Gap::Why::chart, root.place, asked.doubt});
    if (!chart.undecided.empty())
        root.gaps.push_back({Gap::Why::chart, root.place, "a value that only the cluster knows decides what it has"});
    root.first = static_cast<std::uint32_t>(made_.instances.size());
    made_.roots.push_back(std::move(root));
    return static_cast<std::uint32_t>(made_.roots.size() - 1);
}

void FleetWalk::take_release(AskedRelease& asked, const std::shared_ptr<const RenderedChart>& chart) {
    asked.row.rendered = chart;
    asked.row.doubt = asked.doubt;
    if (chart && asked.row.name.empty()) asked.row.name = chart->name;
    if (chart) asked.row.why_not = chart->why_not();
    if (!asked.row.why_not.empty()) {
        made_.releases.push_back(std::move(asked.row));
        return;
    }
    const std::uint32_t cluster = made_.root_of(made_.instances[asked.maker]).cluster;
    const PostRendering after = post_rendering(asked.tree, versions_of(cluster), asked.row.place, *made_.specs_);
    asked.row.root = take_documents(chart, after, asked.row.place,
                                    [&](bool unknown) { return add_release_root(asked, *chart, unknown); });
    if (!made_.beyond_limit) made_.releases.push_back(std::move(asked.row));
}

} // namespace lockstep
