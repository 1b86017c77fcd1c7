// `lockstep test`: fixtures of rules, and repositories that carry expectations.
#include "cli/commands.h"
#include "cli/expectations.h"
#include <algorithm>
#include <filesystem>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

struct FixtureCase {
    std::string rule; // empty: a repository, all rules count
    std::string path;
};

bool is_folder(const fs::path& path) {
    std::error_code ignored;
    return fs::is_directory(path, ignored);
}

std::vector<fs::path> folders_in(const fs::path& path) {
    std::vector<fs::path> found;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(path, ignored))
        if (entry.is_directory(ignored)) found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

bool is_case_name(const std::string& name) {
    return name.starts_with("good") || name.starts_with("bad-");
}

// Folders `<rule-id>/good*` and `<rule-id>/bad-*` below `root`, sorted.
std::vector<FixtureCase> find_cases(const std::string& root, const RuleSet& rules) {
    std::vector<FixtureCase> cases;
    std::error_code ignored;
    for (fs::recursive_directory_iterator it(root, fs::directory_options::skip_permission_denied, ignored), end;
         it != end; it.increment(ignored)) {
        const std::string name = it->path().filename().string(), parent = it->path().parent_path().filename().string();
        if (!it->is_directory(ignored) || !is_case_name(name) || !rules.find(parent)) continue;
        cases.push_back({parent, it->path().string()});
        it.disable_recursion_pending();
    }
    std::sort(cases.begin(), cases.end(), [](const FixtureCase& a, const FixtureCase& b) { return a.path < b.path; });
    return cases;
}

// The folder that holds the `rules` and `fixtures` of a repository: DIR, DIR/.lockstep, or the one above DIR. Empty
// when DIR has none. A `rules` folder of packs is our own source, whose rules are in the binary.
fs::path own_home(const fs::path& dir) {
    const fs::path whole = fs::absolute(dir).lexically_normal();
    const fs::path named = whole.has_filename() ? whole : whole.parent_path();
    for (const auto& home : {named, named / own_folder, named.parent_path()}) {
        if (home == named.parent_path() && named.filename() != "fixtures") continue;
        if (is_folder(home / "rules") && !is_folder(home / "rules" / "core")) return home;
    }
    return {};
}

// A repository's own rules each need a good and a bad fixture, and its fixtures each a rule: a misspelt folder must not
// look like a passed test.
std::vector<std::string> gaps(const fs::path& home, const RuleSet& rules) {
    std::vector<std::string> found;
    for (const auto& rule : rules.rules) {
        if (rule.pack != "local") continue;
        bool good = false, bad = false;
        for (const auto& folder : folders_in(home / "fixtures" / rule.id)) {
            const std::string name = folder.filename().string();
            good = good || name.starts_with("good");
            bad = bad || name.starts_with("bad-");
            if (!is_case_name(name))
                found.push_back("fixtures/" + rule.id + "/" + name + " is neither good* nor bad-*, so nothing runs it");
        }
        if (!good) found.push_back("rule " + rule.id + " has no good fixture in fixtures/" + rule.id + "/");
        if (!bad) found.push_back("rule " + rule.id + " has no bad-* fixture in fixtures/" + rule.id + "/");
    }
    for (const auto& folder : folders_in(home / "fixtures"))
        if (!rules.find(folder.filename().string()))
            found.push_back("fixtures/" + folder.filename().string() + " is named after no rule");
    return found;
}

// A case that holds the folders `base` and `head` and nothing else is a change from one to the other.
bool is_two_trees(const fs::path& path) {
    std::error_code ignored;
    const auto entries = std::distance(fs::directory_iterator(path, ignored), fs::directory_iterator());
    return entries == 2 && is_folder(path / "base") && is_folder(path / "head");
}

// Nothing when all is as expected.
Result<std::vector<std::string>> run_case(const FixtureCase& one, LintRequest request) {
    request.path = one.path;
    if (is_two_trees(one.path)) {
        request.path += "/head";
        request.base = base_in(one.path + "/base", request.jobs);
    }
    auto run = lint(request);
    if (!run) return run.error();
    const auto expectations = find_expectations((*run)->tree, *(*run)->locator);
    auto problems = unmet(**run, expectations, one.rule);
    if (one.rule.empty()) return problems;
    const bool bad = fs::path(one.path).filename().string().starts_with("bad");
    const bool expects =
        std::any_of(expectations.begin(), expectations.end(), [&](const Expectation& e) { return e.rule == one.rule; });
    if (bad && !expects) problems.push_back("a bad case must hold `# expect: " + one.rule + "`");
    if (!bad && expects) problems.push_back("a good case expects nothing");
    for (const auto& outcome : (*run)->outcomes)
        if (outcome.rule->id == one.rule && !outcome.ran)
            problems.push_back("the rule did not run: " + outcome.why_not);
    return problems;
}

bool carries_expectations(const LintRequest& request) {
    auto run = lint(request);
    return run && !find_expectations((*run)->tree, *(*run)->locator).empty();
}

} // namespace

Result<Printed> run_test(const Options& options) {
    if (!is_folder(options.path))
        return Error{"there is no folder " + options.path, {}, {0, 0}, "give the folder that holds the fixtures"};
    LintRequest request = request_of(options);
    const fs::path home = own_home(options.path);
    if (!home.empty()) {
        // Fixtures are linted outside the repository: its rules and tables go with them.
        LintRequest around = request;
        around.path = home.filename() == own_folder ? home.parent_path().string() : home.string();
        auto config = load_config(around);
        if (!config) return config.error();
        request.tables = config->tables;
        request.rules.push_back((home / "rules").string());
    }
    auto rules = rules_in(request);
    if (!rules) return rules.error();

    std::vector<FixtureCase> cases = find_cases(options.path, *rules);
    const LintRequest as_repository = request_of(options);
    if ((cases.empty() || is_folder(options.path + "/" + std::string(own_folder))) &&
        carries_expectations(as_repository))
        cases.push_back({"", options.path});

    Printed printed;
    std::string out;
    std::size_t failed = 0;
    for (const auto& gap : home.empty() ? std::vector<std::string>() : gaps(home, *rules)) {
        ++failed;
        out += gap + "\n";
    }
    if (cases.empty() && failed == 0)
        return Error{"nothing to test in " + options.path,
                     {},
                     {0, 0},
                     "fixtures are in <rule-id>/good* and <rule-id>/bad-*; or a file says `# expect: rule-id`"};
    std::size_t passed = 0;
    for (const auto& one : cases) {
        auto problems = run_case(one, one.rule.empty() ? as_repository : request);
        if (!problems) return problems.error();
        if (problems->empty()) {
            ++passed;
            continue;
        }
        ++failed;
        out += one.path + "\n";
        for (const auto& problem : *problems)
            out += "  " + problem + "\n";
    }
    out += std::to_string(passed) + " passed, " + std::to_string(failed) + " failed\n";
    printed.out = PlainText::lines(out);
    printed.exit_code = failed ? 1 : 0;
    return printed;
}

} // namespace lockstep
