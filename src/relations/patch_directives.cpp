// `$patch` and its kin in objects. They are legal in patches and only there, so each key is told with what its document
// is used as.
#include "deploy/fleet.h"
#include "deploy/flux_spec.h"
#include "deploy/identities.h"
#include "index/cells.h"
#include "index/template_gates.h"
#include "index/text_search.h"
#include "relations/relation.h"
#include "yaml/path.h"
#include <algorithm>
#include <set>

namespace lockstep::patch_directives {
namespace {

// The innermost object whose document holds the place: objects are in file order, holders before what they hold.
const Object* object_at(const Index& index, Place place, EntityId& id) {
    auto next =
        std::upper_bound(index.objects.begin(), index.objects.end(), place, [](const Place& at, const Object& one) {
            return at.file != one.file ? at.file < one.file : at.span.begin < one.document.begin;
        });
    while (next != index.objects.begin() && (--next)->file == place.file)
        if (next->document.end >= place.span.end) {
            id = static_cast<EntityId>(next - index.objects.begin());
            return &*next;
        }
    return nullptr;
}

// Patches written out as objects: below `patches` of a Kustomization, `postRenderers` of a HelmRelease, and any field
// that a custom resource calls a patch (`envoyDeployment.patch`, `patchStrategicMerge`). No built-in kind has such a
// field.
bool inside_patch_field(std::string_view yaml_path) {
    if (yaml_path.starts_with("spec.values.")) return true; // free-form: a chart reads it, not the API server
    for (std::string_view rest = yaml_path; rest.find('.') != std::string_view::npos;) {
        const std::string_view field = rest.substr(0, rest.find('.'));
        rest.remove_prefix(field.size() + 1);
        if (field.starts_with('$')) continue;
        if (field.find("patch") != std::string_view::npos || field.find("Patch") != std::string_view::npos ||
            field.starts_with("postRenderers"))
            return true;
    }
    return false;
}

// Operators merge what their resources hold, a pod template for one, into what they make: their own schema says which
// keys it takes. Nobody merges at the top of an object.
bool may_be_merged_by_operator(std::string_view group, std::string_view yaml_path) {
    const bool builtin =
        group.find('.') == std::string_view::npos || group.ends_with(".k8s.io") || group.ends_with("toolkit.fluxcd.io");
    return !builtin && yaml_path.find("emplate.") != std::string_view::npos; // podTemplate, template
}

bool is_applied(const Fleet& fleet, const Index& index, EntityId id) {
    const Object& object = index.objects[id];
    return object.bootstrap || !fleet.of_object(id).empty() ||
           (object.in_templates && index.chart_by_dir.count(object.chart) != 0);
}

constexpr std::string_view directives[] = {"$patch", "$retainKeys", "$setElementOrder/", "$deleteFromPrimitiveList/"};
constexpr std::string_view paths[] = {"**.$patch", "**.$retainKeys", "**.$setElementOrder/*",
                                      "**.$deleteFromPrimitiveList/*"};

bool is_directive(std::string_view key) {
    return key == directives[0] || key == directives[1] || key.starts_with(directives[2]) ||
           key.starts_with(directives[3]);
}

class Directives {
public:
    Directives(const RelationInput& input, RelationRows& rows)
        : input_(input), index_(input.repository.index), fleet_(fleet_of(input.repository)), rows_(rows) {}

    void written() {
        for (std::size_t i = 0; i < std::size(paths); ++i) {
            const auto path = YamlPath::parse(paths[i]);
            const Tree& tree = *index_.tree;
            for (FileId file = 0; file < tree.files.size(); ++file)
                if ((tree.files[file].path.ends_with(".yaml") || tree.files[file].path.ends_with(".yml")) &&
                    tree.indexed_text(file).find(directives[i]) != std::string_view::npos)
                    for (const DocumentView& document : input_.repository.on_demand->files.view(file).documents)
                        if (!document.embedded && !document.list_item && document.root && !document.root.is_null())
                            take(file, *path, document.root);
        }
    }

