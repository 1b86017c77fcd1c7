// Verbs, flags, width and precision as fmt has them: the format string.
#include "helm/go_format.h"
#include "helm/go_print.h"
#include "helm/runes.h"
#include <algorithm>

namespace lockstep {
namespace {

struct FormatReader {
    std::string_view format;
    std::span<const GoValue> values;
    std::size_t at = 0, argument = 0;
    bool good = true, reordered = false, after_index = false;

    bool number(int& value) {
        const std::size_t begin = at;
        value = 0;
        while (at < format.size() && format[at] >= '0' && format[at] <= '9') {
            if (value > 100000) return false;
            value = value * 10 + (format[at++] - '0');
        }
        return at > begin;
    }
    // `[3]` before a verb, width or precision.
    void index() {
        if (at >= format.size() || format[at] != '[') return;
        reordered = true;
        const std::size_t close = format.find(']', at);
        if (close == std::string_view::npos) {
            good = false;
            ++at;
            return;
        }
        ++at;
        int value = 0;
        if (!number(value) || at != close || value < 1 || static_cast<std::size_t>(value) > values.size())
            good = false;
        else
            argument = static_cast<std::size_t>(value - 1);
        at = close + 1;
        after_index = true;
    }
    bool star(int& value) {
        if (argument >= values.size()) return false;
        const GoValue& given = values[argument++];
        value = static_cast<int>(given.integer);
        return given.is_integer() && given.integer >= -1000000 && given.integer <= 1000000;
    }
};

} // namespace

void format_values(TextBuilder& out, std::string_view format, std::span<const GoValue> values) {
    FormatReader in{format, values};
    while (in.at < format.size()) {
        const std::size_t begin = in.at;
        in.at = std::min(format.find('%', begin), format.size());
        out.add(format.substr(begin, in.at - begin));
        if (in.at == format.size()) break;
        ++in.at;
        in.good = true;
        in.after_index = false;
        FormatFlags flags;
        for (; in.at < format.size(); ++in.at) {
            const char c = format[in.at];
            if (c == '#')
                flags.sharp = true;
            else if (c == '0')
                flags.zero = true;
            else if (c == '+')
                flags.plus = true;
            else if (c == '-')
                flags.minus = true;
            else if (c == ' ')
                flags.space = true;
            else
                break;
        }
        in.index();
        if (in.at < format.size() && format[in.at] == '*') {
            ++in.at;
            flags.has_width = in.star(flags.width);
            if (!flags.has_width) out.add("%!(BADWIDTH)");
            if (flags.width < 0) {
                flags.width = -flags.width;
                flags.minus = true;
                flags.zero = false;
            }
            in.after_index = false;
        } else {
            flags.has_width = in.number(flags.width);
            if (in.after_index && flags.has_width) in.good = false;
        }
        if (in.at + 1 < format.size() && format[in.at] == '.') {
            ++in.at;
            if (in.after_index) in.good = false;
            in.index();
            if (in.at < format.size() && format[in.at] == '*') {
                ++in.at;
                flags.has_precision = in.star(flags.precision);
                if (flags.precision < 0) flags.precision = 0, flags.has_precision = false;
                if (!flags.has_precision) out.add("%!(BADPREC)");
                in.after_index = false;
            } else {
                if (!in.number(flags.precision)) flags.precision = 0;
                flags.has_precision = true;
            }
        }
        if (!in.after_index) in.index();
        if (in.at >= format.size()) {
            out.add("%!(NOVERB)");
            break;
        }
        const Rune verb = decode_rune(format, in.at);
        in.at += verb.size;
        std::string shown;
        append_rune(shown, verb.value);
        if (verb.value == '%') {
            out.add("%");
        } else if (!in.good) {
            out.add("%!" + shown + "(BADINDEX)");
        } else if (in.argument >= values.size()) {
            out.add("%!" + shown + "(MISSING)");
        } else {
            if (verb.value == 'v' || verb.value == 'w') {
                flags.sharp_v = flags.sharp;
                flags.plus_v = flags.plus;
                flags.sharp = flags.plus = false;
            }
            print_with(out, flags, values[in.argument++], verb.value, 0);
        }
    }
    if (in.reordered || in.argument >= values.size()) return;
    out.add("%!(EXTRA ");
    for (std::size_t i = in.argument; i < values.size(); ++i) {
        if (i > in.argument) out.add(", ");
        if (values[i].is_nil()) {
            out.add("<nil>");
            continue;
        }
        out.add(type_name(values[i]) + "=");
        print_with(out, {}, values[i], 'v', 0);
    }
    out.add(")");
}

void print_value(TextBuilder& out, const GoValue& value) {
    print_with(out, {}, value, 'v', 0);
}

void print_values(TextBuilder& out, std::span<const GoValue> values) {
    bool string_before = false;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool is_string = values[i].is_string();
        if (i > 0 && !is_string && !string_before) out.add(" ");
        print_value(out, values[i]);
        string_before = is_string;
    }
}

void print_lines(TextBuilder& out, std::span<const GoValue> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0) out.add(" ");
        print_value(out, values[i]);
    }
    out.add("\n");
}

std::string plain_text(const GoValue& value) {
    ValueArena scratch(std::size_t{1} << 20); // for words of errors
    TextBuilder out(scratch);
    print_value(out, value);
    return out.bytes;
}

GoValue string_value(ValueArena& arena, const GoValue& value) {
    if (value.is_string()) return value;
    if (value.type == GoType::bytes) {
        GoValue text = value;
        text.type = GoType::string;
        return text;
    }
    TextBuilder out(arena);
    print_value(out, value);
    return out.finish(value.origin);
}

} // namespace lockstep
