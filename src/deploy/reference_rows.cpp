// Rows of tables to rows of the resolver. A wrong row is an error with its place in words: the tables may be a user's.
#include "deploy/reference_rows.h"

namespace lockstep {
namespace {

// The cells of one row by column; absent ones are empty.
class Cells {
public:
    Cells(const Table& table, const Row& row) : table_(table), row_(row) {}
    std::string operator[](std::string_view column) const {
        const auto at = table_.column(column);
        return at && row_.cells[*at].state == State::known ? row_.cells[*at].text : std::string();
    }

private:
    const Table& table_;
    const Row& row_;
};

Error wrong(std::string_view table, const std::string& row, const std::string& why, const std::string& hint) {
    return Error{"table " + std::string(table) + ", row " + row + ": " + why, "", {0, 0}, hint};
}

std::optional<ReferenceRow::Where> where_of(std::string_view text) {
    using Where = ReferenceRow::Where;
    if (text.empty() || text == "own") return Where::own;
    if (text == "field") return Where::field;
    if (text == "named") return Where::named;
    if (text == "cluster") return Where::cluster;
    if (text == "release") return Where::release;
    return std::nullopt;
}

std::string last_key(const YamlPath& path) {
    for (auto step = path.steps().rbegin(); step != path.steps().rend(); ++step)
        if (step->kind == YamlPath::Step::Kind::key) return step->name;
    return path.text();
}

} // namespace

GroupKind parse_group_kind(std::string_view text) {
    const std::size_t dot = text.find('.');
    GroupKind made{{}, std::string(text.substr(0, dot))};
    if (dot != std::string_view::npos) made.group = text.substr(dot + 1);
    return made;
}

Result<std::vector<ReferenceRow>> read_reference_rows(const Table& table) {
    std::vector<ReferenceRow> rows;
    for (const Row& row : table.rows) {
        const Cells cells(table, row);
        const std::string shown = cells["from"] + " " + cells["path"];
        const auto path = YamlPath::parse(cells["path"]);
        if (!path) return wrong("references", shown, path.error().message, "path: spec.secretRef");
        const auto where = where_of(cells["namespace"]);
        if (!where)
            return wrong("references", shown, "`" + cells["namespace"] + "` is not a namespace rule",
                         "one of own, field, named, cluster, release");
        if (cells["set"].empty() || cells["from"].empty() || cells["to"].empty())
            return wrong("references", shown, "set, from, path and to are required",
                         "{ set: secret-ref, from: Job.example.com, path: spec.secretRef, to: Secret }");
        ReferenceRow made;
        made.set = cells["set"];
        made.from = parse_group_kind(cells["from"]);
        made.path = *path;
        made.field = last_key(*path);
        made.to = parse_group_kind(cells["to"]);
        made.kind_in_field = made.to.kind == "{kind}";
        made.group_in_field = made.to.group == "{apiVersion}";
        if (!cells["name"].empty()) made.name = cells["name"];
        made.where = *where;
        made.optional = cells["optional"];
        made.key = cells["key"];
        rows.push_back(std::move(made));
    }
    return rows;
}

Result<std::vector<MakerRow>> read_maker_rows(const Table& table) {
    std::vector<MakerRow> rows;
    for (const Row& row : table.rows) {
        const Cells cells(table, row);
        MakerRow made{parse_group_kind(cells["by"]), parse_group_kind(cells["makes"]), {}};
        const std::string text = cells["name"];
        if (made.by.kind.empty() || made.makes.kind.empty() || text.empty())
            return wrong("makers", cells["by"], "by, makes and name are required",
                         "{ by: Vault.example.com, makes: Secret, name: \"{spec.secretName}\" }");
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t open = text.find('{', at);
            const std::size_t close = open == std::string::npos ? open : text.find('}', open);
            if (open != at) made.name.push_back({text.substr(at, open - at), std::nullopt});
            if (close == std::string::npos) break;
            const auto path = YamlPath::parse(text.substr(open + 1, close - open - 1));
            if (!path) return wrong("makers", cells["by"], path.error().message, "name: \"{spec.secretName}\"");
            made.name.push_back({{}, *path});
            at = close + 1;
        }
        rows.push_back(std::move(made));
    }
    return rows;
}

} // namespace lockstep
