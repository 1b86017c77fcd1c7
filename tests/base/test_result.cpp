// An error is told with as much of its place as is known.
#include "base/result.h"
#include <doctest/doctest.h>

using namespace lockstep;

TEST_CASE("an error is told with path, line, column and hint where it has them") {
    CHECK(to_string(Error{"no such key", "a/b.yaml", {3, 7}}) == "a/b.yaml:3:7: error: no such key");
    CHECK(to_string(Error{"cannot read", "a/b.yaml"}) == "a/b.yaml: error: cannot read");
    CHECK(to_string(Error{"unknown option"}) == "error: unknown option");
    CHECK(to_string(Error{"no such key", "a.yaml", {1, 2}, "did you mean `x`?"}) ==
          "a.yaml:1:2: error: no such key\n  hint: did you mean `x`?");
    CHECK(to_string(Error{"unknown option", {}, {0, 0}, "see --help"}) == "error: unknown option\n  hint: see --help");
}

TEST_CASE("a line without a column is told alone") {
    CHECK(to_string(Error{"odd", "a.yaml", {4, 0}}) == "a.yaml:4: error: odd");
}

TEST_CASE("a position without a path is not told") {
    CHECK(to_string(Error{"odd", "", {4, 2}}) == "error: odd");
}

TEST_CASE("a result is a value or an error") {
    const Result<int> good = 7;
    const Result<int> bad = Error{"no"};
    REQUIRE(good);
    CHECK(*good == 7);
    REQUIRE_FALSE(bad);
    CHECK(bad.error().message == "no");
}
