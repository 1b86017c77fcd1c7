// Any bytes as a .tgz, and as the tar inside one: what is read stays within its limits and inside its folder.
#include "expect.h"
#include "tree/archive.h"
#include <zlib.h>

using namespace lockstep;

namespace {

constexpr ArchiveLimits limits = {50, 1U << 16};

void check(std::string_view bytes) {
    const auto members = read_tgz(
        bytes, [](std::string_view path) { return !path.ends_with(".bin"); }, limits);
    if (!members) {
        EXPECT(!members.error().message.empty());
        return;
    }
    EXPECT(members->size() <= limits.members);
    std::size_t expanded = 0;
    for (const ArchiveMember& member : *members) {
        expanded += member.text.size();
        EXPECT(!member.path.empty() && member.path.front() != '/');
        EXPECT(("/" + member.path + "/").find("/../") == std::string::npos);
    }
    EXPECT(expanded <= limits.expanded_bytes);
}

// Chance alone never finds the sum of a header: every block that looks like one gets the right one.
std::string with_checksums(std::string tar) {
    for (std::size_t at = 0; at + 512 <= tar.size(); at += 512) {
        if (tar.compare(at + 257, 5, "ustar") != 0) continue;
        tar.replace(at + 148, 8, 8, ' ');
        unsigned sum = 0;
        for (std::size_t i = 0; i < 512; ++i)
            sum += static_cast<unsigned char>(tar[at + i]);
        char digits[8];
        std::snprintf(digits, sizeof digits, "%06o", sum);
        tar.replace(at + 148, 7, digits, 7);
    }
    return tar;
}

std::string gzip(const std::string& bytes) {
    z_stream stream = {};
    EXPECT(deflateInit2(&stream, Z_NO_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    std::string out(deflateBound(&stream, bytes.size()) + 64, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    EXPECT(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    const std::string_view bytes = as_text(data, size);
    check(bytes);
    check(gzip(with_checksums(std::string(bytes))));
    return 0;
}
