// Fields of Flux objects that the CRDs of the pinned Flux do not have: the apply fails, or they are dropped unseen.
#include "base/suggest.h"
#include "deploy/flux_objects.h"
#include "index/relations.h"
#include "rules/check.h"
#include "rules/flux_facts.h"
#include <set>

namespace lockstep::flux_field_unknown {
namespace {

struct Unknown {
    const Value* key;
    std::string path;  // below spec: `install.disableTakeOwnership`
    std::string since; // the release that brings it; empty: none does
    std::string hint;
};

// Meets every field of a spec that the table knows and goes no deeper than the table does.
class Walker {
public:
    Walker(const FluxKnowledge& knowledge, const Pinned& pinned) : knowledge_(knowledge), pinned_(pinned) {}
    std::vector<Unknown> found;
    bool unsure = false;

    void walk(const Value* node, const FluxField& known, const std::string& above, int depth = 0) {
        if (!node || depth > deepest) return;
        for (const Value* item : node->items())
            walk(item, known, above, depth + 1);
        for (std::size_t i = 0; node->is_mapping() && i < node->size(); ++i) {
            const Value* key = node->key_at(i);
            const Value* value = node->value_at(i);
            // A null takes a field away; a key in `$` is for the merge; one from a template is anyone's guess.
            if (key->unknown || !key->is_scalar() || key->text.starts_with('$') ||
                (value->is_null() && !value->unknown))
                continue;
            judge(key, value, std::string(key->text), known, above, depth);
        }
    }

private:
    static constexpr int deepest = 20; // no CRD of Flux is as deep

    void judge(const Value* key, const Value* value, const std::string& name, const FluxField& known,
               const std::string& above, int depth) {
        const std::string path = above.empty() ? name : above + "." + name;
        const auto field = known.fields.find(name);
        if (field == known.fields.end()) {
            std::vector<std::string> names;
            for (const auto& [one, ignored] : known.fields)
                names.push_back(one);
            const auto near = nearest(name, names);
            found.push_back({key, path, {}, near ? "did you mean `" + *near + "`?" : std::string()});
            return;
        }
        const Reach reached = reach(knowledge_, pinned_, field->second.since);
        unsure = unsure || reached.unsure;
        if (!reached.without.empty())
            found.push_back({key, path, field->second.since, {}});
        else if (!field->second.fields.empty())
            walk(value, field->second, path, depth + 1);
    }

    const FluxKnowledge& knowledge_;
    const Pinned& pinned_;
};

const FluxField* field_at(const FluxField& spec, std::string_view path) {
    const FluxField* at = &spec;
    while (at && !path.empty()) {
        const std::size_t dot = std::min(path.find('.'), path.size());
        const auto next = at->fields.find(path.substr(0, dot));
        at = next == at->fields.end() ? nullptr : &next->second;
        path.remove_prefix(std::min(dot + 1, path.size()));
    }
    return at;
}

class Judge {
public:
    Judge(const FluxKnowledge& knowledge, RuleOutcome& outcome) : knowledge_(knowledge), outcome_(outcome) {}

    void judge(const FluxObject& object, const Pinned& pinned) {
        const std::string subject = object.subject;
        if (!pinned.undecided.empty()) return outcome_.undecided(object.place, subject, pinned.undecided);
        if (object.several_kinds) return outcome_.undecided(object.place, subject, "a condition decides its kind");
        for (const FluxPin& pin : pinned.pins)
            if (is_not_served(knowledge_, *object.api, pin))
                return outcome_.undecided(object.place, subject,
                                          "the API is not served, which flux-api-removed reports");
        Walker walker(knowledge_, pinned);
        walker.walk(object.spec, object.api->spec, {});
        bool failed = false;
        for (const Unknown& unknown : walker.found)
            failed = report(object, unknown, pinned) || failed;
        if (failed) return;
        if (walker.unsure || !walker.found.empty())
            outcome_.undecided(object.place, subject, "what the pinned Flux has is not known for certain");
        else
            outcome_.pass(object.place, subject);
    }

private:
    // False when nothing can be said for sure.
    bool report(const FluxObject& object, const Unknown& unknown, const Pinned& pinned) {
        if (object.guarded(unknown.key->place)) return false;
        const std::string name = object.kind + " " + std::string(object.api->version());
        const std::string field = "`spec." + unknown.path + "`";
        Finding finding;
        finding.rule = outcome_.rule->id;
        finding.severity = outcome_.rule->severity;
        finding.place = unknown.key->place;
        if (!told_.emplace(finding.place, unknown.path).second) return true; // by another cluster
        finding.cause = object.api->name + ":" + unknown.path;
        if (!unknown.since.empty()) {
            const Reach reached = reach(knowledge_, pinned, unknown.since);
            if (!reached.all && pinned.split) return false; // flux-version-split speaks
            if (!reached.all) finding.severity = Severity::warning;
            finding.message =
                field + " of " + name + " comes with Flux " + unknown.since + ", and " + reached.without.front()->said;
            for (const FluxPin* pin : reached.without)
                finding.related.push_back({pin->place, pin->said});
        } else {
            bool open = pinned.pins.empty();
            for (const FluxPin& pin : pinned.pins) {
                open = open || pin.open;
                if (pin.newer) return false; // it may have brought the field; flux-version-unknown speaks
            }
            if (open) finding.severity = std::min(finding.severity, Severity::warning);
            const std::string other = elsewhere(object, unknown.path);
            finding.message = name + " has no " + field + " in any Flux release up to " + knowledge_.newest();
            if (!other.empty())
                finding.message += "; " + other;
            else if (!unknown.hint.empty())
                finding.message += "; " + unknown.hint;
        }
        outcome_.fail(object.subject + ":spec." + unknown.path, std::move(finding));
        return true;
    }

    // `v2 has it since Flux 2.3.0`
    std::string elsewhere(const FluxObject& object, std::string_view path) const {
        const auto& versions = knowledge_.versions(object.group, object.kind);
        for (auto api = versions.rbegin(); api != versions.rend(); ++api)
            if (const FluxField* field = field_at((*api)->spec, path); field && *api != object.api)
                return std::string((*api)->version()) + " has it since Flux " + field->since;
        return {};
    }

    const FluxKnowledge& knowledge_;
    RuleOutcome& outcome_;
    std::set<std::pair<Place, std::string>> told_;
};

void run(const CheckInput& input, RuleOutcome& outcome) {
    const RuleFacts facts = input.own_facts();
    const FluxKnowledge knowledge(facts.find("helm"), facts.find("apis"), facts.find("fields"));
    PinnedFlux pinned = pinned_flux(input, knowledge);
    Judge judge(knowledge, outcome);
    FluxObjects objects(input.repository, knowledge, pinned);
    objects.each([&](const FluxObject& object, const Pinned& pins) {
        if (object.api)
            judge.judge(object, pins);
        else
            outcome.undecided(object.place, object.subject, "the table does not have this API");
    });
}

} // namespace

constexpr NativeCheck check{run, "helm: flux helm; apis: api served deprecated gone; fields: api since fields"};

} // namespace lockstep::flux_field_unknown
