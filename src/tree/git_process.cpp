// Starts git by its absolute path with an environment and options of our own making; see docs/decisions/0003.
#include "tree/git_process.h"
#include "base/unfinished.h"
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

extern char** environ;

namespace lockstep {

namespace {

// Options in front of every command. None of our commands is known to run any of these; a later git might.
constexpr std::array guards = {
    "--no-pager",
    "--no-replace-objects",
    "--literal-pathspecs",
    "-c",
    "core.fsmonitor=", // not `false`: an old git would start a program of that name
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.untrackedCache=false",
    "-c",
    "core.sshCommand=false",
    "-c",
    "core.askPass=false",
    "-c",
    "credential.helper=",
    "-c",
    "protocol.allow=never",
};

// A partial clone would fetch what it lacks, by a command that its config names: nothing is fetched.
constexpr std::array settings = {
    "GIT_NO_LAZY_FETCH=1",  "GIT_ALLOW_PROTOCOL=none",  "GIT_TERMINAL_PROMPT=0",
    "GIT_OPTIONAL_LOCKS=0", "GIT_NO_REPLACE_OBJECTS=1", "LC_ALL=C",
    "GIT_ADVICE=0",
};

// Of the caller's GIT_* only what bounds the search for the repository or is config of the caller's own: it holds
// safe.directory. What names a repository (a hook's GIT_DIR) goes: the linted path decides.
bool is_kept(std::string_view variable) {
    if (variable.starts_with("LC_ALL=") || variable.starts_with("LANGUAGE=")) return false;
    if (!variable.starts_with("GIT_")) return true;
    for (std::string_view kept :
         {"GIT_CONFIG_COUNT=", "GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_",
          "GIT_CONFIG_GLOBAL=", "GIT_CONFIG_SYSTEM=", "GIT_CONFIG_NOSYSTEM=", "GIT_EXEC_PATH=",
          "GIT_CEILING_DIRECTORIES=", "GIT_DISCOVERY_ACROSS_FILESYSTEM=", "GIT_TEST_ASSUME_DIFFERENT_OWNER="})
        if (variable.starts_with(kept)) return true;
    return false;
}

std::vector<std::string> environment_for(const GitScope& scope) {
    std::vector<std::string> variables;
    for (char** at = environ; at && *at; ++at)
        if (is_kept(*at)) variables.emplace_back(*at);
    variables.insert(variables.end(), settings.begin(), settings.end());
    if (!scope.index_file.empty()) variables.push_back("GIT_INDEX_FILE=" + scope.index_file);
    return variables;
}

// Folders of PATH that are not absolute are passed over: a linted repository may hold a file named git.
std::string find_program() {
    const char* variable = std::getenv("PATH");
    std::string_view rest = variable ? variable : "/usr/local/bin:/usr/bin:/bin";
    while (!rest.empty()) {
        const auto colon = rest.find(':');
        const std::string_view folder = rest.substr(0, colon);
        rest.remove_prefix(colon == std::string_view::npos ? rest.size() : colon + 1);
        if (!folder.starts_with('/')) continue;
        std::string path = std::string(folder) + "/git";
        struct stat status = {};
        if (::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && ::access(path.c_str(), X_OK) == 0)
            return path;
    }
    return {};
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> out;
    for (std::string& text : texts)
        out.push_back(text.data());
    out.push_back(nullptr);
    return out;
}

void close_fd(int& fd) {
    if (fd >= 0) ::close(fd);
    fd = -1;
}

} // namespace

Result<GitProcess> GitProcess::start(const GitScope& scope, const std::vector<std::string>& arguments) {
    const std::string program = find_program();
    if (program.empty())
        return Error{"there is no program `git` in PATH", {}, {0, 0}, "install git; a base revision is read with it"};
    std::vector<std::string> words = {"git", "-C", scope.folder};
    words.insert(words.end(), guards.begin(), guards.end());
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<std::string> variables = environment_for(scope);

    GitProcess process;
    process.errors_ = ::memfd_create("git-stderr", MFD_CLOEXEC);
    // A socket, because writing to one whose reader has gone can be told not to raise SIGPIPE.
    int in[2] = {-1, -1}, out[2] = {-1, -1};
    int error = process.errors_ >= 0 && ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) == 0 &&
                        ::pipe2(out, O_CLOEXEC) == 0
                    ? 0
                    : errno;
    process.in_ = in[0];
    process.out_ = out[0];
    if (error == 0) {
        posix_spawn_file_actions_t actions;
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawn_file_actions_adddup2(&actions, in[1], STDIN_FILENO);
        ::posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
        ::posix_spawn_file_actions_adddup2(&actions, process.errors_, STDERR_FILENO);
        // Signals that wait for our own watcher must reach the child.
        posix_spawnattr_t attributes;
        sigset_t none;
        ::sigemptyset(&none);
        ::posix_spawnattr_init(&attributes);
        ::posix_spawnattr_setsigmask(&attributes, &none);
        ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
        error = ::posix_spawn(&process.pid_, program.c_str(), &actions, &attributes, pointers(words).data(),
                              pointers(variables).data());
        ::posix_spawnattr_destroy(&attributes);
        ::posix_spawn_file_actions_destroy(&actions);
        if (error != 0)
            process.pid_ = -1;
        else
            unfinished().add_child(process.pid_);
    }
    close_fd(in[1]);
    close_fd(out[1]);
    if (error != 0) return Error{"cannot start git: " + std::string(std::strerror(error)), program, {0, 0}, {}};
    return process;
}

