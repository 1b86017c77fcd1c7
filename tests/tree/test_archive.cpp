// Packed charts, good ones and bad ones, made in memory; one made by tar itself.
#include "scratch.h"
#include "tree/archive.h"
#include <cstring>
#include <doctest/doctest.h>
#include <zlib.h>

using namespace lockstep;

namespace {

std::string gzipped(std::string_view text) {
    z_stream zlib = {};
    REQUIRE(deflateInit2(&zlib, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    std::string out(deflateBound(&zlib, static_cast<uLong>(text.size())) + 64, '\0');
    zlib.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    zlib.avail_in = static_cast<uInt>(text.size());
    zlib.next_out = reinterpret_cast<Bytef*>(out.data());
    zlib.avail_out = static_cast<uInt>(out.size());
    REQUIRE(deflate(&zlib, Z_FINISH) == Z_STREAM_END);
    out.resize(zlib.total_out);
    deflateEnd(&zlib);
    return out;
}

std::string octal(std::size_t value, int digits) {
    char text[32];
    std::snprintf(text, sizeof text, "%0*zo", digits, value);
    return text;
}

struct HeaderOptions {
    char type = '0';
    std::string prefix = {};
    std::string magic = std::string("ustar\0", 6) + "00";
    std::string size_field = {}; // instead of the octal size
};

std::string header(std::string_view name, std::size_t size, const HeaderOptions& options = {}) {
    std::string block(512, '\0');
    auto put = [&](std::size_t at, std::string_view text) { block.replace(at, text.size(), text); };
    put(0, name.substr(0, 100));
    put(100, "0000644");
    put(124, options.size_field.empty() ? octal(size, 11) : options.size_field);
    put(136, "00000000000");
    put(148, "        ");
    block[156] = options.type;
    put(257, options.magic);
    put(345, options.prefix);
    std::size_t sum = 0;
    for (char c : block)
        sum += static_cast<unsigned char>(c);
    put(148, octal(sum, 6) + '\0' + ' ');
    return block;
}

std::string member(std::string_view name, std::string_view text, const HeaderOptions& options = {}) {
    std::string out = header(name, text.size(), options) + std::string(text);
    out.resize((out.size() + 511) / 512 * 512);
    return out;
}

std::string pax(std::string_view key, std::string_view value) {
    std::string body = ' ' + std::string(key) + '=' + std::string(value) + '\n';
    std::size_t length = body.size() + 1;
    while (std::to_string(length).size() + body.size() != length)
        ++length;
    return std::to_string(length) + body;
}

const std::string end_mark(1024, '\0');

Result<std::vector<ArchiveMember>> read_all(const std::string& tar, const ArchiveLimits& limits = {}) {
    return read_tgz(
        gzipped(tar), [](std::string_view) { return true; }, limits);
}

// The paths and texts, or the error.
std::string told(const Result<std::vector<ArchiveMember>>& members) {
    if (!members) return "error: " + members.error().message;
    std::string out;
    for (const ArchiveMember& m : *members)
        out += m.path + '=' + m.text + ';';
    return out;
}

} // namespace

TEST_CASE("wanted members are kept whole, the rest is passed over") {
    std::string big(100000, 'x');
    std::string tgz =
        gzipped(member("c/Chart.yaml", "name: c\n") + member("c/big", big) + member("c/", "", {.type = '5'}) +
                member("c/values.yaml", "") + member("./c/last.yaml", "z") + end_mark);
    auto some = read_tgz(tgz, [](std::string_view path) { return path.ends_with(".yaml"); });
    CHECK(told(some) == "c/Chart.yaml=name: c\n;c/values.yaml=;c/last.yaml=z;");
    auto all = read_tgz(tgz, [](std::string_view) { return true; });
    REQUIRE(all);
    REQUIRE(all->size() == 4);
    CHECK((*all)[1].text == big);
}

TEST_CASE("long paths are read in all their forms") {
    std::string path = std::string(120, 'd') + '/' + std::string(120, 'f');
    CHECK(told(read_all(member("b", "1", {.prefix = "a/prefix"}) + end_mark)) == "a/prefix/b=1;");
    // In GNU's own format other fields are there.
    CHECK(told(read_all(member("b", "1", {.prefix = "12345", .magic = std::string("ustar  \0", 8)}) + end_mark)) ==
          "b=1;");
    CHECK(told(read_all(member("b", "1", {.prefix = "12345", .magic = ""}) + end_mark)) == "b=1;");
    CHECK(told(read_all(member("././@LongLink", path + '\0', {.type = 'L'}) + member("short", "1") +
                        member("next", "2") + end_mark)) == path + "=1;next=2;");
    CHECK(told(read_all(member("x", pax("mtime", "1.5") + pax("path", path), {.type = 'x'}) + member("short", "1") +
                        member("next", "2") + end_mark)) == path + "=1;next=2;");
    CHECK(told(read_all(member("g", pax("comment", "abc"), {.type = 'g'}) + member("a", "1") + end_mark)) == "a=1;");
}

TEST_CASE("members that are no files have no bytes and are not kept") {
    std::string tar = header("hard", 5, {.type = '1'}) + header("soft", 0, {.type = '2'}) +
                      header("fifo", 9, {.type = '6'}) + member("old-folder/", "", {.magic = ""}) +
                      member("vendor", "12345", {.type = 'Z'}) + member("a", "1", {.type = '\0', .magic = ""}) +
                      member("b", "2", {.type = '7'}) + end_mark;
    CHECK(told(read_all(tar)) == "a=1;b=2;");
}

TEST_CASE("sizes in base 256 are read right, or refused") {
    std::string three = std::string("\x80", 1) + std::string(10, '\0') + '\3';
    CHECK(told(read_all(member("a", "abc", {.size_field = three}) + end_mark)) == "a=abc;");
    std::string huge = std::string("\x80", 1) + std::string(11, '\x7f');
    CHECK(told(read_all(member("a", "abc", {.size_field = huge}) + end_mark)) ==
          "error: has a bad tar header at byte 0: its size is not a number");
    CHECK(told(read_all(member("a", "abc", {.size_field = std::string(12, '\xff')}) + end_mark))
              .starts_with("error: has a bad tar header"));
    CHECK(told(read_all(member("a", "abc", {.size_field = "12z"}) + end_mark))
              .starts_with("error: has a bad tar header"));
}

TEST_CASE("damaged archives are errors that say what is wrong") {
    std::string good = member("a", "1") + member("b", std::string(2000, 'b'));
    auto error_of = [](const std::string& tar) { return told(read_all(tar)); };
    std::string bad_sum = good + end_mark;
    bad_sum[512 * 2] = 'B';
    CHECK(error_of(bad_sum) == "error: has a bad tar header at byte 1024: its checksum is wrong");
    CHECK(error_of(good.substr(0, 1024 + 512 + 100)) == "error: ends in the middle of member `b`");
    CHECK(error_of(good.substr(0, 1024 + 100)) == "error: ends in the middle of a tar header");
    CHECK(error_of("") == "error: is empty");
    CHECK(error_of(std::string(5000, 'x')).starts_with("error: has a bad tar header at byte 0"));
    CHECK(error_of(member("a", "1") + std::string(512, '\0') + member("b", "2")) ==
          "error: continues after its end mark");
    CHECK(error_of(member("@", "long", {.type = 'L'}) + end_mark) ==
          "error: ends after a long name, without its member");
    CHECK(error_of(member("x", "99 path=a\n", {.type = 'x'}) + member("a", "1")) ==
          "error: has a bad pax header: its pax records are damaged");
    for (const char* records :
         {"path=a\n", "5 path\n", "9 path=ab", "0 a=b\n", "3 \n", "18446744073709551620 a=b\n", "4 a\n"}) {
        CAPTURE(records);
        CHECK(error_of(member("x", records, {.type = 'x'}) + member("a", "1"))
                  .starts_with("error: has a bad pax header"));
    }
    CHECK(error_of(member("../../etc/passwd", "1") + end_mark).find("would leave") != std::string::npos);
    CHECK(error_of(member("/etc/passwd", "1") + end_mark).find("would leave") != std::string::npos);
    CHECK(error_of(header("s", 0, {.type = 'S'}) + end_mark).find("sparse") != std::string::npos);
}

TEST_CASE("an archive without its end mark, or with half of it, is whole") {
    CHECK(told(read_all(member("a", "1"))) == "a=1;");
    CHECK(told(read_all(member("a", "1") + std::string(512, '\0'))) == "a=1;");
    CHECK(told(read_all(member("a", "1") + std::string(10240, '\0'))) == "a=1;");
    CHECK(told(read_all(std::string(10240, '\0'))) == "");
}

TEST_CASE("damaged gzip data is an error wherever the damage is") {
    auto any = [](std::string_view) { return true; };
    std::string text;
    for (int i = 0; i < 3000; ++i)
        text += static_cast<char>((i * 7919) >> 3);
    std::string good = gzipped(member("a", text) + end_mark);
    CHECK(told(read_tgz("plain text", any)) == "error: is not gzip data");
    CHECK(told(read_tgz("", any)) == "error: is not gzip data");
    CHECK(told(read_tgz(good + "garbage", any)) == "error: has other bytes after the gzip data");
    CHECK(told(read_tgz(good + std::string(100, '\0'), any)) == "a=" + text + ';');
    for (std::size_t size = 2; size < good.size(); size += 13) {
        CAPTURE(size);
        CHECK(told(read_tgz(std::string_view(good).substr(0, size), any)) ==
              "error: ends in the middle of its gzip data");
    }
    std::string wrong_sum = good;
    wrong_sum[good.size() - 6] ^= 1;
    CHECK(told(read_tgz(wrong_sum, any)).starts_with("error: has damaged gzip data"));
}

TEST_CASE("gzip members behind each other read as one") {
    std::string tar = member("a", std::string(3000, 'a')) + member("b", "2") + end_mark;
    std::string tgz = gzipped(tar.substr(0, 700)) + gzipped("") + gzipped(tar.substr(700));
    CHECK(told(read_tgz(tgz, [](std::string_view path) { return path == "b"; })) == "b=2;");
}

TEST_CASE("limits stop a bomb before it is expanded") {
    std::string tar = member("a", std::string(5000, 'a')) + member("b", "2") + end_mark;
    CHECK(told(read_all(tar, {.expanded_bytes = 4096})) ==
          "error: expands to more than 4096 bytes; `limits: archive-size` in .lockstep.yaml raises that");
    CHECK(read_all(tar, {.expanded_bytes = tar.size()}));
    CHECK_FALSE(read_all(tar, {.expanded_bytes = tar.size() - 1}));
    CHECK(told(read_all(tar, {.members = 1})) ==
          "error: has more than 1 members; `limits: archive-members` in .lockstep.yaml raises that");
    CHECK(read_all(tar, {.members = 2}));

    // The promise of a header costs nothing.
    CHECK(told(read_all(header("a", 8ULL << 30) + "short")) ==
          "error: expands to more than 67108864 bytes; `limits: archive-size` in .lockstep.yaml raises that");
    CHECK(told(read_all(header("a", 60ULL << 20) + "short")) == "error: ends in the middle of member `a`");
    // Nor does a tail behind the end mark, or a member that nobody wants.
    std::string tail = gzipped(member("a", "1") + end_mark + std::string(1U << 20, '\0'));
    CHECK_FALSE(read_tgz(tail, [](std::string_view) { return true; }, {.expanded_bytes = 1U << 19}));
    std::string unwanted = gzipped(member("a", std::string(1U << 20, 'x')) + end_mark);
    CHECK_FALSE(read_tgz(unwanted, [](std::string_view) { return false; }, {.expanded_bytes = 1U << 19}));
}

TEST_CASE("archives made by tar are read in each of its formats") {
    if (output_of("tar --version 2>&1").find("GNU tar") == std::string::npos || !has_program("gzip")) {
        MESSAGE("no GNU tar or no gzip here: not tried");
        return;
    }
    Scratch scratch;
    std::string deep = "chart/" + std::string(90, 'd') + '/' + std::string(90, 'e') + "/f.yaml";
    scratch.write("chart/Chart.yaml", "name: c\n");
    scratch.write(deep, "deep\n");
    scratch.link("chart/link.yaml", "Chart.yaml");
    for (const char* format : {"gnu", "ustar", "pax"}) {
        CAPTURE(format);
        std::string tgz = output_of("tar -C '" + scratch.root() + "' --sort=name --format=" + format + " -czf - chart");
        auto members = read_tgz(tgz, [](std::string_view) { return true; });
        CHECK(told(members) == "chart/Chart.yaml=name: c\n;" + deep + "=deep\n;");
    }
}
