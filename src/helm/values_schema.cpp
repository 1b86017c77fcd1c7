// values.schema.json: the keywords that charts use, with the words of the validator that Helm has. References to other
// documents and formats are not followed: what cannot be checked passes.
#include "base/pattern.h"
#include "helm/chart.h"
#include "helm/go_format.h"
#include "helm/go_number.h"
#include "helm/json_io.h"
#include "helm/runes.h"
#include "yaml/scalar_type.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace lockstep {
namespace {

constexpr int deepest_schema = 60;
constexpr std::size_t most_schema_steps = 1'000'000; // schemas, keys, patterns and comparisons that are looked at

// One complaint, and those that it is made of.
struct Complaint {
    std::string at, words;
    std::vector<Complaint> causes = {};
};

std::string json_type(const GoValue& value) {
    if (value.is_nil()) return "null";
    if (value.type == GoType::boolean) return "boolean";
    if (value.is_string()) return "string";
    if (value.is_list()) return "array";
    if (value.is_map()) return "object";
    return "number";
}

double number_of(const GoValue& value) {
    return value.is_integer() ? static_cast<double>(value.integer) : value.number;
}

bool is_number(const GoValue& value) {
    return value.is_integer() || value.type == GoType::float64;
}

std::string shown_number(const GoValue& value) {
    return value.is_integer() ? std::to_string(value.integer) : json_float(value.number);
}

std::string shown_value(const GoValue& value) {
    if (value.is_string()) return "'" + std::string(value.str()) + "'";
    ValueArena scratch;
    TextBuilder out(scratch);
    write_json(out, value);
    return out.bytes;
}

bool same_value(const GoValue& a, const GoValue& b) {
    if (is_number(a) && is_number(b)) return number_of(a) == number_of(b);
    ValueArena scratch;
    return deep_equal(scratch, a, b);
}

std::string listed(const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& name : names)
        out += (out.empty() ? "'" : ", '") + name + "'";
    return out;
}

class Validator {
public:
    explicit Validator(const GoValue& root) : root_(root) {}

    void check(const GoValue& schema, const GoValue& value, const std::string& at, std::vector<Complaint>& found,
               int depth) {
        if (depth > deepest_schema || !spend()) return;
        if (schema.type == GoType::boolean) {
            if (!schema.boolean) found.push_back({at, "false schema"});
            return;
        }
        if (!schema.is_map()) return;
        if (const GoValue ref = element(schema, "$ref"); ref.is_string())
            if (const GoValue* target = resolve(ref.str())) check(*target, value, at, found, depth + 1);
        check_type(schema, value, at, found);
        check_constants(schema, value, at, found);
        if (is_number(value)) check_number(schema, value, at, found);
        if (value.is_string()) check_string(schema, value, at, found);
        if (value.is_map()) check_object(schema, value, at, found, depth);
        if (value.is_list()) check_array(schema, value, at, found, depth);
        check_combined(schema, value, at, found, depth);
    }

    bool is_over() const { return steps_ > most_schema_steps; }

private:
    // False when that was too much.
    bool spend(std::size_t steps = 1) {
        steps_ += steps;
        return !is_over();
    }

    const std::optional<GoPattern>& pattern(std::string_view text) {
        const auto [known, fresh] = patterns_.try_emplace(text);
        if (fresh)
            if (auto compiled = GoPattern::compile(text)) known->second = std::move(*compiled);
        return known->second;
    }

    const GoValue* resolve(std::string_view ref) {
        if (!ref.starts_with('#')) return nullptr;
        const GoValue* here = &root_;
        ref.remove_prefix(1);
        while (!ref.empty()) {
            if (ref[0] != '/') return nullptr;
            const std::size_t end = std::min(ref.find('/', 1), ref.size());
            std::string step(ref.substr(1, end - 1));
            for (const auto& [code, plain] : {std::pair{"~1", "/"}, std::pair{"~0", "~"}, std::pair{"%24", "$"}})
                for (std::size_t i = step.find(code); i != std::string::npos; i = step.find(code))
                    step.replace(i, std::string_view(code).size(), plain);
            ref.remove_prefix(end);
            if (here->is_map()) {
                const GoEntry* found = here->map->find(step);
                if (found == nullptr) return nullptr;
                here = &found->value;
            } else if (const auto index = parse_int(step, 10);
                       here->is_list() && index && index->value >= 0 &&
                       static_cast<std::size_t>(index->value) < items(*here).size()) {
                here = &items(*here)[static_cast<std::size_t>(index->value)];
            } else {
                return nullptr;
            }
        }
        return here;
    }

