// One function per command. Each returns its exit code, or the reason the run cannot be trusted.
#pragma once
#include "base/plain_text.h"
#include "base/result.h"
#include "cli/lint.h"
#include "cli/options.h"

namespace lockstep {

// What a command wants printed. Only main prints.
struct Printed {
    int exit_code = 0;
    PlainText out;      // stdout
    PlainText err = {}; // stderr
    // What the command worked on. The process ends after printing: nobody has to take it to pieces first.
    std::shared_ptr<const LintRun> run = {};
};

Result<Printed> run_check(const Options& options, bool terminal);
Result<Printed> run_index(const Options& options);
Result<Printed> run_rules(const Options& options);
Result<Printed> run_explain(const Options& options);
Result<Printed> run_facts(const Options& options);
Result<Printed> run_pins(const Options& options);
Result<Printed> run_why(const Options& options);
Result<Printed> run_graph(const Options& options);
Result<Printed> run_test(const Options& options);
Result<Printed> run_init(const Options& options);
Result<Printed> run_diff(const Options& options);
Result<Printed> run_build(const Options& options);
Result<Printed> run_charts(const Options& options);

std::string pins_text(LintRun& run); // the page of `lockstep pins`
LintRequest request_of(const Options& options);
// The rule with this id, or an error with the nearest known one.
Result<const Rule*> find_rule(const RuleSet& rules, const std::string& id);

} // namespace lockstep
