// What scripts name of this repository: paths and the text that sed looks for, after a clone, and Flux objects that
// kubectl is given by name. A path is ours when its first two folders are here; then the rest must be here too.
#include "base/pattern.h"
#include "index/kubectl.h"
#include "index/relations.h"
#include "index/sed_pattern.h"
#include "relations/relation.h"
#include <algorithm>
#include <deque>
#include <set>

namespace lockstep::script_targets {
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

// Objects that live in Git by their nature: what a script names of them ought to be declared here.
bool is_declared_kind(const ResourceType& type) {
    for (std::string_view kind : {"GitRepository", "HelmRepository", "OCIRepository", "Bucket", "HelmRelease"})
        if (type.kind == kind) return true;
    return type.kind == "Kustomization" && type.group == "kustomize.toolkit.fluxcd.io";
}

struct Targets {
    const RelationInput& input;
    const RelationRows& rows;
    const Index& index = input.repository.index;
    const Tree& tree = *input.repository.tree;
    std::deque<NewRow> made = {};

    void judge(const Script& script) {
        const std::vector<ShellCommand> commands = commands_of(index, script);
        const std::string subject = subject_of(index, index.objects[script.object]) + ":";
        if (std::any_of(commands.begin(), commands.end(), clones)) {
            const std::set<std::string> folders = judge_paths(script, commands, subject);
            for (const ShellCommand& command : commands)
                if (command_name(command) == "sed" && !folders.empty()) judge_sed(script, command, folders, subject);
        }
        for (const ShellCommand& command : commands)
            if (const auto call = read_kubectl(command)) judge_objects(script, *call, subject);
    }

    // Gives the folders and files of this repository that the script works on.
    std::set<std::string> judge_paths(const Script& script, const std::vector<ShellCommand>& commands,
                                      const std::string& subject) {
        std::set<std::string> seen, there;
        for (const ShellCommand& command : commands) {
            if (!reads_files(command_name(command))) continue;
            for (const ShellWord& word : command.words) {
                const auto path = repository_path(word);
                if (!path || !is_ours(tree, path->folder) || !seen.insert(path->folder).second) continue;
                const Place place{script.place.file, place_in(word, path->begin, path->end)};
                if (tree.has_directory(path->folder) || tree.find(path->folder)) {
                    there.insert(path->folder);
                    add(place, subject, "path", path->folder, "here");
                } else if (tree.is_unlisted(path->folder)) {
                    add(place, subject, "path", path->folder, "perhaps").set("doubt", "the path is excluded");
                } else {
                    add(place, subject, "path", path->folder, "missing");
                }
            }
        }
        return there;
    }

    void judge_sed(const Script& script, const ShellCommand& command, const std::set<std::string>& folders,
                   const std::string& subject) {
        const bool extended = std::any_of(command.words.begin(), command.words.end(), [](const ShellWord& word) {
            return word.text == "-E" || word.text == "-r" || word.text == "-Ei" || word.text == "-ri";
        });
        for (const ShellWord& word : command.words) {
            const auto old = sed_pattern(word, extended);
            if (!old) continue;
            const Place place{script.place.file, place_in(word, old->begin, old->end)};
            const auto pattern = Pattern::compile(old->expression, linted_pattern_memory);
            if (!pattern) {
                add(place, subject, "text", old->shown, "perhaps")
                    .set("doubt", "an expression of sed that is not understood");
                continue;
            }
            bool found = false, unread = false;
            for (FileId id = 0; id < tree.files.size(); ++id) {
                const File& file = tree.files[id];
                const bool below = std::any_of(folders.begin(), folders.end(), [&](const std::string& folder) {
                    return file.path == folder || file.path.starts_with(folder + "/");
                });
                found = found || (below && pattern->occurs_in(tree.indexed_text(id)));
                unread = unread || (below && (file.state != FileState::read || !file.indexed));
            }
            if (found)
                add(place, subject, "text", old->shown, "here");
            else if (unread)
                add(place, subject, "text", old->shown, "perhaps").set("doubt", "not every file there was read");
            else
                add(place, subject, "text", old->shown, "missing")
                    .set("below", *folders.begin() + (folders.size() > 1 ? " and the script's other folders" : ""));
        }
    }

    void judge_objects(const Script& script, const KubectlCall& call, const std::string& subject) {
        if (!call.unclear.empty() || call.verb.starts_with("create") || call.verb == "apply") return;
        for (const KubectlTarget& target : call.targets) {
            if (!target.name_known || target.name.empty() || !is_declared_kind(target.type)) continue;
            const Place place{script.place.file, target.span};
            const std::string name = target.type.kind + "/" + target.name;
            if (!find_objects(index, target.type.kind, "", target.name).empty()) {
                add(place, subject, "object", name, "here");
                continue;
            }
            std::size_t declared = 0, templated = 0;
            for (const Object& object : index.objects)
                if (object.kind.text == target.type.kind && object.group == target.type.group)
                    ++(object.name.state == State::known ? declared : templated);
            if (declared == 0 || templated > 0)
                add(place, subject, "object", name, "perhaps")
                    .set("doubt", "objects of that kind may come from elsewhere");
            else
                add(place, subject, "object", name, "missing")
                    .set("command", shown(call))
                    .set("object", target.type.kind + " " + target.name);
        }
    }

    NewRow& add(Place place, const std::string& subject, std::string kind, const std::string& named,
                std::string found) {
        made.push_back(rows.start(place, subject + named));
        return made.back().set("kind", std::move(kind)).set("target", named).set("found", std::move(found));
    }
};

void fill(const RelationInput& input, RelationRows& rows) {
    Targets targets{input, rows};
    for (const Script& script : input.repository.index.scripts)
        if (script.object != no_entity && !script.bootstrap && script.from != Script::From::workflow)
            targets.judge(script);
    for (NewRow& row : targets.made)
        rows.add(std::move(row));
}

} // namespace

constexpr Relation relation{"script-targets", "kind target found below command object doubt", "", fill};

} // namespace lockstep::script_targets
