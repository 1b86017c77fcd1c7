// Reads and fills in one text in a single pass; expressions inside default values are read the same way.
#include "deploy/envsubst.h"
#include <algorithm>
#include <charconv>

namespace lockstep {
namespace {

constexpr std::string_view no_name = "unable to parse variable name";
constexpr std::string_view no_brace = "missing closing brace";
constexpr std::string_view bad = "bad substitution";
constexpr int deepest_braces = 100;

bool is_name_byte(char c) { // letters beyond ASCII count as letters
    const auto byte = static_cast<unsigned char>(c);
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || byte >= 0x80;
}

std::string mapped(std::string text, std::size_t count, bool upper) {
    for (std::size_t i = 0; i < std::min(count, text.size()); ++i) {
        char& c = text[i];
        if (upper && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
        if (!upper && c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return text;
}

std::optional<long> number(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    long value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
    return value;
}

std::string slice(const std::string& text, const std::vector<std::string>& args) {
    const auto size = static_cast<long>(text.size());
    const auto from = number(args[0]);
    if (!from) return text;
    long begin = *from < 0 ? std::max(0L, size + std::max(*from, -size)) : std::min(*from, size);
    if (args.size() == 1) return text.substr(static_cast<std::size_t>(begin));
    const auto count = number(args[1]);
    if (!count) return text;
    const long end = std::clamp(*count > size ? size : begin + *count, begin, size);
    return text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
}

std::string replaced(std::string text, const std::string& from, const std::string& to, bool all) {
    if (from.empty()) return text;
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
        if (!all) break;
    }
    return text;
}

// One byte against the class that starts at `at`; moves `at` behind it. An unclosed class matches nothing.
bool in_class(std::string_view pattern, std::size_t& at, char c) {
    const bool negated = at + 1 < pattern.size() && pattern[at + 1] == '^';
    bool found = false;
    std::size_t i = at + (negated ? 2 : 1);
    for (bool first = true; i < pattern.size() && (first || pattern[i] != ']'); first = false) {
        if (pattern[i] == '\\' && i + 1 < pattern.size()) ++i;
        const char low = pattern[i++];
        char high = low;
        if (i + 1 < pattern.size() && pattern[i] == '-' && pattern[i + 1] != ']') {
            high = pattern[i + 1];
            i += 2;
        }
        found = found || (low <= c && c <= high);
    }
    at = i + 1;
    return i < pattern.size() && found != negated;
}

// `*` is anything, slashes included, `?` one byte, `[a-z]` a class.
bool shell_matches(std::string_view pattern, std::string_view text) {
    std::size_t at = 0, from = 0, star = std::string_view::npos, mark = 0;
    while (from < text.size()) {
        std::size_t next = at;
        bool fits = false;
        if (at < pattern.size() && pattern[at] == '*') {
            star = at++;
            mark = from;
            continue;
        }
        if (at < pattern.size() && pattern[at] == '[') {
            fits = in_class(pattern, next, text[from]);
        } else if (at < pattern.size()) {
            if (pattern[next] == '\\' && next + 1 < pattern.size()) ++next;
            fits = text[from] == pattern[next] || pattern[at] == '?';
            ++next;
        }
        if (fits) {
            at = next;
            ++from;
        } else if (star != std::string_view::npos) {
            at = star + 1;
            from = ++mark;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', std::min(at, pattern.size())) == std::string_view::npos;
}

// The part of a text that a shell pattern matches, from its start or from its end. drone takes no empty match.
std::string trimmed(const std::string& text, const std::string& pattern, bool prefix, bool longest) {
    for (std::size_t i = 1; i <= text.size(); ++i) {
        const std::size_t count = longest ? text.size() + 1 - i : i;
        const std::string_view part =
            prefix ? std::string_view(text).substr(0, count) : std::string_view(text).substr(text.size() - count);
        if (!shell_matches(pattern, part)) continue;
        return prefix ? text.substr(count) : text.substr(0, text.size() - count);
    }
    return text;
}

class Filler {
public:
    Filler(std::string_view text, const Variables& variables, bool strict)
        : text_(text), variables_(variables), strict_(strict) {}

    Substituted run() {
        std::string out;
        while (at_ < text_.size() && made_.error.empty()) {
            if (text_[at_] == '$' && next() == '$') {
                out += '$';
                // Of `$$` the first is dropped and the second is text, also before a brace.
                at_ += 2;
            } else if (text_[at_] == '$' && next() == '{') {
                at_ += 2;
                out += expression(0);
            } else {
                out += text_[at_++];
            }
        }
        made_.text = made_.error.empty() ? std::move(out) : std::string(text_);
        return std::move(made_);
    }

private:
    char next() const { return at_ + 1 < text_.size() ? text_[at_ + 1] : '\0'; }
    char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    bool done() const { return at_ >= text_.size(); }
    std::string fail(std::string_view why) {
        if (made_.error.empty()) made_.error = why;
        return {};
    }
    std::string name() {
        const std::size_t begin = at_;
        while (!done() && is_name_byte(text_[at_]))
            ++at_;
        return std::string(text_.substr(begin, at_ - begin));
    }
    std::string take(std::string_view of, std::size_t most) {
        const std::size_t begin = at_;
        while (!done() && at_ - begin < most && of.find(text_[at_]) != std::string_view::npos)
            ++at_;
        return std::string(text_.substr(begin, at_ - begin));
    }

    // One argument up to (not with) a byte of `ends`. An expression is an argument by itself.
    std::string argument(std::string_view ends, bool escapes, int depth) {
        if (here() == '$' && next() == '{') {
            at_ += 2;
            return expression(depth + 1);
        }
        std::string out;
        if (done()) return fail("unable to parse substitution within function");
        while (!done() && ends.find(text_[at_]) == std::string_view::npos && !(here() == '$' && next() == '{')) {
            if (escapes && ((here() == '$' && next() == '$') || (here() == '\\' && (next() == '/' || next() == '\\'))))
                ++at_;
            out += text_[at_++];
        }
        return out;
    }

    bool close() {
        if (here() != '}') {
            fail(bad);
            return false;
        }
        ++at_;
        return true;
    }

    Variable look(const std::string& name, bool has_default) {
        Variable found = variables_(name);
        made_.used.push_back(name);
        if (found.is == Variable::Is::unknown) made_.unknown.push_back(name);
        if (found.is == Variable::Is::unset && strict_ && !has_default)
            fail("variable not set (strict mode): \"" + name + "\"");
        return found;
    }

    // Behind `${`.
    std::string expression(int depth) {
        if (depth > deepest_braces) return fail("unable to parse substitution within function");
        if (here() == '#') {
            ++at_;
            const std::string of = name();
            if (of.empty() || !close()) return fail(bad);
            return std::to_string(look(of, false).value.size());
        }
        const std::string of = name();
        if (of.empty()) return fail(no_name);
        switch (here()) {
        case ':':
            if (next() == '=' || next() == '-' || next() == '?' || next() == '+') {
                at_ += 2;
                return with_default(of, depth);
            }
            return sliced(of, depth);
        case '=':
            ++at_;
            return with_default(of, depth);
        case ',':
        case '^':
            return cased(of);
        case '/':
            return with_replacement(of, depth);
        case '#':
        case '%':
            return without_ends(of, depth);
        case '}':
            ++at_;
            return look(of, false).value;
        default:
            return fail(no_brace);
        }
    }

    std::string with_default(const std::string& of, int depth) {
        std::string fallback;
        while (here() != '}' && made_.error.empty())
            fallback += argument("}", false, depth);
        if (!made_.error.empty() || !close()) return {};
        const Variable found = look(of, true);
        return found.value.empty() && found.is != Variable::Is::unknown ? fallback : found.value;
    }

    std::string sliced(const std::string& of, int depth) {
        ++at_;
        std::vector<std::string> args = {argument(":}", false, depth)};
        if (made_.error.empty() && here() == ':') {
            take(":", std::string_view::npos);
            args.push_back(argument("}", false, depth));
        }
        if (!made_.error.empty() || !close()) return {};
        return slice(look(of, false).value, args);
    }

    std::string cased(const std::string& of) {
        const std::string how = take(",^", 2);
        if (!close()) return {};
        const std::string value = look(of, false).value;
        if (how == ",") return mapped(value, 1, false);
        if (how == ",,") return mapped(value, value.size(), false);
        if (how == "^") return mapped(value, 1, true);
        if (how == "^^") return mapped(value, value.size(), true);
        return value;
    }

    std::string with_replacement(const std::string& of, int depth) {
        ++at_;
        const std::string how = take("/#%", 1);
        std::vector<std::string> args = {argument("/", true, depth)};
        if (!made_.error.empty()) return {};
        if (here() != '/') return fail(bad);
        take("/", std::string_view::npos);
        if (here() != '}') args.push_back(argument("}", true, depth));
        if (!made_.error.empty() || !close()) return {};
        const std::string value = look(of, false).value;
        const std::string to = args.size() > 1 ? args[1] : std::string();
        if (how == "/") return replaced(value, args[0], to, true);
        if (how.empty()) return replaced(value, args[0], to, false);
        if (args.size() != 2) return value;
        if (how == "#") return value.starts_with(args[0]) ? to + value.substr(args[0].size()) : value;
        return value.ends_with(args[0]) ? value.substr(0, value.size() - args[0].size()) + to : value;
    }

    std::string without_ends(const std::string& of, int depth) {
        const bool prefix = here() == '#';
        const bool longest = take(prefix ? "#" : "%", 2).size() == 2;
        const std::string pattern = argument("}", false, depth);
        if (!made_.error.empty() || !close()) return {};
        return trimmed(look(of, false).value, pattern, prefix, longest);
    }

    std::string_view text_;
    const Variables& variables_;
    bool strict_;
    std::size_t at_ = 0;
    Substituted made_;
};

} // namespace

Substituted substitute(std::string_view text, const Variables& variables, bool strict) {
    if (text.find('$') == std::string_view::npos) return {std::string(text), {}, {}, {}};
    return Filler(text, variables, strict).run();
}

} // namespace lockstep
