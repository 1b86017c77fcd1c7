// A git child process: how bytes come out of a repository's object store. Started without a shell, and so that nothing
// the repository configures can run.
#pragma once
#include "base/result.h"
#include <cstdint>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace lockstep {

// Where git works, and with which index; empty: the repository's own.
struct GitScope {
    std::string folder = ".";
    std::string index_file = {};
};

class GitProcess {
public:
    static Result<GitProcess> start(const GitScope& scope, const std::vector<std::string>& arguments);
    GitProcess(GitProcess&& other) noexcept;
    GitProcess& operator=(GitProcess&& other) noexcept;
    ~GitProcess(); // ends the child, whatever it is doing

    bool send(std::string_view text);                    // false: the child has gone
    std::size_t receive(char* out, std::size_t size);    // 0: the child has closed its output, or receive_error() tells
    int receive_error() const { return receive_error_; } // what the system said when nothing could be received
    int finish();                  // closes its input and waits; the exit code, 128 and more for a signal
    std::string complaint() const; // what it wrote to stderr, without `fatal: `

private:
    GitProcess() = default;
    pid_t pid_ = -1;
    int in_ = -1, out_ = -1;
    int receive_error_ = 0;
    int errors_ = -1; // a file in memory: a run needs no folder that it may write to
};

struct GitAnswer {
    int exit_code = 0;
    std::string out, complaint;
    bool cut = false; // it had more to say than was asked for, and was ended
};

// One command from start to end. An error only when there is no git to start. Of a listing no more than `most_records`
// are taken: folders of a commit may hold one another, and then a few objects make files without end.
Result<GitAnswer> run_git(const GitScope& scope, const std::vector<std::string>& arguments,
                          std::uint64_t most_records = UINT64_MAX);

} // namespace lockstep
