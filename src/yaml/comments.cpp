// Finds comments where libyaml throws them away: between the scalars of a file that was read, or line by line.
#include "yaml/comments.h"
#include "base/text.h"
#include "yaml/actions.h"
#include <algorithm>

namespace lockstep {
namespace {

// Behind the quoted text that starts at `at`; `at` + 1 when it does not end before `end`, or is an apostrophe.
std::size_t skip_quoted(std::string_view text, std::size_t at, std::size_t end) {
    const char quote = text[at];
    if (quote == '\'' && at > 0 && at + 1 < end && is_letter(text[at - 1]) && is_letter(text[at + 1])) return at + 1;
    for (std::size_t i = at + 1; i < end; ++i) {
        if (text[i] == quote) return i + 1;
        if (quote == '"' && text[i] == '\\') ++i;
    }
    return at + 1;
}

// Where a comment starts in [begin, end), a line or a part of one; `end` when there is none. A `#` may be at the
// line's start or behind one of `before`.
std::size_t find_comment(std::string_view text, std::size_t begin, std::size_t end, std::string_view before) {
    for (std::size_t at = begin; at < end; ++at) {
        const char c = text[at];
        if (c == '#' && (at == 0 || text[at - 1] == '\n' || before.find(text[at - 1]) != std::string_view::npos))
            return at;
        if (c == '\\') ++at;
        if (c == '"' || c == '\'') at = skip_quoted(text, at, end) - 1;
    }
    return end;
}

// Comments in [begin, end), which may start in the middle of a line.
void add_comments(std::string_view text, std::size_t begin, std::size_t end, std::string_view before,
                  std::vector<Span>& out) {
    text = text.substr(0, end);
    while (begin < end) {
        const std::size_t hash = text.find('#', begin);
        if (hash == std::string_view::npos) return;
        const std::size_t last_break = text.substr(begin, hash - begin).rfind('\n');
        if (last_break != std::string_view::npos) begin += last_break + 1;
        const std::size_t line_end = std::min(text.find('\n', hash), end);
        const std::size_t content_end = text[line_end - 1] == '\r' ? line_end - 1 : line_end;
        const std::size_t at = find_comment(text, begin, content_end, before);
        if (at < content_end) out.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(content_end)});
        begin = line_end + 1;
    }
}

constexpr std::string_view behind_blank = " \t";
// libyaml and go-yaml take a `#` right behind a quote or a bracket as well.
constexpr std::string_view behind_token = " \t,[]{}\"'";

std::vector<Span> template_comments(const std::vector<TemplateAction>& actions, std::uint32_t shift) {
    std::vector<Span> out;
    for (const TemplateAction& action : actions)
        if (action.kind == TemplateAction::Kind::comment)
            out.push_back(
                {static_cast<std::uint32_t>(action.begin) + shift, static_cast<std::uint32_t>(action.end) + shift});
    return out;
}

} // namespace

std::vector<Span> yaml_comments(const YamlText& yaml) {
    std::string_view text = yaml.text.substr(0, yaml.region.end);
    std::string blanked;
    std::vector<Span> in_actions;
    if (yaml.masked) {
        // What is in an action is Go, not YAML.
        const std::uint32_t begin = yaml.region.begin;
        const std::vector<TemplateAction> actions = go_actions(text.substr(begin));
        in_actions = template_comments(actions, begin);
        blanked = text;
        for (const TemplateAction& action : actions)
            std::fill(blanked.begin() + static_cast<std::ptrdiff_t>(begin + action.begin),
                      blanked.begin() + static_cast<std::ptrdiff_t>(begin + action.end), ' ');
        text = blanked;
    }

    std::vector<Span> out;
    std::uint32_t at = yaml.region.begin;
    for (const Node& node : yaml.nodes) {
        if (node.kind != NodeKind::scalar || node.begin == node.end) continue;
        if (node.begin > at) add_comments(text, at, node.begin, behind_token, out);
        at = std::max(at, node.end);
        if (node.style == NodeStyle::literal || node.style == NodeStyle::folded) {
            const std::size_t header_end = std::min(text.find('\n', node.begin), text.size());
            add_comments(text, node.begin, header_end, behind_blank, out);
            at = std::max(at, static_cast<std::uint32_t>(header_end));
        }
    }
    add_comments(text, at, text.size(), behind_token, out);

    const std::size_t own = out.size();
    std::size_t next = 0; // both lists are in file order: a template comment inside a comment is that comment
    for (const Span& span : in_actions) {
        while (next < own && out[next].end <= span.begin)
            ++next;
        if (next == own || span.begin < out[next].begin) out.push_back(span);
    }
    std::sort(out.begin(), out.end());
    return out;
}

std::vector<Span> line_comments(std::string_view text) {
    std::vector<Span> out;
    add_comments(text, 0, text.size(), behind_blank, out);
    return out;
}

std::string blank_comments(std::string_view text, const std::vector<Span>& comments) {
    std::string out(text);
    for (const Span& span : comments)
        for (std::size_t i = span.begin; i < span.end && i < out.size(); ++i)
            if (out[i] != '\n' && out[i] != '\r') out[i] = ' ';
    return out;
}

} // namespace lockstep
