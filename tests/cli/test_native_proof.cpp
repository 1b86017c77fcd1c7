// The same gate for rules over models, native ones among them: other bytes where a finding points change what the rule
// says, and so does a field that is taken away from each fact it declares. A check that says the same whatever is there
// fails.
#include "fixture_trees.h"
#include <set>

using namespace lockstep;

namespace {

struct Said {
    std::vector<Finding> findings;       // of the rule
    std::set<std::string> all, verdicts; // what they say; every subject with its verdict
};

// A fixture, or the head of one with a base beside it.
struct Specimen {
    FixtureTree head;
    TreeReader base = {};

    Said judged(const std::string& rule, const Tree& tree) const {
        LintRequest request;
        request.jobs = 1;
        request.today = "2026-01-01";
        request.base = base;
        Said said;
        Config config = head.config;
        if (const auto own = tree.find(config_name)) {
            auto parsed = parse_config(std::string(config_name), tree.files[*own].text);
            if (!parsed) { // told as well
                said.all.insert(to_string(parsed.error()));
                return said;
            }
            config = *parsed;
        }
        auto run = lint_tree(tree, config, {}, request);
        if (!run) { // what cannot be read at all is told, too
            said.all.insert(to_string(run.error()));
            return said;
        }
        for (const Finding& finding : (*run)->unfolded)
            if (finding.rule == rule) {
                said.findings.push_back(finding);
                said.all.insert(finding.key + "\n" + finding.message + "\n" + std::string(to_string(finding.severity)) +
                                "\n" + std::to_string(finding.place.file) + ":" +
                                std::to_string(finding.place.span.begin));
            }
        for (const RuleOutcome& outcome : (*run)->outcomes)
            if (outcome.rule->id == rule)
                for (const Subject& subject : outcome.subjects)
                    said.verdicts.insert(subject.name + "\n" + std::string(to_string(subject.verdict)) + subject.why);
        return said;
    }
};

std::vector<Specimen> specimens_of(const std::string& rule, const std::string& prefix) {
    std::vector<Specimen> found;
    for (FixtureTree& one : fixtures_of(rule, prefix)) {
        Specimen specimen{std::move(one)};
        const std::string folder = source_root + "/fixtures/" + rule + "/" + specimen.head.name;
        if (std::filesystem::is_directory(folder + "/base") && std::filesystem::is_directory(folder + "/head")) {
            specimen.base = base_in(folder + "/base", 1);
            auto tree = walk(folder + "/head", {});
            REQUIRE(tree);
            for (auto& file : tree->files)
                read_file(*tree, file);
            tree->root.clear();
            specimen.head.tree = std::move(*tree);
            if (const auto own = specimen.head.tree.find(config_name)) {
                auto parsed = parse_config(std::string(config_name), specimen.head.tree.files[*own].text);
                REQUIRE(parsed);
                specimen.head.config = *parsed;
            }
        }
        found.push_back(std::move(specimen));
    }
    return found;
}

// Other bytes at a place; where it is no bytes but the file itself, the file is gone.
std::vector<Tree> mutants(const Tree& tree, Place place) {
    std::vector<Tree> made;
    const Span span = place.span;
    if (span.begin == span.end) {
        made.push_back(tree);
        made.back().files.erase(made.back().files.begin() + place.file);
        return made;
    }
    for (const char* bytes : {"", "planted-fault", "99.98.97", "# gone "}) {
        Tree other = tree;
        std::string& text = other.files[place.file].text;
        text.replace(span.begin, span.end - span.begin, bytes);
        made.push_back(std::move(other));
    }
    return made;
}

bool follows_its_place(const std::string& rule, const Specimen& specimen) {
    const Said before = specimen.judged(rule, specimen.head.tree);
    for (const Finding& finding : before.findings) {
        std::vector<Place> places = {finding.place};
        for (const Related& other : finding.related)
            places.push_back(other.place);
        bool follows = false;
        for (std::size_t i = 0; i < places.size() && !follows; ++i)
            if (places[i].file < specimen.head.tree.files.size())
                for (const Tree& mutant : mutants(specimen.head.tree, places[i]))
                    if ((follows = specimen.judged(rule, mutant).all != before.all)) break;
        if (!follows) return false;
    }
    return true;
}

// In any of its fixtures: a field of a fact that the tree gives is blanked, and what is said or decided changes.
enum class Field { idle, decides, never_there };

Field field_decides(const std::string& rule, std::size_t fact, std::size_t column,
                    const std::vector<Specimen>& specimens) {
    Field found = Field::never_there;
    for (const Specimen& one : specimens) {
        auto run = run_tree(one.head.tree, one.head.config);
        const Said before = one.judged(rule, one.head.tree);
        for (const Row& row : table_of(*run, number_of(*run, rule), fact).rows) {
            const Cell& cell = row.cells[column];
            if (cell.state != State::known || cell.place.file >= one.head.tree.files.size()) continue;
            found = Field::idle;
            Tree blanked = one.head.tree;
            std::string& text = blanked.files[cell.place.file].text;
            for (std::uint32_t i = cell.place.span.begin; i < cell.place.span.end; ++i)
                text[i] = ' ';
            const Said after = one.judged(rule, blanked);
            if (after.all != before.all || after.verdicts != before.verdicts) return Field::decides;
        }
    }
    return found;
}

} // namespace

TEST_CASE(
    "for every native rule: a required field taken away from a fact of the tree changes what it says or decides") {
    std::size_t fields = 0;
    for (const auto& rule : shipped_rules()) {
        if (rule.declarative() || rule.facts.empty()) continue;
        std::vector<Specimen> all = specimens_of(rule.id, "bad");
        for (Specimen& one : specimens_of(rule.id, "good"))
            all.push_back(std::move(one));
        for (std::size_t fact = 0; fact < rule.facts.size(); ++fact) {
            const FactSpec& spec = rule.facts[fact];
            for (std::size_t column = 0; column < spec.columns.size(); ++column) {
                const std::string& name = spec.columns[column];
                const bool required = std::any_of(spec.fields.begin(), spec.fields.end(), [&](const auto& field) {
                    return field.name == name && !field.optional;
                });
                if (!required) continue;
                const Field is = field_decides(rule.id, fact, column, all);
                CHECK_MESSAGE(is != Field::idle, rule.id << ": " << spec.name << "." << name);
                fields += is == Field::decides;
            }
        }
    }
    MESSAGE(fields << " fields");
    CHECK(fields > 0);
}

// What such a rule sees comes from a model, and not from a path in a file.
static bool sees_a_model(const Rule& rule) {
    return !rule.declarative() || std::any_of(rule.facts.begin(), rule.facts.end(), [](const FactSpec& fact) {
        return fact.source == FactSpec::Source::relation;
    });
}

TEST_CASE("for every rule over a model: other bytes where a finding points change what it says") {
    std::size_t proven = 0;
    for (const auto& rule : shipped_rules()) {
        if (!sees_a_model(rule)) continue;
        const auto bad = specimens_of(rule.id, "bad");
        CHECK_MESSAGE(!bad.empty(), rule.id << " has no bad fixture");
        std::string still;
        for (const Specimen& one : bad)
            if (!follows_its_place(rule.id, one)) still += " " + one.head.name;
        CHECK_MESSAGE(still.empty(), rule.id << ": nothing follows" << still);
        proven += still.empty();
    }
    MESSAGE(proven << " rules");
    CHECK(proven > 20);
}
