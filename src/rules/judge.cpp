// Which rules run, in which order, and what their findings weigh.
#include "rules/judge.h"
#include "base/parallel.h"
#include "rules/decide.h"
#include "rules/law.h"
#include "rules/relation_tables.h"
#include "rules/rendered_rows.h"
#include "rules/value_places.h"
#include <algorithm>
#include <set>

namespace lockstep {
namespace {

constexpr std::string_view left_out = "not among --only";
constexpr std::string_view without_base = "needs a base revision (--base)";

bool names(const std::vector<std::string>& list, const Rule& rule) {
    const auto ids = rule.ids();
    return std::any_of(list.begin(), list.end(),
                       [&](const std::string& id) { return std::find(ids.begin(), ids.end(), id) != ids.end(); });
}

bool pack_is_on(const std::string& pack, const Repository& repository, const Config& config) {
    if (const auto set = config.packs.find(pack); set != config.packs.end()) return set->second;
    return pack != "catalyst" || !repository.index.blueprints.empty();
}

// Empty when the rule runs.
std::string why_not(const Rule& rule, const Repository& repository, const Config& config, const Selection& selection) {
    if (!selection.only.empty() && !names(selection.only, rule)) return std::string(left_out);
    if (names(selection.skip, rule)) return "left out by --skip";
    const bool asked_for = !selection.only.empty();
    if (!asked_for && !pack_is_on(rule.pack, repository, config)) return "pack " + rule.pack + " is off";
    if (!asked_for && config.paths.empty() && severity_for(config, rule.ids(), "", rule.severity) == Severity::off)
        return "switched off in the config";
    return {};
}

void settle_severities(RuleOutcome& outcome, const Repository& repository, const Config& config) {
    apply_law(outcome, repository); // what the config says about a rule or a folder weighs more
    const Tree& tree = *repository.tree;
    for (auto& finding : outcome.findings) {
        const std::string_view path =
            finding.place.file == no_file ? std::string_view() : std::string_view(tree.files[finding.place.file].path);
        finding.severity = severity_for(config, outcome.rule->ids(), path, finding.severity);
    }
    std::erase_if(outcome.findings, [](const Finding& finding) { return finding.severity == Severity::off; });
}

// `must-apply`: a guard that sees nothing, or can decide nothing, is an error.
void report_idle_guards(std::vector<RuleOutcome>& outcomes, const Config& config, const Tree& tree) {
    const auto reporter =
        std::find_if(outcomes.begin(), outcomes.end(), [](const RuleOutcome& o) { return o.rule->id == "guard-idle"; });
    if (reporter == outcomes.end() || !reporter->ran) return;
    const Place place{tree.find(config.path).value_or(no_file), config.must_apply_span};
    for (const auto& id : config.must_apply) {
        bool applied = false, decided = false;
        std::string off;
        for (const auto& outcome : outcomes) {
            if (!names({id}, *outcome.rule)) continue;
            if (!outcome.ran) off = outcome.why_not;
            applied = applied || outcome.applied();
            decided = decided ||
                      outcome.count(Verdict::pass) + outcome.count(Verdict::fail) + outcome.count(Verdict::lost) > 0;
        }
        if (off == left_out) continue; // whoever asks for one rule alone does not ask about this one
        if (applied && decided) {
            reporter->pass(place, id);
            continue;
        }
        Finding finding;
        finding.message = "must-apply names `" + id + "`, but " +
                          (!off.empty() ? "it did not run: " + off
                           : applied    ? "every row it looked at is undecided"
                                        : "it found nothing to check in this tree");
        finding.place = place;
        reporter->fail(id, std::move(finding));
    }
}

bool replaces(const Rule& rule, const Rule& other) {
    return names(rule.replaces, other) ||
           std::find(rule.replaces.begin(), rule.replaces.end(), other.pack) != rule.replaces.end();
}

// One cause, one finding: what another finding says better goes.
void drop_replaced(std::vector<RuleOutcome>& outcomes) {
    std::set<std::string> keys;
    for (const auto& outcome : outcomes)
        for (const auto& finding : outcome.findings)
            keys.insert(finding.replaces.begin(), finding.replaces.end());
    if (keys.empty()) return;
    for (auto& outcome : outcomes)
        std::erase_if(outcome.findings, [&](const Finding& finding) { return keys.contains(finding.key); });
}

std::vector<const Table*> tables_of(const RuleSet& rules, const FactPlan& plan, const ReadResult& read,
                                    std::size_t rule) {
    std::vector<const Table*> tables;
    for (std::size_t fact = 0; fact < rules.rules[rule].facts.size(); ++fact)
        tables.push_back(&read.table(plan.number(rule, fact)));
    return tables;
}

// Rows of relations, and of what is applied. Only the rule itself asks for them, so no two threads do.
void fill_tables(const RuleSet& rules, const FactPlan& plan, const ReadResult& read, const Config& config,
                 const Repository* base, std::size_t rule) {
    const std::vector<FactSpec>& facts = rules.rules[rule].facts;
    for (std::size_t fact = 0; fact < facts.size(); ++fact) {
        const std::size_t number = plan.number(rule, fact);
        if (facts[fact].source == FactSpec::Source::relation)
            read.relations->fill(number, facts[fact], {read.repository, config, rules.tables, {}, {}});
        if (facts[fact].source == FactSpec::Source::applied && (base || !facts[fact].in_base))
            read.relations->keep(number, applied_rows(facts[fact], facts[fact].in_base ? *base : read.repository));
    }
}

} // namespace

void settle_packs(RuleSet& rules, const Repository& repository, const Config& config) {
    for (auto& rule : rules.rules) {
        for (const auto& [pack, level] : rule.severity_in)
            if (pack_is_on(pack, repository, config)) rule.severity = level;
        for (auto& one : rule.cases)
            for (const auto& [pack, level] : one.severity_in)
                if (pack_is_on(pack, repository, config)) one.severity = level;
    }
}

std::vector<RuleOutcome> judge(const RuleSet& rules, const FactPlan& plan, const ReadResult& read, const Config& config,
                               const Selection& selection, std::span<const NativeCheck> checks, const Repository* base,
                               unsigned jobs) {
    const Repository& repository = read.repository;
    const auto facts_of = [&](std::string_view id) {
        RuleFacts facts;
        for (std::size_t i = 0; i < rules.rules.size() && !facts.rule; ++i)
            if (rules.rules[i].id == id) facts = {&rules.rules[i], tables_of(rules, plan, read, i)};
        return facts;
    };
    const bool catalyst = pack_is_on("catalyst", repository, config);
    std::vector<RuleOutcome> outcomes(rules.rules.size());
    std::vector<RuleOutcome> background; // ran only because another rule builds on it
    background.reserve(rules.rules.size());
    std::vector<std::pair<std::size_t, RuleOutcome*>> first, last; // what replaces others runs when those have run

    auto run = [&](std::size_t i, RuleOutcome& outcome) {
        const Rule& rule = rules.rules[i];
        fill_tables(rules, plan, read, config, base, i);
        std::vector<const Table*> tables = tables_of(rules, plan, read, i);
        outcome.rule = &rule;
        outcome.most_findings = config.limits.findings;
        outcome.lists_passes = selection.passes || base != nullptr; // rules about two trees start from them
        if (rule.declarative()) {
            decide(rule, tables, outcome);
        } else {
            const auto check = std::find_if(checks.begin(), checks.end(),
                                            [&](const NativeCheck& one) { return one.name == rule.native; });
            if (check != checks.end()) {
                CheckInput input{rule, repository, config, {&rule, std::move(tables)}, catalyst};
                input.facts_of = facts_of;
                input.base = base;
                if (!rule.replaces.empty()) // and so runs with the last, which must not look at each other
                    for (const auto& [number, other] : first)
                        if (replaces(rule, rules.rules[number])) input.replaced.push_back(other);
                check->run(input, outcome);
            }
        }
        settle_severities(outcome, repository, config);
        if (!selection.passes) // else `facts` shows them
            for (std::size_t fact = 0; fact < rule.facts.size(); ++fact)
                read.relations->done(plan.number(i, fact), rule.facts[fact]);
    };
    auto builds_on = [&](const Rule& rule) {
        return std::any_of(outcomes.begin(), outcomes.end(),
                           [&](const RuleOutcome& other) { return other.ran && replaces(*other.rule, rule); });
    };

    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        RuleOutcome& outcome = outcomes[i];
        outcome.rule = &rules.rules[i];
        outcome.why_not = why_not(*outcome.rule, repository, config, selection);
        if (outcome.why_not.empty() && outcome.rule->needs_base && !base) outcome.why_not = without_base;
        outcome.ran = outcome.why_not.empty();
    }
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        auto& wave = outcomes[i].rule->replaces.empty() ? first : last;
        if (outcomes[i].ran)
            wave.emplace_back(i, &outcomes[i]);
        else if (&wave == &first && outcomes[i].why_not == left_out && builds_on(rules.rules[i]))
            wave.emplace_back(i, &background.emplace_back());
    }
    for (const auto* wave : {&first, &last})
        for (const auto& [rule, outcome] : *wave)
            for (const FactSpec& fact : rules.rules[rule].facts)
                read.relations->expect(fact);
    for (const auto* wave : {&first, &last})
        parallel_for(wave->size(), jobs, [&](std::size_t i) { run((*wave)[i].first, *(*wave)[i].second); });
    drop_replaced(outcomes);
    report_idle_guards(outcomes, config, *repository.tree);
    for (auto& outcome : outcomes)
        settle_severities(outcome, repository, config);
    add_value_places(outcomes, repository);
    return outcomes;
}

} // namespace lockstep
