// Numbers that are found by kind and name, packed: a map of strings takes ten times as much. Filled, sorted, then read.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep {

class HashedNames {
public:
    using Entry = std::pair<std::size_t, std::uint32_t>; // hash and number

    void reserve(std::size_t count) { entries_.reserve(count); }
    void add(std::string_view kind, std::string_view name, std::uint32_t number) {
        entries_.emplace_back(hash_of(kind, name), number);
    }
    void sort() {
        std::sort(entries_.begin(), entries_.end());
        entries_.shrink_to_fit();
    }
    // In rising order. Other names may share the hash: whoever asks looks at the names again.
    std::span<const Entry> candidates(std::string_view kind, std::string_view name) const {
        const std::size_t hash = hash_of(kind, name);
        const auto begin = std::lower_bound(entries_.begin(), entries_.end(), Entry(hash, 0));
        auto end = begin;
        while (end != entries_.end() && end->first == hash)
            ++end;
        return {begin, end};
    }

private:
    static std::size_t hash_of(std::string_view kind, std::string_view name) {
        const std::hash<std::string_view> hash;
        return hash(kind) * 31 + hash(name);
    }
    std::vector<Entry> entries_;
};

} // namespace lockstep