    static bool has_type(const GoValue& value, std::string_view type) {
        const std::string own = json_type(value);
        if (type == "integer") return own == "number" && std::trunc(number_of(value)) == number_of(value);
        return own == type;
    }

    static void check_type(const GoValue& schema, const GoValue& value, const std::string& at,
                           std::vector<Complaint>& found) {
        const GoValue type = element(schema, "type");
        std::vector<std::string> wanted;
        if (type.is_string()) wanted.emplace_back(type.str());
        if (type.is_list())
            for (const GoValue& one : items(type))
                if (one.is_string()) wanted.emplace_back(one.str());
        if (wanted.empty()) return;
        for (const std::string& one : wanted)
            if (has_type(value, one)) return;
        std::string names;
        for (const std::string& one : wanted)
            names += (names.empty() ? "" : " or ") + one;
        found.push_back({at, "got " + json_type(value) + ", want " + names});
    }

    void check_constants(const GoValue& schema, const GoValue& value, const std::string& at,
                         std::vector<Complaint>& found) {
        if (const GoEntry* constant = schema.map->find("const");
            constant != nullptr && !same_value(constant->value, value))
            found.push_back({at, "value must be " + shown_value(constant->value)});
        const GoValue choices = element(schema, "enum");
        if (!choices.is_list()) return;
        std::string names;
        for (const GoValue& one : items(choices)) {
            if (!spend()) return;
            if (same_value(one, value)) return;
            names += (names.empty() ? "" : ", ") + shown_value(one);
        }
        found.push_back({at, "value must be one of " + names});
    }

    static void check_number(const GoValue& schema, const GoValue& value, const std::string& at,
                             std::vector<Complaint>& found) {
        const double number = number_of(value);
        const auto limit = [&](std::string_view name, auto broken) {
            const GoValue bound = element(schema, name);
            if (!is_number(bound) || !broken(number_of(bound))) return;
            found.push_back({at, std::string(name) + ": got " + shown_number(value) + ", want " + shown_number(bound)});
        };
        limit("minimum", [&](double bound) { return number < bound; });
        limit("maximum", [&](double bound) { return number > bound; });
        limit("exclusiveMinimum", [&](double bound) { return number <= bound; });
        limit("exclusiveMaximum", [&](double bound) { return number >= bound; });
        limit("multipleOf", [&](double bound) { return bound > 0 && std::fabs(std::remainder(number, bound)) > 1e-9; });
    }

    static void check_size(const GoValue& schema, std::string_view name, std::size_t size, bool least,
                           const std::string& at, std::vector<Complaint>& found) {
        const GoValue bound = element(schema, name);
        if (!is_number(bound)) return;
        const double wanted = number_of(bound), has = static_cast<double>(size);
        if (least ? has >= wanted : has <= wanted) return;
        found.push_back({at, std::string(name) + ": got " + std::to_string(size) + ", want " + shown_number(bound)});
    }

    void check_string(const GoValue& schema, const GoValue& value, const std::string& at,
                      std::vector<Complaint>& found) {
        check_size(schema, "minLength", count_runes(value.str()), true, at, found);
        check_size(schema, "maxLength", count_runes(value.str()), false, at, found);
        const GoValue wanted = element(schema, "pattern");
        if (!wanted.is_string()) return;
        const auto& compiled = pattern(wanted.str());
        if (compiled && !compiled->search(value.str()))
            found.push_back(
                {at, "'" + std::string(value.str()) + "' does not match pattern '" + std::string(wanted.str()) + "'"});
    }

