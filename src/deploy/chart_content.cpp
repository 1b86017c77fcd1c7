// Reduces the files of a chart to what counts.
#include "deploy/chart_content.h"
#include "base/text.h"
#include "deploy/field_values.h"
#include "index/layout.h"
#include "tree/gitignore.h"
#include "yaml/parse.h"
#include <algorithm>

namespace lockstep {
namespace {

constexpr std::string_view side_folders[] = {"tests",     "ci",       "docs",           "examples",
                                             "unittests", "testdata", "templates/tests"};
constexpr std::string_view side_names[] = {".helmignore", "README", "LICENSE", "CHANGELOG", "OWNERS", "NOTES.txt"};
// Keys of Chart.yaml that change nothing in a cluster, or that automation moves.
constexpr std::string_view side_keys[] = {"version", "appVersion", "description", "keywords", "maintainers", "icon",
                                          "home",    "sources",    "annotations", "digest",   "generated"};

struct Piece {
    std::string text;
    Span at;
};

bool is_beside(std::string_view path) {
    for (std::string_view folder : side_folders)
        if (path.starts_with(folder) && path.substr(folder.size()).starts_with('/')) return true;
    const std::string_view name = file_name_of(path);
    if (name.ends_with(".md") && !path.starts_with("files/")) return true;
    if (name.ends_with(".tgz"))
        return true; // packed anew it has other bytes; Chart.yaml and the lock name what is in it
    return std::any_of(std::begin(side_names), std::end(side_names), [&](std::string_view side) {
        return name == side || name.starts_with(std::string(side) + ".");
    });
}

bool is_helm_ignored(const IgnoreRules& rules, std::string_view path) {
    for (auto slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1))
        if (rules.verdict(path.substr(0, slash), true).value_or(false)) return true;
    return rules.verdict(path, false).value_or(false);
}

std::string text_of(const Tree& tree, FileId id) {
    const File& file = tree.files[id];
    if (file.state == FileState::read) return file.text;
    File copy = file;
    if (copy.state == FileState::listed) read_file(tree, copy);
    return copy.state == FileState::read ? copy.text : "(unread) " + std::to_string(copy.size);
}

std::string without_tag(std::string_view image) {
    image = image.substr(0, image.find('@'));
    const auto colon = image.rfind(':');
    const auto slash = image.rfind('/');
    const bool tagged = colon != std::string_view::npos && (slash == std::string_view::npos || colon > slash);
    return std::string(tagged ? image.substr(0, colon) : image);
}

// `{{/* … */}}` blanked at equal length.
std::string without_template_comments(std::string text) {
    for (std::size_t at = text.find("/*"); at != std::string::npos; at = text.find("/*", at)) {
        const auto open = text.rfind("{{", at);
        const auto close = text.find("*/", at);
        if (close == std::string::npos) break;
        const auto end = text.find("}}", close);
        const bool action =
            open != std::string::npos && end != std::string::npos && text.find_first_not_of("{- \t\r\n", open) == at;
        if (!action) {
            at += 2;
            continue;
        }
        for (auto i = open; i < end + 2; ++i)
            if (text[i] != '\n') text[i] = ' ';
        at = end;
    }
    return text;
}

// A line of a template or text as it counts; empty for one that does not.
std::string plain_line(std::string_view line) {
    const std::string_view words = trimmed(line);
    if (words.empty() || words.starts_with('#')) return {};
    const auto end = line.find_last_not_of(" \t\r") + 1;
    std::string plain(line.substr(0, end));
    const std::string_view key = words.starts_with("- ") ? trimmed(words.substr(2)) : words;
    if (key.starts_with("image:") || key.starts_with("tag:")) {
        const auto colon = plain.find(':');
        std::string_view value = trimmed(std::string_view(plain).substr(colon + 1));
        if (const auto comment = value.find(" #"); comment != std::string_view::npos)
            value = trimmed(value.substr(0, comment));
        plain = plain.substr(0, colon + 1) + (key.starts_with("tag:") ? "" : without_tag(value));
    }
    return plain;
}

std::vector<Piece> lines_of(const std::string& text) {
    std::vector<Piece> pieces;
    for (std::size_t begin = 0; begin < text.size();) {
        const auto end = std::min(text.find('\n', begin), text.size());
        std::string plain = plain_line(std::string_view(text).substr(begin, end - begin));
        if (!plain.empty())
            pieces.push_back({std::move(plain), {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)}});
        begin = end + 1;
    }
    return pieces;
}

