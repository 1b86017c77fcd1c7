// The text report, byte by byte.
#include "sample.h"
#include <doctest/doctest.h>

using namespace lockstep;

TEST_CASE("a finding shows its head line, its source line and a mark under the span") {
    const Tree tree = tree_in_memory({{"a/Chart.yaml", "name: web\nversion: 1.2.3 # pin\n"}});
    CHECK(text_of(tree, finding_at(place_of(tree, "a/Chart.yaml", "1.2.3"))) ==
          "a/Chart.yaml:2:10: error: it is wrong [some-rule]\n"
          "    2 | version: 1.2.3 # pin\n"
          "      |          ^^^^^\n");
}

TEST_CASE("related places are indented under the finding, each with its own message") {
    const Tree tree = tree_in_memory({{"a.yaml", "v: 1\n"}, {"b.yaml", "x:\n  v: 22\n"}});
    Finding finding = finding_at(place_of(tree, "a.yaml", "1"), "a says 1, b says 22", Severity::warning);
    finding.related = {{place_of(tree, "b.yaml", "22"), "b says 22"}, {place_of(tree, "b.yaml", "x"), ""}};
    CHECK(text_of(tree, {finding}, small_run()) == "a.yaml:1:4: warning: a says 1, b says 22 [some-rule]\n"
                                                   "    1 | v: 1\n"
                                                   "      |    ^\n"
                                                   "  b.yaml:2:6: b says 22\n"
                                                   "      2 |   v: 22\n"
                                                   "        |      --\n"
                                                   "  b.yaml:1:1: also here\n"
                                                   "      1 | x:\n"
                                                   "        | -\n"
                                                   "\n"
                                                   "1 warning in 1 file (1 document), 1 rule applied\n");
}

TEST_CASE("of many related places the first five are shown and the rest are counted") {
    const Tree tree = tree_in_memory({{"a.yaml", "v: 1\n"}});
    const Place place = place_of(tree, "a.yaml", "1");
    Finding finding = finding_at(place);
    finding.related.assign(800, {place, "here"});
    const std::string text = text_of(tree, finding);
    std::size_t named = 0, shown = 0;
    for (std::size_t at = 0; (at = text.find("  a.yaml:1:4: here\n", at)) != std::string::npos; ++at)
        ++named;
    for (std::size_t at = 0; (at = text.find("        |    -\n", at)) != std::string::npos; ++at)
        ++shown;
    CHECK(named == 5);
    CHECK(shown == 5);
    CHECK(text.find("\n  and 795 more\n") != std::string::npos);
}

TEST_CASE("tabs before the span are copied under the line") {
    const Tree tree = tree_in_memory({{"a", "\tkey:\t  value\n"}});
    CHECK(text_of(tree, finding_at(place_of(tree, "a", "value"))) == "a:1:9: error: it is wrong [some-rule]\n"
                                                                     "    1 | \tkey:\t  value\n"
                                                                     "      | \t    \t  ^^^^^\n");
}

TEST_CASE("a span that starts with a tab, or holds one, is still marked in step") {
    const Tree tree = tree_in_memory({{"a", "ab\tcd\n"}});
    CHECK(text_of(tree, finding_at(place_of(tree, "a", "\t"))).ends_with("|   ^\n"));
    CHECK(text_of(tree, finding_at(place_of(tree, "a", "\tcd"))).ends_with("|   ^\t^^\n"));
    CHECK(text_of(tree, finding_at(place_of(tree, "a", "b\tcd"))).ends_with("|  ^\t^^\n"));
}

