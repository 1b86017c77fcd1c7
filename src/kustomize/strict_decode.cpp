// Walks a tree along Go's types.
#include "kustomize/strict_decode.h"
#include "kustomize/documents.h"
#include "yaml/data_table.h"
#include "yaml/scalar_type.h"
#include <algorithm>
#include <charconv>
#include <map>

namespace lockstep {
namespace {

struct GoField {
    std::string name, type;
    std::string inside; // the embedded structs that it is declared in: `GeneratorArgs.KvPairSources.`
};

struct GoTypes {
    std::map<std::string, std::vector<GoField>, std::less<>> structs;
    std::map<std::string, std::string, std::less<>> renamed; // types that are a simple one by another name
};

std::string_view after_package(std::string_view type) {
    return type.substr(type.find('.') + 1);
}

void add_fields(const std::vector<DataRow>& rows, const std::string& type, const std::string& inside,
                std::vector<GoField>& out) {
    for (const DataRow& row : rows) {
        if (row[0] != type) continue;
        if (row[1] == "inline")
            add_fields(rows, row[2], inside + std::string(after_package(row[2])) + ".", out);
        else
            out.push_back({row[1], row[2], inside});
    }
}

const GoTypes& go_types() {
    static const GoTypes types = [] {
        GoTypes made;
        const std::vector<DataRow> rows = data_table("kustomize-types");
        for (const DataRow& row : rows)
            if (row[1].empty())
                made.renamed[row[0]] = row[2];
            else if (!made.structs.contains(row[0]))
                add_fields(rows, row[0], "", made.structs[row[0]]);
        return made;
    }();
    return types;
}

bool same_letters(std::string_view a, std::string_view b) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

const GoField* field_named(const std::vector<GoField>& fields, std::string_view name) {
    for (const GoField& field : fields)
        if (field.name == name) return &field;
    for (const GoField& field : fields)
        if (same_letters(field.name, name)) return &field;
    return nullptr;
}

std::string json_name(const Value& value) {
    if (value.is_mapping()) return "object";
    if (value.is_sequence()) return "array";
    const JsonType type = json_scalar(value).type;
    return type == JsonType::number ? "number" : type == JsonType::boolean ? "bool" : "string";
}

class Decoder {
public:
    explicit Decoder(Arena& arena) : arena_(arena) {}

    DecodeProblem problem;

    void read(Value& value, std::string_view type) {
        if (value.is_null()) return zero(value, type);
        if (type.starts_with('*')) type.remove_prefix(1);
        const std::string_view shown = type;
        if (const auto base = go_types().renamed.find(type); base != go_types().renamed.end()) type = base->second;
        if (type == "interface {}") return;
        if (type.starts_with("[]")) {
            if (!value.is_sequence()) return wrong(value, shown);
            for (Value* item : value.items())
                read(*item, type.substr(2));
        } else if (type.starts_with("map[")) {
            if (!value.is_mapping()) return wrong(value, shown);
            for (const std::size_t i : in_order(value))
                read(*value.value_at(i), type.substr(type.find(']') + 1));
        } else if (const auto fields = go_types().structs.find(type); fields != go_types().structs.end()) {
            if (!value.is_mapping()) return wrong(value, shown);
            read_fields(value, fields->second, after_package(type));
        } else
            read_scalar(value, type, shown);
    }

private:
    void fail(std::string message, const Value& at, bool unknown_field = false) {
        if (problem.message.empty()) problem = {std::move(message), &at, unknown_field};
        problem.unknown_field = problem.unknown_field && unknown_field;
    }

    void wrong(const Value& value, std::string_view type, std::string_view number = {}) {
        std::string said = "json: cannot unmarshal " + json_name(value) + std::string(number.empty() ? "" : " ") +
                           std::string(number) + " into Go ";
        said += path_.empty() ? "value" : "struct field " + std::string(struct_) + "." + path_;
        fail(said + " of type " + std::string(type), value);
    }