GitProcess::GitProcess(GitProcess&& other) noexcept {
    *this = std::move(other);
}

GitProcess& GitProcess::operator=(GitProcess&& other) noexcept {
    std::swap(pid_, other.pid_);
    std::swap(in_, other.in_);
    std::swap(out_, other.out_);
    std::swap(errors_, other.errors_);
    std::swap(receive_error_, other.receive_error_);
    return *this;
}

GitProcess::~GitProcess() {
    if (pid_ > 0) ::kill(pid_, SIGKILL);
    finish();
    close_fd(out_);
    close_fd(errors_);
}

bool GitProcess::send(std::string_view text) {
    while (!text.empty()) {
        const ssize_t sent = ::send(in_, text.data(), text.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

std::size_t GitProcess::receive(char* out, std::size_t size) {
    for (;;) {
        const ssize_t got = ::read(out_, out, size);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) receive_error_ = errno;
        return got < 0 ? 0 : static_cast<std::size_t>(got);
    }
}

int GitProcess::finish() {
    close_fd(in_);
    close_fd(out_); // a child that still writes must not wait for a reader
    if (pid_ <= 0) return 0;
    int status = 0;
    pid_t ended = -1;
    do
        ended = ::waitpid(pid_, &status, 0);
    while (ended < 0 && errno == EINTR);
    unfinished().remove_child(pid_);
    pid_ = -1;
    if (ended < 0) return 255; // nobody knows how it ended
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string GitProcess::complaint() const {
    std::string text;
    std::array<char, 4096> piece;
    for (ssize_t got; text.size() < 65536 &&
                      (got = ::pread(errors_, piece.data(), piece.size(), static_cast<off_t>(text.size()))) > 0;)
        text.append(piece.data(), static_cast<std::size_t>(got));
    if (const auto fatal = text.rfind("fatal: "); fatal != std::string::npos) text.erase(0, fatal + 7);
    while (text.ends_with('\n'))
        text.pop_back();
    return text;
}

Result<GitAnswer> run_git(const GitScope& scope, const std::vector<std::string>& arguments,
                          std::uint64_t most_records) {
    constexpr std::uint64_t most_of_one = 1024; // bytes, on average: a path in a commit may have any length
    auto process = GitProcess::start(scope, arguments);
    if (!process) return process.error();
    GitAnswer answer;
    std::vector<char> piece(65536);
    std::uint64_t records = 0;
    while (const std::size_t got = process->receive(piece.data(), piece.size())) {
        answer.out.append(piece.data(), got);
        records += static_cast<std::uint64_t>(std::count(piece.data(), piece.data() + got, '\0'));
        answer.cut = records > most_records || answer.out.size() / most_of_one > most_records;
        if (answer.cut) return answer;
    }
    if (const int error = process->receive_error())
        return Error{"cannot read what git says: " + std::string(std::strerror(error)), scope.folder, {0, 0}, {}};
    answer.exit_code = process->finish();
    answer.complaint = process->complaint();
    return answer;
}

} // namespace lockstep
