// What a change touches, on trees in memory.
#include "filter/changed.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

Place place_of(const Tree& tree, std::string_view path, std::string_view words) {
    const FileId file = tree.find(path).value();
    const auto begin = static_cast<std::uint32_t>(tree.files[file].text.find(words));
    return {file, {begin, begin + static_cast<std::uint32_t>(words.size())}};
}

} // namespace

TEST_CASE("files are new, gone, changed or the same") {
    Tree base = tree_in_memory({{"a.yaml", "a: 1\n"}, {"gone.yaml", "g: 1\n"}, {"same.yaml", "s: 1\n"}});
    Tree head = tree_in_memory({{"a.yaml", "a: 2\n"}, {"new.yaml", "n: 1\n"}, {"same.yaml", "s: 1\n"}});
    const RepositoryChange change = compare_trees(base, head, 1);
    CHECK(change.files[0].kind == FileChange::Kind::changed);
    CHECK(change.files[1].kind == FileChange::Kind::added);
    CHECK(change.files[2].kind == FileChange::Kind::same);
    CHECK(change.removed == std::vector<std::string>{"gone.yaml"});
    CHECK(change.count() == 3);
}

TEST_CASE("what a submodule of the base holds is not taken for new, nor what the head does not list for gone") {
    Tree base = tree_in_memory({{"excluded/a.yaml", "a: 1\n"}});
    base.unlisted = {"mod"};
    Tree head = tree_in_memory({{"mod/in.yaml", "a: 1\n"}});
    head.unlisted = {"excluded"};
    CHECK(compare_trees(base, head, 1).count() == 0);
}

TEST_CASE("a finding moves to the first place that the change touches, and keeps its key") {
    Tree base = tree_in_memory({{"a.yaml", "x: 1\na: 1\n"}, {"b.yaml", "b: 1\nc: 1\n"}});
    Tree head = tree_in_memory({{"a.yaml", "x: 1\na: 1\n"}, {"b.yaml", "b: 1\nc: 2\n"}});
    const RepositoryChange change = compare_trees(base, head, 1);
    Locator locator(head);
    const Place a = place_of(head, "a.yaml", "a: 1"), b = place_of(head, "b.yaml", "b: 1"),
                c = place_of(head, "b.yaml", "c: 2");
    Finding finding;
    finding.place = a;
    finding.related = {{b, "b"}, {c, "c"}};
    finding.key = "k";
    CHECK(touches(change, finding, locator));
    move_to_change(finding, change, locator);
    CHECK(finding.place == c);
    CHECK(finding.related[0].place == a);
    CHECK(finding.related[1].place == b);
    CHECK(finding.related.size() == 2);
    CHECK(finding.key == "k");
    finding = {};
    finding.place = a;
    finding.related = {{b, "b"}};
    CHECK(!touches(change, finding, locator));
    move_to_change(finding, change, locator);
    CHECK(finding.place == a);
}

TEST_CASE("a span of several lines is touched in each of them, but not in the line behind it") {
    Tree base = tree_in_memory({{"a.yaml", "a:\n  b: 1\n  c: 1\nd: 1\n"}});
    Tree head = tree_in_memory({{"a.yaml", "a:\n  b: 1\n  c: 1\nd: 2\n"}});
    const RepositoryChange change = compare_trees(base, head, 1);
    Locator locator(head);
    CHECK(!touches(change, place_of(head, "a.yaml", "a:\n  b: 1\n  c: 1\n"), locator));
    CHECK(touches(change, place_of(head, "a.yaml", "c: 1\nd"), locator));
    CHECK(!touches(change, Place{}, locator));
}

TEST_CASE("suppressions are new by file, rules and words; a moved line is none, a second one like it is") {
    const std::string one = "a: 1 # lockstep: ignore[duplicate-key] why\n",
                      other = "b: 1 # lockstep: ignore[duplicate-key] else\n";
    Tree base = tree_in_memory({{"a.yaml", one}, {"b.yaml", other}});
    Tree head = tree_in_memory({{"a.yaml", "z: 1\n" + one + one}, {"b.yaml", other}, {"c.yaml", other}});
    Locator before(base), after(head);
    const auto added =
        added_suppressions(find_suppressions(head, after), after, find_suppressions(base, before), before);
    REQUIRE(added.size() == 2);
    CHECK(after.locate(added[0].place).begin.line == 3);
    CHECK(after.locate(added[1].place).path == "c.yaml");
}
