// Nothing foreign gets out as it is: neither in lines nor in errors.
#include "base/plain_text.h"
#include "base/result.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <type_traits>

using namespace lockstep;

static_assert(!std::is_constructible_v<PlainText, std::string>);
static_assert(!std::is_convertible_v<const char*, PlainText>);

namespace {

bool is_harmless(std::string_view text) {
    const bool plain =
        std::all_of(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\t' || (c >= ' ' && c != 0x7f); });
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        const auto first = line.find_first_not_of(" \t");
        if (first != std::string_view::npos && line.substr(first).starts_with("::")) return false;
        if (line.find("##[") != std::string_view::npos || line.find("##vso[") != std::string_view::npos) return false;
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    }
    return plain;
}

} // namespace

TEST_CASE("lines keep their breaks, and nothing in them acts on a terminal or a build log") {
    CHECK(PlainText::lines("a\nb\n").bytes() == "a\nb\n");
    CHECK(PlainText::lines("").bytes() == "");
    CHECK(PlainText::lines("a: \x1b[2Jb\n").bytes() == "a: \\x1b[2Jb\n");
    CHECK(PlainText::lines("::error::x\n  ::debug::y\n").bytes() == "\\x3a:error::x\n  \\x3a:debug::y\n");
    CHECK(PlainText::lines("a::b\n").bytes() == "a::b\n");
    for (const char* text :
         {"\r::error::x\n", "\t::x::y", "x\n##[command]y", "##vso[task]x", "\x9b[2J", "\xe2\x80\xae", "a\x07"})
        CHECK(is_harmless(PlainText::lines(text).bytes()));
    CHECK(PlainText::lines("\xe2\x80\xaex").bytes() == "\\u{202e}x");
}

TEST_CASE("a command in a string of JSON is spelled out, and means the same to a parser") {
    CHECK(PlainText::json("{\"a\": \"##[x] ##vso[y] # #\"}").bytes() == "{\"a\": \"\\u0023#[x] \\u0023#vso[y] # #\"}");
    CHECK(PlainText::json("\"###[\"").bytes() == "\"#\\u0023#[\"");
}

TEST_CASE("every byte in every place of an error comes out harmless") {
    for (int byte = 0; byte < 256; ++byte) {
        const std::string foreign = std::string(1, static_cast<char>(byte)) + "::error::x";
        for (const Error& error : {Error{foreign}, Error{"m", foreign}, Error{"m", "p", {1, 1}, foreign}}) {
            CAPTURE(byte);
            std::string text = PlainText::lines(to_string(error) + "\n").bytes();
            std::erase_if(text, [](char c) { return static_cast<unsigned char>(c) >= 0xa0; }); // letters beyond ASCII
            CHECK(is_harmless(text));
        }
    }
}
