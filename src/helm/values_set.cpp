// `--set`: keys with dots, indexes in brackets, lists in braces, a backslash before what is meant as it is.
#include "helm/chart.h"
#include "helm/go_number.h"
#include "helm/runes.h"

namespace lockstep {
namespace {

constexpr std::size_t largest_index = 65536;
constexpr int deepest = 30;

class SetReader {
public:
    SetReader(ValueArena& arena, std::string_view text, bool as_strings, const ValueOrigin* origin)
        : arena_(arena), text_(text), as_strings_(as_strings), origin_(origin) {}

    std::string run(GoMap& into) {
        while (error_.empty() && at_ < text_.size())
            key(into, 0);
        return error_;
    }

private:
    bool ended() const { return at_ >= text_.size(); }
    void fail(std::string message) {
        if (error_.empty()) error_ = std::move(message);
    }

    // Reads up to one of `stops`, which is passed over; '\0' at the end of the text.
    std::string until(std::string_view stops, char& stop) {
        std::string out;
        stop = '\0';
        while (!ended()) {
            const char c = text_[at_++];
            if (stops.find(c) != std::string_view::npos) {
                stop = c;
                return out;
            }
            if (c == '\\') {
                if (ended()) return out;
                out += text_[at_++];
            } else {
                out += c;
            }
        }
        return out;
    }

    GoValue typed(const std::string& text) const {
        GoValue value;
        const std::string lower = lower_text(text);
        if (as_strings_)
            value = make_string(arena_, text);
        else if (lower == "true" || lower == "false")
            value = make_bool(lower == "true");
        else if (lower == "null")
            value = make_nil();
        else if (text == "0")
            value = make_int(0, GoType::int64);
        else if (const auto number = parse_int(text, 10); number && !number->out_of_range && text[0] != '0')
            value = make_int(number->value, GoType::int64);
        else
            value = make_string(arena_, text);
        value.origin = origin_;
        return value;
    }

    void set(GoMap& into, const std::string& name, const GoValue& value) {
        if (!name.empty()) put(arena_, into, arena_.copy(name), value, origin_);
    }

    GoValue value() {
        char stop = '\0';
        if (!ended() && text_[at_] == '{') {
            ++at_;
            GoValue list = make_list(arena_);
            list.origin = origin_;
            while (true) {
                const std::string item = until(",}", stop);
                if (stop == '\0') {
                    fail("list must terminate with '}'");
                    return list;
                }
                push(arena_, *list.list, typed(item));
                if (stop == '}') break;
            }
            if (!ended() && text_[at_] == ',') ++at_;
            return list;
        }
        return typed(until(",", stop));
    }

    bool index(std::size_t& number) {
        char stop = '\0';
        const std::string text = until("]", stop);
        const auto parsed = parse_int(text, 10);
        if (!parsed) {
            fail("error parsing index: strconv.Atoi: parsing " + quoted(text) + ": invalid syntax");
            return false;
        }
        if (parsed->value < 0) {
            fail("negative " + std::to_string(parsed->value) + " index not allowed");
            return false;
        }
        number = static_cast<std::size_t>(parsed->value);
        if (number > largest_index) {
            fail("index of " + std::to_string(number) + " is greater than maximum supported index of " +
                 std::to_string(largest_index));
            return false;
        }
        return true;
    }

    void item(GoValue& list, std::size_t number, int depth) {
        char stop = '\0';
        const std::string between = until("[.=", stop);
        if (!between.empty()) return fail("unexpected data at end of array index: " + quoted(between));
        if (stop == '\0' || depth > deepest) return;
        list.list = copy_of(list);
        while (list.list->size <= number)
            push(arena_, *list.list, make_nil());
        GoValue& place = list.list->items[number];
        if (stop == '=') {
            place = value();
        } else if (stop == '[') {
            std::size_t next = 0;
            if (!index(next)) return;
            GoValue inner = place.is_list() ? place : make_list(arena_);
            item(inner, next, depth + 1);
            list.list->items[number] = inner;
        } else {
            GoValue inner = place.is_any_map() && place.map != nullptr ? place : make_map(arena_);
            list.list->items[number] = inner;
            key(*inner.map, depth + 1);
        }
    }

    GoList* copy_of(const GoValue& list) {
        GoList* copy = arena_.make<GoList>();
        for (const GoValue& one : items(list))
            push(arena_, *copy, one);
        return copy;
    }

    void key(GoMap& into, int depth) {
        char stop = '\0';
        const std::string name = until("=[,.", stop);
        if (stop == '\0') {
            if (!name.empty()) fail("key " + quoted(name) + " has no value");
            return;
        }
        if (stop == ',') {
            set(into, name, typed(""));
            return fail("key " + quoted(name) + " has no value (cannot end with ,)");
        }
        if (stop == '=') {
            set(into, name, value());
        } else if (stop == '[') {
            std::size_t number = 0;
            if (!index(number)) return;
            GoEntry* found = into.find(name);
            GoValue list = found != nullptr && found->value.is_list() ? found->value : make_list(arena_);
            item(list, number, depth);
            set(into, name, list);
        } else {
            if (depth >= deepest)
                return fail("value name nested level is greater than maximum supported nested level of " +
                            std::to_string(deepest));
            GoEntry* found = into.find(name);
            if (found != nullptr && !found->value.is_any_map())
                return fail("unable to parse key: interface conversion: interface {} is " + type_name(found->value) +
                            ", not map[string]interface {}");
            const GoValue inner = found != nullptr && found->value.map != nullptr ? found->value : make_map(arena_);
            key(*inner.map, depth + 1);
            if (inner.map->size > 0) set(into, name, inner);
        }
    }

    ValueArena& arena_;
    std::string_view text_;
    std::size_t at_ = 0;
    bool as_strings_;
    const ValueOrigin* origin_;
    std::string error_;
};

} // namespace

std::string set_values(ValueArena& arena, GoValue& values, std::string_view text, bool as_strings,
                       const ValueOrigin* origin) {
    if (!values.is_any_map() || values.map == nullptr) values = make_map(arena);
    return SetReader(arena, text, as_strings, origin).run(*values.map);
}

} // namespace lockstep
