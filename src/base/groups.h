// Numbers grouped under ids, packed: which `Applied` belong to an object, and the like. Filled once, then read.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace lockstep {

inline constexpr std::uint32_t no_number = 0xffffffffU;

class Groups {
public:
    Groups() = default;
    // Ids below `count`; `owners[i]` is the id that number i belongs to, or something else for none.
    Groups(std::size_t count, const std::vector<std::uint32_t>& owners) : first_(count + 1, 0) {
        for (const std::uint32_t owner : owners)
            if (owner < count) ++first_[owner + 1];
        for (std::size_t i = 1; i <= count; ++i)
            first_[i] += first_[i - 1];
        numbers_.resize(first_[count]);
        std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
        for (std::uint32_t i = 0; i < owners.size(); ++i)
            if (owners[i] < count) numbers_[next[owners[i]]++] = i;
    }

    // In rising order; none for an id that nothing belongs to.
    std::span<const std::uint32_t> of(std::uint32_t id) const {
        if (id + std::size_t{1} >= first_.size()) return {};
        return std::span(numbers_).subspan(first_[id], first_[id + 1] - first_[id]);
    }

private:
    std::vector<std::uint32_t> first_, numbers_;
};

} // namespace lockstep
