// Values by verb and kind.
#include "helm/go_print.h"
#include "helm/go_number.h"
#include "helm/objects.h"
#include "helm/runes.h"
#include <algorithm>
#include <cstdio>

namespace lockstep {
namespace {

constexpr int deepest_print = 200;

class Printer {
public:
    Printer(TextBuilder& out, FormatFlags flags) : out_(out), flags_(flags) {}

    void print(const GoValue& value, char32_t verb, int depth) {
        if (depth == 0 && value.is_nil()) {
            if (verb == 'v' || verb == 'T') return pad("<nil>", value.origin);
            return bad_verb(value, verb);
        }
        if (verb == 'T' && depth == 0) return pad(type_name(value), value.origin);
        switch (value.type) {
        case GoType::invalid:
        case GoType::nil:
            out_.add(flags_.sharp_v ? "interface {}(nil)" : "<nil>", value.origin);
            return;
        case GoType::boolean:
            if (verb == 't' || verb == 'v') return pad(value.boolean ? "true" : "false", value.origin);
            return bad_verb(value, verb);
        case GoType::float64:
            return print_float(value, verb);
        case GoType::string:
            return print_string(value, verb);
        case GoType::bytes:
            return print_bytes(value, verb);
        case GoType::object:
            return print_object(value, verb, depth);
        default:
            break;
        }
        if (value.is_integer()) return print_integer(value, verb);
        if (depth > deepest_print || !out_.spend(1)) return;
        if (value.is_list()) return print_list(value, verb, depth);
        print_map(value, verb, depth);
    }

private:
    void pad(std::string_view text, const ValueOrigin* origin) {
        const std::size_t begin = out_.size();
        const auto width = static_cast<std::size_t>(flags_.has_width ? flags_.width : 0);
        const std::size_t runes = count_runes(text);
        const std::size_t fill = width > runes ? width - runes : 0;
        if (!flags_.minus) out_.bytes.append(fill, flags_.zero ? '0' : ' ');
        out_.bytes += text;
        if (flags_.minus) out_.bytes.append(fill, ' ');
        out_.mark(begin, origin);
    }

    void bad_verb(const GoValue& value, char32_t verb) {
        std::string head = "%!";
        append_rune(head, verb);
        head += '(';
        if (value.is_nil()) {
            out_.add(head + "<nil>)", value.origin);
            return;
        }
        out_.add(head + type_name(value) + "=");
        print(value, 'v', 0);
        out_.add(")");
    }

    void print_float(const GoValue& value, char32_t verb) {
        char form = 'g';
        int precision = -1;
        if (verb == 'f' || verb == 'F' || verb == 'e' || verb == 'E') {
            form = verb == 'F' ? 'f' : static_cast<char>(verb);
            precision = 6;
        } else if (verb == 'x' || verb == 'X') {
            char text[64];
            std::snprintf(text, sizeof text, verb == 'x' ? "%a" : "%A", value.number);
            std::string shown = text; // the exponent has two digits at least
            if (const std::size_t p = shown.find_last_of("+-"); p + 2 == shown.size()) shown.insert(p + 1, "0");
            return signed_pad(shown, value.origin);
        } else if (verb == 'G') {
            form = 'G';
        } else if (verb != 'v' && verb != 'g') {
            return bad_verb(value, verb);
        }
        if (flags_.has_precision) precision = flags_.precision;
        std::string text = format_float(value.number, form, precision);
        if (text[0] != '-' && text[0] != '+' && (flags_.plus || flags_.space)) text = (flags_.plus ? "+" : " ") + text;
        if (text[0] == '+' && !flags_.plus && text != "+Inf") text.erase(0, 1);
        signed_pad(text, value.origin);
    }

    void signed_pad(const std::string& text, const ValueOrigin* origin) {
        const bool sign = text[0] == '-' || text[0] == '+' || text[0] == ' ';
        const auto width = static_cast<std::size_t>(flags_.has_width ? flags_.width : 0);
        if (flags_.zero && !flags_.minus && sign && width > text.size()) {
            out_.add(text.substr(0, 1) + std::string(width - text.size(), '0') + text.substr(1), origin);
            return;
        }
        pad(text, origin);
    }

