// Takes a run from its request to its findings.
#include "cli/lint.h"
#include "checks/checks.h"
#include "config/entry_position.h"
#include "deploy/fleet.h"
#include "deploy/rendered_chart.h"
#include "deploy/unseen_files.h"
#include "filter/baseline.h"
#include "filter/fold.h"
#include "filter/former_ids.h"
#include "index/links.h"
#include "rules/unknown_kinds.h"
#include "version.h"
#include <algorithm>
#include <ctime>
#include <iterator>
#include <map>
#include <thread>

namespace lockstep {
namespace {

constexpr unsigned most_looks = 100;
constexpr std::size_t most_report_text = 64U << 20U; // SECURITY.md names it

std::vector<CheckSignature> signatures() {
    std::vector<CheckSignature> all;
    for (const auto& check : native_checks())
        all.push_back(signature_of(check));
    return all;
}

std::optional<Error> add_rule_files(const LintRequest& request, const std::string& folder, const std::string& shown_as,
                                    bool named, std::vector<RuleFile>& files) {
    auto found = request.own.rules(folder, shown_as, named);
    if (!found) return found.error();
    std::move(found->begin(), found->end(), std::back_inserter(files));
    return std::nullopt;
}

Result<std::vector<RuleFile>> extra_rule_files(const LintRequest& request) {
    std::vector<RuleFile> files;
    const std::string own = std::string(own_folder) + "/rules";
    if (auto error = add_rule_files(request, request.path + "/" + own, own, false, files)) return *error;
    for (const auto& folder : request.rules)
        if (auto error = add_rule_files(request, folder, folder, true, files)) return *error;
    return files;
}

Result<Tree> list_tree(const std::string& path, unsigned jobs, const Config& config) {
    auto tree = walk(path, walk_options_of(config, jobs));
    if (tree) list_skipped(*tree);
    return tree;
}

std::optional<Error> findings_beyond_limit(const std::vector<RuleOutcome>& outcomes) {
    for (const RuleOutcome& outcome : outcomes)
        if (outcome.too_many)
            return Error{"rule " + outcome.rule->id + " has more than " + std::to_string(outcome.most_findings) +
                             " findings",
                         {},
                         {0, 0},
                         "`limits: findings` in .lockstep.yaml raises that, `severity:` takes the rule away"};
    return std::nullopt;
}

// Long messages and paths, many times over: more text than the files have, in every report.
std::optional<Error> text_beyond_limit(const std::vector<RuleOutcome>& outcomes, const Tree& tree) {
    std::size_t size = 0;
    const auto path_size = [&](const Place& place) {
        return place.file < tree.files.size() ? tree.files[place.file].path.size() : 0;
    };
    for (const RuleOutcome& outcome : outcomes)
        for (const Finding& finding : outcome.findings) {
            size += finding.message.size() + finding.key.size() + path_size(finding.place);
            for (const Related& other : finding.related)
                size += other.message.size() + path_size(other.place);
        }
    if (size <= most_report_text) return std::nullopt;
    return Error{"the findings have more than " + std::to_string(most_report_text >> 20U) + " MiB of text",
                 {},
                 {0, 0},
                 "`severity:` in .lockstep.yaml takes a rule away, `exclude:` leaves folders out"};
}

} // namespace

std::optional<Error> size_beyond_limit(const ReadResult& read, const Config& config, const std::string& shown) {
    if (!read.over_total_size) return std::nullopt;
    return Error{"the files to be read have more than " + std::to_string(config.limits.total_size) + " bytes",
                 shown,
                 {0, 0},
                 "`limits: total-size` in .lockstep.yaml raises that, `exclude:` leaves folders out"};
}

unsigned job_count(unsigned asked) {
    return asked ? asked : std::max(1U, std::thread::hardware_concurrency());
}

std::string today_of(const LintRequest& request) {
    if (!request.today.empty()) return request.today;
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    char text[11];
    std::strftime(text, sizeof text, "%Y-%m-%d", &utc);
    return text;
}

WalkOptions walk_options_of(const Config& config, unsigned jobs) {
    WalkOptions options;
    options.exclude = config.exclude;
    options.exclude.push_back(std::string(own_folder) + "/**");
    options.brought_in = config.brought_in;
    options.max_file_size = config.limits.file_size;
    options.max_files = config.limits.files;
    options.archive = {config.limits.archive_members, config.limits.archive_size};
    options.jobs = job_count(jobs);
    return options;
}

void mark_manifests(Tree& tree, const Config& config) {
    for (const std::string& path : config.manifests)
        if (const auto file = tree.find(path)) tree.files[*file].manifest = true;
}

namespace {

// A folder under `applied:` that is not there would leave what it holds unjudged, without a word. What only another
// revision of the config names may be gone by now.
std::optional<Error> applied_folder_gone(const LintRun& run, const LintRequest& request) {
    for (const std::string& folder : run.config.applied) {
        const std::string path = clamp_path(folder);
        if (run.tree.has_directory(path) || run.tree.is_unlisted(path)) continue;
        std::string text;
        if (const auto here = run.tree.find(run.config.path); here && request.config.empty())
            text = run.tree.files[*here].text;
        else if (const auto read = request.own.file(run.config.path); read && *read)
            text = **read;
        if (const auto at = entry_position(text, "applied", folder))
            return Error{"there is no folder `" + folder + "` in this repository", run.config.path, *at,
                         "`applied:` names folders, relative to the root, that another repository applies"};
    }
    return std::nullopt;
}

Result<std::unique_ptr<LintRun>> read_tree(Tree tree, Config config, const std::vector<RuleFile>& rule_files,
                                           const LintRequest& request) {
    auto run = std::make_unique<LintRun>();
    run->config = std::move(config);
    run->tree = std::move(tree);
    mark_manifests(run->tree, run->config);

    auto rules = load_rules(rule_files, signatures(), run->config, run->tree.find(run->config.path).value_or(no_file));
    if (!rules) return rules.error();
    run->rules = std::move(*rules);
    run->plan = std::make_unique<FactPlan>(run->rules.rules);

    run->read = read_repository(run->tree, run->config, run->rules, *run->plan, job_count(request.jobs));
    fill_applied_tables(run->rules, *run->plan, run->read);
    settle_packs(run->rules, run->read.repository, run->config);
    if (auto lost = lost_file(run->tree)) return *lost;
    if (auto error = applied_folder_gone(*run, request)) return *error;
    if (auto error = size_beyond_limit(run->read, run->config, request.path)) return *error;
    run->locator = std::make_unique<Locator>(run->tree);
    return run;
}

// Takes what something applies, and the first look passed over, into the config for the next one.
bool add_unseen(const LintRun& run, Config& config) {
    const Repository& repository = run.read.repository;
    const BroughtIn more = brought_in(repository);
    const auto add = [](std::vector<std::string>& to, const std::vector<std::string>& from) {
        to.insert(to.end(), from.begin(), from.end());
        std::sort(to.begin(), to.end());
    };
    add(config.brought_in, more.excluded);
    add(config.manifests, more.manifests);
    return !more.empty();
}

std::optional<Error> unread_beyond_doubt(const LintRun& run) {
    const auto file = unread_and_applied(run.read.repository);
    if (!file) return std::nullopt;
    return Error{"is applied, but was not read: " + run.tree.files[*file].why,
                 run.tree.files[*file].path,
                 {0, 0},
                 "nobody knows what it would bring to the cluster; make it readable, or no longer apply it"};
}

Result<std::unique_ptr<LintRun>> judged(std::unique_ptr<LintRun> run, const LintRequest& request) {
    const auto suppressions = find_suppressions(run->tree, *run->locator, job_count(request.jobs));
    if (request.base)
        if (auto error = read_base(request, *run, judges_base(request, suppressions))) return *error;
    run->outcomes = judge(run->rules, *run->plan, run->read, run->config, request.selection, native_checks(),
                          run->base_read ? &run->base_read->repository : nullptr, job_count(request.jobs));
    run->warnings = unknown_kinds(run->rules, run->read.repository.index);
    if (auto error = findings_beyond_limit(run->outcomes)) return *error;
    if (auto error = text_beyond_limit(run->outcomes, run->tree)) return *error;
    if (auto error = fleet_beyond_limit(run->read.repository)) return *error;
    if (auto error = unread_beyond_doubt(*run)) return *error;
    if (run->base_read)
        if (auto error = fleet_beyond_limit(run->base_read->repository)) return *error;
    Filtered filtered =
        suppress(run->outcomes, run->rules, run->config, suppressions, *run->locator, today_of(request));
    run->suppressed = std::move(filtered.suppressed);
    Baseline known(request.baseline, LOCKSTEP_VERSION);
    for (auto& finding : filtered.findings) {
        if (known.covers(finding, run->rules))
            run->suppressed.push_back({std::move(finding), "in the baseline", SuppressedFinding::By::baseline});
        else
            run->unfolded.push_back(std::move(finding));
    }
    report_former_ids(former_ids_in(run->config, suppressions, known.former_ids(), run->rules, run->tree),
                      run->outcomes, run->rules, run->config, run->unfolded);
    if (auto error = hold_against_base(request, *run, suppressions)) return *error;
    run->findings = fold(run->unfolded);
    return run;
}

} // namespace

TreeReader base_in(const std::string& folder, unsigned jobs) {
    return [folder, jobs](const Config& config) { return list_tree(folder, jobs, config); };
}

Result<Config> load_config(const LintRequest& request) {
    const bool named = !request.config.empty();
    const std::string shown = named ? request.config : std::string(config_name);
    auto text = request.own.file(named ? request.config : request.path + "/" + shown);
    if (!text) return text.error();
    if (!*text && named) return Error{"there is no such config file", shown, {0, 0}, {}};
    auto config = *text ? parse_config(shown, **text) : Result<Config>(Config{});
    if (config) config->tables.insert(request.tables.begin(), request.tables.end());
    return config;
}

Result<RuleSet> rules_of(const LintRequest& request) {
    auto config = load_config(request);
    if (!config) return config.error();
    auto files = extra_rule_files(request);
    if (!files) return files.error();
    return load_rules(*files, signatures(), *config, no_file);
}

Result<RuleSet> rules_in(const LintRequest& request) {
    Config config;
    config.tables = request.tables;
    std::vector<RuleFile> files;
    for (const auto& folder : request.rules)
        if (auto error = add_rule_files(request, folder, folder, true, files)) return *error;
    return load_rules(files, signatures(), config, no_file);
}

Result<std::unique_ptr<LintRun>> read_only(const LintRequest& request) {
    if (auto error = no_folder(request.path)) return *error; // what is wrong with the root comes first
    auto config = load_config(request);
    if (!config) return config.error();
    auto files = extra_rule_files(request);
    // What is brought in may bring in more.
    for (unsigned looks = 0; looks < most_looks; ++looks) {
        auto tree = request.head ? request.head(*config) : list_tree(request.path, request.jobs, *config);
        if (!tree) return tree.error();
        if (!files) return files.error();
        auto run = read_tree(std::move(*tree), *config, *files, request);
        if (!run || !add_unseen(**run, *config)) return run;
    }
    return Error{"more than " + std::to_string(most_looks) + " excluded folders lead from one to the next",
                 request.path,
                 {0, 0},
                 "take them out of `exclude:` in .lockstep.yaml"};
}

Result<std::unique_ptr<LintRun>> lint(const LintRequest& request) {
    auto run = read_only(request);
    if (!run) return run.error();
    return judged(std::move(*run), request);
}

Result<std::unique_ptr<LintRun>> lint_tree(Tree tree, Config config, const std::vector<RuleFile>& rule_files,
                                           const LintRequest& request) {
    auto run = read_tree(std::move(tree), std::move(config), rule_files, request);
    if (!run) return run.error();
    if (Config more = (*run)->config; add_unseen(**run, more)) {
        Tree again = std::move((*run)->tree);
        run = read_tree(std::move(again), std::move(more), rule_files, request);
        if (!run) return run.error();
    }
    return judged(std::move(*run), request);
}

namespace {

// Who has the same reason: the first of them, and how many.
class Reasons {
public:
    void add(const std::string& reason, const std::string& who) {
        ++all_.emplace(reason, std::pair(who, 0U)).first->second.second;
    }
    void add_missing(const RenderedChart& chart, const std::string& who) {
        for (const DependencyOutcome& missing : chart.missing)
            add(words_for_missing(missing), who);
    }
    void put(std::vector<std::string>& into, const std::string& besides = {}) const {
        for (const auto& [reason, who] : all_)
            into.push_back(who.first + (who.second > 1 ? " and " + std::to_string(who.second - 1) + " more" : "") +
                           besides + ": " + reason);
    }

private:
    std::map<std::string, std::pair<std::string, std::size_t>> all_;
};

// Masked templates are judged in place of what is not rendered: whoever reads the report must know.
void take_releases(const Fleet& fleet, RunStats& stats) {
    Reasons not_rendered, incomplete;
    for (const ReleaseRow& row : fleet.releases) {
        const Instance& one = fleet.instances[row.maker];
        const std::string name =
            (one.id().ns.empty() ? "" : std::string(one.id().ns) + "/") + std::string(one.id().name);
        if (!row.why_not.empty()) {
            not_rendered.add(row.why_not, name);
            continue;
        }
        ++stats.releases_rendered;
        if (row.rendered) incomplete.add_missing(*row.rendered, name);
    }
    not_rendered.put(stats.charts_not_rendered);
    incomplete.put(stats.charts_incomplete);
}

void take_charts(const Index& index, const Fleet& fleet, RunStats& stats) {
    Reasons not_rendered, incomplete;
    for (EntityId id = 0; id < fleet.unreleased.size(); ++id) {
        const UnreleasedChart& chart = fleet.unreleased[id];
        if (!chart.rendered) continue;
        const std::string& dir = index.charts[id].dir;
        const std::string name = "chart " + (dir.empty() ? "." : dir);
        if (!chart.why_not.empty()) {
            not_rendered.add(chart.why_not, name);
            continue;
        }
        ++stats.charts_rendered;
        incomplete.add_missing(*chart.rendered, name);
    }
    not_rendered.put(stats.charts_not_rendered, " with its own values");
    incomplete.put(stats.charts_incomplete);
}

// Of kustomizations.
void take_inflated_charts(const Fleet& fleet, RunStats& stats) {
    Reasons not_rendered;
    for (const Root& root : fleet.roots)
        if (!root.is_rendered())
            for (const Gap& gap : root.gaps)
                if (gap.why == Gap::Why::chart) not_rendered.add(gap.reason, "kustomization " + root.dir);
    not_rendered.put(stats.charts_not_rendered);
}

void take_fleet(const Index& index, const Fleet& fleet, RunStats& stats) {
    stats.argo_names = fleet.argo_names;
    for (const Root& root : fleet.roots)
        if (root.certainty == Certainty::proven) {
            stats.kustomizations_taken_as_applied += root.by == Root::By::alone ? 1 : 0;
            stats.charts_taken_as_applied += root.by == Root::By::chart ? 1 : 0;
        }
    take_releases(fleet, stats);
    take_charts(index, fleet, stats);
    take_inflated_charts(fleet, stats);
}

} // namespace

RunStats LintRun::stats(bool all) const {
    RunStats stats;
    stats.files = tree.files.size();
    for (const auto& file : tree.files) {
        stats.read += file.state == FileState::read ? 1 : 0;
        stats.binary += file.state == FileState::binary ? 1 : 0;
        stats.bytes += file.text.size();
    }
    stats.documents = read.repository.documents;
    stats.templates_total = read.repository.templates_total;
    stats.templates_read = read.repository.templates_read;
    stats.suppressed = suppressed.size();
    if (all || read.repository.on_demand->fleet) take_fleet(read.repository.index, fleet_of(read.repository), stats);
    for (const auto& outcome : outcomes) {
        if (outcome.why_not == "not among --only") continue;
        RunStats::RuleStats rule;
        rule.id = outcome.rule->id;
        rule.passed = outcome.count(Verdict::pass);
        rule.failed = outcome.count(Verdict::fail);
        rule.undecided = outcome.count(Verdict::undecided);
        rule.lost = outcome.count(Verdict::lost);
        rule.applied = outcome.applied();
        rule.ran = outcome.ran;
        rule.why_not = outcome.ran ? (rule.applied ? "" : "nothing to check") : outcome.why_not;
        stats.undecided += rule.undecided;
        if (!stats.rules.empty() && stats.rules.back().id == rule.id) { // one pin group is several comparisons
            auto& same = stats.rules.back();
            same.passed += rule.passed;
            same.failed += rule.failed;
            same.undecided += rule.undecided;
            same.lost += rule.lost;
            same.applied = same.applied || rule.applied;
            same.ran = same.ran || rule.ran;
            if (same.applied) same.why_not.clear();
        } else {
            stats.rules.push_back(std::move(rule));
        }
    }
    for (const auto& [tool, count] : read.repository.index.foreign_counts)
        stats.not_understood.push_back(tool + ": " + std::to_string(count));
    return stats;
}

} // namespace lockstep