bool is_moved_by_automation(const std::string& path, std::string_view text, const Leaf& leaf) {
    const auto dot = path.rfind('.');
    const std::string key = dot == std::string::npos ? path : path.substr(dot + 1);
    if (key == "tag" || key == "digest" || key == "imageTag") return true;
    const auto end = std::min(text.find('\n', leaf.place.span.end), text.size());
    return text.substr(leaf.place.span.end, end - leaf.place.span.end).find("$imagepolicy") != std::string_view::npos;
}

std::vector<Piece> leaves_of(const std::string& text, bool chart_file) {
    std::vector<Piece> pieces;
    const YamlText yaml = parse_yaml(text);
    std::size_t number = 0;
    for (const YamlDocument& document : yaml.documents) {
        std::map<std::string, Leaf> leaves;
        Arena arena;
        add_leaves(value_of(NodeRef(&yaml, document.root), 0, arena), "", leaves);
        for (const auto& [path, leaf] : leaves) {
            const std::string top = path.substr(0, path.find_first_of(".["));
            if (chart_file && std::find(std::begin(side_keys), std::end(side_keys), top) != std::end(side_keys))
                continue;
            if (is_moved_by_automation(path, text, leaf)) continue;
            const bool image = path == "image" || path.ends_with(".image");
            pieces.push_back(
                {std::to_string(number) + path + "=" + (image ? without_tag(leaf.text) : leaf.text), leaf.place.span});
        }
        ++number;
    }
    return pieces;
}

std::vector<Piece> pieces_of(const std::string& text, std::string_view path) {
    const bool yaml = path.ends_with(".yaml") || path.ends_with(".yml") || path.ends_with(".lock");
    if (yaml && !path.starts_with("templates/") && !path.starts_with("charts/"))
        return leaves_of(text, path.find('/') == std::string_view::npos && !path.starts_with("values"));
    return lines_of(path.starts_with("templates/") ? without_template_comments(text) : text);
}

} // namespace

std::map<std::string, FileId> chart_files(const Index& index, const Chart& chart) {
    const Tree& tree = *index.tree;
    const std::string prefix = chart.dir.empty() ? "" : chart.dir + "/";
    std::string ignored;
    if (const auto file = tree.find(prefix + ".helmignore")) ignored = text_of(tree, *file);
    const IgnoreRules rules(ignored);
    std::map<std::string, FileId> found;
    auto at = std::lower_bound(tree.files.begin(), tree.files.end(), prefix,
                               [](const File& file, const std::string& path) { return file.path < path; });
    for (; at != tree.files.end() && at->path.starts_with(prefix); ++at) {
        const std::string path = at->path.substr(prefix.size());
        if (!is_beside(path) && !is_helm_ignored(rules, path))
            found.emplace(path, static_cast<FileId>(at - tree.files.begin()));
    }
    return found;
}

bool content_differs(const Tree& base, FileId before, const Tree& head, FileId now, std::string_view path, Span& at) {
    const std::string old_text = text_of(base, before), new_text = text_of(head, now);
    if (old_text == new_text) return false;
    const auto old_pieces = pieces_of(old_text, path), new_pieces = pieces_of(new_text, path);
    std::size_t i = 0;
    while (i < old_pieces.size() && i < new_pieces.size() && old_pieces[i].text == new_pieces[i].text)
        ++i;
    if (i == old_pieces.size() && i == new_pieces.size()) return false;
    at = i < new_pieces.size() ? new_pieces[i].at : Span{};
    return true;
}

} // namespace lockstep
