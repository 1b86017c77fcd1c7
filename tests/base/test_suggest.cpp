// A slip of the finger finds its word; a different word finds none.
#include "base/suggest.h"
#include <doctest/doctest.h>

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
