// Writing with Go's escapes, reading with Go's complaints.
#include "helm/json_io.h"
#include "helm/go_number.h"
#include "helm/hashes.h"
#include "helm/runes.h"
#include "yaml/scalar_type.h"
#include <cmath>
#include <cstdio>

namespace lockstep {
namespace {

constexpr int deepest_json = 500;

class JsonWriter {
public:
    JsonWriter(TextBuilder& out, const JsonStyle& style) : out_(out), style_(style) {}

    void write(const GoValue& value, int depth) {
        if (depth > deepest_json || !out_.spend(1)) return;
        const std::size_t begin = out_.size();
        if (value.is_list() && value.list != nullptr) {
            bool first = true;
            out_.add("[", value.origin);
            for (const GoValue& item : items(value)) {
                separate(first, depth + 1);
                write(item, depth + 1);
            }
            close(first, depth, "]", value.origin);
        } else if (value.is_map() && value.map != nullptr) {
            bool first = true;
            out_.add("{", value.origin);
            for (const GoEntry& entry : entries(value)) {
                separate(first, depth + 1);
                member(entry.key, entry.key_origin);
                write(entry.value, depth + 1);
            }
            close(first, depth, "}", value.origin);
        } else if (value.type == GoType::object) {
            bool first = true;
            out_.add("{");
            for (const StructField& field : value.object->fields) {
                if (field.json == "-" || (field.omit_empty && !is_true(field.value))) continue;
                separate(first, depth + 1);
                member(field.json.empty() ? field.name : field.json, nullptr);
                write(field.value, depth + 1);
            }
            close(first, depth, "}", nullptr);
        } else {
            if (value.is_string()) {
                const std::string shown = json_quoted(value.str(), style_.escape_html);
                if (shown.size() == value.str().size() + 2) {
                    out_.add("\"");
                    out_.add(value);
                    out_.add("\"");
                    return;
                }
                out_.bytes += shown;
                out_.mark(begin, out_.origin_of_all(value));
                return;
            } else {
                out_.bytes += scalar(value);
            }
            out_.mark(begin, value.origin);
        }
    }

private:
    void separate(bool& first, int depth) {
        if (!first) out_.add(",");
        first = false;
        if (style_.pretty) out_.add("\n" + std::string(static_cast<std::size_t>(depth) * 2, ' '));
    }
    void close(bool empty, int depth, std::string_view bracket, const ValueOrigin* origin) {
        if (style_.pretty && !empty) out_.add("\n" + std::string(static_cast<std::size_t>(depth) * 2, ' '));
        out_.add(bracket, origin);
    }
    void member(std::string_view name, const ValueOrigin* origin) {
        out_.add(json_quoted(name, style_.escape_html), origin);
        out_.add(style_.pretty ? ": " : ":");
    }
    static std::string scalar(const GoValue& value) {
        if (value.type == GoType::boolean) return value.boolean ? "true" : "false";
        if (value.type == GoType::float64) return json_float(value.number);
        if (value.type == GoType::uint64) return std::to_string(value.natural);
        if (value.is_integer()) return std::to_string(value.integer);
        if (value.type == GoType::bytes) return json_bytes(value.str());
        return "null";
    }

    TextBuilder& out_;
    const JsonStyle& style_;
};

class JsonReader {
public:
    JsonReader(ValueArena& arena, const GoValue& text) : arena_(arena), source_(text), text_(text.str()) {}