    void print_integer(const GoValue& value, char32_t verb) {
        const bool natural = value.type == GoType::uint64 || value.type == GoType::uint8;
        const bool negative = !natural && value.integer < 0;
        const std::uint64_t size = negative ? 0 - value.natural : value.natural;
        unsigned base = 10;
        switch (verb) {
        case 'v':
            if (flags_.sharp_v && natural) {
                char digits[24];
                std::snprintf(digits, sizeof digits, "0x%llx", static_cast<unsigned long long>(size));
                return pad(digits, value.origin);
            }
            break;
        case 'd':
            break;
        case 'b':
            base = 2;
            break;
        case 'o':
        case 'O':
            base = 8;
            break;
        case 'x':
        case 'X':
            base = 16;
            break;
        case 'c': {
            std::string text;
            append_rune(text, static_cast<char32_t>(size));
            return pad(text, value.origin);
        }
        case 'q': {
            std::string text;
            append_rune_quoted(text, static_cast<char32_t>(size));
            return pad(text, value.origin);
        }
        case 'U': {
            char digits[24];
            std::snprintf(digits, sizeof digits, "U+%04llX", static_cast<unsigned long long>(size));
            return pad(digits, value.origin);
        }
        default:
            return bad_verb(value, verb);
        }
        std::string digits;
        for (std::uint64_t rest = size; rest != 0 || digits.empty(); rest /= base)
            digits += (verb == 'X' ? "0123456789ABCDEF" : "0123456789abcdef")[rest % base];
        std::size_t least = flags_.has_precision ? static_cast<std::size_t>(flags_.precision) : 0;
        const bool sign = negative || flags_.plus || flags_.space;
        if (flags_.has_precision && flags_.precision == 0 && size == 0) return pad("", value.origin);
        if (!flags_.has_precision && flags_.zero && !flags_.minus && flags_.has_width)
            least = static_cast<std::size_t>(flags_.width) - (sign && flags_.width > 0 ? 1U : 0U);
        if (digits.size() < least) digits.append(least - digits.size(), '0');
        if (flags_.sharp && base == 16) digits += verb == 'X' ? "X0" : "x0";
        if (flags_.sharp && base == 8 && digits.back() != '0') digits += '0';
        if (flags_.sharp && base == 2) digits += "b0";
        if (verb == 'O') digits += "o0";
        if (negative)
            digits += '-';
        else if (flags_.plus)
            digits += '+';
        else if (flags_.space)
            digits += ' ';
        std::reverse(digits.begin(), digits.end());
        const bool zero = flags_.zero;
        flags_.zero = false;
        pad(digits, value.origin);
        flags_.zero = zero;
    }

    std::string_view cut(std::string_view text) const {
        if (!flags_.has_precision) return text;
        std::size_t at = 0;
        for (int runes = 0; at < text.size() && runes < flags_.precision; ++runes)
            at += decode_rune(text, at).size;
        return text.substr(0, at);
    }

    void print_string(const GoValue& value, char32_t verb) {
        const std::string_view text = value.str();
        switch (verb) {
        case 'v':
            if (flags_.sharp_v) return quote(text, value.origin);
            [[fallthrough]];
        case 's':
            if (!flags_.has_width && !flags_.has_precision) return out_.add(value);
            return pad(cut(text), value.origin);
        case 'q':
            return quote(text, value.origin);
        case 'x':
        case 'X':
            return hex(text, verb, value.origin);
        default:
            return bad_verb(value, verb);
        }
    }

    void quote(std::string_view text, const ValueOrigin* origin) {
        text = cut(text);
        const bool raw = std::all_of(text.begin(), text.end(),
                                     [](char c) { return c != '`' && (c >= ' ' || c == '\t') && c != 0x7f; });
        if (flags_.sharp && raw) return pad("`" + std::string(text) + "`", origin);
        pad(quoted(text), origin);
    }

