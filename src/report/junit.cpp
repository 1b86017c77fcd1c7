// A suite per rule, a test case per subject it looked at: a quiet run shows what was checked. Valid for the schemas of
// Ant and of Jenkins, which is why some attributes are here that carry nothing; `skipped` inside a test case is the
// one thing that Ant's older schema does not know.
#include "base/printable.h"
#include "report/in_repository.h"
#include "report/xml.h"
#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

namespace lockstep {
namespace {

struct TestCase {
    enum class Result : std::uint8_t { pass, failure, skipped };
    Place place;
    std::string_view subject;
    Result result = Result::pass;
    const Finding* finding = nullptr;
    std::string why = {}; // skipped
};

struct Suite {
    const Rule* rule = nullptr;
    std::vector<TestCase> cases;
};
using Suites = std::map<std::string_view, Suite>; // by rule id

// A key is the rule and the subject.
std::string_view subject_of(const Finding& finding) {
    std::string_view key = finding.key;
    if (key.starts_with(finding.rule) && key.substr(finding.rule.size()).starts_with(':'))
        key.remove_prefix(finding.rule.size() + 1);
    return key;
}

// Which rule tells of a subject that failed: its own by the key `rule:subject` or `rule:subject.field`, or one whose
// finding replaces that.
class Reported {
public:
    explicit Reported(const Report& report) {
        for (const Finding& finding : report.unfolded)
            add(finding);
        for (const SuppressedFinding& one : report.suppressed)
            add(one.finding);
        std::sort(keys_.begin(), keys_.end());
    }
    // Empty when nobody does.
    std::string_view by(const std::string& key) const {
        const std::string field = key + ".";
        for (const std::string_view wanted : {std::string_view(key), std::string_view(field)}) {
            const auto next = std::lower_bound(keys_.begin(), keys_.end(), Key{wanted, {}});
            if (next != keys_.end() && (wanted == field ? next->first.starts_with(field) : next->first == key))
                return next->second;
        }
        return {};
    }

private:
    using Key = std::pair<std::string_view, std::string_view>; // and the rule
    void add(const Finding& finding) {
        keys_.emplace_back(finding.key, finding.rule);
        for (const std::string& replaced : finding.replaces)
            keys_.emplace_back(replaced, finding.rule);
    }
    std::vector<Key> keys_;
};

void add_subjects(const RuleOutcome& outcome, const Reported& reported, std::vector<TestCase>& cases) {
    using Result = TestCase::Result;
    for (const Subject& subject : outcome.subjects) {
        switch (subject.verdict) {
        case Verdict::pass:
            cases.push_back({subject.place, subject.name});
            break;
        case Verdict::undecided:
            cases.push_back({subject.place, subject.name, Result::skipped, nullptr, "undecided: " + subject.why});
            break;
        case Verdict::fail:
        case Verdict::lost: { // they come as findings, unless something took these away
            const std::string_view by = reported.by(outcome.rule->id + ":" + subject.name);
            if (by == outcome.rule->id) break;
            cases.push_back({subject.place, subject.name, Result::skipped, nullptr,
                             by.empty() ? "switched off in the config" : "told by " + std::string(by)});
            break;
        }
        case Verdict::unmatched: // nothing was compared
            break;
        }
    }
}

Suites collect(const Report& report) {
    using Result = TestCase::Result;
    Suites suites;
    const Reported reported(report);
    for (const RuleOutcome& outcome : report.outcomes) {
        if (!outcome.ran || outcome.subjects.empty()) continue;
        Suite& suite = suites[outcome.rule->id]; // several groups of pins may share one
        suite.rule = outcome.rule;
        add_subjects(outcome, reported, suite.cases);
    }
    for (const Finding& finding : report.unfolded) {
        const bool fails = finding.severity > Severity::note;
        suites[finding.rule].cases.push_back({finding.place, subject_of(finding),
                                              fails ? Result::failure : Result::skipped, &finding,
                                              fails ? "" : "note: " + finding.message});
    }
    for (const SuppressedFinding& one : report.suppressed) {
        const bool by_comment = one.by == SuppressedFinding::By::comment;
        suites[one.finding.rule].cases.push_back({one.finding.place, subject_of(one.finding), Result::skipped, nullptr,
                                                  by_comment ? "suppressed: " + one.reason : one.reason});
    }
    for (auto& entry : suites)
        std::stable_sort(entry.second.cases.begin(), entry.second.cases.end(),
                         [](const TestCase& a, const TestCase& b) {
                             return std::tie(a.place, a.subject) < std::tie(b.place, b.subject);
                         });
    return suites;
}

// `path:line subject`, with white space as XML readers leave it in an attribute.
std::string name_of(const TestCase& one, const Report& report) {
    const RepositoryPlace place = place_in_repository(report, one.place);
    std::string name = place.path.empty() ? "lockstep" : place.path + ":" + std::to_string(place.begin.line);
    if (!one.subject.empty()) name += ' ' + std::string(one.subject);
    std::string out;
    append_printable(out, name);
    out.erase(std::unique(out.begin(), out.end(), [](char a, char b) { return a == ' ' && b == ' '; }), out.end());
    return out;
}

// Names that are given away, with the last number that went behind each.
using Taken = std::unordered_map<std::string, std::size_t>;

std::string unique_name(const std::string& name, Taken& taken) {
    std::size_t& last = taken.emplace(name, 0).first->second; // stays where it is when the table grows
    if (++last == 1) return name;
    for (;; ++last)
        if (std::string fresh = name + " (" + std::to_string(last) + ")"; taken.emplace(fresh, 1).second) return fresh;
}

void append_place_line(std::string& out, const RepositoryPlace& place) {
    if (place.path.empty()) {
        out += "lockstep: ";
        return;
    }
    append_xml(out, place.path);
    out += ':' + std::to_string(place.begin.line) + ':' + std::to_string(place.begin.column) + ": ";
}

void append_failure(std::string& out, const Finding& finding, const Rule* rule, const Report& report) {
    out += "\n      <failure type=\"";
    out += to_string(finding.severity);
    out += "\" message=\"";
    append_xml(out, finding.message);
    out += "\">";
    append_place_line(out, place_in_repository(report, finding.place));
    append_xml(out, finding.message);
    for (const Related& related : finding.related) {
        out += "\n";
        append_place_line(out, place_in_repository(report, related.place));
        append_xml(out, related.message.empty() ? "also here" : related.message);
    }
    if (rule && !rule->fix.empty()) {
        out += "\nThe way out: ";
        std::string fix = rule->fix.substr(0, rule->fix.find_last_not_of("\n ") + 1);
        std::replace(fix.begin(), fix.end(), '\n', ' ');
        append_xml(out, fix);
    }
    out += "</failure>\n    ";
}

void append_case(std::string& out, const TestCase& one, std::string_view id, std::string_view name, const Rule* rule,
                 const Report& report) {
    out += "    <testcase classname=\"lockstep.";
    append_xml(out, id);
    out += "\" name=\"";
    append_xml(out, name);
    out += "\" time=\"0\"";
    if (one.result == TestCase::Result::pass) {
        out += "/>\n";
        return;
    }
    out += '>';
    if (one.result == TestCase::Result::failure) {
        append_failure(out, *one.finding, rule, report);
    } else {
        out += "<skipped>";
        append_xml(out, one.why);
        out += "</skipped>";
    }
    out += "</testcase>\n";
}

struct SuiteHead {
    std::string_view name, severity, summary;
    std::size_t number = 0, tests = 0, failures = 0;
};

// Reports of one tree are the same bytes on every run, so the day is not that of the run.
void append_head(std::string& out, const SuiteHead& head) {
    out += "  <testsuite name=\"";
    append_xml(out, head.name);
    out += "\" package=\"lockstep\" id=\"" + std::to_string(head.number) + "\" hostname=\"localhost\"" +
           " timestamp=\"1970-01-01T00:00:00\" time=\"0\" tests=\"" + std::to_string(head.tests) + "\" failures=\"" +
           std::to_string(head.failures) +
           "\" errors=\"0\">\n    <properties>\n      <property name=\"severity\" value=\"";
    append_xml(out, head.severity);
    out += "\"/>\n      <property name=\"summary\" value=\"";
    append_xml(out, head.summary);
    out += "\"/>\n    </properties>\n";
}

constexpr std::string_view tail = "    <system-out/>\n    <system-err/>\n  </testsuite>\n";

} // namespace

Written write_junit(const Report& report) {
    std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
    std::size_t number = 0;
    for (const auto& [id, suite] : collect(report)) {
        if (suite.cases.empty()) continue;
        const auto failures = std::count_if(suite.cases.begin(), suite.cases.end(), [](const TestCase& one) {
            return one.result == TestCase::Result::failure;
        });
        const Rule* rule = suite.rule ? suite.rule : report.rules.find(id);
        append_head(out, {id, rule ? to_string(rule->severity) : "", rule ? std::string_view(rule->summary) : "",
                          number++, suite.cases.size(), static_cast<std::size_t>(failures)});
        Taken taken;
        for (const TestCase& one : suite.cases)
            append_case(out, one, id, unique_name(name_of(one, report), taken), rule, report);
        out += tail;
    }
    if (number == 0) { // silence must not look like success
        append_head(out, {"lockstep", "", "", 0, 1, 0});
        out += "    <testcase classname=\"lockstep\" name=\"nothing was checked\" time=\"0\"><skipped>no rule found "
               "anything "
               "it applies to</skipped></testcase>\n";
        out += tail;
    }
    out += "</testsuites>\n";
    return {std::move(out)};
}

} // namespace lockstep