    void check_object(const GoValue& schema, const GoValue& value, const std::string& at, std::vector<Complaint>& found,
                      int depth) {
        check_size(schema, "minProperties", length(value), true, at, found);
        check_size(schema, "maxProperties", length(value), false, at, found);
        check_required(element(schema, "required"), value, at, found);
        const GoValue properties = element(schema, "properties"), patterns = element(schema, "patternProperties");
        const GoEntry* additional = schema.map->find("additionalProperties");
        std::vector<std::string> extra;
        for (const GoEntry& entry : entries(value)) {
            if (!spend()) return;
            const std::string inner = at + "/" + pointer_step(entry.key);
            bool known = false;
            if (const GoEntry* own = properties.is_map() ? properties.map->find(entry.key) : nullptr) {
                known = true;
                check(own->value, entry.value, inner, found, depth + 1);
            }
            if (patterns.is_map())
                for (const GoEntry& one : entries(patterns)) {
                    if (!spend()) return;
                    const auto& compiled = pattern(one.key);
                    if (!compiled || !compiled->search(entry.key)) continue;
                    known = true;
                    check(one.value, entry.value, inner, found, depth + 1);
                }
            if (known || additional == nullptr) continue;
            if (additional->value.type == GoType::boolean) {
                if (!additional->value.boolean) extra.emplace_back(entry.key);
            } else {
                check(additional->value, entry.value, inner, found, depth + 1);
            }
        }
        if (!extra.empty()) found.push_back({at, "additional properties " + listed(extra) + " not allowed"});
        if (const GoValue names = element(schema, "propertyNames"); !names.is_nil())
            for (const GoEntry& entry : entries(value)) {
                std::vector<Complaint> inner;
                const GoText text{entry.key, {}};
                GoValue name;
                name.type = GoType::string;
                name.text = &text;
                check(names, name, "", inner, depth + 1);
                if (!inner.empty())
                    found.push_back({at, "invalid propertyName '" + std::string(entry.key) + "'", inner});
            }
        if (const GoValue dependent = element(schema, "dependentRequired"); dependent.is_map())
            for (const GoEntry& entry : entries(dependent))
                if (value.map->find(entry.key) != nullptr)
                    for (const GoValue& name : items(entry.value))
                        if (spend() && name.is_string() && value.map->find(name.str()) == nullptr)
                            found.push_back({at, "properties '" + std::string(name.str()) + "' required, if '" +
                                                     std::string(entry.key) + "' exists"});
    }

    static std::string pointer_step(std::string_view key) {
        std::string out;
        for (char c : key)
            out += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
        return out;
    }

    void check_required(const GoValue& required, const GoValue& value, const std::string& at,
                        std::vector<Complaint>& found) {
        if (!required.is_list()) return;
        std::vector<std::string> missing;
        for (const GoValue& name : items(required))
            if (spend() && name.is_string() && (value.map == nullptr || value.map->find(name.str()) == nullptr))
                missing.emplace_back(name.str());
        if (!missing.empty())
            found.push_back(
                {at, (missing.size() == 1 ? "missing property " : "missing properties ") + listed(missing)});
    }

    void check_array(const GoValue& schema, const GoValue& value, const std::string& at, std::vector<Complaint>& found,
                     int depth) {
        check_size(schema, "minItems", length(value), true, at, found);
        check_size(schema, "maxItems", length(value), false, at, found);
        const auto all = items(value);
        if (const GoValue unique = element(schema, "uniqueItems"); unique.type == GoType::boolean && unique.boolean)
            for (std::size_t i = 0; i < all.size(); ++i)
                for (std::size_t j = 0; j < i && spend(); ++j)
                    if (same_value(all[i], all[j])) {
                        found.push_back(
                            {at, "items at " + std::to_string(j) + " and " + std::to_string(i) + " are equal"});
                        i = all.size();
                        break;
                    }
        const GoValue each = element(schema, "items"), first = element(schema, "prefixItems");
        const GoValue& tuple = each.is_list() ? each : first;
        std::size_t from = 0;
        if (tuple.is_list())
            for (; from < items(tuple).size() && from < all.size(); ++from)
                check(items(tuple)[from], all[from], at + "/" + std::to_string(from), found, depth + 1);
        const GoValue more = each.is_list() ? element(schema, "additionalItems") : each;
        if (more.is_nil()) return;
        for (std::size_t i = from; i < all.size(); ++i)
            check(more, all[i], at + "/" + std::to_string(i), found, depth + 1);
    }

    std::vector<Complaint> errors(const GoValue& schema, const GoValue& value, const std::string& at, int depth) {
        std::vector<Complaint> found;
        check(schema, value, at, found, depth + 1);
        return found;
    }

