// Regular expressions and semantic versions in templates.
#include "base/pattern.h"
#include "base/semver.h"
#include "helm/functions.h"
#include "helm/objects.h"
#include "helm/runes.h"
#include "helm/text_builder.h"
#include <array>

namespace lockstep {
namespace {

std::string shown_pattern(std::string_view text) {
    for (char c : text)
        if (c == '`' || (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == 0x7f) return quoted(text);
    return "`" + std::string(text) + "`";
}

// Making an automaton and running it takes longer than reading.
void spend(FunctionCall& call, const Result<GoPattern>& pattern) {
    constexpr std::size_t for_each_pattern = 2048, for_each_state = 64, for_each_byte = 8;
    std::size_t work = for_each_pattern + for_each_state * (pattern ? pattern->size() : call.args[0].str().size());
    for (const GoValue& value : call.args.subspan(1))
        if (value.is_string()) work += for_each_byte * value.str().size();
    call.arena.spend(work);
}

// MustCompile panics with both, Compile has only the reason.
std::optional<GoPattern> compiled(FunctionCall& call, bool must) {
    const std::string_view text = call.args[0].str();
    Result<GoPattern> pattern = GoPattern::compile(text);
    spend(call, pattern);
    if (pattern) return std::move(*pattern);
    const std::string reason = "error parsing regexp: " + pattern.error().message;
    call.fail(must ? reason : "regexp: Compile(" + shown_pattern(text) + "): " + reason);
    return std::nullopt;
}

GoValue part(FunctionCall& call, Span span) {
    return part_of(call.arena, call.args[1], span.begin, span.end);
}

GoValue regex_match(FunctionCall& call) {
    const Result<GoPattern> pattern = GoPattern::compile(call.args[0].str());
    spend(call, pattern);
    return make_bool(pattern && pattern->search(call.args[1].str()).has_value());
}

GoValue must_regex_match(FunctionCall& call) {
    const auto pattern = compiled(call, true);
    return pattern ? make_bool(pattern->search(call.args[1].str()).has_value()) : GoValue{};
}

template <bool must> GoValue regex_find(FunctionCall& call) {
    const auto pattern = compiled(call, must);
    if (!pattern) return {};
    const auto groups = pattern->search(call.args[1].str());
    return groups ? part(call, *(*groups)[0]) : make_string(call.arena, "");
}

template <bool must> GoValue regex_find_all(FunctionCall& call) {
    const auto pattern = compiled(call, must);
    if (!pattern) return {};
    GoValue list = make_list(call.arena, GoType::string_list);
    const auto all = pattern->search_all(call.args[1].str(), call.args[2].integer);
    for (const auto& groups : all)
        push(call.arena, *list.list, part(call, *groups[0]));
    if (all.empty()) list.list = nullptr;
    return list;
}

// `$1`, `${1}`, `${name}`, `$$`.
void expand(FunctionCall& call, TextBuilder& out, const GoPattern& pattern, const GoPattern::Groups& groups) {
    const std::string_view form = call.args[2].str();
    for (std::size_t at = 0; at < form.size();) {
        const std::size_t dollar = std::min(form.find('$', at), form.size());
        out.add_part(call.args[2], at, dollar);
        if (dollar == form.size()) return;
        at = dollar + 1;
        if (at < form.size() && form[at] == '$') {
            out.add("$");
            ++at;
            continue;
        }
        const bool braces = at < form.size() && form[at] == '{';
        const std::size_t begin = at + (braces ? 1 : 0);
        std::size_t end = begin;
        while (end < form.size()) {
            const Rune rune = decode_rune(form, end);
            if (rune.value != '_' && !is_letter_rune(rune.value) && !is_digit_rune(rune.value)) break;
            end += rune.size;
        }
        if (end == begin || (braces && (end >= form.size() || form[end] != '}'))) {
            out.add("$");
            continue;
        }
        const std::string_view name = form.substr(begin, end - begin);
        at = end + (braces ? 1 : 0);
        std::optional<std::size_t> group;
        if (name.find_first_not_of("0123456789") == std::string_view::npos) {
            if (name.size() < 6) group = static_cast<std::size_t>(std::atoi(std::string(name).c_str()));
        } else {
            group = pattern.group(name);
        }
        if (group && *group < groups.size() && groups[*group])
            out.add_part(call.args[1], groups[*group]->begin, groups[*group]->end);
    }
}

template <bool must, bool literal> GoValue regex_replace(FunctionCall& call) {
    const auto pattern = compiled(call, must);
    if (!pattern) return {};
    const std::string_view text = call.args[1].str();
    TextBuilder out(call.arena);
    std::size_t last = 0, at = 0;
    while (at <= text.size()) {
        const auto groups = pattern->search(text, at);
        if (!groups) break;
        const Span whole = *(*groups)[0];
        out.add_part(call.args[1], last, whole.begin);
        if (whole.end > last || whole.begin == 0) {
            if (literal)
                out.add(call.args[2]);
            else
                expand(call, out, *pattern, *groups);
        }
        last = whole.end;
        const std::size_t width = at < text.size() ? decode_rune(text, at).size : 1;
        at = std::max<std::size_t>(at + width > whole.end ? at + width : whole.end, at + 1);
    }
    out.add_part(call.args[1], last, text.size());
    return out.finish();
}

template <bool must> GoValue regex_split(FunctionCall& call) {
    const auto pattern = compiled(call, must);
    if (!pattern) return {};
    const std::string_view text = call.args[1].str();
    const std::int64_t most = call.args[2].integer;
    GoValue list = make_list(call.arena, GoType::string_list);
    if (most == 0) {
        list.list = nullptr;
        return list;
    }
    if (!call.args[0].str().empty() && text.empty()) {
        push(call.arena, *list.list, call.args[1]);
        return list;
    }
    std::uint32_t begin = 0, end = 0;
    for (const auto& groups : pattern->search_all(text, most)) {
        if (most > 0 && static_cast<std::int64_t>(list.list->size) == most - 1) break;
        end = groups[0]->begin;
        if (groups[0]->end != 0) push(call.arena, *list.list, part(call, {begin, end}));
        begin = groups[0]->end;
    }
    if (end != text.size()) push(call.arena, *list.list, part(call, {begin, static_cast<std::uint32_t>(text.size())}));
    return list;
}

GoValue regex_quote_meta(FunctionCall& call) {
    std::string out;
    for (char c : call.args[0].str()) {
        if (std::string_view("\\.+*?()|[]{}^$").find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return make_string(call.arena, out);
}

GoValue semver_compare(FunctionCall& call) {
    const auto range = Range::parse(call.args[0].str());
    if (!range) return call.fail("improper constraint: " + quoted(call.args[0].str()));
    const auto version = parse_version(call.args[1].str());
    if (!version) return call.fail("invalid semantic version");
    return make_bool(range->contains(*version));
}

GoValue semver(FunctionCall& call) {
    const std::string_view text = call.args[0].str();
    const auto version = parse_version(text);
    if (!version) return call.fail("invalid semantic version");
    return make_struct(make_version(call.arena, *version, text));
}

constexpr std::array pattern_functions_table = {
    TemplateFunction{"mustRegexFind", "ss", regex_find<true>},
    TemplateFunction{"mustRegexFindAll", "ssi", regex_find_all<true>},
    TemplateFunction{"mustRegexMatch", "ss", must_regex_match},
    TemplateFunction{"mustRegexReplaceAll", "sss", regex_replace<true, false>},
    TemplateFunction{"mustRegexReplaceAllLiteral", "sss", regex_replace<true, true>},
    TemplateFunction{"mustRegexSplit", "ssi", regex_split<true>},
    TemplateFunction{"regexFind", "ss", regex_find<false>},
    TemplateFunction{"regexFindAll", "ssi", regex_find_all<false>},
    TemplateFunction{"regexMatch", "ss", regex_match},
    TemplateFunction{"regexQuoteMeta", "s", regex_quote_meta},
    TemplateFunction{"regexReplaceAll", "sss", regex_replace<false, false>},
    TemplateFunction{"regexReplaceAllLiteral", "sss", regex_replace<false, true>},
    TemplateFunction{"regexSplit", "ssi", regex_split<false>},
    TemplateFunction{"semver", "s", semver},
    TemplateFunction{"semverCompare", "ss", semver_compare},
};

} // namespace

std::span<const TemplateFunction> pattern_functions() {
    return pattern_functions_table;
}

} // namespace lockstep
