// Gathers the rules of a run and checks them against each other and against the config.
#include "rules/ruleset.h"
#include "base/embedded.h"
#include "base/suggest.h"
#include "deploy/reference_rows.h"
#include "relations/relation.h"
#include <algorithm>

namespace lockstep {
namespace {

// A column that the built-in table does not have would be lost without a word.
std::optional<Error> check_columns(const std::string& name, const Table& table, const Table& rows,
                                   const Config& config) {
    for (const auto& column : rows.columns) {
        if (table.column(column)) continue;
        const auto near = nearest(column, table.columns);
        std::string known;
        for (const auto& one : table.columns)
            known += (known.empty() ? "" : ", ") + one;
        return Error{"the table " + name + " has no column `" + column + "`",
                     config.path,
                     {0, 0},
                     near ? "did you mean `" + *near + "`?" : "its columns: " + known};
    }
    return std::nullopt;
}

// Rows of the config come first, so that a look-up finds them before the built-in ones.
void put_before(Table& table, const Table& rows) {
    std::vector<Row> merged;
    for (const auto& row : rows.rows) {
        Row converted;
        for (const auto& column : table.columns) {
            const auto from = rows.column(column);
            converted.cells.push_back(from ? row.cells[*from] : Cell{});
        }
        merged.push_back(std::move(converted));
    }
    // A row of the config replaces the built-in row that says something else in the last column only.
    auto same_key = [](const Row& a, const Row& b) {
        for (std::size_t i = 0; i + 1 < a.cells.size(); ++i)
            if (a.cells[i].text != b.cells[i].text) return false;
        return true;
    };
    for (auto& row : table.rows) {
        const bool replaced =
            std::any_of(merged.begin(), merged.end(), [&](const Row& own) { return same_key(own, row); });
        if (!replaced) merged.push_back(std::move(row));
    }
    table.rows = std::move(merged);
}

std::string pack_of(std::string_view path) {
    path.remove_prefix(std::string_view("rules/").size());
    return std::string(path.substr(0, path.find('/')));
}

std::optional<Error> add_rule(std::map<std::string, Rule>& rules, Rule rule) {
    const auto found = rules.find(rule.id);
    if (found == rules.end()) {
        rules.emplace(rule.id, std::move(rule));
        return std::nullopt;
    }
    return Error{
        "the rule `" + rule.id + "` is there twice", rule.path, {1, 1}, "the other one is " + found->second.path};
}

std::optional<Error> check_named_rules(const RuleSet& set, const Config& config) {
    std::vector<std::string> ids;
    for (const auto& rule : set.rules)
        ids.push_back(rule.id);
    for (const NamedRule& named : config.named_rules) {
        if (set.find(named.id)) continue;
        const auto near = nearest(named.id, ids);
        return Error{"there is no rule `" + named.id + "`", config.path, named.at,
                     near ? "did you mean `" + *near + "`?" : "`lockstep rules` lists them"};
    }
    return std::nullopt;
}

// Tables whose cells are paths and kinds: a row that nobody can read would be a guard that is blind.
std::optional<Error> check_meaning(const RuleSet& set, const Config& config) {
    auto of_config = [&](Error error) {
        error.path = config.path;
        return error;
    };
    if (const auto table = set.tables.find("references"); table != set.tables.end())
        if (const auto rows = read_reference_rows(table->second); !rows) return of_config(rows.error());
    if (const auto table = set.tables.find("makers"); table != set.tables.end())
        if (const auto rows = read_maker_rows(table->second); !rows) return of_config(rows.error());
    return std::nullopt;
}

Position position_of_group(const Config& config, const std::string& name) {
    for (const auto& group : config.pins)
        if (group.name == name && !group.sites.empty()) return group.sites.front().at;
    return {0, 0};
}

} // namespace

const Rule* RuleSet::find(std::string_view id) const {
    for (const auto& rule : rules)
        if (rule.id == id || std::find(rule.formerly.begin(), rule.formerly.end(), id) != rule.formerly.end())
            return &rule;
    return nullptr;
}

Result<RuleSet> load_rules(const std::vector<RuleFile>& extra, const std::vector<CheckSignature>& checks,
                           const Config& config, FileId config_file) {
    RuleSet set;
    Vocabulary vocabulary;
    vocabulary.checks = checks;
    for (const Relation& one : relations()) {
        RelationSignature signature{words_of(one.columns)};
        for (const std::string& pattern : words_of(one.reads))
            signature.reads.push_back(*Glob::compile(pattern));
        vocabulary.relations.emplace(one.name, std::move(signature));
    }
    for (const auto& file : embedded_files()) {
        // What kustomize build reads is not for rules: it is large, and read only when something is built.
        if (!file.path.starts_with("rules/data/") || file.path.starts_with("rules/data/kustomize-")) continue;
        auto table = load_table(std::string(file.path), file.text);
        if (!table) return table.error();
        set.tables.insert(std::move(*table));
    }
    for (const auto& [name, rows] : config.tables) {
        Table placed = rows;
        for (auto& row : placed.rows)
            for (auto& cell : row.cells)
                cell.place.file = config_file;
        if (auto found = set.tables.find(name); found != set.tables.end()) {
            if (auto error = check_columns(name, found->second, placed, config)) return *error;
            put_before(found->second, placed);
        } else {
            set.tables.emplace(name, std::move(placed));
        }
    }
    if (auto error = check_meaning(set, config)) return *error;
    for (const auto& [name, table] : set.tables)
        vocabulary.tables.emplace(name, table.columns);
    if (const auto table = set.tables.find("references"); table != set.tables.end())
        for (const Row& row : table->second.rows)
            if (const std::string& one = table->second.at(row, "set").text;
                std::count(vocabulary.reference_sets.begin(), vocabulary.reference_sets.end(), one) == 0)
                vocabulary.reference_sets.push_back(one);

    std::map<std::string, Rule> rules;
    auto load = [&](const std::string& path, std::string_view text, const std::string& pack) -> std::optional<Error> {
        auto rule = load_rule(path, text, pack, vocabulary);
        if (!rule) return rule.error();
        return add_rule(rules, std::move(*rule));
    };
    for (const auto& file : embedded_files())
        if (file.path.starts_with("rules/") && !file.path.starts_with("rules/data/"))
            if (auto error = load(std::string(file.path), file.text, pack_of(file.path))) return *error;
    for (const auto& file : extra)
        if (auto error = load(file.path, file.text, "local")) return *error;
    for (auto& [id, rule] : rules)
        set.rules.push_back(std::move(rule));

    auto pins = pin_rules(config, config_file);
    if (!pins) return pins.error();
    for (auto& rule : *pins) {
        if (rules.contains(rule.id))
            return Error{"pin group `" + rule.id + "` has the name of a rule", config.path,
                         position_of_group(config, rule.id), "choose another name"};
        set.rules.push_back(std::move(rule));
    }
    if (auto error = check_named_rules(set, config)) return *error;
    return set;
}

} // namespace lockstep
