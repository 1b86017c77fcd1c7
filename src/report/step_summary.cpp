// A run as a page of Markdown, for the summary of a workflow: findings by rule, then what was checked.
#include "report/in_repository.h"
#include "report/markdown.h"
#include "report/summary.h"
#include <algorithm>
#include <map>

namespace lockstep {
namespace {

constexpr std::size_t largest_page = 1'000'000; // GitHub takes 1 MiB for a step and drops a larger page whole
constexpr std::size_t places_in_cell = 5;
constexpr std::size_t longest_message = 2000;

using ByRule = std::map<std::string_view, std::vector<const Finding*>>;

void append_place(std::string& out, const Place& place, const Report& report) {
    const RepositoryPlace at = place_in_repository(report, place);
    if (at.path.empty()) {
        out += "the run";
        return;
    }
    const bool linked = !report.link_base.empty();
    if (linked) out += '[';
    append_markdown(out, at.path);
    out += "&#58;" + std::to_string(at.begin.line);
    if (!linked) return;
    out += "](";
    out += report.link_base;
    append_url_path(out, at.path);
    out += "#L" + std::to_string(at.begin.line) + ")";
}

void append_cut_message(std::string& out, std::string_view message) {
    append_markdown(out, message.substr(0, longest_message));
    if (message.size() > longest_message) out += "…";
}

std::string row_of(const Finding& finding, const Report& report) {
    std::string out = "| ";
    out += to_string(finding.severity);
    out += " | ";
    append_place(out, finding.place, report);
    out += " | ";
    append_cut_message(out, finding.message);
    for (std::size_t i = 0; i < finding.related.size() && i < places_in_cell; ++i) {
        const Related& related = finding.related[i];
        out += "<br>";
        append_place(out, related.place, report);
        out += ' ';
        append_cut_message(out, related.message.empty() ? "also here" : related.message);
    }
    if (finding.related.size() > places_in_cell)
        out += "<br>and " + std::to_string(finding.related.size() - places_in_cell) + " more places";
    return out + " |\n";
}

void append_rule_head(std::string& out, std::string_view id, const Report& report) {
    out += "\n### ";
    append_markdown(out, id);
    out += "\n\n";
    if (const Rule* rule = report.rules.find(id)) {
        append_markdown(out, rule->summary);
        out += "\n\n";
    }
    out += "| severity | where | what |\n|---|---|---|\n";
}

// Rules with errors come first: they are what is left when the page is cut.
std::vector<ByRule::const_iterator> by_weight(const ByRule& rules) {
    std::vector<ByRule::const_iterator> order;
    for (auto rule = rules.begin(); rule != rules.end(); ++rule)
        order.push_back(rule);
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
        const auto weight = [](const auto& rule) {
            Severity most = Severity::off;
            for (const Finding* finding : rule->second)
                most = std::max(most, finding->severity);
            return most;
        };
        return weight(a) > weight(b);
    });
    return order;
}

void append_findings(std::string& out, const Report& report, std::size_t room) {
    ByRule rules;
    for (const Finding& finding : report.findings)
        rules[finding.rule].push_back(&finding);
    std::size_t left = report.findings.size();
    for (const auto& rule : by_weight(rules)) {
        append_rule_head(out, rule->first, report);
        for (const Finding* finding : rule->second) {
            const std::string row = row_of(*finding, report);
            if (out.size() + row.size() > room) {
                out += "\nThe page is full: " + std::to_string(left) + (left == 1 ? " finding is" : " findings are") +
                       " not shown. The log and the other reports have them all.\n";
                return;
            }
            out += row;
            --left;
        }
    }
}

std::string checked_table(const RunStats& stats) {
    std::string out = "\n<details><summary>What was checked</summary>\n\n"
                      "| rule | passed | failed | undecided | lost |\n|---|---|---|---|---|\n";
    for (const RunStats::RuleStats& rule : stats.rules) {
        if (!rule.applied) continue;
        out += "| ";
        append_markdown(out, rule.id);
        for (const std::uint64_t count : {rule.passed, rule.failed, rule.undecided, rule.lost})
            out += " | " + std::to_string(count);
        out += " |\n";
    }
    return out + "\n</details>\n";
}

} // namespace

Written write_step_summary(const Report& report) {
    std::string out = "## lockstep\n\n", words;
    TextOptions all;
    all.notes = all.stats = true;
    append_summary(words, report.findings, report.stats, all);
    words.pop_back(); // its line break
    append_markdown(out, words);
    out += '\n';
    const std::string checked = count_rules(report.stats).applied > 0 ? checked_table(report.stats) : "";
    const std::size_t kept_free = checked.size() + 200; // and a line that the page is full
    append_findings(out, report, largest_page - std::min(largest_page, kept_free));
    out += checked;
    return {std::move(out)};
}

} // namespace lockstep
