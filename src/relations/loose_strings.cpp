// Values of maps that Kubernetes declares as strings, as YAML reads them: a plain `true` or `8080` is no string. One
// row for each such value, and one for each object without any.
#include "deploy/fleet.h"
#include "deploy/flux_spec.h"
#include "deploy/identities.h"
#include "index/cells.h"
#include "index/relations.h"
#include "index/side_paths.h"
#include "index/template_gates.h"
#include "index/text_search.h"
#include "relations/relation.h"
#include "yaml/plain_type.h"
#include <algorithm>
#include <set>

namespace lockstep::loose_strings {
namespace {

using Map = LooseValue::Map;
using Type = LooseValue::Type;

struct MapName {
    std::string_view shown, path;
};

MapName name_of(Map map) {
    switch (map) {
    case Map::annotations:
        return {"annotation", "metadata.annotations"};
    case Map::labels:
        return {"label", "metadata.labels"};
    case Map::pod_annotations:
        return {"pod annotation", "spec.template.metadata.annotations"};
    case Map::pod_labels:
        return {"pod label", "spec.template.metadata.labels"};
    case Map::config_map:
        return {"ConfigMap key", "data"};
    case Map::secret:
        return {"Secret key", "stringData"};
    }
    return {};
}

std::string_view name_of(Type type) {
    switch (type) {
    case Type::boolean:
        return "a boolean";
    case Type::number:
        return "a number";
    case Type::mapping:
        return "a mapping";
    case Type::list:
        return "a list";
    }
    return {};
}

// A collection in a template may be what is left of an action that writes a string.
bool may_be_text(const LooseValue& value, std::string_view document) {
    return (value.type == Type::mapping || value.type == Type::list) && document.find("{{") != std::string_view::npos;
}

// kustomize, and with it Flux, writes bare scalars of an object's own annotations in quotes, and everywhere `on`,
// `off`, `yes` and `no`, which are strings to it. Helm and the kubectl of cloud-init do not; `true` and numbers of
// labels, pod templates and data, nobody does.
bool is_quoted_by_kustomize(const LooseValue& value) {
    if (value.type == Type::mapping || value.type == Type::list) return false;
    const char first = value.text.empty() ? '\0' : value.text.front();
    const bool old_word = value.type == Type::boolean && first != 't' && first != 'T' && first != 'f' && first != 'F';
    return value.map == Map::annotations || old_word;
}

bool is_read_by_kustomize(const Index& index, const Object& object) {
    return !object.bootstrap && (!object.in_templates || !index.listers.of(object.file).empty());
}

// Where the chart cannot be rendered: whether the branch is taken is not known.
bool is_in_branch(const Tree& tree, const Object& object, Place place) {
    const std::string_view text = tree.indexed_text(object.file);
    return object.in_templates && !gates_around(text, go_actions(text), place.span.begin).empty();
}

// kustomize-controller reads the labels as strings before it adds its own: one that is none makes it read nothing.
bool is_dropped_by_flux(const LooseValue& value, const Fleet& fleet, EntityId object) {
    if (value.map != Map::labels) return false;
    const auto all = fleet.of_object(object);
    return std::any_of(all.begin(), all.end(), [&](std::uint32_t number) {
        return fleet.root_of(fleet.instances[number]).by == Root::By::flux;
    });
}

NewRow row_of(const LooseValue& value, const std::string& subject, const RelationRows& rows) {
    NewRow row = rows.start(value.place, subject);
    row.set("map", std::string(name_of(value.map).shown)).set("key", value.key);
    row.set("is", std::string(name_of(value.type)));
    if (value.type != Type::mapping && value.type != Type::list) row.set("text", value.text);
    return row;
}

bool has_pods(std::string_view kind) {
    for (std::string_view known : {"Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job"})
        if (kind == known) return true;
    return false;
}

// What Helm or a post-renderer leaves: a bare value that an action printed is no string either.
class RenderedMaps {
public:
    RenderedMaps(const RelationInput& input, RelationRows& rows) : input_(input), rows_(rows) {
        const Index& index = input.repository.index;
        for (const LooseValue& value : index.loose_values) // of a chart that one release cannot render
            if (!fleet_.is_shown(index.objects[value.object])) told_.insert(value.place);
    }

