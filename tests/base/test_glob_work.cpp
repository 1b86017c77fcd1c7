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

std::string replaced(std::string text, std::string_view what, std::string_view by) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
    return text;
}

// A choice is each of its branches, a repeated name each text that the path has in it.
bool plain_with_names(const std::string& pattern, const std::string& path) {
    if (pattern.find("{a,b?/}") != std::string::npos) {
        const std::string head = pattern.substr(0, pattern.find("{a,b?/}")), tail = pattern.substr(head.size() + 7);
        return plain_with_names(head + "a" + tail, path) || plain_with_names(head + "b?/" + tail, path);
    }
    if (pattern.find("{d**}/") != std::string::npos) {
        if (plain_with_names(replaced(pattern, "{d**}/", ""), path)) return true;
        for (std::size_t begin = 0; begin < path.size(); ++begin)
            for (std::size_t size = 0; begin + size < path.size(); ++size)
                if (plain_with_names(replaced(pattern, "{d**}/", path.substr(begin, size) + "/"), path)) return true;
        return false;
    }
    if (pattern.find("{n}") == std::string::npos) return plain(pattern, path, true);
    for (std::size_t begin = 0; begin < path.size(); ++begin)
        for (std::size_t size = 1; begin + size <= path.size() && path[begin + size - 1] != '/'; ++size)
            if (plain(replaced(pattern, "{n}", path.substr(begin, size)), path, true)) return true;
    return false;
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

TEST_CASE("a repeated name costs as many runs as the path has segments") {
    std::string folders;
    for (int i = 0; i < 200; ++i)
        folders += "d" + std::to_string(i) + "/";
    folders += "a";
    for (const std::string pattern : {"**/{x}/**/{x}*b?", "{x}/{y}/**{y}*{x}*b?", "{x}/**/{y}/**{y}*{x}*b?"}) {
        CAPTURE(pattern);
        CHECK(work(pattern, folders) <= 4 * 200 * pattern.size() * folders.size());
        CHECK_FALSE(Glob::compile(pattern)->matches(folders));
    }
}

TEST_CASE("a repeated name that could take very many texts is refused") {
    for (const std::string pattern : {"*{x}*{x}", "{x}-{x}", "a{x}/{x}", "{{x}/,b}{x}-{x}"})
        CHECK(Glob::compile(pattern).error().message.find("whole segment") != std::string::npos);
    for (const std::string pattern : {"**/{x}/{y}/{x}/{y}", "{d**}/{x}/{y}/**/{y}{x}", "{a/,}{x}/{y}/{x}{y}"})
        CHECK(Glob::compile(pattern).error().message.find("only one name") != std::string::npos);
    for (const std::string pattern :
         {"{e}/{a}/{e}-{a}.yaml", "**/{x}/{x}.yaml", "{x{n}.yaml,{n}.yml}", "{d**}/a/{d**}/b"})
        CHECK(Glob::compile(pattern));
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
    CHECK(ends("**/a/**/values.yaml").middle == "a/");
    CHECK(ends("*/{x,*}/b/c?/d").middle == "/b/c");
    for (const std::string& pattern : std::vector<std::string>{"**", "dir/**", "**/*.yaml", "d/**/*.{yaml,yml}"})
        CHECK(ends(pattern).ends_decide);
    for (const std::string& pattern : std::vector<std::string>{"*", "**/x", "**/*/x", "*/**/*.yaml", "{d**}/*.yaml"})
        CHECK_FALSE(ends(pattern).ends_decide);
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

TEST_CASE("made-up choices and repeated names: the same answer as the plain matcher") {
    std::mt19937 random(20240301);
    const auto pick = [&](const std::vector<std::string>& from) { return from[random() % from.size()]; };
    std::size_t fits = 0;
    for (int round = 0; round < 20000; ++round) {
        std::string pattern = pick({"{d**}/", "{d**}/", ""}), path;
        for (std::size_t i = 0, n = 1 + random() % 5; i < n; ++i)
            pattern += pick({"a", "b", "/", "*", "?", "{n}", "{n}", "{a,b?/}", "/{d**}/", "/**/"});
        for (std::size_t i = 0, n = random() % 9; i < n; ++i)
            path += pick({"a", "b", "a", "/"});
        // Doubled slashes are in no path, and the plain matcher sees other stars where two come together.
        if (pattern.starts_with('/') || pattern.find("//") != std::string::npos ||
            pattern.find("*/{d") != std::string::npos || pattern.find("/}/") != std::string::npos ||
            path.find("//") != std::string::npos || path.starts_with('/'))
            continue;
        const auto glob = Glob::compile(pattern);
        if (!glob && glob.error().message.find("appears twice") != std::string::npos) continue;
        REQUIRE(glob);
        const bool expected = plain_with_names(pattern, path);
        if (glob->matches(path) == expected) {
            fits += expected ? 1U : 0U;
            continue;
        }
        CAPTURE(pattern);
        CAPTURE(path);
        CHECK(glob->matches(path) == expected);
    }
    CHECK(fits > 500);
}
