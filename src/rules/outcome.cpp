// Verdicts as they are collected.
#include "rules/outcome.h"
#include <algorithm>

namespace lockstep {

std::string_view to_string(Verdict verdict) {
    switch (verdict) {
    case Verdict::pass:
        return "pass";
    case Verdict::fail:
        return "fail";
    case Verdict::undecided:
        return "undecided";
    case Verdict::lost:
        return "lost";
    case Verdict::unmatched:
        return "unmatched";
    }
    return "";
}

std::string_view to_string(Judges judges) {
    for (const auto& [name, one] : judged_things)
        if (one == judges) return name;
    return "";
}

void RuleOutcome::pass(Place place, std::string subject) {
    if (lists_passes)
        subjects.push_back({place, std::move(subject), Verdict::pass, {}, subjects.size()});
    else
        ++unlisted_passes;
}

void RuleOutcome::undecided(Place place, std::string subject, std::string why) {
    subjects.push_back({place, std::move(subject), Verdict::undecided, std::move(why), subjects.size()});
}

void RuleOutcome::fail(std::string subject, Finding finding) {
    if (finding.rule.empty()) {
        finding.rule = rule->id;
        finding.severity = rule->severity;
    }
    if (finding.key.empty()) finding.key = rule->id + ":" + subject;
    subjects.push_back({finding.place, std::move(subject), Verdict::fail, {}, subjects.size()});
    add(std::move(finding));
}

void RuleOutcome::add(Finding finding) {
    too_many = findings.size() >= most_findings;
    if (!too_many) findings.push_back(std::move(finding));
}

std::size_t RuleOutcome::count(Verdict verdict) const {
    const auto listed = std::count_if(subjects.begin(), subjects.end(),
                                      [&](const Subject& subject) { return subject.verdict == verdict; });
    return static_cast<std::size_t>(listed) + (verdict == Verdict::pass ? unlisted_passes : 0);
}

bool RuleOutcome::applied() const {
    return ran && (unlisted_passes > 0 || std::any_of(subjects.begin(), subjects.end(), [](const Subject& s) {
                       return s.verdict != Verdict::unmatched;
                   }));
}

} // namespace lockstep
