// Memory for trees that live and die together: handed out in a row, given back all at once. One thread at a time.
#pragma once
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace lockstep {

class Arena {
public:
    Arena() = default;
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;
    Arena(Arena&&) = default;
    Arena& operator=(Arena&&) = default;

    void* allocate(std::size_t size, std::size_t align) {
        std::size_t begin = (used_ + align - 1) & ~(align - 1);
        if (blocks_.empty() || begin + size > room_) {
            add_block(size);
            begin = 0;
        }
        used_ = begin + size;
        return blocks_.back().get() + begin;
    }
    // Nothing is destroyed: what is made here needs no destructor.
    template <class T, class... Args> T* make(Args&&... args) {
        static_assert(std::is_trivially_destructible_v<T>);
        return new (allocate(sizeof(T), alignof(T))) T{std::forward<Args>(args)...};
    }
    template <class T> T* make_array(std::size_t count) {
        static_assert(std::is_trivially_destructible_v<T>);
        return new (allocate(sizeof(T) * count, alignof(T))) T[count]{};
    }
    std::string_view keep(std::string_view text) {
        if (text.empty()) return {};
        char* copy = static_cast<char*>(allocate(text.size(), 1));
        std::memcpy(copy, text.data(), text.size());
        return {copy, text.size()};
    }
    std::size_t bytes() const { return bytes_; }

private:
    void add_block(std::size_t least) {
        next_ = next_ < (1U << 20) ? next_ * 2 : next_;
        room_ = least > next_ ? least : next_;
        blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(room_));
        used_ = 0;
        bytes_ += room_;
    }
    std::vector<std::unique_ptr<std::byte[]>> blocks_;
    std::size_t used_ = 0, room_ = 0, next_ = 2048, bytes_ = 0;
};

} // namespace lockstep
