// Joins the rows of a rule's facts and lets its cases speak: pass, fail, undecided or lost, row by row.
#include "rules/decide.h"
#include "rules/compare.h"
#include "rules/edit.h"
#include "rules/partners.h"
#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace lockstep {
namespace {

std::string filled(const MessagePart& part, const Rows& rows) {
    std::string text = part.texts.front();
    for (std::size_t i = 0; i < part.operands.size(); ++i) {
        const Cell& cell = cell_of(part.operands[i], rows);
        text += cell.state == State::absent ? "nothing" : cell.text;
        text += part.texts[i + 1];
    }
    return text;
}

// A field as it is called in the file: `spec.version`; of text facts the name of the group.
std::string field_shown(const FactSpec& fact, std::string_view column) {
    for (const FieldSpec& field : fact.fields)
        if (field.name == column && !field.paths.front().text.empty() && field.paths.front().text != ".")
            return field.paths.front().text;
    return std::string(column);
}

// What stands in the file, in the user's words: `Blueprint bp-mail`, `dependencies[0]`, `values.yaml`.
std::string thing_shown(const Row& row) {
    std::string_view name = row.subject;
    const auto hash = name.find('#');
    const auto file_name = [](std::string_view path) {
        return std::string(path.substr(path.rfind('/') + 1)); // npos + 1 is 0
    };
    if (hash == std::string_view::npos) {
        const auto colon = name.find(':');
        return colon == std::string_view::npos ? file_name(name) : std::string(name.substr(colon + 1));
    }
    if (name.ends_with('/')) return file_name(name.substr(0, hash)); // a document without a name
    name.remove_prefix(hash + 1);
    const auto slash = name.find('/');
    if (slash == std::string_view::npos) return std::string(name);
    const std::string_view rest = name.substr(slash + 1);
    const auto colon = rest.find(':');
    if (colon != std::string_view::npos) return std::string(rest.substr(colon + 1));
    return std::string(name.substr(0, slash)) + " " + std::string(rest.substr(rest.rfind('/') + 1));
}

// Where the rows of a fact would come from.
std::string source_shown(const FactSpec& fact) {
    std::string names;
    for (const KindSpec& kind : fact.kinds)
        names += (names.empty() ? "no " : " and no ") + kind.kind;
    if (!names.empty()) return names + " is in the tree";
    for (const Glob& glob : fact.files)
        names += (names.empty() ? "no file has what is looked for in `" : "`, `") + glob.pattern();
    return names.empty() ? "there is no " + fact.name : names + "`";
}

class Decider {
public:
    Decider(const Rule& rule, const std::vector<const Table*>& tables, RuleOutcome& outcome)
        : rule_(rule), tables_(tables), outcome_(outcome) {
        joined_.resize(tables.size(), nullptr);
        for (const auto& join : rule.joins)
            partners_.emplace_back(join, rule.facts[join.fact], *tables[join.fact]);
        for (const auto& join : rule.unless)
            unless_.emplace_back(join, rule.facts[join.fact], *tables[join.fact]);
        for (const Case& one : rule.cases) {
            find_counted(one.when);
            find_counted(one.what);
        }
        for (const Doubt& one : rule.undecided)
            find_counted(one.when);
    }

    void run() {
        const auto& rows = subject_table().rows;
        for (std::size_t i = 0; i < rows.size(); ++i)
            judge_row(rows[i], i);
        report_lost_partners();
        report_blind_joins();
        for (const auto& [fact, place] : rule_.must_match)
            if (tables_[fact]->rows.empty())
                add_finding({rule_.id,
                             rule_.severity,
                             "pin site `" + rule_.facts[fact].name + "` matches nothing in the tree",
                             place,
                             {},
                             rule_.id + ":" + rule_.facts[fact].name,
                             {}});
        if (!rule_.unique.empty()) judge_unique();
        if (rule_.majority) judge_majorities();
        report_whole_groups();
        make_keys_unique();
    }

private:
    Truth holds_here(const Comparison& comparison, const Rows& rows) const {
        if (comparison.op == Comparison::Op::any)
            return any_holds(comparison, [&](const Comparison& one) { return holds_here(one, rows); });
        if (comparison.left.counted) return count_holds(comparison);
        return holds(comparison, cell_of(comparison.left, rows), cell_of(comparison.right, rows));
    }

