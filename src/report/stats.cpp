// The block of --stats: every rule's verdicts, and everything that was not checked, with the reason. No times in it.
#include "base/printable.h"
#include "report/summary.h"
#include <algorithm>
#include <array>

namespace lockstep {
namespace {

constexpr std::array<std::string_view, 4> headings = {"pass", "fail", "undecided", "lost"};

std::array<std::uint64_t, 4> verdicts(const RunStats::RuleStats& rule) {
    return {rule.passed, rule.failed, rule.undecided, rule.lost};
}

void append_left(std::string& out, std::string_view text, std::size_t width) {
    out += text;
    out.append(width - std::min(width, text.size()), ' ');
}

void append_right(std::string& out, std::string_view text, std::size_t width) {
    out.append(width - std::min(width, text.size()), ' ');
    out += text;
}

void append_applied_rules(std::string& out, const RunStats& stats) {
    std::size_t name_width = std::string_view("rule").size();
    std::array<std::size_t, 4> widths{};
    for (std::size_t i = 0; i < headings.size(); ++i)
        widths[i] = headings[i].size();
    bool any = false;
    for (const RunStats::RuleStats& rule : stats.rules) {
        if (!rule.applied) continue;
        any = true;
        name_width = std::max(name_width, printable(rule.id).size());
        for (std::size_t i = 0; i < widths.size(); ++i)
            widths[i] = std::max(widths[i], std::to_string(verdicts(rule)[i]).size());
    }
    if (!any) return;

    out += '\n';
    append_left(out, "rule", name_width);
    for (std::size_t i = 0; i < widths.size(); ++i)
        append_right(out, headings[i], widths[i] + 2);
    out += '\n';
    for (const RunStats::RuleStats& rule : stats.rules) {
        if (!rule.applied) continue;
        append_left(out, printable(rule.id), name_width);
        for (std::size_t i = 0; i < widths.size(); ++i)
            append_right(out, std::to_string(verdicts(rule)[i]), widths[i] + 2);
        out += '\n';
    }
}

void append_other_rules(std::string& out, const RunStats& stats, bool ran, std::string_view heading,
                        std::string_view usual_reason) {
    std::size_t name_width = 0;
    for (const RunStats::RuleStats& rule : stats.rules)
        if (!rule.applied && rule.ran == ran) name_width = std::max(name_width, printable(rule.id).size());
    if (name_width == 0) return;

    out += '\n';
    out += heading;
    out += '\n';
    for (const RunStats::RuleStats& rule : stats.rules) {
        if (rule.applied || rule.ran != ran) continue;
        out += "  ";
        append_left(out, printable(rule.id), name_width + 2);
        out += rule.why_not.empty() ? std::string(usual_reason) : printable(rule.why_not);
        out += '\n';
    }
}

} // namespace

void append_stats(std::string& out, const RunStats& stats) {
    append_applied_rules(out, stats);
    append_other_rules(out, stats, true, "not applicable:", "nothing to check in this tree");
    append_other_rules(out, stats, false, "off:", "switched off");

    const auto number = [](std::uint64_t value) { return std::to_string(value); };
    out += "\nfiles:       " + number(stats.files) + " listed, " + number(stats.read) + " read (" +
           number(stats.bytes) + " bytes), " + number(stats.binary) + " binary passed over\n";
    out += "documents:   " + number(stats.documents) + '\n';
    out += "templates:   " + number(stats.templates_read) + " of " + number(stats.templates_total) + " read\n";
    if (stats.releases_rendered + stats.charts_not_rendered.size() > 0)
        out += "releases:    " + number(stats.releases_rendered) + " rendered\n";
    if (stats.charts_rendered > 0)
        out += "charts:      " + number(stats.charts_rendered) + " rendered with their own values\n";
    out += "undecided:   " + number(stats.undecided) + '\n';
    out += "suppressed:  " + number(stats.suppressed) + '\n';
    if (!stats.charts_not_rendered.empty()) out += "\nnot rendered:\n";
    for (const std::string& what : stats.charts_not_rendered)
        out += "  " + printable(what) + '\n';
    if (!stats.charts_incomplete.empty()) out += "\nrendered without a chart inside:\n";
    for (const std::string& what : stats.charts_incomplete)
        out += "  " + printable(what) + '\n';
    if (stats.not_understood.empty()) return;
    out += "\nnot understood:\n";
    for (const std::string& what : stats.not_understood)
        out += "  " + printable(what) + '\n';
}

} // namespace lockstep
