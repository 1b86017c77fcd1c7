// Listing real folders: order, ignore files, excludes, odd names, roots that are no good.
#include "scratch.h"
#include "tree/folder_queue.h"
#include "tree/tree.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <thread>

using namespace lockstep;

namespace {

std::vector<std::string> listed(const Tree& tree) {
    std::vector<std::string> paths;
    for (const File& file : tree.files)
        paths.push_back(file.path);
    return paths;
}

std::vector<std::string> paths_in(const std::string& root, const WalkOptions& options = {}) {
    auto tree = walk(root, options);
    REQUIRE(tree);
    return listed(*tree);
}

using Paths = std::vector<std::string>;

} // namespace

TEST_CASE("the list is the same for every run and every number of threads") {
    Scratch scratch;
    for (char i = 0; i < 30; ++i)
        for (char j = 0; j < 12; ++j)
            scratch.write(std::string{'d', static_cast<char>('A' + i), '/', 'e', static_cast<char>('0' + j % 3), '/',
                                      static_cast<char>('a' + j)});
    scratch.link("loop", "loop");
    scratch.link("d1/up", "..");
    scratch.link("d2/out", "/");
    auto first = walk(scratch.root(), {.jobs = 1});
    REQUIRE(first);
    REQUIRE(first->files.size() == 360);
    CHECK(std::is_sorted(first->files.begin(), first->files.end(), [](auto& a, auto& b) { return a.path < b.path; }));
    for (int run = 0; run < 5; ++run)
        for (unsigned jobs : {0U, 1U, 2U, 8U, 1000U}) {
            auto again = walk(scratch.root(), {.jobs = jobs});
            REQUIRE(again);
            CHECK(listed(*again) == listed(*first));
            CHECK(again->skipped == first->skipped);
            CHECK(again->linked_directories == first->linked_directories);
        }
}

TEST_CASE("ignore files count for their folder, and nothing below an ignored folder comes back") {
    Scratch scratch;
    scratch.write(".gitignore", "*.log\nbuild/\n!build/keep.yaml\n");
    scratch.write("a.log");
    scratch.write("a.yaml");
    scratch.write("build/keep.yaml");
    scratch.write("sub/.gitignore", "!b.log\n/c.yaml\n");
    scratch.write("sub/b.log");
    scratch.write("sub/c.yaml");
    scratch.write("sub/deep/b.log");
    scratch.write("sub/deep/c.yaml");
    scratch.write("sub/deep/d.log");
    CHECK(paths_in(scratch.root()) ==
          Paths{".gitignore", "a.yaml", "sub/.gitignore", "sub/b.log", "sub/deep/b.log", "sub/deep/c.yaml"});
    CHECK(paths_in(scratch.root(), {.gitignore = false}).size() == 10);
}

TEST_CASE("the repository's own exclude file counts, and an ignore file overrules it") {
    Scratch scratch;
    scratch.write(".git/info/exclude", "secret.yaml\nmine.yaml\n");
    scratch.write(".gitignore", "!mine.yaml\n");
    scratch.write("secret.yaml");
    scratch.write("mine.yaml");
    CHECK(paths_in(scratch.root()) == Paths{".gitignore", "mine.yaml"});
}

TEST_CASE(".git is never entered, be it a folder or a file, at any depth") {
    Scratch scratch;
    scratch.write(".git/config");
    scratch.write("module/.git", "gitdir: ../x\n");
    scratch.write("module/a.yaml");
    scratch.write("clone/.git/HEAD");
    scratch.write(".github/b.yaml");
    CHECK(paths_in(scratch.root(), {.gitignore = false}) == Paths{".github/b.yaml", "module/a.yaml"});
}

TEST_CASE("excluded files and folders are not listed, but known to be there") {
    Scratch scratch;
    scratch.write("vendor/a/b.yaml");
    scratch.write("vendored.yaml");
    scratch.write("x/gen/c.yaml");
    scratch.write("x/gen.yaml");
    scratch.write("only");
    auto tree = walk(scratch.root(), {.exclude = {"vendor", "**/gen/", "only/", "x/*.yaml"}});
    REQUIRE(tree);
    CHECK(listed(*tree) == Paths{"only", "vendored.yaml"});
    CHECK(tree->unlisted == Paths{"vendor", "x/gen", "x/gen.yaml"});
    CHECK(tree->is_unlisted("vendor/a/b.yaml"));
    CHECK_FALSE(tree->is_unlisted("x/other.yaml"));
}

TEST_CASE("a bad exclude pattern is an error") {
    Scratch scratch;
    CHECK_FALSE(walk(scratch.root(), {.exclude = {"[a"}}));
}

