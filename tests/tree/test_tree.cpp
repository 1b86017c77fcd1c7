// Questions to a tree in memory: paths, folders, references, positions.
#include "tree/locate.h"
#include "tree/tree.h"
#include <doctest/doctest.h>

using namespace lockstep;

TEST_CASE("a tree in memory is sorted bytewise and finds each file by its path") {
    Tree tree = tree_in_memory({{"b/x.yaml", "2"}, {"a.yaml", "1"}, {"a-b/c", "3"}, {"a/z", "4"}});
    REQUIRE(tree.files.size() == 4);
    CHECK(tree.files[0].path == "a-b/c");
    CHECK(tree.files[1].path == "a.yaml");
    CHECK(tree.files[2].path == "a/z");
    CHECK(tree.files[3].path == "b/x.yaml");
    for (FileId id = 0; id < 4; ++id)
        CHECK(tree.find(tree.files[id].path) == id);
    CHECK_FALSE(tree.find("a"));
    CHECK_FALSE(tree.find("b/x.yam"));
    CHECK_FALSE(tree.find("zzz"));
    CHECK(tree.files[3].state == FileState::read);
    CHECK(tree.files[3].size == 1);
}

TEST_CASE("a folder is there when a file is below it") {
    Tree tree = tree_in_memory({{"a-b/c", ""}, {"a.yaml", ""}, {"x/y/z.yaml", ""}});
    CHECK(tree.has_directory(""));
    CHECK(tree.has_directory("a-b"));
    CHECK(tree.has_directory("x"));
    CHECK(tree.has_directory("x/y"));
    CHECK_FALSE(tree.has_directory("a"));
    CHECK_FALSE(tree.has_directory("a.yaml"));
    CHECK_FALSE(tree.has_directory("x/y/z.yaml"));
    CHECK_FALSE(tree.has_directory("x/"));
}

TEST_CASE("paths through linked folders find what the link leads to") {
    Tree tree = tree_in_memory({{"apps/base/a.yaml", ""}, {"top.yaml", ""}});
    tree.linked_directories = {{"apps/self", "apps"}, {"live", "apps/base"}, {"rootlink", ""}};
    CHECK(tree.find("live/a.yaml") == tree.find("apps/base/a.yaml"));
    CHECK(tree.find("apps/self/self/base/a.yaml") == tree.find("apps/base/a.yaml"));
    CHECK(tree.find("rootlink/top.yaml") == tree.find("top.yaml"));
    CHECK(tree.has_directory("live"));
    CHECK(tree.has_directory("apps/self/base"));
    CHECK(tree.has_directory("rootlink"));
    CHECK_FALSE(tree.has_directory("live/none"));
    CHECK_FALSE(tree.find("live"));

    tree.linked_directories = {{"a", "b"}, {"b", "a"}};
    CHECK_FALSE(tree.find("a/x")); // and it ends
}

TEST_CASE("unlisted covers all below it and nothing beside it") {
    Tree tree;
    tree.unlisted = {"vendor", "x/y"};
    CHECK(tree.is_unlisted("vendor"));
    CHECK(tree.is_unlisted("vendor/a/b"));
    CHECK(tree.is_unlisted("x/y/z"));
    CHECK_FALSE(tree.is_unlisted("x"));
    CHECK_FALSE(tree.is_unlisted("vendors"));
    CHECK_FALSE(tree.is_unlisted(""));
}

TEST_CASE("a reference is joined, normalised and kept inside the root") {
    struct Case {
        const char *directory, *reference;
        std::optional<std::string> result;
    };
    const Case cases[] = {
        {"a/b", "c.yaml", "a/b/c.yaml"},
        {"a/b", "./c.yaml", "a/b/c.yaml"},
        {"a/b", "../c", "a/c"},
        {"a/b", "../..", ""},
        {"a/b", "../../..", std::nullopt},
        {"", "x", "x"},
        {"", "..", std::nullopt},
        {"", "../x", std::nullopt},
        {"a", "", "a"},
        {"a", ".", "a"},
        {"a", "b/", "a/b"},
        {"a", "b//c", "a/b/c"},
        {"a", "/etc", std::nullopt},
        {"a/", "b/../../c/./d", "c/d"},
        {"a", "b/../../../a/x", std::nullopt},
        {"a", "..x/...", "a/..x/..."},
    };
    for (const Case& c : cases) {
        CAPTURE(c.directory);
        CAPTURE(c.reference);
        CHECK(join_path(c.directory, c.reference) == c.result);
    }
}

TEST_CASE("a path has a folder and a name") {
    CHECK(directory_of("a/b/c.yaml") == "a/b");
    CHECK(directory_of("c.yaml") == "");
    CHECK(file_name_of("a/b/c.yaml") == "c.yaml");
    CHECK(file_name_of("c.yaml") == "c.yaml");
    CHECK(file_name_of("") == "");
}

TEST_CASE("places become lines and columns, and a file without text is at 1:1") {
    Tree tree = tree_in_memory({{"a.yaml", "x: 1\ny: \xC3\xA9z\r\nlast"}, {"b.yaml", ""}});
    Locator locator(tree);
    Location at = locator.locate({0, {8, 11}});
    CHECK(at.path == "a.yaml");
    CHECK(at.begin == Position{2, 4});
    CHECK(at.end == Position{2, 6});
    CHECK(locator.line(0, 2) == "y: \xC3\xA9z");
    CHECK(locator.line(0, 3) == "last");
    CHECK(locator.line(0, 4).empty());
    CHECK(locator.line(0, 0).empty());

    Location empty = locator.locate({1, {5, 9}});
    CHECK(empty.path == "b.yaml");
    CHECK(empty.begin == Position{1, 1});
    CHECK(empty.end == Position{1, 1});
    CHECK(locator.line(1, 1).empty());

    CHECK(locator.locate({}).path.empty());
    CHECK(locator.locate({0, {5000, 4000}}).begin == Position{3, 5});
}