    Truth all_hold(const std::vector<Comparison>& comparisons, const Rows& rows) const {
        Truth result = Truth::yes;
        for (const auto& comparison : comparisons) {
            const Truth truth = holds_here(comparison, rows);
            if (truth == Truth::no) return Truth::no;
            if (truth == Truth::unknown) result = Truth::unknown;
        }
        return result;
    }

    Truth count_holds(const Comparison& comparison) const {
        const std::size_t count = joined_[comparison.left.fact] ? joined_[comparison.left.fact]->size() : 0;
        const std::size_t limit = std::stoul(comparison.right.values.front());
        switch (comparison.op) {
        case Comparison::Op::equal:
            return count == limit ? Truth::yes : Truth::no;
        case Comparison::Op::not_equal:
            return count != limit ? Truth::yes : Truth::no;
        case Comparison::Op::less:
            return count < limit ? Truth::yes : Truth::no;
        case Comparison::Op::less_equal:
            return count <= limit ? Truth::yes : Truth::no;
        case Comparison::Op::greater:
            return count > limit ? Truth::yes : Truth::no;
        default:
            return count >= limit ? Truth::yes : Truth::no;
        }
    }

    bool can_be_said(const MessagePart& part, const Rows& rows) const {
        return all_hold(part.when, rows) == Truth::yes &&
               std::none_of(part.operands.begin(), part.operands.end(),
                            [&](const Operand& operand) { return cell_of(operand, rows).state == State::absent; });
    }

    std::string filled(const Message& message, const Rows& rows) const {
        if (message.whole) return lockstep::filled(message.parts.front().front(), rows);
        std::string text;
        for (const Message::Forms& forms : message.parts)
            if (const auto form = std::find_if(forms.begin(), forms.end(),
                                               [&](const MessagePart& one) { return can_be_said(one, rows); });
                form != forms.end())
                text += lockstep::filled(*form, rows);
        return text;
    }

    // Facts that are counted: all their rows are looked at together.
    void find_counted(const std::vector<Comparison>& comparisons) {
        for (const auto& one : comparisons) {
            if (one.left.counted) counted_.insert(one.left.fact);
            for (const auto& all : one.any)
                find_counted(all);
        }
    }

    const Table& subject_table() const { return *tables_[rule_.subject]; }

    void add_subject(const Row& row, std::size_t number, Verdict verdict, std::string why = {}) {
        if (verdict == Verdict::pass && !outcome_.lists_passes)
            ++outcome_.unlisted_passes;
        else
            outcome_.subjects.push_back({row.anchor, row.subject, verdict, std::move(why), number});
    }
    void add_finding(Finding finding) { outcome_.add(std::move(finding)); }

    void report_lost(const FactSpec& fact, const Row& row) {
        const bool text = fact.source == FactSpec::Source::text || fact.source == FactSpec::Source::comment;
        const std::string what = text ? "this names no " + row.lost + " that can be read"
                                      : thing_shown(row) + " has no " + field_shown(fact, row.lost);
        add_finding({rule_.id,
                     rule_.severity,
                     what + ": " + rule_.id + " cannot check it",
                     row.anchor,
                     {},
                     rule_.id + ":" + row.subject + "." + row.lost,
                     "lost " + fact.name + "." + row.lost});
    }

    void judge_row(const Row& row, std::size_t number) {
        if (!row.lost.empty()) {
            report_lost(rule_.facts[rule_.subject], row);
            return add_subject(row, number, Verdict::lost, row.lost);
        }
        if (!rule_.unique.empty() || rule_.majority) return; // judged together, later
        Rows rows(rule_.facts.size(), nullptr);
        rows[rule_.subject] = &row;
        for (auto& partner : unless_) {
            const auto found = partner.find(rows);
            if (found.rows) return add_subject(row, number, Verdict::unmatched, "left out by `unless`");
            if (found.unknown)
                return add_subject(row, number, Verdict::undecided, "a templated value decides whether it is left out");
        }
        verdict_ = Verdict::unmatched;
        why_.clear();
        expand(rows, 0);
        add_subject(row, number, verdict_, why_);
    }

