// Files that are handed to a cluster and say nothing: listed by a kustomization, in a chart's crds/, or in a folder
// that Flux lists by itself.
#include "deploy/fleet.h"
#include "deploy/flux_folder.h"
#include "index/cells.h"
#include "index/kube_resources.h"
#include "index/left_out_names.h"
#include "index/side_paths.h"
#include "rules/check.h"
#include <algorithm>
#include <set>

namespace lockstep::empty_manifest {
namespace {

enum class Content : std::uint8_t { nothing, comments, something };

// Blanks, `---`, `...` and comments are nothing.
Content content_of(std::string_view text) {
    Content found = Content::nothing;
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        const std::size_t first = line.find_first_not_of(" \t\r");
        if (first == std::string_view::npos) continue;
        line = line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
        if (first == 0 && (line == "---" || line == "...")) continue;
        if (line.front() != '#' && line != "null" && line != "{}") return Content::something;
        if (line.front() == '#') found = Content::comments;
    }
    return found;
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// `helmrelease.yaml`, `web-service.yaml`: the name says which object ought to be in it.
bool is_named_after_kind(const Index& index, std::string_view path) {
    std::string_view name = file_name_of(path);
    name = name.substr(0, name.rfind('.'));
    while (!name.empty() && !is_letter(name.back()))
        name.remove_suffix(1);
    std::size_t begin = name.size();
    while (begin > 0 && is_letter(name[begin - 1]))
        --begin;
    const std::string_view word = name.substr(begin);
    if (resource_type(word)) return true;
    return std::any_of(index.objects.begin(), index.objects.end(), [&](const Object& one) {
        return one.kind.text.size() == word.size() &&
               std::equal(word.begin(), word.end(), one.kind.text.begin(),
                          [](char a, char b) { return (a | 0x20) == (b | 0x20); });
    });
}

struct Manifests {
    const CheckInput& input;
    RuleOutcome& outcome;
    const Index& index = input.repository.index;
    const Tree& tree = *input.repository.tree;
    const Fleet& fleet = fleet_of(input.repository);
    std::unordered_map<FileId, std::uint32_t> by_folder = {}; // files of folders that Flux lists by itself, to roots

    std::set<std::string> switched_off = {}; // folders that some list has commented out

    // The file had objects before the change.
    bool was_full(std::string_view path) const {
        const auto before = input.base ? input.base->tree->find(path) : std::nullopt;
        return before && std::any_of(input.base->index.objects.begin(), input.base->index.objects.end(),
                                     [&](const Object& object) { return object.file == *before; });
    }

    // Nothing but a commented entry leads to the folder of the list.
    bool is_switched_off(const Place& listed) const {
        const std::string dir(directory_of(tree.files[listed.file].path));
        const auto own = index.kustomization_by_dir.find(dir);
        return switched_off.count(dir) && own != index.kustomization_by_dir.end() &&
               !index.dir_listers.count(own->second) && !fleet.has_roots;
    }

    void collect() {
        for (const Kustomization& made : index.kustomizations)
            for (std::string_view entry : commented_entries(tree.indexed_text(made.file)))
                if (const auto path = join_path(made.dir, entry)) switched_off.insert(*path);
        const SourceIgnore ignore(tree);
        std::unordered_map<std::string, std::uint32_t> best; // folder to root
        for (std::uint32_t i = 0; i < fleet.roots.size(); ++i) {
            const Root& root = fleet.roots[i];
            if (root.by != Root::By::flux || root.ours == Ours::no || root.certainty == Certainty::loose ||
                index.kustomization_by_dir.count(root.dir) || !tree.has_directory(root.dir))
                continue;
            const auto [known, fresh] = best.emplace(root.dir, i);
            if (!fresh && fleet.roots[known->second].certainty < root.certainty) known->second = i;
        }
        for (const auto& [dir, root] : best)
            for (const std::string& path : manifests_below(index, ignore, dir))
                if (const auto file = tree.find(dir.empty() ? path : dir + "/" + path)) {
                    const auto [known, fresh] = by_folder.emplace(*file, root);
                    if (!fresh &&
                        (fleet.roots[known->second].certainty < fleet.roots[root].certainty ||
                         (fleet.roots[known->second].certainty == fleet.roots[root].certainty && root < known->second)))
                        known->second = root;
                }
    }

    // What hands the file to a cluster; file == no_file for nothing.
    Place lister(FileId file) const {
        Place best;
        for (std::uint32_t number : index.listers.of(file)) {
            const ListedEdge& edge = index.listed_edges[number];
            const Listed& entry = index.kustomizations[edge.kustomization].listed[edge.entry];
            if (entry.as != Listing::resource && entry.as != Listing::base) continue;
            if (!is_there(best) || fleet.certainty_of_file(best.file) < fleet.certainty_of_file(entry.path.place.file))
                best = entry.path.place;
        }
        return best;
    }

    bool is_crd_of_chart(std::string_view path) const {
        for (std::string_view dir = directory_of(path); !dir.empty(); dir = directory_of(dir))
            if (file_name_of(dir) == "crds" && index.chart_by_dir.count(std::string(directory_of(dir)))) return true;
        return false;
    }

    void judge(FileId file) {
        const File& source = tree.files[file];
        const Content content = content_of(source.text);
        const Place listed = lister(file);
        const bool crd = is_crd_of_chart(source.path);
        const Root* root = nullptr;
        if (const auto found = by_folder.find(file); found != by_folder.end() && !is_there(listed) && !crd)
            root = &fleet.roots[found->second];
        if (!is_there(listed) && !crd && !root) return;
        const Place place{file, {}};
        if (content == Content::something) return outcome.pass(place, source.path);
        if (content == Content::comments && !crd)
            return outcome.undecided(place, source.path, "only comments: left empty on purpose, or filled later");
        if (root && root->certainty != Certainty::proven) return outcome.undecided(place, source.path, root->why);
        Finding finding;
        finding.rule = input.rule.id;
        finding.place = place;
        // A snapshot does not show that it ever held something.
        const bool emptied = was_full(source.path);
        finding.severity = crd || emptied ? input.rule.severity : Severity::warning;
        if (is_there(listed) && !crd &&
            (fleet.certainty_of_file(listed.file) == Certainty::loose || is_switched_off(listed)))
            finding.severity = Severity::note;
        if (!crd && !emptied && !is_named_after_kind(index, source.path)) finding.severity = Severity::note;
        if (root && !emptied) finding.severity = Severity::note; // nobody asked for this file in particular
        finding.message = crd ? "this file of crds/ holds no CRD: Helm takes the first object of each and finds none"
                          : emptied
                              ? "this change empties the manifest: what it held is pruned"
                              : "this manifest is empty: nothing of it is applied, and what it may have held is pruned";
        if (is_there(listed)) finding.related.push_back({listed, "listed here"});
        if (root) finding.related.push_back({root->place, "Flux lists this folder by itself"});
        if (root || is_there(listed)) finding.proof = root ? root->place : listed;
        outcome.fail(source.path, std::move(finding));
    }
};

void run(const CheckInput& input, RuleOutcome& outcome) {
    Manifests manifests{input, outcome};
    manifests.collect();
    const Tree& tree = *input.repository.tree;
    for (FileId file = 0; file < tree.files.size(); ++file) {
        const std::string_view path = tree.files[file].path;
        if (tree.files[file].state != FileState::read || is_kustomization_name(file_name_of(path))) continue;
        if (path.ends_with(".yaml") || path.ends_with(".yml")) manifests.judge(file);
    }
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::empty_manifest
