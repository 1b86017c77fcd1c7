// Force marks that Flux never acts on: a word it does not know, or an object that only Helm applies.
#include "deploy/force_mark.h"
#include "deploy/identities.h"
#include "index/cells.h"
#include "index/relations.h"
#include "rules/check.h"
#include <algorithm>

namespace lockstep::force_without_effect {
namespace {

enum class Word : std::uint8_t { enabled, disabled, judged };

// Judges the value; what is left to ask about the object comes back.
Word judge_value(const Cell& value, const std::string& what, const std::string& subject, RuleOutcome& outcome) {
    if (value.state == State::templated) {
        outcome.undecided(value.place, subject, "a templated value");
        return Word::judged;
    }
    if (says_enabled(value.text)) return Word::enabled;
    if (says_disabled(value.text)) return Word::disabled;
    Finding finding;
    finding.message =
        std::string(force_key) + ": `" + value.text + "` on " + what + " has no effect: Flux knows only `enabled`";
    finding.place = value.place;
    outcome.fail(subject, std::move(finding));
    return Word::judged;
}

bool is_rendered(const Fleet& fleet, EntityId object) {
    const auto all = fleet.of_object(object);
    return std::any_of(all.begin(), all.end(),
                       [&](std::uint32_t number) { return fleet.root_of(fleet.instances[number]).is_rendered(); });
}

// What a release, or a chart by itself, makes of a templated mark.
void judge_rendered(const CheckInput& input, const Instance& one, RuleOutcome& outcome) {
    const Fleet& fleet = fleet_of(input.repository);
    const Index& index = input.repository.index;
    const Root& root = fleet.root_of(one);
    const bool released = root.by == Root::By::release;
    if (!root.is_rendered() || root.certainty == Certainty::possible) return;
    if (released && root.certainty != Certainty::proven) return;
    static const std::vector<Cell> none;
    const std::vector<Cell>& written = one.object == no_entity ? none : index.objects[one.object].forces;
    if (!written.empty() &&
        std::none_of(written.begin(), written.end(), [](const Cell& mark) { return mark.state == State::templated; }))
        return; // judged as it is written
    const ForceMark mark = force_mark(fleet.tree_of(one));
    if (mark.says == ForceMark::Says::nothing) return;
    const std::string subject = subject_of(index, one);
    if (mark.says == ForceMark::Says::unsure) return outcome.undecided(mark.cell.place, subject, mark.why);
    if (mark.cell.text.empty() || says_disabled(mark.cell.text)) return outcome.pass(mark.cell.place, subject);
    Finding finding;
    finding.message = std::string(force_key) + ": " + mark.cell.text + " on " + std::string(one.id().kind) + " " +
                      std::string(one.id().name) + " has no effect: only Helm applies it, " +
                      (released ? "for release " : "as part of chart ") + root.name +
                      ", and Helm does not read the mark";
    finding.place = mark.cell.place;
    finding.related.push_back({root.place, released ? "the release" : "the chart"});
    outcome.fail(subject, std::move(finding));
}

void judge_object(const CheckInput& input, EntityId id, const Cell& value, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    const Object& object = index.objects[id];
    const std::string subject = subject_of(index, object);
    const std::string what = object.kind.text + " " + object.name.text;
    if (value.state == State::templated && is_rendered(fleet_of(input.repository), id)) return; // judged as rendered
    const Word word = judge_value(value, what, subject, outcome);
    if (word == Word::judged) return;
    if (word == Word::disabled || object.as_patch || object.partial) return outcome.pass(value.place, subject);
    if (!fleet_of(input.repository).applied_by_kustomize(id).empty()) return outcome.pass(value.place, subject);
    const auto chart = index.chart_by_dir.find(object.chart);
    if (!object.in_templates || chart == index.chart_by_dir.end())
        return outcome.undecided(value.place, subject, "nothing in the tree applies this file");
    const Chart& owner = index.charts[chart->second];
    Finding finding;
    finding.message = std::string(force_key) + ": " + value.text + " on " + what +
                      " has no effect: only Helm applies it, as part of chart " + owner.name.text +
                      ", and Helm does not read the mark";
    finding.place = value.place;
    finding.related.push_back({owner.name.place, "the chart"});
    outcome.fail(subject, std::move(finding));
}

void judge_pairs(const std::vector<Pair>& pairs, const std::string& what, const std::string& file,
                 RuleOutcome& outcome) {
    for (const Pair& pair : pairs)
        if (pair.key.text == force_key && is_set(pair.value) &&
            judge_value(pair.value, what, file, outcome) != Word::judged)
            outcome.pass(pair.value.place, file);
}

void run(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    for (EntityId id = 0; id < index.objects.size(); ++id) {
        if (index.objects[id].embedded) continue;
        for (const Cell& mark : index.objects[id].forces)
            judge_object(input, id, mark, outcome);
    }
    for (const Instance& one : fleet_of(input.repository).instances)
        judge_rendered(input, one, outcome);
    for (const Kustomization& made : index.kustomizations) {
        const std::string& file = input.repository.tree->files[made.file].path;
        for (const auto* pairs : {&made.common_annotations, &made.common_labels, &made.labels})
            judge_pairs(*pairs, "everything below this kustomization", file, outcome);
    }
    for (const FluxKustomization& flux : index.flux_kustomizations) {
        const Object& object = index.objects[flux.object];
        for (const auto* pairs : {&flux.common_annotations, &flux.common_labels})
            judge_pairs(*pairs, "everything that Kustomization " + object.name.text + " applies",
                        subject_of(index, object), outcome);
    }
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::force_without_effect
