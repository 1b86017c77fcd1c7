// Spreads independent pieces of work, mostly files, over threads.
#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace lockstep {

// Runs the same work for 0..count-1; every index is done exactly once, in no particular order.
void parallel_for(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work);

// Makes a part for every number in [0, count), as above, and hands them to `take`, one at a time and in order, each as
// soon as those before it are taken: what is done with it costs no second pass, and few parts exist at a time.
template <class Make, class Take>
void parallel_in_order(std::size_t count, unsigned jobs, const Make& make, const Take& take) {
    using Part = decltype(make(std::size_t{}));
    std::vector<std::unique_ptr<Part>> waiting(count);
    std::size_t next = 0;
    std::mutex guard;
    parallel_for(count, jobs, [&](std::size_t i) {
        auto part = std::make_unique<Part>(make(i));
        const std::lock_guard lock(guard);
        waiting[i] = std::move(part);
        for (; next < count && waiting[next]; ++next) {
            take(next, *waiting[next]);
            waiting[next].reset();
        }
    });
}

} // namespace lockstep