    void judge(const Instance& one) {
        const Index& index = input_.repository.index;
        if (!fleet_.is_rendered(one) || fleet_.certainty_of(one) == Certainty::possible) return;
        if (one.object != no_entity && !index.objects[one.object].in_templates) return; // crds/: judged as written
        const Root& root = fleet_.root_of(one);
        if (root.by == Root::By::chart && is_side_path(index, index.charts[root.chart].file)) return;
        Arena arena;
        const Value* tree = fleet_.tree_of(one, arena);
        if (!tree) return;
        // helmCharts and post-renderers are kustomize, which writes annotations and old words in quotes.
        by_kustomize_ = one.resource.rendered ||
                        (root.by == Root::By::release &&
                         value_at(fleet_.tree_of(fleet_.instances[root.maker]), {"spec", "postRenderers"}));
        instance_ = &one;
        const std::string_view kind = one.id().kind;
        read(*tree, Map::annotations, {"metadata", "annotations"});
        read(*tree, Map::labels, {"metadata", "labels"});
        if (has_pods(kind)) {
            read(*tree, Map::pod_annotations, {"spec", "template", "metadata", "annotations"});
            read(*tree, Map::pod_labels, {"spec", "template", "metadata", "labels"});
        }
        if (!one.id().group.empty()) return;
        if (kind == "ConfigMap") read(*tree, Map::config_map, {"data"});
        if (kind == "Secret") read(*tree, Map::secret, {"stringData"});
    }

private:
    // By the older words of YAML that Helm knows. The tag is kustomize's, which puts its strings in quotes.
    std::optional<Type> type_of(const Value& value) const {
        if (value.is_mapping()) return Type::mapping;
        if (value.is_sequence()) return Type::list;
        if (by_kustomize_ && value.is_string()) return std::nullopt;
        if (value.style != NodeStyle::plain || value.tagged || value.is_null()) return std::nullopt;
        const PlainType type = plain_type(value.text);
        if (type == PlainType::text) return std::nullopt;
        return type == PlainType::boolean ? Type::boolean : Type::number;
    }

    void read(const Value& tree, Map map, std::initializer_list<std::string_view> path) {
        const Value* found = value_at(&tree, path);
        if (!found || !found->is_mapping()) return;
        const Index& index = input_.repository.index;
        const std::string subject = subject_of(index, *instance_) + ":" + std::string(name_of(map).path);
        bool clean = true;
        for (std::size_t i = 0; i < found->size(); ++i) {
            const Value& value = *found->value_at(i);
            const auto type = type_of(value);
            if (!type && !value.unknown) continue;
            LooseValue loose;
            loose.map = map;
            loose.type = type.value_or(Type::number);
            loose.key = found->key_at(i)->text;
            loose.text = value.text;
            loose.place = is_there(decided_at(value)) ? decided_at(value) : value.place;
            if (!value.is_scalar()) loose.place = found->key_at(i)->place;
            if (!is_there(loose.place)) loose.place = place_of(index, *instance_);
            if (!is_there(loose.place) || (by_kustomize_ && is_quoted_by_kustomize(loose))) continue;
            clean = false;
            if (!told_.insert(loose.place).second) continue;
            NewRow row = row_of(loose, subject + "." + loose.key, rows_);
            if (value.unknown) row.set("doubt", "a value that only the cluster knows");
            rows_.add(std::move(row));
        }
        if (clean) rows_.add(rows_.start(place_of(index, *instance_), subject));
    }

    const RelationInput& input_;
    RelationRows& rows_;
    const Fleet& fleet_ = fleet_of(input_.repository);
    const Instance* instance_ = nullptr;
    bool by_kustomize_ = false;
    std::set<Place> told_ = {}; // several releases of one chart
};

void fill(const RelationInput& input, RelationRows& rows) {
    const Index& index = input.repository.index;
    const Tree& tree = *input.repository.tree;
    const Fleet& fleet = fleet_of(input.repository);
    std::size_t next = 0; // loose values stand in the order of their objects
    for (EntityId id = 0; id < index.objects.size(); ++id) {
        const Object& object = index.objects[id];
        if (!object.string_maps) continue;
        const std::string subject = subject_of(index, object);
        const Place place = object.name.place.file == no_file ? object.kind.place : object.name.place;
        const bool sample = is_side_path(index, object.file) && fleet.certainty_of(id) != Certainty::proven;
        const bool shown = fleet.is_shown(object);
        bool clean = true, branch = false;
        for (; next < index.loose_values.size() && index.loose_values[next].object == id; ++next) {
            const LooseValue& value = index.loose_values[next];
            if (sample || shown || may_be_text(value, document_text(tree, object))) continue;
            if (is_quoted_by_kustomize(value) && is_read_by_kustomize(index, object)) continue;
            if (is_in_branch(tree, object, value.place)) {
                branch = true;
                continue;
            }
            clean = false;
            NewRow row = row_of(value, subject + ":" + std::string(name_of(value.map).path) + "." + value.key, rows);
            if (is_dropped_by_flux(value, fleet, id)) row.set("dropped", "yes"); // nothing stops
            rows.add(std::move(row));
        }
        if (!clean || (shown && !sample)) continue;
        if (sample)
            rows.add(rows.start(place, subject).set("doubt", "an example or a test"));
        else if (branch)
            rows.add(rows.start(place, subject).set("doubt", "a value is inside a condition"));
        else if (object.templated_strings)
            rows.add(rows.start(place, subject).set("doubt", "a templated value"));
        else
            rows.add(rows.start(place, subject));
    }
    RenderedMaps rendered(input, rows);
    for (const Instance& one : fleet.instances)
        rendered.judge(one);
}

} // namespace

constexpr Relation relation{"loose-strings", "map key is text dropped doubt", "", fill};

} // namespace lockstep::loose_strings
