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
                     group ? "a named group is written (?P<name>…); lookbehind is not supported"
                     : re->error_code() == re2::RE2::ErrorPatternTooLarge
                         ? "a compiled pattern may take 8 MiB: repeat less, or write several"
                     : look ? "RE2 has no lookahead; match what is there"
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

namespace {

std::string go_complaint(const re2::RE2& re) {
    const std::string shown = ": `" + re.error_arg() + "`";
    switch (re.error_code()) {
    case re2::RE2::ErrorBadEscape:
        return "invalid escape sequence" + shown;
    case re2::RE2::ErrorBadCharRange:
        return "invalid character class range" + shown;
    case re2::RE2::ErrorBadCharClass:
        return "invalid character class" + shown;
    case re2::RE2::ErrorMissingBracket:
        return "missing closing ]" + shown;
    case re2::RE2::ErrorMissingParen:
        return "missing closing )" + shown;
    case re2::RE2::ErrorUnexpectedParen:
        return "unexpected )" + shown;
    case re2::RE2::ErrorTrailingBackslash:
        return "trailing backslash at end of expression: ``";
    case re2::RE2::ErrorRepeatArgument:
        return "missing argument to repetition operator" + shown;
    case re2::RE2::ErrorRepeatSize:
        return "invalid repeat count" + shown;
    case re2::RE2::ErrorRepeatOp:
        return "invalid nested repetition operator" + shown;
    case re2::RE2::ErrorBadPerlOp:
        return "invalid or unsupported Perl syntax" + shown;
    case re2::RE2::ErrorBadNamedCapture:
        return "invalid named capture" + shown;
    case re2::RE2::ErrorBadUTF8:
        return "invalid UTF-8" + shown;
    default:
        return "expression too large" + shown;
    }
}

} // namespace

Result<GoPattern> GoPattern::compile(std::string_view text) {
    re2::RE2::Options options;
    options.set_max_mem(linted_pattern_memory * 8);
    options.set_log_errors(false);
    std::string rewritten(text); // Go 1.22 and later take (?<name>…)
    for (std::size_t at = rewritten.find("(?<"); at != std::string::npos; at = rewritten.find("(?<", at + 3))
        if (at + 3 < rewritten.size() && rewritten[at + 3] != '=' && rewritten[at + 3] != '!' &&
            (at == 0 || rewritten[at - 1] != '\\'))
            rewritten.insert(at + 2, "P");
    GoPattern pattern;
    auto re = std::make_shared<re2::RE2>(rewritten, options);
    if (!re->ok()) return Error{go_complaint(*re)};
    pattern.re_ = std::move(re);
    return pattern;
}

std::optional<GoPattern::Groups> GoPattern::search(std::string_view text, std::size_t from) const {
    const auto count = static_cast<std::size_t>(re_->NumberOfCapturingGroups()) + 1;
    std::vector<re2::StringPiece> found(count);
    if (text.data() == nullptr) text = "";
    if (from > text.size() || !re_->Match(re2::StringPiece(text.data(), text.size()), from, text.size(),
                                          re2::RE2::UNANCHORED, found.data(), static_cast<int>(count)))
        return std::nullopt;
    Groups groups;
    for (const re2::StringPiece& piece : found) {
        if (piece.data() == nullptr) {
            groups.push_back(std::nullopt);
            continue;
        }
        const auto begin = static_cast<std::uint32_t>(piece.data() - text.data());
        groups.push_back(Span{begin, begin + static_cast<std::uint32_t>(piece.size())});
    }
    return groups;
}

std::vector<GoPattern::Groups> GoPattern::search_all(std::string_view text, std::int64_t most) const {
    std::vector<Groups> all;
    std::int64_t last_end = -1;
    for (std::size_t at = 0; at <= text.size() && (most < 0 || static_cast<std::int64_t>(all.size()) < most);) {
        const auto groups = search(text, at);
        if (!groups) break;
        const Span whole = *(*groups)[0];
        bool accepted = true;
        if (whole.end == at) { // empty, here
            accepted = static_cast<std::int64_t>(whole.begin) != last_end;
            ++at;
            while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80U)
                ++at;
        } else {
            at = whole.end;
        }
        last_end = whole.end;
        if (accepted) all.push_back(*groups);
    }
    return all;
}

std::size_t GoPattern::size() const {
    return static_cast<std::size_t>(re_->ProgramSize());
}

std::optional<std::size_t> GoPattern::group(std::string_view name) const {
    const auto& names = re_->NamedCapturingGroups();
    const auto found = names.find(std::string(name));
    if (found == names.end()) return std::nullopt;
    return static_cast<std::size_t>(found->second);
}

} // namespace lockstep