    // What null leaves of an item or an entry: nothing is written into it.
    static void zero(Value& value, std::string_view type) {
        value.text = {};
        value.style = NodeStyle::double_quoted;
        value.tag = "!!str";
        if (!type.starts_with('*') && !go_types().structs.contains(type)) return;
        value.kind = NodeKind::mapping;
        value.style = NodeStyle::plain;
        value.tag = "!!map";
    }

    // Positions of the entries as JSON has them: sorted by key, of one key the last.
    std::vector<std::size_t> in_order(Value& mapping) const {
        std::vector<std::size_t> order(mapping.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            order[i] = i;
            Value& key = *mapping.key_at(i);
            if (!key.is_scalar() || key.is_string()) continue;
            const JsonScalar scalar = json_scalar(key);
            key.text = scalar.made.empty() ? scalar.text : arena_.keep(scalar.made);
        }
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return mapping.key_at(a)->text < mapping.key_at(b)->text;
        });
        const auto same = [&](std::size_t a, std::size_t b) {
            return mapping.key_at(a)->text == mapping.key_at(b)->text;
        };
        order.erase(order.begin(), std::unique(order.rbegin(), order.rend(), same).base());
        keep(mapping, order);
        return order;
    }

    // Drops the other entries; the positions are those of the rest from then on.
    static void keep(Value& mapping, std::vector<std::size_t>& order) {
        if (order.size() == mapping.size()) return;
        std::vector<std::size_t> left = order, moved(mapping.size());
        std::sort(left.begin(), left.end());
        for (std::size_t i = 0; i < left.size(); ++i) {
            moved[left[i]] = i;
            mapping.children[2 * i] = mapping.children[2 * left[i]];
            mapping.children[2 * i + 1] = mapping.children[2 * left[i] + 1];
        }
        mapping.count = static_cast<std::uint32_t>(2 * left.size());
        for (std::size_t& one : order)
            one = moved[one];
    }

    void read_fields(Value& value, const std::vector<GoField>& fields, std::string_view name) {
        std::map<const GoField*, std::size_t> kept;
        for (const std::size_t i : in_order(value)) {
            Value& key = *value.key_at(i);
            const GoField* field = field_named(fields, key.text);
            if (!field) {
                fail("json: unknown field " + go_quoted(key.text), key, true);
                continue;
            }
            if (value.value_at(i)->is_null()) continue;
            key.text = field->name;
            kept[field] = i;
            const std::string_view outer = struct_;
            const std::size_t length = path_.size();
            struct_ = name;
            path_ += (path_.empty() ? "" : ".") + field->inside + field->name;
            read(*value.value_at(i), field->type);
            path_.resize(length);
            struct_ = outer;
        }
        std::vector<std::size_t> order;
        for (const auto& [field, i] : kept)
            order.push_back(i);
        keep(value, order);
    }

    void read_scalar(Value& value, std::string_view type, std::string_view shown) {
        if (!value.is_scalar()) return wrong(value, shown);
        const JsonScalar scalar = json_scalar(value);
        if (scalar.type == JsonType::bad) return fail(scalar.made, value);
        if (type == "string") {
            if (scalar.type != JsonType::text) return wrong(value, shown);
            value.tag = "!!str";
        } else if (type == "bool") {
            if (scalar.type != JsonType::boolean) return wrong(value, shown);
            value.tag = "!!bool";
        } else {
            if (scalar.type != JsonType::number) return wrong(value, shown);
            std::int64_t number = 0;
            const std::string_view digits = scalar.shown();
            const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
            if (error != std::errc() || end != digits.data() + digits.size()) return wrong(value, shown, digits);
            value.tag = "!!int";
        }
        value.tagged = false;
        value.text = scalar.made.empty() ? scalar.text : arena_.keep(scalar.made);
    }

    Arena& arena_;
    std::string_view struct_; // the struct that is read, and the names that lead to its field
    std::string path_;
};

} // namespace

DecodeProblem decode_strictly(Value& tree, std::string_view type, Arena& arena) {
    Decoder decoder(arena);
    decoder.read(tree, type);
    return std::move(decoder.problem);
}

} // namespace lockstep
