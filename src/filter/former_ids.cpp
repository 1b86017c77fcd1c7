// Tells who still uses the id that a rule had before.
#include "filter/former_ids.h"
#include <algorithm>

namespace lockstep {

FormerIds former_ids_in(const Config& config, const std::vector<Suppression>& suppressions,
                        const std::set<std::string>& of_baseline, const RuleSet& rules, const Tree& tree) {
    FormerIds used;
    const auto add = [&](const std::string& id, Place place) {
        if (const Rule* rule = rules.find(id); rule && rule->id != id) used[id].push_back(place);
    };
    const FileId config_file = tree.find(config.path).value_or(no_file);
    for (const NamedRule& named : config.named_rules)
        add(named.id, {config_file, named.span});
    for (const Suppression& one : suppressions)
        for (const std::string& id : one.rules)
            add(id, one.place);
    for (const std::string& id : of_baseline)
        add(id, {no_file, {}});
    return used;
}

void report_former_ids(const FormerIds& used, std::vector<RuleOutcome>& outcomes, const RuleSet& rules,
                       const Config& config, std::vector<Finding>& findings) {
    const auto reporter = std::find_if(outcomes.begin(), outcomes.end(),
                                       [](const RuleOutcome& one) { return one.rule->id == "former-rule-id"; });
    if (reporter == outcomes.end() || !reporter->ran) return;
    const Severity severity = severity_for(config, reporter->rule->ids(), {}, reporter->rule->severity);
    if (severity == Severity::off) return;
    for (const auto& [id, places] : used) {
        Finding finding;
        finding.rule = reporter->rule->id;
        finding.severity = severity;
        finding.message = "the rule `" + id + "` is called `" + rules.find(id)->id + "` now" +
                          (places.front().file == no_file ? "; the baseline or the config still uses the old id" : "");
        finding.place = places.front();
        for (std::size_t i = 1; i < places.size(); ++i)
            finding.related.push_back({places[i], "also here"});
        finding.key = finding.rule + ":" + id;
        reporter->subjects.push_back({finding.place, id, Verdict::fail, {}, reporter->subjects.size()});
        findings.push_back(std::move(finding));
    }
}

} // namespace lockstep
