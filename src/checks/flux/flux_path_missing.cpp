// spec.path of Flux Kustomizations as their clusters get them: the folder is there when the source is this repository.
#include "base/suggest.h"
#include "deploy/fleet.h"
#include "deploy/name_pattern.h"
#include "deploy/nodes.h"
#include "index/cells.h"
#include "index/ignored_paths.h"
#include "index/links.h"
#include "index/relations.h"
#include "index/side_paths.h"
#include "rules/check.h"
#include <algorithm>
#include <map>
#include <set>

namespace lockstep::flux_path_missing {
namespace {

bool lies_in(std::string_view path, std::string_view folder) {
    return path == folder || (path.starts_with(folder) && path[folder.size()] == '/');
}

// When nearly all folders that a source's users name are here, one that is not is a fault.
struct Count {
    std::size_t here = 0, missing = 0;
    bool mostly_here() const { return here >= 3 && missing * 10 <= here; }
};

struct Paths {
    const CheckInput& input;
    RuleOutcome& outcome;
    const Index& index = input.repository.index;
    const Tree& tree = *input.repository.tree;
    const Fleet& fleet = fleet_of(input.repository);
    Nodes nodes{input.repository};
    const IgnoredPaths ignored{*input.repository.tree, input.texts()};
    const std::vector<std::string> submodules = submodules_of(*input.repository.tree, input.texts());
    std::vector<Glob> generated = {};
    std::map<std::string, Count> counts = {}; // per source: folders that are here
    std::map<std::string, Count> nested = {}; // per folder: paths that are there only from it, and from the root
    std::set<std::string> branches = {};      // of sources that are this repository
    bool elsewhere = false;                   // the root of the Git repository seems to be above ours

    std::string source_key(EntityId flux) const {
        const EntityId source = index.flux_edges[flux].source;
        const Reference& reference = index.flux_kustomizations[flux].source;
        return source == no_entity ? reference.kind.text + "/" + reference.name.text : std::to_string(source);
    }

    // A folder that holds a whole repository of its own, an example or a vendored one: all paths below it count from
    // it.
    void count_nested(EntityId id, const std::string& path, bool here) {
        const FileId file = index.objects[index.flux_kustomizations[id].object].file;
        for (std::string_view above = directory_of(tree.files[file].path); !above.empty();
             above = directory_of(above)) {
            Count& folder = nested[std::string(above)];
            if (here)
                ++folder.missing;
            else if (tree.has_directory(std::string(above) + "/" + path))
                ++folder.here;
        }
    }

    bool is_nested(EntityId id) const {
        const FileId file = index.objects[index.flux_kustomizations[id].object].file;
        for (std::string_view above = directory_of(tree.files[file].path); !above.empty(); above = directory_of(above))
            if (const auto found = nested.find(std::string(above));
                found != nested.end() && found->second.here >= 2 && found->second.missing == 0)
                return true;
        return false;
    }

    void collect() {
        for (const std::string& pattern : input.config.generated)
            if (auto glob = Glob::compile(pattern)) generated.push_back(std::move(*glob));
        bool any_here = false, any_suffix = false;
        for (EntityId id = 0; id < index.flux_kustomizations.size(); ++id) {
            const Cell& cell = index.flux_kustomizations[id].path;
            const std::string path = clamp_path(cell.text);
            if (!is_known(cell) || path.empty() || ours_of(id) != Ours::yes) continue;
            const bool here = tree.has_directory(path);
            Count& count = counts[source_key(id)];
            ++(here ? count.here : count.missing);
            any_here = any_here || here;
            count_nested(id, path, here);
            for (auto slash = path.find('/'); !here && slash != std::string::npos; slash = path.find('/', slash + 1))
                any_suffix = any_suffix || tree.has_directory(path.substr(slash + 1));
        }
        elsewhere = any_suffix && !any_here;
        for (EntityId id = 0; id < index.sources.size(); ++id)
            if (fleet.source_ours[id] == Ours::yes && index.sources[id].kind == "GitRepository")
                branches.insert(index.sources[id].branch.text);
    }

    // Without a source in Git it is the one that `flux bootstrap` makes, or nobody knows.
    Ours ours_as_declared(EntityId id) const {
        if (const EntityId source = index.flux_edges[id].source; source != no_entity) return fleet.source_ours[source];
        return index.flux_kustomizations[id].source.name.text == "flux-system" ? Ours::yes : Ours::unknown;
    }

