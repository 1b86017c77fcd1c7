// The walk over an object and its patch, side by side.
#include "kustomize/merge.h"
#include "kustomize/merge_lists.h"
#include "kustomize/tree_edit.h"
#include <algorithm>
#include <set>

namespace lockstep {
namespace {

bool missing(const Value* value) {
    return !value || value->is_null();
}

class Merger {
public:
    Merger(const SchemaSet& types, Arena& arena) : types_(types), arena_(arena) {}
    std::string error;

    // The merged value, or nullptr for one that is gone. `type` is the definition of the value, or of its items.
    Value* walk(Value* dest, Value* patch, const SchemaField* field, std::string_view type) {
        if (!error.empty()) return nullptr;
        const Value* first = !missing(dest) ? dest : !missing(patch) ? patch : nullptr;
        if (!first) return walk_map(dest, patch, type);
        for (const Value* one : {dest, patch})
            if (!missing(one) && one->kind != first->kind) return fail(wrong_kind(*one, first->kind));
        if (first->is_mapping()) return walk_map(dest, patch, type);
        if (first->is_scalar()) return patch ? patch : dest;
        if (!field || !field->merges()) return patch ? patch : dest;
        return walk_list(dest, patch, *field, type);
    }

private:
    enum class Directive : std::uint8_t { merge, replace, remove, bad };

    Value* fail(std::string why) {
        if (error.empty()) error = std::move(why);
        return nullptr;
    }

    Directive directive_named(std::string_view name) {
        if (name == "delete") return Directive::remove;
        if (name == "replace") return Directive::replace;
        if (name == "merge") return Directive::merge;
        return Directive::bad;
    }

    // Reads `$patch` and takes it away.
    Directive take_directive(Value* patch, bool report) {
        if (!patch) return Directive::merge;
        std::string name;
        if (patch->is_mapping()) {
            const Value* found = patch->get("$patch");
            if (!found) return Directive::merge;
            name = found->text;
            if (directive_named(name) != Directive::bad) erase(*patch, "$patch");
        } else if (patch->is_sequence()) {
            const Value* found = nullptr;
            for (const Value* item : patch->items())
                if (item->is_mapping() && item->get("$patch")) {
                    found = item;
                    break;
                }
            if (!found || found->size() > 1) return Directive::merge;
            name = found->get("$patch")->text;
            if (directive_named(name) != Directive::bad) set_element(*patch, nullptr, {"$patch"}, {name}, arena_);
        } else
            return Directive::bad;
        const Directive directive = directive_named(name);
        if (directive == Directive::bad && report) fail("unknown patch strategy '" + name + "'");
        return directive;
    }

    // What the patch says about the value as a whole: null where it takes it away.
    Value* directed(Value* dest, Value* patch) {
        if (patch && patch->is_null()) return nullptr;
        const Directive directive = take_directive(patch, true);
        return directive == Directive::remove ? nullptr : directive == Directive::replace ? patch : dest;
    }

    Value* walk_map(Value* dest, Value* patch, std::string_view type) {
        if (missing(dest)) {
            if (take_directive(patch, false) == Directive::remove) return nullptr;
            if (!patch && dest && !dest->text.empty()) return kept_null_ = dest; // an explicit null stays
            dest = patch;
        } else
            dest = directed(dest, patch);
        if (!dest || !error.empty()) return nullptr;
        if (!dest->is_mapping()) return dest;
        std::set<std::string_view> names;
        for (const Value* one : {dest, patch})
            if (one && one->is_mapping())
                for (std::size_t i = 0; i < one->size(); ++i)
                    names.insert(one->key_at(i)->text);
        for (const std::string_view name : names) {
            Value* old = dest->get(name);
            Value* fresh = patch && patch->is_mapping() ? patch->get(name) : nullptr;
            const Value* fresh_key = fresh ? patch->get_key(name) : nullptr;
            const SchemaField* field = types_.field(type, name);
            Value* value = walk(old, fresh, field, field ? std::string_view(field->type) : std::string_view());
            if (!error.empty()) return nullptr;
            set_field(*dest, name, fresh_key, value, old);
        }
        return dest;
    }

