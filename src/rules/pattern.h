// RE2 behind a small face: patterns of rules, checked when the rule is loaded. `^` and `$` are line ends.
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

class Pattern {
public:
    static Result<Pattern> compile(std::string_view text);

    struct Hit {
        Span whole;
        std::vector<std::optional<Span>> groups; // in the order of names()
    };
    // First hit at or behind `from`; spans count from the start of `text`.
    std::optional<Hit> search(std::string_view text, std::size_t from = 0) const;
    bool occurs_in(std::string_view text) const;
    const std::vector<std::string>& names() const { return names_; } // named groups, in the order they stand
    const std::string& text() const { return text_; }

private:
    std::shared_ptr<const re2::RE2> re_;
    std::vector<std::string> names_;
    std::vector<int> numbers_;
    std::string text_;
};

} // namespace lockstep