    // As the clusters that have it see its source; as declared where none has it.
    Ours ours_of(EntityId id) const {
        const auto roots = fleet.of_flux(id);
        if (roots.empty()) return ours_as_declared(id);
        Ours best = Ours::no;
        for (std::uint32_t number : roots)
            best = std::max(best, fleet.roots[number].ours);
        return best;
    }

    // Why the folders of this source cannot be judged by this tree; empty when they can.
    std::string doubt(EntityId id, Ours ours) {
        const FluxEdges& edges = index.flux_edges[id];
        const FluxKustomization& flux = index.flux_kustomizations[id];
        if (ours == Ours::no) return "its source is another repository";
        if (ours == Ours::unknown) return "its source is not known to be this repository";
        if (elsewhere) return "the root of the Git repository seems to lie above this folder";
        if (is_nested(id)) return "the folder around it looks like a repository of its own";
        const bool usual = counts[source_key(id)].mostly_here();
        if (flux.source.kind.text != "GitRepository" && !usual)
            return "an artifact may have another shape than this tree";
        if (edges.source == no_entity) return {};
        const Source& source = index.sources[edges.source];
        if (source.generated) return "an artifact may have another shape than this tree";
        if (source.kind == "GitRepository" &&
            (is_set(source.tag) || is_set(source.semver) || is_set(source.commit) || is_set(source.ref_name)))
            return "its source is another revision";
        if (branches.size() > 1) return "sources of this repository follow several branches";
        const bool bootstrap = source.name.text == "flux-system" || index.objects[source.object].bootstrap;
        if (!bootstrap && !usual) return "its source may be another repository";
        if (node_at(nodes.root(index.objects[source.object]), {"spec", "include"}))
            return "its source includes other repositories";
        return {};
    }

    std::string excuse(const std::string& path, std::string_view from) const {
        for (const Glob& glob : generated)
            if (glob.matches(path) || glob.matches(path + "/kustomization.yaml"))
                return "the config names it as generated";
        if (tree.is_unlisted(path)) return "it is excluded or could not be opened";
        if (ignored.covers(path, from)) return "git ignores it: it may be made locally";
        for (const std::string& folder : submodules)
            if (lies_in(path, folder)) return "it belongs to a submodule";
        for (std::string_view above = path; !above.empty(); above = directory_of(above))
            if (const auto file = tree.find(above); file && tree.files[*file].state == FileState::unreadable)
                return "a link leads out of this tree";
        return {};
    }

    // ` (there is apps/prod)`: the nearest name in the deepest folder that exists.
    std::string suggestion(std::string_view path) const {
        std::string_view above = path, gone = path;
        while (!above.empty() && !tree.has_directory(above)) {
            gone = above;
            above = directory_of(above);
        }
        const std::string prefix = above.empty() ? std::string() : std::string(above) + "/";
        std::vector<std::string> names;
        auto file = std::lower_bound(tree.files.begin(), tree.files.end(), prefix,
                                     [](const File& one, const std::string& wanted) { return one.path < wanted; });
        for (; file != tree.files.end() && file->path.starts_with(prefix); ++file) {
            const std::string_view rest = std::string_view(file->path).substr(prefix.size());
            const std::size_t slash = rest.find('/');
            if (slash == std::string_view::npos) continue;
            if (names.empty() || names.back() != rest.substr(0, slash)) names.emplace_back(rest.substr(0, slash));
        }
        const auto near = nearest(gone.substr(prefix.size()), names);
        return near ? "; there is " + prefix + *near : std::string();
    }

    void judge(EntityId id) {
        const FluxKustomization& flux = index.flux_kustomizations[id];
        const Object& object = index.objects[flux.object];
        const std::string subject = subject_of(index, object) + ":spec.path";
        std::map<std::string, const Root*> found; // by value: patches may give each cluster its own
        for (std::uint32_t number : fleet.of_flux(id)) {
            const Root& root = fleet.roots[number];
            const Root*& best = found[root.spec.path.text];
            if (!best || best->certainty < root.certainty) best = &root;
        }
        for (const auto& [text, root] : found)
            judge_path(id, root->spec.path, root->ours, root, found.size() > 1 ? subject + "=" + text : subject);
        if (!found.empty()) return;
        // Nothing leads to it: as declared, where it is no template and no sample.
        if (object.in_templates || object.embedded || is_side_path(index, object.file))
            return outcome.undecided(flux.path.place, subject, "nothing applies it");
        judge_path(id, flux.path, ours_as_declared(id), nullptr, subject);
    }