TEST_CASE("non-ASCII before and in the span counts by what it covers on the screen") {
    const Tree tree = tree_in_memory({{"a", "naïve: größe\nwide: 版本 x\nmark: e\u0301 x\n"}});
    CHECK(text_of(tree, finding_at(place_of(tree, "a", "größe"))) == "a:1:8: error: it is wrong [some-rule]\n"
                                                                     "    1 | naïve: größe\n"
                                                                     "      |        ^^^^^\n");
    CHECK(text_of(tree, finding_at(place_of(tree, "a", "x"))) == "a:2:10: error: it is wrong [some-rule]\n"
                                                                 "    2 | wide: 版本 x\n"
                                                                 "      |            ^\n");
    CHECK(text_of(tree, finding_at(place_of(tree, "a", "版"))).ends_with("      |       ^^\n"));
    Place behind = place_of(tree, "a", "\u0301 x");
    behind.span.begin += 3;
    CHECK(text_of(tree, finding_at(behind)).ends_with("    3 | mark: e\u0301 x\n      |         ^\n"));
}

TEST_CASE("of a span over several lines the first is marked to its end") {
    const Tree tree = tree_in_memory({{"a", "x:\n  - a: 1  \n    b: 2\nz: 1\n"}});
    CHECK(text_of(tree, finding_at(place_of(tree, "a", "a: 1  \n    b: 2"))) ==
          "a:2:5: error: it is wrong [some-rule]\n"
          "    2 |   - a: 1  \n"
          "      |     ^^^^\n");
}

TEST_CASE("CRLF line ends are no part of the shown line") {
    const Tree tree = tree_in_memory({{"a", "x: 1\r\ny: 22\r\n"}});
    CHECK(text_of(tree, finding_at(place_of(tree, "a", "22\r\n"))) == "a:2:4: error: it is wrong [some-rule]\n"
                                                                      "    2 | y: 22\n"
                                                                      "      |    ^^\n");
}

TEST_CASE("a byte order mark moves nothing") {
    const Tree tree = tree_in_memory({{"a", "\xef\xbb\xbfx: 1\ny: 22\n"}});
    CHECK(text_of(tree, finding_at(place_of(tree, "a", "22"))) == "a:2:4: error: it is wrong [some-rule]\n"
                                                                  "    2 | y: 22\n"
                                                                  "      |    ^^\n");
}

TEST_CASE("a span at the end of the file is marked behind the last character, or shows no line when there is none") {
    const Tree tree = tree_in_memory({{"a", "x: 1"}, {"b", "x: 1\n"}, {"empty", ""}});
    CHECK(text_of(tree, finding_at(place_of(tree, "a", ""))) == "a:1:5: error: it is wrong [some-rule]\n"
                                                                "    1 | x: 1\n"
                                                                "      |     ^\n");
    CHECK(text_of(tree, finding_at(place_of(tree, "b", ""))) == "b:2:1: error: it is wrong [some-rule]\n");
    CHECK(text_of(tree, finding_at(place_of(tree, "empty", ""))) == "empty:1:1: error: it is wrong [some-rule]\n");
}

TEST_CASE("a file without text and a finding without a file have a head line only") {
    Tree tree = tree_in_memory({{"big.yaml", ""}});
    tree.files[0].state = FileState::oversize;
    CHECK(text_of(tree, finding_at({0, {0, 0}}, "too large")) == "big.yaml:1:1: error: too large [some-rule]\n");
    CHECK(text_of(tree, finding_at({}, "must apply")) == "lockstep: error: must apply [some-rule]\n");
}

TEST_CASE("a span that points behind the text does no harm") {
    const Tree tree = tree_in_memory({{"a", "x: 1"}});
    CHECK(text_of(tree, finding_at({0, {100, 200}})).ends_with("    1 | x: 1\n      |     ^\n"));
}

