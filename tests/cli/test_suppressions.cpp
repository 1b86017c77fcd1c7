// Suppression comments, and what a renamed rule keeps.
#include "memory_run.h"

using namespace lockstep;
using Lines = std::vector<std::string>;

namespace {

const std::string probe = "facts:\n  a: { files: \"a.yaml\", yaml: { v: v } }\n  b: { files: \"b.yaml\", yaml: { v: v "
                          "} }\nfor: a\njoin: { b: [] }\n"
                          "assert: a.v == b.v\nmessage: differ\nat: a.v\n";

MemoryRun with_comments(const std::string& a, const std::string& b = "v: 2\n", const std::string& rule = probe,
                        const std::string& today = "2026-06-01") {
    LintRequest request;
    request.today = today;
    return run_rule({{"a.yaml", a}, {"b.yaml", b}}, rule, "", request);
}

std::size_t count(const MemoryRun& run, const std::string& rule) {
    return static_cast<std::size_t>(std::count_if(run.run->findings.begin(), run.run->findings.end(),
                                                  [&](const Finding& f) { return f.rule == rule; }));
}

} // namespace

TEST_CASE("a suppression counts on the line, above it, and on a related place") {
    for (const char* a :
         {"v: 1 # lockstep: ignore[probe] agreed with ops\n", "# lockstep: ignore[probe] agreed with ops\nv: 1\n",
          "# lockstep: ignore[probe] agreed with ops\n# more words\nv: 1\n",
          "x: 1 # lockstep\n# lockstep: ignore[other-rule, probe] why\nv: 1\n"}) {
        INFO(a);
        auto run = with_comments(a);
        CHECK(run.lines().empty());
        REQUIRE(run.run->suppressed.size() == 1);
    }
    CHECK(
        with_comments("v: 1\n", "v: 2 # lockstep: ignore[probe] the canonical side is known to lag\n").lines().empty());
    CHECK(with_comments("v: 1 # lockstep: ignore[probe] agreed with ops\n").run->suppressed[0].reason ==
          "agreed with ops");
}

TEST_CASE("a suppression in a template comment counts") {
    auto run = run_rule(
        {{"c/Chart.yaml", "name: c\nversion: 1.0.0\n"},
         {"c/templates/a.yaml",
          "{{/* lockstep: ignore[probe] rendered elsewhere */}}\nkind: X\nname: {{ .Release.Name }}\n"}},
        "facts:\n  a: { files: \"c/templates/*.yaml\", yaml: { kind: kind } }\nfor: a\nforbid: a\nmessage: m\n");
    CHECK(run.lines().empty());
    CHECK(run.run->suppressed.size() == 1);
}

TEST_CASE("a suppression of another rule, elsewhere or in a string does not count") {
    for (const char* a :
         {"v: 1 # lockstep: ignore[duplicate-key] no\n", "# lockstep: ignore[probe] too far up\nx: 0\nv: 1\n",
          "v: 1\ntext: \"lockstep: ignore[probe] in a text\"\n",
          "v: 1\ntext: |\n  write `# lockstep: ignore[probe] like so`\n"}) {
        INFO(a);
        CHECK(with_comments(a).lines().size() == 1);
    }
}

TEST_CASE("until: the day itself still counts, the day after does not") {
    const std::string a = "v: 1 # lockstep: ignore[probe] until=2026-06-30 the new chart comes in July\n";
    auto before = with_comments(a, "v: 2\n", probe, "2026-06-30");
    CHECK(before.lines().empty());
    CHECK(before.run->suppressed[0].reason == "the new chart comes in July");
    auto after = with_comments(a, "v: 2\n", probe, "2026-07-01");
    CHECK(after.lines().size() == 1);
    CHECK(count(after, "suppression-expired") == 1);
    CHECK(count(after, "suppression-unused") == 0);
}

