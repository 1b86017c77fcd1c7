// sprig's functions on lists.
#include "helm/functions.h"
#include "helm/go_format.h"
#include "helm/go_number.h"
#include "helm/number_casts.h"
#include "helm/template_run.h"
#include "helm/text_builder.h"
#include <algorithm>
#include <array>

namespace lockstep {
namespace {

// True for what reflection calls a slice. A nil has no type to ask for: Go panics.
bool is_slice(FunctionCall& call, const GoValue& value, std::string_view complaint) {
    if (value.is_list()) return true;
    if (value.is_nil())
        call.fail("runtime error: invalid memory address or nil pointer dereference");
    else
        call.fail(std::string(complaint) + std::string(kind_name(value)));
    return false;
}

GoValue list_of(FunctionCall& call, std::span<const GoValue> values) {
    GoValue list = make_list(call.arena, GoType::any_list, values.size());
    std::copy(values.begin(), values.end(), list.list->items);
    list.list->size = static_cast<std::uint32_t>(values.size());
    return list;
}

GoValue list(FunctionCall& call) {
    call.keep_origin = true;
    return list_of(call, call.args);
}

GoValue append(FunctionCall& call) {
    if (!is_slice(call, call.args[0], "Cannot push on type ")) return {};
    const auto old = items(call.args[0]);
    std::vector<GoValue> all(old.begin(), old.end());
    all.push_back(call.args[1]);
    GoValue made = list_of(call, all);
    call.keep_origin = true;
    made.origin = call.args[0].origin;
    return made;
}

GoValue prepend(FunctionCall& call) {
    if (!is_slice(call, call.args[0], "Cannot prepend on type ")) return {};
    const auto old = items(call.args[0]);
    std::vector<GoValue> all{call.args[1]};
    all.insert(all.end(), old.begin(), old.end());
    GoValue made = list_of(call, all);
    call.keep_origin = true;
    made.origin = call.args[0].origin;
    return made;
}

GoValue first(FunctionCall& call) {
    if (!is_slice(call, call.args[0], "Cannot find first on type ")) return {};
    const auto all = items(call.args[0]);
    return all.empty() ? make_nil() : all.front();
}

GoValue last(FunctionCall& call) {
    if (!is_slice(call, call.args[0], "Cannot find last on type ")) return {};
    const auto all = items(call.args[0]);
    return all.empty() ? make_nil() : all.back();
}

GoValue nil_list() {
    GoValue none;
    none.type = GoType::any_list;
    none.list = nullptr;
    return none;
}

GoValue rest(FunctionCall& call) {
    if (!is_slice(call, call.args[0], "Cannot find rest on type ")) return {};
    const auto all = items(call.args[0]);
    return all.empty() ? nil_list() : list_of(call, all.subspan(1));
}

GoValue initial(FunctionCall& call) {
    if (!is_slice(call, call.args[0], "Cannot find initial on type ")) return {};
    const auto all = items(call.args[0]);
    return all.empty() ? nil_list() : list_of(call, all.first(all.size() - 1));
}

GoValue reverse(FunctionCall& call) {
    if (!is_slice(call, call.args[0], "Cannot find reverse on type ")) return {};
    GoValue made = list_of(call, items(call.args[0]));
    std::reverse(made.list->items, made.list->items + made.list->size);
    return made;
}

// Which items are left, or whether one is there, hangs on all of them.
const ValueOrigin* unknown_items(FunctionCall& call, const GoValue& list) {
    const ValueOrigin* all = list.origin;
    for (const GoValue& item : items(list))
        if (const ValueOrigin* one = own_origin(call.arena, item); one != nullptr && one->unknown)
            return join(call.arena, all, one);
    return all;
}

GoValue compact(FunctionCall& call) {
    if (!is_slice(call, call.args[0], "Cannot compact on type ")) return {};
    GoValue made = make_list(call.arena);
    for (const GoValue& item : items(call.args[0]))
        if (is_true(item)) push(call.arena, *made.list, item);
    made.origin = unknown_items(call, call.args[0]);
    return made;
}

bool in_list(ValueArena& arena, std::span<const GoValue> values, const GoValue& wanted) {
    return std::any_of(values.begin(), values.end(), [&](const GoValue& v) { return deep_equal(arena, wanted, v); });
}

GoValue uniq(FunctionCall& call) {
    if (!is_slice(call, call.args[0], "Cannot find uniq on type ")) return {};
    GoValue made = make_list(call.arena);
    for (const GoValue& item : items(call.args[0])) {
        if (made.list->size > 20000) return call.fail("uniq of too long a list");
        if (!in_list(call.arena, made.list->all(), item)) push(call.arena, *made.list, item);
    }
    made.origin = unknown_items(call, call.args[0]);
    return made;
}

GoValue without(FunctionCall& call) {
    if (!is_slice(call, call.args[0], "Cannot find without on type ")) return {};
    GoValue made = make_list(call.arena);
    for (const GoValue& item : items(call.args[0]))
        if (!in_list(call.arena, call.args.subspan(1), item)) push(call.arena, *made.list, item);
    made.origin = unknown_items(call, call.args[0]);
    return made;
}

GoValue has(FunctionCall& call) {
    if (call.args[1].is_nil()) return make_bool(false);
    if (!is_slice(call, call.args[1], "Cannot find has on type ")) return {};
    GoValue result = make_bool(in_list(call.arena, items(call.args[1]), call.args[0]));
    result.origin = join(call.arena, unknown_items(call, call.args[1]), own_origin(call.arena, call.args[0]));
    return result;
}

GoValue slice(FunctionCall& call) {
    if (!is_slice(call, call.args[0], "list should be type of slice or array but ")) return {};
    const auto all = items(call.args[0]);
    if (all.empty()) return make_nil();
    const auto size = static_cast<std::int64_t>(all.size());
    const std::int64_t begin = call.args.size() > 1 ? cast_int(call.args[1]) : 0;
    const std::int64_t end = call.args.size() > 2 ? cast_int(call.args[2]) : size;
    if (begin < 0 || end < begin || end > size) return call.fail("reflect.Value.Slice: slice index out of bounds");
    GoValue made = list_of(call, all.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
    made.type = call.args[0].type;
    return made;
}

GoValue concat(FunctionCall& call) {
    GoValue made = nil_list();
    for (const GoValue& value : call.args) {
        if (!value.is_list()) {
            if (value.is_nil()) return call.fail("runtime error: invalid memory address or nil pointer dereference");
            return call.fail("Cannot concat type " + std::string(kind_name(value)) + " as list");
        }
        if (made.list == nullptr && !items(value).empty()) made.list = call.arena.make<GoList>();
        for (const GoValue& item : items(value))
            push(call.arena, *made.list, item);
        if (value.unknown()) made.origin = join(call.arena, made.origin, value.origin);
    }
    call.keep_origin = true;
    return made;
}

GoValue chunk(FunctionCall& call) {
    const std::int64_t size = call.args[0].integer;
    if (!is_slice(call, call.args[1], "Cannot chunk type ")) return {};
    if (size <= 0) return call.fail("runtime error: makeslice: len out of range");
    const auto all = items(call.args[1]);
    GoValue made = make_list(call.arena, GoType::list_list);
    for (std::size_t at = 0; at < all.size(); at += static_cast<std::size_t>(size))
        push(call.arena, *made.list,
             list_of(call, all.subspan(at, std::min(static_cast<std::size_t>(size), all.size() - at))));
    return made;
}

GoValue strings_of(FunctionCall& call, const GoValue& value) {
    if (value.type == GoType::string_list) return value;
    GoValue made = make_list(call.arena, GoType::string_list);
    if (value.is_list()) {
        for (const GoValue& item : items(value))
            if (!item.is_nil()) push(call.arena, *made.list, string_value(call.arena, item));
    } else if (!value.is_nil()) {
        push(call.arena, *made.list, string_value(call.arena, value));
    }
    return made;
}

GoValue to_strings(FunctionCall& call) {
    return strings_of(call, call.args[0]);
}

GoValue sort_alpha(FunctionCall& call) {
    const GoValue& value = call.args[0];
    GoValue made = strings_of(call, value);
    if (value.is_nil()) push(call.arena, *made.list, make_string(call.arena, "<nil>"));
    std::stable_sort(made.list == nullptr ? nullptr : made.list->items,
                     made.list == nullptr ? nullptr : made.list->items + made.list->size,
                     [](const GoValue& a, const GoValue& b) { return a.str() < b.str(); });
    return made;
}

GoValue steps(FunctionCall& call, std::int64_t start, std::int64_t stop, std::int64_t step) {
    GoValue made = make_list(call.arena, GoType::int_list);
    if (stop < start ? step >= 0 : step <= 0) return made;
    if ((stop - start) / step > 1'000'000) {
        return call.fail("a list of more than a million numbers");
    }
    for (std::int64_t i = start; stop < start ? i > stop : i < stop; i += step)
        push(call.arena, *made.list, make_int(i));
    return made;
}

GoValue until(FunctionCall& call) {
    const std::int64_t count = call.args[0].integer;
    return steps(call, 0, count, count < 0 ? -1 : 1);
}

GoValue until_step(FunctionCall& call) {
    return steps(call, call.args[0].integer, call.args[1].integer, call.args[2].integer);
}

GoValue seq(FunctionCall& call) {
    const std::size_t count = call.args.size();
    if (count == 0 || count > 3) return make_string(call.arena, "");
    const std::int64_t start = count == 1 ? 1 : call.args[0].integer;
    const std::int64_t end = call.args[count - 1].integer;
    const std::int64_t direction = end < start ? -1 : 1;
    const std::int64_t step = count == 3 ? call.args[1].integer : direction;
    if (count == 3 && end < start && step > 0) return make_string(call.arena, "");
    const GoValue all = steps(call, start, end + direction, step);
    if (!call.error.empty()) return {};
    std::string out;
    for (const GoValue& item : items(all))
        out += (out.empty() ? "" : " ") + std::to_string(item.integer);
    return make_string(call.arena, out);
}

constexpr std::array list_functions_table = {
    TemplateFunction{"append", "aa", append},
    TemplateFunction{"chunk", "ia", chunk},
    TemplateFunction{"compact", "a", compact},
    TemplateFunction{"concat", "a*", concat},
    TemplateFunction{"first", "a", first},
    TemplateFunction{"has", "aa", has},
    TemplateFunction{"initial", "a", initial},
    TemplateFunction{"last", "a", last},
    TemplateFunction{"list", "a*", list},
    TemplateFunction{"mustAppend", "aa", append},
    TemplateFunction{"mustChunk", "ia", chunk},
    TemplateFunction{"mustCompact", "a", compact},
    TemplateFunction{"mustFirst", "a", first},
    TemplateFunction{"mustHas", "aa", has},
    TemplateFunction{"mustInitial", "a", initial},
    TemplateFunction{"mustLast", "a", last},
    TemplateFunction{"mustPrepend", "aa", prepend},
    TemplateFunction{"mustPush", "aa", append},
    TemplateFunction{"mustRest", "a", rest},
    TemplateFunction{"mustReverse", "a", reverse},
    TemplateFunction{"mustSlice", "aa*", slice},
    TemplateFunction{"mustUniq", "a", uniq},
    TemplateFunction{"mustWithout", "aa*", without},
    TemplateFunction{"prepend", "aa", prepend},
    TemplateFunction{"push", "aa", append},
    TemplateFunction{"rest", "a", rest},
    TemplateFunction{"reverse", "a", reverse},
    TemplateFunction{"seq", "i*", seq},
    TemplateFunction{"slice", "aa*", slice},
    TemplateFunction{"sortAlpha", "a", sort_alpha},
    TemplateFunction{"toStrings", "a", to_strings},
    TemplateFunction{"tuple", "a*", list},
    TemplateFunction{"uniq", "a", uniq},
    TemplateFunction{"until", "i", until},
    TemplateFunction{"untilStep", "iii", until_step},
    TemplateFunction{"without", "aa*", without},
};

} // namespace

std::span<const TemplateFunction> list_functions() {
    return list_functions_table;
}

} // namespace lockstep
