// Holds the findings of a run against the expectations in its tree.
#include "cli/expectations.h"
#include "base/text.h"
#include <algorithm>

namespace lockstep {
namespace {

constexpr std::string_view marker = "# expect: ";

void add_expectations(const Tree& tree, std::string_view words, const Expectation& base,
                      std::vector<Expectation>& found) {
    while (!words.empty()) {
        const auto comma = words.find(',');
        std::string_view one = trimmed(words.substr(0, comma));
        words = comma == std::string_view::npos ? std::string_view() : words.substr(comma + 1);
        Expectation expectation = base;
        if (const auto in = one.find(" in "); in != std::string_view::npos) {
            expectation.file = tree.find(trimmed(one.substr(in + 4))).value_or(no_file);
            expectation.line = 0;
            one = trimmed(one.substr(0, in));
        }
        if (const auto as = one.find(" as "); as != std::string_view::npos) {
            expectation.severity = parse_severity(trimmed(one.substr(as + 4)));
            one = trimmed(one.substr(0, as));
        }
        expectation.rule = one.substr(0, one.find_first_of(" \t"));
        if (!expectation.rule.empty()) found.push_back(std::move(expectation));
    }
}

std::string shown(const Tree& tree, FileId file, std::uint32_t line) {
    return (file == no_file ? std::string("(no file)") : tree.files[file].path) + ":" + std::to_string(line);
}

} // namespace

std::vector<Expectation> find_expectations(const Tree& tree, Locator& locator) {
    std::vector<Expectation> found;
    for (FileId id = 0; id < tree.files.size(); ++id) {
        const std::string_view text = tree.files[id].text;
        for (auto at = text.find(marker); at != std::string_view::npos; at = text.find(marker, at + 1)) {
            const auto line_end = std::min(text.find('\n', at), text.size());
            Expectation base;
            base.file = id;
            base.place = {id, {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(line_end)}};
            base.line = locator.locate(base.place).begin.line;
            if (trimmed(locator.line(id, base.line)).starts_with('#')) do
                    ++base.line;
                while (trimmed(locator.line(id, base.line)).starts_with('#'));
            add_expectations(tree, text.substr(at + marker.size(), line_end - at - marker.size()), base, found);
        }
    }
    return found;
}

std::vector<std::string> unmet(const LintRun& run, const std::vector<Expectation>& expectations,
                               const std::string& rule) {
    std::vector<std::string> problems;
    auto on = [&](const Expectation& expectation, Place place) {
        return place.file == expectation.file &&
               (expectation.line == 0 || run.locator->locate(place).begin.line == expectation.line);
    };
    auto fits = [](const Expectation& expectation, const Finding& finding) {
        return !expectation.severity || *expectation.severity == finding.severity;
    };
    auto counts = [&](const std::string& id) { return rule.empty() || id == rule; };
    for (const auto& expectation : expectations) {
        if (!counts(expectation.rule)) continue;
        const bool hit = std::any_of(run.findings.begin(), run.findings.end(), [&](const Finding& finding) {
            return finding.rule == expectation.rule && fits(expectation, finding) &&
                   (on(expectation, finding.place) ||
                    std::any_of(finding.related.begin(), finding.related.end(),
                                [&](const Related& related) { return on(expectation, related.place); }));
        });
        if (!hit && !run.rules.find(expectation.rule))
            problems.push_back(shown(run.tree, expectation.place.file, expectation.line) + ": there is no rule `" +
                               expectation.rule + "` to expect");
        else if (!hit && expectation.file == no_file)
            problems.push_back(
                shown(run.tree, expectation.place.file, run.locator->locate(expectation.place).begin.line) +
                ": expects " + expectation.rule + " in a file that is not there");
        else if (!hit)
            problems.push_back(shown(run.tree, expectation.file, expectation.line) + ": expected " + expectation.rule +
                               (expectation.severity ? " as " + std::string(to_string(*expectation.severity)) : "") +
                               ", it was not found");
    }
    for (const auto& finding : run.findings) {
        if (!counts(finding.rule)) continue;
        const bool expected =
            std::any_of(expectations.begin(), expectations.end(), [&](const Expectation& expectation) {
                return expectation.rule == finding.rule && fits(expectation, finding) && on(expectation, finding.place);
            });
        if (!expected)
            problems.push_back(shown(run.tree, finding.place.file, run.locator->locate(finding.place).begin.line) +
                               ": not expected: " + std::string(to_string(finding.severity)) + ": " + finding.message +
                               " [" + finding.rule + "]");
    }
    return problems;
}

} // namespace lockstep
