// One pattern of an ignore file, without its `!`, leading and trailing `/`: git's wildmatch, quirks included, in
// polynomial time.
#pragma once
#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

class WildPattern {
public:
    explicit WildPattern(std::string_view pattern);
    bool matches(std::string_view text) const;

private:
    enum class Kind : std::uint8_t {
        literal,
        any,       // `?`: one byte, not `/`
        set,       // `[...]`: one byte, not `/`
        star,      // any bytes, no `/`
        deep,      // `**` before `/`: nothing, or any bytes up to and with a `/`
        deep_some, // the same, but not nothing (git reads `**\/` so)
        rest,      // `**` at the end: all that is left
    };
    struct Token {
        Kind kind;
        char literal = 0;
        std::uint32_t set = 0;
    };
    using Set = std::bitset<256>;

    void compile(std::string_view pattern);
    std::size_t compile_stars(std::string_view pattern, std::size_t at);
    std::size_t compile_set(std::string_view pattern, std::size_t at);
    bool accepts(const Token& token, char c) const;
    bool run(std::string_view text) const;
    std::size_t next_start(std::string_view text, std::size_t token, std::size_t from) const;

    std::string prefix_; // what is before the first wildcard
    std::vector<Token> tokens_;
    std::vector<Set> sets_;
    std::string suffix_;       // for `*suffix`, which most patterns are
    bool suffix_only_ = false; // tokens_ is a star and suffix_
    bool well_formed_ = true;  // a pattern with an unclosed `[` or a last `\` matches nothing
};

} // namespace lockstep
