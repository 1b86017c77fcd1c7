// Collects the sites that say which Flux runs: bootstrap files, charts, releases, Flux's own objects.
#include "index/flux_sites.h"
#include "index/cells.h"
#include "index/relations.h"
#include "index/side_paths.h"
#include <set>

namespace lockstep {
namespace {

using SiteKind = FluxSite::Kind;
using Status = FluxSite::Status;

std::string_view file_name(std::string_view path) {
    return path.substr(path.find_last_of('/') + 1);
}

std::string_view folder(std::string_view path) {
    const auto slash = path.rfind('/');
    return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

class SiteCollector {
public:
    SiteCollector(const Index& index, const FluxReleases& known) : index_(index), known_(known) {}

    void add_bootstrap() {
        for (const BootstrapPin& pin : index_.bootstrap_pins) {
            FluxSite site;
            const std::string_view path = path_of(pin.anchor.file);
            site.subject = std::string(path) + ":" + std::string(to_string(pin.kind));
            const bool aside = is_side_script(index_, pin);
            switch (pin.kind) {
            case BootstrapPin::Kind::flux_manifest:
            case BootstrapPin::Kind::flux_kustomize_ref:
            case BootstrapPin::Kind::flux_cli_install:
            case BootstrapPin::Kind::flux_cli_bootstrap:
                site.kind = pin.from == BootstrapPin::From::kustomization ? SiteKind::kustomize : SiteKind::bootstrap;
                break;
            case BootstrapPin::Kind::flux_components:
                site.kind = SiteKind::components;
                break;
            case BootstrapPin::Kind::flux_cli_pin:
                site.kind = SiteKind::hint;
                break;
            case BootstrapPin::Kind::helm_install:
                if (!is_known(pin.chart) || file_name(pin.chart.text) != "flux2") continue;
                site.kind = SiteKind::chart_install;
                break;
            default:
                continue;
            }
            site.name = pin.from == BootstrapPin::From::cloud_init ? "cloud-init" : std::string(file_name(path));
            if (site.kind == SiteKind::chart_install) {
                add_chart(std::move(site), pin.version, aside, pin.repository);
                continue;
            }
            if (aside) site.kind = SiteKind::hint;
            add_flux(std::move(site), pin.version);
        }
    }

    void add_dependencies() {
        for (const DependencyEdge& edge : index_.dependency_edges) {
            const Chart& chart = index_.charts[edge.chart];
            const ChartDependency& dependency = chart.dependencies[edge.dependency];
            if (!is_known(dependency.name) || dependency.name.text != "flux2" || chart.subchart) continue;
            with_flux2_.insert(chart.dir);
            FluxSite site;
            site.kind = SiteKind::chart_dependency;
            site.subject = std::string(path_of(chart.file)) + ":dependencies[name=flux2].version";
            const bool aside = is_side_path(index_, path_of(chart.file));
            // What Helm will take for a range is what is locked, or what lies in charts/.
            Cell version = dependency.version;
            const auto range = is_known(version) ? Range::parse(version.text) : std::nullopt;
            const Vendored* vendored = edge.vendored == no_entity ? nullptr : &chart.vendored[edge.vendored];
            if (range && !range->is_exact()) {
                if (edge.lock != no_entity && is_known(chart.lock[edge.lock].version))
                    version.text = chart.lock[edge.lock].version.text;
                else if (vendored && is_known(vendored->version))
                    version.text = vendored->version.text;
            }
            if (edge.local != no_entity) {
                add_own_chart(std::move(site), version, index_.charts[edge.local].app_version, aside);
                continue;
            }
            if (vendored && is_known(vendored->version) && is_known(vendored->app_version) && is_known(version)) {
                const auto held = parse_version(vendored->version.text), asked = parse_version(version.text);
                if (held && asked && compare(*held, *asked) == 0) {
                    add_own_chart(std::move(site), version, vendored->app_version, aside);
                    continue;
                }
            }
            add_chart(std::move(site), version, aside, dependency.repository);
        }
    }

    void add_mirrors(const Table* mirrors) {
        if (!mirrors) return;
        for (const Row& row : mirrors->rows) {
            const std::string_view path = path_of(row.anchor.file);
            if (!with_flux2_.emplace(folder(path)).second) continue; // the dependency itself counts
            FluxSite site;
            site.kind = SiteKind::chart_mirror;
            site.subject = std::string(path) + ":catalystBlueprint.upstream.version";
            add_chart(std::move(site), mirrors->at(row, "version"), is_side_path(index_, path),
                      mirrors->at(row, "repo"));
        }
    }

    void add_releases(const Config& config) {
        std::set<std::string> patched; // names whose version some patch sets
        for (const HelmRelease& release : index_.releases)
            if (release.partial && is_set(release.version)) patched.insert(index_.objects[release.object].name.text);
        for (EntityId id = 0; id < index_.releases.size(); ++id) {
            const HelmRelease& release = index_.releases[id];
            const ReleaseEdges& edges = index_.release_edges[id];
            if (release.partial) continue;
            const Object& object = index_.objects[release.object];
            FluxSite site;
            site.kind = SiteKind::chart_release;
            site.subject = subject_of(index_, object) + ":version";
            if (edges.chart != no_entity && with_flux2_.count(index_.charts[edges.chart].dir) != 0) {
                add_lagging(std::move(site), config, object, edges);
                continue;
            }
            if (!is_known(edges.chart_name) || edges.chart_name.text != "flux2") continue;
            const bool aside = is_side_path(index_, path_of(object.file));
            if (patched.count(object.name.text) != 0) {
                site.pin = edges.version;
                site.why = "a patch sets another version";
                sites.push_back(std::move(site));
            } else if (edges.chart != no_entity) {
                add_own_chart(std::move(site), edges.version, index_.charts[edges.chart].app_version, aside);
            } else {
                Cell registry{State::absent, {}, {}};
                if (!edges.registry.empty()) registry = {State::known, edges.registry, {}};
                add_chart(std::move(site), edges.version, aside, registry);
            }
        }
    }

    void add_sources() {
        for (const Source& source : index_.sources) {
            if (source.kind != "OCIRepository" || !is_known(source.url)) continue;
            if (!registry_key(source.url.text).ends_with("/flux-manifests")) continue;
            const Object& object = index_.objects[source.object];
            FluxSite site;
            site.kind = is_side_path(index_, path_of(object.file)) ? SiteKind::hint : SiteKind::oci_manifests;
            site.name = "flux-manifests";
            site.subject = subject_of(index_, object) + ":spec.ref";
            if (!is_set(source.tag) && !is_set(source.semver) && is_set(source.digest)) {
                site.pin = source.digest;
                site.why = "pinned by digest";
                sites.push_back(std::move(site));
                continue;
            }
            add_flux(std::move(site), is_set(source.tag) ? source.tag : source.semver);
        }
    }

    void add_rows(const Table* table, SiteKind kind, std::string_view name) {
        if (!table) return;
        for (const Row& row : table->rows) {
            const Cell& version = table->at(row, "version");
            if (!is_set(version)) continue;
            FluxSite site;
            site.kind = is_side_path(index_, path_of(row.anchor.file)) ? SiteKind::hint : kind;
            site.name = name;
            site.subject = row.subject;
            add_flux(std::move(site), version);
        }
    }

    void add_instance(const FluxFacts::Asked& asked) {
        FluxSite site;
        site.kind = is_side_path(index_, path_of(asked.version.place.file)) ? SiteKind::hint : SiteKind::instance;
        site.name = "FluxInstance";
        site.subject = asked.subject;
        add_flux(std::move(site), asked.version);
    }

    std::vector<FluxSite> sites;

private:
    std::string_view path_of(FileId file) const { return index_.tree->files[file].path; }

    // A site that names a Flux release itself.
    void add_flux(FluxSite site, const Cell& version) {
        site.pin = version;
        const auto exact = is_known(version) ? parse_version(version.text) : std::nullopt;
        const auto range = is_known(version) && !exact ? Range::parse(version.text) : std::nullopt;
        const bool whole = exact && version.text.find_first_of('.') != version.text.find_last_of('.');
        if (!is_set(version)) {
            site.status = Status::floating;
            site.why = "not pinned";
        } else if (version.state == State::templated) {
            site.why = "templated";
        } else if (whole) {
            site.status = Status::exact;
            site.flux = without_v(version.text);
        } else if (range || exact) { // FluxInstance takes `2.4` as any of 2.4
            site.status = Status::range;
            site.flux = range ? version.text : without_v(version.text) + ".x";
        } else {
            site.why = "not a version: " + version.text;
        }
        sites.push_back(std::move(site));
    }

    bool take_chart_pin(FluxSite& site, const Cell& version, bool aside) {
        site.pin = version;
        site.name = "flux2" + (is_set(version) ? " " + version.text : std::string());
        if (aside) site.kind = SiteKind::hint;
        const auto range = is_known(version) ? Range::parse(version.text) : std::nullopt;
        if (!is_set(version)) {
            site.status = Status::floating;
            site.why = "no version";
        } else if (version.state == State::templated) {
            site.why = "templated";
        } else if (!range || !range->is_exact()) {
            site.why = "a range with nothing locked or vendored";
        } else {
            return true;
        }
        return false;
    }

    // The chart is in the tree, or lies vendored: its appVersion is Flux's release.
    void add_own_chart(FluxSite site, const Cell& version, const Cell& app_version, bool aside) {
        if (take_chart_pin(site, version, aside)) {
            const bool decided = is_known(app_version) && parse_version(app_version.text);
            site.status = decided ? Status::exact : Status::undecided;
            if (decided) site.flux = without_v(app_version.text);
            if (!decided) site.why = "the chart says no appVersion";
        }
        sites.push_back(std::move(site));
    }

    // A published chart, by the tables. The same name in another registry is another chart, unless the config knows it.
    void add_chart(FluxSite site, const Cell& version, bool aside, const Cell& repository) {
        if (take_chart_pin(site, version, aside)) {
            const bool community = !is_known(repository) || is_community_registry(repository.text);
            const FluxReleases::Known* known = known_.of_chart(version.text);
            if (known && (community || known->configured)) {
                site.status = Status::exact;
                site.flux = known->flux;
            } else if (community) {
                site.status = Status::unknown;
                site.why = "no table knows this chart version";
            } else {
                site.why = "a chart of that name from another registry";
            }
        }
        sites.push_back(std::move(site));
    }

    // A release of the local chart says what the chart says, unless a live cluster stays on an older one.
    void add_lagging(FluxSite site, const Config& config, const Object& object, const ReleaseEdges& edges) {
        const Chart& chart = index_.charts[edges.chart];
        if (tree_of(index_, object).empty() || tree_of(index_, object) == config.template_tree) return;
        if (is_known(edges.version) && is_known(chart.version) && edges.version.text == chart.version.text) return;
        site.pin = edges.version;
        site.name = edges.chart_name.text + " " + edges.version.text;
        site.why = "a live release of another chart version, which is not in the tree";
        sites.push_back(std::move(site));
    }

    const Index& index_;
    const FluxReleases& known_;
    std::set<std::string> with_flux2_; // chart folders that depend on flux2
};

bool is_cluster_bound(SiteKind kind) {
    return kind == SiteKind::components || kind == SiteKind::instance || kind == SiteKind::oci_manifests ||
           kind == SiteKind::kustomize || kind == SiteKind::chart_release;
}

// Flux's objects in no known cluster tree are those of one cluster, unless several folders have one kind of them: then
// each folder is a cluster of its own. gotk-components is a cluster of its own wherever another cluster has one.
void set_groups(const Index& index, const Config& config, std::vector<FluxSite>& sites) {
    std::map<SiteKind, std::set<std::string>> folders;
    bool known_cluster = false; // with components of its own
    const auto root_of = [&](const FluxSite& site) {
        std::string_view dir = folder(index.tree->files[site.pin.place.file].path);
        if (file_name(dir) == "flux-system") dir = folder(dir);
        return std::string(dir);
    };
    for (FluxSite& site : sites) {
        const std::string& tree = index.file_trees[site.pin.place.file];
        if (!tree.empty() && tree != config.template_tree) {
            site.group = tree;
            known_cluster = known_cluster || site.kind == SiteKind::components;
        } else if (tree.empty() && is_cluster_bound(site.kind))
            folders[site.kind].insert(root_of(site));
    }
    std::set<std::string> roots;
    bool several = false;
    for (const auto& [kind, dirs] : folders) {
        several = several || dirs.size() > 1;
        roots.insert(dirs.begin(), dirs.end());
    }
    for (FluxSite& site : sites) {
        if (!index.file_trees[site.pin.place.file].empty() || !is_cluster_bound(site.kind)) continue;
        if (!several && !(known_cluster && site.kind == SiteKind::components)) continue;
        std::string root = root_of(site);
        for (std::string_view above = folder(root); !above.empty(); above = folder(above))
            if (roots.count(std::string(above)) != 0) {
                root = std::string(above);
                break;
            }
        site.group = root.empty() ? "." : root;
    }
}

} // namespace

std::vector<FluxSite> flux_sites(const Index& index, const Config& config, const FluxFacts& facts,
                                 const FluxReleases& known) {
    SiteCollector collect(index, known);
    collect.add_bootstrap();
    collect.add_dependencies();
    collect.add_mirrors(facts.mirrors);
    collect.add_releases(config);
    collect.add_sources();
    collect.add_rows(facts.instances, SiteKind::instance, "FluxInstance");
    collect.add_rows(facts.instance_charts, SiteKind::instance, "FluxInstance");
    for (const FluxFacts::Asked& asked : facts.from_values)
        collect.add_instance(asked);
    collect.add_rows(facts.actions, SiteKind::hint, "fluxcd/flux2/action");
    std::erase_if(collect.sites, [](const FluxSite& site) { return site.pin.place.file == no_file; });
    set_groups(index, config, collect.sites);
    return std::move(collect.sites);
}

std::string clause(const FluxSite& site) {
    if (site.is_chart()) return site.name + " carries Flux " + site.flux;
    if (site.kind == SiteKind::instance) return site.name + " asks for Flux " + site.flux;
    if (site.kind == SiteKind::components) return site.name + " is Flux " + site.flux;
    if (site.kind == SiteKind::oci_manifests) return site.name + " are Flux " + site.flux;
    return site.name + " installs Flux " + site.flux;
}

namespace {

bool has_folder(std::string_view path, std::initializer_list<std::string_view> names) {
    for (std::size_t begin = 0; begin < path.size();) {
        const std::size_t slash = path.find('/', begin);
        if (slash == std::string_view::npos) return false;
        for (std::string_view name : names)
            if (path.substr(begin, slash - begin) == name) return true;
        begin = slash + 1;
    }
    return false;
}

} // namespace

bool is_side_script(const Index& index, const BootstrapPin& pin) {
    const std::string_view path = index.tree->files[pin.anchor.file].path;
    if (pin.from == BootstrapPin::From::workflow || is_side_path(index, path)) return true;
    return pin.from == BootstrapPin::From::script &&
           has_folder(path, {"test", "hack", "dev", "demo", "ci", ".ci", ".github", ".gitea", ".devcontainer", "kind"});
}

bool is_community_registry(std::string_view url) {
    return url.find("fluxcd-community") != std::string_view::npos;
}

} // namespace lockstep
