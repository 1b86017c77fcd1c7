#include "deploy/envsubst.h"
#include "oracles.h"
#include <doctest/doctest.h>
#include <map>
#include <nlohmann/json.hpp>

using namespace lockstep;

namespace {

Substituted fill(std::string_view text, const std::map<std::string, std::string>& set, bool strict = false) {
    const Variables variables = [&](std::string_view name) -> Variable {
        const auto found = set.find(std::string(name));
        if (found == set.end()) return {};
        return {Variable::Is::set, found->second};
    };
    return substitute(text, variables, strict);
}

} // namespace

TEST_CASE("variables are filled in, shell variables and escapes are left") {
    const std::map<std::string, std::string> set = {{"HOST", "shop.example.org"}, {"EMPTY", ""}};
    CHECK(fill("https://${HOST}/", set).text == "https://shop.example.org/");
    CHECK(fill("$HOST $${HOST} $(HOST)", set).text == "$HOST ${HOST} $(HOST)");
    CHECK(fill("${EMPTY:-none} ${ABSENT:=a b}", set).text == "none a b");
    CHECK(fill("${ABSENT:-${HOST}:8080}", set).text == "shop.example.org:8080");
    CHECK(fill("${HOST%%.*} ${HOST/shop/web} ${HOST:0:4} ${HOST^}", set).text ==
          "shop web.example.org shop Shop.example.org");
    CHECK(fill("${ABSENT}", set).text.empty());
}

TEST_CASE("what Flux refuses keeps its text and says why") {
    CHECK(fill("${HOST-x}", {}).error == "missing closing brace");
    CHECK(fill("${HOST-x}", {}).text == "${HOST-x}");
    CHECK(fill("a ${} b", {}).error == "unable to parse variable name");
    CHECK(fill("${ABSENT}", {}, true).error == "variable not set (strict mode): \"ABSENT\"");
    CHECK(fill("${ABSENT:-}", {}, true).error.empty());
}

TEST_CASE("an unknown variable is told, and its default is not taken for its value") {
    const Variables variables = [](std::string_view) { return Variable{Variable::Is::unknown, {}}; };
    const Substituted made = substitute("${HOST:-local}", variables, false);
    CHECK(made.unknown == std::vector<std::string>{"HOST"});
}

TEST_CASE("brackets without end are no work without end") {
    std::string deep;
    for (int i = 0; i < 100000; ++i)
        deep += "${a:-";
    CHECK(!fill(deep, {}).error.empty());
}

TEST_CASE("every case of Flux's own library gives the same text or the same error") {
    const std::string path = oracle("functions/flux-envsubst.jsonl");
    if (path.empty()) {
        MESSAGE("skipped: no oracles beside the project");
        return;
    }
    std::istringstream lines(text_of(path));
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
        const auto one = nlohmann::json::parse(line);
        const auto made = fill(one["input"].get<std::string>(), one["params"].get<std::map<std::string, std::string>>(),
                               one.value("strict", false));
        INFO(line);
        CHECK(made.error == one.value("err", ""));
        if (!one.contains("err")) CHECK(made.text == one["output"].get<std::string>());
    }
    CHECK(count > 100);
}
