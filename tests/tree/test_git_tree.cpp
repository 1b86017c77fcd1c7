// A commit read from git's objects is the tree that a checkout of it would be.
#include "scratch.h"
#include "tree/git_entries.h"
#include "tree/git_repository.h"
#include <algorithm>
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

struct Repository : Scratch {
    Repository() { git("init -q -b main"); }
    std::string git(const std::string& words) const {
        return output_of("git -C '" + root() + "' -c user.name=t -c user.email=t@t -c commit.gpgsign=false " + words +
                         " 2>/dev/null");
    }
    void commit() const {
        static int count = 0; // two commits of one second would be the same one
        git("add -A");
        git("commit -q --allow-empty -m " + std::to_string(++count));
    }
    GitRepository open(std::string_view below = "") const {
        auto found = find_git_repository(below.empty() ? root() : (*this / below).string());
        REQUIRE_MESSAGE(found, to_string(found.error()));
        return *found;
    }
    Tree at(const std::string& revision, const WalkOptions& options = {}, std::string_view below = "") const {
        const GitRepository repository = open(below);
        auto commit = find_base_commit(repository, revision, true);
        REQUIRE_MESSAGE(commit, to_string(commit.error()));
        auto tree = git_tree(repository, *commit, options);
        REQUIRE_MESSAGE(tree, to_string(tree.error()));
        return *tree;
    }
};

std::vector<std::string> described(Tree& tree) {
    std::vector<std::string> out;
    for (File& file : tree.files) {
        read_file(tree, file);
        out.push_back(file.path + (file.link ? " -> " : " = ") + file.text + file.why);
    }
    for (const auto& [link, target] : tree.linked_directories)
        out.push_back(link + " -> " + target + "/");
    for (const auto& [path, why] : tree.skipped)
        out.push_back("skipped " + path + ": " + why.substr(0, why.find(", to ")));
    for (const auto& path : tree.unlisted)
        out.push_back("unlisted " + path);
    return out;
}

Error error_of(const Result<GitCommit>& commit) {
    REQUIRE(!commit);
    return commit.error();
}

} // namespace

TEST_CASE("a commit gives the same tree as its checkout: ignores, excludes, links, limits, odd names") {
    Repository repository;
    repository.write("a.yaml", "a: 1\n");
    repository.write("sub/b.yaml", "b: 1\n");
    repository.write("sub/deep/c d\n\"e\".yaml", "c: 1\n");
    repository.write("empty.yaml", "");
    repository.write("vendor/x/y.yaml");
    repository.write(".gitignore", "*.log\n/built/\n!keep.log\n");
    repository.write("sub/.gitignore", "*.tmp\n");
    repository.write("x.log");
    repository.write("keep.log", "kept");
    repository.write("built/z.yaml");
    repository.write("sub/w.tmp");
    repository.write("picture.png", std::string("\x89PNG\0\0", 6));
    repository.write("large.yaml", std::string(5000, 'x'));
    repository.link("link.yaml", "sub/b.yaml");
    repository.link("sub/up", "..");
    repository.link("sub/chain.yaml", "up/link.yaml");
    repository.link("folder", "sub/deep");
    repository.link("out.yaml", "/etc/hostname");
    repository.link("far.yaml", "../../far.yaml");
    repository.link("loop", "loop");
    repository.link("broken", "nowhere");
    repository.git("add -A -f"); // ignored files too: what is tracked counts
    repository.git("commit -q -m x");
    repository.write("untracked.log"); // ignored and in no commit
    WalkOptions options;
    options.exclude = {"vendor/**"};
    options.max_file_size = 4000;
    auto walked = walk(repository.root(), options);
    REQUIRE(walked);
    Tree tree = repository.at("HEAD", options);
    // On disk the reason names where the system ended up; a commit cannot know.
    auto without_ends = [](std::vector<std::string> lines) {
        for (auto& line : lines)
            if (line.starts_with("skipped far.yaml")) line = "skipped far.yaml";
        return lines;
    };
    CHECK(without_ends(described(tree)) == without_ends(described(*walked)));
    CHECK(tree.find("folder/c d\n\"e\".yaml"));
}

TEST_CASE("a subfolder is read as a root of its own; where it is new, its base is empty") {
    Repository repository;
    repository.write("one.yaml");
    repository.commit();
    repository.write("apps/web/two.yaml", "b: 2\n");
    repository.link("apps/web/up.yaml", "../../one.yaml");
    repository.commit();
    Tree tree = repository.at("HEAD", {}, "apps/web");
    CHECK(described(tree) ==
          std::vector<std::string>{"two.yaml = b: 2\n", "skipped up.yaml: a link out of the repository"});
    CHECK(repository.at("HEAD~1", {}, "apps/web").files.empty());
}

TEST_CASE("the index is what would be committed, not what is in the folder") {
    Repository repository;
    repository.write("a.yaml", "a: 1\n");
    repository.commit();
    repository.write("a.yaml", "a: 2\n");
    repository.write("new/b.yaml", "b: 1\n");
    repository.git("add -A");
    repository.write("a.yaml", "a: 3\n");
    repository.write("c.yaml");
    auto tree = index_tree(repository.open(), {});
    REQUIRE(tree);
    CHECK(described(*tree) == std::vector<std::string>{"a.yaml = a: 2\n", "new/b.yaml = b: 1\n"});
    auto below = index_tree(repository.open("new"), {});
    REQUIRE(below);
    CHECK(described(*below) == std::vector<std::string>{"b.yaml = b: 1\n"});
}

