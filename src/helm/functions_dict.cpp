// sprig's functions on maps, defaults and types.
#include "helm/functions.h"
#include "helm/go_format.h"
#include "helm/runes.h"
#include "helm/template_run.h"
#include "helm/text_builder.h"
#include <array>

namespace lockstep {
namespace {

GoValue dict(FunctionCall& call) {
    GoValue made = make_map(call.arena);
    for (std::size_t i = 0; i < call.args.size(); i += 2) {
        const GoValue key =
            call.args[i].is_nil() ? make_string(call.arena, "<nil>") : string_value(call.arena, call.args[i]);
        put(call.arena, *made.map, key.str(), i + 1 < call.args.size() ? call.args[i + 1] : make_string(call.arena, ""),
            key.origin);
    }
    for (GoEntry& entry : made.map->all())
        if (entry.value.type == GoType::invalid) entry.value.type = GoType::nil;
    call.keep_origin = true;
    return made;
}

// What of a key and of the map is unknown: another one would be taken, or there would be none.
const ValueOrigin* unknown_choice(FunctionCall& call, const GoValue& map, const GoValue& key) {
    const ValueOrigin* by_key = whole_origin(call.arena, key);
    const ValueOrigin* by_map = doubt_about(call.arena, map, key.str());
    return by_key != nullptr && by_key->unknown ? join(call.arena, by_map, by_key) : by_map;
}

GoValue get(FunctionCall& call) {
    const GoValue& map = call.args[0];
    const GoEntry* found = map.map == nullptr ? nullptr : map.map->find(call.args[1].str());
    GoValue value = found == nullptr ? make_string(call.arena, "") : found->value;
    value.origin = join(call.arena, value.origin, unknown_choice(call, map, call.args[1]));
    call.keep_origin = true;
    return value;
}

GoValue set(FunctionCall& call) {
    GoValue map = call.args[0];
    if (map.map == nullptr) return call.fail("assignment to entry in nil map");
    GoValue value = call.args[2];
    if (value.type == GoType::invalid) value.type = GoType::nil;
    const ValueOrigin* by = call.run.decided(); // later actions print it
    const ValueOrigin* key = whole_origin(call.arena, call.args[1]);
    value = with_origin(call.arena, value, by);
    if (by != nullptr && (value.is_list() || value.is_map())) { // what is inside hangs on it, too
        ValueOrigin inside{{}, by->unknown, false, true, value.origin, by};
        inside.unknown = inside.unknown || value.origin->unknown;
        value.origin = call.arena.make<ValueOrigin>(inside);
    }
    put(call.arena, *map.map, call.args[1].str(), value, join(call.arena, key, by));
    if (key != nullptr && key->unknown) add_doubt(call.arena, *map.map, {}, key);
    call.keep_origin = true;
    return map;
}

GoValue unset(FunctionCall& call) {
    if (call.args[0].map != nullptr) {
        remove(*call.args[0].map, call.args[1].str());
        if (const ValueOrigin* by = call.run.doubt()) add_doubt(call.arena, *call.args[0].map, call.args[1].str(), by);
    }
    call.keep_origin = true;
    return call.args[0];
}

GoValue has_key(FunctionCall& call) {
    const GoValue& map = call.args[0];
    const GoEntry* found = map.map == nullptr ? nullptr : map.map->find(call.args[1].str());
    GoValue result = make_bool(found != nullptr);
    if (found != nullptr) result.origin = found->key_origin;
    if (entries(map).empty()) result.origin = map.origin;
    result.origin = join(call.arena, result.origin, unknown_choice(call, map, call.args[1]));
    call.keep_origin = true;
    return result;
}

GoValue pluck(FunctionCall& call) {
    GoValue made = make_list(call.arena);
    for (const GoValue& map : call.args.subspan(1)) {
        const GoEntry* found = map.map == nullptr ? nullptr : map.map->find(call.args[0].str());
        if (found != nullptr) push(call.arena, *made.list, found->value);
    }
    return made;
}

GoValue keys(FunctionCall& call) {
    GoValue made = make_list(call.arena, GoType::string_list);
    for (const GoValue& map : call.args)
        for (const GoEntry& entry : entries(map))
            push(call.arena, *made.list, make_text(call.arena, {entry.key, {}}, entry.key_origin));
    return made;
}

GoValue values(FunctionCall& call) {
    GoValue made = make_list(call.arena);
    for (const GoEntry& entry : entries(call.args[0]))
        push(call.arena, *made.list, entry.value);
    return made;
}

GoValue pick_or_omit(FunctionCall& call, bool picks) {
    GoValue made = make_map(call.arena);
    for (const GoEntry& entry : entries(call.args[0])) {
        bool named = false;
        for (const GoValue& key : call.args.subspan(1))
            named = named || key.str() == entry.key;
        if (named == picks) put(call.arena, *made.map, entry.key, entry.value, entry.key_origin);
    }
    made.origin = own_origin(call.arena, call.args[0]); // which keys are left
    call.keep_origin = true;
    return made;
}

GoValue pick(FunctionCall& call) {
    return pick_or_omit(call, true);
}

GoValue omit(FunctionCall& call) {
    return pick_or_omit(call, false);
}

// What mergo does to maps: without overwriting, a value that is empty counts as not there.
void merge_into(FunctionCall& call, GoMap& into, const GoMap& from, bool overwrite, int depth) {
    if (depth > 200 || call.arena.exhausted() || !call.arena.spend(from.size + 1)) return;
    const std::vector<GoEntry> all(from.entries, from.entries + from.size); // `into` may be `from`
    const ValueOrigin* by = call.run.doubt();
    for (const GoEntry& entry : all) {
        GoEntry* old = into.find(entry.key);
        if (entry.value.is_nil()) {
            if (overwrite) put(call.arena, into, entry.key, with_origin(call.arena, entry.value, by), entry.key_origin);
            continue;
        }
        if (old != nullptr && entry.value.is_map() && old->value.is_map() && entry.value.map != nullptr &&
            old->value.map != nullptr) {
            const bool full = length(old->value) > 0;
            merge_into(call, *old->value.map, *entry.value.map, overwrite, depth + 1);
            if (full) continue;
            old = into.find(entry.key);
        }
        if (old == nullptr || overwrite || !is_true(old->value))
            put(call.arena, into, entry.key, with_origin(call.arena, entry.value, by), entry.key_origin);
    }
}

GoValue merge_all(FunctionCall& call, bool overwrite) {
    GoValue into = call.args[0];
    for (const GoValue& from : call.args.subspan(1)) {
        if (from.map == nullptr) continue;
        if (into.map == nullptr) into.map = call.arena.make<GoMap>();
        merge_into(call, *into.map, *from.map, overwrite, 0);
        into.origin = join(call.arena, into.origin, doubt_about(call.arena, from));
    }
    call.keep_origin = true;
    return into;
}

GoValue merge(FunctionCall& call) {
    return merge_all(call, false);
}

GoValue merge_overwrite(FunctionCall& call) {
    return merge_all(call, true);
}

std::string conversion_error(const GoValue& value, std::string_view wanted) {
    return "interface conversion: interface {} is " + (value.is_nil() ? std::string("nil") : type_name(value)) +
           ", not " + std::string(wanted);
}

GoValue dig(FunctionCall& call) {
    const auto args = call.args;
    if (args.size() < 3) return call.fail("dig needs at least three arguments");
    GoValue here = args.back();
    if (here.type != GoType::any_map) return call.fail(conversion_error(here, "map[string]interface {}"));
    for (const GoValue& key : args.first(args.size() - 2))
        if (!key.is_string()) return call.fail(conversion_error(key, "string"));
    for (std::size_t i = 0; i + 2 < args.size(); ++i) {
        if (here.type != GoType::any_map) return call.fail(conversion_error(here, "map[string]interface {}"));
        const GoEntry* found = here.map == nullptr ? nullptr : here.map->find(args[i].str());
        const ValueOrigin* choice = unknown_choice(call, here, args[i]);
        if (entries(here).empty()) choice = join(call.arena, here.origin, choice);
        call.keep_origin = true;
        here = with_origin(call.arena, found == nullptr ? args[args.size() - 2] : found->value, choice);
        if (found == nullptr) return here;
    }
    return here;
}

// Whether the first is taken hangs on the given one: what was given stays an origin of the default.
GoValue default_(FunctionCall& call) {
    call.keep_origin = true;
    const bool given = call.args.size() > 1 && is_true(call.args[1]);
    GoValue value = call.args[given ? 1 : 0];
    if (!given && call.args.size() > 1) {
        const ValueOrigin* other = own_origin(call.arena, call.args[1]);
        if (value.is_string() && !value.text->pieces.empty() && other != nullptr) {
            TextBuilder out(call.arena);
            out.add(value);
            out.join_from(0, other);
            return out.finish(join(call.arena, value.origin, other));
        }
        value.origin = join(call.arena, value.origin, other);
    }
    return value;
}

GoValue empty(FunctionCall& call) {
    GoValue result = make_bool(!is_true(call.args[0]));
    result.origin = truth_origin(call.arena, call.args[0]);
    call.keep_origin = true;
    return result;
}

GoValue coalesce(FunctionCall& call) {
    const ValueOrigin* seen = nullptr;
    call.keep_origin = true;
    for (const GoValue& value : call.args) {
        if (is_true(value)) {
            GoValue taken = value;
            taken.origin = join(call.arena, value.origin, seen);
            return taken;
        }
        seen = join(call.arena, seen, own_origin(call.arena, value));
    }
    return make_nil(seen);
}

GoValue all(FunctionCall& call) {
    for (const GoValue& value : call.args)
        if (!is_true(value)) return make_bool(false);
    return make_bool(true);
}

GoValue any(FunctionCall& call) {
    for (const GoValue& value : call.args)
        if (is_true(value)) return make_bool(true);
    return make_bool(false);
}

GoValue ternary(FunctionCall& call) {
    GoValue value = call.args[call.args[2].boolean ? 0 : 1];
    value.origin = join(call.arena, value.origin, call.args[2].origin);
    call.keep_origin = true;
    return value;
}

GoValue deep_copy_(FunctionCall& call) {
    call.keep_origin = true;
    if (call.args[0].is_nil()) return call.fail("reflect: call of reflect.Value.Type on zero Value");
    return deep_copy(call.arena, call.args[0]);
}

GoValue deep_equal_(FunctionCall& call) {
    return make_bool(deep_equal(call.arena, call.args[0], call.args[1]));
}

GoValue type_of(FunctionCall& call) {
    return make_string(call.arena, type_name(call.args[0]));
}

GoValue type_is(FunctionCall& call) {
    return make_bool(call.args[0].str() == type_name(call.args[1]));
}

GoValue type_is_like(FunctionCall& call) {
    const std::string name = type_name(call.args[1]);
    return make_bool(call.args[0].str() == name || "*" + std::string(call.args[0].str()) == name);
}

GoValue kind_of(FunctionCall& call) {
    return make_string(call.arena, kind_name(call.args[0]));
}

GoValue kind_is(FunctionCall& call) {
    return make_bool(call.args[0].str() == kind_name(call.args[1]));
}

constexpr std::array dict_functions_table = {
    TemplateFunction{"all", "a*", all},
    TemplateFunction{"any", "a*", any},
    TemplateFunction{"coalesce", "a*", coalesce},
    TemplateFunction{"deepCopy", "a", deep_copy_},
    TemplateFunction{"deepEqual", "aa", deep_equal_},
    TemplateFunction{"default", "aa*", default_},
    TemplateFunction{"dict", "a*", dict},
    TemplateFunction{"dig", "a*", dig},
    TemplateFunction{"empty", "a", empty},
    TemplateFunction{"get", "ms", get},
    TemplateFunction{"hasKey", "ms", has_key},
    TemplateFunction{"keys", "m*", keys},
    TemplateFunction{"kindIs", "sa", kind_is},
    TemplateFunction{"kindOf", "a", kind_of},
    TemplateFunction{"merge", "mm*", merge},
    TemplateFunction{"mergeOverwrite", "mm*", merge_overwrite},
    TemplateFunction{"mustDeepCopy", "a", deep_copy_},
    TemplateFunction{"mustMerge", "mm*", merge},
    TemplateFunction{"mustMergeOverwrite", "mm*", merge_overwrite},
    TemplateFunction{"omit", "ms*", omit},
    TemplateFunction{"pick", "ms*", pick},
    TemplateFunction{"pluck", "sm*", pluck},
    TemplateFunction{"set", "msa", set},
    TemplateFunction{"ternary", "aab", ternary},
    TemplateFunction{"typeIs", "sa", type_is},
    TemplateFunction{"typeIsLike", "sa", type_is_like},
    TemplateFunction{"typeOf", "a", type_of},
    TemplateFunction{"unset", "ms", unset},
    TemplateFunction{"values", "m", values},
};

} // namespace

std::span<const TemplateFunction> dict_functions() {
    return dict_functions_table;
}

} // namespace lockstep
