// Rule files into rules: strict, with every error at its line and column.
#pragma once
#include "config/config.h"
#include "rules/rule.h"
#include "yaml/strict.h"

namespace lockstep {

// What a native check takes from the rule file that names it.
struct CheckSignature {
    struct Fact {
        std::string name;
        std::vector<std::string> columns = {};
    };
    std::string name;
    std::vector<Fact> facts = {};
};

// What a relation offers to rules.
struct RelationSignature {
    std::vector<std::string> columns;
    std::vector<Glob> reads = {}; // files beyond those that every run reads
};

// What a rule file may name besides its own facts.
struct Vocabulary {
    std::vector<CheckSignature> checks;                     // for `native`
    std::map<std::string, std::vector<std::string>> tables; // columns by table, for `table`
    std::map<std::string, RelationSignature> relations;     // for `relation`
    std::vector<std::string> reference_sets;                // for `references`
};

// `pack` is the folder under rules/ that the file stands in.
Result<Rule> load_rule(const std::string& path, std::string_view text, const std::string& pack,
                       const Vocabulary& vocabulary);

// Groups of `pins:` as rules of their own, one per site that is not the canonical one, all with the group's name as id.
Result<std::vector<Rule>> pin_rules(const Config& config, FileId config_file);

// One fact; errors are kept by the reader.
void read_fact(StrictReader& reader, NodeRef key, NodeRef node, const Vocabulary& vocabulary, FactSpec& fact);

// Expressions: `a.x == b.y`, `a.x in ["p", "q"]`, `a.x exists`. `facts` are those in scope; with `bare` a column name
// alone is one of facts.front() (in `where`).
Result<Comparison> parse_comparison(std::string_view text, const std::vector<FactSpec>& facts, bool bare);
// What stands under `where`, `when` and the like: one comparison, or a list of them («and»), among which `any: [...]`
// is «or». Errors are kept by the reader.
std::vector<Comparison> read_condition(StrictReader& reader, NodeRef node, std::string_view key,
                                       const std::vector<FactSpec>& facts, bool bare);
Result<MessagePart> parse_message(std::string_view text, const std::vector<FactSpec>& facts);

} // namespace lockstep
