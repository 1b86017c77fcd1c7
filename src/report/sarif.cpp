// A SARIF 2.1.0 log of one run, within the limits of code hosts; one line per rule and result.
#include "report/sarif.h"
#include "report/json_text.h"
#include "report/line_hash.h"
#include "tree/gzip_size.h"
#include <algorithm>
#include <map>

namespace lockstep {
namespace {

constexpr std::string_view schema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

class SarifLog {
public:
    explicit SarifLog(const Report& report) : report_(report) {}

    Written write() {
        list_rules();
        list_results();
        find_hashes();
        std::map<std::size_t, std::string> kept = write_results();
        Written log{head(), left_out_};
        std::string_view comma = "\n";
        for (auto& [order, one] : kept) {
            log.text += comma;
            log.text += one;
            comma = ",\n";
            std::string().swap(one); // the log is the second copy: let the first one go
        }
        log.text += "\n],\n" + invocation() + "}]}\n";
        return log;
    }

private:
    // Rules that ran, and those of findings; a group of pins is several rules under one id.
    void list_rules() {
        for (const RuleOutcome& outcome : report_.outcomes)
            if (outcome.ran) rules_.emplace(outcome.rule->id, outcome.rule);
        for (const Finding& finding : report_.findings)
            rules_.emplace(finding.rule, report_.rules.find(finding.rule));
        for (const SuppressedFinding& one : report_.suppressed)
            rules_.emplace(one.finding.rule, report_.rules.find(one.finding.rule));
        for (const auto& [id, rule] : rules_)
            rule_index_.emplace(id, rule_index_.size());
        const auto cut = std::count_if(rules_.begin(), rules_.end(),
                                       [](const auto& one) { return one.second && is_cut(*one.second); });
        if (cut > 0)
            note(std::to_string(cut) + (cut == 1 ? " rule has" : " rules have") +
                 " more than 10 tags or a description over 1,024 characters; the rest is left out");
    }

    // In the order in which there is room: most severe first, what is suppressed last.
    void list_results() {
        for (const Finding& finding : report_.findings)
            results_.push_back({&finding, nullptr, results_.size(), rule_index_[finding.rule]});
        any_suppressed_ = report_.sarif_suppressed && !report_.suppressed.empty();
        if (any_suppressed_)
            for (const SuppressedFinding& one : report_.suppressed)
                results_.push_back({&one.finding, &one, results_.size(), rule_index_[one.finding.rule]});
        std::stable_sort(results_.begin(), results_.end(), [](const SarifResult& a, const SarifResult& b) {
            if ((a.suppressed != nullptr) != (b.suppressed != nullptr)) return b.suppressed != nullptr;
            return a.finding->severity > b.finding->severity;
        });
        total_ = results_.size();
        if (results_.size() > sarif_limits::results) results_.resize(sarif_limits::results);
    }

    // The fingerprints of all lines with results, file by file.
    void find_hashes() {
        std::map<FileId, std::vector<std::uint32_t>> lines;
        for (const SarifResult& result : results_)
            if (const Place& place = result.finding->place; !report_.locator.text(place.file).empty())
                lines[place.file].push_back(report_.locator.locate(place).begin.line);
        for (const auto& [file, wanted] : lines)
            hashes_.emplace(file, github_line_hashes(report_.locator.text(file), wanted));
        for (SarifResult& result : results_)
            if (const auto file = hashes_.find(result.finding->place.file); file != hashes_.end())
                result.line_hash = file->second.at(report_.locator.locate(result.finding->place).begin.line);
    }

    // By the place in the report.
    std::map<std::size_t, std::string> write_results() {
        GzipSize gzip;
        gzip.add(head());
        std::map<std::size_t, std::string> kept;
        std::size_t cut_places = 0;
        for (const SarifResult& result : results_) {
            std::string one;
            append_result(one, report_, result, any_suppressed_);
            gzip.add(one);
            if (gzip.size() > sarif_limits::gzipped * 95 / 100) break;
            if (result.finding->related.size() > sarif_limits::related) ++cut_places;
            kept.emplace(result.order, std::move(one));
        }
        if (kept.size() < total_)
            note(std::to_string(total_ - kept.size()) + " of " + std::to_string(total_) +
                 " results are left out, the least severe ones: code hosts take 5,000 results and 10 MB, compressed");
        if (cut_places > 0)
            note(std::to_string(cut_places) + (cut_places == 1 ? " result has" : " results have") +
                 " more than 100 related places; the others are left out");
        return kept;
    }

    void note(const std::string& text) {
        left_out_ += "sarif: " + text + "\n";
        notes_.push_back(text + ".");
    }

    std::string head() const {
        std::string out = R"({"$schema":")" + std::string(schema) + "\",\"version\":\"2.1.0\",\"runs\":[{\n";
        out += R"("tool":{"driver":{"name":"lockstep")";
        if (!report_.version.empty()) {
            out += R"(,"version":)";
            append_json_string(out, report_.version);
            out += R"(,"semanticVersion":)";
            append_json_string(out, report_.version);
        }
        out += ",\"rules\":[";
        std::string_view comma = "\n";
        for (const auto& [id, rule] : rules_) {
            out += comma;
            append_rule(out, id, rule);
            comma = ",\n";
        }
        out += "\n]}},\n";
        if (!report_.sarif_category.empty()) {
            const std::string id =
                std::string(report_.sarif_category) + (report_.sarif_category.ends_with('/') ? "" : "/");
            out += R"("automationDetails":{"id":)";
            append_json_string(out, id);
            out += "},\n";
        }
        // No uri: where the repository lies on this machine is nobody's business, and readers know their own root.
        out += R"("originalUriBaseIds":{"%SRCROOT%":{"description":{"text":"The root of the repository."}}},)";
        out += "\n\"columnKind\":\"unicodeCodePoints\",\n\"results\":[";
        return out;
    }

    std::string invocation() const {
        std::string out = R"("invocations":[{"executionSuccessful":true)";
        if (!notes_.empty()) {
            out += R"(,"toolExecutionNotifications":[)";
            for (const std::string& text : notes_) {
                out += &text == &notes_.front() ? "" : ",";
                out += R"({"level":"warning","message":{"text":)";
                append_json_string(out, text);
                out += "}}";
            }
            out += ']';
        }
        return out + "}]";
    }

    const Report& report_;
    std::map<std::string_view, const Rule*> rules_;
    std::map<std::string_view, std::size_t> rule_index_;
    std::vector<SarifResult> results_;
    std::size_t total_ = 0;
    bool any_suppressed_ = false;
    std::map<FileId, std::unordered_map<std::uint32_t, std::string>> hashes_;
    std::string left_out_;
    std::vector<std::string> notes_;
};

} // namespace

Written write_sarif(const Report& report) {
    return SarifLog(report).write();
}

} // namespace lockstep
