// Spreads independent pieces of work, mostly files, over threads.
#include "base/parallel.h"
#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace lockstep {

void parallel_for(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work) {
    if (jobs <= 1 || count <= 1) {
        for (std::size_t i = 0; i < count; ++i)
            work(i);
        return;
    }

    std::atomic<std::size_t> next{0};
    std::atomic<bool> stop{false};
    std::mutex guard;
    std::exception_ptr first;
    const auto take = [&] {
        while (!stop.load(std::memory_order_relaxed)) {
            const std::size_t index = next.fetch_add(1, std::memory_order_relaxed);
            if (index >= count) return;
            try {
                work(index);
            } catch (...) {
                const std::lock_guard lock(guard);
                if (!first) first = std::current_exception();
                stop = true;
            }
        }
    };

    {
        std::vector<std::jthread> threads;
        const std::size_t helpers = std::min<std::size_t>(jobs, count) - 1; // the caller works too
        threads.reserve(helpers);
        try {
            for (std::size_t i = 0; i < helpers; ++i)
                threads.emplace_back(take);
        } catch (const std::system_error&) {
            // The system has no more threads to give: those that run, and the caller, do the work.
        }
        take();
    }
    if (first) std::rethrow_exception(first);
}

} // namespace lockstep
