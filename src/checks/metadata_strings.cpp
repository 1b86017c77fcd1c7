// Values of maps that Kubernetes declares as strings, as YAML reads them: a plain `true` or `8080` is no string.
#include "checks/checks.h"
#include "checks/listed_paths.h"
#include "deploy/fleet.h"
#include "deploy/flux_spec.h"
#include "deploy/rendered_chart.h"
#include "index/cells.h"
#include "index/relations.h"
#include "index/side_paths.h"
#include "index/text_search.h"
#include "yaml/parse.h"
#include <algorithm>
#include <set>

namespace lockstep {
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
bool is_quoted_by_kustomize(const LooseValue& value, const Index& index, const Object& object) {
    if (value.type == Type::mapping || value.type == Type::list) return false;
    const char first = value.text.empty() ? '\0' : value.text.front();
    const bool old_word = value.type == Type::boolean && first != 't' && first != 'T' && first != 'f' && first != 'F';
    if (value.map != Map::annotations && !old_word) return false;
    return !object.bootstrap && (!object.in_templates || !index.listers.of(object.file).empty());
}

// kustomize-controller reads the labels as strings before it adds its own: one that is none makes it read nothing.
bool is_dropped_by_flux(const LooseValue& value, const Fleet& fleet, EntityId object) {
    if (value.map != Map::labels) return false;
    const auto all = fleet.of_object(object);
    return std::any_of(all.begin(), all.end(), [&](std::uint32_t number) {
        return fleet.root_of(fleet.instances[number]).by == Root::By::flux;
    });
}

// What came of its templates is looked at in their place.
bool is_rendered(const Fleet& fleet, EntityId object) {
    const auto all = fleet.of_object(object);
    return std::any_of(all.begin(), all.end(), [&](std::uint32_t number) {
        const Root& root = fleet.root_of(fleet.instances[number]);
        return root.is_rendered() && root.certainty != Certainty::possible;
    });
}

Finding finding_for(const LooseValue& value) {
    Finding finding;
    const bool collection = value.type == Type::mapping || value.type == Type::list;
    finding.message = std::string(name_of(value.map).shown) + " " + value.key + " is " +
                      std::string(name_of(value.type)) + ", it must be a string" +
                      (collection ? "" : ": write \"" + value.text + "\"");
    finding.place = value.place;
    return finding;
}

// Of a definition, which may be large, only what is before its spec.
std::string_view what_is_looked_at(std::string_view document) {
    const std::size_t spec = document.find("\nspec:");
    const bool definition = document.find("kind: CustomResourceDefinition") < spec;
    return definition && document.find("\nmetadata:") < spec ? document.substr(0, spec + 1) : document;
}

// What Helm renders and applies as it is: a bare value that an action printed is no string either.
class RenderedMaps {
public:
    RenderedMaps(const CheckInput& input, RuleOutcome& outcome) : input_(input), outcome_(outcome) {
        for (const LooseValue& value : input.repository.index.loose_values)
            told_.insert(value.place);
    }

    void judge(const ReleaseRow& row) {
        const Fleet& fleet = fleet_of(input_.repository);
        const Instance& maker = fleet.instances[row.maker];
        if (!row.rendered || !row.why_not.empty() || !row.doubt.empty()) return;
        if (fleet.certainty_of(maker) != Certainty::proven) return;
        // A post-renderer is a kustomization, which writes annotations in quotes.
        look(*row.rendered, value_at(fleet.tree_of(maker), {"spec", "postRenderers"}) != nullptr);
    }
    void look(const RenderedChart& chart, bool quoted) {
        for (const RenderedDocument& document : chart.documents) {
            if (document.crd || document.unknown) continue;
            Arena arena;
            const YamlText yaml = parse_yaml(what_is_looked_at(document.text));
            for (const YamlDocument& one : yaml.documents) {
                Value* tree = one.root == no_node ? nullptr : value_of({&yaml, one.root}, rendered_file, arena);
                if (!tree || !tree->is_mapping()) continue;
                place_rendered(*tree, rendered_file, document);
                look(*tree, quoted);
            }
        }
    }

private:
    static constexpr FileId rendered_file = no_file - 1; // stands for the document while its places are put right

