// sprig's functions on strings. Those that cut, pad or put together keep the origin of every stretch.
#include "helm/functions.h"
#include "helm/go_format.h"
#include "helm/runes.h"
#include "helm/template_run.h"
#include "helm/text_builder.h"
#include <array>
#include <limits>

namespace lockstep {
namespace {

// A long word that nearly fits everywhere is compared from every byte on.
void spend_search(FunctionCall& call, std::string_view text, std::string_view word) {
    call.arena.spend(text.size() / 16 * word.size() / 16);
}

constexpr std::int64_t most_repeat = std::int64_t{64} << 20;

// A stretch of argument `i` that `view` points into.
GoValue stretch(FunctionCall& call, std::size_t i, std::string_view view) {
    const GoValue& text = call.args[i];
    if (view.empty()) return make_string(call.arena, "", text.origin);
    const auto begin = static_cast<std::size_t>(view.data() - text.str().data());
    return part_of(call.arena, text, begin, begin + view.size());
}

GoValue trim(FunctionCall& call) {
    return stretch(call, 0, trim_space(call.args[0].str()));
}

bool holds_rune(std::string_view set, char32_t rune) {
    for (std::size_t at = 0; at < set.size();) {
        const Rune next = decode_rune(set, at);
        if (next.value == rune) return true;
        at += next.size;
    }
    return false;
}

GoValue trim_all(FunctionCall& call) {
    const std::string_view set = call.args[0].str();
    std::string_view text = call.args[1].str();
    while (!text.empty()) {
        const Rune rune = decode_rune(text, 0);
        if (!holds_rune(set, rune.value)) break;
        text.remove_prefix(rune.size);
    }
    while (!text.empty()) {
        std::size_t last = text.size() - 1;
        while (last > 0 && (static_cast<unsigned char>(text[last]) & 0xc0U) == 0x80U)
            --last;
        const Rune rune = decode_rune(text, last);
        if (!holds_rune(set, rune.value)) break;
        text.remove_suffix(text.size() - last);
    }
    return stretch(call, 1, text);
}

GoValue trim_suffix(FunctionCall& call) {
    std::string_view text = call.args[1].str();
    if (text.ends_with(call.args[0].str())) text.remove_suffix(call.args[0].str().size());
    return stretch(call, 1, text);
}

GoValue trim_prefix(FunctionCall& call) {
    std::string_view text = call.args[1].str();
    if (text.starts_with(call.args[0].str())) text.remove_prefix(call.args[0].str().size());
    return stretch(call, 1, text);
}

GoValue trunc(FunctionCall& call) {
    const std::int64_t count = call.args[0].integer;
    std::string_view text = call.args[1].str();
    const auto size = static_cast<std::int64_t>(text.size());
    if (count < 0 && size + count > 0)
        text = text.substr(static_cast<std::size_t>(size + count));
    else if (count >= 0 && size > count)
        text = text.substr(0, static_cast<std::size_t>(count));
    return stretch(call, 1, text);
}

GoValue substr(FunctionCall& call) {
    const std::int64_t begin = call.args[0].integer, end = call.args[1].integer;
    const std::string_view text = call.args[2].str();
    const auto size = static_cast<std::int64_t>(text.size());
    const auto bounds = [&](std::int64_t from, std::int64_t to, bool open) -> GoValue {
        const std::string a = std::to_string(from), b = std::to_string(to), n = std::to_string(size);
        if (to < 0 || to > size)
            return call.fail("runtime error: slice bounds out of range [:" + b + "]" +
                             (to < 0 ? "" : " with length " + n));
        if (from > to) return call.fail("runtime error: slice bounds out of range [" + a + ":" + (open ? n : b) + "]");
        return stretch(call, 2, text.substr(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from)));
    };
    if (begin < 0) return bounds(0, end, false);
    if (end < 0 || end > size) return bounds(begin, size, true);
    return bounds(begin, end, false);
}

GoValue upper(FunctionCall& call) {
    return make_string(call.arena, upper_text(call.args[0].str()));
}

GoValue lower(FunctionCall& call) {
    return make_string(call.arena, lower_text(call.args[0].str()));
}

GoValue repeat(FunctionCall& call) {
    const std::int64_t count = call.args[0].integer;
    const GoValue& text = call.args[1];
    if (count < 0) return call.fail("strings: negative Repeat count");
    if (count * static_cast<std::int64_t>(text.str().size()) > most_repeat || count > most_repeat)
        return call.fail("strings: Repeat output length overflow");
    TextBuilder out(call.arena);
    if (!text.str().empty())
        for (std::int64_t i = 0; i < count; ++i)
            out.add(text);
    return out.finish();
}

void add_indented(FunctionCall& call, TextBuilder& out) {
    const std::int64_t count = call.args[0].integer;
    const GoValue& text = call.args[1];
    if (count < 0) {
        call.fail("strings: negative Repeat count");
        return;
    }
    const std::string_view bytes = text.str();
    if (count > 10000) {
        call.fail("strings: Repeat output length overflow");
        return;
    }
    const std::string pad(static_cast<std::size_t>(count), ' ');
    const ValueOrigin* here = call.run.here();
    out.add(pad, here);
    std::size_t at = 0;
    for (std::size_t line = bytes.find('\n'); line != std::string_view::npos; line = bytes.find('\n', at)) {
        out.add_part(text, at, line + 1);
        out.add(pad, here);
        at = line + 1;
    }
    out.add_part(text, at, bytes.size());
}

GoValue indent(FunctionCall& call) {
    TextBuilder out(call.arena);
    add_indented(call, out);
    return out.finish();
}

GoValue nindent(FunctionCall& call) {
    TextBuilder out(call.arena);
    out.add("\n", call.run.here());
    add_indented(call, out);
    return out.finish();
}

GoValue quote(FunctionCall& call) {
    TextBuilder out(call.arena);
    bool first = true;
    for (const GoValue& value : call.args) {
        if (value.is_nil()) continue;
        if (!first) out.add(" ");
        first = false;
        const GoValue text = string_value(call.arena, value);
        const std::string shown = quoted(text.str());
        if (shown.size() == text.str().size() + 2) {
            out.add("\"");
            out.add(text);
            out.add("\"");
        } else {
            out.add(shown, whole_origin(call.arena, text));
        }
    }
    return out.finish();
}

GoValue squote(FunctionCall& call) {
    TextBuilder out(call.arena);
    bool first = true;
    for (const GoValue& value : call.args) {
        if (value.is_nil()) continue;
        if (!first) out.add(" ");
        first = false;
        out.add("'");
        print_value(out, value);
        out.add("'");
    }
    return out.finish();
}

GoValue cat(FunctionCall& call) {
    TextBuilder out(call.arena);
    bool first = true;
    for (const GoValue& value : call.args) {
        if (value.is_nil()) continue;
        if (!first) out.add(" ");
        first = false;
        print_value(out, value);
    }
    return out.finish();
}

GoValue replace(FunctionCall& call) {
    const std::string_view old = call.args[0].str(), text = call.args[2].str();
    TextBuilder out(call.arena);
    if (old.empty()) { // before every rune and at the end
        for (std::size_t at = 0; at < text.size();) {
            const Rune rune = decode_rune(text, at);
            out.add(call.args[1]);
            out.add_part(call.args[2], at, at + rune.size);
            at += rune.size;
        }
        out.add(call.args[1]);
        return out.finish();
    }
    spend_search(call, text, old);
    std::size_t at = 0;
    for (std::size_t found = call.arena.exhausted() ? std::string_view::npos : text.find(old);
         found != std::string_view::npos && !call.arena.exhausted(); found = text.find(old, at)) {
        out.add_part(call.args[2], at, found);
        out.add(call.args[1]);
        at = found + old.size();
    }
    if (at == 0) return call.args[2];
    out.add_part(call.args[2], at, text.size());
    return out.finish();
}

GoValue contains(FunctionCall& call) {
    spend_search(call, call.args[1].str(), call.args[0].str());
    return make_bool(!call.arena.exhausted() && call.args[1].str().find(call.args[0].str()) != std::string_view::npos);
}

GoValue has_prefix(FunctionCall& call) {
    return make_bool(call.args[1].str().starts_with(call.args[0].str()));
}

GoValue has_suffix(FunctionCall& call) {
    return make_bool(call.args[1].str().ends_with(call.args[0].str()));
}

GoValue plural(FunctionCall& call) {
    return call.args[call.args[2].integer == 1 ? 0 : 1];
}

GoValue to_string_(FunctionCall& call) {
    const GoValue& value = call.args[0];
    if (value.is_nil()) return make_string(call.arena, "<nil>");
    return string_value(call.arena, value);
}

GoValue add_parts(FunctionCall& call, const GoValue& text, std::string_view separator, std::int64_t most, bool as_map) {
    GoValue out = as_map ? make_map(call.arena, GoType::string_map) : make_list(call.arena, GoType::string_list);
    std::size_t count = 0;
    const auto add = [&](const GoValue& part) {
        if (as_map)
            put(call.arena, *out.map, call.arena.copy("_" + std::to_string(count)), part);
        else
            push(call.arena, *out.list, part);
        ++count;
    };
    const std::string_view bytes = text.str();
    if (most == 0) {
        if (!as_map) out.list = nullptr;
        return out;
    }
    const auto room = most < 0 ? std::numeric_limits<std::size_t>::max() : static_cast<std::size_t>(most);
    std::size_t at = 0;
    if (separator.empty()) { // one part for each rune
        while (at < bytes.size() && count + 1 < room) {
            const std::size_t end = at + decode_rune(bytes, at).size;
            add(part_of(call.arena, text, at, end));
            at = end;
        }
        if (at < bytes.size()) add(part_of(call.arena, text, at, bytes.size()));
        return out;
    }
    spend_search(call, bytes, separator);
    while (count + 1 < room) {
        const std::size_t found = bytes.find(separator, at);
        if (found == std::string_view::npos) break;
        add(part_of(call.arena, text, at, found));
        at = found + separator.size();
    }
    add(part_of(call.arena, text, at, bytes.size()));
    return out;
}

GoValue split(FunctionCall& call) {
    return add_parts(call, call.args[1], call.args[0].str(), -1, true);
}

GoValue splitn(FunctionCall& call) {
    return add_parts(call, call.args[2], call.args[0].str(), call.args[1].integer, true);
}

GoValue split_list(FunctionCall& call) {
    return add_parts(call, call.args[1], call.args[0].str(), -1, false);
}

GoValue join_(FunctionCall& call) {
    TextBuilder out(call.arena);
    const GoValue& list = call.args[1];
    if (!list.is_list() && list.type != GoType::bytes) {
        if (!list.is_nil()) out.add(string_value(call.arena, list));
        return out.finish();
    }
    bool first = true;
    if (list.is_list())
        for (const GoValue& item : items(list)) {
            if (item.is_nil()) continue;
            if (!first) out.add(call.args[0]);
            first = false;
            out.add(string_value(call.arena, item));
        }
    out.join_from(0, list.origin); // which items there are
    return out.finish();
}

GoValue hello(FunctionCall& call) {
    return make_string(call.arena, "Hello!");
}

constexpr std::array string_functions_table = {
    TemplateFunction{"cat", "a*", cat},
    TemplateFunction{"contains", "ss", contains},
    TemplateFunction{"hasPrefix", "ss", has_prefix},
    TemplateFunction{"hasSuffix", "ss", has_suffix},
    TemplateFunction{"hello", "", hello},
    TemplateFunction{"indent", "is", indent},
    TemplateFunction{"join", "sa", join_},
    TemplateFunction{"lower", "s", lower},
    TemplateFunction{"nindent", "is", nindent},
    TemplateFunction{"plural", "ssi", plural},
    TemplateFunction{"quote", "a*", quote},
    TemplateFunction{"repeat", "is", repeat},
    TemplateFunction{"replace", "sss", replace},
    TemplateFunction{"split", "ss", split},
    TemplateFunction{"splitList", "ss", split_list},
    TemplateFunction{"splitn", "sis", splitn},
    TemplateFunction{"squote", "a*", squote},
    TemplateFunction{"substr", "iis", substr},
    TemplateFunction{"toString", "a", to_string_},
    TemplateFunction{"trim", "s", trim},
    TemplateFunction{"trimAll", "ss", trim_all},
    TemplateFunction{"trimPrefix", "ss", trim_prefix},
    TemplateFunction{"trimSuffix", "ss", trim_suffix},
    TemplateFunction{"trimall", "ss", trim_all},
    TemplateFunction{"trunc", "is", trunc},
    TemplateFunction{"upper", "s", upper},
};

} // namespace

std::span<const TemplateFunction> string_functions() {
    return string_functions_table;
}

} // namespace lockstep
