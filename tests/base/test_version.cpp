// Versions are read and ordered as Helm does it; the cases follow the published behaviour of Masterminds/semver.
#include "base/semver.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

std::string shown(const Version& v) {
    std::string text = std::to_string(v.major) + '.' + std::to_string(v.minor) + '.' + std::to_string(v.patch);
    if (!v.prerelease.empty()) text += '-' + v.prerelease;
    if (!v.build.empty()) text += '+' + v.build;
    return text;
}

} // namespace

TEST_CASE("versions are read, with a v and missing parts") {
    const std::pair<std::string, std::string> cases[] = {
        {"1.2.3", "1.2.3"},
        {"v1.2.3", "1.2.3"},
        {"1.0", "1.0.0"},
        {"v1.0", "1.0.0"},
        {"1", "1.0.0"},
        {"v1", "1.0.0"},
        {"1.2-5", "1.2.0-5"},
        {"v1.2-beta.5", "1.2.0-beta.5"},
        {"1.2.0-x.Y.0+metadata", "1.2.0-x.Y.0+metadata"},
        {"v1.2.0-x.Y.0+metadata-width-hyphen", "1.2.0-x.Y.0+metadata-width-hyphen"},
        {"1.2.3-rc1-with-hyphen", "1.2.3-rc1-with-hyphen"},
        {"1.2.3+test.01", "1.2.3+test.01"},
        {"1.2.3-alpha.-1", "1.2.3-alpha.-1"},
        {"1.2.2147483648", "1.2.2147483648"},
        {"20221209-update-renovatejson-v4", "20221209.0.0-update-renovatejson-v4"},
        {"18446744073709551615.0.0", "18446744073709551615.0.0"},
        {"2024.01.05", "2024.1.5"},
        {"1.2.3+a-b", "1.2.3+a-b"},
        {"1+b", "1.0.0+b"},
    };
    for (const auto& c : cases) {
        const std::string &text = c.first, &expected = c.second;
        CAPTURE(text);
        const auto version = parse_version(text);
        REQUIRE(version);
        CHECK(shown(*version) == expected);
    }
}

TEST_CASE("what is no version is refused") {
    for (const std::string& text : std::vector<std::string>{"",
                                                            "v",
                                                            "foo",
                                                            "1.2.beta",
                                                            "v1.2.beta",
                                                            "\n1.2",
                                                            " 1.2.3",
                                                            "1.2.3 ",
                                                            "1.2.3.4",
                                                            "1..3",
                                                            "1.2.",
                                                            ".1.2",
                                                            "1.2.3-",
                                                            "1.2.3+",
                                                            "1.2.3-a.",
                                                            "1.2.3-a..b",
                                                            "1.2.3-alpha.01",
                                                            "1.2.3-ä",
                                                            "1.2.3+a+b",
                                                            "V1.2.3",
                                                            "vv1",
                                                            "-1.2.3",
                                                            "+1.2.3",
                                                            "1.-2.3",
                                                            "1.x",
                                                            "latest",
                                                            "18446744073709551616.0.0",
                                                            "1.99999999999999999999999.0",
                                                            "1.2.3+",
                                                            "0x1.2.3",
                                                            "1,2"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_version(text));
    }
}

TEST_CASE("versions are ordered") {
    struct Case {
        std::string a, b;
        int expected;
    };
    const Case cases[] = {
        {"1.2.3", "1.5.1", -1},
        {"2.2.3", "1.5.1", 1},
        {"2.2.3", "2.2.2", 1},
        {"1.9.0", "1.10.0", -1},
        {"3.2-beta", "3.2-beta", 0},
        {"1.3", "1.1.4", 1},
        {"4.2", "4.2-beta", 1},
        {"4.2-beta", "4.2", -1},
        {"4.2-alpha", "4.2-beta", -1},
        {"4.2-beta.2", "4.2-beta.1", 1},
        {"4.2-beta2", "4.2-beta1", 1},
        {"4.2-beta", "4.2-beta.2", -1},
        {"4.2-beta", "4.2-beta.foo", -1},
        {"4.2-beta.2", "4.2-beta", 1},
        {"1.2+bar", "1.2+baz", 0},
        {"v1.2", "1.2.0", 0},
        {"1.0.0-beta.4", "1.0.0-beta.-2", -1},
        {"1.0.0-beta.-2", "1.0.0-beta.-3", -1},
        {"1.0.0-beta.-3", "1.0.0-beta.5", 1},
        {"7.43.0-SNAPSHOT.99", "7.43.0-SNAPSHOT.103", -1},
        {"7.43.0-SNAPSHOT.FOO", "7.43.0-SNAPSHOT.103", 1},
        {"7.43.0-SNAPSHOT.99", "7.43.0-SNAPSHOT.BAR", -1},
        {"1.0.0-99999999999999999999", "1.0.0-5", 1},
        {"18446744073709551615.0.0", "9.0.0", 1},
    };
    for (const Case& c : cases) {
        CAPTURE(c.a);
        CAPTURE(c.b);
        CHECK(compare(*parse_version(c.a), *parse_version(c.b)) == c.expected);
        CHECK(compare(*parse_version(c.b), *parse_version(c.a)) == -c.expected);
    }
}
