// The emitter: block style, plain where it reads back as the same string, as go-yaml decides it.
#include "helm/yaml_write.h"
#include "helm/go_number.h"
#include "helm/json_io.h"
#include "helm/runes.h"
#include "helm/yaml_scalar.h"
#include "helm/yaml_style.h"
#include "yaml/scalar_type.h"
#include <algorithm>
#include <cstdio>

namespace lockstep {
namespace {

constexpr int deepest_written_yaml = 300;
constexpr std::size_t longest_simple_key = 128;
constexpr int most_steps_back = 10'000; // back through what a list or map was made of

enum class Style : std::uint8_t { plain, single, twice, literal };

class YamlWriter {
public:
    YamlWriter(TextBuilder& out, YamlFlavour flavour) : out_(out), flavour_(flavour) {}

    // Behind `key:` or `-`, or at the very beginning (indent -1). `indent` is that of the collection around it.
    void node(const GoValue& value, int indent, bool in_map, int depth) {
        if (depth > deepest_written_yaml || !out_.spend(1)) return;
        if (value.is_list() && !items(value).empty()) return list(value, indent, in_map, depth);
        if (value.is_map() && !entries(value).empty()) return map(value, indent, in_map, depth);
        if (value.type == GoType::object) return object(value, indent, in_map, depth);
        if (indent >= 0) out_.add(" ", value.origin);
        if (value.is_string()) return scalar(value, indent, false);
        const std::size_t begin = out_.size();
        if (value.is_list())
            out_.bytes += value.list == nullptr ? "null" : "[]";
        else if (value.is_map())
            out_.bytes += value.map == nullptr ? "null" : "{}";
        else
            out_.bytes += simple(value);
        out_.mark(begin, value.origin);
        out_.add("\n", value.origin);
    }

private:
    std::string simple(const GoValue& value) const {
        if (value.is_nil()) return "null";
        if (value.type == GoType::boolean) return value.boolean ? "true" : "false";
        if (value.type == GoType::uint64) return std::to_string(value.natural);
        if (value.is_integer()) return std::to_string(value.integer);
        if (value.type == GoType::bytes) return json_bytes(value.str());
        if (flavour_ == YamlFlavour::v3) return format_float(value.number, 'g', -1);
        const std::string json = json_float(value.number);
        const PlainScalar plain = resolve_plain(json);
        if (plain.meaning == ScalarMeaning::number) return format_float(plain.number, 'g', -1);
        return json;
    }

    std::size_t column() const {
        const std::size_t line = out_.bytes.rfind('\n');
        const std::size_t begin = line == std::string::npos ? 0 : line + 1;
        return count_runes(std::string_view(out_.bytes).substr(std::max(begin, start_)));
    }

    void new_line(int indent) { out_.add("\n" + std::string(static_cast<std::size_t>(std::max(indent, 0)), ' ')); }

    void pad(int indent, const ValueOrigin* origin) {
        out_.add(std::string(static_cast<std::size_t>(indent), ' '), origin);
    }

    void list(const GoValue& value, int indent, bool in_map, int depth) {
        const int own = indent < 0 ? 0 : in_map && flavour_ == YamlFlavour::v2 ? indent : indent + 2;
        bool same_line = indent >= 0 && !in_map; // `- - 1`
        if (indent >= 0 && in_map) out_.add("\n");
        const ValueOrigin* outer = enter(value);
        for (const GoValue& item : items(value)) {
            if (same_line)
                out_.add(" ");
            else
                pad(own, item.origin);
            same_line = false;
            out_.add("-", with_around(item.origin));
            node(item, own, false, depth + 1);
        }
        around_ = outer;
    }

    void map(const GoValue& value, int indent, bool in_map, int depth) {
        std::vector<const GoEntry*> sorted;
        for (const GoEntry& entry : entries(value))
            sorted.push_back(&entry);
        std::stable_sort(sorted.begin(), sorted.end(),
                         [](const GoEntry* a, const GoEntry* b) { return yaml_key_less(a->key, b->key); });
        const int own = indent < 0 ? 0 : indent + 2;
        bool same_line = indent >= 0 && !in_map; // `- a: 1`
        if (indent >= 0 && in_map) out_.add("\n");
        const ValueOrigin* outer = enter(value);
        for (const GoEntry* entry : sorted) {
            if (same_line)
                out_.add(" ");
            else
                pad(own, entry->key_origin);
            same_line = false;
            key(*entry, own);
            node(entry->value, own, true, depth + 1);
        }
        around_ = outer;
    }

