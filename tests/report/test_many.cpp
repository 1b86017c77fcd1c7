// Size: a storm of findings must not take longer than the run that found them.
#include "report/formats.h"
#include "sample.h"
#include <ctime>
#include <doctest/doctest.h>

using namespace lockstep;

TEST_CASE("100,000 findings with related places are written quickly") {
    std::string text;
    for (int i = 0; i < 10000; ++i)
        text += "key" + std::to_string(i) + ": some value that is wrong\n";
    const Tree tree = tree_in_memory({{"apps/team/prod/values.yaml", text}, {"apps/team/base/values.yaml", text}});
    std::vector<Finding> findings;
    for (std::uint32_t i = 0; i < 100000; ++i) {
        const std::uint32_t at = i * 2 % 300000;
        Finding finding = finding_at({0, {at, at + 5}}, "values.yaml says 1.2.3, the base says 1.2.4 here and there");
        finding.related = {{{1, {at, at + 5}}, "the base says 1.2.4"}};
        findings.push_back(std::move(finding));
    }
    SampleRun run(tree, std::move(findings));
    const std::clock_t start = std::clock(); // of this program alone: others may keep the machine busy
    std::size_t written = 0;
    for (const Format& format : report_formats())
        written += format.write(run.report()).text.size();
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    MESSAGE("wrote " << written << " bytes in " << seconds << " s");
    CHECK(written > 50'000'000);
    CHECK(seconds < 20); // about 2 s; the bound is for sanitizers and busy machines
}

TEST_CASE("100,000 findings on one line of a megabyte are written quickly") {
    std::string text(1'000'000, 'x');
    text += "\n";
    const Tree tree = tree_in_memory({{"a.json", text}});
    SampleRun run(tree);
    for (std::uint32_t i = 0; i < 100000; ++i)
        run.findings.push_back(finding_at({0, {i * 10, i * 10 + 5}}));
    const std::clock_t start = std::clock();
    for (const Format& format : report_formats())
        CHECK(format.write(run.report()).text.size() > 1000);
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    MESSAGE("took " << seconds << " s");
    CHECK(seconds < 20); // counted from the line's start each time it would be minutes
}