TEST_CASE("the base is where HEAD left the revision, or the revision itself") {
    Repository repository;
    repository.commit();
    const std::string fork = repository.git("rev-parse HEAD");
    repository.git("checkout -q -b work");
    repository.commit();
    repository.git("checkout -q main");
    repository.commit();
    const std::string tip = repository.git("rev-parse HEAD");
    repository.git("checkout -q work");
    const GitRepository opened = repository.open();
    const auto base = find_base_commit(opened, "main", false);
    REQUIRE(base);
    CHECK(base->id + "\n" == fork);
    CHECK(base->shown == fork.substr(0, 12) + ", where HEAD left main");
    const auto exact = find_base_commit(opened, "main", true);
    REQUIRE(exact);
    CHECK(exact->id + "\n" == tip);
}

TEST_CASE("revisions that are none are refused, and none is taken for an option") {
    Repository repository;
    const GitRepository unborn = repository.open();
    const auto head = find_head_commit(unborn);
    REQUIRE(head);
    CHECK(head->id.empty());
    auto nothing = git_tree(unborn, *head, {});
    REQUIRE(nothing);
    CHECK(nothing->files.empty());
    repository.commit();
    repository.git("tag -a -m x released");
    const GitRepository opened = repository.open();
    CHECK(find_base_commit(opened, "released", false));
    for (const char* wrong :
         {"", "-", "--output=x", "--all", "nowhere", "HEAD:a.yaml", "HEAD..HEAD", "HEAD^{tree}", "a b"})
        CHECK_MESSAGE(!find_base_commit(opened, wrong, true), wrong);
    CHECK(error_of(find_base_commit(opened, "nowhere", false)).message == "there is no commit `nowhere` in this clone");
    CHECK(error_of(find_base_commit(opened, "nowhere", false)).hint.find("git fetch") != std::string::npos);
    repository.git("checkout -q --orphan other");
    repository.commit();
    CHECK(error_of(find_base_commit(opened, "main", false)).message == "main and HEAD have no history in common");
}

TEST_CASE("a shallow clone that lacks the base says how to fetch it") {
    Repository repository;
    repository.commit();
    repository.git("checkout -q -b work");
    repository.commit();
    repository.git("checkout -q main");
    repository.commit();
    Scratch place;
    output_of("git clone -q --depth 1 --no-single-branch -b work 'file://" + repository.root() + "' '" +
              (place / "clone").string() + "' 2>/dev/null");
    const auto clone = find_git_repository((place / "clone").string());
    REQUIRE(clone);
    CHECK(clone->shallow);
    const Error error = error_of(find_base_commit(*clone, "origin/main", false));
    CHECK(error.message.find("shallow") != std::string::npos);
    CHECK(error.hint.find("fetch-depth: 0") != std::string::npos);
    CHECK(find_base_commit(*clone, "origin/main", true));
}

TEST_CASE("worktrees and submodules: the first are repositories, the second are not looked into") {
    Repository inner, repository;
    inner.write("in.yaml");
    inner.commit();
    repository.write("a.yaml");
    repository.git("-c protocol.file.allow=always submodule add -q '" + inner.root() + "' mod");
    repository.commit();
    Tree tree = repository.at("HEAD");
    CHECK(tree.submodules == std::vector<std::string>{"mod"});
    CHECK(tree.is_unlisted("mod/in.yaml"));
    CHECK(!tree.find("mod"));
    Scratch place;
    repository.git("worktree add -q '" + (place / "second").string() + "' -b second");
    const auto second = find_git_repository((place / "second").string());
    REQUIRE(second);
    CHECK(second->prefix.empty());
    CHECK(find_base_commit(*second, "main", false));
}

TEST_CASE("what is no work tree is said plainly") {
    Scratch nothing;
    const auto outside = find_git_repository(nothing.root());
    REQUIRE(!outside);
    CHECK(outside.error().message == "is in no git repository, so there is nothing to compare with");
    output_of("git init -q --bare '" + (nothing / "bare").string() + "'");
    const auto bare = find_git_repository((nothing / "bare").string());
    REQUIRE(!bare);
    CHECK(bare.error().message.find("bare repository") != std::string::npos);
    Repository elsewhere;
    elsewhere.git("config core.worktree /usr");
    const auto moved = find_git_repository(elsewhere.root());
    REQUIRE(!moved);
    CHECK(moved.error().message.find("work tree somewhere else") != std::string::npos);
}

TEST_CASE("a lost or damaged blob is an error with a way out, and the others can still be read") {
    Repository repository;
    repository.write("a.yaml", "a: lost\n");
    repository.write("b.yaml", "b: kept\n");
    repository.write("c.yaml", "c: damaged\n");
    repository.commit();
    auto object = [&](const std::string& file) {
        const std::string id = repository.git("rev-parse HEAD:" + file);
        return repository / (".git/objects/" + id.substr(0, 2) + "/" + id.substr(2, 38));
    };
    std::filesystem::remove(object("a.yaml"));
    std::filesystem::permissions(object("c.yaml"), std::filesystem::perms(0644));
    std::ofstream(object("c.yaml"), std::ios::trunc) << "no object";
    Tree tree = repository.at("HEAD");
    CHECK(!lost_file(tree));
    for (File& file : tree.files)
        read_file(tree, file);
    CHECK(tree.files[0].why.find("is not in this clone") != std::string::npos);
    CHECK(tree.files[1].text == "b: kept\n");
    CHECK(tree.files[2].state == FileState::unreadable);
    REQUIRE(lost_file(tree));
    CHECK(lost_file(tree)->path == "a.yaml");
    CHECK(lost_file(tree)->hint.find("git fsck") != std::string::npos);
}

TEST_CASE("an index that is not merged is refused") {
    const std::string id(40, 'a');
    const std::string listing = "100644 " + id + " 2\ta.yaml" + std::string(1, '\0');
    CHECK(!parse_git_entries(listing, ""));
    CHECK(parse_git_entries("nonsense", "").error().message.find("not understood") != std::string::npos);
}
