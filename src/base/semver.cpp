// Reads one version and puts versions in order; ranges are in semver_range.cpp.
#include "base/semver.h"
#include <algorithm>
#include <charconv>

namespace lockstep {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_number(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

bool is_identifier(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
    });
}

std::optional<std::uint64_t> number(std::string_view text) {
    std::uint64_t value = 0;
    if (!is_number(text)) return std::nullopt;
    if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc{}) return std::nullopt;
    return value;
}

// Takes the piece up to the next dot from the front of `rest`; an empty rest that is not the end is an empty piece.
std::string_view take_piece(std::string_view& rest, bool& more) {
    const std::size_t dot = rest.find('.');
    more = dot != std::string_view::npos;
    const std::string_view piece = rest.substr(0, dot);
    rest = more ? rest.substr(dot + 1) : std::string_view{};
    return piece;
}

bool are_identifiers(std::string_view text, bool leading_zeros) {
    for (bool more = true; more;) {
        const std::string_view piece = take_piece(text, more);
        if (!is_identifier(piece)) return false;
        if (!leading_zeros && piece.size() > 1 && piece[0] == '0' && is_number(piece)) return false;
    }
    return true;
}

template <class T> int order(const T& a, const T& b) {
    return a < b ? -1 : (b < a ? 1 : 0);
}

int compare_identifiers(std::string_view a, std::string_view b) {
    const auto x = number(a), y = number(b);
    if (x && y) return order(*x, *y);
    if (x || y) return x ? -1 : 1; // numbers are before words
    return order(a, b);
}

int compare_prereleases(std::string_view a, std::string_view b) {
    if (a.empty() || b.empty()) return order(a.empty(), b.empty()); // a release is higher than its pre-releases
    for (bool more_a = true, more_b = true; more_a || more_b;) {
        if (!more_a || !more_b) return more_a ? 1 : -1;
        const std::string_view left = take_piece(a, more_a), right = take_piece(b, more_b);
        if (const int result = compare_identifiers(left, right)) return result;
    }
    return 0;
}

} // namespace

std::optional<Version> parse_version(std::string_view text) {
    if (text.starts_with('v')) text.remove_prefix(1);
    Version version;
    if (const std::size_t plus = text.find('+'); plus != std::string_view::npos) {
        version.build = text.substr(plus + 1);
        if (!are_identifiers(version.build, true)) return std::nullopt;
        text = text.substr(0, plus);
    }
    if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
        version.prerelease = text.substr(dash + 1);
        if (!are_identifiers(version.prerelease, false)) return std::nullopt;
        text = text.substr(0, dash);
    }
    bool more = true;
    for (std::uint64_t* part : {&version.major, &version.minor, &version.patch}) {
        if (!more) break;
        // Leading zeros are taken here (2024.01.05 is 2024.1.5), as NewVersion does.
        const auto value = number(take_piece(text, more));
        if (!value) return std::nullopt;
        *part = *value;
    }
    if (more) return std::nullopt;
    return version;
}

int compare(const Version& a, const Version& b) {
    if (const int result = order(a.major, b.major)) return result;
    if (const int result = order(a.minor, b.minor)) return result;
    if (const int result = order(a.patch, b.patch)) return result;
    return compare_prereleases(a.prerelease, b.prerelease);
}

} // namespace lockstep
