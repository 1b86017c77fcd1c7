// A line as a range, the next one as a version: what is printed reads as itself, the order is one, `||` means or.
#include "base/semver.h"
#include "expect.h"

using namespace lockstep;

namespace {

std::string print(const Version& version) {
    std::string text =
        std::to_string(version.major) + '.' + std::to_string(version.minor) + '.' + std::to_string(version.patch);
    if (!version.prerelease.empty()) text += '-' + version.prerelease;
    if (!version.build.empty()) text += '+' + version.build;
    return text;
}

void check_version(const Version& version) {
    const auto again = parse_version(print(version));
    EXPECT(again && compare(*again, version) == 0 && print(*again) == print(version));
    const auto exact = Range::parse(print(version));
    EXPECT(exact && exact->is_exact() && exact->contains(version));
    const auto least = Range::parse(">=" + print(version));
    EXPECT(least && least->contains(version));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    const std::string_view text = as_text(data, size);
    const std::size_t end = std::min(text.find('\n'), size);
    const std::string_view one = text.substr(0, end), other = text.substr(std::min(end + 1, size));
    const auto a = parse_version(one), b = parse_version(other);
    if (a) check_version(*a);
    if (b) check_version(*b);
    if (a && b) EXPECT(compare(*a, *b) == -compare(*b, *a));
    const auto range = Range::parse(one);
    if (range)
        for (const Version& top : range->highest())
            EXPECT(range->contains(top));
    if (!range || !b) return 0;
    const auto either = Range::parse(std::string(one) + " || " + print(*b));
    EXPECT(either && either->contains(*b) && !either->is_exact());
    const auto twice = Range::parse(std::string(one) + "||" + std::string(one));
    EXPECT(twice && twice->contains(*b) == range->contains(*b));
    return 0;
}