    JsonRead read() {
        JsonRead result;
        result.value = value(0);
        skip();
        if (error_.empty() && at_ < text_.size()) bad("after top-level value");
        result.error = error_;
        return result;
    }

private:
    void skip() {
        while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
            ++at_;
    }
    GoValue bad(std::string_view where) {
        if (!error_.empty()) return {};
        if (at_ >= text_.size()) {
            // Go feeds a blank at the end: only some places complain about that one.
            const bool open = where.empty() || where.starts_with("looking") || where.starts_with("after o") ||
                              where.starts_with("after a") || where == "in string literal";
            error_ = open ? "unexpected end of JSON input" : "invalid character ' ' " + std::string(where);
            return {};
        }
        std::string shown;
        const char c = text_[at_];
        if (c == '\'')
            shown = "'\\''";
        else if (c == '"')
            shown = "'\"'";
        else {
            const std::string q =
                lockstep::quoted(std::string(1, c)); // by bytes: a rune's first byte is shown as U+00XX
            std::string rune;
            append_rune(rune, static_cast<unsigned char>(c));
            const std::string text = static_cast<unsigned char>(c) < 0x80 ? q : lockstep::quoted(rune);
            shown = "'" + text.substr(1, text.size() - 2) + "'";
        }
        error_ = "invalid character " + shown + " " + std::string(where);
        return {};
    }

    GoValue value(int depth) {
        skip();
        if (depth > deepest_json) {
            error_ = "exceeded max depth";
            return {};
        }
        if (at_ >= text_.size()) return bad("");
        const char c = text_[at_];
        const std::size_t begin = at_;
        GoValue made;
        if (c == '{')
            made = object(depth);
        else if (c == '[')
            made = array(depth);
        else if (c == '"')
            return string();
        else if (c == '-' || (c >= '0' && c <= '9'))
            made = number();
        else if (c == 't' || c == 'f' || c == 'n')
            made = word();
        else
            return bad("looking for beginning of value");
        made.origin = origin(begin, at_);
        return made;
    }

    const ValueOrigin* origin(std::size_t begin, std::size_t end) {
        return origin_of_part(arena_, source_, begin, end);
    }

    GoValue object(int depth) {
        GoValue map = make_map(arena_);
        ++at_;
        skip();
        if (at_ < text_.size() && text_[at_] == '}') {
            ++at_;
            return map;
        }
        while (error_.empty()) {
            skip();
            if (at_ >= text_.size() || text_[at_] != '"') return bad("looking for beginning of object key string");
            const GoValue key = string();
            skip();
            if (!error_.empty()) return {};
            if (at_ >= text_.size() || text_[at_] != ':') return bad("after object key");
            ++at_;
            const GoValue member = value(depth + 1);
            if (!error_.empty()) return {};
            put(arena_, *map.map, key.str(), member, key.origin);
            skip();
            if (at_ < text_.size() && text_[at_] == ',') {
                ++at_;
                continue;
            }
            if (at_ < text_.size() && text_[at_] == '}') {
                ++at_;
                return map;
            }
            return bad("after object key:value pair");
        }
        return {};
    }

    GoValue array(int depth) {
        GoValue list = make_list(arena_);
        ++at_;
        skip();
        if (at_ < text_.size() && text_[at_] == ']') {
            ++at_;
            return list;
        }
        while (error_.empty()) {
            const GoValue item = value(depth + 1);
            if (!error_.empty()) return {};
            push(arena_, *list.list, item);
            skip();
            if (at_ < text_.size() && text_[at_] == ',') {
                ++at_;
                continue;
            }
            if (at_ < text_.size() && text_[at_] == ']') {
                ++at_;
                return list;
            }
            return bad("after array element");
        }
        return {};
    }

    GoValue word() {
        for (std::string_view name : {"true", "false", "null"}) {
            if (name[0] != text_[at_]) continue;
            for (std::size_t i = 0; i < name.size(); ++i, ++at_)
                if (at_ >= text_.size() || text_[at_] != name[i])
                    return bad("in literal " + std::string(name) + " (expecting '" + name[i] + "')");
            if (name == "null") return make_nil();
            return make_bool(name == "true");
        }
        return {};
    }

