// Reads, writes and asks a baseline.
#include "filter/baseline.h"
#include <algorithm>

namespace lockstep {
namespace {

// A path may hold any byte; a line of the baseline may not hold a line break.
std::string one_line(std::string_view key) {
    std::string out;
    for (char c : key)
        out += c == '\n' ? std::string("\\n") : c == '\r' ? std::string("\\r") : std::string(1, c);
    return out;
}

} // namespace

std::set<std::string> read_baseline(std::string_view text) {
    std::set<std::string> keys;
    while (!text.empty()) {
        const auto end = text.find('\n');
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (!line.empty() && !line.starts_with('#')) keys.emplace(line);
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    }
    return keys;
}

std::string write_baseline(const std::vector<Finding>& findings) {
    std::set<std::string> keys;
    for (const auto& finding : findings)
        keys.insert(one_line(finding.key));
    std::string out = "# Findings that were there when this file was written; lockstep --baseline shows only others.\n";
    for (const auto& key : keys)
        out += key + "\n";
    return out;
}

bool is_in_baseline(const Finding& finding, const std::set<std::string>& keys, const RuleSet& rules) {
    const std::string key = one_line(finding.key);
    if (keys.contains(key)) return true;
    if (std::any_of(finding.replaces.begin(), finding.replaces.end(),
                    [&](const std::string& replaced) { return keys.contains(one_line(replaced)); }))
        return true;
    const Rule* rule = rules.find(finding.rule);
    if (!rule || !key.starts_with(rule->id)) return false;
    const std::string subject = key.substr(rule->id.size());
    return std::any_of(rule->formerly.begin(), rule->formerly.end(),
                       [&](const std::string& old) { return keys.contains(old + subject); });
}

} // namespace lockstep
