// Folders that wait to be listed, shared by the threads of one walk.
#pragma once
#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace lockstep {

// Ends by itself: when no folder waits and none is being worked on, nothing new can come.
template <class Folder> class FolderQueue {
public:
    explicit FolderQueue(Folder first) { waiting_.push_back(std::move(first)); }

    // The next folder, or nothing when all is done; waits while others may still find more.
    std::optional<Folder> take() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return stopped_ || !waiting_.empty() || in_work_ == 0; });
        if (stopped_ || waiting_.empty()) return std::nullopt;
        // The newest first: the queue stays short in a deep tree.
        Folder folder = std::move(waiting_.back());
        waiting_.pop_back();
        ++in_work_;
        return folder;
    }

    // Ends the work on a taken folder; `below` are the folders found in it.
    void finish(std::vector<Folder> below) {
        std::lock_guard lock(mutex_);
        --in_work_;
        for (Folder& folder : below)
            waiting_.push_back(std::move(folder));
        if (below.size() > 1 || waiting_.empty())
            changed_.notify_all();
        else
            changed_.notify_one();
    }

    // No folder is given out any more. Who fails at a folder never finishes it, and the others would wait for that.
    void stop() {
        std::lock_guard lock(mutex_);
        stopped_ = true;
        changed_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Folder> waiting_;
    std::size_t in_work_ = 0;
    bool stopped_ = false;
};

} // namespace lockstep
