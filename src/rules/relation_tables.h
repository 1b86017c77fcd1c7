// The relations of a run: each is worked out once, when the first rule asks, and shared by all that name it.
#pragma once
#include "relations/relation.h"
#include "rules/rule.h"
#include <atomic>
#include <mutex>

namespace lockstep {

class RelationTables {
public:
    explicit RelationTables(std::size_t facts); // of the plan
    // The rows that a fact takes, by its number in the plan. One thread for each fact.
    void fill(std::size_t number, const FactSpec& fact, RelationInput input);
    void keep(std::size_t number, Table table); // what a fact has for itself
    // Rows take much memory: those of a relation go when every fact that was expected to ask has had enough of them.
    void expect(const FactSpec& fact);
    void done(std::size_t number, const FactSpec& fact);
    // Null where nothing was filled in.
    const Table* find(std::size_t number) const { return shown_[number]; }

private:
    struct Slot {
        std::once_flag asked;
        Table table;
        std::atomic<std::size_t> expected = 0;
    };
    Slot& slot_of(const FactSpec& fact) const;
    const Table& all_rows(const FactSpec& fact, RelationInput& input);

    std::vector<std::unique_ptr<Slot>> slots_; // in the order of relations()
    std::vector<const Table*> shown_;          // by fact: a relation as a whole, or what is in `kept_`
    std::vector<std::unique_ptr<Table>> kept_;
};

} // namespace lockstep