    GoValue number() {
        const std::size_t begin = at_;
        const auto digits = [&] {
            std::size_t count = 0;
            for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_)
                ++count;
            return count;
        };
        if (text_[at_] == '-') ++at_;
        if (at_ < text_.size() && text_[at_] == '0')
            ++at_;
        else if (digits() == 0)
            return bad("in numeric literal");
        if (at_ < text_.size() && text_[at_] == '.') {
            ++at_;
            if (digits() == 0) return bad("after decimal point in numeric literal");
        }
        if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
            ++at_;
            if (at_ < text_.size() && (text_[at_] == '-' || text_[at_] == '+')) ++at_;
            if (digits() == 0) return bad("in exponent of numeric literal");
        }
        const auto parsed = parse_float(text_.substr(begin, at_ - begin));
        if (!parsed || !std::isfinite(*parsed)) {
            error_ = "json: cannot unmarshal number " + std::string(text_.substr(begin, at_ - begin)) +
                     " into Go value of type float64";
            return {};
        }
        return make_float(*parsed);
    }

    int hex4() {
        int code = 0;
        for (int i = 0; i < 4; ++i, ++at_) {
            const char c = at_ < text_.size() ? text_[at_] : '\0';
            int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
            if (digit < 0) {
                bad("in \\u hexadecimal character escape");
                return -1;
            }
            code = code * 16 + digit;
        }
        return code;
    }

    GoValue string() {
        const std::size_t begin = ++at_;
        std::string text;
        bool changed = false;
        while (true) {
            if (at_ >= text_.size()) return bad("");
            const char c = text_[at_];
            if (c == '"') break;
            if (static_cast<unsigned char>(c) < ' ') return bad("in string literal");
            if (c != '\\') {
                const Rune rune = decode_rune(text_, at_);
                append_rune(text, rune.value);
                changed = changed || (rune.value == bad_rune && rune.size == 1);
                at_ += rune.size;
                continue;
            }
            changed = true;
            if (++at_ >= text_.size()) return bad("");
            constexpr std::string_view letters = "\"\\/bfnrt", plain = "\"\\/\b\f\n\r\t";
            if (const std::size_t found = letters.find(text_[at_]); found != std::string_view::npos) {
                text += plain[found];
                ++at_;
                continue;
            }
            if (text_[at_] != 'u') return bad("in string escape code");
            ++at_;
            int code = hex4();
            if (code < 0) return {};
            if (code >= 0xd800 && code < 0xdc00 && text_.substr(at_).starts_with("\\u")) {
                const std::size_t back = at_;
                at_ += 2;
                const int low = hex4();
                if (low < 0) return {};
                if (low >= 0xdc00 && low < 0xe000)
                    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
                else
                    at_ = back;
            }
            append_rune(text, static_cast<char32_t>(code));
        }
        const std::size_t end = at_++;
        const ValueOrigin* at = origin(begin, end);
        if (!changed) return make_text(arena_, {text_.substr(begin, end - begin), {}}, at);
        return make_string(arena_, text, at);
    }

    ValueArena& arena_;
    const GoValue& source_;
    std::string_view text_;
    std::size_t at_ = 0;
    std::string error_;
};

} // namespace

std::string json_quoted(std::string_view text, bool escape_html) {
    std::string out = "\"";
    for (std::size_t at = 0; at < text.size();) {
        const Rune rune = decode_rune(text, at);
        const char32_t c = rune.value;
        const bool html = escape_html && (c == '<' || c == '>' || c == '&');
        if (c == '"' || c == '\\') {
            out += '\\';
            out += static_cast<char>(c);
        } else if (c == '\n' || c == '\r' || c == '\t' || c == '\b' || c == '\f') {
            out += '\\';
            out += c == '\n' ? 'n' : c == '\r' ? 'r' : c == '\t' ? 't' : c == '\b' ? 'b' : 'f';
        } else if (c < ' ' || html || c == 0x2028 || c == 0x2029 || (c == bad_rune && rune.size == 1)) {
            char code[8];
            std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
            out += code;
        } else {
            out += text.substr(at, rune.size);
        }
        at += rune.size;
    }
    return out + "\"";
}

std::string json_bytes(std::string_view bytes) {
    return "\"" + base64_text(bytes) + "\"";
}

void write_json(TextBuilder& out, const GoValue& value, const JsonStyle& style) {
    JsonWriter(out, style).write(value, 0);
}

JsonRead read_json(ValueArena& arena, const GoValue& text) {
    return JsonReader(arena, text).read();
}

} // namespace lockstep
