// Documents to index and facts: every wanted file is read and parsed once, in parallel, and its node table dropped.
#pragma once
#include "config/config.h"
#include "index/index.h"
#include "index/parsed_files.h"
#include "rules/extract.h"
#include "rules/ruleset.h"
#include <memory>

namespace lockstep {

struct FileProblem {
    FileId file = no_file;
    YamlProblem problem;
};

class Fleet;
class ChartLibrary;

// The repository as it was understood.
struct Repository {
    const Tree* tree = nullptr; // outlives it
    Index index;
    std::vector<FileProblem> problems; // in file order
    std::uint64_t documents = 0;
    std::uint64_t templates_total = 0; // files with template actions
    std::uint64_t templates_read = 0;
    struct OnDemand { // what only some checks ask for; worked out once, by whichever thread comes first
        ParsedFiles files;
        std::size_t most_applied;
        Tree* tree = nullptr;                             // files that nobody read yet may be asked for
        std::vector<std::string> applied = {}, urls = {}; // of the config; of the config and the remotes
        std::vector<std::string> charts = {};             // folders with packed charts
        std::string kubernetes = {};                      // of the config
        unsigned jobs = 1;
        std::once_flag asked_charts = {};
        std::shared_ptr<ChartLibrary> library = {};
        std::once_flag asked_fleet = {};
        std::shared_ptr<Fleet> fleet = {};
    };
    std::shared_ptr<OnDemand> on_demand = {};
};

// The charts that are at hand.
const ChartLibrary& charts_of(const Repository& repository);
// What every cluster gets, worked out when the first rule or command asks.
const Fleet& fleet_of(const Repository& repository);
// Why a run that asked for what is applied cannot be trusted: there was more than the limit allows.
std::optional<Error> fleet_beyond_limit(const Repository& repository);

struct ReadResult {
    Repository repository;
    std::vector<Table> tables;    // one per fact of the plan
    bool over_total_size = false; // files were left unread for the limit on all of them: nothing here can be trusted
};

// Fills the texts of `tree`, which must stay where it is.
ReadResult read_repository(Tree& tree, const Config& config, const RuleSet& rules, const FactPlan& plan, unsigned jobs);
// Facts about what is applied, once the result is where it stays: the fleet points into it.
void fill_applied_tables(const RuleSet& rules, const FactPlan& plan, ReadResult& result);

} // namespace lockstep
