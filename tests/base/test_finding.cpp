// Severities have the same names on the way in and on the way out.
#include "base/finding.h"
#include <doctest/doctest.h>

using namespace lockstep;

TEST_CASE("every severity is read back from its name") {
    for (const Severity severity : {Severity::off, Severity::note, Severity::warning, Severity::error})
        CHECK(parse_severity(to_string(severity)) == severity);
    CHECK(to_string(Severity::warning) == "warning");
}

TEST_CASE("other words are no severity") {
    for (const std::string& text : std::vector<std::string>{"", "Error", "warn", "errors", "none"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_severity(text));
    }
}

TEST_CASE("severities are ordered from off to error") {
    CHECK(Severity::off < Severity::note);
    CHECK(Severity::note < Severity::warning);
    CHECK(Severity::warning < Severity::error);
}
