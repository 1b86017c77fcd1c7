// Facts: tables of cells, each cell with its value and the place it was read from. Extraction fills them, rules compare
// them.
#pragma once
#include "base/finding.h"
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep {

enum class State : std::uint8_t { absent, templated, known };

// There are millions of them in a large repository: the order of the fields saves a seventh.
struct Cell {
    Cell() = default;
    Cell(State is, std::string value, Place where) : text(std::move(value)), place(where), state(is) {}

    std::string text;
    Place place; // for an absent cell: the deepest key that exists on the way to it
    State state = State::absent;
};

// What a model knows about a row besides its cells; a finding about the row takes it over.
struct RowMore {
    std::vector<Related> related = {};         // as many places as there are, in words of the model
    std::vector<std::uint32_t> instances = {}; // of the fleet, as in Finding
    Place proof = {};
    std::vector<Edit> edits = {};
};

struct Row {
    std::vector<Cell> cells; // one per column; none where all are absent
    Place anchor;            // the thing whose existence made this row
    std::string subject;     // stable name of the anchor: `path#Kind/namespace/name:yaml.path`
    std::string lost;        // the required column that has no value; empty when the row is whole
    bool unsure = false;     // whether the row belongs here hangs on a templated value
    std::shared_ptr<const RowMore> more = {};

    const Cell& cell(std::size_t column) const {
        static const Cell absent;
        return column < cells.size() ? cells[column] : absent;
    }
};

struct Table {
    std::vector<std::string> columns;
    std::vector<Row> rows;

    std::optional<std::size_t> column(std::string_view name) const {
        for (std::size_t i = 0; i < columns.size(); ++i)
            if (columns[i] == name) return i;
        return std::nullopt;
    }
    // A cell of one of the table's rows by column; an absent one where there is no such column.
    const Cell& at(const Row& row, std::string_view name) const {
        return row.cell(column(name).value_or(row.cells.size()));
    }
};

} // namespace lockstep
