// Gzip data as a stream of bytes, expanded only as far as it is asked for: a bomb costs no more than the reader takes.
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace lockstep {

class GzipStream {
public:
    // `bytes` must outlive the stream. It may hold several gzip members behind each other; they read as one.
    explicit GzipStream(std::string_view bytes);
    ~GzipStream();
    GzipStream(const GzipStream&) = delete;
    GzipStream& operator=(const GzipStream&) = delete;

    // Fills up to `size` bytes and says how many; fewer only at the end or when error() is not empty.
    std::size_t read(char* out, std::size_t size);
    const std::string& error() const { return error_; }

private:
    void next_member();
    struct State;
    std::unique_ptr<State> state_;
    std::string error_;
    bool finished_ = false;
};

} // namespace lockstep
