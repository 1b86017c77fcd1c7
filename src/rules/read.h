// Documents to index and facts: every wanted file is read and parsed once, in parallel, and its node table dropped.
#pragma once
#include "config/config.h"
#include "deploy/repository.h"
#include "rules/extract.h"
#include "rules/ruleset.h"

namespace lockstep {

class RelationTables;

struct ReadResult {
    Repository repository;
    std::vector<Table> tables;                 // one per fact of the plan; those of relations are elsewhere
    std::shared_ptr<RelationTables> relations; // filled when rules ask
    bool over_total_size = false; // files were left unread for the limit on all of them: nothing here can be trusted

    const Table& table(std::size_t fact) const;
};

// Fills the texts of `tree`, which must stay where it is.
ReadResult read_repository(Tree& tree, const Config& config, const RuleSet& rules, const FactPlan& plan, unsigned jobs);
// Facts about what is applied, once the result is where it stays: the fleet points into it.
void fill_applied_tables(const RuleSet& rules, const FactPlan& plan, ReadResult& result);

} // namespace lockstep
