// Formats of one line a finding: for editors and problem matchers, and for the runner of GitHub Actions.
#include "sample.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

const Tree two_files = tree_in_memory({{"a.yaml", "x: 1\ny: 2\n"}, {"b.yaml", "z: 3\n"}});

std::string lines_of(const Tree& tree, std::vector<Finding> findings, std::string_view prefix = {}) {
    SampleRun run(tree, std::move(findings));
    Report report = run.report();
    report.prefix = prefix;
    return write_lines(report).text;
}

std::string github_of(const Tree& tree, std::vector<Finding> findings, std::string_view prefix = {}) {
    SampleRun run(tree, std::move(findings));
    Report report = run.report();
    report.prefix = prefix;
    return write_github(report).text;
}

} // namespace

TEST_CASE("a finding is one line, notes included, and no summary follows") {
    CHECK(lines_of(two_files, {finding_at(place_of(two_files, "a.yaml", "2")),
                               finding_at(place_of(two_files, "b.yaml", "z"), "look here", Severity::note)}) ==
          "a.yaml:2:4: error: it is wrong [some-rule]\nb.yaml:1:1: note: look here [some-rule]\n");
    CHECK(lines_of(two_files, {}).empty());
}

TEST_CASE("lines count paths from the root of the repository and stay one line") {
    CHECK(lines_of(two_files, {finding_at(place_of(two_files, "a.yaml", "x"), "says\n::error::x")}, "apps/") ==
          "apps/a.yaml:1:1: error: says\\n::error::x [some-rule]\n");
    CHECK(lines_of(two_files, {finding_at({}, "the run is wrong")}) ==
          "lockstep: error: the run is wrong [some-rule]\n");
}

TEST_CASE("an annotation names file, lines, columns and rule, and the other places in its text") {
    Finding finding = finding_at(place_of(two_files, "a.yaml", "2"));
    finding.related = {{place_of(two_files, "b.yaml", "3"), "says 3"}, {place_of(two_files, "b.yaml", "z"), ""}};
    CHECK(github_of(two_files, {finding}, "apps/") ==
          "::error file=apps/a.yaml,line=2,endLine=2,col=4,endColumn=5,title=lockstep some-rule::it is wrong"
          "%0Aapps/b.yaml:1:4: says 3%0Aapps/b.yaml:1:1: also here\n");
}

TEST_CASE("an annotation over several lines has no last column, one about no file has no place") {
    const Place both{0, {0, 9}};
    CHECK(github_of(two_files, {finding_at(both, "m", Severity::warning)}) ==
          "::warning file=a.yaml,line=1,endLine=2,col=1,title=lockstep some-rule::m\n");
    CHECK(github_of(two_files, {finding_at({}, "m", Severity::note)}) == "::notice title=lockstep some-rule::m\n");
}

TEST_CASE("nothing in a path or a message ends an annotation early") {
    const Tree tree = tree_in_memory({{"a,line=9::x%0A\r\n.yaml", "x: 1\n"}});
    Finding finding = finding_at({0, {0, 1}}, "50% of\r\n::error::all, here");
    finding.rule = "r,title=x::y";
    CHECK(github_of(tree, {finding}) ==
          "::error file=a%2Cline=9%3A%3Ax%250A\\r\\n.yaml,line=1,endLine=1,col=1,"
          "endColumn=2,title=lockstep r%2Ctitle=x%3A%3Ay::50%25 of\\r\\n::error::all, here\n");
}

TEST_CASE("the most severe come first, ten of a kind, and the rest is counted") {
    std::vector<Finding> findings;
    for (int i = 0; i < 12; ++i)
        findings.push_back(finding_at({0, {0, 1}}, "w" + std::to_string(i), Severity::warning));
    for (int i = 0; i < 11; ++i)
        findings.push_back(finding_at({0, {0, 1}}, "e" + std::to_string(i)));
    const std::string text = github_of(two_files, findings);
    CHECK(text.find("::e9\n") < text.find("::w0\n"));
    CHECK(text.find("::e10\n") == std::string::npos);
    CHECK(text.find("\nlockstep: 1 more error without an annotation: GitHub shows 10 of a kind\n") <
          text.find("::w0\n"));
    CHECK(text.ends_with("\nlockstep: 2 more warnings without an annotation: GitHub shows 10 of a kind\n"));
}

TEST_CASE("an annotation names ten other places and counts the rest") {
    Finding finding = finding_at({0, {0, 1}});
    finding.related.assign(13, {{1, {0, 1}}, "too"});
    CHECK(github_of(two_files, {finding}).ends_with("%0Ab.yaml:1:1: too%0Aand 3 more places\n"));
}
