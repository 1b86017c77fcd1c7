// `$patch` and its kin in something that reaches the API server. They are legal in patches and only there, so each key
// is judged by what its document is used as.
#include "checks/checks.h"
#include "index/index.h"
#include <algorithm>

namespace lockstep {
namespace {

// The innermost object whose document holds the place.
const Object* object_at(const Index& index, Place place, EntityId& id) {
    const Object* found = nullptr;
    for (EntityId i = 0; i < index.objects.size(); ++i) {
        const Object& object = index.objects[i];
        if (object.file != place.file || object.document.begin > place.span.begin ||
            object.document.end < place.span.end)
            continue;
        if (found && found->document.begin >= object.document.begin) continue;
        found = &object;
        id = i;
    }
    return found;
}

// Patches written out as objects inside a HelmRelease or a Kustomization.
bool inside_patch_field(std::string_view yaml_path) {
    if (yaml_path.starts_with("spec.values.")) return true; // free-form: a chart reads it, not the API server
    return yaml_path.find("postRenderers") != std::string_view::npos ||
           yaml_path.find("patches") != std::string_view::npos ||
           yaml_path.find("patchesStrategicMerge") != std::string_view::npos;
}

bool is_applied(const Index& index, EntityId object) {
    const auto appliers = applied_by(index, object);
    return std::any_of(appliers.begin(), appliers.end(), [](const Applier& applier) {
        return applier.by != Applier::By::bootstrap || applier.id != no_entity;
    });
}

void judge_key(const CheckInput& input, const Row& row, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    const auto colon = row.subject.find(':', row.subject.find('#') == std::string::npos ? 0 : row.subject.find('#'));
    if (inside_patch_field(colon == std::string::npos ? std::string_view()
                                                      : std::string_view(row.subject).substr(colon + 1)))
        return outcome.pass(row.anchor, row.subject);
    EntityId id = no_entity;
    const Object* object = object_at(index, row.anchor, id);
    if (!object) return outcome.pass(row.anchor, row.subject); // no resource: values, application config
    if (object->embedded && !object->bootstrap)
        return outcome.undecided(row.anchor, row.subject, "a text inside another object");
    const bool applied = is_applied(index, id);
    if (!applied && object->as_patch) return outcome.pass(row.anchor, row.subject);
    if (!applied) return outcome.undecided(row.anchor, row.subject, "nothing in the tree applies this file");

    const std::string_view text = input.repository.tree->files[row.anchor.file].text;
    const std::string key(text.substr(row.anchor.span.begin, row.anchor.span.end - row.anchor.span.begin));
    Finding finding;
    finding.message = "`" + key + "` stands in the " + object->kind.text + " " + object->name.text +
                      " itself, not in a patch: the API server refuses it as an unknown field";
    finding.place = row.anchor;
    for (const auto& applier : applied_by(index, id))
        if (applier.place.file != no_file) finding.related.push_back({applier.place, "applied from here"});
    outcome.fail(row.subject, std::move(finding));
}

} // namespace

void check_patch_directive(const CheckInput& input, RuleOutcome& outcome) {
    for (const Table* facts : input.facts)
        for (const auto& row : facts->rows)
            judge_key(input, row, outcome);
}

} // namespace lockstep