    // All lines of what an action put into a map name that action, by the mark behind the key or before the item: keys
    // and scalars keep their own places.
    const ValueOrigin* enter(const GoValue& value) {
        const ValueOrigin* outer = around_;
        const ValueOrigin* made = value.origin; // what was put last, and before that
        for (int steps = 0; made != nullptr && steps < most_steps_back; ++steps, made = made->left)
            if (made->put) around_ = out_.joined(around_, made->right);
        return outer;
    }
    const ValueOrigin* with_around(const ValueOrigin* origin) {
        return around_ == nullptr ? origin : out_.joined(origin, around_);
    }

    void key(const GoEntry& entry, int own) {
        const GoText text{entry.key, {}};
        GoValue name;
        name.type = GoType::string;
        name.text = &text;
        name.origin = entry.key_origin;
        if (entry.key.size() > longest_simple_key) {
            out_.add("? ");
            scalar(name, own, false);
            pad(own, entry.key_origin);
        } else {
            scalar(name, own, true);
        }
        out_.add(":", with_around(entry.key_origin));
    }

    void object(const GoValue& value, int indent, bool in_map, int depth) {
        ValueArena scratch;
        GoValue as_map = make_map(scratch);
        for (const StructField& field : value.object->fields) {
            if (field.json == "-" || (field.omit_empty && !is_true(field.value))) continue;
            put(scratch, *as_map.map, field.json.empty() ? field.name : field.json, field.value);
        }
        if (as_map.map->size == 0) {
            out_.add(indent >= 0 ? " {}\n" : "{}\n");
            return;
        }
        map(as_map, indent, in_map, depth);
    }

    void scalar(const GoValue& value, int indent, bool is_key) {
        std::string_view text = value.str();
        std::string valid;
        if (!is_utf8(text)) { // JSON has put U+FFFD there
            for (std::size_t at = 0; at < text.size();) {
                const Rune rune = decode_rune(text, at);
                append_rune(valid, rune.value);
                at += rune.size;
            }
            text = valid;
        }
        const ScalarAnalysis found = analyse_scalar(text, flavour_);
        const ScalarMeaning meaning = resolve_plain(text).meaning;
        const bool as_string =
            (meaning == ScalarMeaning::string || meaning == ScalarMeaning::merge) && !is_base60(text);
        Style style = as_string ? Style::plain : Style::twice;
        if (text.find('\n') != std::string_view::npos) style = Style::literal;
        if (style == Style::literal && (!found.block || is_key)) style = Style::twice;
        if (style == Style::plain && (!found.block_plain || (text.empty() && is_key))) style = Style::single;
        if (style == Style::single && !found.single) style = Style::twice;
        const int more = indent < 0 ? 2 : indent + 2;
        const std::size_t begin = out_.size();
        const ValueOrigin* origin = value.origin;
        switch (style) {
        case Style::plain:
            folded(value, text, more, is_key, false);
            break;
        case Style::single:
            folded(value, text, more, is_key, true);
            break;
        case Style::twice:
            double_quoted(text, more, is_key);
            break;
        case Style::literal:
            literal(value, text, more);
            return;
        }
        if (!value.text->pieces.empty()) origin = whole_origin_of(value);
        if (style == Style::twice || style == Style::single || !valid.empty()) out_.mark(begin, origin);
        if (!is_key) out_.add("\n", origin);
    }

    const ValueOrigin* whole_origin_of(const GoValue& value) { return out_.origin_of_all(value); }

