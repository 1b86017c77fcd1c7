// GitLab's Code Quality report: its fields, and fingerprints that last.
#include "sample.h"
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <set>

using namespace lockstep;
using Json = nlohmann::ordered_json;

namespace {

Json issues_of(const Tree& tree, std::vector<Finding> findings, std::string_view prefix = {}) {
    SampleRun run(tree, std::move(findings));
    Report report = run.report();
    report.prefix = prefix;
    return Json::parse(write_codequality(report).text);
}

} // namespace

TEST_CASE("an issue has what GitLab asks for, and names the other places") {
    const Tree tree = tree_in_memory({{"a.yaml", "x: 1\ny: 2\n"}, {"b.yaml", "z: 3\n"}});
    Finding finding = finding_at(place_of(tree, "a.yaml", "2"), "says \"2\"", Severity::warning);
    finding.related.assign(5, {place_of(tree, "b.yaml", "3"), "says 3"});
    const Json issues = issues_of(tree, {finding}, "apps/");
    REQUIRE(issues.size() == 1);
    CHECK(issues[0]["description"] == "says \"2\" (see apps/b.yaml:1, apps/b.yaml:1, apps/b.yaml:1 and 2 more)");
    CHECK(issues[0]["check_name"] == "some-rule");
    CHECK(issues[0]["severity"] == "major");
    CHECK(issues[0]["location"]["path"] == "apps/a.yaml");
    CHECK(issues[0]["location"]["lines"]["begin"] == 2);
    CHECK(issues[0]["fingerprint"].get<std::string>().size() == 32);
    CHECK(issues_of(tree, {}) == Json::array());
}

TEST_CASE("a fingerprint hangs on the key alone, and no two are the same") {
    const Tree before = tree_in_memory({{"a.yaml", "x: 1\n"}}), after = tree_in_memory({{"a.yaml", "\n\n\nx: 1\n"}});
    const auto one = issues_of(before, {finding_at(place_of(before, "a.yaml", "1"))});
    const auto moved = issues_of(after, {finding_at(place_of(after, "a.yaml", "1"), "says it otherwise")});
    CHECK(one[0]["fingerprint"] == moved[0]["fingerprint"]);

    Finding other = finding_at({0, {0, 1}});
    other.key = "some-rule b";
    std::set<std::string> seen;
    for (const Json& issue : issues_of(before, {finding_at({0, {0, 1}}), finding_at({0, {0, 1}}), other}))
        seen.insert(issue["fingerprint"].get<std::string>());
    CHECK(seen.size() == 3);
}

TEST_CASE("bytes that are no UTF-8 and findings about no file still make an issue") {
    const Tree tree = tree_in_memory({{"a\xff.yaml", "x: 1\n"}});
    const Json issues = issues_of(tree, {finding_at({0, {0, 1}}, "says \xff\n"), finding_at({}, "the run")});
    CHECK(issues[0]["location"]["path"] == "a\ufffd.yaml");
    CHECK(issues[1]["location"]["path"] == ".lockstep.yaml");
    CHECK(issues[1]["location"]["lines"]["begin"] == 1);
}
