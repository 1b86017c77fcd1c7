// Fields of Flux objects that a second field of the same object makes meaningless, as Flux documents it.
#include "deploy/flux_objects.h"
#include "index/side_paths.h"
#include "index/text_search.h"
#include "rules/check.h"
#include "rules/flux_facts.h"
#include <algorithm>
#include <set>

namespace lockstep::flux_field_ignored {
namespace {

// `field` does nothing while `by` has one of the values; without values, while it is there.
struct Pair {
    std::string kind, field, by, values, since, why;
};

std::vector<Pair> pairs_of(const Table& table) {
    std::vector<Pair> pairs;
    const auto text = [&](const Row& row, std::string_view column) { return table.at(row, column).text; };
    for (const Row& row : table.rows)
        pairs.push_back({text(row, "kind"), text(row, "field"), text(row, "by"), text(row, "values"),
                         text(row, "since"), text(row, "why")});
    return pairs;
}

std::string_view last_of(std::string_view path) {
    return path.substr(path.rfind('.') + 1);
}

// Both fields, and one of the values, are somewhere in the text.
bool may_hold(std::string_view text, const Pair& pair) {
    if (!holds(text, last_of(pair.by)) || !holds(text, last_of(pair.field))) return false;
    std::string_view values = pair.values;
    while (!values.empty()) {
        const std::size_t end = std::min(values.find(' '), values.size());
        if (holds(text, values.substr(0, end))) return true;
        values.remove_prefix(std::min(end + 1, values.size()));
    }
    return pair.values.empty();
}

struct Field {
    const Value* key = nullptr;
    const Value* value = nullptr;
};

Field field_at(const Value* node, std::string_view path) {
    Field field{nullptr, node};
    while (!path.empty() && field.value) {
        const std::size_t dot = std::min(path.find('.'), path.size());
        const Value* in = field.value;
        field = {in->get_key(path.substr(0, dot)), in->get(path.substr(0, dot))};
        path.remove_prefix(std::min(dot + 1, path.size()));
    }
    return field;
}

// `force: false`, a version of any and an empty list ask for nothing.
bool asks_for_something(const Value* value) {
    if (!value || value->is_null()) return false;
    if (!value->is_scalar()) return value->size() > 0;
    return value->text != "false" && value->text != "*" && !value->text.empty();
}

using Told = std::set<std::pair<Place, std::string_view>>;

bool is_among(std::string_view word, std::string_view words) {
    if (words.empty()) return true;
    const std::size_t at = words.find(word);
    return !word.empty() && at != std::string_view::npos && (at == 0 || words[at - 1] == ' ') &&
           (at + word.size() == words.size() || words[at + word.size()] == ' ');
}

void judge(const std::vector<Pair>& pairs, const FluxObject& object, const FluxKnowledge& knowledge,
           const Pinned& pinned, Told& told, RuleOutcome& outcome) {
    if (object.several_kinds) return outcome.undecided(object.place, object.subject, "a condition decides its kind");
    bool found = false, unsure = false, looked = false;
    for (const Pair& pair : pairs) {
        if (pair.kind != object.kind) continue;
        looked = true;
        const Field field = field_at(object.spec, pair.field), by = field_at(object.spec, pair.by);
        if (!asks_for_something(field.value) || !by.value || by.value->is_null()) continue;
        if (by.value->unknown || field.value->unknown || object.guarded(field.key->place) ||
            object.guarded(by.key->place)) {
            unsure = true;
            continue;
        }
        if (!is_among(by.value->text, pair.values)) continue;
        // A field that the pinned Flux does not have decides nothing: flux-field-unknown reports it.
        if (!pair.since.empty() && !reach(knowledge, pinned, pair.since).without.empty()) continue;
        found = true;
        if (!told.emplace(field.key->place, pair.by).second) continue; // by another cluster
        Finding finding;
        finding.place = field.key->place;
        finding.message = "`spec." + pair.field + "` has no effect next to `spec." + pair.by + ": " +
                          std::string(by.value->text) + "`: " + pair.why;
        finding.related.push_back({by.key->place, "this decides"});
        outcome.fail(object.subject + ":spec." + pair.field, std::move(finding));
    }
    if (!looked || found) return;
    if (unsure)
        outcome.undecided(object.place, object.subject, "a template decides");
    else
        outcome.pass(object.place, object.subject);
}

void run(const CheckInput& input, RuleOutcome& outcome) {
    const RuleFacts facts = input.own_facts();
    const FluxKnowledge knowledge(facts.find("helm"), facts.find("apis"), nullptr);
    PinnedFlux pinned = pinned_flux(input, knowledge);
    const std::vector<Pair> pairs = pairs_of(facts["pairs"]);
    Told told; // views into the pairs
    FluxObjects objects(input.repository, knowledge, pinned);
    objects.may_matter = [&](const Object& object, std::string_view text) {
        return std::any_of(pairs.begin(), pairs.end(),
                           [&](const auto& pair) { return pair.kind == object.kind.text && may_hold(text, pair); });
    };
    objects.each([&](const FluxObject& object, const Pinned& pins) {
        if (!is_side_path(input.repository.index, object.file)) judge(pairs, object, knowledge, pins, told, outcome);
    });
}

} // namespace

constexpr NativeCheck check{run,
                            "helm: flux helm; apis: api served deprecated gone; pairs: kind field by values since why"};

} // namespace lockstep::flux_field_ignored
