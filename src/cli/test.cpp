// `lockstep test`: fixtures of rules, and repositories that carry expectations.
#include "cli/commands.h"
#include "cli/expectations.h"
#include <algorithm>
#include <filesystem>
#include <set>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

struct FixtureCase {
    std::string rule; // empty: a repository, all rules count
    std::string path;
};

// Folders `<rule-id>/good*` and `<rule-id>/bad-*` below `root`, sorted.
std::vector<FixtureCase> find_cases(const std::string& root, const RuleSet& rules) {
    std::vector<FixtureCase> cases;
    std::error_code ignored;
    for (fs::recursive_directory_iterator it(root, fs::directory_options::skip_permission_denied, ignored), end;
         it != end; it.increment(ignored)) {
        if (!it->is_directory(ignored)) continue;
        const std::string name = it->path().filename().string(), parent = it->path().parent_path().filename().string();
        const bool is_case = name.starts_with("good") || name.starts_with("bad-");
        if (is_case && rules.find(parent)) {
            cases.push_back({parent, it->path().string()});
            it.disable_recursion_pending();
        }
    }
    std::sort(cases.begin(), cases.end(), [](const FixtureCase& a, const FixtureCase& b) { return a.path < b.path; });
    return cases;
}

// Rules of the folder under test: `DIR/rules` or `DIR/.lockstep/rules`; a case is linted outside the repository that
// holds them.
std::vector<std::string> rule_folders(const Options& options) {
    std::vector<std::string> folders = options.rules;
    for (const char* name : {"/rules", "/.lockstep/rules"}) {
        std::error_code ignored;
        const std::string folder = options.path + name;
        // A folder of packs is our own source tree, whose rules are in the binary already.
        if (fs::is_directory(folder, ignored) && !fs::is_directory(folder + "/core", ignored))
            folders.push_back(folder);
    }
    return folders;
}

// Nothing when all is as expected.
Result<std::vector<std::string>> run_case(const FixtureCase& one, LintRequest request) {
    request.path = one.path;
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

bool carries_expectations(const std::string& path, const LintRequest& base) {
    LintRequest request = base;
    request.path = path;
    auto run = lint(request);
    return run && !find_expectations((*run)->tree, *(*run)->locator).empty();
}

} // namespace

Result<Printed> run_test(const Options& options) {
    LintRequest request = request_of(options);
    request.rules = rule_folders(options);
    auto rules = rules_in(request.rules);
    if (!rules) return rules.error();
    if (!fs::is_directory(options.path))
        return Error{"there is no folder " + options.path, {}, {0, 0}, "give the folder that holds the fixtures"};

    std::vector<FixtureCase> cases = find_cases(options.path, *rules);
    const std::size_t fixtures = cases.size();
    LintRequest as_repository = request_of(options);
    if (carries_expectations(options.path, as_repository) && (fixtures == 0 || fs::exists(options.path + "/.lockstep")))
        cases.push_back({"", options.path});
    if (cases.empty())
        return Error{"nothing to test in " + options.path,
                     {},
                     {0, 0},
                     "fixtures stand in <rule-id>/good* and <rule-id>/bad-*; or a file says `# expect: rule-id`"};

    Printed printed;
    std::size_t failed = 0;
    for (const auto& one : cases) {
        auto problems = run_case(one, one.rule.empty() ? as_repository : request);
        if (!problems) return problems.error();
        if (problems->empty()) continue;
        ++failed;
        printed.out += one.path + "\n";
        for (const auto& problem : *problems)
            printed.out += "  " + problem + "\n";
    }
    printed.out += std::to_string(cases.size() - failed) + " passed, " + std::to_string(failed) + " failed\n";
    printed.exit_code = failed ? 1 : 0;
    return printed;
}

} // namespace lockstep
