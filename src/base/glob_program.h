// A path pattern between its text and its use: steps that only ever go forward. Internal to the glob_*.cpp files and
// their test.
#pragma once
#include "base/result.h"
#include "base/utf8.h"
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

struct GlobStep {
    enum class Kind : std::uint8_t {
        literal,    // text[begin, end)
        character,  // one character, no slash
        set,        // one character of ranges[begin, end), no slash
        in_segment, // characters of one segment: `*`, `{name}`
        across,     // characters of any kind: `**`, `{name**}` at the end
        folders,    // whole segments with their slashes, or nothing: `**/`, `{name**}/`
        split,      // goes on at each of targets[begin, end)
        jump,       // goes on at step `begin`
        end,
    };
    Kind kind = Kind::end;
    bool negated = false;   // set
    bool not_empty = false; // in_segment, across
    int capture = -1;       // index into names
    std::uint32_t begin = 0, end = 0;
    // What the steps behind this one take, where every way through them takes the same; -1 where not. With these most
    // wildcards have one possible end only and nothing is tried in vain.
    int bytes_behind = -1, slashes_behind = -1;
    int next_byte = -1; // what the step behind this one starts with, where that is a literal
};

struct GlobRange {
    std::uint32_t first = 0, last = 0; // code points
};

struct GlobProgram {
    std::vector<GlobStep> steps;
    std::string text;
    std::vector<GlobRange> ranges;
    std::vector<std::uint32_t> targets;
    std::vector<std::string> names;
    std::vector<bool> repeated; // per name: it is in the pattern more than once

    // Every path that fits starts with `prefix`, has `middle` in it and ends with one of `suffixes`; when
    // `only_suffixes`, it is one of them. When `ends_decide`, every path with such ends fits.
    std::string prefix, middle;
    std::vector<std::string> suffixes;
    bool only_suffixes = false, ends_decide = false;
};

struct GlobSpan {
    std::size_t begin = std::string_view::npos, end = std::string_view::npos;
};

Result<GlobProgram> compile_glob(std::string_view pattern);
// Fills in what the steps tell about the paths that fit; the steps are complete.
void measure_glob(GlobProgram& program);
// Adds the number of attempts to `work`. Fills `captures`, one per name, on a match.
bool run_glob(const GlobProgram& program, std::string_view path, std::vector<GlobSpan>& captures, std::size_t& work);

} // namespace lockstep
