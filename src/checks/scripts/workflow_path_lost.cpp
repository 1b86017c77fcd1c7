// Path filters of workflows against the files there are. The patterns are those of GitHub and Gitea, not ours: `?` and
// `+` speak about the character before them, `**` crosses folders.
#include "base/pattern.h"
#include "rules/check.h"
#include <algorithm>

namespace lockstep::workflow_path_lost {
namespace {

constexpr std::string_view special = "*?+[\\";

// Nothing when a bracket stays open.
std::optional<std::string> filter_to_regex(std::string_view filter) {
    std::string regex = "^(?:";
    for (std::size_t i = 0; i < filter.size(); ++i) {
        const char c = filter[i];
        const bool starts_segment = i == 0 || filter[i - 1] == '/';
        if (c == '*' && filter.substr(i).starts_with("**")) {
            const bool folder = starts_segment && filter.substr(i).starts_with("**/");
            regex += folder ? "(?:.*/)?" : ".*";
            i += folder ? 2 : 1;
        } else if (c == '*') {
            regex += "[^/]*";
        } else if ((c == '?' || c == '+') && i > 0) {
            regex += c;
        } else if (c == '[') {
            const std::size_t close = filter.find(']', i + 1);
            if (close == std::string_view::npos) return std::nullopt;
            regex += filter.substr(i, close - i + 1);
            i = close;
        } else {
            const char plain = c == '\\' && i + 1 < filter.size() ? filter[++i] : c;
            if (std::string_view(".^$|(){}[]+?*\\").find(plain) != std::string_view::npos) regex += '\\';
            regex += plain;
        }
    }
    return regex + ")$";
}

// Files that are there but not listed may be what the filter means.
bool may_match_unlisted(const Tree& tree, std::string_view fixed) {
    for (const std::string& path : tree.unlisted)
        if (path.starts_with(fixed) || fixed.starts_with(path)) return true;
    return false;
}

// A pattern is tried on every file that begins as it does: some thousand patterns over some thousand files stay.
constexpr std::size_t most_trials = 5'000'000;

void judge_filter(const CheckInput& input, const Row& row, std::size_t& trials, RuleOutcome& outcome) {
    const Tree& tree = *input.repository.tree;
    const Cell& cell = input.facts["filter"].at(row, "path");
    const std::string& filter = cell.text;
    if (cell.state != State::known) return outcome.undecided(row.anchor, row.subject, "a template");
    if (filter.starts_with('!') || filter.empty()) return outcome.pass(row.anchor, row.subject); // takes away only
    const std::string_view fixed = std::string_view(filter).substr(0, filter.find_first_of(special));
    if (fixed.size() == filter.size()) {
        if (tree.find(filter)) return outcome.pass(row.anchor, row.subject);
    } else {
        const auto regex = filter_to_regex(filter);
        const auto pattern =
            regex ? Pattern::compile(*regex, linted_pattern_memory) : Result<Pattern>(Error{"an open bracket"});
        if (!pattern) return outcome.undecided(row.anchor, row.subject, "the filter cannot be read");
        const std::string_view lead = fixed.substr(0, fixed.empty() ? 0 : fixed.size() - 1);
        auto file = std::lower_bound(tree.files.begin(), tree.files.end(), lead,
                                     [](const File& one, std::string_view wanted) { return one.path < wanted; });
        for (; file != tree.files.end() && std::string_view(file->path).starts_with(lead); ++file) {
            if (++trials > most_trials)
                return outcome.undecided(row.anchor, row.subject, "there are too many filters over too many files");
            if (pattern->occurs_in(file->path)) return outcome.pass(row.anchor, row.subject);
        }
    }
    if (may_match_unlisted(tree, fixed)) return outcome.undecided(row.anchor, row.subject, "the files are excluded");
    if (tree.find(".gitmodules")) return outcome.undecided(row.anchor, row.subject, "it may name a submodule");
    Finding finding;
    finding.message =
        "the path filter `" + filter + "` matches no file of this repository: it never starts the workflow";
    if (tree.has_directory(filter.ends_with('/') ? filter.substr(0, filter.size() - 1) : filter))
        finding.message = "the path filter `" + filter + "` names a folder and matches no file; `" + filter +
                          (filter.ends_with('/') ? "**`" : "/**`") + " would match what is in it";
    finding.place = cell.place;
    outcome.fail(row.subject, std::move(finding));
}

void run(const CheckInput& input, RuleOutcome& outcome) {
    std::size_t trials = 0;
    for (const Row& row : input.facts["filter"].rows)
        judge_filter(input, row, trials, outcome);
}

} // namespace

constexpr NativeCheck check{run, "filter: path"};

} // namespace lockstep::workflow_path_lost
