// Asks our own files for what they must hold, and keeps the first thing that is wrong with its place.
#include "yaml/strict.h"
#include "base/suggest.h"
#include <algorithm>
#include <unordered_set>

namespace lockstep {
namespace {

std::string in_quotes(std::string_view text) {
    std::string out(1, '`');
    out += text;
    out += '`';
    return out;
}

// What a person would call the node.
std::string_view kind_of(NodeRef node) {
    if (!node || node.is_null()) return "nothing";
    if (node.is_mapping()) return "a mapping";
    if (node.is_sequence()) return "a list";
    return "text";
}

std::string known_keys(const std::vector<std::string>& known) {
    std::string text;
    for (const std::string& key : known)
        text += (text.empty() ? "" : ", ") + key;
    return "known keys: " + text;
}

} // namespace

StrictReader::StrictReader(std::string path, const YamlText& yaml) : path_(std::move(path)), yaml_(yaml) {}

void StrictReader::fail(NodeRef at, std::string message, std::string hint) {
    if (at) return fail_at(at.span().begin, std::move(message), std::move(hint));
    if (!error_) error_ = Error{std::move(message), path_, {0, 0}, std::move(hint)};
}

void StrictReader::fail_at(std::uint32_t offset, std::string message, std::string hint) {
    if (error_) return;
    error_ = Error{std::move(message), path_, LineTable(yaml_.text).position(offset), std::move(hint)};
}

bool StrictReader::check_syntax() {
    if (error_) return false;
    const auto first = std::min_element(yaml_.problems.begin(), yaml_.problems.end(),
                                        [](const YamlProblem& a, const YamlProblem& b) { return a.span < b.span; });
    if (first != yaml_.problems.end()) {
        std::string hint;
        if (first->other != Span{})
            hint = (first->other_message.empty() ? "see" : first->other_message) + " at line " +
                   std::to_string(LineTable(yaml_.text).position(first->other.begin).line);
        fail_at(first->span.begin, first->message, std::move(hint));
    } else if (yaml_.masked) {
        const std::size_t action = yaml_.text.find("{{");
        fail_at(static_cast<std::uint32_t>(std::min(action, yaml_.text.size())),
                "template actions are not read here, and without them this is not YAML",
                "put a value that starts with `{` in quotes");
    }
    return !error_;
}

bool StrictReader::check_keys(NodeRef node, std::string_view what, std::initializer_list<std::string_view> known) {
    if (error_) return false;
    const NodeRef map = node.resolved();
    if (!map.is_mapping()) {
        fail(node, std::string(what) + " must be a mapping, found " + std::string(kind_of(map)));
        return false;
    }
    std::unordered_set<std::string_view> seen;
    for (const NodeRef::Entry& entry : map.entries()) {
        const NodeRef key = entry.key.resolved();
        if (!key.is_scalar()) {
            fail(entry.key, "a key of " + std::string(what) + " must be text, found " + std::string(kind_of(key)));
        } else if (!seen.insert(key.text()).second) {
            fail(entry.key, "key " + in_quotes(key.text()) + " appears twice in " + std::string(what));
        } else if (std::find(known.begin(), known.end(), key.text()) == known.end()) {
            const std::vector<std::string> names(known.begin(), known.end());
            const std::optional<std::string> meant = nearest(key.text(), names);
            fail(entry.key, "unknown key " + in_quotes(key.text()) + " in " + std::string(what),
                 meant ? "did you mean " + in_quotes(*meant) + "?" : known_keys(names));
        }
        if (error_) return false;
    }
    return true;
}

// The value under `key`, when there is one and nothing has failed yet.
NodeRef StrictReader::ask(NodeRef map, std::string_view key) const {
    return error_ ? NodeRef() : map.get(key);
}

// True for a scalar that says something; an error for anything else.
bool StrictReader::check_text(NodeRef value, std::string_view key, std::string_view expected) {
    if (value.is_scalar() && !value.is_null()) return true;
    fail(value, in_quotes(key) + " must be " + std::string(expected) + ", found " + std::string(kind_of(value)));
    return false;
}

std::optional<std::string> StrictReader::text(NodeRef map, std::string_view key) {
    const NodeRef value = ask(map, key);
    if (!value || !check_text(value, key, "text")) return std::nullopt;
    return std::string(value.text());
}

std::string StrictReader::require_text(NodeRef map, std::string_view key, std::string_view what) {
    const NodeRef value = ask(map, key);
    if (!value) {
        fail(map, std::string(what) + " needs the key " + in_quotes(key));
    } else if (check_text(value, key, "text")) {
        if (!value.text().empty()) return std::string(value.text());
        fail(value, in_quotes(key) + " of " + std::string(what) + " must not be empty");
    }
    return {};
}

std::optional<bool> StrictReader::boolean(NodeRef map, std::string_view key) {
    const NodeRef value = ask(map, key);
    if (!value) return std::nullopt;
    if (value.is_scalar() && value.node().style == NodeStyle::plain) {
        if (value.text() == "true") return true;
        if (value.text() == "false") return false;
    }
    const std::string found(value.is_scalar() && !value.is_null() ? value.source() : kind_of(value));
    fail(value, in_quotes(key) + " must be true or false, found " + found);
    return std::nullopt;
}

std::vector<std::string> StrictReader::texts(NodeRef map, std::string_view key) {
    std::vector<std::string> out;
    const NodeRef value = ask(map, key);
    if (!value) return out;
    if (!value.is_sequence()) {
        if (check_text(value, key, "text or a list of texts")) out.emplace_back(value.text());
        return out;
    }
    for (const NodeRef item : value.items()) {
        if (!check_text(item.resolved(), std::string(key) + "[" + std::to_string(out.size()) + "]", "text")) return {};
        out.emplace_back(item.resolved().text());
    }
    return out;
}

} // namespace lockstep
