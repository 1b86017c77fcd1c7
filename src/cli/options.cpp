// The only file that knows CLI11.
#include "cli/options.h"
#include "cli/command_line.h"
#include "filter/suppress.h"
#include "report/formats.h"
#include "version.h"
#include <CLI/CLI.hpp>
#include <algorithm>

namespace lockstep {
namespace {

const std::vector<std::string> commands = {"check", "index", "rules",  "explain", "facts",
                                           "pins",  "why",   "graph",  "test",    "init",
                                           "diff",  "build", "charts", "man",     "completions"};

constexpr const char* examples = R"(Examples:
  lockstep                              lint the repository in this folder
  lockstep path/to/repo --stats         and say which rules found something to check
  lockstep --format json > report.json  for other programs
  lockstep --output json=report.json    text here, and a file for other programs
  lockstep --only flux-version-split    one rule alone
  lockstep explain flux-version-split   what the rule prevents, and the way out
  lockstep facts blueprint-chart-drift  what a rule saw, row by row
  lockstep pins                         which pins move together: to read before a bump
  lockstep why apps/web/release.yaml    which chains apply a file, in which clusters
  lockstep build --flux apps            what a Flux Kustomization applies
  lockstep build apps/web --places      what a kustomization gives, and where each line comes from
  lockstep charts                       which charts are at hand, and helm pull for the others
  lockstep graph | dot -Tsvg > g.svg    the repository as a drawing
  lockstep test .lockstep               run the fixtures of your own rules
  lockstep --base main --changed-only   what this branch has to do with
  lockstep --staged                     what git commit would commit, as a hook asks
  lockstep diff --base main             what this branch moves: to read before a review

Exit codes: 0 nothing at or above --fail-on, 1 findings, 2 the run could not be trusted.)";

// `lockstep`, `lockstep PATH` and `lockstep --format json` mean `lockstep check …`.
std::vector<std::string> with_command(int argc, const char* const* argv) {
    std::vector<std::string> words(argv + 1, argv + argc);
    const bool general = !words.empty() && (words[0] == "--version" || words[0] == "--help" || words[0] == "-h");
    const bool named = !words.empty() && std::find(commands.begin(), commands.end(), words[0]) != commands.end();
    if (!general && !named) words.insert(words.begin(), "check");
    return words;
}

void add_lint_options(CLI::App& app, Options& options) {
    app.add_option("path", options.path, "The repository's root")->type_name("FOLDER")->capture_default_str();
    app.add_option("--config", options.config, "Config file instead of PATH/.lockstep.yaml")->type_name("FILE");
    app.add_option("--rules", options.rules, "Folder with more rule files (may be given again)")
        ->type_name("FOLDER")
        ->allow_extra_args(false);
    app.add_option("--jobs,-j", options.jobs, "Threads; 0 takes all cores")
        ->type_name("N")
        ->capture_default_str()
        ->check(CLI::Range(0, 256));
    app.add_option("--timeout", options.timeout, "Seconds after which the run ends with exit code 2; 0: never")
        ->type_name("SECONDS")
        ->capture_default_str()
        ->check(CLI::Range(0, 1'000'000));
    app.add_option("--memory", options.memory, "Megabytes beyond which the run ends with exit code 2; 0: no limit")
        ->type_name("MEGABYTES")
        ->capture_default_str()
        ->check(CLI::Range(0, 1 << 24));
    app.add_option("--today", options.today, "The day that `until=` of suppressions is compared with (YYYY-MM-DD)")
        ->type_name("DATE");
}

std::string formats_page() {
    std::string page = "Formats:";
    for (const Format& format : report_formats()) {
        std::string name(format.name);
        name.resize(std::max<std::size_t>(name.size(), 12), ' ');
        page += "\n  " + name + " " + std::string(format.says);
    }
    return page;
}

void add_base_options(CLI::App& app, Options& options) {
    app.add_option("--base", options.base, "Compare with the commit where HEAD left this revision")->type_name("REV");
    app.add_flag("--base-exact", options.base_exact, "Compare with the revision of --base itself");
    app.add_flag("--staged", options.staged, "Take the index instead of the folder; the base is HEAD unless named");
    app.add_flag("--config-from-base", options.config_from_base,
                 "Config, rules and baseline as the tip of the base has them: a change cannot switch off its guard");
}

void add_format(CLI::App& app, Options& options, std::vector<std::string> formats) {
    app.add_option("--format", options.format, "Output format (text where none is named)")
        ->check(CLI::IsMember(std::move(formats)));
}

// `a`, `b` and `c` of `TEXT:{a,b,c}`, as CLI11 writes what a value is compared with.
std::vector<std::string> listed(const std::string& type) {
    const auto open = type.find('{'), close = type.rfind('}');
    if (open == std::string::npos || close == std::string::npos) return {};
    return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

std::vector<OptionPage> pages_of(const CLI::App& app) {
    std::vector<OptionPage> pages;
    for (const CLI::Option* option : app.get_options()) {
        OptionPage page;
        page.positional = option->get_positional();
        if (page.positional) page.names = {option->get_name()};
        for (const auto& name : option->get_snames())
            page.names.push_back("-" + name);
        for (const auto& name : option->get_lnames())
            page.names.push_back("--" + name);
        if (option->get_type_size() != 0) {
            const std::string type = option->get_type_name();
            page.values = listed(type);
            page.value = page.values.empty() ? type.substr(0, type.find(':')) : "WORD";
            if (page.value.starts_with("FORMAT")) page.values = format_names();
        }
        page.default_value = option->get_default_str();
        page.says = option->get_description();
        pages.push_back(std::move(page));
    }
    return pages;
}

CommandLine describe(const CLI::App& app) {
    CommandLine line{app.get_description(), LOCKSTEP_VERSION, pages_of(app), {}, {}, examples};
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        line.commands.push_back({command->get_name(), command->get_description(), pages_of(*command)});
    for (const Format& format : report_formats())
        line.formats.emplace_back(format.name, format.says);
    return line;
}

void add_chart_options(CLI::App& build, ChartBuild& chart) {
    // One value each: what follows may be the chart.
    const auto list = [&](const char* names, std::vector<std::string>& into, const char* says, const char* value) {
        return build.add_option(names, into, says)->type_name(value)->allow_extra_args(false)->group("Charts");
    };
    const auto word = [&](const char* names, std::string& into, const char* says, const char* value) {
        return build.add_option(names, into, says)->type_name(value)->group("Charts");
    };
    list("-f,--values", chart.values, "Values files, with commas or given again; later ones win", "FILE")
        ->delimiter(',');
    list("--set", chart.sets, "Values as a.b=c,d={1,2}", "VALUES");
    list("--set-string", chart.string_sets, "The same, all of them strings", "VALUES");
    word("--release", chart.release, "Name of the release", "NAME")->capture_default_str();
    word("-n,--namespace", chart.release_namespace, "Namespace of the release", "NAME")->capture_default_str();
    word("--kube-version", chart.kube_version, "Kubernetes version of the cluster", "VERSION");
    list("-a,--api-versions", chart.api_versions, "API versions that the cluster has, too", "GROUP/VERSION")
        ->delimiter(',');
    list("-s,--show-only", chart.show_only, "Only what this template gives", "TEMPLATE");
    build.add_flag("--include-crds", chart.include_crds, "With the files of crds/")->group("Charts");
}

} // namespace

Result<Options> parse_options(int argc, const char* const* argv) {
    Options options;
    std::string fail_on = "error";
    CLI::App app{"lockstep finds files of a GitOps repository that had to move together and did not.", "lockstep"};
    app.footer(examples);
    app.require_subcommand(0, 1);
    bool version = false;
    app.add_flag("--version", version, "Print the version");

    auto* check = app.add_subcommand("check", "Lint a repository (the default command)");
    add_lint_options(*check, options);
    check->add_option("--format", options.format, "Format of the report on stdout (text where none is named)")
        ->type_name("FORMAT");
    check
        ->add_option("--output", options.outputs,
                     "Write this report too, to stdout without a file (may be given again)")
        ->type_name("FORMAT[=FILE]")
        ->allow_extra_args(false);
    check
        ->add_option("--repo-root", options.repo_root,
                     "Folder that paths in reports for code hosts start from (the git repository around PATH)")
        ->type_name("FOLDER");
    check
        ->add_option("--sarif-category", options.sarif_category,
                     "Name of this analysis, where several are uploaded for one commit (automationDetails.id)")
        ->type_name("NAME");
    check->add_flag("--sarif-drop-suppressed", options.sarif_drop_suppressed,
                    "Leave suppressed findings out of SARIF: GitHub would show them as open alerts");
    check->add_flag("--stats", options.stats, "Say what was checked, rule by rule; time goes to stderr");
    check->add_flag("--notes", options.notes, "Show notes in text output too");
    check->add_option("--color", options.color, "Colours")
        ->capture_default_str()
        ->check(CLI::IsMember({"auto", "always", "never"}));
    check->add_option("--only", options.only, "Run these rules alone (comma-separated, may be given again)")
        ->type_name("RULE")
        ->delimiter(',')
        ->allow_extra_args(false); // what follows may be the path
    check->add_option("--skip", options.skip, "Leave these rules out")
        ->type_name("RULE")
        ->delimiter(',')
        ->allow_extra_args(false);
    check->add_option("--fail-on", fail_on, "Lowest severity that makes the exit code 1; off never does")
        ->capture_default_str()
        ->check(CLI::IsMember({"error", "warning", "note", "off"}));
    check->add_option("--baseline", options.baseline, "Leave out the findings whose keys this file holds")
        ->type_name("FILE");
    check->add_option("--write-baseline", options.write_baseline, "Write the keys of all findings to this file, exit 0")
        ->type_name("FILE")
        ->excludes("--output");
    add_base_options(*check, options);
    check->add_flag("--no-new-suppressions", options.no_new_suppressions,
                    "Fail where the change adds, moves or widens a suppression, or softens config, rules or baseline");
    check->add_flag("--changed-only", options.changed_only, "Report what the change has to do with, and count the rest")
        ->excludes("--write-baseline");
    check->footer(formats_page() + "\n\n" + examples);

    auto* index = app.add_subcommand("index", "Print what was understood of a repository");
    add_lint_options(*index, options);
    add_format(*index, options, {"text", "json"});

    auto* rules = app.add_subcommand("rules", "List the rules");
    add_lint_options(*rules, options);
    add_format(*rules, options, {"text", "markdown"});

    auto* explain = app.add_subcommand("explain", "Tell what a rule prevents, the way out, and an example");
    explain->add_option("rule", options.rule, "A rule's id")->type_name("RULE")->required();
    add_lint_options(*explain, options);

    auto* facts = app.add_subcommand("facts", "Print what a rule saw, row by row, with the verdict on each");
    facts->add_option("rule", options.rule, "A rule's id")->type_name("RULE")->required();
    add_lint_options(*facts, options);

    auto* pins = app.add_subcommand("pins", "List the pins that move together, group by group, with their places");
    add_lint_options(*pins, options);

    auto* why = app.add_subcommand("why", "Tell which chains apply what a file says, and with which namespace");
    why->add_option("file", options.file, "A file of the repository")->type_name("FILE")->required();
    why->add_flag("--all", options.all, "Every chain, however many");
    add_lint_options(*why, options);
    add_format(*why, options, {"text", "json"});

    auto* graph = app.add_subcommand("graph", "Draw Flux Kustomizations, releases, charts and what waits for what");
    add_lint_options(*graph, options);
    graph->add_option("--format", options.format, "Output format: dot, mermaid or json")
        ->check(CLI::IsMember({"dot", "mermaid", "json"}));
    graph->add_option("--focus", options.focus, "Only the node of this name, and all above and below it")
        ->type_name("NAME");

    auto* build =
        app.add_subcommand("build", "Print what a kustomization, a chart, a Flux Kustomization or a cluster gives");
    build
        ->add_option("path", options.path,
                     "A folder with a kustomization.yaml or a Chart.yaml, or a packed chart; with --flux or --cluster "
                     "the root of the repository")
        ->type_name("FOLDER")
        ->capture_default_str();
    add_format(*build, options, {"yaml", "json"});
    build->add_flag("--places", options.places, "Say of each line which file and line it comes from");
    build->add_option("-o,--into", options.into, "Write one file per object into this folder")->type_name("FOLDER");
    build->add_option("--flux", options.flux, "What this Flux Kustomization applies, after substitution and its edits")
        ->type_name("[NAMESPACE/]NAME");
    build->add_option("--cluster", options.cluster, "All that this cluster gets; with --flux: the one of this cluster")
        ->type_name("NAME");
    build->add_option("--reorder", options.reorder, "Order where the kustomization names none")
        ->capture_default_str()
        ->check(CLI::IsMember({"legacy", "none"}));
    build->add_option("--load-restrictor", options.load_restrictor, "Whether files above the folder may be read")
        ->capture_default_str()
        ->check(CLI::IsMember({"LoadRestrictionsRootOnly", "LoadRestrictionsNone"}));
    add_chart_options(*build, options.chart);

    auto* charts =
        app.add_subcommand("charts", "List the charts that releases and charts need, and how to pull others");
    add_lint_options(*charts, options);
    add_format(*charts, options, {"text", "json"});

    auto* test = app.add_subcommand("test", "Run fixtures: every `# expect: rule-id` is hit, and nothing else");
    add_lint_options(*test, options);

    auto* init = app.add_subcommand("init", "Write a commented .lockstep.yaml fitted to the repository");
    init->add_option("path", options.path, "The repository's root")->type_name("FOLDER")->capture_default_str();
    init->add_flag("--force", options.force, "Overwrite the file that is there");

    auto* diff = app.add_subcommand("diff", "Print what a change does to pins, sources, dependsOn and objects");
    add_lint_options(*diff, options);
    add_base_options(*diff, options);
    add_format(*diff, options, {"text", "markdown"});

    auto* man = app.add_subcommand("man", "Print the page for man(1)");
    auto* completion = app.add_subcommand("completions", "Print a script that completes the command line of a shell");
    std::string shell;
    completion->add_option("shell", shell, "The shell")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));

    auto words = with_command(argc, argv);
    std::reverse(words.begin(), words.end()); // CLI11 takes them from the back
    try {
        app.parse(words);
    } catch (const CLI::CallForHelp&) {
        options.command = Command::done;
        options.output = app.help();
        for (const auto* sub : app.get_subcommands())
            options.output = sub->help("lockstep");
        return options;
    } catch (const CLI::ParseError& error) {
        return Error{error.what(), {}, {0, 0}, "see lockstep --help"};
    }
    if (version) {
        options.command = Command::done;
        options.output = "lockstep " LOCKSTEP_VERSION "\n";
        return options;
    }
    if (app.got_subcommand(man) || app.got_subcommand(completion)) {
        options.command = Command::done;
        options.output = app.got_subcommand(man) ? man_page(describe(app)) : completions(describe(app), shell);
        return options;
    }
    if (app.got_subcommand(index)) options.command = Command::index;
    if (app.got_subcommand(rules)) options.command = Command::rules;
    if (app.got_subcommand(explain)) options.command = Command::explain;
    if (app.got_subcommand(facts)) options.command = Command::facts;
    if (app.got_subcommand(pins)) options.command = Command::pins;
    if (app.got_subcommand(why)) options.command = Command::why;
    if (app.got_subcommand(graph)) options.command = Command::graph;
    if (app.got_subcommand(test)) options.command = Command::test;
    if (app.got_subcommand(init)) options.command = Command::init;
    if (app.got_subcommand(diff)) options.command = Command::diff;
    if (app.got_subcommand(build)) options.command = Command::build;
    if (app.got_subcommand(charts)) options.command = Command::charts;
    // An empty variable of a CI must not turn a comparison into none.
    const bool asked = check->get_option("--base")->count() + diff->get_option("--base")->count() > 0;
    if (asked && options.base.empty())
        return Error{"--base needs a revision", {}, {0, 0}, "name a branch, a tag or a commit"};
    if (!options.today.empty() && !is_date(options.today))
        return Error{"--today " + options.today + " is not a date", {}, {0, 0}, "write it as 2026-12-31"};
    options.fail_on = *parse_severity(fail_on);
    return options;
}

} // namespace lockstep
