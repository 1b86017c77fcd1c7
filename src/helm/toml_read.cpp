// A reader for the TOML that is in values: tables, arrays of tables, dotted keys, and the usual values.
#include "helm/go_number.h"
#include "helm/runes.h"
#include "helm/toml_io.h"
#include <cstdio>

namespace lockstep {
namespace {

constexpr int deepest_toml = 100;

class TomlReader {
public:
    TomlReader(ValueArena& arena, const GoValue& text) : arena_(arena), source_(text), text_(text.str()) {}

    TomlRead read() {
        TomlRead result;
        result.value = make_map(arena_);
        table_ = result.value.map;
        root_ = table_;
        for (std::size_t i = 0; i < text_.size(); ++i) {
            const auto c = static_cast<unsigned char>(text_[i]);
            if ((c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == 0x7f) {
                at_ = i;
                if (c == 0) {
                    fail("files cannot contain NULL bytes; probably using UTF-16; TOML files must be UTF-8");
                    break;
                }
                char code[8];
                std::snprintf(code, sizeof code, "0x%02x", c);
                fail("TOML files cannot contain control characters: '" + std::string(code) + "'");
                break;
            }
        }
        while (error_.empty()) {
            skip_lines();
            if (at_ >= text_.size()) break;
            if (text_[at_] == '[')
                header();
            else
                pair(*table_);
            if (error_.empty()) line_end();
        }
        result.error = error_;
        return result;
    }

private:
    void fail(const std::string& message) {
        if (!error_.empty()) return;
        std::size_t line = 1;
        for (std::size_t i = 0; i < at_ && i < text_.size(); ++i)
            if (text_[i] == '\n') ++line;
        error_ = "toml: line " + std::to_string(line) +
                 (last_key_.empty() ? "" : " (last key " + lockstep::quoted(last_key_) + ")") + ": " + message;
    }
    std::string here() const {
        std::string rune;
        append_rune(rune, decode_rune(text_, at_).value);
        if (rune == "'") return "'\\''";
        const std::string shown = lockstep::quoted(rune);
        return "'" + shown.substr(1, shown.size() - 2) + "'";
    }
    bool is(char c) const { return at_ < text_.size() && text_[at_] == c; }
    void skip() {
        while (is(' ') || is('\t'))
            ++at_;
    }
    void skip_comment() {
        if (is('#'))
            while (at_ < text_.size() && text_[at_] != '\n')
                ++at_;
    }
    void skip_lines() {
        while (true) {
            skip();
            skip_comment();
            if (is('\n') || (is('\r') && at_ + 1 < text_.size() && text_[at_ + 1] == '\n'))
                ++at_;
            else
                return;
        }
    }
    void line_end() {
        skip();
        skip_comment();
        if (at_ >= text_.size() || is('\n') || (is('\r') && at_ + 1 < text_.size() && text_[at_ + 1] == '\n')) return;
        fail("expected a top-level item to end with a newline, comment, or EOF, but got " + here() + " instead");
    }

    std::string_view key_part() {
        skip();
        if (is('"') || is('\'')) return string().str();
        const std::size_t begin = at_;
        while (at_ < text_.size() &&
               ((text_[at_] >= 'a' && text_[at_] <= 'z') || (text_[at_] >= 'A' && text_[at_] <= 'Z') ||
                (text_[at_] >= '0' && text_[at_] <= '9') || text_[at_] == '_' || text_[at_] == '-'))
            ++at_;
        return text_.substr(begin, at_ - begin);
    }

    GoMap* child(GoMap& map, std::string_view key) {
        GoEntry* found = map.find(key);
        if (found == nullptr) found = &put(arena_, map, key, make_map(arena_));
        if (found->value.type == GoType::any_list && !items(found->value).empty() &&
            items(found->value).back().is_map())
            return items(found->value).back().map;
        if (found->value.is_map()) return found->value.map;
        fail("Key '" + std::string(key) + "' has already been defined.");
        return &map;
    }

    void header() {
        const bool many = text_.substr(at_).starts_with("[[");
        at_ += many ? 2 : 1;
        GoMap* map = root_;
        std::string_view part = key_part();
        skip();
        while (error_.empty() && is('.')) {
            map = child(*map, part);
            ++at_;
            part = key_part();
            skip();
        }
        if (!text_.substr(at_).starts_with(many ? "]]" : "]"))
            return fail("expected '.' or ']' to end table name, but got " + (at_ < text_.size() ? here() : "'EOF'") +
                        " instead");
        at_ += many ? 2 : 1;
        last_key_ = part;
        if (!many) {
            table_ = child(*map, part);
            return;
        }
        GoEntry* found = map->find(part);
        if (found == nullptr) found = &put(arena_, *map, part, make_list(arena_));
        if (!found->value.is_list())
            return fail("Key '" + std::string(part) + "' was already created and cannot be used as an array.");
        const GoValue item = make_map(arena_);
        push(arena_, *found->value.list, item);
        table_ = item.map;
    }

    void pair(GoMap& into) {
        if (is('=')) return fail("unexpected '=': key name appears blank");
        if (is('.')) return fail("unexpected '.': keys cannot start with a '.'");
        GoMap* map = &into;
        std::string_view part = key_part();
        skip();
        while (error_.empty() && is('.')) {
            map = child(*map, part);
            ++at_;
            part = key_part();
            skip();
        }
        if (!error_.empty()) return;
        if (at_ >= text_.size()) return fail("unexpected EOF; expected key separator '='");
        if (!is('=')) return fail("expected '.' or '=', but got " + here() + " instead");
        ++at_;
        last_key_ = part;
        skip();
        const GoValue made = value(0);
        if (!error_.empty()) return;
        if (map->find(part) != nullptr) return fail("Key '" + std::string(part) + "' has already been defined.");
        put(arena_, *map, part, made);
    }

    GoValue value(int depth) {
        skip();
        if (depth > deepest_toml) fail("too deep");
        if (at_ >= text_.size()) fail("unexpected EOF; expected value");
        if (!error_.empty()) return {};
        if (is('"') || is('\'')) return string();
        if (is('[')) return array(depth);
        if (is('{')) return inline_table(depth);
        const std::size_t begin = at_;
        while (at_ < text_.size() && std::string_view(",]}#\n\r \t").find(text_[at_]) == std::string_view::npos)
            ++at_;
        const std::string_view word = text_.substr(begin, at_ - begin);
        GoValue made;
        if (word == "true" || word == "false") {
            made = make_bool(word == "true");
        } else if (const auto integer = parse_int(word, 0); integer && !integer->out_of_range) {
            made = make_int(integer->value, GoType::int64);
        } else if (const auto number = parse_float(word)) {
            made = make_float(*number);
        } else {
            at_ = begin;
            fail(word.empty() ? "expected value but found " + (at_ < text_.size() ? here() : "EOF") + " instead"
                              : "expected value but found " + lockstep::quoted(word) + " instead");
            return {};
        }
        made.origin = origin_of_part(arena_, source_, begin, at_);
        return made;
    }

    GoValue array(int depth) {
        GoValue list = make_list(arena_);
        ++at_;
        while (error_.empty()) {
            skip_lines();
            if (is(']')) {
                ++at_;
                return list;
            }
            push(arena_, *list.list, value(depth + 1));
            skip_lines();
            if (is(','))
                ++at_;
            else if (!is(']'))
                fail("expected a comma (',') or array terminator (']'), but got " +
                     (at_ < text_.size() ? here() : std::string("end of file")));
        }
        return list;
    }

    GoValue inline_table(int) {
        GoValue map = make_map(arena_);
        ++at_;
        while (error_.empty()) {
            skip_lines();
            if (is('}')) {
                ++at_;
                return map;
            }
            pair(*map.map);
            skip_lines();
            if (is(','))
                ++at_;
            else if (!is('}'))
                fail("expected a comma or an inline table terminator '}', but got " +
                     (at_ < text_.size() ? here() : std::string("end of file")) + " instead");
        }
        return map;
    }

    GoValue string() {
        const char quote = text_[at_];
        const std::string fence(3, quote);
        const bool lines = text_.substr(at_).starts_with(fence);
        at_ += lines ? 3 : 1;
        if (lines && is('\n')) ++at_;
        const std::size_t begin = at_;
        std::string out;
        while (true) {
            if (at_ >= text_.size() || (!lines && is('\n'))) {
                fail(at_ >= text_.size() ? "unexpected EOF; expected '\"'" : "strings cannot contain newlines");
                return make_string(arena_, "");
            }
            if (lines ? text_.substr(at_).starts_with(fence) : is(quote)) break;
            if (quote == '\'' || text_[at_] != '\\') {
                out += text_[at_++];
                continue;
            }
            const char c = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
            if (lines && (c == '\n' || c == ' ')) { // a line that goes on
                ++at_;
                while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
                    ++at_;
                continue;
            }
            char32_t rune = 0;
            bool is_byte = false;
            if (!unquote_char(text_, at_, '"', rune, is_byte)) {
                fail("invalid escape in string");
                return make_string(arena_, "");
            }
            append_rune(out, rune);
        }
        const std::size_t end = at_;
        at_ += lines ? 3 : 1;
        return make_string(arena_, out, origin_of_part(arena_, source_, begin, end));
    }

    ValueArena& arena_;
    const GoValue& source_;
    std::string_view text_;
    std::size_t at_ = 0;
    GoMap* root_ = nullptr;
    GoMap* table_ = nullptr;
    std::string last_key_, error_;
};

} // namespace

TomlRead read_toml(ValueArena& arena, const GoValue& text) {
    return TomlReader(arena, text).read();
}

} // namespace lockstep