TEST_CASE("a folder named like a file is a folder") {
    Scratch scratch;
    scratch.write("x.yaml/inner.yaml");
    scratch.folder("empty.yaml");
    auto tree = walk(scratch.root(), {});
    REQUIRE(tree);
    CHECK(listed(*tree) == Paths{"x.yaml/inner.yaml"});
    CHECK(tree->has_directory("x.yaml"));
    CHECK_FALSE(tree->find("x.yaml"));
}

TEST_CASE("a fifo is skipped with its reason and never opened") {
    Scratch scratch;
    scratch.write("a.yaml");
    REQUIRE(::mkfifo((scratch / "pipe.yaml").c_str(), 0644) == 0);
    scratch.link("to-pipe.yaml", "pipe.yaml");
    auto tree = walk(scratch.root(), {});
    REQUIRE(tree);
    CHECK(listed(*tree) == Paths{"a.yaml"});
    CHECK(tree->skipped == std::vector<SkippedEntry>{{"pipe.yaml", "a fifo"}, {"to-pipe.yaml", "a link to a fifo"}});

    File forged{"pipe.yaml", ""};
    read_file(*tree, forged); // would hang here
    CHECK(forged.state == FileState::unreadable);
    CHECK(forged.why == "is a fifo");
}

TEST_CASE("an ignore file that is a fifo does not stop the walk") {
    Scratch scratch;
    scratch.write("a.yaml");
    REQUIRE(::mkfifo((scratch / ".gitignore").c_str(), 0644) == 0);
    auto tree = walk(scratch.root(), {});
    REQUIRE(tree);
    CHECK(listed(*tree) == Paths{"a.yaml"});
    CHECK(tree->skipped == std::vector<SkippedEntry>{{".gitignore", "a fifo"}});
}

TEST_CASE("names with odd bytes survive and can be read") {
    Scratch scratch;
    for (const char* name : {"new\nline.yaml", "bad\xFF\xFE.yaml", "tab\t", " space ", "-dash", "dir\n/\xC3.yaml"})
        scratch.write(name, name);
    auto tree = walk(scratch.root(), {});
    REQUIRE(tree);
    CHECK(listed(*tree) == Paths{" space ", "-dash", "bad\xFF\xFE.yaml", "dir\n/\xC3.yaml", "new\nline.yaml", "tab\t"});
    for (File& file : tree->files) {
        read_file(*tree, file);
        CHECK(file.text == file.path);
    }
}

TEST_CASE("the root may have a last slash, be a link, or be the current folder") {
    Scratch scratch;
    scratch.write("real/a/b.yaml", "x");
    scratch.link("real/in.yaml", "a/b.yaml");
    scratch.link("alias", "real");
    auto previous = std::filesystem::current_path();
    for (std::string root : {"real", "real/", "alias", "alias/", "./real/../alias"}) {
        CAPTURE(root);
        auto tree = walk(scratch.root() + '/' + root, {});
        REQUIRE(tree);
        CHECK(tree->root == scratch.root() + '/' + root);
        CHECK(listed(*tree) == Paths{"a/b.yaml", "in.yaml"});
        CHECK(tree->skipped.empty());
        for (File& file : tree->files) {
            read_file(*tree, file);
            CHECK(file.text == "x");
        }
    }
    std::filesystem::current_path(scratch / "real");
    auto tree = walk(".", {});
    REQUIRE(tree);
    read_file(*tree, tree->files.at(1));
    std::filesystem::current_path(previous);
    CHECK(listed(*tree) == Paths{"a/b.yaml", "in.yaml"});
    CHECK(tree->files[1].text == "x");
}

TEST_CASE("a root that is no folder is an error that says so") {
    Scratch scratch;
    scratch.write("file.yaml");
    scratch.link("broken", "nowhere");
    auto missing = walk(scratch.root() + "/none", {});
    REQUIRE_FALSE(missing);
    CHECK(missing.error().message == "there is no such folder");
    CHECK(missing.error().path == scratch.root() + "/none");
    CHECK_FALSE(missing.error().hint.empty());
    auto file = walk(scratch.root() + "/file.yaml", {});
    REQUIRE_FALSE(file);
    CHECK(file.error().message == "is a file, not a folder");
    CHECK_FALSE(walk(scratch.root() + "/broken", {}));
    CHECK_FALSE(walk("", {}));
}

TEST_CASE("an empty folder is an empty tree") {
    Scratch scratch;
    CHECK(paths_in(scratch.root(), {.jobs = 4}).empty());
}

TEST_CASE("nobody waits for a folder at which another thread failed") {
    FolderQueue<int> queue(1);
    REQUIRE(queue.take() == 1);
    std::optional<int> got = 2;
    {
        std::jthread other([&] { got = queue.take(); });
        queue.stop(); // instead of finish
    }
    CHECK(got == std::nullopt);
    CHECK(queue.take() == std::nullopt);
}