    // As a field setter does: null takes the field away, a new value takes over the old one's style.
    void set_field(Value& mapping, std::string_view name, const Value* key, Value* value, const Value* old) {
        if (!value || (value->is_null() && value != kept_null_)) {
            erase(mapping, name);
            return;
        }
        if (value == old) return;
        if (Value* field = mapping.get(name)) {
            if (value->is_scalar()) {
                const NodeStyle style = field->style;
                const bool scalar = field->is_scalar();
                *field = *value;
                field->style = scalar ? style : NodeStyle::plain;
            } else
                *field = *value;
            return;
        }
        Value* made = key ? arena_.make<Value>(*key) : make_text(arena_, name);
        append_entry(mapping, made, value, arena_);
    }

    Value* walk_list(Value* dest, Value* patch, const SchemaField& field, std::string_view type) {
        dest = missing(dest) ? patch : directed(dest, patch);
        if (!dest || !error.empty()) return nullptr;
        std::vector<const Value*> sources;
        for (const Value* one : {patch, dest}) // new items come first
            if (one && one->is_sequence()) sources.push_back(one);
        if (!field.keys.empty()) return merge_items(*dest, patch, item_values(sources, field.keys), field.keys, type);
        return merge_items(*dest, patch, primitive_values(sources), {""}, type);
    }

    Value* merge_items(Value& dest, Value* patch, std::vector<ItemKey> values, const std::vector<std::string>& keys,
                       std::string_view type) {
        if (keys.size() > 1) merge_values(values);
        Value* added = make_sequence(arena_);
        added->place = dest.place;
        ValidKeys valid;
        for (const ItemKey& key : values) {
            if (key.empty()) continue;
            valid = valid_keys(values, key, keys);
            const ValidKeys own = valid_keys({valid.values}, valid.values, valid.keys);
            Value* item = walk(find_element(dest, own.keys, own.values),
                               patch ? find_element(*patch, own.keys, own.values) : nullptr, nullptr, type);
            if (!error.empty()) return nullptr;
            if (missing(item) || (item->is_mapping() && item->count == 0)) {
                for (std::size_t i = 0; i < valid.keys.size(); ++i)
                    set_element(dest, nullptr, valid.keys, valid.values, arena_);
                continue;
            }
            for (std::size_t i = 0; i < valid.keys.size() && i < valid.values.size(); ++i)
                if (item->is_mapping() && !item->get(valid.keys[i]) && !valid.values[i].empty())
                    append_entry(*item, make_text(arena_, valid.keys[i]),
                                 make_scalar(arena_, arena_.keep(valid.values[i]), resolved_tag(valid.values[i])),
                                 arena_);
            set_element(*added, item, valid.keys, valid.values, arena_);
        }
        if (values.empty()) return &dest;
        append_elements(*added, dest, valid.keys, arena_);
        return added;
    }

    const SchemaSet& types_;
    Arena& arena_;
    Value* kept_null_ = nullptr;
};

void mark_own_places(Value& value) {
    value.changed_by = value.place;
    for (Value* child : value.all())
        mark_own_places(*child);
}

} // namespace

Merged merge_patch(Value* tree, Value* patch, const SchemaSet& types, Arena& arena) {
    mark_own_places(*patch);
    std::string_view type = types.type_of(tree->text_of("apiVersion"), tree->text_of("kind"));
    if (type.empty()) type = types.type_of(patch->text_of("apiVersion"), patch->text_of("kind"));
    Merger merger(types, arena);
    Merged merged;
    merged.tree = merger.walk(tree, patch, nullptr, type);
    merged.error = std::move(merger.error);
    if (!merged.error.empty()) merged.tree = nullptr;
    return merged;
}

} // namespace lockstep