    // What Helm renders and post-renderers leave of it.
    void rendered() {
        if (std::none_of(std::begin(directives), std::end(directives),
                         [&](std::string_view word) { return is_mentioned(*index_.tree, word); }))
            return;
        for (const Instance& one : fleet_.instances) {
            if (!fleet_.is_rendered(one) || fleet_.certainty_of(one) == Certainty::possible) continue;
            if (one.object != no_entity && !index_.objects[one.object].in_templates) continue; // crds/: as written
            Arena arena;
            if (const Value* tree = fleet_.tree_of(one, arena)) look(one, *tree, "");
        }
    }

private:
    static std::string subject_of_document(const std::string& path, NodeRef root) {
        const NodeRef kind = root.get("kind"), metadata = root.get("metadata");
        std::string subject = path;
        if (!root.is_mapping() || !kind || kind.is_null()) return subject;
        subject += "#" + std::string(kind.text()) + "/";
        if (const NodeRef ns = metadata.get("namespace"); ns && !ns.is_null()) subject += std::string(ns.text()) + "/";
        return subject + std::string(metadata.get("name").text());
    }

    void take(FileId file, const YamlPath& path, NodeRef root) {
        NodePaths names;
        for (const auto& [key, item] : path.find(root)) {
            const std::string yaml_path = names.of(item);
            const Place place{file, key ? key.span() : item.span()};
            const std::string subject = subject_of_document(index_.tree->files[file].path, root) + ":" + yaml_path;
            NewRow row = rows_.start(place, subject);
            row.set("key", std::string(key ? key.text() : item.text()));
            if (judge(place, yaml_path, row)) rows_.add(std::move(row));
        }
    }

    // False: it is judged as it is rendered.
    bool judge(Place place, std::string_view yaml_path, NewRow& row) {
        row.set("used", "as a patch");
        if (inside_patch_field(yaml_path)) return true;
        EntityId id = no_entity;
        const Object* object = object_at(index_, place, id);
        row.set("used", "as data");
        if (!object) return true; // no resource: values, application config
        if (fleet_.is_shown(*object)) return false;
        told_.insert(place);
        row.set("used", "as an object").set("object", object->kind.text + " " + object->name.text);
        const std::string_view text = index_.tree->indexed_text(place.file);
        const bool applied = is_applied(fleet_, index_, id);
        if (object->embedded && !object->bootstrap)
            row.set("doubt", "a text inside another object");
        else if (may_be_merged_by_operator(object->group, yaml_path))
            row.set("doubt", "the operator of " + object->group + " may merge it");
        else if (!applied && object->as_patch)
            row.set("used", "as a patch");
        else if (!applied)
            row.set("doubt", "nothing in the tree applies this file");
        else if (object->in_templates && !gates_around(text, go_actions(text), place.span.begin).empty())
            row.set("doubt", "it is inside a condition");
        std::set<Place> entries;
        for (std::uint32_t number : fleet_.of_object(id))
            if (const Place entry = fleet_.instances[number].resource.entry;
                is_there(entry) && entries.insert(entry).second)
                row.also(entry, "applied from here");
        return true;
    }

    void look(const Instance& one, const Value& at, const std::string& path) {
        for (std::size_t i = 0; !at.is_scalar() && i < at.size(); ++i) {
            if (at.is_sequence()) {
                look(one, *at.at(i), path);
                continue;
            }
            const Value& key = *at.key_at(i);
            const std::string below = path + std::string(key.text);
            if (is_directive(key.text))
                take_rendered(one, key, below);
            else
                look(one, *at.value_at(i), below + ".");
        }
    }

    void take_rendered(const Instance& one, const Value& key, const std::string& path) {
        const Place place = is_there(decided_at(key)) ? decided_at(key) : place_of(index_, one);
        if (!is_there(place) || !told_.insert(place).second) return;
        NewRow row = rows_.start(place, subject_of(index_, one) + ":" + path);
        row.set("key", std::string(key.text)).set("used", inside_patch_field(path) ? "as a patch" : "as an object");
        row.set("object", std::string(one.id().kind) + " " + std::string(one.id().name));
        if (!inside_patch_field(path) && may_be_merged_by_operator(one.id().group, path))
            row.set("doubt", "the operator of " + std::string(one.id().group) + " may merge it");
        if (is_there(one.resource.entry)) row.also(one.resource.entry, "applied from here");
        rows_.add(std::move(row));
    }

    const RelationInput& input_;
    const Index& index_;
    const Fleet& fleet_;
    RelationRows& rows_;
    std::set<Place> told_ = {}; // by its text, or for another release
};

void fill(const RelationInput& input, RelationRows& rows) {
    Directives directives_of(input, rows);
    directives_of.written();
    directives_of.rendered();
}

} // namespace

constexpr Relation relation{"patch-directives", "key used object doubt", "", fill};

} // namespace lockstep::patch_directives
