// Verdicts as they are collected.
#include "rules/outcome.h"
#include <algorithm>
#include <functional>

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

namespace {

// A value of some megabytes in a message, a thousand times, is a report that nobody can read or write.
constexpr std::size_t most_message = 4096;

void cut(std::string& text, std::size_t most) {
    if (text.size() <= most) return;
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0U) == 0x80) // not within a character
        --most;
    text.resize(most);
    text += "…";
}

} // namespace

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
    if (too_many) return;
    cut(finding.message, most_message);
    if (finding.key.size() > most_message) {
        const std::size_t whole = std::hash<std::string>()(finding.key); // two that differ behind the cut stay two
        cut(finding.key, most_message);
        finding.key += std::to_string(whole);
    }
    if (finding.related.size() > most_related) {
        const std::size_t more = std::min(finding.related.size() - most_related, spare_related);
        spare_related -= more;
        finding.related.resize(most_related + more);
        finding.related.shrink_to_fit();
    }
    findings.push_back(std::move(finding));
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
