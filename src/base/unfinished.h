// What must not outlive a run that is ended from outside, by a signal, the clock or the memory limit: child processes,
// and files that are half written.
#pragma once
#include <mutex>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace lockstep {

class Unfinished {
public:
    void add_child(pid_t child);
    void remove_child(pid_t child);
    void add_file(int folder, const std::string& name); // `folder` is an open descriptor; before the file is made
    void remove_file(int folder, const std::string& name);

    // Ends all children and removes all files. Nothing can be added any more: the process must end now. Without
    // `wait`, gives up when another thread is at work here.
    void end_all(bool wait) noexcept;

private:
    std::mutex mutex_;
    std::vector<pid_t> children_;
    std::vector<std::pair<int, std::string>> files_;
};

// One per process, as signals are.
Unfinished& unfinished();

} // namespace lockstep
