// The only file that knows RE2.
#include "base/pattern.h"
#include <re2/re2.h>

namespace lockstep {

Result<Pattern> Pattern::compile(std::string_view text, std::int64_t most_memory) {
    re2::RE2::Options options;
    // Beyond it a pattern does not compile. One that compiles and runs out of it while matching is no failure: RE2 then
    // takes its other machine, which is slower and needs no more memory. So false is always «no match».
    options.set_max_mem(most_memory);
    options.set_log_errors(false);
    Pattern pattern;
    pattern.text_ = text;
    auto re = std::make_shared<re2::RE2>("(?m)" + pattern.text_, options);
    if (!re->ok()) {
        const bool group = pattern.text_.find("(?<") != std::string::npos;
        const bool look =
            pattern.text_.find("(?=") != std::string::npos || pattern.text_.find("(?!") != std::string::npos;
        return Error{"pattern does not compile: " + re->error(),
                     {},
                     {0, 0},
                     group ? "a named group is written (?P<name>…); there is no looking behind"
                     : re->error_code() == re2::RE2::ErrorPatternTooLarge
                         ? "a compiled pattern may have 8 MiB: repeat less, or write several"
                     : look ? "RE2 has no looking ahead; match what is there"
                            : ""};
    }
    for (const auto& [number, name] : re->CapturingGroupNames()) {
        pattern.numbers_.push_back(number);
        pattern.names_.push_back(name);
    }
    pattern.re_ = std::move(re);
    return pattern;
}

std::optional<Pattern::Hit> Pattern::search(std::string_view text, std::size_t from) const {
    const auto groups = static_cast<std::size_t>(re_->NumberOfCapturingGroups()) + 1;
    std::vector<re2::StringPiece> found(groups);
    const re2::StringPiece input(text.data(), text.size());
    if (from > text.size() ||
        !re_->Match(input, from, text.size(), re2::RE2::UNANCHORED, found.data(), static_cast<int>(groups)))
        return std::nullopt;
    auto span = [&](const re2::StringPiece& piece) {
        const auto begin = static_cast<std::uint32_t>(piece.data() - text.data());
        return Span{begin, begin + static_cast<std::uint32_t>(piece.size())};
    };
    Hit hit{span(found[0]), {}};
    for (int number : numbers_) {
        const auto& piece = found[static_cast<std::size_t>(number)];
        hit.groups.push_back(piece.data() ? std::optional(span(piece)) : std::nullopt);
    }
    return hit;
}

bool Pattern::occurs_in(std::string_view text) const {
    return re_->Match(re2::StringPiece(text.data(), text.size()), 0, text.size(), re2::RE2::UNANCHORED, nullptr, 0);
}

} // namespace lockstep
