// Talks to `git cat-file --batch`: an id and a line break go in; `<id> blob <size>`, the bytes and a line break come
// out.
#include "tree/git_blobs.h"
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <optional>

namespace lockstep {

namespace {

constexpr std::size_t longest_header = 256; // two ids' worth and a number

FileBytes unreadable_blob(std::string why) {
    return {FileBytes::Outcome::failed, {}, 0, std::move(why), EIO};
}

FileBytes gone(GitProcess& process) {
    process.finish();
    const std::string why = process.complaint();
    return unreadable_blob("git cannot read its blob" + (why.empty() ? std::string() : ": " + why));
}

// What came behind the header's line break is the beginning of the contents.
struct Header {
    std::string line, behind;
};

std::optional<Header> read_header(GitProcess& process) {
    std::string text(65536, '\0'); // most files come with their header in one piece
    std::size_t used = 0;
    while (used < longest_header) {
        const std::size_t got = process.receive(text.data() + used, text.size() - used);
        if (got == 0) return std::nullopt;
        used += got;
        const auto end = std::string_view(text).substr(0, used).find('\n');
        if (end == std::string_view::npos) continue;
        return Header{text.substr(0, end), text.substr(end + 1, used - end - 1)};
    }
    return std::nullopt;
}

std::optional<std::uint64_t> size_in(std::string_view header, const std::string& id) {
    const std::string lead = id + " blob ";
    if (!header.starts_with(lead)) return std::nullopt;
    std::uint64_t size = 0;
    const char* end = header.data() + header.size();
    const auto read = std::from_chars(header.data() + lead.size(), end, size);
    if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
    return size;
}

FileBytes ask(GitProcess& process, const std::string& id, std::uint64_t limit, bool& usable) {
    usable = false;
    if (!process.send(id + "\n")) return gone(process);
    auto header = read_header(process);
    if (!header) return gone(process);
    if (header->line.ends_with(" missing")) {
        usable = true;
        return unreadable_blob("its blob " + id + " is not in this clone");
    }
    const auto size = size_in(header->line, id);
    if (!size) return unreadable_blob("git says `" + header->line + "` of its blob " + id);
    if (*size > limit)
        return {FileBytes::Outcome::oversize, {}, *size, {}, 0}; // whatever is on its way ends with the child
    std::string text = std::move(header->behind);
    std::size_t used = text.size();
    const std::size_t whole = static_cast<std::size_t>(*size) + 1; // with the line break behind it
    text.resize(std::max(used, whole));
    while (used < whole) {
        const std::size_t got = process.receive(text.data() + used, whole - used);
        if (got == 0) return gone(process);
        used += got;
    }
    text.resize(static_cast<std::size_t>(*size));
    usable = true;
    return {FileBytes::Outcome::read, std::move(text), *size, {}, 0};
}

} // namespace

FileBytes GitBlobs::read(const std::string& id, std::uint64_t limit) {
    std::optional<GitProcess> process;
    {
        std::lock_guard lock(mutex_);
        if (!idle_.empty()) {
            process = std::move(idle_.back());
            idle_.pop_back();
        }
    }
    if (!process) {
        auto started = GitProcess::start(scope_, {"cat-file", "--batch"});
        if (!started) return unreadable_blob(started.error().message);
        process = std::move(*started);
    }
    bool usable = false;
    FileBytes bytes = ask(*process, id, limit, usable);
    if (usable) {
        std::lock_guard lock(mutex_);
        idle_.push_back(std::move(*process));
    }
    return bytes;
}

} // namespace lockstep