    // Every combination of partners in turn.
    void expand(Rows& rows, std::size_t join) {
        if (join == rule_.joins.size()) return judge_combination(rows);
        const Join& spec = rule_.joins[join];
        const auto found = partners_[join].find(rows);
        if (counted_.contains(spec.fact) && !found.unknown) {
            joined_[spec.fact] = found.rows;
            rows[spec.fact] = found.rows ? found.rows->front() : nullptr;
            expand(rows, join + 1);
            rows[spec.fact] = nullptr;
            return;
        }
        if (found.rows) {
            for (const Row* partner : *found.rows) {
                rows[spec.fact] = partner;
                expand(rows, join + 1);
            }
            rows[spec.fact] = nullptr;
            return;
        }
        const std::string& name = rule_.facts[spec.fact].name;
        if (found.unknown) return settle(Verdict::undecided, "which " + name + " belongs to it is templated");
        if (spec.optional || is_asked_for(spec.fact)) return expand(rows, join + 1);
        settle(Verdict::unmatched, "no " + name + " belongs to it");
    }

    // `require: fact` and `forbid: fact` speak about the absence of a partner themselves.
    bool is_asked_for(std::size_t fact) const {
        return std::any_of(rule_.cases.begin(), rule_.cases.end(),
                           [&](const Case& one) { return one.partner == fact; });
    }

    // The worst verdict of all combinations counts.
    void settle(Verdict verdict, const std::string& why = {}) {
        auto rank = [](Verdict v) {
            return v == Verdict::fail        ? 4
                   : v == Verdict::lost      ? 3
                   : v == Verdict::undecided ? 2
                   : v == Verdict::pass      ? 1
                                             : 0;
        };
        if (rank(verdict) >= rank(verdict_)) {
            verdict_ = verdict;
            why_ = why;
        }
    }

    void judge_combination(const Rows& rows) {
        for (const auto& doubt : rule_.undecided)
            if (const Truth holds = all_hold(doubt.when, rows); holds != Truth::no)
                return settle(Verdict::undecided,
                              holds == Truth::yes ? filled(doubt.why, rows) : "a templated value decides");
        for (const auto& one : rule_.cases) {
            const Truth applies = all_hold(one.when, rows);
            if (applies == Truth::no) continue;
            if (applies == Truth::unknown) return settle(Verdict::undecided, "a templated value decides");
            const Truth good = holds_for(one, rows);
            if (good == Truth::yes) return settle(Verdict::pass);
            const bool unsure =
                std::any_of(rows.begin(), rows.end(), [](const Row* row) { return row && row->unsure; });
            if (good == Truth::unknown && report_unreadable(one, rows)) return settle(Verdict::lost);
            if (good == Truth::unknown || unsure) return settle(Verdict::undecided, "a value is templated");
            settle(Verdict::fail);
            return add_case_finding(one, rows);
        }
        settle(Verdict::pass); // no case speaks about this row
    }

    // A pin that became `latest` is there and says nothing: the guard cannot see, and says so.
    bool report_unreadable(const Case& one, const Rows& rows) {
        for (const auto& comparison : one.what) {
            const Operand* side =
                unreadable_side(comparison, cell_of(comparison.left, rows), cell_of(comparison.right, rows));
            if (!side) continue;
            const Cell& cell = cell_of(*side, rows);
            const Row& row = *rows[side->fact];
            const Place place = cell.place.file == no_file ? row.anchor : cell.place;
            const std::string what =
                comparison.op == Comparison::Op::satisfies && side == &comparison.right ? "range" : "version";
            add_finding({rule_.id,
                         rule_.severity,
                         field_shown(rule_.facts[side->fact], rule_.facts[side->fact].columns[side->column]) + " is `" +
                             cell.text + "`, which is not a " + what + ": " + rule_.id + " cannot check it",
                         place,
                         {},
                         rule_.id + ":" + row.subject + "." + side->name,
                         {}});
            return true;
        }
        return false;
    }

    Truth holds_for(const Case& one, const Rows& rows) const {
        switch (one.verb) {
        case Case::Verb::assert_all:
            return all_hold(one.what, rows);
        case Case::Verb::forbid_all: {
            const Truth all = all_hold(one.what, rows);
            return all == Truth::unknown ? all : all == Truth::yes ? Truth::no : Truth::yes;
        }
        case Case::Verb::forbid_row:
            return one.partner && !rows[*one.partner] ? Truth::yes : Truth::no;
        case Case::Verb::require_row:
            if (rows[*one.partner]) return Truth::yes;
            for (std::size_t i = 0; i < rule_.joins.size(); ++i) // one cause, one finding: the lost row is reported
                if (rule_.joins[i].fact == *one.partner && partners_[i].any_lost()) return Truth::unknown;
            return Truth::no;
        }
        return Truth::unknown;
    }