TEST_CASE("a blank line is between findings, and notes are shown on demand") {
    const Tree tree = tree_in_memory({{"a", "x: 1\n"}});
    const Place place = place_of(tree, "a", "1");
    const std::vector<Finding> findings = {finding_at(place, "one"), finding_at(place, "two", Severity::note)};
    CHECK(text_of(tree, findings, small_run(), {false, true, false}) ==
          "a:1:4: error: one [some-rule]\n"
          "    1 | x: 1\n"
          "      |    ^\n"
          "\n"
          "a:1:4: note: two [some-rule]\n"
          "    1 | x: 1\n"
          "      |    ^\n"
          "\n"
          "1 error, 1 note in 1 file (1 document), 1 rule applied\n");
    CHECK(text_of(tree, findings, small_run()).find("two") == std::string::npos);
}

TEST_CASE("colours come only when asked for, and do not change the text") {
    const Tree tree = tree_in_memory({{"a", "x: 1\n"}});
    Finding finding = finding_at(place_of(tree, "a", "1"));
    finding.related = {{finding.place, "there"}};
    CHECK(text_of(tree, finding).find('\x1b') == std::string::npos);
    const std::string colored = text_of(tree, {finding}, small_run(), {true, false, false});
    CHECK(colored.substr(0, colored.find('\n')) ==
          "\x1b[1ma:1:4: \x1b[31merror\x1b[39m: it is wrong [some-rule]\x1b[0m");
    std::string stripped;
    for (std::size_t at = 0; at < colored.size(); ++at) {
        if (colored[at] == '\x1b')
            at = colored.find('m', at);
        else
            stripped += colored[at];
    }
    CHECK(stripped == text_of(tree, {finding}, small_run()));
}

namespace {

using As = AppliedBy::Link::As;

std::string chain_line(const Tree& tree, std::vector<AppliedBy::Link> chain, std::vector<std::string> clusters) {
    Finding finding = finding_at(place_of(tree, "a.yaml", "1"));
    finding.applied_by = std::make_shared<AppliedBy>(AppliedBy{std::move(chain), std::move(clusters)});
    const std::string text = text_of(tree, finding), head = "      |    ^\n";
    return text.substr(text.find(head) + head.size());
}

} // namespace

TEST_CASE("one line says how a cluster gets it, from the last thing that applies it on") {
    const Tree tree = tree_in_memory({{"a.yaml", "v: 1\n"},
                                      {"apps.yaml", "spec:\n  path: ./apps\n"},
                                      {"apps/kustomization.yaml", "- a\n- b\n- c\n"}});
    const AppliedBy::Link given{"sync.yaml", place_of(tree, "apps.yaml", "spec"), As::begins};
    const AppliedBy::Link flux{"Kustomization ns/apps", place_of(tree, "apps.yaml", "./apps"), As::applies};
    const AppliedBy::Link list{"apps/kustomization.yaml", place_of(tree, "apps/kustomization.yaml", "b"), As::part};
    const AppliedBy::Link folder{"every manifest below apps", {}, As::part};
    CHECK(chain_line(tree, {given, flux, list}, {"prod"}) ==
          "  applied by: cluster prod: Kustomization ns/apps (apps.yaml:2) > apps/kustomization.yaml:2\n");
    CHECK(chain_line(tree, {flux, folder}, {"prod", "test"}) ==
          "  applied by: cluster prod: Kustomization ns/apps (apps.yaml:2) > every manifest below apps, and in 1 more "
          "cluster\n");
    CHECK(chain_line(tree, {flux, list, list, list, list, list}, {"a", "b", "c", "d"}) ==
          "  applied by: cluster a: Kustomization ns/apps (apps.yaml:2) > apps/kustomization.yaml:2 > … > "
          "apps/kustomization.yaml:2, and in 3 more clusters\n");
    CHECK(chain_line(tree, {given}, {"prod"}) == "  applied by: cluster prod, which begins with this file\n");
    CHECK(chain_line(tree, {given}, {}) == "  applied by: bootstrap\n");
    CHECK(chain_line(tree, {given, list}, {"prod"}) == "  applied by: cluster prod: apps/kustomization.yaml:2\n");
    CHECK(chain_line(tree, {list}, {}) == "  taken as applied: apps/kustomization.yaml:2\n");
}
