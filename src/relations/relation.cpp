// Puts rows together, cell by cell.
#include "relations/relation.h"
#include <algorithm>
#include <cassert>

namespace lockstep {

const Table& RelationInput::table(std::string_view name) const {
    static const Table nothing;
    const auto found = tables.find(std::string(name));
    return found == tables.end() ? nothing : found->second;
}

NewRow::NewRow(const std::vector<std::string>& columns, Place anchor, std::string subject) : columns_(columns) {
    row_.anchor = anchor;
    row_.subject = std::move(subject);
}

NewRow& NewRow::set(std::string_view column, Cell cell) {
    const auto found = std::find(columns_.begin(), columns_.end(), column);
    assert(found != columns_.end());
    if (row_.cells.empty()) { // most rows say no more than that they are there
        row_.cells.resize(columns_.size());
        for (Cell& one : row_.cells)
            one.place = row_.anchor;
    }
    row_.cells[static_cast<std::size_t>(found - columns_.begin())] = std::move(cell);
    return *this;
}

NewRow& NewRow::set(std::string_view column, std::string text) {
    return set(column, std::move(text), row_.anchor);
}

NewRow& NewRow::set(std::string_view column, std::string text, Place place) {
    return set(column, Cell{State::known, std::move(text), place});
}

NewRow& NewRow::also(Place place, std::string says) {
    if (more().related.size() < most_related) more().related.push_back({place, std::move(says)});
    return *this;
}

RowMore& NewRow::more() {
    if (!more_) more_ = std::make_shared<RowMore>();
    return *more_;
}

void RelationRows::add(NewRow& row) {
    row.row_.more = std::move(row.more_);
    table_.rows.push_back(std::move(row.row_));
}

std::vector<std::string> words_of(std::string_view line) {
    std::vector<std::string> words;
    while (!line.empty()) {
        const std::size_t end = std::min(line.find(' '), line.size());
        if (end > 0) words.emplace_back(line.substr(0, end));
        line.remove_prefix(std::min(end + 1, line.size()));
    }
    return words;
}

const Relation* relation_named(std::string_view name) {
    for (const Relation& one : relations())
        if (one.name == name) return &one;
    return nullptr;
}

Table rows_of(const Relation& relation, const RelationInput& input) {
    Table table;
    table.columns = words_of(relation.columns);
    RelationRows rows(table);
    relation.fill(input, rows);
    return table;
}

} // namespace lockstep
