// All rules of a run and the tables they read: those in the binary, those of the repository, those of the config.
#pragma once
#include "config/config.h"
#include "rules/load.h"

namespace lockstep {

struct RuleFile {
    std::string path;
    std::string text;
};

struct RuleSet {
    std::vector<Rule> rules; // sorted by id
    std::map<std::string, Table> tables;

    const Rule* find(std::string_view id) const; // by id or former id
};

// `extra` are rule files of the repository and of --rules; `checks` the native checks.
// A rule file with the id of a rule that is there already is an error, and so is a config that names no known rule.
Result<RuleSet> load_rules(const std::vector<RuleFile>& extra, const std::vector<CheckSignature>& checks,
                           const Config& config, FileId config_file);

// A table of rules/data: `table`, `date`, `source`, `columns`, `rows`.
Result<std::pair<std::string, Table>> load_table(const std::string& path, std::string_view text);

} // namespace lockstep
