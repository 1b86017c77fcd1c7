// Checks a document against a JSON schema, for the keywords that our schemas use. A keyword that it does not know is a
// complaint, so that none is passed over.
#pragma once
#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

namespace lockstep {

class JsonSchema {
public:
    explicit JsonSchema(nlohmann::json schema) : root_(std::move(schema)) {}

    // Empty when the document satisfies the schema.
    std::string complaint(const nlohmann::json& document) const { return check(root_, document, "#"); }

private:
    using json = nlohmann::json;

    static bool is_type(const json& value, const std::string& type) {
        if (type == "integer") return value.is_number_integer();
        if (type == "number") return value.is_number();
        if (type == "null") return value.is_null();
        if (type == "boolean") return value.is_boolean();
        if (type == "string") return value.is_string();
        return type == "array" ? value.is_array() : type == "object" && value.is_object();
    }

    std::string check(const json& schema, const json& value, const std::string& at) const {
        if (schema.is_boolean()) return schema.get<bool>() ? "" : at + ": nothing is allowed here\n";
        std::string out;
        for (const auto& [keyword, asked] : schema.items())
            out += check_keyword(schema, keyword, asked, value, at);
        return out;
    }

    std::string check_keyword(const json& schema, const std::string& keyword, const json& asked, const json& value,
                              const std::string& at) const {
        const auto unless = [&](bool good, const std::string& what) {
            return good ? std::string() : at + ": " + what + "\n";
        };
        const auto satisfied = [&](const json& one) { return check(one, value, at).empty(); };
        for (const char* words : {"$schema", "$id", "title", "description", "definitions", "default", "examples"})
            if (keyword == words) return {};
        if (keyword == "$ref") {
            const std::string path = asked.get<std::string>();
            return path.starts_with("#/") ? check(root_.at(json::json_pointer(path.substr(1))), value, at)
                                          : unless(false, "cannot follow " + path);
        }
        if (keyword == "type") {
            const json types = asked.is_array() ? asked : json::array({asked});
            return unless(
                std::any_of(types.begin(), types.end(), [&](const json& type) { return is_type(value, type); }),
                "is not of type " + asked.dump());
        }
        if (keyword == "enum")
            return unless(std::find(asked.begin(), asked.end(), value) != asked.end(), "is none of " + asked.dump());
        if (keyword == "not") return unless(!satisfied(asked), "must not satisfy " + asked.dump());
        if (keyword == "oneOf")
            return unless(std::count_if(asked.begin(), asked.end(), satisfied) == 1,
                          "must satisfy one of " + asked.dump());
        if (keyword == "anyOf")
            return unless(std::any_of(asked.begin(), asked.end(), satisfied), "must satisfy any of " + asked.dump());
        if (keyword == "pattern")
            return unless(!value.is_string() ||
                              std::regex_search(value.get<std::string>(), std::regex(asked.get<std::string>())),
                          "does not match " + asked.dump());
        if (keyword == "minItems") return unless(!value.is_array() || value.size() >= asked, "has too few items");
        if (keyword == "minProperties") return unless(!value.is_object() || value.size() >= asked, "has too few keys");
        if (keyword == "minimum") return unless(!value.is_number() || value >= asked, "is less than " + asked.dump());
        std::string out;
        if (keyword == "items") {
            for (std::size_t i = 0; value.is_array() && i < value.size(); ++i)
                out += check(asked, value[i], at + "/" + std::to_string(i));
            return out;
        }
        if (keyword == "required") {
            for (const json& key : asked)
                out += unless(!value.is_object() || value.contains(key.get<std::string>()), "lacks " + key.dump());
            return out;
        }
        if (keyword == "properties" || keyword == "additionalProperties" || keyword == "propertyNames") {
            if (!value.is_object()) return {};
            const json known = schema.value("properties", json::object());
            for (const auto& [key, field] : value.items()) {
                const std::string below = at + "/" + key;
                if (keyword == "propertyNames") out += check(asked, key, below);
                if (keyword == "properties" && known.contains(key)) out += check(asked[key], field, below);
                if (keyword == "additionalProperties" && !known.contains(key)) out += check(asked, field, below);
            }
            return out;
        }
        return unless(false, "the schema has the keyword " + keyword + ", which this test does not know");
    }

    json root_;
};

} // namespace lockstep
