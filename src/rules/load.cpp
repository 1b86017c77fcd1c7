// Reads one rule file into a Rule: keys, then facts, then joins and what must hold.
#include "rules/load.h"
#include "base/suggest.h"
#include "yaml/parse.h"
#include "yaml/strict.h"
#include <algorithm>

namespace lockstep {
namespace {

bool is_id(std::string_view id) {
    if (id.empty() || id.front() < 'a' || id.front() > 'z') return false;
    return std::all_of(id.begin(), id.end(),
                       [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

// Where the parts of a rule file are read: the reader keeps the first error, the rule fills up.
class RuleLoader {
public:
    RuleLoader(StrictReader& reader, const Vocabulary& vocabulary, Rule& rule)
        : reader_(reader), vocabulary_(vocabulary), rule_(rule) {}

    // Each part is read for itself, so that a file's errors are told all at once; what builds on a part that failed is
    // left out.
    void read(NodeRef root) {
        const bool keys = reader_.check_keys(
            root, "a rule", {"rule", "severity-in", "formerly",  "severity", "summary", "why",       "fix",   "pack",
                             "tags", "precision",   "ignorable", "since",    "native",  "params",    "facts", "for",
                             "join", "unless",      "assert",    "forbid",   "require", "unique",    "cases", "message",
                             "at",   "needs",       "replaces",  "judges",   "also",    "undecided", "group"});
        if (!root.resolved().is_mapping()) return;
        collect();
        read_metadata(root);
        collect();
        read_facts(root.get("facts"));
        if (collect() || facts_failed_) return;
        if (root.get("native")) return read_native(root);
        read_subject(root);
        if (collect()) return;
        rule_.joins = read_joins(root.get("join"), true);
        const bool joins = !collect();
        rule_.unless = read_joins(root.get("unless"), false);
        if (collect() || !joins || !keys) return;
        read_group(root);
        collect();
        read_verbs(root);
        collect();
        for (const FactSpec& fact : rule_.facts)
            if (fact.source == FactSpec::Source::applied) {
                if (fact.in_base) rule_.needs_base = true;
                if (!root.get("judges") && rule_.pack == "local") rule_.judges = Judges::applied;
            }
        if (errors_.empty()) check_all_used(root.get("facts"));
    }

    // The first error, with the others behind it.
    std::optional<Error> error() {
        collect();
        if (errors_.empty()) return std::nullopt;
        std::stable_sort(errors_.begin(), errors_.end(), [](const Error& a, const Error& b) {
            return std::tie(a.at.line, a.at.column) < std::tie(b.at.line, b.at.column);
        });
        Error first = errors_.front();
        if (errors_.size() == 1) return first;
        if (!first.hint.empty()) first.message += "\n  hint: " + first.hint;
        first.hint.clear();
        for (std::size_t i = 1; i < errors_.size(); ++i)
            first.message += "\n" + to_string(errors_[i]);
        return first;
    }

private:
    bool failed() const { return reader_.error().has_value(); }
    void fail(NodeRef at, const Error& error) { reader_.fail(at, error.message, error.hint); }
    // Keeps the error of a part, and whether there was one.
    bool collect() {
        auto error = reader_.take_error();
        if (error) errors_.push_back(std::move(*error));
        return error.has_value();
    }

    void read_metadata(NodeRef root) {
        rule_.id = reader_.require_text(root, "rule", "the rule's id");
        if (!failed() && !is_id(rule_.id))
            reader_.fail(root.get("rule"), "`" + rule_.id + "` is not a rule id",
                         "lower-case letters, digits and dashes, such as pin-drift");
        rule_.formerly = reader_.texts(root, "formerly");
        const auto level = reader_.require_text(root, "severity", "error, warning or note");
        const auto severity = parse_severity(level);
        if (!failed() && (!severity || *severity == Severity::off))
            reader_.fail(root.get("severity"), "severity must be error, warning or note, not `" + level + "`");
        rule_.severity = severity.value_or(Severity::error);
        rule_.severity_in = read_severity_in(root);
        rule_.summary = reader_.require_text(root, "summary", "one line that says what is wrong");
        rule_.why = reader_.require_text(root, "why", "the failure this rule prevents");
        rule_.fix = reader_.require_text(root, "fix", "the way out");
        if (auto pack = reader_.text(root, "pack")) rule_.pack = *pack;
        rule_.tags = reader_.texts(root, "tags");
        rule_.since = reader_.text(root, "since").value_or("");
        rule_.ignorable = reader_.boolean(root, "ignorable").value_or(true);
        rule_.replaces = reader_.texts(root, "replaces");
        read_judges(root);
        if (const auto needs = reader_.text(root, "needs")) {
            rule_.needs_base = *needs == "base";
            if (!rule_.needs_base) reader_.fail(root.get("needs"), "a rule can only need: base");
        }
        for (auto key : {"needs", "replaces"})
            if (root.get(key) && !root.get("native"))
                reader_.fail(root.get_key(key), "`" + std::string(key) + "` goes with `native` only");
        if (auto precision = reader_.text(root, "precision")) {
            rule_.precision = *precision;
            if (*precision != "very-high" && *precision != "high" && *precision != "medium" && *precision != "low")
                reader_.fail(root.get("precision"), "precision must be very-high, high, medium or low");
        }
    }

    // Which things the rule judges decides how the law of severity binds it. A repository's own rules are not bound.
    void read_judges(NodeRef root) {
        std::string known;
        for (const auto& [name, judges] : judged_things) {
            if (root.get("judges").text() == name) {
                rule_.judges = judges;
                return;
            }
            known += (known.empty() ? "" : ", ") + std::string(name);
        }
        if (root.get("judges"))
            reader_.fail(root.get("judges"), "judges must be one of " + known);
        else if (rule_.pack != "local")
            reader_.fail(root, "`judges` is missing: what this rule judges, one of " + known);
    }

    // `severity-in: { catalyst: error }`: another severity where a pack is on.
    std::map<std::string, Severity> read_severity_in(NodeRef map) {
        std::map<std::string, Severity> levels;
        const NodeRef node = map.get("severity-in");
        if (node && !node.is_mapping())
            reader_.fail(node, "severity-in is a mapping of packs to levels", "severity-in: { catalyst: error }");
        for (auto [pack, value] : node.entries()) {
            const auto level = parse_severity(value.text());
            if (!level) reader_.fail(value, "severity must be error, warning, note or off");
            levels.emplace(pack.text(), level.value_or(Severity::error));
        }
        return levels;
    }

    void read_native(NodeRef root) {
        for (auto key : {"for", "join", "unless", "assert", "forbid", "require", "unique", "cases", "message", "at",
                         "also", "undecided", "group"})
            if (root.get(key)) reader_.fail(root.get_key(key), "`" + std::string(key) + "` does not go with `native`");
        rule_.native = reader_.require_text(root, "native", "true, or the rule whose check it is");
        if (rule_.native == "true") rule_.native = rule_.id;
        if (!failed() && rule_.native != built_in) check_signature(root);
        if (auto params = root.get("params"); params && !params.is_mapping())
            reader_.fail(params, "params must be a mapping of names to values");
        else
            for (auto [key, value] : params.entries())
                rule_.params.emplace(key.text(), reader_.texts(params, key.text()));
    }

    // The check is there, and the facts that it reads by name, each with the columns it reads, and no others.
    void check_signature(NodeRef root) {
        const auto found_check = std::find_if(vocabulary_.checks.begin(), vocabulary_.checks.end(),
                                              [&](const CheckSignature& one) { return one.name == rule_.native; });
        if (found_check == vocabulary_.checks.end()) {
            std::string names;
            for (const auto& one : vocabulary_.checks)
                names += (names.empty() ? "" : ", ") + one.name;
            return reader_.fail(root.get("native"), "there is no native check `" + rule_.native + "`",
                                "there are: " + names);
        }
        const CheckSignature& check = *found_check;
        std::string wants;
        for (const auto& fact : check.facts) {
            wants += (wants.empty() ? "" : "; ") + fact.name;
            for (std::size_t i = 0; i < fact.columns.size(); ++i)
                wants += (i == 0 ? ": " : ", ") + fact.columns[i];
        }
        const std::string hint =
            "it takes " + (wants.empty() ? std::string("no facts") : wants) + "; the rule that ships with it has them";
        for (const auto& taken : check.facts) {
            const auto found = std::find_if(rule_.facts.begin(), rule_.facts.end(),
                                            [&](const FactSpec& fact) { return fact.name == taken.name; });
            if (found == rule_.facts.end())
                return reader_.fail(root.get("native"),
                                    "the check `" + check.name + "` needs a fact `" + taken.name + "`", hint);
            for (const auto& column : taken.columns)
                if (!found->column(column))
                    return reader_.fail(root.get("facts").get_key(taken.name),
                                        "the fact `" + taken.name + "` has no field `" + column +
                                            "`, which the check `" + check.name + "` reads",
                                        hint);
        }
        for (const auto& fact : rule_.facts)
            if (std::none_of(check.facts.begin(), check.facts.end(),
                             [&](const CheckSignature::Fact& taken) { return taken.name == fact.name; }))
                return reader_.fail(root.get("facts").get_key(fact.name),
                                    "the check `" + check.name + "` takes no fact `" + fact.name + "`", hint);
    }

    void read_facts(NodeRef facts) {
        if (!facts) return;
        if (!facts.is_mapping()) return reader_.fail(facts, "facts must be a mapping of names to facts");
        bool any = false;
        for (auto [key, node] : facts.entries()) {
            FactSpec fact;
            read_fact(reader_, key, node, vocabulary_, fact);
            any = collect() || any;
            rule_.facts.push_back(std::move(fact));
        }
        facts_failed_ = any;
    }

    std::optional<std::size_t> fact_named(NodeRef at, std::string_view name) {
        for (std::size_t i = 0; i < rule_.facts.size(); ++i)
            if (rule_.facts[i].name == name) return i;
        std::vector<std::string> names;
        for (const auto& fact : rule_.facts)
            names.push_back(fact.name);
        const auto near = nearest(name, names);
        reader_.fail(at, "`" + std::string(name) + "` names no fact of this rule",
                     near ? "did you mean `" + *near + "`?" : "");
        return std::nullopt;
    }

    void check_all_used(NodeRef facts) {
        std::vector<bool> used(rule_.facts.size(), false);
        used[rule_.subject] = true;
        for (const auto* joins : {&rule_.joins, &rule_.unless})
            for (const auto& join : *joins)
                used[join.fact] = true;
        for (std::size_t i = 0; i < used.size(); ++i)
            if (!used[i] && rule_.facts[i].source != FactSpec::Source::partner)
                reader_.fail(facts.get_key(rule_.facts[i].name), "nothing uses the fact `" + rule_.facts[i].name + "`",
                             "name it under for, join or unless, or take it out");
    }

    void read_subject(NodeRef root) {
        if (rule_.facts.empty()) return reader_.fail(root, "a rule needs facts, or a native check");
        const auto name = reader_.require_text(root, "for", "the fact whose rows are checked");
        if (failed()) return;
        if (auto fact = fact_named(root.get("for"), name)) rule_.subject = *fact;
    }

    std::vector<Join> read_joins(NodeRef map, bool optional_allowed) {
        std::vector<Join> joins;
        if (!map) return joins;
        if (!map.is_mapping()) {
            reader_.fail(map, "expected a mapping of facts to the fields that must be equal",
                         "join: { chart: [name] }");
            return joins;
        }
        for (auto [key, value] : map.entries()) {
            Join join;
            std::string name(key.text());
            if (name.ends_with('?') && optional_allowed) {
                join.optional = true;
                name.pop_back();
            }
            auto fact = fact_named(key, name);
            if (!fact) return joins;
            if (*fact == rule_.subject) {
                reader_.fail(key, "`" + name + "` cannot be joined to itself");
                return joins;
            }
            join.fact = *fact;
            read_join_keys(value, join);
            joins.push_back(std::move(join));
        }
        return joins;
    }

    void read_join_keys(NodeRef value, Join& join) {
        const FactSpec& partner = rule_.facts[join.fact];
        const FactSpec& subject = rule_.facts[rule_.subject];
        auto add = [&](NodeRef at, std::string_view column, const std::string& key) {
            auto index = partner.column(column);
            if (!index)
                return reader_.fail(at, "`" + std::string(column) + "` is not a field of fact `" + partner.name + "`");
            if (key.find('{') != std::string::npos) return add_written(at, *index, key, join);
            auto comparison = parse_comparison(key + " exists", rule_.facts, false);
            if (!comparison) return fail(at, comparison.error());
            join.columns.push_back(*index);
            join.keys.push_back(comparison->left);
            join.written.emplace_back();
        };
        if (value.is_sequence()) {
            for (auto item : value.items())
                add(item, item.text(), subject.name + "." + std::string(item.text()));
        } else if (value.is_mapping()) {
            for (auto [column, key] : value.entries()) {
                std::string text(key.text());
                if (text.find_first_of(".{") == std::string::npos) text = subject.name + "." + text;
                add(key, column.text(), text);
            }
        } else {
            reader_.fail(value, "expected a list of fields, or a mapping of the partner's fields to ours");
        }
    }

    // `"{label}.{zone}"`: a text with fields, which are ours where no fact is named.
    void add_written(NodeRef at, std::size_t column, const std::string& text, Join& join) {
        std::string named;
        for (std::size_t i = 0; i < text.size(); ++i) {
            named += text[i];
            const std::size_t close = text[i] == '{' ? text.find('}', i) : std::string::npos;
            if (close != std::string::npos && text.substr(i, close - i).find('.') == std::string::npos)
                named += rule_.facts[rule_.subject].name + ".";
        }
        auto part = parse_message(named, rule_.facts);
        if (!part) return fail(at, part.error());
        if (part->operands.empty()) return reader_.fail(at, "`" + text + "` has no field in it", "\"{label}.{zone}\"");
        join.columns.push_back(column);
        join.keys.push_back(part->operands.front());
        join.written.emplace_back(*part);
    }

    // A fact that is neither checked nor joined has no row here to compare with.
    void check_in_scope(NodeRef at, const Operand& operand) {
        if (operand.literal || operand.name.empty() || operand.fact == rule_.subject) return;
        if (rule_.facts[operand.fact].source == FactSpec::Source::partner) return;
        const bool joined = std::any_of(rule_.joins.begin(), rule_.joins.end(),
                                        [&](const Join& join) { return join.fact == operand.fact; });
        const std::string& name = rule_.facts[operand.fact].name;
        if (!joined)
            reader_.fail(at, "`" + operand.name + "`: fact `" + name + "` is not joined",
                         "add `" + name + "` under join:");
    }

    std::vector<Comparison> read_comparisons(NodeRef map, std::string_view key) {
        const NodeRef node = failed() ? NodeRef() : map.get(key);
        auto comparisons = read_condition(reader_, node, key, rule_.facts, false);
        for (const auto& one : comparisons)
            check_in_scope(node, one);
        if (comparisons.empty() && node && !failed())
            reader_.fail(node, "`" + std::string(key) + "` needs at least one comparison");
        return comparisons;
    }

    void check_in_scope(NodeRef at, const Comparison& comparison) {
        check_in_scope(at, comparison.left);
        check_in_scope(at, comparison.right);
        for (const auto& all : comparison.any)
            for (const auto& one : all)
                check_in_scope(at, one);
    }

    std::optional<Anchor> read_anchor(NodeRef at, const std::string& text) {
        const auto dot = text.find('.');
        auto fact = fact_named(at, text.substr(0, dot));
        if (!fact) return std::nullopt;
        if (dot == std::string::npos) return Anchor{*fact, std::nullopt};
        auto column = rule_.facts[*fact].column(text.substr(dot + 1));
        if (!column)
            reader_.fail(at, "`" + text.substr(dot + 1) + "` is not a field of fact `" + text.substr(0, dot) + "`");
        return Anchor{*fact, column};
    }

    // One place, or a list of which the first counts that has a value.
    std::optional<Anchor> read_at(NodeRef map) {
        std::optional<Anchor> first;
        for (const auto& text : reader_.texts(map, "at")) {
            auto one = read_anchor(map.get("at"), text);
            if (!one) return std::nullopt;
            if (first)
                first->or_else.push_back(*one);
            else
                first = one;
        }
        if (first) first->listed = map.get("at").is_sequence();
        return first;
    }

    std::optional<MessagePart> read_part(NodeRef at) {
        if (at.is_mapping()) { // said only where that holds
            if (!reader_.check_keys(at, "a part of a message", {"when", "says"})) return std::nullopt;
            auto when = read_comparisons(at, "when");
            if (!failed() && (when.empty() || !at.get("says")))
                reader_.fail(at, "a part of a message has `when` and `says`");
            if (failed()) return std::nullopt;
            auto part = read_part(at.get("says"));
            if (part) part->when = std::move(when);
            return part;
        }
        if (!at.is_scalar() || at.is_null()) {
            reader_.fail(at,
                         "a part of a message is text, or a list of texts of which the first that can be said counts");
            return std::nullopt;
        }
        auto part = parse_message(at.text(), rule_.facts);
        if (!part) {
            fail(at, part.error());
            return std::nullopt;
        }
        for (const auto& operand : part->operands)
            check_in_scope(at, operand);
        return *part;
    }

    // One text, or a list of parts; a list among those is what to say instead of one another.
    std::optional<Message> read_message(NodeRef map, std::string_view key) {
        const NodeRef node = map.get(key);
        if (!node || failed()) return std::nullopt;
        Message message;
        message.whole = !node.is_sequence();
        for (auto item : message.whole ? std::vector<NodeRef>{node} : node.items()) {
            Message::Forms& forms = message.parts.emplace_back();
            for (auto form : item.is_sequence() ? item.items() : std::vector<NodeRef>{item})
                if (auto part = read_part(form)) forms.push_back(*part);
            if (failed()) return std::nullopt;
        }
        return message;
    }

    // What each finding shows besides its place, in words of the rule.
    std::optional<std::vector<Beside>> read_also(NodeRef map) {
        const NodeRef node = map.get("also");
        if (!node || failed()) return std::nullopt;
        std::vector<Beside> all;
        for (auto item : list_of(node, "also", "also: [{ at: fact.field, says: \"pinned here\" }]")) {
            if (!reader_.check_keys(item, "a place under `also`", {"when", "at", "says"})) return all;
            Beside one;
            one.when = read_comparisons(item, "when");
            auto at = read_at(item);
            auto says = read_message(item, "says");
            if (!failed() && (!at || !says)) reader_.fail(item, "a place under `also` needs `at` and `says`");
            if (failed()) return all;
            one.at = *at;
            one.says = std::move(*says);
            all.push_back(std::move(one));
        }
        return all;
    }

    std::vector<Doubt> read_doubts(NodeRef map) {
        std::vector<Doubt> all;
        const NodeRef node = map.get("undecided");
        if (!node || failed()) return all;
        for (auto item :
             list_of(node, "undecided", "undecided: [{ when: fact.field absent, why: \"nothing says it\" }]")) {
            if (!reader_.check_keys(item, "a reason under `undecided`", {"when", "why"})) return all;
            Doubt one;
            one.when = read_comparisons(item, "when");
            auto why = read_message(item, "why");
            if (!failed() && (one.when.empty() || !why))
                reader_.fail(item, "a reason under `undecided` needs `when` and `why`");
            if (failed()) return all;
            one.why = std::move(*why);
            all.push_back(std::move(one));
        }
        return all;
    }

    std::vector<NodeRef> list_of(NodeRef node, std::string_view key, std::string_view example) {
        if (node.is_sequence()) return node.items();
        reader_.fail(node, "`" + std::string(key) + "` must be a list", std::string(example));
        return {};
    }

    void read_group(NodeRef root) {
        const NodeRef group = root.get("group");
        if (!group || failed()) return;
        if (!reader_.check_keys(group, "group", {"by", "when", "whole", "majority"})) return;
        rule_.group_when = read_comparisons(group, "when");
        rule_.group_whole = reader_.boolean(group, "whole").value_or(false);
        for (const auto& text : reader_.texts(group, "by")) {
            auto comparison = parse_comparison(text + " exists", rule_.facts, false);
            if (!comparison) return fail(group.get("by"), comparison.error());
            check_in_scope(group.get("by"), comparison->left);
            rule_.group_by.push_back(comparison->left);
        }
        if (rule_.group_by.empty() && !failed())
            reader_.fail(group, "group needs the fields that findings of one group share", "group: { by: fact.field }");
        if (const auto text = reader_.text(group, "majority")) read_majority(group, *text);
    }

    // The rows of a group are compared with each other: `majority` is the first that says what most of them say.
    void read_majority(NodeRef group, const std::string& text) {
        const FactSpec& subject = rule_.facts[rule_.subject];
        const auto dot = text.find('.');
        const auto column = dot == std::string::npos || text.substr(0, dot) != subject.name
                                ? std::nullopt
                                : subject.column(text.substr(dot + 1));
        if (!column)
            return reader_.fail(group.get("majority"), "majority names a field of the fact that is checked",
                                "majority: " + subject.name + ".field");
        rule_.majority = *column;
        rule_.group_whole = true;
        FactSpec usual = subject;
        usual.name = "majority";
        usual.source = FactSpec::Source::partner;
        usual.files.clear();
        usual.kinds.clear();
        usual.where.clear();
        rule_.facts.push_back(std::move(usual));
    }

    // `forbid: fact`, `require: fact` name a row; anything else is a comparison.
    void read_verb(NodeRef map, Case& result) {
        int verbs = 0;
        for (auto key : {"assert", "forbid", "require"})
            verbs += map.get(key) ? 1 : 0;
        if (verbs != 1) return reader_.fail(map, "expected exactly one of assert, forbid, require, unique, or cases");
        if (map.get("assert")) {
            result.verb = Case::Verb::assert_all;
            result.what = read_comparisons(map, "assert");
            return;
        }
        const std::string_view key = map.get("forbid") ? "forbid" : "require";
        const NodeRef said = map.get(key);
        const auto texts = said.is_scalar() ? reader_.texts(map, key) : std::vector<std::string>{};
        const bool row = texts.size() == 1 && texts.front().find(' ') == std::string::npos;
        if (failed()) return;
        if (!row && key == "require") return reader_.fail(map.get(key), "require names one joined fact");
        if (!row) {
            result.verb = Case::Verb::forbid_all;
            result.what = read_comparisons(map, key);
            return;
        }
        result.verb = key == "forbid" ? Case::Verb::forbid_row : Case::Verb::require_row;
        auto fact = fact_named(map.get(key), texts.front());
        if (!fact) return;
        if (*fact == rule_.subject) {
            if (key == "require")
                reader_.fail(map.get(key), "require names a joined fact, not the one that is checked");
            return;
        }
        const bool joined =
            std::any_of(rule_.joins.begin(), rule_.joins.end(), [&](const Join& j) { return j.fact == *fact; });
        if (!joined) return reader_.fail(map.get(key), "`" + texts.front() + "` is not joined", "add it under join:");
        result.partner = *fact;
    }

    void read_verbs(NodeRef root) {
        if (auto at = read_at(root))
            rule_.at = *at;
        else
            rule_.at = Anchor{rule_.subject,
                              rule_.facts[rule_.subject].fields.empty() ? std::nullopt : std::optional<std::size_t>(0)};
        collect();
        if (auto message = read_message(root, "message")) rule_.message = *message;
        collect();
        rule_.also = read_also(root);
        collect();
        rule_.undecided = read_doubts(root);
        collect();
        const bool message(root.get("message"));
        if (rule_.majority) {
            for (auto verb : {"assert", "forbid", "require", "unique", "cases", "undecided"})
                if (root.get(verb))
                    return reader_.fail(root.get_key(verb), "`group: { majority: … }` is what must hold");
        } else if (auto cases = root.get("cases")) {
            if (!cases.is_sequence()) return reader_.fail(cases, "cases must be a list");
            for (auto item : cases.items()) {
                read_case(item, message);
                collect();
            }
        } else if (root.get("unique")) {
            for (auto verb : {"assert", "forbid", "require", "undecided", "also"})
                if (root.get(verb)) return reader_.fail(root.get_key(verb), "`unique` takes no other check beside it");
            read_unique(root);
        } else {
            Case only;
            read_verb(root, only);
            rule_.cases.push_back(std::move(only));
        }
        if (!message && !root.get("cases") && !failed())
            reader_.fail(root, "a rule needs a message", "message: \"{fact.field} is not …\"");
    }

    void read_unique(NodeRef root) {
        for (const auto& name : reader_.texts(root, "unique")) {
            auto column = rule_.facts[rule_.subject].column(name);
            if (!column)
                return reader_.fail(root.get("unique"),
                                    "`" + name + "` is not a field of fact `" + rule_.facts[rule_.subject].name + "`");
            rule_.unique.push_back(*column);
        }
        if (rule_.unique.empty() && !failed()) reader_.fail(root.get("unique"), "unique needs at least one field");
    }

    void read_case(NodeRef item, bool has_message) {
        if (!reader_.check_keys(
                item, "a case",
                {"when", "severity-in", "assert", "forbid", "require", "severity", "message", "at", "also"}))
            return;
        Case result;
        result.when = read_comparisons(item, "when");
        read_verb(item, result);
        result.message = read_message(item, "message");
        result.at = read_at(item);
        result.also = read_also(item);
        if (auto level = reader_.text(item, "severity")) {
            result.severity = parse_severity(*level);
            if (!result.severity)
                return reader_.fail(item.get("severity"), "severity must be error, warning, note or off");
        }
        result.severity_in = read_severity_in(item);
        if (!result.message && !has_message) return reader_.fail(item, "a case needs a message when the rule has none");
        rule_.cases.push_back(std::move(result));
    }

    StrictReader& reader_;
    const Vocabulary& vocabulary_;
    Rule& rule_;
    std::vector<Error> errors_;
    bool facts_failed_ = false;
};

} // namespace

Result<Rule> load_rule(const std::string& path, std::string_view text, const std::string& pack,
                       const Vocabulary& vocabulary) {
    const YamlText yaml = parse_yaml(text);
    StrictReader reader(path, yaml);
    Rule rule;
    rule.path = path;
    rule.pack = pack;
    if (!reader.check_syntax()) return *reader.error();
    const NodeRef root = yaml.documents.empty() ? NodeRef() : NodeRef(&yaml, yaml.documents.front().root);
    if (!root) return Error{"a rule file holds one rule; this one is empty", path, {1, 1}, "see docs/writing-rules.md"};
    RuleLoader loader(reader, vocabulary, rule);
    loader.read(root);
    if (auto error = loader.error()) return *error;
    if (yaml.documents.size() > 1)
        reader.fail(NodeRef(&yaml, yaml.documents[1].root), "a rule file holds one rule",
                    "move the second one into a file of its own");
    if (reader.error()) return *reader.error();
    return rule;
}

} // namespace lockstep
