// Reads rows of an embedded table.
#include "yaml/data_table.h"
#include "base/embedded.h"
#include "yaml/parse.h"

namespace lockstep {

std::vector<DataRow> data_table(std::string_view name) {
    std::vector<DataRow> rows;
    const std::string path = "rules/data/" + std::string(name) + ".yaml";
    for (const EmbeddedFile& file : embedded_files()) {
        if (file.path != path) continue;
        const YamlText yaml = parse_yaml(file.text);
        if (yaml.documents.empty()) return rows;
        for (const NodeRef item : NodeRef(&yaml, yaml.documents.front().root).get("rows").items()) {
            DataRow row;
            for (const NodeRef cell : item.items())
                row.emplace_back(cell.text());
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

} // namespace lockstep
