// Takes pins, sources, edges and objects out of an index, and what clusters get out of the fleet.
#include "cli/diff_items.h"
#include "deploy/fleet.h"
#include "index/cells.h"
#include <algorithm>
#include <map>

namespace lockstep {
namespace {

using Section = Difference::Section;

class Items {
public:
    Items(const Index& index, const Fleet& fleet) : index_(index), fleet_(fleet) {}

    std::vector<DiffItem> all() {
        charts();
        releases();
        flux_kustomizations();
        sources();
        kustomizations();
        rest();
        objects();
        clusters();
        return std::move(items_);
    }

private:
    const std::string& path(FileId file) const { return index_.tree->files[file].path; }

    static std::string shown(const Cell& cell) {
        if (cell.state != State::absent) return cell.text;
        return cell.text.empty() ? "(not set)" : "(" + cell.text + ")"; // a floating word
    }

    std::string name_of(const Object& object) const {
        const std::string ns = object.ns.state == State::absent ? "" : object.ns.text + "/";
        return shown(object.kind) + " " + ns + shown(object.name_or_generated());
    }
    std::string name_of(EntityId object) const {
        return object == no_entity ? std::string("?") : name_of(index_.objects[object]);
    }
    std::string identity_of(EntityId object) const {
        return object == no_entity ? std::string() : path(index_.objects[object].file) + "#" + name_of(object);
    }
    Place place_of(const Cell& cell, EntityId object) const {
        if (is_set(cell)) return cell.place;
        if (object == no_entity) return {};
        return index_.objects[object].name.place;
    }

    void add(Section section, std::string identity, std::string what, std::string value, Place place) {
        items_.push_back({section, std::move(identity), std::move(what), {std::move(value), place}});
        items_.back().changed_on = changed_on_;
    }
    // Fields of this object follow: what clusters get of them is told besides.
    void begin(EntityId object) {
        changed_on_ = object != no_entity && fleet_.certainty_of(object) != Certainty::loose;
    }
    // A field that is not written is no item: writing it is an addition.
    void add_set(Section section, const std::string& identity, const std::string& what, const Cell& cell) {
        if (is_set(cell)) add(section, identity, what, cell.text, cell.place);
    }
    void edge(const std::string& identity, const std::string& from, const Reference& to, std::string_view kind) {
        const std::string ns = is_set(to.ns) ? to.ns.text + "/" : "";
        const std::string target = std::string(kind) + " " + ns + shown(to.name);
        add(Section::depends_on, identity + " waits for " + target, from + " waits for " + target, {}, to.place);
    }
    void source_of(const std::string& identity, const std::string& what, const Reference& source) {
        if (!is_set(source.name)) return;
        const std::string ns = is_set(source.ns) ? source.ns.text + "/" : "";
        add(Section::sources, identity + " source", what + " source", shown(source.kind) + " " + ns + source.name.text,
            source.place);
    }

    void charts() {
        for (const Chart& chart : index_.charts) {
            if (chart.subchart) continue;
            const std::string identity = "chart " + path(chart.file), what = "chart " + shown(chart.name);
            add(Section::pins, identity, what, shown(chart.version), chart.version.place);
            add_set(Section::pins, identity + " app", what + " appVersion", chart.app_version);
            for (const ChartDependency& one : chart.dependencies) {
                const std::string name = shown(is_set(one.alias) ? one.alias : one.name);
                add(Section::pins, identity + " on " + name, "dependency " + name + " of " + shown(chart.name),
                    shown(one.version), is_set(one.version) ? one.version.place : one.place);
                add_set(Section::sources, identity + " on " + name + " from",
                        "dependency " + name + " of " + shown(chart.name) + " repository", one.repository);
            }
        }
    }

    void releases() {
        for (EntityId id = 0; id < index_.releases.size(); ++id) {
            const HelmRelease& release = index_.releases[id];
            const ReleaseEdges& edges = index_.release_edges[id];
            begin(release.object);
            const std::string identity = identity_of(release.object), what = name_of(release.object);
            if (!release.partial)
                add(Section::pins, identity + " version", what + " version", shown(edges.version),
                    place_of(edges.version, release.object));
            add_set(Section::sources, identity + " chart", what + " chart", release.chart);
            source_of(identity, what, is_set(release.chart_ref.name) ? release.chart_ref : release.source);
            for (const Reference& one : release.depends_on)
                edge(identity, what, one, "HelmRelease");
        }
    }

    void flux_kustomizations() {
        for (const FluxKustomization& one : index_.flux_kustomizations) {
            begin(one.object);
            const std::string identity = identity_of(one.object), what = name_of(one.object);
            add_set(Section::sources, identity + " path", what + " path", one.path);
            source_of(identity, what, one.source);
            for (const Reference& other : one.depends_on)
                edge(identity, what, other, "Kustomization");
        }
    }