    Place place_of(const Anchor& at, const Rows& rows) const {
        const auto has_value = [&](const Anchor& one) {
            const Row* row = rows[one.fact];
            if (!row || !one.column) return row != nullptr;
            const Cell& cell = row->cell(*one.column);
            return cell.state != State::absent && cell.place.file != no_file;
        };
        if (at.listed && !has_value(at))
            for (const Anchor& one : at.or_else)
                if (has_value(one)) return place_of(one, rows);
        const Row* row = rows[at.fact] ? rows[at.fact] : rows[rule_.subject];
        if (row != rows[at.fact] || !at.column) return row->anchor;
        const Place place = row->cell(*at.column).place;
        return place.file == no_file ? row->anchor : place;
    }

    bool has_own_place(const Operand& operand) const {
        const FactSpec& fact = rule_.facts[operand.fact];
        if (fact.source == FactSpec::Source::relation) return true;
        const std::size_t own = fact.fields.empty() && fact.value ? fact.value->names().size() : fact.fields.size();
        return operand.column < own;
    }

    void add_related(const Operand& operand, const Rows& rows, Finding& finding) const {
        if (operand.literal || operand.counted || !rows[operand.fact] || !has_own_place(operand)) return;
        const Cell& cell = cell_of(operand, rows);
        if (cell.place.file == no_file || cell.state == State::absent || cell.place == finding.place) return;
        for (const auto& related : finding.related)
            if (related.place == cell.place) return;
        const FactSpec& fact = rule_.facts[operand.fact];
        finding.related.push_back({cell.place, field_shown(fact, fact.columns[operand.column]) + " is " + cell.text});
    }

    // The primary place is the value to change: where it should equal another version, that one is what to write.
    void add_edit(const Comparison& comparison, const Rows& rows, Finding& finding) const {
        const Operand &left = comparison.left, &right = comparison.right;
        if (comparison.op != Comparison::Op::equal || left.literal || right.literal) return;
        if (left.reading != Reading::version || right.reading != Reading::version) return;
        const Cell &a = cell_of(left, rows), &b = cell_of(right, rows);
        if (a.place == finding.place) finding.edits = same_version_edit(a, b);
        if (b.place == finding.place) finding.edits = same_version_edit(b, a);
    }

    void add_case_finding(const Case& one, const Rows& rows) {
        const Row& subject = *rows[rule_.subject];
        Finding finding;
        finding.rule = rule_.id;
        finding.severity = one.severity.value_or(rule_.severity);
        const Message& message = one.message ? *one.message : rule_.message;
        finding.message = filled(message, rows);
        const Anchor& at = one.at ? *one.at : rule_.at;
        finding.place = place_of(at, rows);
        finding.key = rule_.id + ":" + subject.subject;
        if (at.fact == rule_.subject && at.column && !at.listed)
            finding.key += "." + rule_.facts[at.fact].columns[*at.column];
        for (const auto& comparison : one.what)
            add_edit(comparison, rows, finding);
        if (const auto& also = one.also ? one.also : rule_.also)
            add_besides(*also, rows, finding);
        else
            add_compared(one, message, rows, finding);
        if (!rule_.group_by.empty()) finding.cause = group_of(rows);
        if (subject.more) add_more(*subject.more, finding);
        if (rule_.group_whole && !finding.cause.empty())
            whole_[finding.cause].push_back(std::move(finding));
        else
            add_finding(std::move(finding));
    }

    // Empty: it stays alone.
    std::string group_of(const Rows& rows) const {
        std::string group;
        if (all_hold(rule_.group_when, rows) != Truth::yes) return group;
        for (const auto& operand : rule_.group_by) {
            const Cell& cell = cell_of(operand, rows);
            if (cell.state == State::absent) return {};
            group += cell.text + "\n";
        }
        return group;
    }

