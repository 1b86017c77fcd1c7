#include "filter/baseline.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

Finding finding(const std::string& rule, const std::string& key) {
    Finding made;
    made.rule = rule;
    made.key = key;
    return made;
}

} // namespace

TEST_CASE("what is written is read back, sorted, each key once, whatever bytes a path has") {
    const std::vector<Finding> findings = {finding("r", "r:b"), finding("r", "r:a\nx"), finding("r", "r:b")};
    const std::string text = write_baseline(findings);
    CHECK(text.substr(text.find('\n') + 1) == "r:a\\nx\nr:b\n");
    const auto keys = read_baseline(text);
    CHECK(keys.size() == 2);
    for (const auto& one : findings)
        CHECK(is_in_baseline(one, keys, {}));
    CHECK_FALSE(is_in_baseline(finding("r", "r:c"), keys, {}));
}

TEST_CASE("a renamed rule is found under its former id") {
    RuleSet rules;
    rules.rules.emplace_back();
    rules.rules[0].id = "new-name";
    rules.rules[0].formerly = {"old-name"};
    const auto keys = read_baseline("# comment\r\nold-name:Chart.yaml.version\r\n\r\n");
    CHECK(is_in_baseline(finding("new-name", "new-name:Chart.yaml.version"), keys, rules));
    CHECK_FALSE(is_in_baseline(finding("new-name", "new-name:other"), keys, rules));
}
