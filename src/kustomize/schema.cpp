// Types for merging.
#include "kustomize/schema.h"
#include "kustomize/ids.h"
#include "yaml/data_table.h"

namespace lockstep {
namespace {

std::vector<std::string> split_commas(std::string_view text) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        const std::size_t comma = text.find(',');
        parts.emplace_back(text.substr(0, comma));
        text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    }
    return parts;
}

std::string_view referred(const Value& property) {
    constexpr std::string_view prefix = "#/definitions/";
    const std::string_view ref = property.text_of("$ref");
    return ref.starts_with(prefix) ? ref.substr(prefix.size()) : std::string_view();
}

} // namespace

bool SchemaField::merges() const {
    for (const std::string& one : split_commas(strategy))
        if (one == "merge") return true;
    return false;
}

const SchemaSet& SchemaSet::kubernetes() {
    static const SchemaSet set = [] {
        SchemaSet made;
        made.builtin_ = true;
        for (const DataRow& row : data_table("kustomize-merge-keys"))
            made.fields_[row[0]][row[1]] = {row[2], split_commas(row[3]), row[4]};
        return made;
    }();
    return set;
}

void SchemaSet::add_type(const std::string& name, const Value& definition) {
    const Value* properties = definition.get("properties");
    if (!properties || !properties->is_mapping()) return;
    for (std::size_t j = 0; j < properties->size(); ++j) {
        const Value& property = *properties->value_at(j);
        const std::string key(properties->key_at(j)->text);
        SchemaField field;
        field.strategy = property.text_of("x-kubernetes-patch-strategy");
        if (const Value* keys = property.get("x-kubernetes-list-map-keys"); keys && !field.strategy.empty()) {
            for (const Value* one : keys->items())
                field.keys.emplace_back(one->text);
        } else if (const std::string_view one = property.text_of("x-kubernetes-patch-merge-key"); !one.empty())
            field.keys.emplace_back(one);
        const Value* items = property.get("items");
        const Value& type = items ? *items : property;
        field.type = referred(type);
        if (field.type.empty() && type.get("properties")) { // a type without a name
            field.type = name + "/" + key;
            add_type(field.type, type);
        }
        fields_[name][key] = std::move(field);
    }
}

std::string SchemaSet::parse(const Value& document, SchemaSet& set) {
    const Value* definitions = document.get("definitions");
    if (!definitions || !definitions->is_mapping()) return {};
    for (std::size_t i = 0; i < definitions->size(); ++i) {
        const std::string name(definitions->key_at(i)->text);
        const Value& definition = *definitions->value_at(i);
        if (const Value* kinds = definition.get("x-kubernetes-group-version-kind"))
            for (const Value* kind : kinds->items()) {
                const std::string group(kind->text_of("group"));
                set.kinds_[(group.empty() ? "" : group + "/") + std::string(kind->text_of("version")) + "/" +
                           std::string(kind->text_of("kind"))] = name;
            }
        set.add_type(name, definition);
    }
    return {};
}

std::string_view SchemaSet::type_of(std::string_view api_version, std::string_view kind) const {
    if (builtin_) return definition_of(api_version, kind);
    const auto found = kinds_.find(std::string(api_version) + "/" + std::string(kind));
    if (found != kinds_.end()) return found->second;
    return with_kubernetes_ ? definition_of(api_version, kind) : std::string_view();
}

const SchemaField* SchemaSet::field(std::string_view type, std::string_view name) const {
    const auto fields = fields_.find(type);
    if (fields == fields_.end()) return with_kubernetes_ ? kubernetes().field(type, name) : nullptr;
    const auto field = fields->second.find(name);
    return field == fields->second.end() ? nullptr : &field->second;
}

} // namespace lockstep