    // What the finding is made of, where the rule does not say what to show.
    void add_compared(const Case& one, const Message& message, const Rows& rows, Finding& finding) const {
        for (const auto& comparison : one.what) {
            add_related(comparison.left, rows, finding);
            add_related(comparison.right, rows, finding);
        }
        for (const auto& forms : message.parts)
            for (const auto& part : forms)
                for (const auto& operand : part.operands)
                    add_related(operand, rows, finding);
        for (const auto& join : rule_.joins)
            add_partner(join, rows, finding);
        if (!finding.cause.empty()) finding.cause += finding.message; // the same partner may be wrong in two ways
    }

    void add_besides(const std::vector<Beside>& besides, const Rows& rows, Finding& finding) const {
        for (const Beside& one : besides) {
            const Row* row = rows[one.at.fact];
            if (!row || all_hold(one.when, rows) != Truth::yes) continue;
            const Cell* cell = one.at.column ? &row->cell(*one.at.column) : nullptr;
            if (cell && cell->state == State::absent && one.when.empty()) continue;
            add_place(cell && cell->place.file != no_file ? cell->place : row->anchor, filled(one.says, rows), finding);
        }
    }

    static void add_place(Place place, std::string says, Finding& finding) {
        if (place.file == no_file || place == finding.place) return;
        for (const auto& related : finding.related)
            if (related.place == place) return;
        finding.related.push_back({place, std::move(says)});
    }

    static void add_more(const RowMore& more, Finding& finding) {
        for (const Related& related : more.related)
            if (related.place.file != no_file) finding.related.push_back(related);
        finding.instances = more.instances;
        finding.proof = more.proof;
        if (finding.edits.empty()) finding.edits = more.edits;
    }

    // A joined row none of whose cells is shown yet is shown as a whole; its subject is part of the cause.
    void add_partner(const Join& join, const Rows& rows, Finding& finding) const {
        const Row* partner = rows[join.fact];
        if (!partner || partner->anchor.file == no_file) return;
        finding.cause += partner->subject + "\n";
        const bool shown = std::any_of(finding.related.begin(), finding.related.end(), [&](const Related& related) {
            return related.place.file == partner->anchor.file;
        });
        if (!shown && partner->anchor.file != finding.place.file)
            finding.related.push_back({partner->anchor, "the " + rule_.facts[join.fact].name + " is here"});
        if (const auto* all = joined_[join.fact])
            for (const Row* row : *all)
                if (finding.related.size() < most_related)
                    add_place(row->anchor, "a " + rule_.facts[join.fact].name, finding);
    }

    void report_lost_partners() {
        for (const auto& join : rule_.joins)
            for (const auto& row : tables_[join.fact]->rows)
                if (!row.lost.empty()) {
                    report_lost(rule_.facts[join.fact], row);
                    outcome_.subjects.push_back(
                        {row.anchor, row.subject, Verdict::lost, row.lost, subject_table().rows.size()});
                }
    }

    // There are rows to check, and nothing at all to check them against. That is no proof of a fault, so no error.
    void report_blind_joins() {
        const auto& rows = subject_table().rows;
        const auto whole = std::find_if(rows.begin(), rows.end(), [](const Row& row) { return row.lost.empty(); });
        if (whole == rows.end()) return;
        for (const auto& join : rule_.joins) {
            const FactSpec& fact = rule_.facts[join.fact];
            if (join.optional || is_asked_for(join.fact) || !tables_[join.fact]->rows.empty() ||
                fact.source == FactSpec::Source::table)
                continue;
            add_finding({rule_.id,
                         std::min(rule_.severity, Severity::warning),
                         rule_.id + " has nothing to compare this" +
                             (rows.size() > 1 ? " and " + std::to_string(rows.size() - 1) + " more" : "") +
                             " with: " + source_shown(fact),
                         whole->anchor,
                         {},
                         rule_.id + ":no-" + fact.name,
                         {}});
        }
    }

    void judge_unique() {
        std::unordered_map<std::string, const Row*> first;
        const auto& rows = subject_table().rows;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const Row& row = rows[i];
            if (!row.lost.empty()) continue;
            std::string key;
            bool templated = row.unsure;
            for (auto column : rule_.unique) {
                templated = templated || row.cell(column).state == State::templated;
                key += normalised(row.cell(column).text, rule_.facts[rule_.subject].readings[column]) + '\x1f';
            }
            if (templated) {
                add_subject(row, i, Verdict::undecided, "a value is templated");
                continue;
            }
            const auto [found, fresh] = first.emplace(key, &row);
            add_subject(row, i, fresh ? Verdict::pass : Verdict::fail);
            if (fresh) continue;
            Rows all(rule_.facts.size(), nullptr);
            all[rule_.subject] = &row;
            Finding finding{rule_.id,
                            rule_.severity,
                            filled(rule_.message, all),
                            place_of(rule_.at, all),
                            {},
                            rule_.id + ":" + row.subject,
                            {}};
            all[rule_.subject] = found->second;
            finding.related.push_back({place_of(rule_.at, all), "first here"});
            add_finding(std::move(finding));
        }
    }

