// Keeps the list, and cleans up once.
#include "base/unfinished.h"
#include <algorithm>
#include <csignal>
#include <unistd.h>

namespace lockstep {

void Unfinished::add_child(pid_t child) {
    const std::lock_guard lock(mutex_);
    children_.push_back(child);
}

void Unfinished::remove_child(pid_t child) {
    const std::lock_guard lock(mutex_);
    std::erase(children_, child);
}

void Unfinished::add_file(int folder, const std::string& name) {
    const std::lock_guard lock(mutex_);
    files_.emplace_back(folder, name);
}

void Unfinished::remove_file(int folder, const std::string& name) {
    const std::lock_guard lock(mutex_);
    std::erase(files_, std::pair(folder, name));
}

void Unfinished::end_all(bool wait) noexcept {
    if (wait)
        mutex_.lock();
    else if (!mutex_.try_lock())
        return;
    for (pid_t child : children_)
        ::kill(child, SIGKILL);
    for (const auto& [folder, name] : files_)
        ::unlinkat(folder, name.c_str(), 0);
    // stays locked
}

Unfinished& unfinished() {
    static Unfinished one;
    return one;
}

} // namespace lockstep
