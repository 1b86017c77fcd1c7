// Objects of Flux whose API the pinned Flux does not serve, will not serve much longer, or does not serve yet.
#include "deploy/flux_objects.h"
#include "rules/check.h"
#include "rules/flux_facts.h"
#include <algorithm>

namespace lockstep::flux_api_removed {
namespace {

class Judge {
public:
    Judge(const FluxKnowledge& knowledge, RuleOutcome& outcome) : knowledge_(knowledge), outcome_(outcome) {}

    void judge(const FluxObject& object, const Pinned& pinned) {
        if (!pinned.undecided.empty()) return outcome_.undecided(object.place, object.subject, pinned.undecided);
        if (object.guards && object.guards->covers(object.place.span.begin))
            return outcome_.undecided(object.place, object.subject, "rendered only where the cluster has the API");
        if (pinned.none()) return judge_without_pin(object);
        std::vector<const FluxPin*> without;
        bool unsure = false;
        for (const FluxPin& pin : pinned.pins) {
            if (object.api ? is_not_served(knowledge_, *object.api, pin) : is_never_served(pin))
                without.push_back(&pin);
            else if (!object.api || is_unsure(*object.api, pin))
                unsure = true;
        }
        if (without.empty() && !unsure && is_deprecated(object, pinned)) return;
        if (without.empty() || (pinned.split && without.size() < pinned.pins.size())) {
            if (without.empty() && !unsure)
                outcome_.pass(object.place, object.subject);
            else
                outcome_.undecided(object.place, object.subject,
                                   "what the pinned Flux serves is not known for certain");
            return;
        }
        Finding finding = start(object, outcome_.rule->severity);
        const bool some_serve = object.api && std::all_of(without.begin(), without.end(), [&](const FluxPin* pin) {
                                    return has_older_ones(*object.api, *pin);
                                });
        if (some_serve || without.size() < pinned.pins.size())
            finding.severity = std::min(finding.severity, Severity::warning);
        finding.message = name_of(object) + " " + when(object, *without.front()) + ", and " + without.front()->said +
                          (some_serve ? ", which takes the newest of them" : "") +
                          advice(object, without.front()->version);
        for (const FluxPin* pin : without)
            finding.related.push_back({pin->place, pin->said});
        outcome_.fail(object.subject + ":apiVersion", std::move(finding));
    }

private:
    static std::string name_of(const FluxObject& object) {
        return "`" + object.group + "/" + object.version + "` of " + object.kind;
    }

    Finding start(const FluxObject& object, Severity severity) const {
        Finding finding;
        finding.rule = outcome_.rule->id;
        finding.severity = severity;
        finding.place = object.place;
        finding.cause = object.group + "/" + object.version + "/" + object.kind;
        return finding;
    }

    // An API that no release of the table has: older ones may have had it, newer ones may bring it.
    bool is_never_served(const FluxPin& pin) const {
        return !pin.open && knowledge_.has(pin.version, knowledge_.oldest()) == Known::yes;
    }

    // A range in which older releases still serve it.
    bool has_older_ones(const FluxApi& api, const FluxPin& pin) const {
        return pin.range && knowledge_.has(pin.oldest, api.served) == Known::yes &&
               knowledge_.has(pin.oldest, api.gone) != Known::yes;
    }

    bool is_unsure(const FluxApi& api, const FluxPin& pin) const {
        return knowledge_.has(pin.version, api.served) != Known::yes ||
               (!api.gone.empty() && knowledge_.has(pin.version, api.gone) == Known::unsure);
    }

    std::string when(const FluxObject& object, const FluxPin& pin) const {
        if (!object.api) return "was never served by Flux " + knowledge_.oldest() + " to " + knowledge_.newest();
        if (!object.api->gone.empty() && knowledge_.has(pin.version, object.api->gone) == Known::yes)
            return "was removed in Flux " + object.api->gone;
        return "comes with Flux " + object.api->served;
    }

    // The newest version of the kind that the release serves.
    std::string advice(const FluxObject& object, const Version& flux) const {
        const FluxApi* best = nullptr;
        for (const FluxApi* api : knowledge_.versions(object.group, object.kind))
            if (knowledge_.has(flux, api->served) == Known::yes &&
                (api->gone.empty() || knowledge_.has(flux, api->gone) == Known::no))
                best = api;
        return best ? "; it serves " + std::string(best->version()) : std::string();
    }

    bool is_deprecated(const FluxObject& object, const Pinned& pinned) {
        if (object.api->deprecated.empty()) return false;
        for (const FluxPin& pin : pinned.pins)
            if (knowledge_.has(pin.version, object.api->deprecated) != Known::yes) return false;
        const FluxPin& pin = pinned.pins.front();
        Finding finding = start(object, Severity::note);
        finding.message = name_of(object) + " has been deprecated since Flux " + object.api->deprecated;
        if (!object.api->gone.empty()) finding.message += " and is removed in " + object.api->gone;
        finding.message += ", " + pin.said + advice(object, pin.version);
        finding.related.push_back({pin.place, pin.said});
        outcome_.fail(object.subject + ":apiVersion", std::move(finding));
        return true;
    }

    // Nobody says which Flux runs: only what no release serves, or the current ones do not, is worth a word.
    void judge_without_pin(const FluxObject& object) {
        if (object.api && object.api->gone.empty()) return outcome_.pass(object.place, object.subject);
        Finding finding =
            start(object, object.api ? Severity::note : std::min(outcome_.rule->severity, Severity::warning));
        const Version newest = parse_version(knowledge_.newest()).value_or(Version());
        finding.message =
            name_of(object) + " " +
            (object.api ? "was removed in Flux " + object.api->gone
                        : "was never served by Flux " + knowledge_.oldest() + " to " + knowledge_.newest()) +
            ", and nothing here says which Flux runs";
        if (const std::string to = advice(object, newest); !to.empty())
            finding.message += "; Flux " + knowledge_.newest() + to.substr(to.find(" serves"));
        outcome_.fail(object.subject + ":apiVersion", std::move(finding));
    }

    const FluxKnowledge& knowledge_;
    RuleOutcome& outcome_;
};

void run(const CheckInput& input, RuleOutcome& outcome) {
    const RuleFacts facts = input.own_facts();
    const FluxKnowledge knowledge(facts.find("helm"), facts.find("apis"), nullptr);
    PinnedFlux pinned = pinned_flux(input, knowledge);
    Judge judge(knowledge, outcome);
    FluxObjects objects(input.repository, knowledge, pinned);
    objects.only_headers = true;
    objects.each([&](const FluxObject& object, const Pinned& pins) {
        if (knowledge.versions(object.group, object.kind).empty())
            outcome.undecided(object.place, object.subject, "the table does not have this kind");
        else
            judge.judge(object, pins);
    });
}

} // namespace

constexpr NativeCheck check{run, "helm: flux helm; apis: api served deprecated gone"};

} // namespace lockstep::flux_api_removed
