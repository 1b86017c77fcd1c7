// RE2 behind a small face: patterns of rules, checked when the rule is loaded, and Go's patterns in templates.
#pragma once
#include "base/result.h"
#include "base/span.h"
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace re2 {
class RE2;
}

namespace lockstep {

// What one compiled pattern may take; SECURITY.md names both. Of patterns that are in what is linted, as targets of
// patches, there may be many thousands.
inline constexpr std::int64_t rule_pattern_memory = 8 << 20, linted_pattern_memory = 128 << 10;

// `^` and `$` are line ends.
class Pattern {
public:
    static Result<Pattern> compile(std::string_view text, std::int64_t most_memory = rule_pattern_memory);

    struct Hit {
        Span whole;
        std::vector<std::optional<Span>> groups; // in the order of names()
    };
    // First hit at or behind `from`; spans count from the start of `text`.
    std::optional<Hit> search(std::string_view text, std::size_t from = 0) const;
    bool occurs_in(std::string_view text) const;
    const std::vector<std::string>& names() const { return names_; } // named groups, in their order
    const std::string& text() const { return text_; }

private:
    std::shared_ptr<const re2::RE2> re_;
    std::vector<std::string> names_;
    std::vector<int> numbers_;
    std::string text_;
};

// A pattern as Go's regexp package takes it: `^` and `$` are the text's ends, groups go by number and by name.
class GoPattern {
public:
    // An error has Go's words: missing closing ]: `[`
    static Result<GoPattern> compile(std::string_view text);
    using Groups = std::vector<std::optional<Span>>; // 0 is the whole match
    std::optional<Groups> search(std::string_view text, std::size_t from = 0) const;
    // All matches as FindAll gives them; at most `most` unless it is negative.
    std::vector<Groups> search_all(std::string_view text, std::int64_t most) const;
    std::optional<std::size_t> group(std::string_view name) const;
    std::size_t size() const; // of its automaton

private:
    std::shared_ptr<const re2::RE2> re_;
};

} // namespace lockstep
