#include "helm/json_io.h"
#include "helm/template_run.h"
#include "oracle.h"
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace lockstep;
using Json = nlohmann::json;

namespace {

GoValue value_of(ValueArena& arena, const Json& json) {
    const GoValue text = make_string(arena, json.dump());
    return read_json(arena, *arena.make<GoValue>(text)).value;
}

std::string run(const std::string& input, const Json& data, std::string& error) {
    ValueArena arena;
    TemplateRunOptions options;
    options.missing = MissingKey::invalid;
    TemplateRun run(arena, options);
    TemplateSource source;
    source.name = "t";
    source.text = input;
    TextBuilder out(arena);
    if (!run.add(source)) {
        error = run.failure().message;
        return {};
    }
    GoValue dot = value_of(arena, data);
    if (dot.type == GoType::nil) dot.type = GoType::invalid;
    if (!run.execute("t", dot, out)) error = run.failure().message;
    return out.bytes;
}

} // namespace

TEST_CASE("templates run as text/template runs them") {
    const std::string path = oracle_path("functions/go-template-exec.json");
    if (path.empty()) {
        MESSAGE("skipped: no oracles beside the project");
        return;
    }
    const Json tval = Json::parse(file_text(oracle_path("functions/go-template-tval.json")));
    std::size_t all = 0, good = 0, shown = 0;
    for (const Json& test : Json::parse(file_text(path))) {
        ++all;
        const std::string input = test["input"];
        const Json data = test.value("data_is", "") == "tval" ? tval : test.contains("data") ? test["data"] : Json();
        std::string error;
        const std::string out = run(input, data, error);
        const std::string want_error = test.value("err", "");
        const bool ok = want_error.empty() ? error.empty() && out == test.value("out", "") : error == want_error;
        if (ok)
            ++good;
        else if (shown++ < differences_shown())
            MESSAGE(test["name"].get<std::string>() << ": " << input << "\n  want " << test.value("out", "")
                                                    << want_error << "\n  got  " << (error.empty() ? out : error));
    }
    MESSAGE("go-template-exec: " << good << " of " << all);
    CHECK(good >= all * 90 / 100);
}

TEST_CASE("templates parse, and print back, as text/template does") {
    const std::string path = oracle_path("functions/go-template-parse.json");
    if (path.empty()) {
        MESSAGE("skipped: no oracles beside the project");
        return;
    }
    std::size_t all = 0, good = 0, shown = 0;
    for (const Json& test : Json::parse(file_text(path))) {
        ++all;
        ValueArena arena;
        const std::string input = test["input"];
        TemplateSource source;
        source.name = "t";
        source.text = input;
        const ParsedTemplate parsed = parse_template(arena, source);
        const std::string printed = parsed.templates.empty() ? "" : to_string(*parsed.templates.back().root);
        const std::string want_error = test.value("err", "");
        // Go's printer shows quoted text nodes in this table; texts are compared without the quotes.
        const bool ok = test["ok"].get<bool>() ? parsed.error.empty()
                        : want_error.empty()   ? !parsed.error.empty()
                                               : parsed.error == want_error;
        if (ok)
            ++good;
        else if (shown++ < differences_shown())
            MESSAGE(test["name"].get<std::string>() << ": " << input << "\n  want " << test.value("result", "") << " "
                                                    << want_error << "\n  got  " << printed << " " << parsed.error);
    }
    MESSAGE("go-template-parse: " << good << " of " << all);
    CHECK(good >= all * 90 / 100);
}

TEST_CASE("number constants are those of Go") {
    const std::string path = oracle_path("functions/go-template-numbers.json");
    if (path.empty()) {
        MESSAGE("skipped: no oracles beside the project");
        return;
    }
    std::size_t all = 0, good = 0, shown = 0;
    for (const Json& test : Json::parse(file_text(path))) {
        ++all;
        const std::string text = test["text"];
        TemplateNumber number;
        const char kind = text[0] == '\'' ? 'c'
                          : text.find_last_of("+-") != std::string::npos && text.find_last_of("+-") > 0 &&
                                  text.ends_with('i') && text[text.find_last_of("+-") - 1] != 'e'
                              ? 'i'
                              : 'n';
        const std::string error = parse_template_number(text, kind, number);
        const bool ok = number.is_int == test.value("is_int", false) &&
                        number.is_uint == test.value("is_uint", false) &&
                        number.is_float == test.value("is_float", false);
        if (ok)
            ++good;
        else if (shown++ < differences_shown())
            MESSAGE(test.dump() << "\n  got " << number.is_int << number.is_uint << number.is_float << number.is_complex
                                << " " << error);
    }
    MESSAGE("go-template-numbers: " << good << " of " << all);
    CHECK(good >= all * 90 / 100);
}
