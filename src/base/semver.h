// Versions and ranges as Helm reads them (the semantics of Masterminds/semver 3.4).
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

struct Version {
    std::uint64_t major = 0, minor = 0, patch = 0;
    std::string prerelease; // without '-'
    std::string build;      // without '+'; no part of the order
};

// Takes a leading `v` and missing minor or patch parts, as Masterminds' NewVersion does; surrounding blanks are not
// taken. Leading zeros are taken in these three parts and refused in a pre-release; a part above 64 bits is refused.
std::optional<Version> parse_version(std::string_view text);
// -1, 0, 1 in semver order: a pre-release is lower than its release, the build part does not count.
int compare(const Version& a, const Version& b);

// A constraint such as `^1.2`, `~1.2.3`, `>=1 <2`, `1.x`, `1.2 - 1.4`, `>1 || 0.9.*`. A pre-release is in a range only
// when a term of the same `and` group names one (`>=1.0.0-0 <2`). The empty text is no range.
class Range {
public:
    static std::optional<Range> parse(std::string_view text);
    bool contains(const Version& version) const;
    bool is_exact() const; // names one version only (`1.2.3`, `=v1.2.3`): a pin, not a range
    // The highest version in each side of `||` that has one: what is taken when all of them exist.
    std::vector<Version> highest() const;

private:
    struct Term {
        enum class Op : std::uint8_t { equal, not_equal, less, less_equal, greater, greater_equal, tilde, caret } op;
        Version version;
        bool minor_any = false, patch_any = false, any = false; // `1.x`, `1.2.x`, `*`
    };
    static bool parse_term(std::string_view text, Term& term);
    static std::optional<std::vector<Term>> parse_group(std::string_view text);
    static bool holds(const Term& term, const Version& version);
    static bool hold(const std::vector<Term>& terms, const Version& version);
    std::vector<std::vector<Term>> alternatives_; // or of ands
};

} // namespace lockstep
