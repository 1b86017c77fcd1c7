#include "config/config.h"
#include <doctest/doctest.h>

using namespace lockstep;

TEST_CASE("no config, an empty one and one of comments are all defaults") {
    for (const char* text : {"", "# nothing\n", "---\n"}) {
        auto config = parse_config(".lockstep.yaml", text);
        REQUIRE(config);
        CHECK(config->limits.file_size == 16U << 20);
        CHECK(config->template_tree == "clusters/_template");
        CHECK(config->exclude.empty());
    }
}

TEST_CASE("sizes are read with their unit") {
    CHECK(parse_config("c", "limits: { file-size: 1GiB }\n")->limits.file_size == 1ULL << 30);
    CHECK(parse_config("c", "limits: { file-size: 512KiB }\n")->limits.file_size == 512U << 10);
    CHECK_FALSE(parse_config("c", "limits: { file-size: 3GiB }\n"));
    CHECK_FALSE(parse_config("c", "limits: { file-size: 16 MB }\n"));
    CHECK_FALSE(parse_config("c", "limits: { depth: 0 }\n"));
    CHECK(parse_config("c", "limits: { scalar-size: 1KiB, applied: 5 }\n")->limits.applied == 5);
}

TEST_CASE("the severity of a rule: its own, then the config's, then the last path that matches") {
    auto config = parse_config("c", "severity: { r: warning }\npaths:\n  - { files: \"a/**\", severity: { r: note } "
                                    "}\n  - { files: \"a/b/**\", severity: { r: off } }\n");
    REQUIRE(config);
    CHECK(severity_for(*config, {"other"}, "a/x", Severity::error) == Severity::error);
    CHECK(severity_for(*config, {"r"}, "x", Severity::error) == Severity::warning);
    CHECK(severity_for(*config, {"r"}, "a/x", Severity::error) == Severity::note);
    CHECK(severity_for(*config, {"r"}, "a/b/x", Severity::error) == Severity::off);
    CHECK(severity_for(*config, {"r", "renamed"}, "x", Severity::error) == Severity::warning);
}

TEST_CASE("rows of a table may name their columns in any order") {
    auto config = parse_config("c", "tables:\n  t:\n    - { a: 1, b: 2 }\n    - { b: 3, c: 4 }\n");
    REQUIRE(config);
    const Table& table = config->tables.at("t");
    CHECK(table.columns == std::vector<std::string>{"a", "b", "c"});
    CHECK(table.rows[0].cells[2].state == State::absent);
    CHECK(table.rows[1].cells[0].state == State::absent);
    CHECK(table.rows[1].cells[1].text == "3");
}

TEST_CASE("the shape of blueprints is umbrella or overlay, and nothing else") {
    CHECK_FALSE(parse_config("c", "")->overlay_blueprints);
    CHECK_FALSE(parse_config("c", "blueprint-shape: umbrella\n")->overlay_blueprints);
    CHECK(parse_config("c", "blueprint-shape: overlay\n")->overlay_blueprints);
    CHECK_FALSE(parse_config("c", "blueprint-shape: hollow\n"));
    CHECK(parse_config("c", "registries: oci://r.example.org/acme\n")->registries.size() == 1);
}
