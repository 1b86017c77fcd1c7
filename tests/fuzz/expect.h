// What every fuzz target says about its answers: expect(), which stops the run with the line that did not hold.
#pragma once
#include "base/span.h"
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace lockstep {

#define EXPECT(condition) ::lockstep::expect((condition), #condition, __FILE__, __LINE__)

inline void expect(bool holds, const char* what, const char* file, int line) {
    if (holds) return;
    std::fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
    std::abort(); // libFuzzer writes the input to a file
}

inline bool is_inside(Span span, std::string_view text) {
    return span.begin <= span.end && span.end <= text.size();
}

inline std::string_view as_text(const unsigned char* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

} // namespace lockstep
