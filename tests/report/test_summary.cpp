// The last line and the block of counts: nothing sounds checked that was not.
#include "sample.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

RunStats big_run() {
    RunStats stats;
    stats.files = 166;
    stats.read = 150;
    stats.bytes = 98765;
    stats.documents = 412;
    for (int i = 0; i < 14; ++i)
        stats.rules.push_back({"applied", 1, 0, 0, 0, true});
    for (int i = 0; i < 3; ++i)
        stats.rules.push_back({"idle", 0, 0, 0, 0, false});
    stats.rules.push_back({"off", 0, 0, 0, 0, false, "switched off", false});
    return stats;
}

std::vector<Finding> findings(int errors, int warnings, int notes) {
    std::vector<Finding> out;
    while (errors-- > 0)
        out.push_back(finding_at({}));
    while (warnings-- > 0)
        out.push_back(finding_at({}, "hm", Severity::warning));
    while (notes-- > 0)
        out.push_back(finding_at({}, "so", Severity::note));
    return out;
}

std::string last_line(const std::vector<Finding>& found, const RunStats& stats, const TextOptions& options = {}) {
    std::string text = text_of(Tree{}, found, stats, options);
    text.pop_back();
    return text.substr(text.rfind('\n') + 1);
}

} // namespace

TEST_CASE("the last line counts findings, files, documents, rules and hidden notes") {
    CHECK(last_line(findings(2, 1, 3), big_run()) ==
          "2 errors, 1 warning in 166 files (412 documents), 14 rules applied; 3 notes not shown (--notes)");
    CHECK(last_line(findings(0, 2, 1), big_run(), {false, true, false}) ==
          "2 warnings, 1 note in 166 files (412 documents), 14 rules applied");
    CHECK(last_line(findings(0, 0, 1), big_run()) ==
          "no errors or warnings in 166 files (412 documents), 14 rules applied; 1 note not shown (--notes)");
}

TEST_CASE("a clean run says what was checked and what had nothing to check") {
    CHECK(last_line({}, big_run()) ==
          "no findings: 166 files, 412 documents, 14 rules applied, 3 rules had nothing to check");
    RunStats stats = big_run();
    stats.rules.erase(stats.rules.begin() + 1, stats.rules.end());
    stats.files = stats.documents = 1;
    CHECK(last_line({}, stats) == "no findings: 1 file, 1 document, 1 rule applied");
}

TEST_CASE("undecided comparisons are counted in the last line") {
    RunStats stats = big_run();
    stats.undecided = 5;
    CHECK(last_line({}, stats).ends_with("3 rules had nothing to check; 5 comparisons undecided (--stats)"));
    stats.undecided = 1;
    CHECK(last_line(findings(1, 0, 2), stats)
              .ends_with("; 2 notes not shown (--notes); 1 comparison undecided (--stats)"));
}

TEST_CASE("a run in which no rule applied does not claim to have checked anything") {
    RunStats stats = big_run();
    stats.rules.erase(stats.rules.begin(), stats.rules.begin() + 14);
    CHECK(last_line({}, stats) ==
          "nothing was checked: no rule found anything it applies to (166 files, 412 documents)");
    CHECK(last_line(findings(1, 0, 0), stats) ==
          "1 error in 166 files (412 documents); nothing was checked: no rule found anything it applies to");
    stats.rules.erase(stats.rules.begin(), stats.rules.begin() + 3);
    CHECK(last_line({}, stats) == "nothing was checked: no rule was run (166 files, 412 documents)");
    stats.rules.clear();
    CHECK(last_line({}, stats).starts_with("nothing was checked: no rule was run"));
}

TEST_CASE("the block of counts names every rule and everything that was passed over, and no time") {
    RunStats stats;
    stats.files = 166;
    stats.read = 150;
    stats.bytes = 98765;
    stats.documents = 412;
    stats.templates_total = 31;
    stats.templates_read = 30;
    stats.binary = 3;
    stats.suppressed = 2;
    stats.undecided = 7;
    stats.milliseconds = 12.5;
    stats.rules = {{"alpha-drift", 1200, 1, 0, 0, true},
                   {"beta", 0, 0, 7, 1, true},
                   {"gamma-missing", 0, 0, 0, 0, false},
                   {"delta", 0, 0, 0, 0, false, "no Flux\x1b objects"},
                   {"omega", 0, 0, 0, 0, false, "pack catalyst is off", false}};
    stats.not_understood = {"Argo CD Application: 3 documents"};
    const std::string expected = "no findings: 166 files, 412 documents, 2 rules applied, 2 rules had nothing to "
                                 "check; 7 comparisons undecided\n"
                                 "\n"
                                 "rule         pass  fail  undecided  lost\n"
                                 "alpha-drift  1200     1          0     0\n"
                                 "beta            0     0          7     1\n"
                                 "\n"
                                 "not applicable:\n"
                                 "  gamma-missing  nothing to check in this tree\n"
                                 "  delta          no Flux\\x1b objects\n"
                                 "\n"
                                 "off:\n"
                                 "  omega  pack catalyst is off\n"
                                 "\n"
                                 "files:       166 listed, 150 read (98765 bytes), 3 binary passed over\n"
                                 "documents:   412\n"
                                 "templates:   30 of 31 read\n"
                                 "undecided:   7\n"
                                 "suppressed:  2\n"
                                 "\n"
                                 "not understood:\n"
                                 "  Argo CD Application: 3 documents\n";
    CHECK(text_of(Tree{}, {}, stats, {false, false, true}) == expected);
    stats.milliseconds = 99;
    CHECK(text_of(Tree{}, {}, stats, {false, false, true}) == expected);
}
