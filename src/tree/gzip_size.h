// How large bytes would be as gzip, told while they come: for limits that count compressed bytes.
#pragma once
#include <cstddef>
#include <memory>
#include <string_view>

namespace lockstep {

class GzipSize {
public:
    GzipSize();
    ~GzipSize();
    GzipSize(const GzipSize&) = delete;
    GzipSize& operator=(const GzipSize&) = delete;

    void add(std::string_view bytes);
    // Never too small by more than what zlib holds back, less than 256 KB; too large, since it takes the quick way.
    std::size_t size() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace lockstep
