// Asks the relations for their rows, and keeps those that a fact takes.
#include "rules/relation_tables.h"
#include "rules/compare.h"
#include "rules/extract.h"
#include <algorithm>

namespace lockstep {

RelationTables::RelationTables(std::size_t facts) : shown_(facts), kept_(facts) {
    for (std::size_t i = 0; i < relations().size(); ++i)
        slots_.push_back(std::make_unique<Slot>());
}

RelationTables::Slot& RelationTables::slot_of(const FactSpec& fact) const {
    return *slots_[static_cast<std::size_t>(relation_named(fact.table) - relations().data())];
}

const Table& RelationTables::all_rows(const FactSpec& fact, RelationInput& input) {
    Slot& slot = slot_of(fact);
    std::call_once(slot.asked, [&] {
        input.texts = [&](FileId id) -> std::string_view {
            const File& file = input.repository.tree->files[id];
            return file.indexed || asks_for_file(fact, file.path) ? std::string_view(file.text) : std::string_view();
        };
        input.asked = [&] {
            std::vector<FileId> files;
            for (FileId id = 0; id < input.repository.tree->files.size(); ++id)
                if (const File& file = input.repository.tree->files[id];
                    file.state == FileState::read && asks_for_file(fact, file.path))
                    files.push_back(id);
            return files;
        };
        slot.table = rows_of(*relation_named(fact.table), input);
    });
    return slot.table;
}

void RelationTables::fill(std::size_t number, const FactSpec& fact, RelationInput input) {
    const Table& all = all_rows(fact, input);
    shown_[number] = &all;
    if (fact.where.empty()) return;
    auto kept = std::make_unique<Table>();
    kept->columns = all.columns;
    kept->rows.reserve(static_cast<std::size_t>(std::count_if(all.rows.begin(), all.rows.end(), [&](const Row& row) {
        bool unsure = row.unsure;
        return keeps(fact, row, unsure);
    })));
    for (const Row& row : all.rows) {
        bool unsure = row.unsure;
        if (!keeps(fact, row, unsure)) continue;
        kept->rows.push_back(row);
        kept->rows.back().unsure = unsure;
    }
    shown_[number] = kept.get();
    kept_[number] = std::move(kept);
}

void RelationTables::expect(const FactSpec& fact) {
    if (fact.source == FactSpec::Source::relation) ++slot_of(fact).expected;
}

void RelationTables::done(std::size_t number, const FactSpec& fact) {
    shown_[number] = nullptr;
    kept_[number].reset();
    if (fact.source == FactSpec::Source::relation && --slot_of(fact).expected == 0) slot_of(fact).table.rows = {};
}

void RelationTables::keep(std::size_t number, Table table) {
    kept_[number] = std::make_unique<Table>(std::move(table));
    shown_[number] = kept_[number].get();
}

} // namespace lockstep