    // One finding for each group, the worst first.
    void report_whole_groups() {
        for (auto& [group, findings] : whole_) {
            std::stable_sort(findings.begin(), findings.end(),
                             [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
            Finding first = std::move(findings.front());
            first.key = rule_.id + ":" + group.substr(0, group.size() - 1);
            std::replace(first.key.begin(), first.key.end(), '\n', '/');
            first.cause.clear();
            for (std::size_t i = 1; i < findings.size(); ++i) {
                add_place(findings[i].place, findings[i].message, first);
                first.instances.insert(first.instances.end(), findings[i].instances.begin(),
                                       findings[i].instances.end());
            }
            add_finding(std::move(first));
        }
    }

    // The rows of a group should say the same: those that do not say what most of them do are the findings.
    void judge_majorities() {
        struct Group {
            std::map<std::string, std::size_t> times;
            std::vector<std::size_t> rows;
        };
        std::map<std::string, Group> groups;
        const auto& rows = subject_table().rows;
        const auto value_of = [&](const Row& row) {
            const Cell& cell = row.cell(*rule_.majority);
            return cell.state == State::absent
                       ? std::string()
                       : "=" + normalised(cell.text, rule_.facts[rule_.subject].readings[*rule_.majority]);
        };
        Rows all(rule_.facts.size(), nullptr);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (!rows[i].lost.empty()) continue;
            all[rule_.subject] = &rows[i];
            const std::string group = group_of(all);
            if (rows[i].unsure || rows[i].cell(*rule_.majority).state == State::templated) {
                add_subject(rows[i], i, Verdict::undecided, "a value is templated");
            } else if (group.empty()) {
                add_subject(rows[i], i, Verdict::unmatched, "it is in no group");
            } else {
                groups[group].rows.push_back(i);
                ++groups[group].times[value_of(rows[i])];
            }
        }
        for (const auto& [name, group] : groups) {
            const auto most = std::max_element(group.times.begin(), group.times.end(),
                                               [](const auto& a, const auto& b) { return a.second < b.second; });
            const bool told = most->second * 2 > group.rows.size() && most->second > 1;
            const auto usual = std::find_if(group.rows.begin(), group.rows.end(),
                                            [&](std::size_t i) { return value_of(rows[i]) == most->first; });
            for (const std::size_t i : group.rows) {
                if (group.times.size() == 1 || (told && value_of(rows[i]) == most->first)) {
                    add_subject(rows[i], i, Verdict::pass);
                } else if (!told) {
                    add_subject(rows[i], i, Verdict::undecided, "its group has no majority");
                } else {
                    add_subject(rows[i], i, Verdict::fail);
                    all[rule_.subject] = &rows[i];
                    all.back() = &rows[*usual]; // the fact `majority`
                    add_case_finding(Case{}, all);
                }
            }
        }
    }

    // Two findings with one key would be one in a baseline.
    void make_keys_unique() {
        std::unordered_map<std::string, std::size_t> seen;
        for (auto& finding : outcome_.findings)
            if (const auto times = ++seen[finding.key + '\x1f' + finding.message]; times > 1)
                finding.key += "~" + std::to_string(times);
    }

    const Rule& rule_;
    const std::vector<const Table*>& tables_;
    std::vector<PartnerIndex> partners_, unless_;
    std::set<std::size_t> counted_;
    std::vector<const std::vector<const Row*>*> joined_; // of facts that are counted: the rows of the subject at hand
    std::map<std::string, std::vector<Finding>> whole_;  // by group, where a group is one finding
    RuleOutcome& outcome_;
    Verdict verdict_ = Verdict::unmatched;
    std::string why_;
};

} // namespace

void decide(const Rule& rule, const std::vector<const Table*>& tables, RuleOutcome& outcome) {
    Decider(rule, tables, outcome).run();
}

} // namespace lockstep