    void check_combined(const GoValue& schema, const GoValue& value, const std::string& at,
                        std::vector<Complaint>& found, int depth) {
        if (const GoValue all = element(schema, "allOf"); all.is_list()) {
            Complaint one{at, "allOf failed"};
            for (const GoValue& part : items(all))
                for (Complaint& cause : errors(part, value, at, depth))
                    one.causes.push_back(std::move(cause));
            if (!one.causes.empty()) found.push_back(std::move(one));
        }
        if (const GoValue any = element(schema, "anyOf"); any.is_list()) {
            Complaint one{at, "anyOf failed"};
            bool matched = false;
            for (const GoValue& part : items(any)) {
                std::vector<Complaint> inner = errors(part, value, at, depth);
                matched = matched || inner.empty();
                std::move(inner.begin(), inner.end(), std::back_inserter(one.causes));
            }
            if (!matched) found.push_back(std::move(one));
        }
        if (const GoValue some = element(schema, "oneOf"); some.is_list()) {
            Complaint one{at, "oneOf failed, none matched"};
            std::vector<std::size_t> matches;
            for (std::size_t i = 0; i < items(some).size(); ++i) {
                std::vector<Complaint> inner = errors(items(some)[i], value, at, depth);
                if (inner.empty()) matches.push_back(i);
                std::move(inner.begin(), inner.end(), std::back_inserter(one.causes));
            }
            if (matches.empty()) found.push_back(std::move(one));
            if (matches.size() > 1)
                found.push_back({at, "oneOf failed, subschemas " + std::to_string(matches[0]) + ", " +
                                         std::to_string(matches[1]) + " matched"});
        }
        if (const GoEntry* no = schema.map->find("not"); no != nullptr && errors(no->value, value, at, depth).empty())
            found.push_back({at, "'not' failed"});
        if (const GoEntry* condition = schema.map->find("if")) {
            const bool holds = errors(condition->value, value, at, depth).empty();
            if (const GoEntry* part = schema.map->find(holds ? "then" : "else"))
                for (Complaint& cause : errors(part->value, value, at, depth))
                    found.push_back(std::move(cause));
        }
    }

    const GoValue& root_;
    std::size_t steps_ = 0;
    std::map<std::string_view, std::optional<GoPattern>> patterns_;
};

void write(std::string& out, const std::vector<Complaint>& complaints, std::size_t indent) {
    for (const Complaint& one : complaints) {
        out += std::string(indent, ' ') + "- at '" + one.at + "': " + one.words + "\n";
        write(out, one.causes, indent + 2);
    }
}

} // namespace

SchemaVerdict validate_schemas(ValueArena& arena, const LoadedChart& chart, const GoValue& values) {
    SchemaVerdict verdict;
    std::string& out = verdict.complaints;
    if (chart.schema) {
        const auto size = static_cast<std::uint32_t>(chart.schema->text.size());
        const GoValue text =
            make_text(arena, {chart.schema->text, {}}, make_origin(arena, {chart.schema->file, {0, size}}, true));
        const JsonRead schema = read_json(arena, text);
        if (!schema.error.empty()) {
            out += chart.name() + ":\n" + schema.error;
        } else {
            std::vector<Complaint> found;
            Validator validator(schema.value);
            validator.check(schema.value, values, "", found, 0);
            if (validator.is_over())
                return {{},
                        chart.name() + ": values.schema.json takes more than " + std::to_string(most_schema_steps) +
                            " steps"};
            std::stable_sort(found.begin(), found.end(),
                             [](const Complaint& a, const Complaint& b) { return a.at < b.at; });
            std::string words;
            write(words, found, 0);
            if (!words.empty()) out += chart.name() + ":\n" + words;
        }
    }
    for (const LoadedChart* inner : chart.dependencies) {
        const GoValue own = element(values, inner->name());
        if (own.is_nil()) continue;
        if (!own.is_map()) {
            out += inner->name() + ":\ninvalid type for values: expected object (map), got " + type_name(own) + "\n";
            continue;
        }
        SchemaVerdict below = validate_schemas(arena, *inner, own);
        if (!below.limit.empty()) return below;
        out += below.complaints;
    }
    return verdict;
}

} // namespace lockstep
