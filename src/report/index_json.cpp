// The index as JSON: one array per kind of entity, values with their state and place.
#include "deploy/applied_fields.h"
#include "index/cells.h"
#include "report/index_report.h"
#include <nlohmann/json.hpp>
#include <utility>

namespace lockstep {

namespace {

using Json = nlohmann::ordered_json;

class JsonListing {
public:
    JsonListing(const Index& index, Locator& locator, const Fleet* fleet)
        : index_(index), locator_(locator), fleet_(fleet) {}

    Json place(Place at) {
        if (at.file == no_file) return nullptr;
        Location where = locator_.locate(at);
        return {{"file", where.path}, {"line", where.begin.line}, {"column", where.begin.column}};
    }

    // A known value is its text; a templated one says so; nothing is null.
    static Json value(const Cell& cell) {
        if (cell.state == State::absent) return nullptr;
        if (cell.state == State::known) return cell.text;
        return {{"templated", cell.text}};
    }

    static Json reference(const Reference& to) {
        if (!is_set(to.name)) return nullptr;
        return {{"kind", value(to.kind)}, {"namespace", value(to.ns)}, {"name", value(to.name)}};
    }

    static Json references(const std::vector<Reference>& all) {
        Json made = Json::array();
        for (const Reference& to : all)
            made.push_back(reference(to));
        return made;
    }

    Json object(const Object& object) {
        Json made = {{"apiVersion", value(object.api_version)},
                     {"kind", value(object.kind)},
                     {"namespace", value(object.ns)},
                     {"name", value(object.name)}};
        if (!tree_of(index_, object).empty()) made["tree"] = tree_of(index_, object);
        if (object.in_chart) made["inChart"] = object.chart;
        if (!object.forces.empty()) made["force"] = value(object.forces.front());
        if (object.partial || object.as_patch) made["patch"] = true;
        if (object.embedded) made["embedded"] = place(object.outer);
        if (object.bootstrap) made["bootstrap"] = true;
        if (object.sops) made["encrypted"] = true;
        if (fleet_ && !object.partial && !object.as_patch) {
            const Certainty certainty = fleet_->certainty_of(static_cast<EntityId>(&object - index_.objects.data()));
            made["applied"] = certainty == Certainty::proven     ? "yes"
                              : certainty == Certainty::possible ? "possibly"
                                                                 : "no";
        }
        made["place"] = place(is_set(object.name) ? object.name.place : object.kind.place);
        return made;
    }

    // What clusters get goes first: where it is one value for all, it takes the place of what is written, which is told
    // besides; where clusters differ, each is told.
    void take_applied(EntityId object, Json& made) {
        if (!fleet_) return;
        for (const auto& [field, values] : applied_values(index_, *fleet_, object)) {
            if (!made.contains(field)) continue;
            const auto shown = [](const AppliedField& one) {
                return is_set(one.reference.name) ? reference(one.reference) : value(one.cell);
            };
            if (values.size() == 1) {
                Json own = shown(values.front().field);
                if (own == made[field]) continue;
                made["written"][field] = std::exchange(made[field], std::move(own));
                continue;
            }
            for (const AppliedValue& one : values)
                for (const std::string& cluster : one.clusters)
                    made["inClusters"][field][cluster] = shown(one.field);
        }
    }

    Json charts() {
        Json all = Json::array();
        for (const Chart& chart : index_.charts) {
            Json dependencies = Json::array();
            for (const ChartDependency& dependency : chart.dependencies)
                dependencies.push_back({{"name", value(dependency.name)},
                                        {"version", value(dependency.version)},
                                        {"repository", value(dependency.repository)},
                                        {"place", place(dependency.place)}});
            Json vendored = Json::array();
            for (const Vendored& held : chart.vendored) {
                Json made = {{"name", value(held.name)},
                             {"version", value(held.version)},
                             {"appVersion", value(held.app_version)},
                             {"file", index_.tree->files[held.file].path}};
                if (!held.problem.empty()) made["problem"] = held.problem;
                vendored.push_back(std::move(made));
            }
            all.push_back({{"name", value(chart.name)},
                           {"version", value(chart.version)},
                           {"appVersion", value(chart.app_version)},
                           {"dir", chart.dir},
                           {"subchart", chart.subchart},
                           {"dependencies", std::move(dependencies)},
                           {"vendored", std::move(vendored)},
                           {"place", place(chart.name.place)}});
        }
        return all;
    }

