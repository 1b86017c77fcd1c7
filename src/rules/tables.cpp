// Reads the dated knowledge under rules/data into tables.
#include "rules/ruleset.h"
#include "yaml/parse.h"

namespace lockstep {

Result<std::pair<std::string, Table>> load_table(const std::string& path, std::string_view text) {
    const YamlText yaml = parse_yaml(text);
    StrictReader reader(path, yaml);
    if (!reader.check_syntax()) return *reader.error();
    const NodeRef root = yaml.documents.empty() ? NodeRef() : NodeRef(&yaml, yaml.documents.front().root);
    if (!reader.check_keys(root, "a table", {"table", "date", "source", "columns", "rows"})) return *reader.error();
    const std::string name = reader.require_text(root, "table", "the table's name");
    reader.require_text(root, "date", "the day the facts were read");
    reader.require_text(root, "source", "where the facts come from");
    Table table;
    table.columns = reader.texts(root, "columns");
    for (auto item : root.get("rows").items()) {
        Row row;
        for (auto cell : item.items())
            row.cells.push_back(cell.is_null() ? Cell{} : Cell{State::known, std::string(cell.text()), {}});
        if (row.cells.size() != table.columns.size())
            reader.fail(item, "a row has " + std::to_string(row.cells.size()) + " cells where the table has " +
                                  std::to_string(table.columns.size()) + " columns");
        table.rows.push_back(std::move(row));
    }
    // `rows: []` is a table that only the config of a repository fills.
    if (table.columns.empty() || !root.get("rows").is_sequence()) reader.fail(root, "a table has columns and rows");
    if (reader.error()) return *reader.error();
    return std::pair{name, std::move(table)};
}

} // namespace lockstep
