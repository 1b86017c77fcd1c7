// `lockstep rules` and `lockstep explain`: what the rule files say about themselves.
#include "cli/commands.h"
#include "cli/examples.h"
#include <algorithm>

namespace lockstep {
namespace {

std::string padded(std::string_view text, std::size_t width) {
    std::string out(text);
    if (out.size() < width) out.append(width - out.size(), ' ');
    return out;
}

std::string rules_text(const RuleSet& rules) {
    std::size_t width = 0;
    for (const auto& rule : rules.rules)
        width = std::max(width, rule.id.size());
    std::string out;
    for (const auto& rule : rules.rules)
        out += padded(rule.id, width + 2) + padded(to_string(rule.severity), 9) + padded(rule.pack, 10) + rule.summary +
               (rule.needs_base ? " (with --base)\n" : "\n");
    return out;
}

std::string with_break(std::string text) {
    if (!text.ends_with('\n')) text += '\n';
    return text;
}

// docs/rules.md, whole.
std::string rules_markdown(const RuleSet& rules) {
    std::string out =
        "# Rules\n\nMade from the rule files and their fixtures by `lockstep rules --format markdown`.\n\n"
        "| id | severity | pack | what is wrong |\n|---|---|---|---|\n";
    for (const auto& rule : rules.rules)
        out += "| [" + rule.id + "](#" + rule.id + ") | " + std::string(to_string(rule.severity)) + " | " + rule.pack +
               " | " + rule.summary + " |\n";
    for (const auto& rule : rules.rules) {
        out += "\n## " + rule.id + "\n\n" + rule.summary + ". ";
        out += "Severity " + std::string(to_string(rule.severity)) + ", pack " + rule.pack + ", judges " +
               std::string(to_string(rule.judges)) + ", precision " + rule.precision;
        if (!rule.since.empty()) out += ", since " + rule.since;
        if (!rule.ignorable) out += ", cannot be ignored";
        if (rule.needs_base) out += ", needs a base revision (`--base`)";
        out += ".\n";
        if (!rule.formerly.empty()) {
            out += "\nFormerly";
            for (const auto& id : rule.formerly)
                out += " `" + id + "`";
            out += "; these ids still work.\n";
        }
        out += "\n**Why.** " + with_break(rule.why) + "\n**Fix.** " + with_break(rule.fix);
        const auto examples = examples_of(rule.id);
        if (!examples.empty())
            out += "\n**Example** (`" + examples.front().name + "`)\n\n```text\n" + examples.front().text + "```\n";
    }
    return out;
}

std::string indented(const std::string& text) {
    std::string out = "  ";
    for (char c : text) {
        out += c;
        if (c == '\n') out += "  ";
    }
    out.erase(out.find_last_not_of(" \n") + 1);
    return out + "\n";
}

} // namespace

Result<Printed> run_rules(const Options& options) {
    auto rules = rules_of(request_of(options));
    if (!rules) return rules.error();
    auto& all = rules->rules; // a pin group is one rule per site, and one line here
    all.erase(std::unique(all.begin(), all.end(), [](const Rule& a, const Rule& b) { return a.id == b.id; }),
              all.end());
    return Printed{0, PlainText::lines(options.format == "markdown" ? rules_markdown(*rules) : rules_text(*rules))};
}

Result<Printed> run_explain(const Options& options) {
    auto rules = rules_of(request_of(options));
    if (!rules) return rules.error();
    auto found = find_rule(*rules, options.rule);
    if (!found) return found.error();
    const Rule& rule = **found;
    std::string out = rule.id + ": " + rule.summary + "\n";
    out += "severity " + std::string(to_string(rule.severity)) + ", pack " + rule.pack + ", judges " +
           std::string(to_string(rule.judges)) + ", precision " + rule.precision;
    out += rule.ignorable ? "\n" : ", cannot be ignored\n";
    if (rule.needs_base) out += "needs a base revision (--base): it judges what a change does\n";
    for (const auto& id : rule.replaces)
        out += "replaces " + (id == "pins" ? "pin groups of the config" : id) + " where both are about one edit\n";
    for (const auto& id : rule.formerly)
        out += "formerly " + id + "\n";
    out += "\nWhy\n" + indented(rule.why) + "\nFix\n" + indented(rule.fix);
    const bool own = rule.pack == "local";
    const auto examples =
        own ? examples_in(options.path + "/" + std::string(own_folder) + "/fixtures/" + rule.id) : examples_of(rule.id);
    if (!examples.empty()) out += "\nExample (" + examples.front().name + ")\n" + indented(examples.front().text);
    if (own) out += "\nRule file\n  " + rule.path + "\n";
    return Printed{0, PlainText::lines(out)};
}

} // namespace lockstep