    // Plain and single quoted: a blank behind column 80 becomes a line break.
    void folded(const GoValue& value, std::string_view text, int indent, bool is_key, bool quotes) {
        const bool folds = !is_key && flavour_ == YamlFlavour::v2;
        const bool own_bytes = text.data() == value.str().data();
        if (quotes) out_.bytes += '\'';
        if (!quotes && own_bytes && (!folds || text.size() + column() <= 80)) return out_.add(value);
        bool spaces = false, breaks = false;
        std::size_t col = column();
        for (std::size_t at = 0; at < text.size();) {
            const Rune rune = decode_rune(text, at);
            const std::size_t next = at + rune.size;
            const bool last = next >= text.size();
            const bool before_space = !last && text[next] == ' ';
            if (rune.value == ' ') {
                const bool inside = !quotes || (at > 0 && !last);
                if (folds && !spaces && col > 80 && inside && !before_space) {
                    new_line(indent);
                    col = static_cast<std::size_t>(indent);
                } else {
                    out_.bytes += ' ';
                    ++col;
                }
                spaces = true;
            } else if (is_yaml_break(rune.value)) {
                if (!breaks && rune.value == '\n') out_.bytes += '\n';
                out_.bytes += text.substr(at, rune.size);
                breaks = true;
            } else {
                if (breaks) {
                    new_line(indent);
                    col = static_cast<std::size_t>(indent);
                }
                if (!quotes && own_bytes)
                    out_.add_part(value, at, next);
                else
                    out_.bytes += text.substr(at, rune.size);
                if (quotes && rune.value == '\'') out_.bytes += '\'';
                ++col;
                spaces = breaks = false;
            }
            at = next;
        }
        if (quotes) out_.bytes += '\'';
    }

    void double_quoted(std::string_view text, int indent, bool is_key) {
        const bool folds = !is_key && flavour_ == YamlFlavour::v2;
        const bool bom = text.starts_with("\xef\xbb\xbf"); // go-yaml looks at the first bytes for every character
        out_.bytes += '"';
        std::size_t col = column();
        bool spaces = false;
        for (std::size_t at = 0; at < text.size();) {
            const Rune rune = decode_rune(text, at);
            const char32_t c = rune.value;
            const std::size_t next = at + rune.size;
            if (!is_yaml_printable(c) || bom || is_yaml_break(c) || c == '"' || c == '\\') {
                const std::string code = escaped(c);
                out_.bytes += code;
                col += code.size();
                spaces = false;
            } else if (c == ' ') {
                if (folds && !spaces && col > 80 && at > 0 && next < text.size()) {
                    new_line(indent);
                    col = static_cast<std::size_t>(indent);
                    if (text[next] == ' ') out_.bytes += '\\';
                } else {
                    out_.bytes += ' ';
                    ++col;
                }
                spaces = true;
            } else {
                out_.bytes += text.substr(at, rune.size);
                ++col;
                spaces = false;
            }
            at = next;
        }
        out_.bytes += '"';
    }

    static std::string escaped(char32_t c) {
        switch (c) {
        case 0:
            return "\\0";
        case 7:
            return "\\a";
        case 8:
            return "\\b";
        case '\t':
            return "\\t";
        case '\n':
            return "\\n";
        case 11:
            return "\\v";
        case 12:
            return "\\f";
        case '\r':
            return "\\r";
        case 27:
            return "\\e";
        case '"':
            return "\\\"";
        case '\\':
            return "\\\\";
        case 0x85:
            return "\\N";
        case 0xa0:
            return "\\_";
        case 0x2028:
            return "\\L";
        case 0x2029:
            return "\\P";
        default:
            break;
        }
        char code[16];
        std::snprintf(code, sizeof code,
                      c <= 0xff     ? "\\x%02X"
                      : c <= 0xffff ? "\\u%04X"
                                    : "\\U%08X",
                      static_cast<unsigned>(c));
        return code;
    }

    void literal(const GoValue& value, std::string_view text, int indent) {
        const bool own_bytes = text.data() == value.str().data();
        out_.add("|", value.origin);
        if (text[0] == ' ' || is_yaml_break(static_cast<unsigned char>(text[0]))) out_.add("2");
        const bool ends = text.ends_with('\n');
        if (!ends)
            out_.add("-");
        else if (text.size() == 1 || text[text.size() - 2] == '\n')
            out_.add("+");
        out_.add("\n");
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t line = std::min(text.find('\n', at), text.size());
            if (line > at) pad(indent, value.origin);
            const std::size_t end = std::min(line + 1, text.size());
            if (own_bytes)
                out_.add_part(value, at, end);
            else
                out_.add(text.substr(at, end - at));
            at = end;
        }
        if (!ends) out_.add("\n", value.origin);
    }

    TextBuilder& out_;
    YamlFlavour flavour_;
    std::size_t start_ = 0;
    const ValueOrigin* around_ = nullptr; // of the collections that it is in
};

} // namespace

void write_yaml(TextBuilder& out, const GoValue& value, YamlFlavour flavour) {
    YamlWriter(out, flavour).node(value, -1, false, 0);
}

} // namespace lockstep
