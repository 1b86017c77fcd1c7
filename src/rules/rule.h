// A rule as the engine sees it: facts (tables to fill), how they are joined, and what must hold. Loaded from one YAML
// file.
#pragma once
#include "base/finding.h"
#include "base/glob.h"
#include "base/pattern.h"
#include "base/table.h"
#include "yaml/path.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

enum class Reading : std::uint8_t { text, version, url, host };

// A column of a fact, or a literal.
struct Operand {
    bool literal = false;
    std::size_t fact = 0;
    std::size_t column = 0;
    Reading reading = Reading::text;
    bool counted = false;            // `count(fact)`: how many rows of it are joined
    std::vector<std::string> values; // literal: one value, or the list behind `in`
    std::string name;                // as written, for messages
};

struct Comparison {
    enum class Op : std::uint8_t {
        equal,
        not_equal,
        less,
        less_equal,
        greater,
        greater_equal,
        same_minor,
        satisfies,
        matches,
        in,
        not_in,
        any, // of several lists of comparisons
        exists,
        absent
    };
    Op op = Op::equal;
    Operand left, right;
    std::optional<Pattern> pattern; // for `matches`
    std::string text;               // as written
    std::vector<std::vector<Comparison>> any = {};
};

// A message is text with the values of columns in between.
struct MessagePart {
    std::vector<Comparison> when = {}; // else it is left out
    std::vector<std::string> texts;    // one more than operands
    std::vector<Operand> operands;
};

struct FieldSource {
    YamlPath path;
    bool from_root = false; // `$.path`: counted from the document, not from the `each` item
    std::string text = {};  // as written, for messages
};

struct FieldSpec {
    std::string name;
    std::vector<FieldSource> paths; // the first that has a value counts
    bool optional = false;
    std::optional<std::string> otherwise = {}; // its value where none is written
};

struct KindSpec {
    std::string kind;
    std::string group; // empty: any
};

struct FactSpec {
    enum class Source : std::uint8_t { files, yaml, resources, applied, text, comment, table, relation, partner };
    std::string name;
    Source source = Source::files;
    std::vector<Glob> files, skip; // of a relation: those that it reads
    std::vector<KindSpec> kinds;
    std::optional<YamlPath> each;
    std::vector<FieldSpec> fields;
    std::optional<Pattern> anchor, value;     // text and comment
    std::vector<std::size_t> optional_groups; // columns of `value` that may stay empty
    std::string table;                        // name of a table or relation
    std::vector<Comparison> where;
    std::vector<std::size_t> resolve; // columns that are paths
    std::vector<Reading> readings;    // one per column
    struct ImageColumns {
        std::size_t image = 0, first = 0; // the column, and the first of those for name, tag and digest
    };
    std::vector<ImageColumns> images;
    bool in_base = false;              // `applied`: before the change
    std::vector<std::string> columns;  // fields or groups, then captures, then the columns every row has
    std::vector<std::string> captures; // of `files`
    Span span;                         // where it stands in the rule file

    std::optional<std::size_t> column(std::string_view field) const {
        for (std::size_t i = 0; i < columns.size(); ++i)
            if (columns[i] == field) return i;
        return std::nullopt;
    }
};

// Columns that every row of a fact from the tree has, in this order, behind the fact's own.
inline constexpr std::string_view common_columns[] = {"file", "dir", "chart", "tree", "kind", "namespace", "name"};

// Behind those, of rows of what is applied.
inline constexpr std::string_view applied_columns[] = {"cluster", "certainty"};

struct Join {
    std::size_t fact = 0;
    bool optional = false;
    std::vector<std::size_t> columns;                // of `fact`
    std::vector<Operand> keys;                       // what they must equal, same length
    std::vector<std::optional<MessagePart>> written; // the same, where a text with fields is written
};

// The parts of a message, one behind the other. Of each the first form counts whose fields all have a value; a part
// without such a form is left out, unless it is all that the message has.
struct Message {
    using Forms = std::vector<MessagePart>;
    std::vector<Forms> parts;
    bool whole = true; // written as one text: what is absent is called `nothing`
};

