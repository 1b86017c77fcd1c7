// `lockstep facts ID`: the tables of a rule as they were filled, and the verdict on every row that is checked.
#include "cli/commands.h"
#include <algorithm>

namespace lockstep {
namespace {

std::string counted(std::size_t count, std::string_view noun) {
    return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::string place_text(Place place, Locator& locator) {
    if (place.file == no_file) return "(table)";
    const Location location = locator.locate(place);
    return std::string(location.path) + ":" + std::to_string(location.begin.line) + ":" +
           std::to_string(location.begin.column);
}

std::string cell_text(const Cell& cell) {
    if (cell.state == State::absent) return "(absent)";
    std::string text = cell.text.substr(0, 80);
    std::replace(text.begin(), text.end(), '\n', ' ');
    return cell.state == State::templated ? text + " (templated)" : text;
}

std::string row_text(const FactSpec& fact, const Row& row, Locator& locator) {
    std::string out = "  " + place_text(row.anchor, locator) + " ";
    const bool from_tree = fact.source != FactSpec::Source::table && fact.source != FactSpec::Source::relation;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
        const bool common = from_tree && std::find(std::begin(common_columns), std::end(common_columns),
                                                   fact.columns[i]) != std::end(common_columns);
        if (common && (row.cells[i].state == State::absent || fact.columns[i] == "file" || fact.columns[i] == "dir"))
            continue;
        out += " " + fact.columns[i] + "=" + cell_text(row.cells[i]);
    }
    if (!row.lost.empty()) out += "  lost: " + row.lost;
    return out;
}

void print_fact(const FactSpec& fact, const Table& table, const RuleOutcome& outcome, bool subject, Locator& locator,
                std::string& out) {
    out += fact.name + (subject ? " (checked), " : ", ") + counted(table.rows.size(), "row") + "\n";
    constexpr std::size_t most_table_rows = 5;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        if (fact.source == FactSpec::Source::table && i == most_table_rows) {
            out += "  … the rest of the table `" + fact.table + "`\n";
            break;
        }
        out += row_text(fact, table.rows[i], locator);
        for (const auto& verdict : outcome.subjects)
            if (subject && verdict.row == i) {
                out += "  -> " + std::string(to_string(verdict.verdict));
                if (!verdict.why.empty()) out += " (" + verdict.why + ")";
                break;
            }
        out += "\n";
    }
}

} // namespace

Result<Printed> run_facts(const Options& options) {
    LintRequest request = request_of(options);
    request.selection.only = {options.rule};
    auto run = lint(request);
    if (!run) return run.error();
    LintRun& made = **run;
    auto found = find_rule(made.rules, options.rule);
    if (!found) return found.error();
    std::string out;
    for (std::size_t i = 0; i < made.rules.rules.size(); ++i) {
        const Rule& rule = made.rules.rules[i];
        if (rule.id != (*found)->id) continue;
        const RuleOutcome& outcome = made.outcomes[i];
        if (!outcome.ran) out += "did not run: " + outcome.why_not + "\n";
        for (std::size_t fact = 0; fact < rule.facts.size(); ++fact)
            if (rule.facts[fact].source != FactSpec::Source::partner)
                print_fact(rule.facts[fact], made.read.table(made.plan->number(i, fact)), outcome,
                           rule.declarative() && fact == rule.subject, *made.locator, out);
        if (!rule.declarative()) {
            out += (rule.native == built_in ? "built in" : "native check " + rule.native) + std::string("\n");
            for (const auto& subject : outcome.subjects)
                out += "  " + place_text(subject.place, *made.locator) + "  " + subject.name + "  -> " +
                       std::string(to_string(subject.verdict)) + (subject.why.empty() ? "" : " (" + subject.why + ")") +
                       "\n";
        }
        out += std::to_string(outcome.count(Verdict::pass)) + " pass, " + std::to_string(outcome.count(Verdict::fail)) +
               " fail, " + std::to_string(outcome.count(Verdict::undecided)) + " undecided, " +
               std::to_string(outcome.count(Verdict::lost)) + " lost, " +
               std::to_string(outcome.count(Verdict::unmatched)) + " unmatched; " +
               counted(outcome.findings.size(), "finding") + "\n";
    }
    return Printed{0, PlainText::lines(out)};
}

} // namespace lockstep
