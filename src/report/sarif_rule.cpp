// A rule's page in a SARIF log, from the rule file.
#include "report/json_text.h"
#include "report/sarif.h"
#include <algorithm>

namespace lockstep {
namespace {

// `blueprint-chart-drift` is called BlueprintChartDrift: the id is what suppressions name, this is a name.
std::string name_of(std::string_view id) {
    std::string name;
    bool upper = true;
    for (const char c : id) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (letter) name += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        upper = !letter;
    }
    return name;
}

// A name that is the id again says nothing, and validators complain.
bool is_same(std::string_view name, std::string_view id) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return std::equal(name.begin(), name.end(), id.begin(), id.end(),
                      [&](char a, char b) { return lower(a) == lower(b); });
}

std::string_view level_of(Severity severity) {
    return severity == Severity::off ? "none" : to_string(severity);
}

std::string_view problem_severity(Severity severity) {
    return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "recommendation";
}

std::string trimmed(std::string_view text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
        text.remove_suffix(1);
    return std::string(text);
}

std::string sentence(std::string text) {
    if (!text.empty() && std::string_view(".!?`:").find(text.back()) == std::string_view::npos) text += '.';
    return text;
}

std::vector<std::string> tags_of(const Rule& rule) {
    std::vector<std::string> tags = rule.tags;
    if (tags.size() > sarif_limits::tags) tags.resize(sarif_limits::tags);
    if (tags.size() < sarif_limits::tags && std::find(tags.begin(), tags.end(), rule.pack) == tags.end())
        tags.push_back(rule.pack);
    return tags;
}

void append_text(std::string& out, std::string_view key, std::string_view text) {
    out += ",\"";
    out += key;
    out += R"(":{"text":)";
    append_json_string(out, text);
    out += '}';
}

} // namespace

bool is_cut(const Rule& rule) {
    constexpr std::size_t limit = sarif_limits::description;
    return rule.tags.size() > sarif_limits::tags || cut_to(rule.summary, limit) != rule.summary ||
           cut_to(rule.why, limit) != rule.why;
}

void append_rule(std::string& out, std::string_view id, const Rule* rule) {
    out += R"({"id":)";
    append_json_string(out, id);
    if (const std::string name = name_of(id); !is_same(name, id)) {
        out += R"(,"name":)";
        append_json_string(out, cut_to(name, 255));
    }
    if (!rule) {
        out += '}';
        return;
    }
    const std::string why = trimmed(rule->why), fix = trimmed(rule->fix);
    append_text(out, "shortDescription", cut_to(sentence(trimmed(rule->summary)), sarif_limits::description));
    append_text(out, "fullDescription",
                cut_to(sentence(why.empty() ? trimmed(rule->summary) : why), sarif_limits::description));
    out += R"(,"help":{"text":)";
    append_json_string(out, "Why: " + why + "\n\nFix: " + fix);
    out += R"(,"markdown":)";
    append_json_string(out, "## Why\n\n" + why + "\n\n## Fix\n\n" + fix + "\n");
    out += R"(},"defaultConfiguration":{"level":")";
    out += level_of(rule->severity);
    out += R"("},"properties":{"precision":)";
    append_json_string(out, rule->precision);
    out += R"(,"problem.severity":")";
    out += problem_severity(rule->severity);
    out += R"(","tags":[)";
    std::string_view comma;
    for (const std::string& tag : tags_of(*rule)) {
        out += comma;
        append_json_string(out, tag);
        comma = ",";
    }
    out += "]}}";
}

} // namespace lockstep
