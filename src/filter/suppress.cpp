// Reads suppression comments and takes out the findings they speak about.
#include "filter/suppress.h"
#include <algorithm>
#include <cctype>

namespace lockstep {
namespace {

constexpr std::string_view marker = "lockstep: ignore";

std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// Where the comment that holds the marker starts in its line; npos when the marker is no comment.
std::size_t comment_start(std::string_view before) {
    const auto end = before.find_last_not_of(" \t");
    if (end == std::string_view::npos) return std::string_view::npos;
    if (before[end] == '#') {
        const bool starts = end == 0 || before[end - 1] == ' ' || before[end - 1] == '\t';
        return starts ? end : std::string_view::npos;
    }
    if (end >= 3 && before.substr(end - 1, 2) == "/*") {
        const auto open = before.rfind("{{", end);
        if (open != std::string_view::npos && before.substr(open).find("}}") == std::string_view::npos) return open;
    }
    return std::string_view::npos;
}

bool is_date(std::string_view text) {
    if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (i != 4 && i != 7 && !std::isdigit(static_cast<unsigned char>(text[i]))) return false;
    const int month = (text[5] - '0') * 10 + (text[6] - '0'), day = (text[8] - '0') * 10 + (text[9] - '0');
    return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

// `[a, b] reason until=…` behind the marker.
void parse_words(std::string_view rest, Suppression& result) {
    for (std::string_view close : {"*/", "-}}", "}}"})
        if (const auto at = rest.find(close); at != std::string_view::npos) rest = rest.substr(0, at);
    const auto close = rest.find(']');
    if (!rest.starts_with('[') || close == std::string_view::npos) {
        result.problem = "no rule is named: write ignore[rule-id] and a reason";
        return;
    }
    std::string_view ids = rest.substr(1, close - 1);
    while (!ids.empty()) {
        const auto comma = ids.find(',');
        if (const auto id = trimmed(ids.substr(0, comma)); !id.empty()) result.rules.emplace_back(id);
        ids = comma == std::string_view::npos ? std::string_view() : ids.substr(comma + 1);
    }
    if (result.rules.empty()) result.problem = "no rule is named: write ignore[rule-id] and a reason";
    std::string_view reason = trimmed(rest.substr(close + 1));
    if (const auto at = reason.find("until="); at != std::string_view::npos) {
        const auto date = reason.substr(at + 6, reason.find_first_of(" \t", at) - at - 6);
        result.until = date;
        if (!is_date(date)) result.problem = "until=" + result.until + " is no date: write until=YYYY-MM-DD";
        std::string around(trimmed(reason.substr(0, at)));
        if (at + 6 + date.size() < reason.size())
            around += (around.empty() ? "" : " ") + std::string(trimmed(reason.substr(at + 6 + date.size())));
        result.reason = around;
    } else {
        result.reason = reason;
    }
    while (!result.reason.empty() &&
           (result.reason.front() == ':' || result.reason.front() == '-' || result.reason.front() == ' '))
        result.reason.erase(0, 1);
    if (result.reason.empty() && result.problem.empty()) result.problem = "a reason is missing: say why this may stand";
}

bool is_comment_line(std::string_view line) {
    const auto text = trimmed(line);
    return text.starts_with('#') || text.starts_with("{{/*") || text.starts_with("{{- /*");
}

bool covers(const Suppression& suppression, const Rule& rule) {
    const auto ids = rule.ids();
    return std::any_of(suppression.rules.begin(), suppression.rules.end(),
                       [&](const std::string& id) { return std::find(ids.begin(), ids.end(), id) != ids.end(); });
}

bool touches(const Suppression& suppression, const Finding& finding, Locator& locator) {
    auto on_line = [&](Place place) {
        if (place.file != suppression.place.file) return false;
        const auto line = locator.locate(place).begin.line;
        return line == suppression.line || line == locator.locate(suppression.place).begin.line;
    };
    return on_line(finding.place) || std::any_of(finding.related.begin(), finding.related.end(),
                                                 [&](const Related& related) { return on_line(related.place); });
}

std::string text_of(const Suppression& suppression) {
    std::string ids;
    for (const auto& id : suppression.rules)
        ids += (ids.empty() ? "" : ", ") + id;
    return "ignore[" + ids + "]";
}

} // namespace

std::vector<Suppression> find_suppressions(const Tree& tree, Locator& locator) {
    std::vector<Suppression> found;
    for (FileId id = 0; id < tree.files.size(); ++id) {
        const std::string_view text = tree.files[id].text;
        for (auto at = text.find(marker); at != std::string_view::npos; at = text.find(marker, at + marker.size())) {
            const auto line_begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1; // npos + 1 is 0
            const auto line_end = std::min(text.find('\n', at), text.size());
            const auto start = comment_start(text.substr(line_begin, at - line_begin));
            if (start == std::string_view::npos) continue;
            Suppression one;
            one.place = {id, {static_cast<std::uint32_t>(line_begin + start), static_cast<std::uint32_t>(line_end)}};
            parse_words(text.substr(at + marker.size(), line_end - at - marker.size()), one);
            one.line = locator.locate(one.place).begin.line;
            if (trimmed(text.substr(line_begin, start))
                    .empty()) // alone on its line: it speaks about the next line of code
                do
                    ++one.line;
                while (is_comment_line(locator.line(id, one.line)));
            found.push_back(std::move(one));
        }
    }
    return found;
}

Filtered suppress(std::vector<RuleOutcome>& outcomes, const RuleSet& rules,
                  const std::vector<Suppression>& suppressions, Locator& locator, std::string_view today) {
    Filtered result;
    std::vector<bool> used(suppressions.size(), false);
    auto expired = [&](const Suppression& one) { return !one.until.empty() && one.until < today; };
    for (auto& outcome : outcomes)
        for (auto& finding : outcome.findings) {
            const Suppression* by = nullptr;
            for (std::size_t i = 0; i < suppressions.size() && outcome.rule->ignorable; ++i) {
                const Suppression& one = suppressions[i];
                if (!one.problem.empty() || !covers(one, *outcome.rule) || !touches(one, finding, locator)) continue;
                used[i] = true;
                if (!expired(one)) by = &one;
            }
            if (by)
                result.suppressed.push_back({std::move(finding), by->reason});
            else
                result.findings.push_back(std::move(finding));
        }

    auto report = [&](std::string_view id, const Suppression& one, std::string message) {
        for (const auto& outcome : outcomes)
            if (outcome.rule->id == id && outcome.ran)
                result.findings.push_back(
                    {outcome.rule->id,
                     outcome.rule->severity,
                     std::move(message),
                     one.place,
                     {},
                     std::string(id) + ":" + std::string(locator.locate(one.place).path) + "#" + text_of(one),
                     {}});
    };
    for (std::size_t i = 0; i < suppressions.size(); ++i) {
        const Suppression& one = suppressions[i];
        std::string problem = one.problem;
        bool all_ran = true;
        for (const auto& id : one.rules) {
            const Rule* rule = rules.find(id);
            if (!rule && problem.empty())
                problem = "there is no rule `" + id + "`";
            else if (rule && !rule->ignorable && problem.empty())
                problem = "`" + id + "` cannot be ignored";
            for (const auto& outcome : outcomes)
                if (outcome.rule == rule && !outcome.ran) all_ran = false;
        }
        if (!problem.empty())
            report("suppression-malformed", one, "this suppression does not count: " + problem);
        else if (expired(one))
            report("suppression-expired", one, text_of(one) + " expired on " + one.until);
        else if (!used[i] && all_ran)
            report("suppression-unused", one, text_of(one) + " suppresses nothing here");
    }
    return result;
}

} // namespace lockstep
