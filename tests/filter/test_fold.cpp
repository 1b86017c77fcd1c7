#include "filter/fold.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

Finding finding(FileId file, const std::string& message, const std::string& cause) {
    Finding made;
    made.rule = "r";
    made.message = message;
    made.place = {file, {4, 9}};
    made.cause = cause;
    made.related.push_back({{100, {0, 1}}, "the other side"});
    return made;
}

} // namespace

TEST_CASE("findings with one cause become one, with all places, and the shared partner once") {
    auto folded = fold({finding(3, "m", "c"), finding(1, "m", "c"), finding(2, "m", "c")});
    REQUIRE(folded.size() == 1);
    CHECK(folded[0].place.file == 1);
    REQUIRE(folded[0].related.size() == 3);
    CHECK(folded[0].related[0].message == "the other side");
    CHECK(folded[0].related[1].place.file == 2);
    CHECK(folded[0].related[2].place.file == 3);
}

TEST_CASE("another wording of the same cause is at its place") {
    auto folded = fold({finding(1, "m", "c"), finding(2, "n", "c")});
    REQUIRE(folded.size() == 1);
    CHECK(folded[0].message == "m");
    REQUIRE(folded[0].related.size() == 2);
    CHECK(folded[0].related[1].message == "n");
}

TEST_CASE("another severity, another cause or no cause at all is another finding") {
    Finding note = finding(2, "m", "c");
    note.severity = Severity::note;
    CHECK(fold({finding(1, "m", "c"), note}).size() == 2);
    CHECK(fold({finding(1, "m", "c"), finding(2, "m", "d")}).size() == 2);
    CHECK(fold({finding(1, "m", ""), finding(2, "m", "")}).size() == 2);
}

TEST_CASE("the order is by place, then rule, then message") {
    auto folded = fold({finding(2, "a", ""), finding(1, "b", ""), finding(1, "a", "")});
    REQUIRE(folded.size() == 3);
    CHECK(folded[0].message == "a");
    CHECK(folded[1].message == "b");
    CHECK(folded[2].place.file == 2);
}

TEST_CASE("ten thousand places of one cause fold in one pass") {
    std::vector<Finding> many;
    for (FileId i = 0; i < 10000; ++i)
        many.push_back(finding(i, "m", "c"));
    auto folded = fold(std::move(many));
    REQUIRE(folded.size() == 1);
    CHECK(folded[0].related.size() == 10000); // 9,999 others and the partner
}