struct Anchor {
    std::size_t fact = 0;
    std::optional<std::size_t> column; // without: the row's own anchor
    std::vector<Anchor> or_else = {};  // in turn, where there is no value
    bool listed = false;               // which of them counts is no part of a finding's key
};

// Another place that a finding shows. What has no place is left out, and so is what is absent, unless `when` asks for
// it.
struct Beside {
    std::vector<Comparison> when;
    Anchor at;
    Message says;
};

// A reason not to judge a row.
struct Doubt {
    std::vector<Comparison> when;
    Message why;
};

struct Case {
    enum class Verb : std::uint8_t { assert_all, forbid_all, forbid_row, require_row };
    std::vector<Comparison> when;
    Verb verb = Verb::assert_all;
    std::vector<Comparison> what;       // assert_all, forbid_all
    std::optional<std::size_t> partner; // forbid_row, require_row: a joined fact, or none for the row itself
    std::optional<Severity> severity;
    std::map<std::string, Severity> severity_in; // by pack that is on; settled before the rule is judged
    std::optional<Message> message;
    std::optional<Anchor> at;
    std::optional<std::vector<Beside>> also;
};

// What a rule judges. Findings about what is applied need a proof that it is; those about files weigh less where a file
// is kept to be read; pins, charts, bootstrap files and changes are judged where they are written, and so is everything
// by a repository's own rules unless they say otherwise. `run` is the run itself: its config, suppressions, unread
// files.
enum class Judges : std::uint8_t { applied, chart, pins, bootstrap, change, file, run, written };
inline constexpr std::pair<std::string_view, Judges> judged_things[] = {
    {"applied", Judges::applied}, {"chart", Judges::chart}, {"pins", Judges::pins}, {"bootstrap", Judges::bootstrap},
    {"change", Judges::change},   {"file", Judges::file},   {"run", Judges::run},   {"written", Judges::written},
};
std::string_view to_string(Judges judges);

// In the place of a native check: the program itself reports the rule, when all others have run.
inline constexpr std::string_view built_in = "built-in";

struct Rule {
    std::string id;
    std::vector<std::string> formerly;
    Severity severity = Severity::error;
    std::map<std::string, Severity> severity_in; // by pack that is on; settled before the rule is judged
    std::string pack = "local";
    std::string summary, why, fix, since, precision = "high";
    std::vector<std::string> tags;
    bool ignorable = true;
    Judges judges = Judges::written;
    bool needs_base = false;           // judges a change: runs only where there is a base to compare with
    std::vector<std::string> replaces; // rules (or packs of rules) whose findings its own may replace

    std::string native; // the rule whose native check it is, or built_in; facts may be there as its input
    std::map<std::string, std::vector<std::string>> params;

    std::vector<FactSpec> facts;
    std::size_t subject = 0; // index of the `for` fact
    std::vector<Join> joins, unless;
    std::vector<std::size_t> unique; // columns of the subject; then `cases` is empty
    std::vector<Doubt> undecided;    // the first that holds counts, before the cases
    std::vector<Case> cases;
    Message message;
    Anchor at;
    std::optional<std::vector<Beside>> also; // without: the fields that are compared, and those of the message
    std::vector<Operand> group_by;           // findings with equal values here are one
    std::vector<Comparison> group_when;      // others stay alone
    bool group_whole = false;                // one finding whatever their words and weight, named after the group
    std::optional<std::size_t> majority;     // column of the subject in which the rows of a group should be alike

    std::string path; // the rule file, for messages
    // Set for groups of `pins:` in the config: a table without rows is a finding at this place.
    std::vector<std::pair<std::size_t, Place>> must_match;

    bool declarative() const { return native.empty(); }
    std::vector<std::string> ids() const {
        std::vector<std::string> all = formerly;
        all.push_back(id);
        return all;
    }
};

} // namespace lockstep