    void look(const Value& tree, bool quoted) {
        const std::string_view kind = tree.text_of("kind");
        if (!quoted) read(tree, Map::annotations, {"metadata", "annotations"});
        read(tree, Map::labels, {"metadata", "labels"});
        if (kind == "Deployment" || kind == "StatefulSet" || kind == "DaemonSet" || kind == "Job") {
            read(tree, Map::pod_annotations, {"spec", "template", "metadata", "annotations"});
            read(tree, Map::pod_labels, {"spec", "template", "metadata", "labels"});
        }
        if (kind == "ConfigMap") read(tree, Map::config_map, {"data"});
        if (kind == "Secret") read(tree, Map::secret, {"stringData"});
    }

    void read(const Value& tree, Map map, std::initializer_list<std::string_view> path) {
        const Value* found = value_at(&tree, path);
        if (!found || !found->is_mapping()) return;
        for (std::size_t i = 0; i < found->size(); ++i) {
            const Value& value = *found->value_at(i);
            if (value.is_null() || value.is_string()) continue;
            const Place place = is_there(decided_at(value)) ? decided_at(value) : value.place;
            if (!is_there(place) || told_.contains(value.place) || !told_.insert(place).second) continue;
            const std::string key(found->key_at(i)->text);
            const std::string subject =
                input_.repository.tree->files[place.file].path + "#" + std::string(tree.text_of("kind")) + "/" +
                cell_at(&tree, {"metadata", "name"}).text + ":" + std::string(name_of(map).path) + "." + key;
            if (value.unknown) {
                outcome_.undecided(place, subject, "a value that only the cluster knows");
                continue;
            }
            LooseValue loose;
            loose.map = map;
            loose.type = value.is_mapping()      ? Type::mapping
                         : value.is_sequence()   ? Type::list
                         : value.tag == "!!bool" ? Type::boolean
                                                 : Type::number;
            loose.key = key;
            loose.text = value.text;
            loose.place = place;
            outcome_.fail(subject, finding_for(loose));
        }
    }

    const CheckInput& input_;
    RuleOutcome& outcome_;
    std::set<Place> told_; // templates that are wrong as they are written have their findings
};

} // namespace

void check_metadata_strings(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    const Tree& tree = *input.repository.tree;
    std::size_t next = 0; // loose values stand in the order of their objects
    for (EntityId id = 0; id < index.objects.size(); ++id) {
        const Object& object = index.objects[id];
        if (!object.string_maps) continue;
        const std::string subject = subject_of(index, object);
        const Place place = object.name.place.file == no_file ? object.kind.place : object.name.place;
        const bool sample = is_test_data(tree.files[object.file].path) &&
                            fleet_of(input.repository).certainty_of(id) != Certainty::proven;
        bool clean = true;
        for (; next < index.loose_values.size() && index.loose_values[next].object == id; ++next) {
            const LooseValue& value = index.loose_values[next];
            if (sample || may_be_text(value, document_text(tree, object))) continue;
            if (is_quoted_by_kustomize(value, index, object)) continue;
            clean = false;
            Finding finding = finding_for(value);
            if (is_dropped_by_flux(value, fleet_of(input.repository), id)) { // nothing stops
                finding.message += "; Flux drops all labels of this object";
                finding.rule = input.rule.id;
                finding.severity = std::min(input.rule.severity, Severity::warning);
            }
            outcome.fail(subject + ":" + std::string(name_of(value.map).path) + "." + value.key, std::move(finding));
        }
        if (!clean) continue;
        if (sample)
            outcome.undecided(place, subject, "it belongs to test data");
        else if (object.templated_strings && !is_rendered(fleet_of(input.repository), id))
            outcome.undecided(place, subject, "a templated value");
        else
            outcome.pass(place, subject);
    }
    RenderedMaps rendered(input, outcome);
    for (const ReleaseRow& row : fleet_of(input.repository).releases)
        rendered.judge(row);
    const auto& unreleased = fleet_of(input.repository).unreleased;
    for (EntityId id = 0; id < unreleased.size(); ++id)
        if (unreleased[id].rendered && unreleased[id].why_not.empty() && !is_side_path(index, index.charts[id].file))
            rendered.look(*unreleased[id].rendered, false);
}

} // namespace lockstep
