// Every piece of work is done once, and a failure reaches the caller.
#include "base/parallel.h"
#include <algorithm>
#include <atomic>
#include <doctest/doctest.h>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace lockstep;

TEST_CASE("every index is done exactly once, whatever the number of jobs") {
    for (const unsigned jobs : {0U, 1U, 2U, 3U, 16U}) {
        for (const std::size_t count : {0U, 1U, 2U, 7U, 1000U}) {
            CAPTURE(jobs);
            CAPTURE(count);
            std::vector<std::atomic<int>> done(count);
            parallel_for(count, jobs, [&](std::size_t i) { ++done[i]; });
            bool once = true;
            for (const auto& times : done)
                once = once && times == 1;
            CHECK(once);
        }
    }
}

TEST_CASE("no job or one runs on the caller's thread, in order") {
    for (const unsigned jobs : {0U, 1U}) {
        const auto caller = std::this_thread::get_id();
        std::vector<std::size_t> order;
        parallel_for(5, jobs, [&](std::size_t i) {
            CHECK(std::this_thread::get_id() == caller);
            order.push_back(i);
        });
        CHECK(order == std::vector<std::size_t>{0, 1, 2, 3, 4});
    }
}

TEST_CASE("an exception reaches the caller and ends the work") {
    for (const unsigned jobs : {1U, 4U}) {
        CAPTURE(jobs);
        std::atomic<std::size_t> started{0};
        CHECK_THROWS_WITH_AS(parallel_for(100000, jobs,
                                          [&](std::size_t) {
                                              ++started;
                                              throw std::runtime_error("broken");
                                          }),
                             "broken", std::runtime_error);
        CHECK(started <= 4);
    }
}

TEST_CASE("parts are taken in order, each once, however many threads make them") {
    for (const unsigned jobs : {1U, 4U}) {
        CAPTURE(jobs);
        std::vector<std::size_t> taken;
        parallel_in_order(
            2000, jobs, [](std::size_t i) { return i * 3; },
            [&](std::size_t i, std::size_t& part) {
                CHECK(part == i * 3);
                taken.push_back(i);
            });
        CHECK(taken.size() == 2000);
        CHECK(std::is_sorted(taken.begin(), taken.end()));
    }
}
