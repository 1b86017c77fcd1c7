// What a model of the index, of Helm or of the fleet knows, as rows for rules: named columns, each cell with its place,
// and why nobody can judge a row. A relation says what is there; rules say what is wrong with it.
#pragma once
#include "base/table.h"
#include "config/config.h"
#include "deploy/repository.h"
#include "index/text_of_file.h"
#include <functional>
#include <map>
#include <span>

namespace lockstep {

struct RelationInput {
    const Repository& repository;
    const Config& config;
    const std::map<std::string, Table>& tables; // of knowledge
    TextOfFile texts;                           // of files that every run reads, and those that the relation asks for
    std::function<std::vector<FileId>()> asked; // the latter

    const Table& table(std::string_view name) const;
};

// A row in the making: cells by the names of their columns, absent where nothing is said.
class NewRow {
public:
    NewRow(const std::vector<std::string>& columns, Place anchor, std::string subject);

    NewRow& set(std::string_view column, Cell cell);
    NewRow& set(std::string_view column, std::string text); // at the row's place
    NewRow& set(std::string_view column, std::string text, Place place);
    NewRow& also(Place place, std::string says); // another place; no more than most_related
    RowMore& more();

private:
    friend class RelationRows;
    const std::vector<std::string>& columns_;
    Row row_;
    std::shared_ptr<RowMore> more_;
};

class RelationRows {
public:
    explicit RelationRows(Table& table) : table_(table) {}
    NewRow start(Place anchor, std::string subject) const { return {table_.columns, anchor, std::move(subject)}; }
    void add(NewRow& row); // takes it over, as the end of a chain of `set`
    void add(NewRow&& row) { add(row); }
    void add(Row row) { table_.rows.push_back(std::move(row)); }

private:
    Table& table_;
};

struct Relation {
    std::string_view name;
    std::string_view columns; // in a line
    std::string_view reads;   // globs of files beyond those that every run reads
    void (*fill)(const RelationInput& input, RelationRows& rows);
};

std::vector<std::string> words_of(std::string_view line);
// All of them: what rules may name under `relation`.
std::span<const Relation> relations();
const Relation* relation_named(std::string_view name);
Table rows_of(const Relation& relation, const RelationInput& input);

} // namespace lockstep
