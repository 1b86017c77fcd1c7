// The gate's own test, for every declarative rule by construction: a fault planted in a good fixture is found, and a
// field taken away is reported as lost. A rule for which no fault can be planted fails.
#include "fixture_trees.h"
#include <set>

using namespace lockstep;

namespace {

constexpr std::string_view lost_words = "cannot check it";

Tree with_bytes(const Tree& tree, Place place, const std::string& bytes) {
    Tree changed = tree;
    changed.files[place.file].text.replace(place.span.begin, place.span.end - place.span.begin, bytes);
    return changed;
}

// Another value of the same shape where the rule looks.
bool finds_mutated_value(const Rule& rule, const Case& one, const FixtureTree& good) {
    auto run = run_tree(good.tree, good.config);
    if (reports(*run, rule.id)) return false;
    const std::size_t number = number_of(*run, rule.id);
    const Anchor& at = one.at ? *one.at : rule.at;
    if (!at.column) return false;
    for (const auto& row : table_of(*run, number, at.fact).rows) {
        const Cell& cell = row.cells[*at.column];
        if (cell.state != State::known || cell.place.file == no_file) continue;
        for (const char* fault : {"99.98.97", "0.0.1", "planted-fault", "\"\"", "https://planted.example/fault"})
            if (reports(*run_tree(with_bytes(good.tree, cell.place, fault), good.config), rule.id)) return true;
    }
    return false;
}

// The files of a bad fixture laid over the good one.
bool finds_bad_row(const Rule& rule, const FixtureTree& good) {
    for (const auto& bad : fixtures_of(rule.id, "bad")) {
        Tree both = good.tree;
        for (const auto& file : bad.tree.files) {
            if (const auto there = both.find(file.path))
                both.files[*there] = file;
            else
                both.files.push_back(file);
        }
        std::sort(both.files.begin(), both.files.end(), [](const File& a, const File& b) { return a.path < b.path; });
        if (reports(*run_tree(both, bad.config), rule.id)) return true;
    }
    return false;
}

// A partner taken away: its line where it is text, its file where it is a document.
bool finds_removed_partner(const Rule& rule, std::size_t partner, const FixtureTree& good) {
    auto run = run_tree(good.tree, good.config);
    const FactSpec& fact = rule.facts[partner];
    for (const auto& row : table_of(*run, number_of(*run, rule.id), partner).rows) {
        if (row.anchor.file == no_file) continue;
        Tree without = good.tree;
        File& file = without.files[row.anchor.file];
        if (fact.source == FactSpec::Source::text || fact.source == FactSpec::Source::comment)
            file.text.replace(row.anchor.span.begin, row.anchor.span.end - row.anchor.span.begin, "");
        else
            without.files.erase(without.files.begin() + row.anchor.file);
        if (reports(*run_tree(without, good.config), rule.id)) return true;
    }
    return false;
}

bool finds_doubled_row(const Rule& rule, const FixtureTree& good) {
    auto run = run_tree(good.tree, good.config);
    for (const auto& row : table_of(*run, number_of(*run, rule.id), rule.subject).rows) {
        if (row.anchor.file == no_file) continue;
        Tree doubled = good.tree;
        File copy = doubled.files[row.anchor.file];
        copy.path += ".copy.yaml";
        doubled.files.insert(doubled.files.begin() + row.anchor.file + 1, copy);
        if (reports(*run_tree(doubled, good.config), rule.id)) return true;
    }
    return false;
}

bool finds_planted_fault(const Rule& rule, const Case& one, const FixtureTree& good) {
    switch (one.verb) {
    case Case::Verb::assert_all:
        return finds_mutated_value(rule, one, good);
    case Case::Verb::forbid_all:
    case Case::Verb::forbid_row:
        return finds_bad_row(rule, good);
    case Case::Verb::require_row:
        return finds_removed_partner(rule, *one.partner, good);
    }
    return false;
}

// A required field of the fact is blanked in a good fixture.
bool finds_blanked_field(const Rule& rule, std::size_t fact, std::size_t column) {
    for (const auto& good : fixtures_of(rule.id, "good")) {
        auto run = run_tree(good.tree, good.config);
        for (const auto& row : table_of(*run, number_of(*run, rule.id), fact).rows) {
            const Cell& cell = row.cells[column];
            if (cell.state != State::known || cell.place.file == no_file) continue;
            const std::string blanks(cell.place.span.end - cell.place.span.begin, ' ');
            if (reports(*run_tree(with_bytes(good.tree, cell.place, blanks), good.config), rule.id, lost_words))
                return true;
        }
    }
    return false;
}

} // namespace

TEST_CASE("a fault planted in a good fixture is found, for every declarative rule") {
    std::size_t planted = 0;
    for (const auto& rule : shipped_rules()) {
        if (!rule.declarative()) continue;
        INFO("rule " << rule.id);
        const auto goods = fixtures_of(rule.id, "good");
        auto any_good = [&](auto finds) { return std::any_of(goods.begin(), goods.end(), finds); };
        if (!rule.unique.empty())
            CHECK(any_good([&](const FixtureTree& good) { return finds_doubled_row(rule, good); }));
        for (std::size_t i = 0; i < rule.cases.size(); ++i)
            CHECK_MESSAGE(
                any_good([&](const FixtureTree& good) { return finds_planted_fault(rule, rule.cases[i], good); }),
                "no fault could be planted for case " << i);
        ++planted;
    }
    CHECK(planted > 0);
}

TEST_CASE("a field taken away is reported as lost, for every required field of every declarative rule") {
    std::size_t blanked = 0;
    for (const auto& rule : shipped_rules()) {
        if (!rule.declarative()) continue;
        for (std::size_t fact = 0; fact < rule.facts.size(); ++fact) {
            const FactSpec& spec = rule.facts[fact];
            std::set<std::size_t> decides; // fields that decide whether there is a row at all
            for (const auto& where : spec.where)
                decides.insert(where.left.column);
            const bool checked =
                fact == rule.subject ||
                std::any_of(rule.joins.begin(), rule.joins.end(), [&](const Join& join) { return join.fact == fact; });
            if (!checked) continue;
            std::vector<std::size_t> columns;
            for (std::size_t i = 0; i < spec.fields.size(); ++i)
                if (!spec.fields[i].optional && !spec.fields[i].otherwise && !decides.contains(i)) columns.push_back(i);
            if (spec.anchor)
                for (std::size_t i = 0; i < spec.value->names().size(); ++i)
                    columns.push_back(i);
            for (auto column : columns) {
                CHECK_MESSAGE(finds_blanked_field(rule, fact, column),
                              rule.id << ": " << spec.name << "." << spec.columns[column]);
                ++blanked;
            }
        }
    }
    CHECK(blanked > 0);
}
