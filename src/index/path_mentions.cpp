// Looks paths up in the texts of scripts, workflows and documents.
#include "index/path_mentions.h"
#include "base/text.h"
#include "index/path_class.h"
#include <algorithm>

namespace lockstep {
namespace {

bool is_name_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.';
}

bool is_document(std::string_view path) {
    const std::string_view name = file_name_of(path);
    return name.starts_with("README") || name.ends_with(".md");
}

bool is_workflow(std::string_view path) {
    return path.find(".github/") != npos || path.find(".gitea/workflows/") != npos || path.ends_with(".gitlab-ci.yml");
}

bool is_script(std::string_view path) {
    const std::string_view name = file_name_of(path);
    return is_script_path(path) || is_workflow(path) || name.starts_with("Taskfile") ||
           name.starts_with("Dockerfile") || path.starts_with(".taskfiles/") || path.find("/.taskfiles/") != npos ||
           name.ends_with(".mk");
}

// The name is over: a dot behind it may end a sentence.
bool ends_at(std::string_view text, std::size_t end) {
    return end >= text.size() || !is_name_char(text[end]) ||
           (text[end] == '.' && (end + 1 == text.size() || !is_name_char(text[end + 1])));
}

bool is_commented(std::string_view text, std::size_t at) {
    const std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1; // npos + 1 is 0
    const std::size_t first = text.find_first_not_of(" \t", line);
    return first < at && text[first] == '#';
}

// What is before the two segments at `at` is more of the same path, a variable, or nothing.
bool begins_alike(std::string_view text, std::size_t at, std::string_view rest) {
    while (at > 0 && text[at - 1] == '/') {
        const std::size_t end = --at;
        while (at > 0 && (is_name_char(text[at - 1]) || text[at - 1] == '}' || text[at - 1] == '{' ||
                          text[at - 1] == '$' || text[at - 1] == ')'))
            --at;
        const std::string_view segment = text.substr(at, end - at);
        if (rest.empty() || segment.empty() || segment == "." || segment == ".." ||
            segment.find_first_of("$})") != npos)
            return true;
        if (segment != file_name_of(rest)) return false;
        rest = directory_of(rest);
    }
    return at == 0 || !is_name_char(text[at - 1]);
}

// What follows a slash, without the dots that end a sentence.
template <class Take> void each_segment(std::string_view text, Take take) {
    for (std::size_t at = text.find('/'); at != npos; at = text.find('/', at)) {
        std::size_t end = ++at;
        while (end < text.size() && is_name_char(text[end]))
            ++end;
        std::string_view segment = text.substr(at, end - at);
        while (segment.ends_with('.'))
            segment.remove_suffix(1);
        if (!segment.empty()) take(segment);
        at = end;
    }
}

} // namespace

PathMentions::PathMentions(const Tree& tree, const TextOfFile& text_of) {
    for (FileId file = 0; file < tree.files.size(); ++file) {
        const std::string& path = tree.files[file].path;
        const bool script = is_script(path);
        if (!script && !is_document(path)) continue;
        if (const std::string_view text = text_of(file); !text.empty()) texts_.push_back({path, text, script});
    }
    for (std::uint32_t i = 0; i < texts_.size(); ++i) {
        in_folder_[directory_of(texts_[i].path)].push_back(i);
        each_segment(texts_[i].text, [&](std::string_view segment) {
            if (std::vector<std::uint32_t>& in = with_segment_[segment]; in.empty() || in.back() != i) in.push_back(i);
        });
    }
}

// The words, whole, outside of comments; `begins` says whether they may begin there.
template <class Begins> bool PathMentions::has(const Text& one, std::string_view words, Begins begins) {
    for (auto at = one.text.find(words); at != npos; at = one.text.find(words, at + 1))
        if (ends_at(one.text, at + words.size()) && begins(at) && !(one.script && is_commented(one.text, at)))
            return true;
    return false;
}

bool PathMentions::name(std::string_view path) const {
    const std::string_view base = file_name_of(path), dir = directory_of(path);
    // A name with other characters is no word of a script or a text.
    if (dir.empty() || !std::all_of(base.begin(), base.end(), is_name_char)) return false;
    const std::string end = std::string(file_name_of(dir)) + "/" + std::string(base);
    if (const auto in = with_segment_.find(base); in != with_segment_.end())
        for (const std::uint32_t i : in->second)
            if (const Text& one = texts_[i];
                has(one, end, [&](std::size_t at) { return begins_alike(one.text, at, directory_of(dir)); }))
                return true;
    if (const auto beside = in_folder_.find(dir); beside != in_folder_.end())
        for (const std::uint32_t i : beside->second)
            if (const Text& one = texts_[i];
                has(one, base, [&](std::size_t at) { return at == 0 || !is_name_char(one.text[at - 1]); }))
                return true;
    return false;
}

bool PathMentions::scripts_have(std::string_view text) const {
    return std::any_of(texts_.begin(), texts_.end(),
                       [&](const Text& one) { return one.script && has(one, text, [](std::size_t) { return true; }); });
}

} // namespace lockstep
