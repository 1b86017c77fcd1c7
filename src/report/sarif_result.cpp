// One finding as a SARIF result: message with links, places, fingerprints, suppression, fix.
#include "report/json_text.h"
#include "report/sarif.h"
#include <algorithm>
#include <map>

namespace lockstep {
namespace {

constexpr std::size_t most_linked = 5; // places that the message names; all are in relatedLocations

// `](` would make a link of words that come from the repository.
std::string without_links(std::string_view text) {
    if (text.find("](") == std::string_view::npos) return std::string(text);
    std::string out;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == '\\') out += '\\';
        out += c;
    }
    return out;
}

std::string link_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == '\\') out += '\\';
        out += c;
    }
    return out;
}

std::size_t related_count(const Finding& finding) {
    return std::min(finding.related.size(), sarif_limits::related);
}

// «…. See [Chart.yaml:3](1), [values.yaml:7](2) and 4 more.» The numbers are ids of related locations.
std::string message_of(const Report& report, const Finding& finding) {
    std::string text = without_links(finding.message);
    if (text.empty() || (text.back() != '.' && text.back() != '?')) text += '.';
    const std::size_t shown = std::min(related_count(finding), most_linked);
    for (std::size_t i = 0; i < shown; ++i) {
        const Location there = report.locator.locate(finding.related[i].place);
        text += i == 0 ? " See [" : ", [";
        text += there.path.empty() ? "the run" : link_text(std::string(report.prefix) + std::string(there.path));
        text += ":" + std::to_string(there.begin.line) + "](" + std::to_string(i + 1) + ")";
    }
    if (finding.related.size() > shown) text += " and " + std::to_string(finding.related.size() - shown) + " more";
    if (shown > 0) text += '.';
    return text;
}

void append_message(std::string& out, std::string_view text) {
    out += R"("message":{"text":)";
    append_json_string(out, text);
    out += '}';
}

std::string_view said_of(const Related& related) {
    return related.message.empty() ? std::string_view("also here") : std::string_view(related.message);
}

void append_related(std::string& out, const Report& report, const Finding& finding) {
    out += R"(,"relatedLocations":[)";
    for (std::size_t i = 0; i < related_count(finding); ++i) {
        out += i == 0 ? "{" : ",{";
        out += R"("id":)" + std::to_string(i + 1) + ',';
        append_physical(out, report, finding.related[i].place);
        out += ',';
        append_message(out, without_links(said_of(finding.related[i])));
        out += '}';
    }
    out += ']';
}

void append_step(std::string& out, const Report& report, const Place& place, std::string_view said) {
    out += R"({"location":{)";
    append_physical(out, report, place);
    out += ',';
    append_message(out, without_links(said));
    out += "}}";
}

// From the other sites to the one that is to be changed.
void append_sites(std::string& out, const Report& report, const Finding& finding) {
    out += R"({"threadFlows":[{"locations":[)";
    for (std::size_t i = 0; i < related_count(finding); ++i) {
        append_step(out, report, finding.related[i].place, said_of(finding.related[i]));
        out += ',';
    }
    append_step(out, report, finding.place, finding.message);
    out += "]}]}";
}

// From what a cluster begins with down to the thing.
void append_chain(std::string& out, const Report& report, const Finding& finding) {
    const AppliedBy& by = *finding.applied_by;
    out += '{';
    append_message(out, by.clusters.empty() ? std::string("what applies it")
                                            : "how cluster " + without_links(by.clusters.front()) + " gets it");
    out += R"(,"threadFlows":[{"locations":[)";
    for (const AppliedBy::Link& link : by.chain) {
        if (link.place.file == no_file) continue; // a folder that Flux lists by itself
        append_step(out, report, link.place, link.what);
        out += ',';
    }
    append_step(out, report, finding.place, finding.message);
    out += "]}]}";
}

void append_code_flows(std::string& out, const Report& report, const Finding& finding) {
    const bool chain = finding.applied_by && !finding.applied_by->chain.empty();
    if (finding.related.empty() && !chain) return;
    out += R"(,"codeFlows":[)";
    if (!finding.related.empty()) append_sites(out, report, finding);
    if (!finding.related.empty() && chain) out += ',';
    if (chain) append_chain(out, report, finding);
    out += ']';
}

void append_clusters(std::string& out, const Finding& finding) {
    if (!finding.applied_by || finding.applied_by->clusters.empty()) return;
    out += R"(,"properties":{"clusters":[)";
    std::string_view comma;
    for (const std::string& cluster : finding.applied_by->clusters) {
        out += comma;
        append_json_string(out, cluster);
        comma = ",";
    }
    out += "]}";
}

void append_suppression(std::string& out, const Report& report, const SuppressedFinding& by) {
    const bool comment = by.by == SuppressedFinding::By::comment;
    out += comment ? R"({"kind":"inSource","status":"accepted","justification":)"
                   : R"({"kind":"external","status":"accepted","justification":)";
    append_json_string(out, by.reason);
    if (comment && by.comment.file != no_file) {
        out += R"(,"location":{)";
        append_physical(out, report, by.comment);
        out += '}';
    }
    out += '}';
}

void append_fix(std::string& out, const Report& report, const Finding& finding) {
    std::map<std::string_view, std::vector<const Edit*>> by_file;
    for (const Edit& edit : finding.edits)
        by_file[report.locator.locate(edit.place).path].push_back(&edit);
    out += R"(,"fixes":[{"description":{"text":)";
    append_json_string(out, "Write " + without_links(finding.edits.front().text) + " here.");
    out += R"(},"artifactChanges":[)";
    std::string_view comma;
    for (const auto& [path, edits] : by_file) {
        out += comma;
        out += '{';
        append_artifact(out, report, path);
        out += R"(,"replacements":[)";
        for (const Edit* edit : edits) {
            const Location at = report.locator.locate(edit->place);
            if (edit != edits.front()) out += ',';
            out += R"({"deletedRegion":{"startLine":)" + std::to_string(at.begin.line);
            out += R"(,"startColumn":)" + std::to_string(at.begin.column);
            out += R"(,"endLine":)" + std::to_string(at.end.line);
            out += R"(,"endColumn":)" + std::to_string(at.end.column) + R"(},"insertedContent":{"text":)";
            append_json_string(out, edit->text);
            out += "}}";
        }
        out += "]}";
        comma = ",";
    }
    out += "]}]";
}

} // namespace

void append_result(std::string& out, const Report& report, const SarifResult& result, bool any_suppressed) {
    const Finding& finding = *result.finding;
    out += R"({"ruleId":)";
    append_json_string(out, finding.rule);
    out += R"(,"ruleIndex":)" + std::to_string(result.rule);
    out += R"(,"level":")" + std::string(to_string(finding.severity)) + "\",";
    append_message(out, message_of(report, finding));
    out += R"(,"locations":[{)";
    append_physical(out, report, finding.place);
    out += "}]";
    if (!finding.related.empty()) append_related(out, report, finding);
    append_code_flows(out, report, finding);
    out += R"(,"partialFingerprints":{)";
    if (!result.line_hash.empty()) {
        out += R"("primaryLocationLineHash":)";
        append_json_string(out, result.line_hash);
        out += ',';
    }
    out += R"("lockstep/v1":)";
    append_json_string(out, finding.key);
    out += '}';
    if (any_suppressed) { // on all results or on none, says the standard
        out += R"(,"suppressions":[)";
        if (result.suppressed) append_suppression(out, report, *result.suppressed);
        out += ']';
    }
    if (!finding.edits.empty()) append_fix(out, report, finding);
    append_clusters(out, finding);
    out += '}';
}

} // namespace lockstep
