// Findings for programs: a stable contract, version 1. Keys keep their order; only the last one differs between runs.
#include "report/json_text.h"
#include "report/report.h"
#include "report/summary.h"
#include <nlohmann/json.hpp>

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

// Findings are written straight into the report, laid out as dump(2) does: built as values first, a storm of them took
// eight times as long.
void append_field(std::string& out, std::string_view lead, std::string_view text) {
    out += lead;
    append_json_string(out, text);
}

void append_field(std::string& out, std::string_view lead, std::uint32_t number) {
    out += lead;
    out += std::to_string(number);
}

// A finding about no file in particular has an empty path and line 0.
Location locate(const Place& place, Locator& locator) {
    const Location location = locator.locate(place);
    return location.path.empty() ? Location{{}, {0, 0}, {0, 0}} : location;
}

void append_related(std::string& out, const Related& related, Locator& locator) {
    const Location location = locate(related.place, locator);
    append_field(out, "{\n          \"path\": ", location.path);
    append_field(out, ",\n          \"line\": ", location.begin.line);
    append_field(out, ",\n          \"column\": ", location.begin.column);
    append_field(out, ",\n          \"message\": ", related.message);
    out += "\n        }";
}

// What proves that a cluster gets the thing: both lists are empty where nothing has to be proven.
void append_applied_by(std::string& out, const AppliedBy* by, Locator& locator) {
    std::string_view comma = "\n        ";
    out += ",\n      \"chain\": [";
    for (const AppliedBy::Link& link : by ? by->chain : std::vector<AppliedBy::Link>()) {
        const Location location = locate(link.place, locator);
        out += comma;
        append_field(out, "{\n          \"file\": ", location.path);
        append_field(out, ",\n          \"line\": ", location.begin.line);
        append_field(out, ",\n          \"what\": ", link.what);
        out += "\n        }";
        comma = ",\n        ";
    }
    out += by && !by->chain.empty() ? "\n      ]" : "]";
    out += ",\n      \"clusters\": [";
    comma = "\n        ";
    for (const std::string& cluster : by ? by->clusters : std::vector<std::string>()) {
        append_field(out, comma, cluster);
        comma = ",\n        ";
    }
    out += by && !by->clusters.empty() ? "\n      ]" : "]";
}

void append_finding(std::string& out, const Finding& finding, Locator& locator) {
    const Location location = locate(finding.place, locator);
    append_field(out, "{\n      \"rule\": ", finding.rule);
    append_field(out, ",\n      \"severity\": ", to_string(finding.severity));
    append_field(out, ",\n      \"message\": ", finding.message);
    append_field(out, ",\n      \"path\": ", location.path);
    append_field(out, ",\n      \"line\": ", location.begin.line);
    append_field(out, ",\n      \"column\": ", location.begin.column);
    append_field(out, ",\n      \"endLine\": ", location.end.line);
    append_field(out, ",\n      \"endColumn\": ", location.end.column);
    out += ",\n      \"related\": [";
    for (std::size_t i = 0; i < finding.related.size(); ++i) {
        out += i == 0 ? "\n        " : ",\n        ";
        append_related(out, finding.related[i], locator);
    }
    out += finding.related.empty() ? "]" : "\n      ]";
    append_applied_by(out, finding.applied_by.get(), locator);
    append_field(out, ",\n      \"key\": ", finding.key);
    out += "\n    }";
}

Json to_json(const RunStats& stats) {
    const RuleCounts rules = count_rules(stats);
    return Json::object({{"files", stats.files},
                         {"bytes", stats.bytes},
                         {"documents", stats.documents},
                         {"templates", {{"total", stats.templates_total}, {"read", stats.templates_read}}},
                         {"rules", {{"applied", rules.applied}, {"notApplicable", rules.not_applicable}}},
                         {"undecided", stats.undecided}});
}

Json to_json(const ChangeStats& change, Locator& locator) {
    Json added = Json::array();
    for (const ChangeStats::Added& one : change.suppressions) {
        const Location at = locate(one.place, locator);
        added.push_back({{"path", at.path},
                         {"line", at.begin.line},
                         {"rules", one.rules},
                         {"reason", one.reason},
                         {"until", one.until}});
    }
    return Json::object({{"base", change.base},
                         {"comparedWith", change.base_shown},
                         {"filesChanged", change.files_changed},
                         {"changedOnly", change.changed_only && !change.all_shown},
                         {"untouchedFindings", change.untouched},
                         {"addedSuppressions", std::move(added)},
                         {"softened", change.softened},
                         {"submodules", change.submodules}});
}

// A level deeper than it was written.
void append_indented(std::string& out, const Json& value) {
    for (const char c : value.dump(2, ' ', true, Json::error_handler_t::replace)) {
        out += c;
        if (c == '\n') out += "  ";
    }
}

} // namespace

Written write_json(const Report& report) {
    const std::vector<Finding>& findings = report.findings;
    std::string out = "{\n  \"version\": 1,\n  \"findings\": [";
    for (std::size_t i = 0; i < findings.size(); ++i) {
        out += i == 0 ? "\n    " : ",\n    ";
        append_finding(out, findings[i], report.locator);
    }
    out += findings.empty() ? "]" : "\n  ]";
    if (report.stats.change) {
        out += ",\n  \"change\": ";
        append_indented(out, to_json(*report.stats.change, report.locator));
    }
    out += ",\n  \"stats\": ";
    append_indented(out, to_json(report.stats));
    out += "\n}\n";
    return {std::move(out)};
}

} // namespace lockstep