    void sources() {
        for (const Source& one : index_.sources) {
            begin(one.object);
            const std::string identity = identity_of(one.object) + "/" + shown(one.name), what = name_of(one.object);
            add_set(Section::sources, identity + " url", what + " url", one.url);
            for (const auto& [field, name] :
                 {std::pair(&one.tag, " tag"), std::pair(&one.semver, " semver"), std::pair(&one.branch, " branch"),
                  std::pair(&one.commit, " commit"), std::pair(&one.digest, " digest"),
                  std::pair(&one.ref_name, " ref"), std::pair(&one.version, " version")})
                add_set(Section::pins, identity + name, what + name, *field);
        }
    }

    void kustomizations() {
        begin(no_entity);
        for (const Kustomization& one : index_.kustomizations) {
            const std::string identity = "kustomization " + path(one.file);
            for (const ImageOverride& image : one.images) {
                const std::string what = "image " + shown(image.name) + " in " + path(one.file);
                const std::string key = identity + " image " + shown(image.name);
                add_set(Section::pins, key + " tag", what + " tag", image.new_tag);
                add_set(Section::pins, key + " digest", what + " digest", image.digest);
                add_set(Section::pins, key + " name", what + " name", image.new_name);
            }
            for (const KustomizeChart& chart : one.helm_charts)
                add(Section::pins, identity + " chart " + shown(chart.name),
                    "chart " + shown(chart.name) + " in " + path(one.file), shown(chart.version),
                    is_set(chart.version) ? chart.version.place : chart.place);
        }
    }

    void rest() {
        for (const Blueprint& one : index_.blueprints)
            add(Section::pins, identity_of(one.object) + " version", name_of(one.object) + " version",
                shown(one.version), place_of(one.version, one.object));
        for (const BootstrapPin& pin : index_.bootstrap_pins) {
            const std::string& chart = is_set(pin.chart) ? pin.chart.text : pin.name.text;
            const std::string what = std::string(to_string(pin.kind)) + (chart.empty() ? "" : " " + chart);
            add(Section::pins, "bootstrap " + path(pin.anchor.file) + " " + what, "bootstrap " + what,
                shown(pin.version), is_set(pin.version) ? pin.version.place : pin.anchor);
        }
        for (const ContainerImage& one : index_.images) {
            if (!is_set(one.image)) continue;
            begin(one.object);
            const auto [image, pin] = image_and_pin(one.image.text);
            const std::string name(image);
            const std::string where = one.object == no_entity ? "" : " in " + name_of(one.object);
            add(Section::pins, path(one.image.place.file) + where + " image " + name, "image " + name + where,
                pin.empty() ? "(no tag)" : std::string(pin), one.image.place);
        }
    }

    void objects() {
        begin(no_entity);
        for (const Object& one : index_.objects)
            add(Section::objects, path(one.file) + "#" + name_of(one), name_of(one), {},
                is_set(one.name) ? one.name.place : Place{one.file, one.document});
    }

    // Objects as they are applied, generated and rendered ones too, with the clusters that get them.
    void clusters() {
        struct Gets {
            std::map<std::string, Certainty> clusters; // the best of each
            Place place;
        };
        std::map<std::string, Gets> objects;
        for (const Instance& one : fleet_.instances) {
            const Root& root = fleet_.root_of(one);
            const Certainty certainty = fleet_.certainty_of(one);
            if (root.cluster == no_number || certainty == Certainty::loose) continue;
            const ResourceId& id = one.id();
            const std::string ns = id.ns.empty() ? "" : std::string(id.ns) + "/";
            Gets& gets = objects[std::string(id.kind) + " " + ns + std::string(id.name)];
            Certainty& best = gets.clusters[fleet_.clusters[root.cluster].name];
            best = std::max(best, certainty);
            if (!is_there(gets.place)) gets.place = one.resource.document;
        }
        for (const auto& [name, gets] : objects) {
            std::string value;
            for (const auto& [cluster, certainty] : gets.clusters)
                value += (value.empty() ? "" : ", ") + (cluster.empty() ? "the cluster" : cluster) +
                         (certainty == Certainty::proven ? "" : " (perhaps)");
            add(Section::clusters, name, name, value, gets.place);
        }
    }

    const Index& index_;
    const Fleet& fleet_;
    std::vector<DiffItem> items_;
    bool changed_on_ = false;
};

} // namespace

std::vector<DiffItem> diff_items(const Repository& repository) {
    const Fleet& fleet = fleet_of(repository);
    std::vector<DiffItem> items = Items(repository.index, fleet).all();
    add_applied_items(repository.index, fleet, items);
    return items;
}

} // namespace lockstep
