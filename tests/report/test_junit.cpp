// JUnit: what became of every subject, and documents that any XML reader takes.
#include "sample.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

const Tree small_tree = tree_in_memory({{"a.yaml", "x: 1\ny: 2\n"}, {"b.yaml", "z: 3\n"}});

// A run of one rule over the small tree.
struct OneRule {
    OneRule() : run(small_tree) {
        rule.id = "some-rule";
        rule.summary = "x and y \"differ\"";
        rule.fix = "Move both\nat once.\n";
        outcome.rule = &rule;
    }
    std::string junit(std::string_view prefix = {}) {
        run.outcomes = {outcome};
        Report report = run.report();
        report.prefix = prefix;
        return write_junit(report).text;
    }
    void fail(std::string subject, Finding finding) {
        finding.key = rule.id + ":" + subject;
        outcome.fail(std::move(subject), finding);
        run.findings.push_back(std::move(finding));
    }
    Rule rule;
    RuleOutcome outcome;
    SampleRun run;
};

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

std::string case_start(std::string_view name) {
    return "<testcase classname=\"lockstep.some-rule\" name=\"" + std::string(name) + "\" time=\"0\"";
}

} // namespace

TEST_CASE("a subject that passed is a test case, so that a quiet run shows what was checked") {
    OneRule one;
    one.outcome.pass({0, {0, 1}}, "a.yaml#x");
    one.outcome.pass({1, {0, 1}}, "b.yaml#z");
    const std::string text = one.junit("apps/");
    CHECK(has(text, case_start("apps/a.yaml:1 a.yaml#x") + "/>"));
    CHECK(has(text, case_start("apps/b.yaml:1 b.yaml#z") + "/>"));
    CHECK(has(text, "<testsuite name=\"some-rule\""));
    CHECK(has(text, "tests=\"2\" failures=\"0\" errors=\"0\""));
    CHECK(has(text, "value=\"x and y &quot;differ&quot;\""));
    CHECK(text == one.junit("apps/"));
}

TEST_CASE("a finding is a failure with its places and the way out") {
    OneRule one;
    Finding finding = finding_at(place_of(small_tree, "a.yaml", "2"), "2 < 3 & so on");
    finding.related = {{place_of(small_tree, "b.yaml", "3"), "says 3"}};
    one.fail("a.yaml#y", finding);
    const std::string text = one.junit();
    CHECK(has(text, case_start("a.yaml:2 a.yaml#y") +
                        ">\n      <failure type=\"error\" message=\"2 &lt; 3 &amp; so on\">"
                        "a.yaml:2:4: 2 &lt; 3 &amp; so on\nb.yaml:1:4: says 3\n"
                        "The way out: Move both at once.</failure>"));
    CHECK(has(text, "tests=\"1\" failures=\"1\""));
}

TEST_CASE("what is undecided, suppressed, known or a note is skipped, with the reason") {
    OneRule one;
    one.outcome.undecided({0, {0, 1}}, "u", "${X} is templated");
    one.fail("n", finding_at({0, {5, 6}}, "look here", Severity::note));
    for (const auto by : {SuppressedFinding::By::comment, SuppressedFinding::By::baseline}) {
        Finding finding = finding_at({1, {0, 1}});
        finding.key = "some-rule:s";
        one.outcome.fail("s", finding);
        one.run.suppressed.push_back(
            {finding, by == SuppressedFinding::By::comment ? "until the move" : "in the baseline", by});
    }
    const std::string text = one.junit();
    CHECK(has(text, case_start("a.yaml:1 u") + "><skipped>undecided: ${X} is templated</skipped>"));
    CHECK(has(text, case_start("a.yaml:2 n") + "><skipped>note: look here</skipped>"));
    CHECK(has(text, case_start("b.yaml:1 s") + "><skipped>suppressed: until the move</skipped>"));
    CHECK(has(text, case_start("b.yaml:1 s (2)") + "><skipped>in the baseline</skipped>"));
    CHECK(has(text, "tests=\"4\" failures=\"0\""));
}

TEST_CASE(
    "a failed subject without a finding of its own says who tells of it, or that the config has switched it off") {
    OneRule one;
    Finding finding = finding_at({0, {0, 1}});
    finding.key = "some-rule:a.version";
    one.outcome.fail("a", finding); // has its finding: `.version` names the field
    one.run.findings.push_back(finding);
    one.outcome.fail("b", finding_at({1, {0, 1}}));
    one.outcome.fail("c", finding_at({1, {0, 1}}));
    Finding instead = finding_at({1, {0, 1}});
    instead.rule = "other-rule";
    instead.replaces = {"some-rule:c.version"};
    one.run.findings.push_back(instead);
    const std::string text = one.junit();
    CHECK(has(text, case_start("a.yaml:1 a.version") + ">"));
    CHECK_FALSE(has(text, case_start("a.yaml:1 a")));
    CHECK(has(text, case_start("b.yaml:1 b") + "><skipped>switched off in the config</skipped>"));
    CHECK(has(text, case_start("b.yaml:1 c") + "><skipped>told by other-rule</skipped>"));
}

TEST_CASE("names are unique even where a suffix is taken") {
    OneRule one;
    for (const char* subject : {"s", "s (2)", "s", "s"})
        one.outcome.pass({0, {0, 1}}, subject);
    const std::string text = one.junit();
    for (const char* name : {"s", "s (2)", "s (3)", "s (2) (2)"}) // sorted, the three `s` come first
        CHECK(has(text, case_start("a.yaml:1 " + std::string(name)) + "/>"));
}

TEST_CASE("whatever a repository holds, the document stays XML") {
    OneRule one;
    one.fail("s\x01\xff\u202e\xef\xbf\xbe\"'<>&]]>  x", finding_at({0, {0, 1}}, "m\x1b\n\xef\xbf\xbf"));
    const std::string text = one.junit();
    CHECK(has(text, "name=\"a.yaml:1 s\\x01\\xff\\u{202e}\\u{fffe}&quot;'&lt;&gt;&amp;]]&gt; x\""));
    CHECK(has(text, "message=\"m\\x1b\\n\\u{ffff}\""));
}

TEST_CASE("rules that did not run or found nothing do not appear, and a run that checked nothing says so") {
    OneRule one;
    CHECK(has(one.junit(), "name=\"nothing was checked\""));
    one.outcome.ran = false;
    one.outcome.why_not = "switched off";
    CHECK_FALSE(has(one.junit(), "some-rule"));
}
