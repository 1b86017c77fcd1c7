// What git tracks is listed whatever an ignore file says; compared with git itself, in every form its index has.
#include "scratch.h"
#include "tree/git_index.h"
#include "tree/tree.h"
#include <algorithm>
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

using Paths = std::vector<std::string>;

struct Repository : Scratch {
    explicit Repository(const std::string& options = "") { git("init -q -b main " + options); }
    std::string git(const std::string& words) const {
        return output_of("GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 git -C '" + root() +
                         "' -c user.name=t -c user.email=t@t -c protocol.file.allow=always " + words + " 2>/dev/null");
    }
    Paths listed(std::string_view below = "") const {
        auto tree = walk(below.empty() ? root() : (*this / below).string(), {});
        REQUIRE_MESSAGE(tree, to_string(tree.error()));
        Paths paths;
        for (const File& file : tree->files)
            paths.push_back(file.path);
        return paths;
    }
};

bool git_is_here() {
    if (has_program("git")) return true;
    MESSAGE("skipped: no git here");
    return false;
}

bool has(const Paths& paths, const std::string& path) {
    return std::find(paths.begin(), paths.end(), path) != paths.end();
}

} // namespace

TEST_CASE("a tracked file is listed whatever an ignore file says; an untracked one is not") {
    if (!git_is_here()) return;
    Repository repository;
    repository.write("a.yaml");
    repository.write("apps/web/b.yaml");
    repository.write("deep/x/y/z/c.yaml");
    repository.git("add -A");
    repository.write(".gitignore", "*\n");
    repository.write("new.yaml");
    repository.write("apps/web/new.yaml");
    repository.write("other/new.yaml");
    CHECK(repository.listed() == Paths{"a.yaml", "apps/web/b.yaml", "deep/x/y/z/c.yaml"});
    repository.write(".gitignore", "/apps/\n/deep\n!/deep/x\n");
    CHECK(repository.listed() ==
          Paths{".gitignore", "a.yaml", "apps/web/b.yaml", "deep/x/y/z/c.yaml", "new.yaml", "other/new.yaml"});
}

TEST_CASE("every form of the index is read as git writes it") {
    if (!git_is_here()) return;
    for (const char* form : {"", "--index-version 2", "--index-version 3", "--index-version 4", "--split-index"}) {
        CAPTURE(form);
        Repository repository;
        Paths paths;
        for (unsigned i = 0; i < 300; ++i) {
            paths.push_back("d" + std::to_string(i % 7) + "/e" + std::to_string(i % 3) + "/f" +
                            std::string(i % 11, 'x') + std::to_string(i) + ".yaml");
            repository.write(paths.back());
        }
        repository.git("add -A");
        repository.git("add -N .");
        if (*form) repository.git(std::string("update-index ") + form);
        repository.write("d0/late.yaml"); // into the amendment of a split index
        repository.git("add d0/late.yaml");
        paths.push_back("d0/late.yaml");
        repository.write(".git/info/exclude", "*\n");
        std::sort(paths.begin(), paths.end());
        CHECK(repository.listed() == paths);
    }
    Repository sha256("--object-format=sha256");
    sha256.write("a.yaml");
    sha256.git("add -A");
    sha256.write(".git/info/exclude", "*\n");
    CHECK(sha256.listed() == Paths{"a.yaml"});
}

TEST_CASE("a damaged or unknown index is an error: an ignore file could hide anything") {
    if (!git_is_here()) return;
    Repository repository;
    repository.write("a.yaml");
    repository.write("b.yaml");
    repository.git("add -A");
    repository.write(".gitignore", "*\n");
    std::ifstream file(repository / ".git/index", std::ios::binary);
    const std::string whole((std::istreambuf_iterator<char>(file)), {});
    for (std::string bytes : {whole.substr(0, 60), std::string("DIRC"), std::string("no"), std::string(),
                              "DIRC" + std::string("\0\0\0\x09", 4) + whole.substr(8)}) {
        repository.write(".git/index", bytes);
        auto tree = walk(repository.root(), {});
        REQUIRE(!tree);
        CHECK(tree.error().message.find("which files git tracks") != std::string::npos);
    }
    for (std::size_t size = 0; size < whole.size(); ++size)
        (void)parse_git_index(std::string_view(whole).substr(0, size), "");
}

TEST_CASE("ignore files above a linted subfolder count, unless they leave out the folder that was named") {
    if (!git_is_here()) return;
    Repository repository;
    repository.write(".gitignore", "*.tmp\n/apps/web/gone/\n");
    repository.write("apps/.gitignore", "!keep.tmp\n/web/here\n");
    repository.write("apps/web/a.yaml");
    repository.write("apps/web/tracked.tmp");
    repository.git("add -f apps/web/tracked.tmp");
    for (const char* path : {"x.tmp", "keep.tmp", "gone/b.yaml", "here", "sub/here"})
        repository.write(std::string("apps/web/") + path);
    repository.write(".git/info/exclude", "excluded.yaml\n/web\n");
    repository.write("apps/web/excluded.yaml");
    CHECK(repository.listed("apps/web") == Paths{"a.yaml", "keep.tmp", "sub/here", "tracked.tmp"});
    repository.write(".gitignore", "/apps\n");
    CHECK(repository.listed("apps/web").size() == 8);
}

TEST_CASE(".git/info/exclude is not read through a link") {
    for (const char* part : {".git/info/exclude", ".git/info", ".git"}) {
        CAPTURE(part);
        Scratch scratch;
        scratch.write("repo/a.yaml");
        scratch.write("elsewhere/info/exclude", "*\n");
        const std::string name = part;
        const std::string target = (scratch / "elsewhere").string() + name.substr(4);
        scratch.link("repo/" + name, target);
        auto tree = walk((scratch / "repo").string(), {});
        REQUIRE(tree);
        CHECK(tree->find("a.yaml"));
    }
}

TEST_CASE("a submodule has an index of its own") {
    if (!git_is_here()) return;
    Repository inner, outer;
    inner.write("a.yaml");
    inner.git("add -A");
    inner.git("commit -q -m x");
    outer.git("submodule add -q '" + inner.root() + "' vendor/inner");
    outer.write("vendor/inner/.gitignore", "*\n");
    outer.write("vendor/inner/new.yaml");
    CHECK(has(outer.listed(), "vendor/inner/a.yaml"));
    CHECK_FALSE(has(outer.listed(), "vendor/inner/new.yaml"));
    outer.write(".gitignore", "*\n");
    CHECK(has(outer.listed(), "vendor/inner/a.yaml"));
}