    void hex(std::string_view text, char32_t verb, const ValueOrigin* origin) {
        if (flags_.has_precision) text = text.substr(0, static_cast<std::size_t>(flags_.precision));
        std::string digits;
        const char* all = verb == 'x' ? "0123456789abcdef" : "0123456789ABCDEF";
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (flags_.space && i > 0) digits += ' ';
            if (flags_.sharp && (flags_.space || i == 0)) digits += verb == 'x' ? "0x" : "0X";
            const auto byte = static_cast<unsigned char>(text[i]);
            digits += all[byte >> 4U];
            digits += all[byte & 0xfU];
        }
        pad(digits, origin);
    }

    void print_bytes(const GoValue& value, char32_t verb) {
        if (verb == 's' || verb == 'q' || verb == 'x' || verb == 'X') {
            GoValue text = value;
            text.type = GoType::string;
            return print_string(text, verb);
        }
        out_.add(flags_.sharp_v ? "[]byte{" : "[");
        for (std::size_t i = 0; i < value.str().size(); ++i) {
            if (i > 0) out_.add(flags_.sharp_v ? ", " : " ");
            print_integer(make_int(static_cast<unsigned char>(value.str()[i]), GoType::uint8), verb);
        }
        out_.add(flags_.sharp_v ? "}" : "]");
    }

    void print_list(const GoValue& value, char32_t verb, int depth) {
        if (flags_.sharp_v) out_.add(type_name(value) + (value.list == nullptr ? "(nil)" : "{"));
        if (flags_.sharp_v && value.list == nullptr) return;
        if (!flags_.sharp_v) out_.add("[");
        bool first = true;
        for (const GoValue& item : items(value)) {
            if (!first) out_.add(flags_.sharp_v ? ", " : " ");
            first = false;
            print(item, verb, depth + 1);
        }
        out_.add(flags_.sharp_v ? "}" : "]");
    }

    void print_map(const GoValue& value, char32_t verb, int depth) {
        if (flags_.sharp_v) out_.add(type_name(value) + (value.map == nullptr ? "(nil)" : "{"));
        if (flags_.sharp_v && value.map == nullptr) return;
        if (!flags_.sharp_v) out_.add("map[");
        bool first = true;
        for (const GoEntry& entry : entries(value)) {
            if (!first) out_.add(flags_.sharp_v ? ", " : " ");
            first = false;
            const GoText key{entry.key, {}};
            GoValue name;
            name.type = GoType::string;
            name.text = &key;
            name.origin = entry.key_origin;
            print_string(name, verb);
            out_.add(":");
            print(entry.value, verb, depth + 1);
        }
        out_.add(flags_.sharp_v ? "}" : "]");
    }

    void print_object(const GoValue& value, char32_t verb, int depth) {
        if (const auto text = struct_text(*value.object);
            text && (verb == 'v' || verb == 's' || verb == 'q') && !flags_.sharp_v)
            return verb == 'q' ? quote(*text, value.origin) : pad(cut(*text), value.origin);
        if (depth > deepest_print) return;
        if (value.object->pointer && depth > 0) return pad("0xc000000000", value.origin);
        if (flags_.sharp_v) out_.add(value.object->type_name);
        out_.add(value.object->pointer && depth == 0 ? "&{" : "{");
        bool first = true;
        const bool chart = value.object->kind == StructKind::chart; // its metadata is a struct inside it
        if (chart) out_.add("{");
        for (const StructField& field : value.object->fields) {
            if (chart && field.name == "IsRoot") out_.add("}");
            if (!first) out_.add(flags_.sharp_v ? ", " : " ");
            first = false;
            if (flags_.plus_v || flags_.sharp_v) out_.add(std::string(field.name) + ":");
            print(field.value, verb, depth + 1);
        }
        out_.add("}");
    }

    TextBuilder& out_;
    FormatFlags flags_;
};

} // namespace

void print_with(TextBuilder& out, const FormatFlags& flags, const GoValue& value, char32_t verb, int depth) {
    Printer(out, flags).print(value, verb, depth);
}

} // namespace lockstep
