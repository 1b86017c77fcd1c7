// Compares what the two trees prove, file by file and object by object.
#include "filter/lost_proof.h"
#include "deploy/fleet.h"
#include "tree/gitignore.h"
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace lockstep {
namespace {

// Nothing says what is applied, not even a list, so each file counts.
bool nothing_says(const Repository& repository) {
    const Index& index = repository.index;
    return !fleet_of(repository).has_roots && index.kustomizations.empty() && index.charts.empty() &&
           index.foreign_counts.empty();
}

// Whatever its version.
using Id = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>;
Id id_of(const Instance& one) {
    return {one.id().group, one.id().kind, one.id().ns, one.id().name};
}

class LostProof {
public:
    LostProof(const Repository& before, const Repository& after)
        : before_(before), after_(after), fleet_(fleet_of(after)) {}

    std::vector<std::string> lines() {
        note_doubts();
        note_loose();
        note_sources();
        std::vector<std::string> out;
        for (const auto& [why, paths] : lost_)
            out.push_back(*paths.begin() +
                          (paths.size() > 1 ? " and " + std::to_string(paths.size() - 1) + " more" : "") + ": " + why);
        return out;
    }

private:
    // In the head; what went is nobody's loss.
    Certainty now(const std::string& path) const {
        const auto file = after_.tree->find(path);
        return file ? fleet_.certainty_of_file(*file) : Certainty::proven;
    }

    void note_doubts() {
        std::map<std::string, std::string> why; // by path, and by folder with its `/`
        std::set<Id> known, proven;
        for (const Instance& one : fleet_.instances)
            if (fleet_.certainty_of(one) == Certainty::proven) known.insert(id_of(one));
        const Fleet& was = fleet_of(before_);
        for (const Instance& one : was.instances)
            if (was.certainty_of(one) == Certainty::proven) proven.insert(id_of(one));
        for (const Instance& one : fleet_.instances) {
            const Root& root = fleet_.root_of(one);
            if (!is_doubted(root) || one.resource.document.file == no_file) continue;
            const std::string& path = after_.tree->files[one.resource.document.file].path;
            why.emplace(path, root.why);
            if (proven.contains(id_of(one)) && !known.contains(id_of(one))) add(path, root.why); // moved, perhaps
        }
        for (const Root& root : fleet_.roots)
            if (is_doubted(root))
                for (const std::string& folder : root.folders)
                    why.emplace(folder + "/", root.why);
        for (FileId file = 0; file < before_.tree->files.size(); ++file) {
            const std::string& path = before_.tree->files[file].path;
            if (was.certainty_of_file(file) != Certainty::proven || now(path) != Certainty::possible) continue;
            auto reason = why.find(path);
            if (reason == why.end()) reason = why.find(std::string(directory_of(path)) + "/");
            if (reason != why.end()) add(path, reason->second);
        }
    }

    // Something that a cluster gets for certain applies it, perhaps. Where nothing does, the change took it out of a
    // list; of a release it is the values that nobody knows.
    bool is_doubted(const Root& root) const {
        return root.certainty == Certainty::possible && !root.is_rendered() && is_below_a_beginning(root);
    }
    bool is_below_a_beginning(const Root& root) const {
        const Root* top = &root;
        while (top->above != no_number)
            top = &fleet_.roots[top->above];
        return top->certainty == Certainty::proven;
    }

    // Where a repository does not say what is applied, what leads to others counts; a word that says so takes that
    // away.
    void note_loose() {
        const Fleet& was = fleet_of(before_);
        const Index& index = before_.index;
        std::map<std::string, std::string> why; // by folder
        for (const Root& root : fleet_.roots)
            if (root.certainty == Certainty::loose) why.emplace(root.dir, root.why);
        const auto note = [&](FileId file) {
            const std::string& path = before_.tree->files[file].path;
            if (now(path) != Certainty::loose) return;
            const auto known = why.find(std::string(directory_of(path)));
            add(path, known == why.end() ? "nothing in this tree applies it" : known->second);
        };
        for (const Root& root : was.roots) {
            if (root.certainty != Certainty::proven) continue;
            const auto list = index.kustomization_by_dir.find(root.dir);
            if (root.by == Root::By::alone && list != index.kustomization_by_dir.end())
                note(index.kustomizations[list->second].file);
            else if (root.by == Root::By::chart && root.chart != no_entity)
                note(index.charts[root.chart].file);
        }
        if (!nothing_says(before_)) return;
        for (const Object& object : index.objects)
            if (was.certainty_of_file(object.file) == Certainty::proven) note(object.file);
    }

    // A Flux Kustomization that stays and builds something else than this repository.
    void note_sources() {
        std::map<std::pair<std::string_view, std::string_view>, const Root*> kept; // by namespace and name
        for (const Root& root : fleet_.roots) {
            if (root.by != Root::By::flux || !is_below_a_beginning(root)) continue; // nothing here applies it
            const Root*& known = kept[{root.ns, root.name}];
            if (!known || builds_this(root)) known = &root;
        }
        for (const Root& root : fleet_of(before_).roots) {
            if (root.by != Root::By::flux || !builds_this(root)) continue;
            const auto found = kept.find({root.ns, root.name});
            if (found != kept.end() && !builds_this(*found->second))
                add("Kustomization " + root.ns + "/" + root.name, "it no longer builds this repository");
        }
    }

    static bool builds_this(const Root& root) { return root.certainty == Certainty::proven && root.ours == Ours::yes; }

    void add(const std::string& path, const std::string& why) {
        lost_["was applied for certain, and no longer is" + (why.empty() ? "" : ": " + why)].insert(path);
    }

    const Repository& before_;
    const Repository& after_;
    const Fleet& fleet_;
    std::map<std::string, std::set<std::string>> lost_; // what, by what is said of it
};

constexpr std::string_view attributes_name = ".gitattributes";

std::set<std::string> lines_of(const Tree& tree, const std::string& path) {
    std::set<std::string> lines;
    const auto found = tree.find(path);
    if (!found) return lines;
    File file = tree.files[*found];
    if (file.state == FileState::listed) read_file(tree, file);
    std::string_view rest = file.text;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        std::string_view line = rest.substr(0, end);
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t'))
            line.remove_suffix(1);
        lines.emplace(line);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return lines;
}

std::vector<std::string> words_of(std::string_view line) {
    std::vector<std::string> words;
    for (std::size_t at = 0; (at = line.find_first_not_of(" \t", at)) != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
        words.emplace_back(line.substr(at, end - at));
        at = end;
    }
    return words;
}

// git writes another text into the work tree than it stores, and Flux reads what is stored.
bool changes_text(std::string_view attribute) {
    return attribute == "ident" || attribute.starts_with("ident=") || attribute.starts_with("filter=") ||
           attribute.starts_with("working-tree-encoding=");
}

} // namespace

std::vector<std::string> lost_proof(const Repository& before, const Repository& after) {
    return LostProof(before, after).lines();
}

std::vector<std::string> changed_checkout(const Repository& before, const Repository& after) {
    std::vector<std::string> out;
    const Tree& tree = *after.tree;
    for (const File& file : tree.files) {
        if (file_name_of(file.path) != attributes_name) continue;
        const std::string dir(directory_of(file.path));
        const std::set<std::string> known = lines_of(*before.tree, file.path);
        for (const std::string& line : lines_of(tree, file.path)) {
            const std::vector<std::string> words = words_of(line);
            if (known.contains(line) || words.empty() || words[0].starts_with('#') ||
                std::none_of(words.begin() + 1, words.end(), changes_text))
                continue;
            const IgnoreRules pattern(words[0]);
            bool meets = words[0].starts_with("[attr]") || words[0].starts_with('"'); // whoever takes it up
            for (FileId other = 0; other < tree.files.size() && !meets; ++other) {
                const std::string_view path = tree.files[other].path;
                if (!dir.empty() && !path.starts_with(dir + "/")) continue;
                meets = tree.files[other].indexed && fleet_of(after).certainty_of_file(other) == Certainty::proven &&
                        pattern.verdict(path.substr(dir.empty() ? 0 : dir.size() + 1), false).has_value();
            }
            if (meets) out.push_back(file.path + ": git checks out something else than Flux reads: " + line);
        }
    }
    return out;
}

} // namespace lockstep
