// The schemas that editors use say what the loaders say: every shipped rule and the documented config satisfy them.
#include "base/embedded.h"
#include "config/config.h"
#include "json_schema.h"
#include "yaml/parse.h"
#include <doctest/doctest.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace lockstep;
using nlohmann::json;

namespace {

std::string file_text(const std::string& path) {
    std::ifstream file(std::string(LOCKSTEP_SOURCE_ROOT) + "/" + path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    REQUIRE_FALSE(text.str().empty());
    return text.str();
}

json scalar_json(NodeRef node) {
    const std::string text(node.text());
    const bool plain = node.node().style == NodeStyle::plain;
    if (node.is_null()) return nullptr;
    if (plain && (text == "true" || text == "false")) return text == "true";
    if (plain && !text.empty() && text.find_first_not_of("0123456789") == std::string::npos) return std::stoll(text);
    return text;
}

json to_json(NodeRef node) {
    if (node.is_mapping()) {
        json object = json::object();
        for (auto [key, value] : node.entries())
            object[std::string(key.text())] = to_json(value);
        return object;
    }
    if (node.is_sequence()) {
        json array = json::array();
        for (auto item : node.items())
            array.push_back(to_json(item));
        return array;
    }
    return node ? scalar_json(node) : json(nullptr);
}

json yaml_json(std::string_view text) {
    const YamlText yaml = parse_yaml(text);
    REQUIRE(yaml.documents.size() == 1);
    return to_json(NodeRef(&yaml, yaml.documents.front().root));
}

// The first fenced YAML block of a page.
std::string yaml_block(const std::string& page) {
    const auto begin = page.find("```yaml\n") + 8;
    return page.substr(begin, page.find("```", begin) - begin);
}

} // namespace

TEST_CASE("every shipped rule satisfies rules/schema.json") {
    const JsonSchema schema(json::parse(file_text("rules/schema.json")));
    std::size_t rules = 0;
    for (const auto& file : embedded_files()) {
        if (!file.path.starts_with("rules/") || file.path.starts_with("rules/data/")) continue;
        const std::string complaint = schema.complaint(yaml_json(file.text));
        CHECK_MESSAGE(complaint.empty(), file.path << " " << complaint);
        ++rules;
    }
    CHECK(rules > 5);
}

TEST_CASE("rules/schema.json refuses what the loader refuses") {
    const JsonSchema schema(json::parse(file_text("rules/schema.json")));
    const std::string head = "rule: probe\nseverity: error\nsummary: s\nwhy: w\nfix: f\n";
    CHECK(schema.complaint(yaml_json(head + "facts: { a: { files: x } }\nfor: a\nforbid: a\nmessage: m\n")).empty());
    for (const char* bad : {"asert: x\nnative: y\n", "native: y\nfor: a\nfacts: {}\n",
                            "facts: { a: { file: x } }\nfor: a\n", "native: y\nprecision: sure\n"})
        CHECK_FALSE(schema.complaint(yaml_json(head + bad)).empty());
}

TEST_CASE("docs/config.md shows every key of the config, in a form that both the loader and the schema take") {
    const json schema = json::parse(file_text("docs/config.schema.json"));
    const std::string example = yaml_block(file_text("docs/config.md"));
    auto config = parse_config(".lockstep.yaml", example);
    REQUIRE_MESSAGE(config, to_string(config.error()));
    const json document = yaml_json(example);
    CHECK_MESSAGE(JsonSchema(schema).complaint(document).empty(), JsonSchema(schema).complaint(document));
    for (const auto& item : schema["properties"].items()) {
        CHECK_MESSAGE(document.contains(item.key()), item.key() << " is not in the example");
    }
    CHECK(document.size() == schema["properties"].size());
    CHECK_FALSE(JsonSchema(schema).complaint(yaml_json("excludes: [x]\n")).empty());
}
