// Reads Helm's version ranges and says which versions are in them. The odd corners (`^*`, `<=*`) are those of
// Masterminds/semver 3.4, because the cluster will decide by them.
#include "base/semver.h"
#include <algorithm>
#include <array>
#include <utility>

namespace lockstep {

namespace {

constexpr std::string_view blanks = " \t\n\f\r";

void skip_blanks(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
}

std::string_view take_word(std::string_view& text) {
    const std::string_view word = text.substr(0, text.find_first_of(" \t\n\f\r,"));
    text.remove_prefix(word.size());
    return word;
}

bool is_wildcard(std::string_view part) {
    return part == "x" || part == "X" || part == "*";
}

// `1.2 - 1.4`: the hyphen stands alone between blanks, otherwise it starts a pre-release.
bool take_hyphen(std::string_view& text) {
    std::string_view rest = text;
    skip_blanks(rest);
    if (rest.size() == text.size() || !rest.starts_with('-')) return false;
    rest.remove_prefix(1);
    if (rest.empty() || blanks.find(rest[0]) == std::string_view::npos) return false;
    skip_blanks(rest);
    text = rest;
    return true;
}

} // namespace

// Reads the version of a term, where parts may be missing or wildcards; what follows a wildcard does not count.
bool Range::parse_term(std::string_view text, Term& term) {
    if (text.starts_with('v')) text.remove_prefix(1);
    const std::size_t core_end = std::min(text.find_first_of("-+"), text.size());
    const std::string_view core = text.substr(0, core_end);
    if (core.empty() || core.find_first_not_of("0123456789xX*.") != std::string_view::npos) return false;

    std::array<std::string_view, 3> parts;
    std::size_t count = 0;
    for (std::size_t begin = 0; begin <= core.size(); ++count) {
        const std::size_t end = std::min(core.find('.', begin), core.size());
        if (count == parts.size() || end == begin) return false;
        parts[count] = core.substr(begin, end - begin);
        begin = end + 1;
    }

    std::string full;
    if (is_wildcard(parts[0])) {
        term.any = true;
        full = "0.0.0";
    } else if (count < 2 || is_wildcard(parts[1])) {
        term.minor_any = true;
        full = std::string(parts[0]) + ".0.0";
    } else if (count < 3 || is_wildcard(parts[2])) {
        term.patch_any = true;
        full = std::string(parts[0]) + '.' + std::string(parts[1]) + ".0";
    } else {
        full = core;
    }
    auto version = parse_version(full.append(text.substr(core_end)));
    if (!version) return false;
    term.version = *std::move(version);
    return true;
}

std::optional<std::vector<Range::Term>> Range::parse_group(std::string_view text) {
    using Op = Term::Op;
    static constexpr std::array<std::pair<std::string_view, Op>, 11> operators = {{
        {"!=", Op::not_equal}, // two characters before one
        {">=", Op::greater_equal},
        {"=>", Op::greater_equal},
        {"<=", Op::less_equal},
        {"=<", Op::less_equal},
        {"~>", Op::tilde},
        {"=", Op::equal},
        {">", Op::greater},
        {"<", Op::less},
        {"~", Op::tilde},
        {"^", Op::caret},
    }};

    std::vector<Term> terms;
    for (bool after_comma = true, after_hyphen = false;;) {
        skip_blanks(text);
        Term term{Op::equal, {}};
        const auto* found = std::find_if(operators.begin(), operators.end(),
                                         [&](const auto& entry) { return text.starts_with(entry.first); });
        const bool plain = found == operators.end();
        if (!plain) {
            term.op = found->second;
            text.remove_prefix(found->first.size());
            skip_blanks(text);
        }
        if (!parse_term(take_word(text), term)) return std::nullopt;

        const bool hyphen = plain && take_hyphen(text);
        if (hyphen) {
            // Masterminds takes `>1, 2 - 3` and refuses `>1 2 - 3`.
            if (!after_comma && !after_hyphen) return std::nullopt;
            Term upper{Op::less_equal, {}};
            if (!parse_term(take_word(text), upper)) return std::nullopt;
            term.op = Op::greater_equal;
            terms.push_back(std::move(term));
            terms.push_back(std::move(upper));
        } else {
            terms.push_back(std::move(term));
        }

        skip_blanks(text);
        if (text.empty()) return terms;
        after_hyphen = hyphen;
        after_comma = text.starts_with(',');
        if (after_comma) text.remove_prefix(1);
    }
}

std::optional<Range> Range::parse(std::string_view text) {
    Range range;
    for (;;) {
        const std::size_t bar = text.find("||");
        auto terms = parse_group(text.substr(0, bar));
        if (!terms) return std::nullopt;
        range.alternatives_.push_back(*std::move(terms));
        if (bar == std::string_view::npos) return range;
        text.remove_prefix(bar + 2);
    }
}

bool Range::is_exact() const {
    if (alternatives_.size() != 1 || alternatives_[0].size() != 1) return false;
    const Term& term = alternatives_[0][0];
    return term.op == Term::Op::equal && !term.any && !term.minor_any && !term.patch_any;
}

bool Range::contains(const Version& version) const {
    return std::any_of(alternatives_.begin(), alternatives_.end(),
                       [&](const std::vector<Term>& terms) { return hold(terms, version); });
}

bool Range::hold(const std::vector<Term>& terms, const Version& version) {
    // One term that names a pre-release opens its whole group, and no other group, to pre-releases.
    if (!version.prerelease.empty() &&
        std::none_of(terms.begin(), terms.end(), [](const Term& term) { return !term.version.prerelease.empty(); }))
        return false;
    return std::all_of(terms.begin(), terms.end(), [&](const Term& term) { return holds(term, version); });
}

std::vector<Version> Range::highest() const {
    constexpr std::uint64_t any = 1'000'000'000; // nobody releases so often
    std::vector<Version> found;
    for (const std::vector<Term>& terms : alternatives_) {
        // The end of a group is beside the bound of one of its terms, or there is none.
        std::vector<Version> tried = {{any, any, any, {}, {}}};
        for (const Term& term : terms) {
            const Version& v = term.version;
            tried.push_back(v);
            tried.push_back({v.major, v.minor, any, {}, {}});
            tried.push_back({v.major, any, any, {}, {}});
            if (v.patch > 0) tried.push_back({v.major, v.minor, v.patch - 1, {}, {}});
            if (v.minor > 0) tried.push_back({v.major, v.minor - 1, any, {}, {}});
            if (v.major > 0) tried.push_back({v.major - 1, any, any, {}, {}});
        }
        const Version* best = nullptr;
        for (const Version& one : tried)
            if (hold(terms, one) && (!best || compare(one, *best) > 0)) best = &one;
        if (best) found.push_back(*best);
    }
    return found;
}

bool Range::holds(const Term& term, const Version& version) {
    using Op = Term::Op;
    const Version& bound = term.version;
    const int order = compare(version, bound);
    const bool open = term.any || term.minor_any || term.patch_any;
    const bool same_major = version.major == bound.major;
    const bool same_minor = same_major && version.minor == bound.minor;
    const bool zero = bound.major == 0 && bound.minor == 0 && bound.patch == 0;

    switch (term.op) {
    case Op::equal:
        if (!open) return order == 0;
        [[fallthrough]];
    case Op::tilde:
        if (order < 0) return false;
        if (zero && !term.minor_any && !term.patch_any) return true; // `*` and, oddly, `~0.0.0`
        return term.minor_any ? same_major : same_minor;
    case Op::not_equal:
        if (term.minor_any) return !same_major;
        if (term.patch_any) return !same_minor || version.prerelease != bound.prerelease;
        return order != 0;
    case Op::less:
        return order < 0;
    case Op::less_equal:
        if (!open) return order <= 0;
        if (!same_major) return version.major < bound.major;
        return term.minor_any || version.minor <= bound.minor;
    case Op::greater:
        if (term.minor_any) return version.major > bound.major;
        if (term.patch_any) return same_major ? version.minor > bound.minor : version.major > bound.major;
        return order > 0;
    case Op::greater_equal:
        return order >= 0;
    case Op::caret:
        if (order < 0 || !same_major) return false;
        if (bound.major > 0 || term.minor_any) return true;
        if (bound.minor > 0 || term.patch_any) return same_minor;
        return same_minor && version.patch == bound.patch;
    }
    return false;
}

} // namespace lockstep
