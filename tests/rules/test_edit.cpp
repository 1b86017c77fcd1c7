// An edit is offered only where it is the one thing to write.
#include "rules/edit.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

Cell plain(const std::string& text) {
    return {State::known, text, {0, {10, 10 + static_cast<std::uint32_t>(text.size())}}};
}

} // namespace

TEST_CASE("a plain version takes the text of the other, in its own place") {
    for (const auto& [wrong, right] :
         {std::pair("1.2.3", "1.10.0"), std::pair("v1.29.9+k3s1", "v1.31.4+k3s1"), std::pair("1.0.0", "2.0.0-rc.1")}) {
        const auto edits = same_version_edit(plain(wrong), plain(right));
        REQUIRE(edits.size() == 1);
        CHECK(edits[0].text == right);
        CHECK(edits[0].place == plain(wrong).place);
    }
}

TEST_CASE("nothing is offered for ranges, other ways to write a version, or values that are not there as they are") {
    CHECK(same_version_edit(plain("1.2.3"), plain("^1.2.4")).empty());
    CHECK(same_version_edit(plain("~1.2.3"), plain("1.2.4")).empty());
    CHECK(same_version_edit(plain("1.2.3"), plain("1.2.x")).empty());
    CHECK(same_version_edit(plain("1.2.3"), plain("1.10")).empty()); // YAML would read a number
    CHECK(same_version_edit(plain("1.2.3"), plain("latest")).empty());
    CHECK(same_version_edit(plain("v1.2.3"), plain("1.2.4")).empty());
    CHECK(same_version_edit(plain("1.2.3"), plain("1.2.4 # or so")).empty());
    CHECK(same_version_edit(plain("1.2.3"), plain("1.2.3")).empty());

    Cell quoted = plain("1.2.3");
    quoted.place.span.end += 2;
    CHECK(same_version_edit(quoted, plain("1.2.4")).empty());
    Cell templated = plain("1.2.4");
    templated.state = State::templated;
    CHECK(same_version_edit(plain("1.2.3"), templated).empty());
    CHECK(same_version_edit(templated, plain("1.2.3")).empty());
    CHECK(same_version_edit({State::known, "1.2.3", {}}, plain("1.2.4")).empty());
}
