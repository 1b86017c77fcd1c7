// Reads git's listings and follows links among their entries, without touching the disk.
#include "tree/git_entries.h"
#include "tree/link.h"
#include <algorithm>
#include <deque>
#include <optional>

namespace lockstep {

namespace {

// `100644 blob <id>` or `100644 <id> 0`.
std::optional<GitEntry> parse_head(std::string_view head, bool& unmerged) {
    std::string_view words[3];
    for (std::string_view& word : words) {
        const auto space = head.find(' ');
        word = head.substr(0, space);
        head.remove_prefix(space == std::string_view::npos ? head.size() : space + 1);
    }
    const bool from_index = words[2].size() == 1;
    unmerged = from_index && words[2] != "0";
    GitEntry entry;
    entry.id = from_index ? words[1] : words[2];
    if (words[0].size() != 6 || entry.id.size() < 40) return std::nullopt;
    entry.kind = words[0] == "120000"   ? GitEntry::Kind::link
                 : words[0] == "160000" ? GitEntry::Kind::submodule
                                        : GitEntry::Kind::file;
    return entry;
}

std::size_t position(const std::vector<GitEntry>& entries, std::string_view path) {
    const auto it =
        std::lower_bound(entries.begin(), entries.end(), path,
                         [](const GitEntry& entry, std::string_view wanted) { return entry.path < wanted; });
    return static_cast<std::size_t>(it - entries.begin());
}

void push_parts(std::deque<std::string>& parts, std::string_view path) {
    std::vector<std::string> fresh;
    while (!path.empty()) {
        const auto slash = path.find('/');
        fresh.emplace_back(path.substr(0, slash));
        path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
    }
    parts.insert(parts.begin(), fresh.begin(), fresh.end());
}

GitLink refused_link(std::string why) {
    return {GitLink::Kind::refused, {}, 0, std::move(why)};
}

} // namespace

Result<std::vector<GitEntry>> parse_git_entries(std::string_view listing, std::string_view prefix) {
    std::vector<GitEntry> entries;
    while (!listing.empty()) {
        const auto end = listing.find('\0');
        const std::string_view record = listing.substr(0, end);
        const auto tab = record.find('\t');
        bool unmerged = false;
        auto entry = parse_head(record.substr(0, tab), unmerged);
        if (end == std::string_view::npos || tab == std::string_view::npos || !entry)
            return Error{"git lists its files in a way that is not understood"};
        listing.remove_prefix(end + 1);
        const std::string_view path = record.substr(tab + 1);
        if (!path.starts_with(prefix) || path.size() == prefix.size()) continue;
        if (unmerged) return Error{std::string(path) + " is not merged yet"};
        entry->path = path.substr(prefix.size());
        entries.push_back(std::move(*entry));
    }
    std::sort(entries.begin(), entries.end(), [](const GitEntry& a, const GitEntry& b) { return a.path < b.path; });
    const auto same = [](const GitEntry& a, const GitEntry& b) { return a.path == b.path; };
    entries.erase(std::unique(entries.begin(), entries.end(), same), entries.end());
    return entries;
}

GitLink resolve_git_link(const std::vector<GitEntry>& entries, const std::vector<std::string>& texts,
                         std::string_view path) {
    std::deque<std::string> ahead; // parts that are still to be walked
    push_parts(ahead, path);
    std::string at;
    int links = 0;
    while (!ahead.empty()) {
        const std::string part = std::move(ahead.front());
        ahead.pop_front();
        if (part.empty() || part == ".") continue;
        if (part == "..") {
            if (at.empty()) return refused_link("a link out of the repository");
            at.resize(at.rfind('/') == std::string::npos ? 0 : at.rfind('/'));
            continue;
        }
        std::string next = at.empty() ? part : at + "/" + part;
        const std::size_t found = position(entries, next);
        const bool there = found < entries.size() && entries[found].path == next;
        if (there && entries[found].kind == GitEntry::Kind::link) {
            if (++links > max_links) return refused_link("a link in a cycle, or through more than 40 links");
            if (texts[found].empty()) return refused_link("a link to nothing");
            if (texts[found].starts_with('/')) return refused_link("a link out of the repository, to " + texts[found]);
            push_parts(ahead, texts[found]);
            continue;
        }
        if (there && entries[found].kind == GitEntry::Kind::file) {
            if (ahead.empty()) return {GitLink::Kind::file, std::move(next), found, {}};
            return refused_link("a link to something that does not exist");
        }
        const std::size_t below = position(entries, next + "/");
        if (below == entries.size() || !entries[below].path.starts_with(next + "/"))
            return refused_link("a link to something that does not exist");
        at = std::move(next);
    }
    return {GitLink::Kind::directory, std::move(at), 0, {}};
}

} // namespace lockstep
