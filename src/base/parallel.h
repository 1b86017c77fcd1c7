// Runs the same work for 0..count-1 on several threads; every index is done exactly once, in no particular order.
#pragma once
#include <cstddef>
#include <functional>

namespace lockstep {

void parallel_for(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work);

} // namespace lockstep
