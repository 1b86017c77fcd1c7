// text/template's own functions: comparison, indexing, printing, escaping.
#include "base/text.h"
#include "helm/functions.h"
#include "helm/go_format.h"
#include "helm/runes.h"
#include "helm/template_run.h"
#include <array>
#include <cstdio>

namespace lockstep {
namespace {

enum class Basic : std::uint8_t { none, boolean, integer, natural, number, string };

Basic basic_kind(const GoValue& value) {
    switch (value.type) {
    case GoType::boolean:
        return Basic::boolean;
    case GoType::int_:
    case GoType::int64:
    case GoType::int32:
        return Basic::integer;
    case GoType::uint8:
    case GoType::uint64:
        return Basic::natural;
    case GoType::float64:
        return Basic::number;
    case GoType::string:
        return Basic::string;
    default:
        return Basic::none;
    }
}

bool is_nil_payload(const GoValue& value) {
    if (value.is_nil()) return true;
    if (value.is_list()) return value.list == nullptr;
    return value.is_map() && value.map == nullptr;
}

std::string shown_as(FunctionCall& call, const GoValue& value, std::string_view verb) {
    TextBuilder out(call.arena);
    format_values(out, verb, {&value, 1});
    return out.bytes;
}

bool equal(FunctionCall& call, const GoValue& a, const GoValue& b) {
    const Basic ka = basic_kind(a), kb = basic_kind(b);
    if (ka != kb) {
        if (ka == Basic::integer && kb == Basic::natural) return a.integer >= 0 && a.natural == b.natural;
        if (ka == Basic::natural && kb == Basic::integer) return b.integer >= 0 && a.natural == b.natural;
        if (!a.is_nil() && !b.is_nil())
            call.fail("incompatible types for comparison: " + type_name(a) + " and " + type_name(b));
        return false;
    }
    switch (ka) {
    case Basic::boolean:
        return a.boolean == b.boolean;
    case Basic::integer:
    case Basic::natural:
        return a.integer == b.integer;
    case Basic::number:
        return a.number == b.number;
    case Basic::string:
        return a.str() == b.str();
    case Basic::none:
        break;
    }
    if (!a.is_nil() && !b.is_nil() && kind_name(a) != kind_name(b)) {
        call.fail("non-comparable types " + shown_as(call, a, "%s") + ": " + type_name(a) + ", " + type_name(b) + ": " +
                  plain_text(b));
        return false;
    }
    if (is_nil_payload(a) || is_nil_payload(b)) return is_nil_payload(a) && is_nil_payload(b);
    if (b.type == GoType::object) return a.object == b.object;
    call.fail("non-comparable type " + shown_as(call, b, "%s") + ": " + type_name(b));
    return false;
}

bool less(FunctionCall& call, const GoValue& a, const GoValue& b) {
    const Basic ka = basic_kind(a), kb = basic_kind(b);
    if (ka == Basic::none || kb == Basic::none) {
        call.fail("invalid type for comparison");
        return false;
    }
    if (ka != kb) {
        if (ka == Basic::integer && kb == Basic::natural) return a.integer < 0 || a.natural < b.natural;
        if (ka == Basic::natural && kb == Basic::integer) return b.integer >= 0 && a.natural < b.natural;
        call.fail("incompatible types for comparison: " + type_name(a) + " and " + type_name(b));
        return false;
    }
    switch (ka) {
    case Basic::integer:
        return a.integer < b.integer;
    case Basic::natural:
        return a.natural < b.natural;
    case Basic::number:
        return a.number < b.number;
    case Basic::string:
        return a.str() < b.str();
    default:
        call.fail("invalid type for comparison");
        return false;
    }
}

GoValue eq(FunctionCall& call) {
    if (call.args.size() == 1) return call.fail("missing argument for comparison");
    for (std::size_t i = 1; i < call.args.size(); ++i) {
        const bool same = equal(call, call.args[0], call.args[i]);
        if (!call.error.empty()) return {};
        if (same) return make_bool(true);
    }
    return make_bool(false);
}

GoValue ne(FunctionCall& call) {
    return make_bool(!equal(call, call.args[0], call.args[1]));
}

GoValue lt(FunctionCall& call) {
    return make_bool(less(call, call.args[0], call.args[1]));
}

GoValue le(FunctionCall& call) {
    const bool is_less = less(call, call.args[0], call.args[1]);
    return make_bool(is_less || (call.error.empty() && equal(call, call.args[0], call.args[1])));
}

GoValue gt(FunctionCall& call) {
    const GoValue not_greater = le(call);
    return make_bool(!not_greater.boolean);
}

GoValue ge(FunctionCall& call) {
    return make_bool(!less(call, call.args[0], call.args[1]));
}

GoValue not_(FunctionCall& call) {
    GoValue result = make_bool(!is_true(call.args[0]));
    result.origin = truth_origin(call.arena, call.args[0]);
    call.keep_origin = true;
    return result;
}

// How far an index may go; -1 and an error when it is none.
std::int64_t index_of(FunctionCall& call, const GoValue& index, std::size_t size) {
    if (index.is_nil()) {
        call.fail("cannot index slice/array with nil");
        return -1;
    }
    if (!index.is_integer()) {
        call.fail("cannot index slice/array with type " + type_name(index));
        return -1;
    }
    if (index.integer < 0 || index.integer > static_cast<std::int64_t>(size)) {
        call.fail("index out of range: " + std::to_string(index.integer));
        return -1;
    }
    return index.integer;
}

GoValue index(FunctionCall& call) {
    GoValue item = call.args[0];
    if (item.is_nil()) return call.fail("index of untyped nil");
    const ValueOrigin* all = doubt_about(call.arena, item);
    for (std::size_t i = 1; i < call.args.size(); ++i) {
        const GoValue& at = call.args[i];
        if (item.is_nil()) return call.fail("index of nil pointer");
        if (item.is_list() || item.is_string() || item.type == GoType::bytes) {
            const std::int64_t n = index_of(call, at, length(item));
            if (n < 0) return {};
            if (static_cast<std::size_t>(n) == length(item))
                return call.fail(item.is_string() ? "reflect: string index out of range"
                                                  : "reflect: slice index out of range");
            if (item.is_list()) {
                item = items(item)[static_cast<std::size_t>(n)];
            } else {
                const ValueOrigin* origin = item.origin;
                item = make_int(static_cast<unsigned char>(item.str()[static_cast<std::size_t>(n)]), GoType::uint8);
                item.origin = origin;
            }
        } else if (item.is_map()) {
            if (at.is_nil()) return call.fail("value is nil; should be of type string");
            if (!at.is_string()) return call.fail("value has type " + type_name(at) + "; should be string");
            const GoType type = item.type;
            item = element(item, at.str());
            if (item.is_nil() && type == GoType::string_map) item = make_string(call.arena, "");
        } else {
            return call.fail("can't index item of type " + type_name(item));
        }
        all = join(call.arena, all, own_origin(call.arena, at));
        all = join(call.arena, all, doubt_about(call.arena, item));
    }
    item.origin = join(call.arena, item.origin, all);
    call.keep_origin = true;
    return item;
}

GoValue len(FunctionCall& call) {
    const GoValue& item = call.args[0];
    if (item.type == GoType::nil) return call.fail("len of nil pointer");
    if (item.type == GoType::invalid) return call.fail("reflect: call of reflect.Value.Type on zero Value");
    if (!item.is_string() && item.type != GoType::bytes && !item.is_list() && !item.is_map())
        return call.fail("len of type " + type_name(item));
    return make_int(static_cast<std::int64_t>(length(item)));
}

GoValue print(FunctionCall& call) {
    TextBuilder out(call.arena);
    print_values(out, call.args);
    return out.finish();
}

GoValue println(FunctionCall& call) {
    TextBuilder out(call.arena);
    print_lines(out, call.args);
    return out.finish();
}

GoValue printf_(FunctionCall& call) {
    TextBuilder out(call.arena);
    const GoValue& format = call.args[0];
    format_values(out, format.str(), call.args.subspan(1));
    return out.finish(format.origin);
}

std::string all_text(FunctionCall& call) {
    if (call.args.size() == 1 && call.args[0].is_string()) return std::string(call.args[0].str());
    TextBuilder out(call.arena);
    std::vector<GoValue> shown(call.args.begin(), call.args.end());
    for (GoValue& value : shown)
        if (value.is_nil()) value = make_string(call.arena, "<no value>");
    print_values(out, shown);
    return out.bytes;
}

GoValue html(FunctionCall& call) {
    std::string out;
    for (char c : all_text(call)) {
        switch (c) {
        case '\0':
            out += "\xef\xbf\xbd";
            break;
        case '"':
            out += "&#34;";
            break;
        case '\'':
            out += "&#39;";
            break;
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        default:
            out += c;
        }
    }
    return make_string(call.arena, out);
}

GoValue js(FunctionCall& call) {
    const std::string text = all_text(call);
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const Rune rune = decode_rune(text, at);
        const char32_t c = rune.value;
        if (c == '\\' || c == '\'' || c == '"') {
            out += '\\';
            out += static_cast<char>(c);
        } else if (c == '<' || c == '>' || c == '&' || c == '=' || c < ' ' || (c >= 0x80 && !is_printable(c))) {
            char code[16];
            std::snprintf(code, sizeof code, "\\u%04X", static_cast<unsigned>(c));
            out += code;
        } else {
            append_rune(out, c);
        }
        at += rune.size;
    }
    return make_string(call.arena, out);
}

GoValue urlquery(FunctionCall& call) {
    std::string out;
    for (char c : all_text(call)) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == ' ') {
            out += '+';
        } else if (is_letter(c) || is_digit(c) || c == '-' || c == '_' || c == '.' || c == '~') {
            out += c;
        } else {
            char code[4];
            std::snprintf(code, sizeof code, "%%%02X", byte);
            out += code;
        }
    }
    return make_string(call.arena, out);
}

