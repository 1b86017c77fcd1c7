// Opens the repository around the linted folder and hands its trees to the run.
#include "cli/change.h"
#include "filter/baseline.h"
#include "filter/softening.h"
#include "version.h"
#include <algorithm>

namespace lockstep {
namespace {

// Whether the change touches what steers the run. Then it is not the changed lines alone that bring findings.
Result<bool> steering_differs(const Options& options, const OwnFiles& head, const OwnFiles& base) {
    std::vector<std::string> files = {options.config.empty() ? options.path + "/" + std::string(config_name)
                                                             : options.config};
    if (!options.baseline.empty()) files.push_back(options.baseline);
    for (const std::string& path : files) {
        auto now = head.file(path), before = base.file(path);
        if (!now || !before) return now ? before.error() : now.error();
        if (*now != *before) return true;
    }
    std::vector<std::pair<std::string, bool>> folders = {
        {options.path + "/" + std::string(own_folder) + "/rules", false}};
    for (const std::string& folder : options.rules)
        folders.emplace_back(folder, false);
    for (const auto& [folder, named] : folders) {
        auto now = head.rules(folder, folder, named), before = base.rules(folder, folder, named);
        if (!now || !before) return now ? before.error() : now.error();
        const auto same = [](const RuleFile& a, const RuleFile& b) { return a.path == b.path && a.text == b.text; };
        if (!std::equal(now->begin(), now->end(), before->begin(), before->end(), same)) return true;
    }
    return false;
}

// What the change does to its own guard. A config of the head that is no good is one line more and no error: the base
// may be what steers the run.
Result<std::vector<std::string>> softened_by(const Options& options, const OwnFiles& head, const OwnFiles& base) {
    std::vector<std::string> out;
    auto add = [&](const std::string& file, const std::vector<std::string>& lines) {
        for (const std::string& line : lines)
            out.push_back(file + line);
    };
    LintRequest request;
    request.path = options.path;
    request.config = options.config;
    const std::string name = options.config.empty() ? std::string(config_name) : options.config;
    request.own = base;
    const auto before = load_config(request);
    request.own = head;
    const auto after = load_config(request);
    const auto bytes = head.file(options.config.empty() ? options.path + "/" + name : options.config);
    // A link is the change's own doing; anything else is the system's, and nobody knows what the config says.
    const bool link = !bytes && bytes.error().message.ends_with("is a link");
    if (!bytes && !(link && options.config_from_base)) return bytes.error();
    if (bytes && !after && (!*bytes || parse_config(name, **bytes))) return after.error();
    if (!after)
        out.push_back(name + ": cannot be understood: " + after.error().message);
    else if (before) // a base without a good one has nothing to lose
        add(name + ": ", softened_config(*before, *after));

    std::vector<std::string> folders = {options.path + "/" + std::string(own_folder) + "/rules"};
    folders.insert(folders.end(), options.rules.begin(), options.rules.end());
    for (const std::string& folder : folders) {
        const auto old = base.rules(folder, folder, false), now = head.rules(folder, folder, false);
        if (!now) return now.error();
        if (old) add("", softened_rules(*old, *now));
    }
    if (options.baseline.empty()) return out;
    const auto old = base.file(options.baseline), now = head.file(options.baseline);
    if (!now) return now.error();
    const Baseline was(old && *old ? **old : std::string(), LOCKSTEP_VERSION);
    const Baseline is(*now ? **now : std::string(), LOCKSTEP_VERSION);
    if (const std::size_t more = is.count_beyond(was))
        out.push_back(options.baseline + ": adds " + std::to_string(more) + (more == 1 ? " line" : " lines"));
    return out;
}

Result<Tree> listed(Result<Tree> tree) {
    if (tree) list_skipped(*tree);
    return tree;
}

} // namespace

std::optional<Error> add_change(const Options& options, LintRequest& request) {
    if (options.base.empty() && !options.staged) {
        for (const auto& [given, name] : {std::pair(options.changed_only, "--changed-only"),
                                          std::pair(options.config_from_base, "--config-from-base"),
                                          std::pair(options.no_new_suppressions, "--no-new-suppressions"),
                                          std::pair(options.base_exact, "--base-exact")})
            if (given) return Error{std::string(name) + " needs --base REV or --staged", {}, {0, 0}, "see --help"};
        return std::nullopt;
    }
    if (auto error = no_folder(options.path)) return error;
    auto found = find_git_repository(options.path);
    if (!found) return found.error();
    const GitRepository repository = *found, index = with_caller_index(repository);
    auto commit = options.base.empty() ? find_head_commit(repository)
                                       : find_base_commit(repository, options.base, options.base_exact);
    if (!commit) return commit.error();

    const OwnFiles base_files = own_files_in_git(repository, *commit);
    OwnFiles head_files = options.staged ? own_files_in_git(index, std::nullopt) : own_files_on_disk();
    if (options.changed_only && !options.config_from_base) {
        auto differs = steering_differs(options, head_files, base_files);
        if (!differs) return differs.error();
        request.steering_changed = *differs;
    }
    if (options.command == Command::check) {
        auto softened = softened_by(options, head_files, base_files);
        if (!softened) return softened.error();
        request.softened = std::move(*softened);
    }
    request.own = std::move(head_files);
    if (options.config_from_base) {
        // From the tip, not from where the branch began: a rule that was added meanwhile counts for it too.
        auto tip = options.base.empty() ? commit : find_base_commit(repository, options.base, true);
        if (!tip) return tip.error();
        request.own = own_files_in_git(repository, *tip);
    }
    request.changed_only = options.changed_only;
    request.base_commit = commit->id;
    request.base_shown = commit->shown;
    request.base = [repository, base = *commit, jobs = request.jobs,
                    on_disk = !options.staged](const Config& config) -> Result<Tree> {
        auto tree = git_tree(repository, base, walk_options_of(config, jobs));
        if (tree && on_disk)
            if (auto error = leave_out_sparse(repository, *tree)) return *error;
        return listed(std::move(tree));
    };
    if (options.staged)
        request.head = [index, jobs = request.jobs](const Config& config) {
            return listed(index_tree(index, walk_options_of(config, jobs)));
        };
    return std::nullopt;
}

} // namespace lockstep
