// `lockstep check` and `lockstep index`: one run over a repository, reported.
#include "base/suggest.h"
#include "cli/build_links.h"
#include "cli/change.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/outputs.h"
#include "cli/repo_prefix.h"
#include "filter/baseline.h"
#include "report/index_report.h"
#include "version.h"
#include <algorithm>
#include <chrono>

namespace lockstep {
namespace {

std::optional<Error> check_selection(const Options& options, const RuleSet& rules) {
    for (const auto* list : {&options.only, &options.skip})
        for (const auto& id : *list)
            if (auto rule = find_rule(rules, id); !rule) return rule.error();
    return std::nullopt;
}

std::string milliseconds_text(double milliseconds) {
    const auto tenths = static_cast<long long>(milliseconds * 10);
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " ms\n";
}

} // namespace

LintRequest request_of(const Options& options) {
    LintRequest request;
    request.path = options.path;
    request.config = options.config;
    request.rules = options.rules;
    request.selection.only = options.only;
    request.selection.skip = options.skip;
    request.jobs = options.jobs;
    request.today = options.today;
    return request;
}

Result<const Rule*> find_rule(const RuleSet& rules, const std::string& id) {
    if (const Rule* rule = rules.find(id)) return rule;
    std::vector<std::string> ids;
    for (const auto& rule : rules.rules)
        ids.push_back(rule.id);
    const auto near = nearest(id, ids);
    return Error{"there is no rule `" + id + "`",
                 {},
                 {0, 0},
                 near ? "did you mean `" + *near + "`?" : "`lockstep rules` lists them"};
}

Result<Printed> run_check(const Options& options, bool terminal) {
    const auto start = std::chrono::steady_clock::now();
    auto outputs = plan_outputs(options.format, options.outputs);
    if (!outputs) return outputs.error();
    auto prefix = prefix_in_repository(options.path, options.repo_root);
    if (!prefix) return prefix.error();
    LintRequest request = request_of(options);
    request.selection.passes =
        std::any_of(outputs->begin(), outputs->end(), [](const Output& output) { return output.format->passes; });
    if (auto error = add_change(options, request)) return *error;
    if (!options.baseline.empty()) {
        auto text = request.own.file(options.baseline);
        if (!text) return text.error();
        if (!*text) return Error{"there is no such baseline", options.baseline, {0, 0}, "--write-baseline makes one"};
        request.baseline = **text;
    }
    auto run = lint(request);
    if (!run) return run.error();
    LintRun& made = **run;
    if (!options.write_baseline.empty()) {
        if (auto error = write_file(options.write_baseline, write_baseline(made.unfolded, made.rules, LOCKSTEP_VERSION),
                                    options.path))
            return *error;
        return Printed{0, PlainText::lines("wrote " + options.write_baseline + "\n")};
    }
    if (auto error = check_selection(options, made.rules)) return *error;

    RunStats stats = made.stats(options.stats);
    stats.change = change_stats(request, made);
    stats.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    Printed printed;
    Report report{made.findings, made.suppressed, made.outcomes, made.rules, stats, *made.locator};
    report.version = LOCKSTEP_VERSION;
    report.prefix = *prefix;
    report.unfolded = made.unfolded;
    const std::string link_base = link_base_of_build();
    report.link_base = link_base;
    report.sarif_category = options.sarif_category;
    report.sarif_suppressed = !options.sarif_drop_suppressed;
    report.text.notes = options.notes;
    report.text.stats = options.stats;
    for (const Output& output : *outputs) {
        const bool on_terminal = terminal && output.file.empty();
        report.text.color = options.color == "always" || (options.color == "auto" && on_terminal);
        Written written = output.format->write(report); // one at a time: a report may be as large as all findings
        printed.err += PlainText::lines(written.left_out);
        if (output.file.empty())
            printed.out += output.format->json ? PlainText::json(std::move(written.text))
                                               : PlainText::report(std::move(written.text));
        else if (auto error = write_file(output.file, written.text, options.path))
            return *error;
    }
    for (const std::string& warning : made.warnings)
        printed.err += PlainText::lines(warning + "\n");
    if (options.stats) printed.err += PlainText::own(milliseconds_text(stats.milliseconds));
    const bool failing = options.fail_on != Severity::off &&
                         std::any_of(made.findings.begin(), made.findings.end(),
                                     [&](const Finding& finding) { return finding.severity >= options.fail_on; });
    const bool softer = options.no_new_suppressions && stats.change &&
                        !(stats.change->suppressions.empty() && stats.change->softened.empty());
    if (softer)
        printed.err +=
            PlainText::own("this change lets more pass: its suppressions, config, rules, baseline or what it "
                           "does to chains need a review of their own (--no-new-suppressions)\n");
    printed.exit_code = failing || softer ? 1 : 0;
    printed.run = std::move(*run);
    return printed;
}

Result<Printed> run_index(const Options& options) {
    auto run = lint(request_of(options));
    if (!run) return run.error();
    const Repository& repository = (*run)->read.repository;
    Locator& locator = *(*run)->locator;
    const Fleet& fleet = fleet_of(repository);
    return Printed{0, options.format == "json" ? PlainText::json(index_json(repository.index, locator, &fleet))
                                               : PlainText::lines(index_text(repository.index, locator, &fleet))};
}

} // namespace lockstep
