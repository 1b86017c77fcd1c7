// `$patch` and its kin in something that reaches the API server. They are legal in patches and only there, so each key
// is judged by what its document is used as.
#include "deploy/fleet.h"
#include "deploy/flux_spec.h"
#include "deploy/identities.h"
#include "index/cells.h"
#include "index/template_gates.h"
#include "index/text_search.h"
#include "rules/check.h"
#include <algorithm>
#include <set>

namespace lockstep::patch_directive_in_base {
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

Finding finding_for(std::string_view key, const std::string& what, Place place) {
    Finding finding;
    finding.message = "`" + std::string(key) + "` is in the " + what +
                      " itself, not in a patch: the API server refuses it as an unknown field";
    finding.place = place;
    return finding;
}

void judge_key(const CheckInput& input, const Row& row, RuleOutcome& outcome, std::set<Place>& told) {
    const Index& index = input.repository.index;
    const auto colon = row.subject.find(':', row.subject.find('#') == std::string::npos ? 0 : row.subject.find('#'));
    const std::string_view yaml_path =
        colon == std::string::npos ? std::string_view() : std::string_view(row.subject).substr(colon + 1);
    if (inside_patch_field(yaml_path)) return outcome.pass(row.anchor, row.subject);
    EntityId id = no_entity;
    const Object* object = object_at(index, row.anchor, id);
    if (!object) return outcome.pass(row.anchor, row.subject); // no resource: values, application config
    const Fleet& fleet = fleet_of(input.repository);
    if (fleet.is_shown(*object)) return; // judged as rendered
    told.insert(row.anchor);
    if (object->embedded && !object->bootstrap)
        return outcome.undecided(row.anchor, row.subject, "a text inside another object");
    if (may_be_merged_by_operator(object->group, yaml_path))
        return outcome.undecided(row.anchor, row.subject, "the operator of " + object->group + " may merge it");
    const bool applied = is_applied(fleet, index, id);
    if (!applied && object->as_patch) return outcome.pass(row.anchor, row.subject);
    if (!applied) return outcome.undecided(row.anchor, row.subject, "nothing in the tree applies this file");

    const std::string_view text = input.text(row.anchor.file);
    if (object->in_templates && !gates_around(text, go_actions(text), row.anchor.span.begin).empty())
        return outcome.undecided(row.anchor, row.subject, "it is inside a condition");
    const std::string key(text.substr(row.anchor.span.begin, row.anchor.span.end - row.anchor.span.begin));
    Finding finding = finding_for(key, object->kind.text + " " + object->name.text, row.anchor);
    for (std::uint32_t number : fleet.of_object(id)) {
        const Place entry = fleet.instances[number].resource.entry;
        const bool known = std::any_of(finding.related.begin(), finding.related.end(),
                                       [&](const Related& one) { return one.place == entry; });
        if (entry.file != no_file && !known && finding.related.size() < most_related)
            finding.related.push_back({entry, "applied from here"});
    }
    outcome.fail(row.subject, std::move(finding));
}

constexpr std::string_view directives[] = {"$patch", "$retainKeys", "$setElementOrder/", "$deleteFromPrimitiveList/"};

bool is_directive(std::string_view key) {
    return key == directives[0] || key == directives[1] || key.starts_with(directives[2]) ||
           key.starts_with(directives[3]);
}

// What Helm renders and post-renderers leave of it.
struct Rendered {
    const CheckInput& input;
    RuleOutcome& outcome;
    std::set<Place> told; // by its text, or for another release

    void judge(const Instance& one) {
        const Index& index = input.repository.index;
        const Fleet& fleet = fleet_of(input.repository);
        if (!fleet.is_rendered(one) || fleet.certainty_of(one) == Certainty::possible) return;
        if (one.object != no_entity && !index.objects[one.object].in_templates) return; // crds/: judged as written
        Arena arena;
        if (const Value* tree = fleet.tree_of(one, arena)) look(one, *tree, "");
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
                judge_key(one, key, below);
            else
                look(one, *at.value_at(i), below + ".");
        }
    }
    void judge_key(const Instance& one, const Value& key, const std::string& path) {
        const std::string subject = subject_of(input.repository.index, one) + ":" + path;
        const Place place = is_there(decided_at(key)) ? decided_at(key) : place_of(input.repository.index, one);
        if (!is_there(place) || !told.insert(place).second) return;
        if (inside_patch_field(path)) return outcome.pass(place, subject);
        if (may_be_merged_by_operator(one.id().group, path))
            return outcome.undecided(place, subject,
                                     "the operator of " + std::string(one.id().group) + " may merge it");
        Finding finding = finding_for(key.text, std::string(one.id().kind) + " " + std::string(one.id().name), place);
        if (is_there(one.resource.entry)) finding.related.push_back({one.resource.entry, "applied from here"});
        outcome.fail(subject, std::move(finding));
    }
};

void run(const CheckInput& input, RuleOutcome& outcome) {
    std::set<Place> told;
    for (std::string_view name : {"patch", "retain", "order", "delete"})
        for (const auto& row : input.facts[name].rows)
            judge_key(input, row, outcome, told);
    if (std::none_of(std::begin(directives), std::end(directives),
                     [&](std::string_view word) { return is_mentioned(*input.repository.tree, word); }))
        return;
    Rendered rendered{input, outcome, std::move(told)};
    for (const Instance& one : fleet_of(input.repository).instances)
        rendered.judge(one);
}

} // namespace

constexpr NativeCheck check{run, "patch; retain; order; delete"};

} // namespace lockstep::patch_directive_in_base