GoValue call_(FunctionCall& call) {
    if (call.args[0].is_nil()) return call.fail("call of nil");
    return call.fail("non-function  of type " + type_name(call.args[0]));
}

GoValue nothing(FunctionCall&) {
    return {};
}

constexpr std::array builtin_functions_table = {
    TemplateFunction{"and", "rr*", nothing, true, false, '&'},
    TemplateFunction{"call", "rr*", call_, true},
    TemplateFunction{"eq", "rr*", eq, true},
    TemplateFunction{"ge", "rr", ge, true},
    TemplateFunction{"gt", "rr", gt, true},
    TemplateFunction{"html", "a*", html, true},
    TemplateFunction{"index", "rr*", index, true},
    TemplateFunction{"js", "a*", js, true},
    TemplateFunction{"le", "rr", le, true},
    TemplateFunction{"len", "r", len, true},
    TemplateFunction{"lt", "rr", lt, true},
    TemplateFunction{"ne", "rr", ne, true},
    TemplateFunction{"not", "r", not_, true},
    TemplateFunction{"or", "rr*", nothing, true, false, '|'},
    TemplateFunction{"print", "a*", print, true},
    TemplateFunction{"printf", "sa*", printf_, true},
    TemplateFunction{"println", "a*", println, true},
    TemplateFunction{"urlquery", "a*", urlquery, true},
};

} // namespace

std::span<const TemplateFunction> builtin_functions() {
    return builtin_functions_table;
}

} // namespace lockstep
