// Puts counts into words. A quiet run must not sound like a checked one when no rule had anything to check.
#include "report/summary.h"

namespace lockstep {
namespace {

void append_count(std::string& out, std::uint64_t count, std::string_view noun) {
    out += std::to_string(count);
    out += ' ';
    out += noun;
    if (count != 1) out += 's';
}

std::string_view why_nothing_was_checked(const RuleCounts& rules) {
    return rules.not_applicable > 0 ? "nothing was checked: no rule found anything it applies to"
                                    : "nothing was checked: no rule was run";
}

struct FindingCounts {
    std::uint64_t errors = 0, warnings = 0, notes = 0;
};

FindingCounts count_findings(const std::vector<Finding>& findings) {
    FindingCounts counts;
    for (const Finding& finding : findings) {
        if (finding.severity == Severity::error) ++counts.errors;
        if (finding.severity == Severity::warning) ++counts.warnings;
        if (finding.severity == Severity::note) ++counts.notes;
    }
    return counts;
}

// `2 errors, 1 warning`; kinds without a finding are not named.
std::string name_shown(const FindingCounts& counts, bool notes) {
    std::string out;
    const auto add = [&out](std::uint64_t count, std::string_view noun) {
        if (count == 0) return;
        if (!out.empty()) out += ", ";
        append_count(out, count, noun);
    };
    add(counts.errors, "error");
    add(counts.warnings, "warning");
    if (notes) add(counts.notes, "note");
    return out;
}

void append_findings_line(std::string& out, std::string_view shown, const RunStats& stats, const RuleCounts& rules) {
    out += shown;
    out += " in ";
    append_count(out, stats.files, "file");
    out += " (";
    append_count(out, stats.documents, "document");
    out += ')';
    if (rules.applied == 0) {
        out += "; ";
        out += why_nothing_was_checked(rules);
    } else {
        out += ", ";
        append_count(out, rules.applied, "rule");
        out += " applied";
    }
}

void append_clean_line(std::string& out, const RunStats& stats, const RuleCounts& rules) {
    if (rules.applied == 0) {
        out += why_nothing_was_checked(rules);
        out += " (";
    } else {
        out += "no findings: ";
    }
    append_count(out, stats.files, "file");
    out += ", ";
    append_count(out, stats.documents, "document");
    if (rules.applied == 0) {
        out += ')';
        return;
    }
    out += ", ";
    append_count(out, rules.applied, "rule");
    out += " applied";
    if (rules.not_applicable == 0) return;
    out += ", ";
    append_count(out, rules.not_applicable, "rule");
    out += " had nothing to check";
}

} // namespace

RuleCounts count_rules(const RunStats& stats) {
    RuleCounts counts;
    for (const RunStats::RuleStats& rule : stats.rules) {
        if (rule.applied)
            ++counts.applied;
        else if (rule.ran)
            ++counts.not_applicable;
        else
            ++counts.off;
    }
    return counts;
}

void append_summary(std::string& out, const std::vector<Finding>& findings, const RunStats& stats,
                    const TextOptions& options) {
    const FindingCounts counts = count_findings(findings);
    const RuleCounts rules = count_rules(stats);
    const std::string shown = name_shown(counts, options.notes);
    const bool hides_notes = counts.notes > 0 && !options.notes;
    if (!shown.empty())
        append_findings_line(out, shown, stats, rules);
    else if (hides_notes)
        append_findings_line(out, "no errors or warnings", stats, rules);
    else
        append_clean_line(out, stats, rules);

    if (hides_notes) {
        out += "; ";
        append_count(out, counts.notes, "note");
        out += " not shown (--notes)";
    }
    if (stats.undecided > 0) {
        out += "; ";
        append_count(out, stats.undecided, "comparison");
        out += options.stats ? " undecided" : " undecided (--stats)";
    }
    out += '\n';
    const auto lists = stats.kustomizations_taken_as_applied, charts = stats.charts_taken_as_applied;
    if (lists + charts == 0) return;
    if (!stats.argo_names) out += "no Flux Kustomization and no `applied:` says what is applied here: ";
    if (lists > 0) append_count(out, lists, "topmost kustomization");
    if (lists > 0 && stats.argo_names)
        out += lists == 1 ? " that an Application of Argo CD names" : " that Applications of Argo CD name";
    if (lists > 0 && charts > 0) out += " and ";
    if (charts > 0) append_count(out, charts, "chart");
    out += lists + charts == 1 ? " is taken as applied\n" : " are taken as applied\n";
}

} // namespace lockstep
