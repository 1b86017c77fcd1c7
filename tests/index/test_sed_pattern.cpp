// Patterns of sed, written anew for RE2.
#include "base/pattern.h"
#include "index/sed_pattern.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

std::string expression(std::string program, bool extended = false) {
    ShellWord word;
    word.text = std::move(program);
    const auto found = sed_pattern(word, extended);
    return found ? found->expression : "";
}

bool finds(std::string program, bool extended, std::string_view text) {
    const auto pattern = Pattern::compile(expression(std::move(program), extended));
    return pattern && pattern->occurs_in(text);
}

} // namespace

TEST_CASE("a basic expression takes brackets and plus as text, and as operators behind a backslash") {
    CHECK(finds("s/image(s)+: x/y/", false, "image(s)+: x"));
    CHECK_FALSE(finds("s/image(s)+: x/y/", false, "imagess: x"));
    CHECK(finds("s/image\\(s\\)\\+: x/y/", false, "imagess: x"));
}

TEST_CASE("an extended expression takes them the other way round") {
    CHECK(finds("s/image(s)+: x/y/", true, "imagess: x"));
    CHECK(finds("s/image\\(s\\): x/y/", true, "image(s): x"));
}

TEST_CASE("an escaped delimiter is text, even where it is an operator") {
    CHECK(finds("s|a\\|bcd|x|", false, "a|bcd"));
    CHECK(finds("s#oci://ghcr\\.io/acme#x#", false, "url: oci://ghcr.io/acme"));
    CHECK_FALSE(finds("s#oci://ghcr\\.io/acme#x#", false, "url: oci://ghcrxio/acme"));
}

TEST_CASE("the line's end, sets and a leading star mean what they mean to sed") {
    CHECK(finds("s/version: [0-9.]*$/x/", false, "version: 1.2\nname: y"));
    CHECK_FALSE(finds("s/version: [0-9.]*$/x/", false, "version: 1.2-rc\nname: y"));
    CHECK(finds("s/*star/x/", false, "a *star"));
    CHECK(finds("s/[[:space:]]name:/x/", false, "  name: y"));
}

TEST_CASE("a variable, a back reference, too little text or another program give nothing") {
    CHECK(expression("s/$OLD/new/").empty());
    CHECK(expression("s/${OLD}-chart/new/").empty());
    CHECK(expression("s/\\(a\\)long\\1/new/", false).empty());
    CHECK(expression("s/v[0-9]+/x/", true).empty());
    CHECK(expression("/kind: X/d").empty());
    CHECK(expression("s/unfinished").empty());
}
