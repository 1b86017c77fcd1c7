// The repository as it was understood: what its files say, and behind it, once somebody asks, the charts at hand and
// what every cluster gets.
#pragma once
#include "base/result.h"
#include "index/index.h"
#include "index/parsed_files.h"
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

} // namespace lockstep