TEST_CASE("unused and malformed suppressions are findings") {
    CHECK(count(with_comments("v: 2 # lockstep: ignore[probe] nothing is wrong\n"), "suppression-unused") == 1);
    for (const char* a : {"v: 1 # lockstep: ignore[probe]\n", "v: 1 # lockstep: ignore probe because\n",
                          "v: 1 # lockstep: ignore[] because\n", "v: 1 # lockstep: ignore[probe] why until=soon\n",
                          "v: 1 # lockstep: ignore[prob] why\n", "v: 1 # lockstep:ignore[probe] why\n",
                          "v: 1 # Lockstep: ignore[probe] why\n", "v: 1 # lockstep disable probe\n",
                          "v: 1 # lockstep: ignore[probe because\n"}) {
        INFO(a);
        auto run = with_comments(a);
        CHECK(count(run, "suppression-malformed") == 1);
        CHECK(run.lines().size() == 1);
    }
}

TEST_CASE("a rule that cannot be ignored takes no notice") {
    auto run = with_comments("v: 1 # lockstep: ignore[probe] please\n", "v: 2\n", "ignorable: false\n" + probe);
    CHECK(run.lines().size() == 1);
    CHECK(count(run, "suppression-malformed") == 1);
}

TEST_CASE("a renamed rule keeps its old id, for suppressions, config and selection") {
    const std::string renamed = "formerly: [old-probe]\n" + probe;
    CHECK(with_comments("v: 1 # lockstep: ignore[old-probe] agreed\n", "v: 2\n", renamed).lines().empty());
    const Files files = {{"a.yaml", "v: 1\n"}, {"b.yaml", "v: 2\n"}};
    CHECK(run_rule(files, renamed, "severity: { old-probe: note }\n").lines() == Lines{"a.yaml:1: note: differ"});
    CHECK(run_rule(files, renamed, "must-apply: [old-probe]\n").lines().size() == 1);
    LintRequest request;
    request.selection.only = {"old-probe"};
    CHECK(run_rule(files, renamed, "", request).lines().size() == 1);
    request.selection = {{}, {"old-probe"}};
    CHECK(run_rule(files, renamed, "", request).lines().empty());
}

TEST_CASE("whoever uses an old id is told the new one, once for each id, wherever it is used") {
    const std::string renamed = "formerly: [old-probe]\n" + probe;
    const auto told = [&](const std::string& comment, const std::string& config, const std::string& baseline) {
        LintRequest request;
        request.baseline = baseline;
        auto run = run_rule({{"a.yaml", "v: 1" + comment + "\n"}, {"b.yaml", "v: 2\n"}, {".lockstep.yaml", config}},
                            renamed, config, request);
        run.rule = "former-rule-id";
        return run;
    };
    const std::string words = "note: the rule `old-probe` is called `probe` now";
    CHECK(told(" # lockstep: ignore[old-probe] agreed", "", "").lines() == Lines{"a.yaml:1: " + words});
    CHECK(told("", "severity: { old-probe: note }\n", "").lines() == Lines{".lockstep.yaml:1: " + words});
    CHECK(told("", "must-apply: [old-probe]\n", "").lines() == Lines{".lockstep.yaml:1: " + words});
    const auto both = told(" # lockstep: ignore[old-probe] agreed", "must-apply: [old-probe]\n", "");
    REQUIRE(both.lines().size() == 1);
    CHECK(both.first().related.size() == 1);
    const std::string key = told("", "", "").run->findings.front().key;
    const auto known = told("", "", "old-" + key + "\n");
    REQUIRE(known.lines().size() == 1);
    CHECK(known.first().message.ends_with("the baseline or the config still uses the old id"));
    CHECK(told(" # lockstep: ignore[probe] agreed", "severity: { probe: note }\n", key + "\n").lines().empty());
    CHECK(told(" # lockstep: ignore[old-probe] agreed", "severity: { former-rule-id: off }\n", "").lines().empty());
}

TEST_CASE("the config sets the severity of findings about suppressions") {
    const Files files = {{"a.yaml", "v: 2 # lockstep: ignore[probe] nothing is wrong\n"}, {"b.yaml", "v: 2\n"}};
    const auto severity = [&](const std::string& level) {
        auto run = run_rule(files, probe, "severity: { suppression-unused: " + level + " }\n");
        run.rule = "suppression-unused";
        return run.lines();
    };
    CHECK(severity("error").at(0).find(": error: ") != std::string::npos);
    CHECK(severity("note").at(0).find(": note: ") != std::string::npos);
    CHECK(severity("off").empty());
}
