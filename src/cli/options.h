// The command line: what the user asked for, with defaults filled in.
#pragma once
#include "base/finding.h"
#include "base/result.h"
#include "cli/build_chart.h"
#include <string>
#include <vector>

namespace lockstep {

enum class Command : std::uint8_t {
    check,
    index,
    rules,
    explain,
    facts,
    pins,
    why,
    graph,
    test,
    init,
    diff,
    build,
    charts,
    done
};

struct Options {
    Command command = Command::check;
    std::string path = ".";
    std::string rule;                      // explain, facts
    std::string file;                      // why
    bool all = false;                      // why
    std::string focus;                     // graph
    std::string format;                    // check, index, rules, why, graph; empty: text
    std::vector<std::string> outputs = {}; // --output, as written
    std::string repo_root;                 // --repo-root
    std::string sarif_category;            // --sarif-category
    bool sarif_drop_suppressed = false;
    bool places = false;                                      // build
    std::string into;                                         // build: -o
    std::string flux, cluster;                                // build: what one of these gets
    std::string reorder = "legacy";                           // build
    std::string load_restrictor = "LoadRestrictionsRootOnly"; // build
    ChartBuild chart = {};                                    // build, of a chart
    bool stats = false;
    bool notes = false;
    bool force = false;     // init
    unsigned jobs = 0;      // 0: as many as the machine has
    unsigned timeout = 600; // seconds; 0: none
    unsigned memory = 2048; // megabytes; 0: no limit
    std::string color = "auto";
    std::vector<std::string> only, skip;
    Severity fail_on = Severity::error;
    std::string config;               // --config
    std::vector<std::string> rules;   // --rules: folders with rule files
    std::string baseline;             // --baseline
    std::string base;                 // --base: a revision
    bool base_exact = false;          // --base-exact: the revision itself, not where HEAD left it
    bool staged = false;              // --staged
    bool changed_only = false;        // --changed-only
    bool config_from_base = false;    // --config-from-base
    bool no_new_suppressions = false; // --no-new-suppressions
    std::string write_baseline;       // --write-baseline
    std::string today;                // --today, for suppressions with a date
    std::string output;               // Command::done: text to print (--help, --version)
};

Result<Options> parse_options(int argc, const char* const* argv);

} // namespace lockstep
