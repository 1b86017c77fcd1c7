// What code hosts refuse is left out before, with a word about it, and the most severe stays.
#include "report/sarif.h"
#include "sample.h"
#include "tree/gunzip.h"
#include "tree/gzip_size.h"
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace lockstep;
using Json = nlohmann::ordered_json;

namespace {

const Tree& small_tree() {
    static const Tree tree = tree_in_memory({{"a.yaml", "v: 1\nw: 2\n"}});
    return tree;
}

} // namespace

TEST_CASE("5,000 results: errors before warnings before notes before what is suppressed, in the order of places") {
    SampleRun run(small_tree());
    for (int i = 0; i < 4000; ++i) {
        const std::string number = std::to_string(i);
        run.findings.push_back(finding_at({0, {0, 1}}, "note " + number, Severity::note));
        if (i < 1400) run.findings.push_back(finding_at({0, {0, 1}}, "warning " + number, Severity::warning));
        if (i % 2 == 0) run.findings.push_back(finding_at({0, {0, 1}}, "error " + number, Severity::error));
        run.suppressed.push_back({finding_at({0, {0, 1}}, "error " + number), "agreed"});
    }
    const Written written = write_sarif(run.report());
    const Json log = Json::parse(written.text);
    const Json& results = log["runs"][0]["results"];
    REQUIRE(results.size() == 5000);
    std::map<std::string, int> levels;
    for (const Json& result : results) {
        ++levels[result["level"]];
        CHECK(result["suppressions"].empty());
    }
    CHECK(levels == std::map<std::string, int>{{"error", 2000}, {"warning", 1400}, {"note", 1600}});
    CHECK(results[0]["message"]["text"] == "note 0.");
    CHECK(results[1]["message"]["text"] == "warning 0.");
    CHECK(results[2]["message"]["text"] == "error 0.");
    CHECK(written.left_out.find("sarif: 6400 of 11400 results are left out, the least severe ones") == 0);
    const Json& notices = log["runs"][0]["invocations"][0]["toolExecutionNotifications"];
    REQUIRE(notices.size() == 1);
    CHECK(notices[0]["level"] == "warning");
    CHECK(log["runs"][0]["invocations"][0]["executionSuccessful"] == true);
}

TEST_CASE("100 related places of one result") {
    SampleRun run(small_tree(), {finding_at({0, {0, 1}})});
    for (std::uint32_t i = 0; i < 800; ++i)
        run.findings[0].related.push_back({{0, {5, 6}}, "the same here"});
    const Written written = write_sarif(run.report());
    const Json result = Json::parse(written.text)["runs"][0]["results"][0];
    CHECK(result["relatedLocations"].size() == 100);
    CHECK(result["message"]["text"].get<std::string>().ends_with(" and 795 more."));
    CHECK(written.left_out == "sarif: 1 result has more than 100 related places; the others are left out\n");
}

TEST_CASE("10 tags and 1,024 characters of description for a rule") {
    Rule rule;
    rule.id = "some-rule";
    for (int i = 0; i < 12; ++i) {
        rule.tags.push_back("tag" + std::to_string(i));
        for (int j = 0; j < 100; ++j)
            rule.why += "\xc3\xa4";
    }
    SampleRun run(small_tree());
    run.outcomes = {{&rule, true, {}, {}, {}}};
    const Written written = write_sarif(run.report());
    const Json told = Json::parse(written.text)["runs"][0]["tool"]["driver"]["rules"][0];
    CHECK(told["properties"]["tags"].size() == 10);
    const std::string text = told["fullDescription"]["text"];
    CHECK(text.size() == 1023 * 2 + 3);
    CHECK(text.ends_with("\xc3\xa4…"));
    CHECK(written.left_out.find("sarif: 1 rule has more than 10 tags") == 0);
    CHECK(told["help"]["text"].get<std::string>().size() > 2400); // help has no such limit
}

TEST_CASE("10 MB, compressed: as many results as there is room for") {
    SampleRun run(small_tree());
    std::uint64_t state = 1; // words that do not compress
    const auto noise = [&state] {
        std::string text;
        while (text.size() < 4000) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            text += std::to_string(state);
        }
        return text;
    };
    for (int i = 0; i < 4500; ++i)
        run.findings.push_back(finding_at({0, {0, 1}}, noise(), i < 100 ? Severity::warning : Severity::error));
    for (int i = 0; i < 500; ++i)
        run.findings[static_cast<std::size_t>(i) + 200].related = {{{0, {5, 6}}, noise()}};
    const Written written = write_sarif(run.report());
    GzipSize size;
    size.add(written.text);
    CHECK(size.size() <= sarif_limits::gzipped);
    CHECK(size.size() > sarif_limits::gzipped * 9 / 10);
    const Json log = Json::parse(written.text);
    CHECK(log["runs"][0]["results"].size() < 4500);
    CHECK(log["runs"][0]["results"][0]["level"] == "error");
    CHECK(written.left_out.find(" of 4500 results are left out") != std::string::npos);
}
