// Reads, writes and asks a baseline.
#include "filter/baseline.h"
#include <algorithm>
#include <set>
#include <vector>

namespace lockstep {
namespace {

constexpr std::string_view lead = "# Findings that were there when lockstep ";
constexpr std::string_view lead_end = " wrote this file; --baseline shows only others.\n";

// A path may hold any byte; a line of the baseline may not hold a line break, and one tab parts key and message.
std::string one_line(std::string_view text) {
    std::string out;
    for (char c : text)
        out += c == '\n'   ? std::string("\\n")
               : c == '\r' ? std::string("\\r")
               : c == '\t' ? std::string("\\t")
                           : std::string(1, c);
    return out;
}

bool can_be_ignored(const Finding& finding, const RuleSet& rules) {
    const Rule* rule = rules.find(finding.rule);
    return !rule || rule->ignorable;
}

} // namespace

Baseline::Baseline(std::string_view text, std::string_view version) {
    by_key_ = !text.starts_with(std::string(lead) + std::string(version) + std::string(lead_end));
    while (!text.empty()) {
        const auto end = text.find('\n');
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
        if (line.empty() || line.starts_with('#')) continue;
        const auto tab = line.find('\t');
        std::string_view message = tab == std::string_view::npos ? std::string_view() : line.substr(tab + 1);
        const auto second = message.find('\t');
        const auto severity =
            second == std::string_view::npos ? Severity::error : parse_severity(message.substr(second + 1));
        message = message.substr(0, second);
        if (severity) ++left_[std::string(line.substr(0, tab))][{std::string(message), *severity}];
    }
}

bool Baseline::use_any(const std::string& key, Severity severity) {
    const auto lines = left_.find(key);
    if (lines == left_.end()) return false;
    for (auto& [words, count] : lines->second) {
        if (count == 0 || words.second < severity) continue;
        --count;
        return true;
    }
    return false;
}

bool Baseline::use(const std::string& key, const std::string& message, Severity severity) {
    const auto lines = left_.find(key);
    if (lines == left_.end()) return false;
    for (const std::string& wanted : {message, std::string()})
        for (auto found = lines->second.lower_bound({wanted, severity});
             found != lines->second.end() && found->first.first == wanted; ++found)
            if (found->second > 0) {
                --found->second;
                return true;
            }
    return by_key_ && use_any(key, severity);
}

bool Baseline::covers(const Finding& finding, const RuleSet& rules) {
    if (left_.empty() || !can_be_ignored(finding, rules)) return false;
    const std::string key = one_line(finding.key), message = one_line(finding.message);
    if (use(key, message, finding.severity)) return true;
    // What it replaces was said in other words.
    if (std::any_of(finding.replaces.begin(), finding.replaces.end(),
                    [&](const std::string& replaced) { return use_any(one_line(replaced), finding.severity); }))
        return true;
    const Rule* rule = rules.find(finding.rule);
    if (!rule || !key.starts_with(rule->id)) return false;
    const std::string subject = key.substr(rule->id.size());
    const auto old = std::find_if(rule->formerly.begin(), rule->formerly.end(),
                                  [&](const std::string& id) { return use(id + subject, message, finding.severity); });
    if (old == rule->formerly.end()) return false;
    former_ids_.insert(*old);
    return true;
}

// A line for an error covers a note as well, so those of each severity and above are compared.
std::size_t Baseline::count_beyond(const Baseline& older) const {
    const auto from = [](const Baseline& baseline, const std::string& key, const std::string& message, Severity least) {
        std::size_t count = 0;
        const auto lines = baseline.left_.find(key);
        if (lines == baseline.left_.end()) return count;
        for (auto found = lines->second.lower_bound({message, least});
             found != lines->second.end() && found->first.first == message; ++found)
            count += found->second;
        return count;
    };
    std::size_t count = 0;
    for (const auto& [key, lines] : left_) {
        std::set<std::string_view> messages;
        for (const auto& [words, times] : lines)
            if (messages.insert(words.first).second) {
                std::size_t more = 0;
                for (const Severity level : {Severity::note, Severity::warning, Severity::error}) {
                    const std::size_t now = from(*this, key, words.first, level);
                    const std::size_t before = from(older, key, words.first, level);
                    more = std::max(more, now > before ? now - before : 0);
                }
                count += more;
            }
    }
    return count;
}

std::string write_baseline(const std::vector<Finding>& findings, const RuleSet& rules, std::string_view version) {
    std::vector<std::string> lines;
    for (const auto& finding : findings)
        if (can_be_ignored(finding, rules))
            lines.push_back(
                one_line(finding.key) + '\t' + one_line(finding.message) +
                (finding.severity == Severity::error ? "" : '\t' + std::string(to_string(finding.severity))));
    std::sort(lines.begin(), lines.end());
    std::string out = std::string(lead) + std::string(version) + std::string(lead_end);
    for (const auto& line : lines)
        out += line + "\n";
    return out;
}

} // namespace lockstep