    Json releases() {
        Json all = Json::array();
        for (EntityId id = 0; id < index_.releases.size(); ++id) {
            const HelmRelease& release = index_.releases[id];
            const ReleaseEdges& edges = index_.release_edges[id];
            Json made = object(index_.objects[release.object]);
            made["chart"] = value(edges.chart_name);
            made["version"] = value(edges.version);
            made["source"] = reference(is_set(release.chart_ref.name) ? release.chart_ref : release.source);
            made["sourceUrl"] = value(edges.source_url);
            made["own"] = edges.own;
            if (edges.chart != no_entity) made["chartDir"] = index_.charts[edges.chart].dir;
            made["dependsOn"] = references(release.depends_on);
            take_applied(release.object, made);
            all.push_back(std::move(made));
        }
        return all;
    }

    Json sources() {
        Json all = Json::array();
        for (const Source& source : index_.sources) {
            all.push_back({{"kind", source.kind},
                           {"namespace", value(source.ns)},
                           {"name", value(source.name)},
                           {"url", value(source.url)},
                           {"tag", value(source.tag)},
                           {"semver", value(source.semver)},
                           {"branch", value(source.branch)},
                           {"digest", value(source.digest)},
                           {"secret", value(source.secret)},
                           {"place", place(source.name.place)}});
            if (!source.generated) take_applied(source.object, all.back());
        }
        return all;
    }

    Json flux() {
        Json all = Json::array();
        for (EntityId id = 0; id < index_.flux_kustomizations.size(); ++id) {
            const FluxKustomization& one = index_.flux_kustomizations[id];
            Json made = object(index_.objects[one.object]);
            made["path"] = value(one.path);
            made["source"] = reference(one.source);
            made["dependsOn"] = references(one.depends_on);
            take_applied(one.object, made);
            all.push_back(std::move(made));
        }
        return all;
    }

    Json kustomizations() {
        Json all = Json::array();
        for (const Kustomization& one : index_.kustomizations)
            all.push_back({{"dir", one.dir},
                           {"component", one.component},
                           {"namespace", value(one.ns)},
                           {"listed", Json::array()},
                           {"patches", one.patches.size()},
                           {"place", place(one.place)}});
        for (const ListedEdge& edge : index_.listed_edges) {
            const Listed& entry = index_.kustomizations[edge.kustomization].listed[edge.entry];
            all[edge.kustomization]["listed"].push_back(
                {{"path", value(entry.path)}, {"target", to_string(edge.target)}});
        }
        return all;
    }

    Json blueprints() {
        Json all = Json::array();
        for (const Blueprint& blueprint : index_.blueprints) {
            Json made = object(index_.objects[blueprint.object]);
            made["version"] = value(blueprint.version);
            made["chart"] = value(blueprint.chart);
            all.push_back(std::move(made));
        }
        return all;
    }

    Json bootstrap() {
        Json all = Json::array();
        for (const BootstrapPin& pin : index_.bootstrap_pins)
            all.push_back(
                {{"kind", to_string(pin.kind)},
                 {"version", value(pin.version)},
                 {"floating", pin.version.state == State::absent && !pin.version.text.empty() ? Json(pin.version.text)
                                                                                              : Json(nullptr)},
                 {"name", value(pin.name)},
                 {"chart", value(pin.chart)},
                 {"repository", value(pin.repository)},
                 {"components", value(pin.components)},
                 {"place", place(pin.anchor)}});
        return all;
    }

    Json whole() {
        Json objects = Json::array();
        for (const Object& one : index_.objects)
            objects.push_back(object(one));
        Json roles = Json::object();
        for (const DocumentRole& document : index_.documents) {
            Json& count = roles[std::string(to_string(document.role))];
            count = count.is_null() ? 1U : count.get<unsigned>() + 1U;
        }
        return {{"charts", charts()},
                {"releases", releases()},
                {"sources", sources()},
                {"fluxKustomizations", flux()},
                {"kustomizations", kustomizations()},
                {"blueprints", blueprints()},
                {"bootstrapPins", bootstrap()},
                {"objects", std::move(objects)},
                {"documents", std::move(roles)},
                {"ownRegistries", index_.own_registry_keys},
                {"notUnderstood", index_.foreign_counts}};
    }

private:
    const Index& index_;
    Locator& locator_;
    const Fleet* fleet_;
};

} // namespace

std::string index_json(const Index& index, Locator& locator, const Fleet* fleet) {
    // Texts come from files and need not be UTF-8; a replacement character is better than no listing.
    return JsonListing(index, locator, fleet).whole().dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

} // namespace lockstep
