// Reads a .tgz from front to back in small pieces and keeps only the members that are wanted.
#include "tree/archive.h"
#include "tree/gunzip.h"
#include "tree/tar_header.h"
#include "tree/tree.h"
#include <algorithm>
#include <optional>

namespace lockstep {

namespace {

constexpr std::uint64_t max_name_bytes = 1U << 20; // of a long name or a pax header

class TarReader {
public:
    TarReader(std::string_view bytes, const ArchiveLimits& limits) : stream_(bytes), limits_(limits) {}

    // The next member's header, with long name and pax records applied; nothing at the end or after a failure.
    std::optional<TarHeader> next();
    bool keep(const TarHeader& header, std::string& text) { return take(header, header.size, &text); }
    bool pass(const TarHeader& header) { return take(header, header.size, nullptr); }
    // Reads what is behind the end mark too: the checksum of the gzip data is there.
    void drain();
    bool fail(std::string message) {
        if (error_.empty()) error_ = std::move(message);
        return false;
    }
    const std::string& error() const { return error_; }

private:
    bool block(std::string& out, bool& ended);
    std::string too_large() const {
        return "expands to more than " + std::to_string(limits_.expanded_bytes) +
               " bytes; `limits: archive-size` in .lockstep.yaml raises that";
    }
    std::size_t read(char* out, std::size_t size);
    bool take(const TarHeader& header, std::uint64_t size, std::string* text);
    bool extend(const TarHeader& header);
    std::optional<TarHeader> finish(TarHeader header);

    GzipStream stream_;
    ArchiveLimits limits_;
    std::uint64_t expanded_ = 0;
    std::size_t members_ = 0;
    std::string error_;
    std::optional<std::string> long_name_;
    PaxRecords pax_;
};

std::size_t TarReader::read(char* out, std::size_t size) {
    std::size_t got = stream_.read(out, size);
    expanded_ += got;
    if (!stream_.error().empty())
        fail(stream_.error());
    else if (expanded_ > limits_.expanded_bytes)
        fail(too_large());
    return error_.empty() ? got : 0;
}

bool TarReader::block(std::string& out, bool& ended) {
    out.resize(tar_block);
    std::size_t got = read(out.data(), tar_block);
    ended = got == 0;
    if (!error_.empty()) return false;
    return ended || got == tar_block || fail("ends in the middle of a tar header");
}

bool TarReader::take(const TarHeader& header, std::uint64_t size, std::string* text) {
    if (size > limits_.expanded_bytes - std::min<std::uint64_t>(expanded_, limits_.expanded_bytes))
        return fail(too_large());
    std::uint64_t padded = (size + tar_block - 1) / tar_block * tar_block;
    char piece[16384];
    for (std::uint64_t done = 0; done < padded;) {
        auto want = static_cast<std::size_t>(std::min<std::uint64_t>(sizeof piece, padded - done));
        std::size_t got = read(piece, want);
        if (!error_.empty()) return false;
        // The text grows with what is really there: a header may promise anything.
        if (text && done < size)
            text->append(piece, static_cast<std::size_t>(std::min<std::uint64_t>(got, size - done)));
        done += got;
        if (got < want && done < size) return fail("ends in the middle of member `" + header.path + "`");
        if (got < want) return true; // some writers leave out the last padding
    }
    return true;
}

// A member that only describes the one behind it.
bool TarReader::extend(const TarHeader& header) {
    if (header.size > max_name_bytes)
        return fail("has a name longer than " + std::to_string(max_name_bytes) + " bytes");
    std::string text;
    if (!take(header, header.size, &text)) return false;
    if (header.type == 'L') {
        long_name_ = text.substr(0, text.find('\0'));
    } else if (header.type == 'x') {
        auto records = parse_pax_records(text);
        if (!records) return fail("has a bad pax header: " + records.error().message);
        pax_ = std::move(*records);
    }
    return true;
}

std::optional<TarHeader> TarReader::finish(TarHeader header) {
    if (long_name_) header.path = std::move(*long_name_);
    if (pax_.path) header.path = std::move(*pax_.path);
    if (pax_.size) header.size = *pax_.size;
    bool sparse = pax_.sparse || header.type == 'S';
    long_name_.reset();
    pax_ = {};
    if (sparse) {
        fail("has a sparse member `" + header.path + "`, which cannot be read");
        return std::nullopt;
    }
    // Links, devices, folders and fifos have no bytes, whatever their size field says.
    if (header.type >= '1' && header.type <= '6') header.size = 0;
    if (header.type == '7') header.type = '0';
    if (header.type == '0' && header.path.ends_with('/'))
        header.type = '5'; // how archives older than POSIX name folders
    return header;
}

std::optional<TarHeader> TarReader::next() {
    std::string bytes;
    bool ended = false;
    for (;;) {
        if (!block(bytes, ended)) return std::nullopt;
        if (ended && members_ == 0) fail("is empty");
        bool described = long_name_ || pax_.path || pax_.size;
        if (!ended && bytes.find_first_not_of('\0') == std::string::npos) {
            // Two empty blocks mark the end; a single one at the very end is common and means the same.
            if (!block(bytes, ended)) return std::nullopt;
            if (!ended && bytes.find_first_not_of('\0') != std::string::npos) fail("continues after its end mark");
            ended = true;
        }
        if (ended && described) fail("ends after a long name, without its member");
        if (ended) return std::nullopt;
        if (++members_ > limits_.members) {
            fail("has more than " + std::to_string(limits_.members) +
                 " members; `limits: archive-members` in .lockstep.yaml raises that");
            return std::nullopt;
        }
        auto header = parse_tar_header(bytes);
        if (!header) {
            fail("has a bad tar header at byte " + std::to_string(expanded_ - tar_block) + ": " +
                 header.error().message);
            return std::nullopt;
        }
        bool describes = header->type == 'L' || header->type == 'K' || header->type == 'x' || header->type == 'g';
        if (!describes) return finish(std::move(*header));
        if (!extend(*header)) return std::nullopt;
    }
}

void TarReader::drain() {
    char piece[16384];
    while (error_.empty() && read(piece, sizeof piece) != 0) {
    }
}

} // namespace

Result<std::vector<ArchiveMember>> read_tgz(std::string_view bytes, const std::function<bool(std::string_view)>& wanted,
                                            const ArchiveLimits& limits) {
    TarReader reader(bytes, limits);
    std::vector<ArchiveMember> members;
    while (auto header = reader.next()) {
        ArchiveMember member;
        bool regular = header->type == '0';
        if (regular) {
            auto path = join_path("", header->path);
            if (!path || path->empty()) {
                reader.fail("has a member `" + header->path + "` that would leave the archive's folder");
                break;
            }
            member.path = std::move(*path);
        }
        if (regular && wanted(member.path)) {
            if (!reader.keep(*header, member.text)) break;
            members.push_back(std::move(member));
        } else if (!reader.pass(*header)) {
            break;
        }
    }
    reader.drain();
    if (!reader.error().empty()) return Error{reader.error()};
    return members;
}

} // namespace lockstep
