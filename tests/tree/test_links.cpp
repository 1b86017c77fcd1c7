// Symbolic links: followed inside the repository, refused with a reason everywhere else.
#include "scratch.h"
#include "tree/tree.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

Tree tree_of(const Scratch& scratch, std::string_view below = "repo") {
    auto tree = walk(scratch.root() + '/' + std::string(below), {.jobs = 2});
    REQUIRE(tree);
    return std::move(*tree);
}

const std::string* skipped_reason(const Tree& tree, std::string_view path) {
    for (const SkippedEntry& entry : tree.skipped)
        if (entry.path == path) return &entry.why;
    return nullptr;
}

} // namespace

TEST_CASE("a link to a file inside the root is listed under its own path and read through") {
    Scratch scratch;
    scratch.write("repo/a/real.yaml", "text");
    scratch.link("repo/b/relative.yaml", "../a/real.yaml");
    scratch.link("repo/b/chained.yaml", "relative.yaml");
    scratch.link("repo/b/absolute.yaml", (scratch / "repo/a/real.yaml").string());
    Tree tree = tree_of(scratch);
    CHECK(tree.skipped.empty());
    REQUIRE(tree.files.size() == 4);
    for (File& file : tree.files) {
        CAPTURE(file.path);
        read_file(tree, file);
        CHECK(file.text == "text");
        CHECK(file.link == (file.path != "a/real.yaml"));
    }
}

TEST_CASE("a link to a folder inside the root is not entered, but leads to the folder's files") {
    Scratch scratch;
    scratch.write("repo/base/app/x.yaml");
    scratch.link("repo/live", "base/app");
    scratch.link("repo/base/again", "..");
    Tree tree = tree_of(scratch);
    REQUIRE(tree.files.size() == 1);
    CHECK(tree.skipped.empty());
    CHECK(tree.linked_directories ==
          std::vector<std::pair<std::string, std::string>>{{"base/again", ""}, {"live", "base/app"}});
    CHECK(tree.has_directory("live"));
    CHECK(tree.find("live/x.yaml") == FileId{0});
    CHECK(tree.find("base/again/live/x.yaml") == FileId{0});
}

TEST_CASE("links that lead out, nowhere or round in a circle are skipped with the reason") {
    Scratch scratch;
    scratch.write("outside/secret.yaml");
    scratch.write("repository/near.yaml"); // shares the root's name as a prefix
    scratch.write("repo/a.yaml");
    scratch.write("repo/.git/config");
    scratch.link("repo/out.yaml", "../outside/secret.yaml");
    scratch.link("repo/out-folder", "../outside");
    scratch.link("repo/prefix.yaml", "../repository/near.yaml");
    scratch.link("repo/broken.yaml", "none.yaml");
    scratch.link("repo/through-file.yaml", "a.yaml/x");
    scratch.link("repo/one.yaml", "two.yaml");
    scratch.link("repo/two.yaml", "one.yaml");
    scratch.link("repo/git.yaml", ".git/config");
    // Out and back in again ends inside.
    scratch.link("repo/round.yaml", "../repo/a.yaml");
    Tree tree = tree_of(scratch);
    CHECK(tree.files.size() == 2);
    CHECK(tree.find("round.yaml"));
    CHECK(tree.linked_directories.empty());
    CHECK(tree.skipped.size() == 8);
    for (const char* path : {"out.yaml", "out-folder", "prefix.yaml"}) {
        CAPTURE(path);
        REQUIRE(skipped_reason(tree, path));
        CHECK(skipped_reason(tree, path)->find("out of the repository") != std::string::npos);
    }
    for (const char* path : {"broken.yaml", "through-file.yaml"}) {
        REQUIRE(skipped_reason(tree, path));
        CHECK(*skipped_reason(tree, path) == "a link to something that does not exist");
    }
    for (const char* path : {"one.yaml", "two.yaml"}) {
        REQUIRE(skipped_reason(tree, path));
        CHECK(*skipped_reason(tree, path) == "a link in a cycle, or through more than 40 links");
    }
    CHECK(skipped_reason(tree, "git.yaml"));
}

TEST_CASE("the name of a skipped entry stands for no other file") {
    Scratch scratch;
    scratch.write("repo/deploy.yaml", "text");
    scratch.write("repo/real/inner.yaml", "text");
    scratch.link("repo/deploy.yaml: x", "nowhere");
    scratch.link("repo/through", "real"); // `through/inner.yaml` would find real/inner.yaml
    Tree tree = tree_of(scratch);
    tree.skipped.push_back({"through/inner.yaml", "made up"});
    list_skipped(tree);
    REQUIRE(tree.find("deploy.yaml"));
    CHECK(tree.files[*tree.find("deploy.yaml")].state == FileState::listed);
    REQUIRE(tree.find("real/inner.yaml"));
    CHECK(tree.files[*tree.find("real/inner.yaml")].state == FileState::listed);
    REQUIRE(tree.find("deploy.yaml: x"));
    CHECK(tree.files[*tree.find("deploy.yaml: x")].state == FileState::unreadable);
}

TEST_CASE("a link that is moved out of the root after listing is not read") {
    Scratch scratch;
    scratch.write("secret.yaml", "secret");
    scratch.write("repo/a.yaml", "a");
    scratch.link("repo/link.yaml", "a.yaml");
    Tree tree = tree_of(scratch);
    File& link = tree.files.at(1);
    REQUIRE(link.link);
    std::filesystem::remove(scratch / "repo/link.yaml");
    scratch.link("repo/link.yaml", "../secret.yaml");
    read_file(tree, link);
    CHECK(link.state == FileState::unreadable);
    CHECK(link.text.empty());
}

TEST_CASE("a file that becomes a link after listing is not read") {
    Scratch scratch;
    scratch.write("secret.yaml", "secret");
    scratch.write("repo/a.yaml", "a");
    Tree tree = tree_of(scratch);
    std::filesystem::remove(scratch / "repo/a.yaml");
    scratch.link("repo/a.yaml", "../secret.yaml");
    read_file(tree, tree.files.at(0));
    CHECK(tree.files[0].state == FileState::unreadable);
    CHECK(tree.files[0].why == "is a link");
    CHECK(tree.files[0].text.empty());
}
