// Files and folders that the user may not read. root may read everything, so root hands the work to nobody.
#include "scratch.h"
#include "tree/tree.h"
#include <doctest/doctest.h>
#include <functional>
#include <sys/stat.h>
#include <sys/wait.h>

using namespace lockstep;

namespace {

constexpr uid_t nobody = 65534;

// Runs `work` as a user without rights and gives back what it says; nothing when that user cannot get to the scratch
// folder at all.
std::string said_without_rights(const Scratch& scratch, const std::function<std::string()>& work) {
    if (::geteuid() != 0) return work();
    int pipe[2];
    REQUIRE(::pipe(pipe) == 0);
    pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        std::string said;
        if (::setgid(nobody) == 0 && ::setuid(nobody) == 0 && ::access(scratch.root().c_str(), R_OK | X_OK) == 0)
            said = work();
        bool whole = ::write(pipe[1], said.data(), said.size()) == static_cast<ssize_t>(said.size());
        ::_exit(whole ? 0 : 1);
    }
    ::close(pipe[1]);
    std::string said;
    char piece[4096];
    for (ssize_t got; (got = ::read(pipe[0], piece, sizeof piece)) > 0;)
        said.append(piece, static_cast<std::size_t>(got));
    ::close(pipe[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    CHECK(status == 0);
    return said;
}

std::string walk_and_read(const std::string& root) {
    auto tree = walk(root, {.jobs = 2});
    if (!tree) return "error: " + tree.error().message + '\n';
    CHECK(!lost_file(*tree));
    std::string said;
    for (File& file : tree->files) {
        read_file(*tree, file);
        said += file.path + " [" + file.text + "] " + file.why + '\n';
    }
    for (const auto& [path, why] : tree->skipped)
        said += "skipped " + path + ": " + why + '\n';
    for (const std::string& line : tree->unlisted)
        said += "unlisted " + line + '\n';
    return said;
}

} // namespace

TEST_CASE("what may not be read is named with the system's reason, and the rest is still there") {
    Scratch scratch;
    scratch.write("repo/a.yaml", "a");
    scratch.write("repo/closed.yaml", "secret");
    scratch.write("closed-folder/a.yaml", "a");
    scratch.write("closed-folder/locked/b.yaml", "secret");
    scratch.write("repo/sub/.gitignore", "*");
    scratch.write("repo/sub/c.yaml", "c");
    scratch.write("unreadable/a.yaml");
    scratch.write("unsearchable/a.yaml");
    scratch.link("repo/link.yaml", "../closed-folder/locked/b.yaml");
    ::chmod((scratch / "repo/closed.yaml").c_str(), 0);
    ::chmod((scratch / "closed-folder/locked").c_str(), 0);
    ::chmod((scratch / "repo/sub/.gitignore").c_str(), 0);
    ::chmod((scratch / "unreadable").c_str(), 0311);
    ::chmod((scratch / "unsearchable").c_str(), 0644);
    std::string repo = said_without_rights(scratch, [&] { return walk_and_read(scratch.root() + "/repo"); });
    std::string unreadable =
        said_without_rights(scratch, [&] { return walk_and_read(scratch.root() + "/unreadable"); });
    std::string unsearchable =
        said_without_rights(scratch, [&] { return walk_and_read(scratch.root() + "/unsearchable"); });
    std::string locked = said_without_rights(scratch, [&] { return walk_and_read(scratch.root() + "/closed-folder"); });
    for (const char* folder : {"closed-folder/locked", "unreadable", "unsearchable"})
        ::chmod((scratch / folder).c_str(), 0755);
    if (repo.empty()) {
        MESSAGE("user 65534 cannot reach the temporary folder: not tried");
        return;
    }
    CHECK(repo == "a.yaml [a] \n"
                  "closed.yaml [] Permission denied\n"
                  "sub/.gitignore [] Permission denied\n"
                  "sub/c.yaml [c] \n"
                  "skipped link.yaml: a link that cannot be followed: Permission denied\n"
                  "skipped sub/.gitignore: its rules do not count: Permission denied\n");
    CHECK(locked == "error: cannot be listed: Permission denied\n"); // nobody knows what it hides
    CHECK(unreadable == "error: cannot be listed: Permission denied\n");
    CHECK(unsearchable == "error: cannot be listed: Permission denied\n");
}
