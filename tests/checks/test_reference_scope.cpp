// Namespaces in messages.
#include "checks/reference_scope.h"
#include <doctest/doctest.h>

using namespace lockstep;

TEST_CASE("a message names a few namespaces and counts the rest") {
    CHECK(shown({"a"}) == "a");
    CHECK(shown({"a", "b"}) == "a and b");
    CHECK(shown({"a", "b", "c", "d"}) == "a, b, c and d");
    CHECK(shown({"a", "b", "c", "d", "e"}) == "a, b, c and 2 more");
}