    // Components count from the folder that is applied. A cause that patches give several clusters is one finding.
    void judge_components(EntityId id) {
        const Object& object = index.objects[index.flux_kustomizations[id].object];
        std::map<std::string, const Root*> found; // by folder
        std::map<std::string, Cell> entries;
        for (std::uint32_t number : fleet.of_flux(id)) {
            const Root& root = fleet.roots[number];
            for (const Cell& entry : root.spec.components) {
                const auto path = is_known(entry) ? join_path(root.dir, entry.text) : std::nullopt;
                if (!path || root.folders.empty()) continue; // a folder that is not there is told of itself
                const Root*& best = found[*path];
                if (best && best->certainty >= root.certainty) continue;
                best = &root;
                entries[*path] = entry;
            }
        }
        for (const auto& [path, root] : found) {
            const Cell& entry = entries[path];
            const std::string subject = subject_of(index, object) + ":spec.components=" + entry.text;
            const bool gone = std::any_of(root->errors.begin(), root->errors.end(), [&](const BuildError& error) {
                return error.kind == BuildError::Kind::missing && error.place == entry.place;
            });
            std::string why = doubt(id, root->ours);
            if (why.empty()) why = excuse(path, tree.files[object.file].path);
            if (why.empty() && root->certainty == Certainty::possible) why = root->why;
            if (!gone)
                outcome.pass(entry.place, subject);
            else if (!why.empty())
                outcome.undecided(entry.place, subject, why);
            else
                report_component(object, *root, entry, path, subject);
        }
    }

    void report_component(const Object& object, const Root& root, const Cell& entry, const std::string& path,
                          const std::string& subject) {
        Finding finding;
        finding.rule = input.rule.id;
        finding.severity = root.certainty == Certainty::proven ? input.rule.severity : Severity::note;
        finding.place = entry.place;
        finding.message = "Kustomization " + object.name.text + " takes the component " + entry.text +
                          (tree.has_directory(path) ? ", but " + path + " has no kustomization.yaml"
                                                    : ", but this repository has no folder " + path + suggestion(path));
        finding.related.push_back({object.name.place, "the Kustomization"});
        if (is_there(root.spec.path.place))
            finding.related.push_back({root.spec.path.place, "the path it counts from"});
        finding.cause = path;
        outcome.fail(subject, std::move(finding));
    }

    void judge_path(EntityId id, const Cell& cell, Ours ours, const Root* root, const std::string& subject) {
        const Object& object = index.objects[index.flux_kustomizations[id].object];
        const Place place = is_there(cell.place) ? cell.place : object.name.place;
        auto undecided = [&](std::string why) { outcome.undecided(place, subject, std::move(why)); };
        if (cell.state == State::templated || is_placeholder(cell.text)) return undecided("a templated path");
        const EntityId source = index.flux_edges[id].source;
        const bool copied = source != no_entity && index.sources[source].generated;
        // The root of an artifact may be a folder of this tree.
        const std::string path = root && (copied || root->ours == Ours::yes) ? root->dir : clamp_path(cell.text);
        if (ours == Ours::yes && (!copied || root) && tree.has_directory(path)) return outcome.pass(place, subject);
        std::string why = doubt(id, ours);
        if (why.empty()) why = excuse(path, tree.files[object.file].path);
        if (why.empty() && root && root->certainty == Certainty::possible) why = root->why;
        if (!why.empty()) return undecided(std::move(why));
        Finding finding;
        finding.rule = input.rule.id;
        finding.severity = root && root->certainty == Certainty::proven ? input.rule.severity : Severity::note;
        finding.place = place;
        finding.message = "Kustomization " + object.name.text + " applies " + cell.text + ", but this repository has " +
                          (tree.find(path) ? "a file there, not a folder" : "no folder " + path + suggestion(path));
        finding.related.push_back({object.name.place, "the Kustomization"});
        finding.cause = path;
        outcome.fail(subject, std::move(finding));
    }
};

void run(const CheckInput& input, RuleOutcome& outcome) {
    Paths check{input, outcome};
    check.collect();
    for (EntityId id = 0; id < check.index.flux_kustomizations.size(); ++id) {
        const Object& object = check.index.objects[check.index.flux_kustomizations[id].object];
        if (object.as_patch || object.partial) continue;
        check.judge(id);
        check.judge_components(id);
    }
}

} // namespace

constexpr NativeCheck check{run, "ignore; modules"};

} // namespace lockstep::flux_path_missing
