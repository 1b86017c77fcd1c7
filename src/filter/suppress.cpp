// Reads suppression comments and takes out the findings they are about.
#include "filter/suppress.h"
#include "base/parallel.h"
#include "base/suggest.h"
#include "base/text.h"
#include <algorithm>
#include <cctype>
#include <chrono>
#include <map>
#include <set>

namespace lockstep {
namespace {

// What a suppression starts with; words that only look like it are reported, so that nobody trusts them.
constexpr std::string_view marker = "lockstep: ignore";
constexpr std::string_view near_marker = "ockstep";
constexpr std::size_t most_in_file = 10'000; // SECURITY.md names it

// Where the comment that holds the marker starts in its line; npos when the marker is no comment.
std::size_t comment_start(std::string_view before) {
    const auto end = before.find_last_not_of(" \t");
    if (end == std::string_view::npos) return std::string_view::npos;
    if (before[end] == '#') {
        const bool starts = end == 0 || before[end - 1] == ' ' || before[end - 1] == '\t';
        return starts ? end : std::string_view::npos;
    }
    if (end >= 3 && before.substr(end - 1, 2) == "/*") {
        // Just before it: a line of many megabytes is not looked through for each comment.
        const std::size_t from = end < 200 ? 0 : end - 200;
        const auto open = before.substr(from).rfind("{{");
        if (open != std::string_view::npos && before.substr(from + open).find("}}") == std::string_view::npos)
            return from + open;
    }
    return std::string_view::npos;
}

// `[a, b] reason until=…` behind the marker.
void parse_words(std::string_view rest, Suppression& result) {
    for (std::string_view close : {"*/", "-}}", "}}"})
        if (const auto at = rest.find(close); at != std::string_view::npos) rest = rest.substr(0, at);
    const auto close = rest.find(']');
    if (!rest.starts_with('[')) {
        result.problem = "no rule is named: write ignore[rule-id] and a reason";
        return;
    }
    if (close == std::string_view::npos) {
        result.problem = "the `]` after the rule id is missing: write ignore[rule-id] and a reason";
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
        if (!is_date(date)) result.problem = "until=" + result.until + " is not a date: write until=YYYY-MM-DD";
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
    if (result.reason.empty() && result.problem.empty())
        result.problem = "a reason is missing: say why this is acceptable";
}

// `Lockstep: ignore[…]`, `lockstep:ignore`, `lockstep disable …`
bool looks_like_one(std::string_view words) {
    if (words.front() != 'l' && words.front() != 'L') return false;
    words.remove_prefix(std::string_view("lockstep").size());
    while (!words.empty() && (words.front() == ':' || words.front() == ' '))
        words.remove_prefix(1);
    for (std::string_view verb : {"ignore", "disable", "suppress"})
        if (words.starts_with(verb)) return true;
    return false;
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

// A finding that replaces others is silenced by what silences them.
bool covers_replaced(const Suppression& suppression, const Finding& finding, const RuleSet& rules) {
    return std::any_of(finding.replaces.begin(), finding.replaces.end(), [&](const std::string& key) {
        const Rule* rule = rules.find(std::string_view(key).substr(0, key.find(':')));
        return rule && covers(suppression, *rule);
    });
}

// Suppressions by the lines they are about: there may be as many of them as findings.
class SuppressedLines {
public:
    SuppressedLines(const std::vector<Suppression>& suppressions, Locator& locator) : locator_(locator) {
        for (std::size_t i = 0; i < suppressions.size(); ++i) {
            const Suppression& one = suppressions[i];
            if (!one.problem.empty()) continue;
            files_.insert(one.place.file);
            by_line_[{one.place.file, one.line}].push_back(i);
            by_line_[{one.place.file, locator.locate(one.place).begin.line}].push_back(i);
        }
    }

    // Those that are at any place of the finding, each once, in their order.
    std::vector<std::size_t> touching(const Finding& finding) {
        std::vector<std::size_t> found;
        add(finding.place, found);
        for (const Related& related : finding.related)
            add(related.place, found);
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        return found;
    }

private:
    void add(Place place, std::vector<std::size_t>& found) {
        if (!files_.count(place.file)) return;
        const auto here = by_line_.find({place.file, locator_.locate(place).begin.line});
        if (here != by_line_.end()) found.insert(found.end(), here->second.begin(), here->second.end());
    }

    Locator& locator_;
    std::set<FileId> files_;
    std::map<std::pair<FileId, std::uint32_t>, std::vector<std::size_t>> by_line_;
};

std::string text_of(const Suppression& suppression) {
    std::string ids;
    for (const auto& id : suppression.rules)
        ids += (ids.empty() ? "" : ", ") + id;
    return "ignore[" + ids + "]";
}

// Those of one file, which has the marker somewhere.
void find_in_file(const Tree& tree, FileId id, Locator& locator, std::vector<Suppression>& found) {
    const std::string_view text = tree.files[id].text;
    std::size_t left = most_in_file;
    std::size_t line_begin = 0, line_end = 0;           // of the last hit: a long line may have many
    std::uint32_t comments_begin = 0, comments_end = 0; // lines of comments that were seen: they may be many, too
    for (auto at = text.find(near_marker); at != std::string_view::npos; at = text.find(near_marker, at + 1)) {
        if (at == 0) continue;
        --at; // the l or L
        if (at >= line_end) {
            line_begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1; // npos + 1 is 0
            line_end = std::min(text.find('\n', at), text.size());
        }
        const std::string_view words = text.substr(at, line_end - at);
        const auto start = comment_start(text.substr(line_begin, at - line_begin));
        const bool right = words.starts_with(marker);
        at += near_marker.size();
        if (start == std::string_view::npos || (!right && !looks_like_one(words))) continue;
        Suppression one;
        one.place = {id, {static_cast<std::uint32_t>(line_begin + start), static_cast<std::uint32_t>(line_end)}};
        const bool too_many = left-- == 0;
        if (too_many)
            one.problem = "more than " + std::to_string(most_in_file) + " in one file; none from here on counts";
        else if (right)
            parse_words(words.substr(marker.size(), words.find(marker, 1) - marker.size()), one);
        else
            one.problem = "it starts with `lockstep: ignore[rule-id]`, written just so";
        one.line = locator.locate(one.place).begin.line;
        if (trimmed(text.substr(line_begin, start)).empty()) { // alone on its line: about the next line of code
            const std::uint32_t own = one.line++;
            if (own >= comments_begin && one.line < comments_end) one.line = comments_end;
            while (is_comment_line(locator.line(id, one.line)))
                ++one.line;
            comments_begin = own;
            comments_end = one.line;
        }
        found.push_back(std::move(one));
        if (too_many) break;
    }
}

} // namespace

bool is_date(std::string_view text) {
    if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (i != 4 && i != 7 && !std::isdigit(static_cast<unsigned char>(text[i]))) return false;
    auto number = [&](std::size_t begin, std::size_t size) {
        unsigned value = 0;
        for (char c : text.substr(begin, size))
            value = value * 10 + static_cast<unsigned>(c - '0');
        return value;
    };
    return std::chrono::year_month_day(std::chrono::year(static_cast<int>(number(0, 4))),
                                       std::chrono::month(number(5, 2)), std::chrono::day(number(8, 2)))
        .ok();
}

std::vector<Suppression> find_suppressions(const Tree& tree, Locator& locator, unsigned jobs) {
    constexpr std::size_t at_once = 256; // files, and hardly any of them has one
    std::vector<char> may_have(tree.files.size(), 0);
    parallel_for((tree.files.size() + at_once - 1) / at_once, jobs, [&](std::size_t part) {
        for (std::size_t id = part * at_once; id < std::min((part + 1) * at_once, tree.files.size()); ++id)
            may_have[id] = tree.files[id].text.find(near_marker) != std::string_view::npos ? 1 : 0;
    });
    std::vector<Suppression> found;
    for (FileId id = 0; id < tree.files.size(); ++id)
        if (may_have[id]) find_in_file(tree, id, locator, found);
    return found;
}

Filtered suppress(std::vector<RuleOutcome>& outcomes, const RuleSet& rules, const Config& config,
                  const std::vector<Suppression>& suppressions, Locator& locator, std::string_view today) {
    Filtered result;
    std::vector<bool> used(suppressions.size(), false);
    const std::vector<std::size_t> none;
    SuppressedLines lines(suppressions, locator);
    auto expired = [&](const Suppression& one) { return !one.until.empty() && one.until < today; };
    for (auto& outcome : outcomes)
        for (auto& finding : outcome.findings) {
            const Suppression* by = nullptr;
            for (const std::size_t i : outcome.rule->ignorable ? lines.touching(finding) : none) {
                const Suppression& one = suppressions[i];
                if (!covers(one, *outcome.rule) && !covers_replaced(one, finding, rules)) continue;
                used[i] = true;
                if (!expired(one)) by = &one;
            }
            if (by)
                result.suppressed.push_back(
                    {std::move(finding), by->reason, SuppressedFinding::By::comment, by->place});
            else
                result.findings.push_back(std::move(finding));
        }

    std::vector<std::string> ids;
    for (const auto& rule : rules.rules)
        ids.push_back(rule.id);
    // Every suppression is a subject of the three rules about suppressions, so that their passes show too.
    auto report = [&](std::string_view id, const Suppression& one, const std::string& message) {
        for (auto& outcome : outcomes) {
            if (outcome.rule->id != id || !outcome.ran) continue;
            const std::string path(locator.locate(one.place).path);
            const std::string subject = path + "#" + text_of(one);
            const Severity severity = severity_for(config, outcome.rule->ids(), path, outcome.rule->severity);
            outcome.subjects.push_back(
                {one.place, subject, message.empty() ? Verdict::pass : Verdict::fail, {}, outcome.subjects.size()});
            if (!message.empty() && severity != Severity::off)
                result.findings.push_back(
                    {outcome.rule->id, severity, message, one.place, {}, std::string(id) + ":" + subject, {}});
        }
    };
    for (std::size_t i = 0; i < suppressions.size(); ++i) {
        const Suppression& one = suppressions[i];
        std::string problem = one.problem;
        bool all_ran = true;
        for (const auto& id : one.rules) {
            const Rule* rule = rules.find(id);
            const auto near = rule ? std::nullopt : nearest(id, ids);
            if (!rule && problem.empty())
                problem = "there is no rule `" + id + "`" + (near ? "; did you mean `" + *near + "`?" : "");
            else if (rule && !rule->ignorable && problem.empty())
                problem = "`" + id + "` cannot be ignored";
            for (const auto& outcome : outcomes)
                if (outcome.rule == rule && !outcome.ran) all_ran = false;
        }
        report("suppression-malformed", one, problem.empty() ? "" : "this suppression does not count: " + problem);
        if (!problem.empty()) continue;
        report("suppression-expired", one, expired(one) ? text_of(one) + " expired on " + one.until : "");
        if (!expired(one) && all_ran)
            report("suppression-unused", one, used[i] ? "" : text_of(one) + " suppresses nothing here");
    }
    return result;
}

} // namespace lockstep
