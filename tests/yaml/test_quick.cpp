// The quick reader against libyaml: what it takes, it reads to the same table, byte for byte.
#include "same_table.h"
#include "yaml/mask.h"
#include "yaml/quick.h"
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace lockstep;
namespace fs = std::filesystem;

namespace {

enum class Taken { no, yes };

Taken compare(EventInput input) {
    const auto quick = read_quickly(input);
    if (!quick) return Taken::no;
    CHECK(first_difference(*quick, read_events(input)) == "");
    return Taken::yes;
}

Taken compare(std::string_view text) {
    CAPTURE(text);
    const ByteScan scan = scan_bytes(text);
    return compare(input_of(text, scan));
}

void compare_folder(const fs::path& root, std::size_t wanted_percent) {
    if (!fs::is_directory(root)) {
        MESSAGE("skipped: there is no " << root.filename().string());
        return;
    }
    std::size_t files = 0, taken = 0;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
        const fs::path extension = entry.path().extension();
        if (!entry.is_regular_file() || (extension != ".yaml" && extension != ".yml")) continue;
        CAPTURE(entry.path().string());
        std::ifstream stream(entry.path(), std::ios::binary);
        std::ostringstream bytes;
        bytes << stream.rdbuf();
        const std::string text = bytes.str();
        const ByteScan scan = scan_bytes(text);
        if (!scan.readable) continue;
        EventInput input = input_of(text, scan);
        bool quick = compare(input) == Taken::yes;
        if (scan.go_action) {
            const std::string masked = mask_go_template(input.parsed);
            input.parsed = masked;
            input.masked = true;
            quick |= compare(input) == Taken::yes;
        }
        ++files;
        taken += quick ? 1 : 0;
        if (!quick && std::getenv("LOCKSTEP_SHOW_SLOW")) MESSAGE("left to libyaml: " << entry.path().string());
    }
    MESSAGE(root.filename().string() << ": " << taken << " of " << files << " files read quickly");
    CHECK(taken * 100 >= files * wanted_percent);
}

} // namespace

TEST_CASE("what the quick reader takes, it reads as libyaml does") {
    for (const std::string_view text : {
             "",
             "\n\n",
             "# only words\n",
             "---\n",
             "--- # words\n---\n---",
             "a: b",
             "a: b\n",
             "a:   b   # words\n",
             "a : b\n",
             "a:\n",
             "a: # words\nb:\n",
             "a:\n\n  # words\n  b: c\n\nd: e\n",
             "---\na: 1\n---\n# words\nb: 2\n---\n",
             "- a\n- b\n-\n- - c\n  - d\n- e: f\n  g: h\n",
             "-\n  a: b\n-\n  - c\n-\n",
             "a:\n- b\n- c\nd:\n  - e\n",
             "a:\n- b:\n  - c\n  d: e\n- f\n",
             "a:\n  b:\n    c:\n  d:\ne:\n",
             "a: 'it''s'\n\"b\": \"x\\n\\\"y\\\"\\\\\"\n'c': ''\nd: \"\"\n",
             "http://x: y://z\na: b:c\nd: e#f\n",
             "a: -1\nb: -x\nc: 1.5\n",
             "a: {}\nb: []\nc: { d: e, f: [g, 'h', \"i\"], j: {} }\n",
             "a: [b,\n    c, # words\n    d\n  ]\ne: {f: g,\n h: i,\n}\n",
             "- [a, b]\n- {c: d}\n",
             "a: |\n  one\n  two\nb: c\n",
             "a: |-\n  one\n\n   two\n\n\nb: |+\n  x\n\n\nc: |\n",
             "a: >\n  one\n  two\n\n  three\n    four\n  five\n\n\nb: >-\n  x\n  y\nc: >+\n  x\n\n",
             "a: |\n\n\n  one\n # words\nb: c\n",
             "a: |\n  no end",
             "a: |\n  x\n   ",
             "a: |\n  x\n  ",
             "a: |-",
             "- |\n x\n- >\n y\n z\n-\n  |\n  w\n",
             "a:\n  - |\n    x\n  - y\n",
             "a:\n  \"b\": c\n",
             "just words\n",
             "\"just words\"\n",
             "  a: b\n  c: d\n",
             "grüße: wörter # ü\n- ",
             "ü: é\nö:\n  - à: |\n      ñ\n    b: >\n      ç\n      œ\n",
             "a: b\n---\n- c\n---\nd\n",
             "<<: x\n",
             "a: ${x}\nb: \"${y}\"\n",
             "key with blanks: value with blanks\n",
             "a: [-1, -x, 2]\n",
             "a: [10.0.0.0, fd00::, x:y]\nb: {c: fe80::}\n",
         })
        compare(text);
}

TEST_CASE("ordinary files are taken by the quick reader") {
    for (const std::string_view text : {
             "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata:\n  b: |\n    c\n  d: \"e\"\n",
             "# words\n---\nresources:\n- a.yaml\n- b.yaml # words\n---\na: >-\n  b\n  c\nd: [e, f]\n",
         })
        CHECK(compare(text) == Taken::yes);
}

TEST_CASE("what is rare or wrong is left to libyaml") {
    for (const std::string_view text : {
             "a: &b c\n",
             "a: *b\n",
             "a: !x b\n",
             "? a\n",
             "a: b\n c\n",
             "a: \"b\n  c\"\n",
             "\ta: b\n",
             "a:\tb\n",
             "a: b\r\n",
             "a: b: c\n",
             "a: - b\n",
             "- a\nb: c\n",
             "a:\n  b\n c: d\n",
             "a: [b\n",
             "a: {b}\n",
             "a: 'b\n",
             "%YAML 1.1\n",
             "a: b\n...\n",
             "{{ if }}\na: b\n",
             "a: {{ b }}\n",
             "a: |2\n   b\n",
             "a: \"\\x41\"\n",
             "--- a\n",
             "a: b\n- c\n",
             "a: x\xe2\x80\xa8y",
             "a: @b\n",
             "[a]: b\n",
             "a: [b: c]\n",
             "a\nb: c\n",
             "a: 'b' c\n",
             "a: |\n \tb\n  c\n",
             "a: [b]c\n",
             "a: \"b\"#c\n",
             "a: {b:c}\n",
             ": a\n",
             "\xef\xbb\xbf"
             "a: b\n",
         })
        CHECK_MESSAGE(compare(text) == Taken::no, text);
}

TEST_CASE("every fixture and every real file is read to the same table by both readers") {
    compare_folder(fs::path(LOCKSTEP_SOURCE_ROOT) / "fixtures", 80);
    compare_folder(fs::path(LOCKSTEP_SOURCE_ROOT) / ".." / "shared" / "corpus", 60);
}
