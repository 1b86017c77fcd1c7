// Items of lists that merge.
#include "kustomize/merge_lists.h"
#include <algorithm>
#include <set>

namespace lockstep {
namespace {

bool is_empty(const Value* value) {
    return !value || value->is_null() || (value->is_mapping() && value->count == 0) ||
           (value->is_sequence() && value->count == 0) || (value->is_scalar() && value->text.empty());
}

bool match(const ItemKey& a, const ItemKey& b, ItemKey& common) {
    if (a.size() != b.size()) return false;
    bool any = false;
    common.clear();
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i] == b[i])
            any = true;
        else if (!a[i].empty() && !b[i].empty())
            return false;
        common.push_back(a[i].empty() ? b[i] : a[i]);
    }
    return any;
}

// A field with this value; any value where none is asked for.
bool has_field(const Value& item, std::string_view key, std::string_view value) {
    const Value* field = item.get(key);
    if (!field) return false;
    return value.empty() || field->text == value;
}

bool matches(const Value& item, const std::vector<std::string>& keys, const ItemKey& values) {
    bool found = false;
    for (std::size_t j = 0; j < keys.size(); ++j) {
        if (j < values.size())
            found = keys[j].empty() ? item.is_scalar() && item.text == values[j] : has_field(item, keys[j], values[j]);
        if (!found) return false;
    }
    return true;
}

} // namespace

std::vector<ItemKey> item_values(const std::vector<const Value*>& sources, const std::vector<std::string>& keys) {
    std::vector<ItemKey> all;
    std::set<ItemKey> seen;
    for (const Value* source : sources)
        for (const Value* item : source->items()) {
            ItemKey values;
            for (const std::string& key : keys) {
                const Value* field = item->get(key);
                values.emplace_back(is_empty(field) ? std::string_view() : field->text);
            }
            if (seen.insert(values).second) all.push_back(std::move(values));
        }
    return all;
}

std::vector<ItemKey> primitive_values(const std::vector<const Value*>& sources) {
    std::vector<ItemKey> all;
    std::set<std::string_view> seen;
    for (const Value* source : sources)
        for (const Value* item : source->items())
            if (seen.insert(item->text).second) all.push_back({std::string(item->text)});
    return all;
}

void merge_values(std::vector<ItemKey>& values) {
    ItemKey common;
    for (std::size_t i = 0; i < values.size(); ++i)
        for (std::size_t j = 0; j < values.size(); ++j)
            if (match(ItemKey(values[i]), values[j], common)) values[i] = values[j] = common;
}

ValidKeys valid_keys(const std::vector<ItemKey>& all, const ItemKey& values, const std::vector<std::string>& keys) {
    std::set<std::string> used;
    for (const ItemKey& one : all)
        for (std::size_t i = 0; i < one.size(); ++i)
            if (!one[i].empty()) used.insert(keys[i]);
    if (used.empty()) return {keys, values};
    ValidKeys valid;
    for (const std::string& key : keys)
        if (used.contains(key)) valid.keys.push_back(key);
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!values[i].empty() || used.contains(keys[i])) valid.values.push_back(values[i]);
    return valid;
}

Value* find_element(const Value& list, const std::vector<std::string>& keys, const ItemKey& values) {
    if (!list.is_sequence()) return nullptr;
    if (keys.empty() || keys[0].empty()) {
        for (Value* item : list.items())
            if (item->text == (values.empty() ? std::string_view() : std::string_view(values[0]))) return item;
        return nullptr;
    }
    if (keys.size() != values.size()) return nullptr;
    for (Value* item : list.items()) {
        // Unlike those that set_element replaces: an item without a value for its key is none with any value.
        bool same = item->is_mapping();
        for (std::size_t i = 0; i < keys.size() && same; ++i) {
            const Value* field = item->get(keys[i]);
            same = field && field->text == values[i];
        }
        if (same) return item;
    }
    return nullptr;
}

void set_element(Value& list, Value* element, const std::vector<std::string>& keys, const ItemKey& values,
                 Arena& arena) {
    const bool by_field = !keys.empty() && !keys[0].empty();
    bool found = false;
    const auto is_dropped = [](const Value* item) {
        return item->is_null() || (item->is_mapping() && item->count == 0);
    };
    if (element && !values.empty() && std::none_of(list.items().begin(), list.items().end(), is_dropped)) {
        for (std::uint32_t i = 0; i < list.count; ++i) { // nothing goes: no need to write the list anew
            if ((!list.children[i]->is_mapping() && by_field) || !matches(*list.children[i], keys, values)) continue;
            list.children[i] = element;
            found = true;
        }
        if (!element->is_null() && !found) append(list, element, arena);
        return;
    }
    std::vector<Value*> kept;
    for (Value* item : list.items()) {
        if (is_dropped(item)) continue;
        if (!item->is_mapping() && by_field) {
            kept.push_back(item);
            continue;
        }
        if (!matches(*item, keys, values)) {
            if (!values.empty()) kept.push_back(item);
            continue;
        }
        found = true;
        if (element) kept.push_back(element);
    }
    list.count = 0;
    for (Value* item : kept)
        append(list, item, arena);
    if (element && !element->is_null() && !found) append(list, element, arena);
}

void append_elements(Value& into, const Value& from, const std::vector<std::string>& keys, Arena& arena) {
    const std::vector<Value*> items(from.items().begin(), from.items().end());
    for (Value* item : items) {
        if (keys.empty() || keys[0].empty()) {
            set_element(into, item, {""}, {std::string(item->text)}, arena);
            continue;
        }
        ItemKey values;
        for (const std::string& key : keys) {
            const Value* field = item->get(key);
            if (!field || field->is_null())
                append(into, item, arena);
            else
                values.emplace_back(field->text);
        }
        if (keys.size() > 1) set_element(into, nullptr, keys, values, arena);
        set_element(into, item, keys, values, arena);
    }
}

} // namespace lockstep
