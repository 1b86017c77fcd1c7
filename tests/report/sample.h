// Short ways to make findings on trees in memory.
#pragma once
#include "report/report.h"
#include <cassert>
#include <string>
#include <string_view>

namespace lockstep {

// Where `needle` first is in the file; an empty needle is the file's end.
inline Place place_of(const Tree& tree, std::string_view path, std::string_view needle) {
    const auto file = tree.find(path);
    assert(file);
    const std::string& text = tree.files[*file].text;
    const std::size_t at = needle.empty() ? text.size() : text.find(needle);
    assert(at != std::string::npos);
    return {*file, {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + needle.size())}};
}

inline Finding finding_at(const Place& place, std::string message = "it is wrong",
                          Severity severity = Severity::error) {
    return {"some-rule", severity, std::move(message), place, {}, "some-rule a", ""};
}

// A run over one file by one rule that applied.
inline RunStats small_run() {
    RunStats stats;
    stats.files = stats.read = stats.documents = 1;
    stats.rules.push_back({"some-rule", 0, 1, 0, 0, true});
    return stats;
}

inline constexpr std::string_view small_last_line = "\n1 error in 1 file (1 document), 1 rule applied\n";

// A run with nothing but findings; more is put in by the test that wants it.
struct SampleRun {
    explicit SampleRun(const Tree& tree, std::vector<Finding> all = {}, RunStats counts = small_run())
        : findings(std::move(all)), stats(std::move(counts)), locator(tree) {}
    Report report() {
        Report made{findings, suppressed, outcomes, rules, stats, locator};
        made.unfolded = findings;
        return made;
    }

    std::vector<Finding> findings;
    std::vector<SuppressedFinding> suppressed;
    std::vector<RuleOutcome> outcomes;
    RuleSet rules;
    RunStats stats;
    Locator locator;
};

inline std::string text_of(const Tree& tree, const std::vector<Finding>& findings, const RunStats& stats,
                           const TextOptions& options = {}) {
    SampleRun run(tree, findings, stats);
    Report report = run.report();
    report.text = options;
    return write_text(report).text;
}

// The report of one finding in a small run, without its last line.
inline std::string text_of(const Tree& tree, const Finding& finding) {
    const std::string text = text_of(tree, {finding}, small_run());
    assert(text.ends_with(small_last_line));
    return text.substr(0, text.size() - small_last_line.size());
}

} // namespace lockstep
