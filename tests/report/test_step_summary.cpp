// The page in the summary of a workflow: what it says, what it lets no repository do, and how large it gets.
#include "sample.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

std::string page_of(const Tree& tree, std::vector<Finding> findings, std::string_view link_base = {}) {
    SampleRun run(tree, std::move(findings));
    Report report = run.report();
    report.prefix = "apps/";
    report.link_base = link_base;
    return write_step_summary(report).text;
}

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a finding is a row below its rule, with its other places, and lines are linked when it is known where to") {
    const Tree tree = tree_in_memory({{"a b.yaml", "x: 1\ny: 2\n"}});
    Finding finding = finding_at(place_of(tree, "a b.yaml", "2"));
    finding.related = {{place_of(tree, "a b.yaml", "1"), "says 1"}};
    const std::string plain = page_of(tree, {finding});
    CHECK(plain.starts_with("## lockstep\n\n1 error in 1 file"));
    CHECK(has(plain, "\n### some-rule\n\n| severity | where | what |\n|---|---|---|\n"
                     "| error | apps/a b.yaml&#58;2 | it is wrong<br>apps/a b.yaml&#58;1 says 1 |\n"));
    CHECK(has(page_of(tree, {finding}, "https://host/o/r/blob/abc/"),
              "| [apps/a b.yaml&#58;2](https://host/o/r/blob/abc/apps/a%20b.yaml#L2) |"));
    CHECK(has(plain, "| some-rule | 0 | 1 | 0 | 0 |"));
}

TEST_CASE("names and values of a repository format nothing and link nowhere") {
    const Tree tree = tree_in_memory({{"a](x)|<b>`.yaml", "x: 1\n"}});
    const std::string text = page_of(
        tree, {finding_at({0, {0, 1}}, "<img src=x> | [a](b) **b** `c` @me #1 www.x.y https://x\n# big")}, "http://h/");
    CHECK(has(text, "&#60;img src&#61;x&#62; &#124; &#91;a&#93;(b) &#42;&#42;b&#42;&#42; &#96;c&#96; &#64;me &#35;1 "
                    "www&#46;x.y https&#58;//x&#92;n&#35; big |"));
    CHECK(
        has(text, "[apps/a&#93;(x)&#124;&#60;b&#62;&#96;.yaml&#58;1](http://h/apps/a%5D%28x%29%7C%3Cb%3E%60.yaml#L1)"));
}

TEST_CASE("a quiet run says what was checked") {
    RunStats stats = small_run();
    stats.rules[0].failed = 0;
    stats.rules[0].passed = 7;
    const Tree tree = tree_in_memory({{"a.yaml", "x: 1\n"}});
    SampleRun run(tree, {}, stats);
    const std::string text = write_step_summary(run.report()).text;
    CHECK(has(text, "no findings&#58; 1 file"));
    CHECK(has(text, "| some-rule | 7 | 0 | 0 | 0 |"));
}

TEST_CASE("a page never grows beyond what GitHub takes, errors stay, and the cut is named") {
    const Tree tree = tree_in_memory({{"a.yaml", "x: 1\n"}});
    std::vector<Finding> findings(30000, finding_at({0, {0, 1}}, std::string(100, '*'), Severity::note));
    findings.push_back(finding_at({0, {0, 1}}, "the one that counts"));
    findings.back().rule = "z-rule";
    const std::string text = page_of(tree, findings);
    CHECK(text.size() < 1024 * 1024);
    CHECK(text.size() > 900 * 1000);
    CHECK(has(text, "the one that counts"));
    CHECK(has(text, " findings are not shown."));
    CHECK(text.ends_with("</details>\n"));
}
