// Paths of this repository that scripts name after cloning it. A path is ours when its first two folders are here; then
// the rest of it must be here too.
#include "checks/checks.h"
#include "checks/kubectl.h"
#include "index/relations.h"
#include <algorithm>
#include <set>

namespace lockstep {
namespace {

bool reads_files(std::string_view command) {
    for (std::string_view name :
         {"cd", "sed", "grep", "find", "ls", "cat", "yq", "kustomize", "kubectl", "helm", "test"})
        if (command == name) return true;
    return false;
}

bool clones(const ShellCommand& command) {
    if (command_name(command) != "git") return false;
    const auto words = positional_words(command);
    return !words.empty() && words[0]->text == "clone";
}

struct RepositoryPath {
    std::string folder; // the part in front of the first wildcard
    std::size_t begin = 0, end = 0;
};

// `$WORK/clusters/x/*.yaml` is `clusters/x`; nothing when a variable stands further inside, or for a pattern of sed.
std::optional<RepositoryPath> repository_path(const ShellWord& word) {
    std::string_view text = word.text;
    std::size_t begin = 0;
    if (text.starts_with("./")) begin = 2;
    if (text.starts_with('$')) {
        begin = text.find('/');
        if (begin == std::string_view::npos) return std::nullopt;
        ++begin;
    }
    const std::size_t end = std::min(text.find_first_of("*?["), text.size());
    std::string_view path = text.substr(std::min(begin, end), end - std::min(begin, end));
    if (end < text.size()) path = path.substr(0, path.rfind('/') == std::string_view::npos ? 0 : path.rfind('/'));
    while (path.ends_with('/'))
        path.remove_suffix(1);
    if (std::count(path.begin(), path.end(), '/') < 2) return std::nullopt;
    const bool plain = std::all_of(path.begin(), path.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' || c == '.' ||
               c == '_' || c == '-';
    });
    if (!plain || path.starts_with('/') || path.find("..") != std::string_view::npos) return std::nullopt;
    return RepositoryPath{std::string(path), begin, begin + path.size()};
}

bool is_ours(const Tree& tree, const std::string& path) {
    const std::size_t second = path.find('/', path.find('/') + 1);
    return second != std::string::npos && tree.has_directory(path.substr(0, second));
}

} // namespace

void check_script_targets(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    const Tree& tree = *input.repository.tree;
    for (const Script& script : index.scripts) {
        if (script.object == no_entity || script.bootstrap || script.from == Script::From::workflow) continue;
        const std::vector<ShellCommand> commands = commands_of(index, script);
        if (std::none_of(commands.begin(), commands.end(), clones)) continue;
        std::set<std::string> seen;
        for (const ShellCommand& command : commands) {
            if (!reads_files(command_name(command))) continue;
            for (const ShellWord& word : command.words) {
                const auto path = repository_path(word);
                if (!path || !is_ours(tree, path->folder) || !seen.insert(path->folder).second) continue;
                const Place place{script.place.file, place_in(word, path->begin, path->end)};
                const std::string subject = subject_of(index, index.objects[script.object]) + ":" + path->folder;
                if (tree.has_directory(path->folder) || tree.find(path->folder)) {
                    outcome.pass(place, subject);
                } else if (tree.is_unlisted(path->folder)) {
                    outcome.undecided(place, subject, "the path is excluded");
                } else {
                    Finding finding;
                    finding.message =
                        "the script clones a repository and works on " + path->folder + ", which is not there";
                    finding.place = place;
                    outcome.fail(subject, std::move(finding));
                }
            }
        }
    }
}

} // namespace lockstep
