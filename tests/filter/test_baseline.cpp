#include "filter/baseline.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

Finding finding(const std::string& rule, const std::string& key, const std::string& message = "bad") {
    Finding made;
    made.rule = rule;
    made.key = key;
    made.message = message;
    return made;
}

RuleSet rules_with(const std::string& id, bool ignorable = true) {
    RuleSet rules;
    rules.rules.emplace_back();
    rules.rules[0].id = id;
    rules.rules[0].ignorable = ignorable;
    return rules;
}

} // namespace

TEST_CASE("what is written is read back, sorted, whatever bytes a path has") {
    const std::vector<Finding> findings = {finding("r", "r:b", "x"), finding("r", "r:a\nx\t", "y\tz"),
                                           finding("r", "r:b", "x")};
    const std::string text = write_baseline(findings, {}, "1.2.3");
    CHECK(text.substr(text.find('\n') + 1) == "r:a\\nx\\t\ty\\tz\nr:b\tx\nr:b\tx\n");
    Baseline known(text, "1.2.3");
    for (const auto& one : findings)
        CHECK(known.covers(one, {}));
    CHECK_FALSE(known.covers(finding("r", "r:c", "x"), {}));
}

TEST_CASE("one line covers one finding: the next with its key is new, and so is another message") {
    const std::string text = write_baseline({finding("r", "r:a", "image x:1 is denied")}, {}, "1");
    Baseline known(text, "1");
    CHECK_FALSE(known.covers(finding("r", "r:a", "image y:1 is denied"), {}));
    CHECK(known.covers(finding("r", "r:a", "image x:1 is denied"), {}));
    CHECK_FALSE(known.covers(finding("r", "r:a", "image x:1 is denied"), {}));
}

TEST_CASE("a file of another version, or without messages, counts by key, still one finding a line") {
    Baseline other(write_baseline({finding("r", "r:a", "old words")}, {}, "1"), "2");
    CHECK(other.covers(finding("r", "r:a", "new words"), {}));
    CHECK_FALSE(other.covers(finding("r", "r:a", "new words"), {}));
    Baseline plain("r:a\n", "2");
    CHECK(plain.covers(finding("r", "r:a", "words"), {}));
    CHECK_FALSE(plain.covers(finding("r", "r:a", "more words"), {}));
}

TEST_CASE("a rule that cannot be ignored is in no baseline, written or by hand") {
    const RuleSet rules = rules_with("r", false);
    CHECK(write_baseline({finding("r", "r:a")}, rules, "1").find("r:a") == std::string::npos);
    Baseline known("r:a\tbad\nr:a\n", "1");
    CHECK_FALSE(known.covers(finding("r", "r:a"), rules));
}

TEST_CASE("a renamed rule is found under its former id, a replaced finding under its own key") {
    RuleSet rules = rules_with("new-name");
    rules.rules[0].formerly = {"old-name"};
    Baseline known("# comment\r\nold-name:Chart.yaml.version\r\n\r\nsnapshot:x\twords\n", "1");
    CHECK(known.covers(finding("new-name", "new-name:Chart.yaml.version"), rules));
    CHECK_FALSE(known.covers(finding("new-name", "new-name:other"), rules));
    Finding better = finding("new-name", "new-name:y");
    better.replaces = {"snapshot:x"};
    CHECK(known.covers(better, rules));
}

TEST_CASE("what a change adds to a baseline is counted") {
    const Baseline before("r:a\tx\n", "1"), after("r:a\tx\nr:a\tx\nr:a\ty\nr:b\tx\n", "1");
    CHECK(after.count_beyond(before) == 3);
    CHECK(before.count_beyond(after) == 0);
}

TEST_CASE("what was known as a note is not known as an error") {
    Finding one = finding("r", "r:a");
    one.severity = Severity::note;
    const std::string text = write_baseline({one, finding("r", "r:b")}, {}, "1");
    CHECK(text.ends_with("r:a\tbad\tnote\nr:b\tbad\n"));
    Baseline known(text, "1"), other(text, "2");
    for (Baseline* baseline : {&known, &other}) {
        CHECK_FALSE(baseline->covers(finding("r", "r:a"), {}));
        CHECK(baseline->covers(one, {}));
        one.key = "r:b"; // an error that has become a note
        CHECK(baseline->covers(one, {}));
        one.key = "r:a";
    }
}

TEST_CASE("a line for an error adds to a baseline that has a note, and not the other way round") {
    const Baseline notes("r:a\tx\tnote\nr:a\tx\tnote\n", "1"), errors("r:a\tx\nr:a\tx\tnote\n", "1");
    CHECK(errors.count_beyond(notes) == 1);
    CHECK(notes.count_beyond(errors) == 0);
}
