// A slip of the finger finds its word; a different word finds none.
#include "base/suggest.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <random>

using namespace lockstep;

namespace {

const std::vector<std::string> keys = {"severity", "summary", "facts", "for",   "join",    "unless", "assert",
                                       "forbid",   "require", "fix",   "files", "message", "at",     "must-apply"};

} // namespace

TEST_CASE("a slip finds the word that was meant") {
    const std::pair<std::string, std::string> cases[] = {
        {"severty", "severity"},     {"sevreity", "severity"}, {"sumary", "summary"},    {"asert", "assert"},
        {"assrt", "assert"},         {"requires", "require"},  {"Severity", "severity"}, {"must_apply", "must-apply"},
        {"mustapply", "must-apply"}, {"jion", "join"},         {"fact", "facts"},        {"fiels", "files"},
        {"messsage", "message"},     {"forbids", "forbid"},
    };
    for (const auto& c : cases) {
        const std::string &word = c.first, &meant = c.second;
        CAPTURE(word);
        CHECK(nearest(word, keys) == meant);
    }
}

TEST_CASE("the beginning of a word finds it, the shortest one first") {
    CHECK(nearest("sev", keys) == "severity");
    CHECK(nearest("mess", keys) == "message");
    CHECK(nearest("flux", {"flux-version-split", "flux-loop"}) == "flux-loop");
}

TEST_CASE("a word that is near to none finds none") {
    for (const std::string& word : std::vector<std::string>{"", "x", "zz", "is", "banana", "kubernetes", "ab"}) {
        CAPTURE(word);
        CHECK_FALSE(nearest(word, keys));
    }
    CHECK_FALSE(nearest("severity", {}));
}

TEST_CASE("of two near words the nearer wins, of equally near ones the first") {
    CHECK(nearest("file", {"tile", "files"}) == "tile");
    CHECK(nearest("filez", {"fileszz", "files"}) == "files");
}

TEST_CASE("edits within a limit are those of the whole table") {
    std::mt19937 random(20240302);
    auto plain = [](std::string_view a, std::string_view b) {
        std::vector<std::vector<std::size_t>> table(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
        for (std::size_t i = 0; i <= a.size(); ++i)
            for (std::size_t j = 0; j <= b.size(); ++j) {
                table[i][j] = i == 0 || j == 0 ? i + j
                                               : std::min({table[i - 1][j] + 1, table[i][j - 1] + 1,
                                                           table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
                if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                    table[i][j] = std::min(table[i][j], table[i - 2][j - 2] + 1);
            }
        return table[a.size()][b.size()];
    };
    for (int round = 0; round < 20000; ++round) {
        std::string a, b;
        for (std::string* word : {&a, &b})
            for (std::size_t i = 0, n = random() % 9; i < n; ++i)
                *word += static_cast<char>('a' + random() % 3);
        const std::size_t all = plain(a, b), limit = random() % 5;
        CAPTURE(a);
        CAPTURE(b);
        if (edits_between(a, b) != all) CHECK(edits_between(a, b) == all);
        const std::size_t within = edits_between(a, b, limit);
        if (all <= limit ? within != all : within <= limit) CHECK(within == all);
    }
}

TEST_CASE("what the letters of a name rule out is far away") {
    std::mt19937 random(20261119);
    auto word = [&](std::size_t longest) {
        std::string made;
        for (std::size_t i = 0, n = random() % longest; i < n; ++i)
            made += "abcde-"[random() % 6];
        return made;
    };
    for (int round = 0; round < 300; ++round) {
        std::vector<std::string> names;
        for (int i = 0; i < 30; ++i)
            names.push_back(word(10));
        const NearNames near(names);
        for (std::size_t limit = 0; limit < 4; ++limit) {
            const std::string wanted = word(10);
            std::vector<std::string> all;
            for (const std::string& name : names)
                if (edits_between(wanted, name) <= limit) all.push_back(name);
            if (near.within(wanted, limit) == all) continue;
            CAPTURE(wanted);
            CHECK(near.within(wanted, limit) == all);
        }
    }
}

TEST_CASE("names within so many edits are all of them") {
    const NearNames near({"web", "web-db", "wbe", "webs", "app"});
    CHECK(near.within("web", 1) == std::vector<std::string>{"web", "wbe", "webs"});
    CHECK(near.within("web", 0) == std::vector<std::string>{"web"});
    CHECK(near.within(std::string(1000, 'w'), 2).empty());
    CHECK(NearNames({}).within("web", 2).empty());
}
