// `--set`: keys with dots, indexes in brackets, lists in braces, a backslash before what is meant as it is.
#include "helm/chart.h"
#include "helm/go_number.h"
#include "helm/runes.h"

namespace lockstep {
namespace {

constexpr std::int64_t largest_index = 65536;
constexpr int deepest_set = 30;
constexpr int deepest_list = 1000; // Helm knows no limit

class SetReader {
public:
    SetReader(ValueArena& arena, std::string_view text, bool as_strings, HelmVersion helm, const ValueOrigin* origin)
        : arena_(arena), text_(text), as_strings_(as_strings), helm_(helm), origin_(origin) {}

    std::string run(GoMap& into) {
        while (key(into, 0) == Step::done) {
        }
        return error_;
    }

private:
    // How a step of Go's parser ends: without an error, with io.EOF, with another.
    enum class Step : std::uint8_t { done, ended, failed };

    bool ended() const { return at_ >= text_.size(); }
    Step fail(std::string message) {
        error_ = std::move(message);
        return Step::failed;
    }
    Step fail_conversion(const GoValue& value, std::string_view wanted) {
        return fail("unable to parse key: interface conversion: interface {} is " +
                    (value.is_nil() ? std::string("nil") : std::string(type_name(value))) + ", not " +
                    std::string(wanted));
    }

    // Reads up to one of `stops`, which is passed over.
    Step until(std::string_view stops, std::string& out, char& stop) {
        while (!ended()) {
            const char c = text_[at_++];
            if (stops.find(c) != std::string_view::npos) {
                stop = c;
                return Step::done;
            }
            if (c == '\\') {
                if (ended()) return Step::ended;
                out += text_[at_++];
            } else {
                out += c;
            }
        }
        return Step::ended;
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

    Step set_item(GoValue& list, std::int64_t number, const GoValue& value) {
        if (number > largest_index)
            return fail("index of " + std::to_string(number) + " is greater than maximum supported index of " +
                        std::to_string(largest_index));
        while (list.list->size <= static_cast<std::size_t>(number))
            push(arena_, *list.list, make_nil());
        list.list->items[number] = value;
        return Step::done;
    }

    GoValue new_list() const {
        GoValue list = make_list(arena_);
        list.origin = origin_;
        return list;
    }

    // What is behind `=`. At the end of the text it is an empty string, and `ended`.
    Step value(GoValue& made) {
        if (ended()) {
            made = make_string(arena_, "", origin_);
            return Step::ended;
        }
        char stop = '\0';
        if (text_[at_] != '{') {
            std::string text;
            until(",", text, stop);
            made = typed(text);
            return Step::done;
        }
        ++at_;
        made = new_list();
        while (stop != '}') {
            std::string item;
            if (until(",}", item, stop) == Step::ended) return fail("list must terminate with '}'");
            push(arena_, *made.list, typed(item));
        }
        if (!ended() && text_[at_] == ',') ++at_;
        return Step::done;
    }

    Step index(std::int64_t& number) {
        char stop = '\0';
        std::string text;
        if (until("]", text, stop) == Step::ended)
            return helm_.unclosed_index_passes() ? Step::ended : fail("error parsing index: EOF");
        const auto parsed = parse_int(text, 10);
        if (parsed) number = parsed->value;
        if (parsed && !parsed->out_of_range) return Step::done;
        return fail("error parsing index: strconv.Atoi: parsing " + lockstep::quoted(text) +
                    (parsed ? ": value out of range" : ": invalid syntax"));
    }

    // `%q` of a []rune.
    static std::string quoted_runes(const std::string& text) {
        std::string shown = "[";
        for (std::size_t at = 0; at < text.size();) {
            const Rune rune = decode_rune(text, at);
            if (at > 0) shown += ' ';
            append_rune_quoted(shown, rune.value);
            at += rune.size;
        }
        return shown + "]";
    }

    Step item(GoValue& list, std::int64_t number, int depth, int lists) {
        if (number < 0) return fail("negative " + std::to_string(number) + " index not allowed");
        if (lists > deepest_list) return fail("lists are nested more than " + std::to_string(deepest_list) + " deep");
        char stop = '\0';
        std::string between;
        const Step head = until("[.=", between, stop);
        if (!between.empty()) return fail("unexpected data at end of array index: " + quoted_runes(between));
        if (head == Step::ended) return head;
        const std::span<const GoValue> there = items(list);
        const GoValue own =
            static_cast<std::size_t>(number) < there.size() ? there[static_cast<std::size_t>(number)] : make_nil();
        if (stop == '=') {
            GoValue made;
            if (value(made) == Step::failed) return Step::failed;
            return set_item(list, number, made);
        }
        if (stop == '[') {
            std::int64_t next = 0;
            if (const Step step = index(next); step != Step::done) return step;
            if (!own.is_nil() && !own.is_list()) return fail_conversion(own, "[]interface {}");
            GoValue inner = own.is_list() && own.list != nullptr ? own : new_list();
            if (const Step step = item(inner, next, depth, lists + 1); step != Step::done) return step;
            return set_item(list, number, inner);
        }
        const bool is_map = own.is_any_map() && own.map != nullptr;
        const GoValue inner = is_map ? own : make_map(arena_);
        if (!is_map && static_cast<std::size_t>(number) < there.size()) set_item(list, number, inner);
        if (const Step step = key(*inner.map, depth); step != Step::done) return step;
        return set_item(list, number, inner);
    }

    Step key(GoMap& into, int depth) {
        char stop = '\0';
        std::string name;
        if (until("=[,.", name, stop) == Step::ended)
            return name.empty() ? Step::ended : fail("key " + lockstep::quoted(name) + " has no value");
        if (stop == ',') return fail("key " + lockstep::quoted(name) + " has no value (cannot end with ,)");
        if (stop == '=') {
            GoValue made;
            const Step step = value(made);
            if (step != Step::failed) set(into, name, made);
            return step;
        }
        const GoEntry* found = into.find(name);
        if (stop == '[') {
            std::int64_t number = 0;
            if (const Step step = index(number); step != Step::done) return step;
            if (found != nullptr && !found->value.is_list()) return fail_conversion(found->value, "[]interface {}");
            GoValue list = found != nullptr && found->value.list != nullptr ? found->value : new_list();
            const Step step = item(list, number, depth, 0);
            if (step != Step::failed) set(into, name, list);
            return step;
        }
        if (depth >= deepest_set)
            return fail("value name nested level is greater than maximum supported nested level of " +
                        std::to_string(deepest_set));
        if (found != nullptr && !found->value.is_any_map())
            return fail_conversion(found->value, "map[string]interface {}");
        const GoValue inner = found != nullptr && found->value.map != nullptr ? found->value : make_map(arena_);
        const Step step = key(*inner.map, depth + 1);
        if (step == Step::done && inner.map->size == 0)
            return fail("key map " + lockstep::quoted(name) + " has no value");
        if (inner.map->size > 0) set(into, name, inner);
        return step;
    }

    ValueArena& arena_;
    std::string_view text_;
    std::size_t at_ = 0;
    bool as_strings_;
    HelmVersion helm_;
    const ValueOrigin* origin_;
    std::string error_;
};

} // namespace

std::string set_values(ValueArena& arena, GoValue& values, std::string_view text, bool as_strings, HelmVersion helm,
                       const ValueOrigin* origin) {
    if (!values.is_any_map() || values.map == nullptr) values = make_map(arena);
    return SetReader(arena, text, as_strings, helm, origin).run(*values.map);
}

} // namespace lockstep
