// Memory of one rendering: values, template trees and texts are handed out here and freed together at its end. So a
// value is a plain copyable struct, and a map that holds itself leaks nothing.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>
#include <type_traits>
#include <vector>

namespace lockstep {

class ValueArena {
public:
    explicit ValueArena(std::size_t most = most_memory, std::size_t work = most_work) : most_(most), left_(work) {}
    static constexpr std::size_t most_memory = std::size_t{96} << 20, most_work = std::size_t{64} << 20;
    ValueArena(const ValueArena&) = delete;
    ValueArena& operator=(const ValueArena&) = delete;

    void* allocate(std::size_t size, std::size_t align) {
        std::size_t at = (used_ + align - 1) & ~(align - 1);
        if (at + size > room_) {
            room_ = size > block_size / 4 ? size : block_size;
            blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(room_ + align));
            const auto address = reinterpret_cast<std::uintptr_t>(blocks_.back().get());
            start_ = blocks_.back().get() + (((address + align - 1) & ~(align - 1)) - address);
            at = 0;
        }
        used_ = at + size;
        total_ += size;
        return start_ + at;
    }
    template <class T> T* array(std::size_t count) {
        static_assert(std::is_trivially_destructible_v<T>);
        return static_cast<T*>(allocate(count * sizeof(T), alignof(T)));
    }
    template <class T, class... Args> T* make(Args&&... args) {
        static_assert(std::is_trivially_destructible_v<T>);
        return new (allocate(sizeof(T), alignof(T))) T{std::forward<Args>(args)...};
    }
    std::string_view copy(std::string_view text) {
        if (text.empty()) return "";
        char* bytes = array<char>(text.size());
        std::memcpy(bytes, text.data(), text.size());
        return {bytes, text.size()};
    }
    // A text that is put together elsewhere would fit; where not, the arena is exhausted.
    bool has_room(std::size_t size) {
        if (total_ + size > most_) total_ = most_ + 1;
        return !exhausted();
    }
    // Work of functions: bytes and values that they look at. False: one rendering may do no more.
    bool spend(std::size_t work) {
        left_ = work < left_ ? left_ - work : 0;
        return left_ > 0;
    }
    bool overworked() const { return left_ == 0; }
    // More was taken or done than one rendering may: whoever runs it stops at the next step.
    bool exhausted() const { return total_ > most_ || left_ == 0; }
    std::size_t total() const { return total_; }

private:
    static constexpr std::size_t block_size = std::size_t{256} << 10;
    std::vector<std::unique_ptr<std::byte[]>> blocks_;
    std::byte* start_ = nullptr;
    std::size_t used_ = 0, room_ = 0, total_ = 0, most_, left_;
};

} // namespace lockstep
