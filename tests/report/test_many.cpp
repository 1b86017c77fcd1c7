// Size: a storm of findings takes time in proportion. Held against a quarter of it, as sanitizers and busy machines
// are slow at both; what looks at every finding for every finding would take sixteen times as long.
#include "report/formats.h"
#include "sample.h"
#include <ctime>
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

constexpr std::uint32_t storm = 40'000;

double seconds_to_write(SampleRun& run) {
    const std::clock_t start = std::clock(); // of this program alone: others may keep the machine busy
    for (const Format& format : report_formats())
        CHECK(format.write(run.report()).text.size() > 1000);
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

double seconds_for_pairs(std::uint32_t count) {
    std::string text;
    for (int i = 0; i < 10000; ++i)
        text += "key" + std::to_string(i) + ": some value that is wrong\n";
    const Tree tree = tree_in_memory({{"apps/team/prod/values.yaml", text}, {"apps/team/base/values.yaml", text}});
    SampleRun run(tree);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t at = i * (300'000 / count);
        Finding finding = finding_at({0, {at, at + 5}}, "values.yaml says 1.2.3, the base says 1.2.4 here and there");
        finding.related = {{{1, {at, at + 5}}, "the base says 1.2.4"}};
        run.findings.push_back(std::move(finding));
    }
    return seconds_to_write(run);
}

double seconds_for_one_line(std::uint32_t count) {
    const Tree tree = tree_in_memory({{"a.json", std::string(std::size_t{count} * 10, 'x') + "\n"}});
    SampleRun run(tree);
    for (std::uint32_t i = 0; i < count; ++i)
        run.findings.push_back(finding_at({0, {i * 10, i * 10 + 5}}));
    return seconds_to_write(run);
}

} // namespace

TEST_CASE("thousands of findings with related places are written in proportion to their number") {
    CHECK(seconds_for_pairs(storm) < 9 * seconds_for_pairs(storm / 4));
}

TEST_CASE("thousands of findings on one long line are written in proportion to their number") {
    CHECK(seconds_for_one_line(storm) < 9 * seconds_for_one_line(storm / 4));
}
