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
// soon as those before it are taken: what is done with it costs no second pass, and few parts exist at a time. Nobody
// waits for `take`: who comes while another thread is at it leaves the part there and goes on.
template <class Make, class Take>
void parallel_in_order(std::size_t count, unsigned jobs, const Make& make, const Take& take) {
    using Part = decltype(make(std::size_t{}));
    std::vector<std::unique_ptr<Part>> waiting(count);
    std::size_t next = 0;
    bool taking = false;
    std::mutex guard;
    parallel_for(count, jobs, [&](std::size_t i) {
        auto part = std::make_unique<Part>(make(i));
        std::unique_lock lock(guard);
        waiting[i] = std::move(part);
        if (taking) return;
        taking = true;
        while (next < count && waiting[next]) {
            const std::unique_ptr<Part> first = std::move(waiting[next]);
            lock.unlock();
            take(next, *first);
            lock.lock();
            ++next;
        }
        taking = false;
    });
}

} // namespace lockstep
