// No pattern is slow: attempts are counted, because clocks lie on busy machines. A plain and slow matcher is the
// second opinion on what fits.
#include "base/glob.h"
#include "base/glob_program.h"
#include <doctest/doctest.h>
#include <random>

using namespace lockstep;

namespace {

std::size_t work(std::string_view pattern, std::string_view path) {
    auto program = compile_glob(pattern);
    REQUIRE(program);
    std::vector<GlobSpan> captures;
    std::size_t result = 0;
    run_glob(*program, path, captures, result);
    return result;
}

// Literals, `*`, `?`, `**`, `**/` and `{name}`: every way is tried.
bool plain(std::string_view pattern, std::string_view path, bool fresh) {
    if (pattern.empty()) return path.empty();
    if (fresh && pattern.starts_with("**/")) {
        if (plain(pattern.substr(3), path, true)) return true;
        for (std::size_t i = 0; i < path.size(); ++i)
            if (path[i] == '/' && plain(pattern.substr(3), path.substr(i + 1), true)) return true;
        return false;
    }
    if (pattern[0] == '*' || pattern[0] == '{') {
        const bool cross = pattern.starts_with("**");
        const std::size_t skip =
            pattern[0] == '{' ? pattern.find('}') + 1 : std::min(pattern.find_first_not_of('*'), pattern.size());
        for (std::size_t i = 0;; ++i) {
            if ((pattern[0] == '*' || i > 0) && plain(pattern.substr(skip), path.substr(i), false)) return true;
            if (i == path.size() || (!cross && path[i] == '/')) return false;
        }
    }
    if (path.empty() || (pattern[0] == '?' ? path[0] == '/' : path[0] != pattern[0])) return false;
    return plain(pattern.substr(1), path.substr(1), pattern[0] == '/');
}

} // namespace

TEST_CASE("attempts grow with pattern times path, not faster") {
    const std::string letters(4000, 'a');
    std::string folders;
    for (int i = 0; i < 1000; ++i)
        folders += "a/";
    folders += "a";
    const std::string patterns[] = {
        "**/**/**/a*a*a*b",         "*a*a*a*a*a*a*a*a*a*b?",
        "**a**a**a**a**b?",         "**/a/**/a/**/a/**/b?",
        "{x}{y}{z}{u}{v}b?",        "{p**}/{q**}/{r**}/**/b?",
        "{a,aa,aaa}{a,aa}{a,*}*b?", "{a,*}{a,*}{a,*}{a,*}{a,*}{a,*}b?",
        "*?*?*?*?*?*?*?*?*[b]",
    };
    for (const std::string& pattern : patterns) {
        for (const std::string& path : {letters, folders}) {
            CAPTURE(pattern);
            CAPTURE(path.size());
            CHECK(work(pattern, path) <= 4 * pattern.size() * path.size());
        }
    }
}

TEST_CASE("a repeated name stays polynomial") {
    const std::string letters(60, 'a');
    CHECK(work("{x}*{y}*{x}*{y}*b?", letters) < 60ULL * 60 * 60 * 60 * 5);
    CHECK_FALSE(Glob::compile("{x}*{y}*{x}*{y}*b?")->matches(letters));
}

TEST_CASE("the patterns that rules are made of need a handful of attempts") {
    const std::string path = "clusters/prod/apps/monitoring/grafana/helmrelease.yaml";
    for (const std::string& pattern : std::vector<std::string>{
             "**/*.yaml", "{dir**}/helmrelease.yaml", "clusters/{c}/apps/{ns}/{app}/helmrelease.yaml",
             "clusters/**/*.yaml", "**/apps/*/*/helmrelease.yaml", "{dir**}/{name}/helmrelease.yaml"}) {
        CAPTURE(pattern);
        CHECK(Glob::compile(pattern)->matches(path));
        CHECK(work(pattern, path) <= 60);
    }
    CHECK(work("**/*.yaml", path) <= 4);
}

TEST_CASE("the ends of a path tell most of the answer") {
    const auto ends = [](std::string_view pattern) { return *compile_glob(pattern); };
    CHECK(ends("clusters/**/*.yaml").prefix == "clusters/");
    CHECK(ends("clusters/**/*.yaml").suffixes == std::vector<std::string>{".yaml"});
    CHECK(ends("**/*.{yaml,yml}").suffixes == std::vector<std::string>{".yaml", ".yml"});
    CHECK(ends("{dir**}/Chart.yaml").suffixes == std::vector<std::string>{"Chart.yaml"});
    CHECK(ends("a/{b,c}").only_suffixes);
    CHECK_FALSE(ends("a/{b,*}").only_suffixes);
}

TEST_CASE("made-up patterns and paths: the same answer as the plain matcher") {
    std::mt19937 random(20240229); // the same cases in every run
    const auto pick = [&](const std::vector<std::string>& from) { return from[random() % from.size()]; };
    std::size_t fits = 0;
    for (int round = 0; round < 40000; ++round) {
        std::string pattern, path;
        for (std::size_t i = 0, n = 1 + random() % 7; i < n; ++i)
            pattern += pick({"a", "b", "/", "*", "?", "**", "**/", "/**/", "a", "/"});
        if (random() % 3 == 0) pattern.insert(random() % 2 == 0 ? 0 : pattern.size(), "{n}");
        for (std::size_t i = 0, n = random() % 9; i < n; ++i)
            path += pick({"a", "b", "a", "/"});
        if (pattern.starts_with('/') || pattern.find("***") != std::string::npos) continue;
        CAPTURE(pattern);
        CAPTURE(path);
        const auto glob = Glob::compile(pattern);
        REQUIRE(glob);
        const bool expected = plain(pattern, path, true);
        if (glob->matches(path) != expected) CHECK(glob->matches(path) == expected);
        fits += expected ? 1U : 0U;
    }
    CHECK(fits > 1000); // the cases are worth something
}
