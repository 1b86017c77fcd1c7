// What kustomizations list and the repository does not hold.
#include "deploy/fleet.h"
#include "index/cells.h"
#include "index/holo_mappings.h"
#include "index/ignored_paths.h"
#include "index/path_class.h"
#include "rules/check.h"
#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace lockstep::missing_resource {
namespace {

std::string_view field_of(Listing as) {
    switch (as) {
    case Listing::resource:
        return "resources";
    case Listing::base:
        return "bases";
    case Listing::component:
        return "components";
    case Listing::crd:
        return "crds";
    case Listing::configuration:
        return "configurations";
    case Listing::replacement:
        return "replacements";
    case Listing::generator:
        return "generators";
    case Listing::transformer:
        return "transformers";
    case Listing::validator:
        return "validators";
    case Listing::patch:
        return "patches";
    case Listing::generated_from:
        return "a generator's files";
    case Listing::helm_values:
        return "values files";
    case Listing::openapi:
        return "openapi";
    }
    return "";
}

// Only these may lead to a folder, and then kustomize asks for a kustomization in it.
bool takes_folder(Listing as) {
    return as == Listing::resource || as == Listing::base || as == Listing::component || as == Listing::generator ||
           as == Listing::transformer || as == Listing::validator;
}

struct Check {
    const CheckInput& input;
    RuleOutcome& outcome;
    const std::vector<Glob> generated;
    const IgnoredPaths ignored;
    const HoloMappings holo;
    struct Lost {
        const ListedEdge* edge = nullptr;
        std::string message;
    };
    std::vector<Lost> lost = {};
    std::map<FileId, std::string> written_elsewhere = {}; // lists, and why

    // Whoever builds from Git finds nothing there that git ignores; a build by hand may.
    bool is_built_from_git(FileId kustomization) const {
        const Fleet& fleet = fleet_of(input.repository);
        return fleet.has_roots && fleet.certainty_of_file(kustomization) == Certainty::proven;
    }

    // Empty when the path ought to be here.
    std::string excuse(std::string_view path, FileId kustomization) {
        const Tree& tree = *input.repository.tree;
        const std::string& from = tree.files[kustomization].path;
        for (const Glob& glob : generated)
            if (glob.matches(path)) return "the config names it as generated";
        if (holo.bring(path)) return "hologit brings it from another repository";
        if (tree.is_unlisted(path)) return "it is excluded or could not be opened";
        if (is_built_from_git(kustomization)) return {};
        if (ignored.covers(path, from)) return "git ignores it: it may be made locally";
        const auto [known, fresh] = written_elsewhere.try_emplace(kustomization);
        if (fresh && is_ignored_list(from))
            known->second = "git would ignore the list: it is written where it is used";
        else if (fresh && is_written_by_script(from))
            known->second = "a script beside the list writes its entries";
        return known->second;
    }

    // A list that git would ignore, were it not tracked, while it takes others of its folder: it is written anew where
    // it is used.
    bool is_ignored_list(std::string_view path) const {
        const Tree& tree = *input.repository.tree;
        if (!ignored.covers(path)) return false;
        const std::string_view folder = directory_of(path);
        return std::any_of(tree.files.begin(), tree.files.end(), [&](const File& one) {
            return one.path != path && directory_of(one.path) == folder && !ignored.covers(one.path);
        });
    }

    // A script of its folder writes its entries: what is committed is whatever the last run left.
    bool is_written_by_script(std::string_view path) const {
        const Tree& tree = *input.repository.tree;
        const std::string_view folder = directory_of(path), name = file_name_of(path);
        for (FileId id = 0; id < tree.files.size(); ++id) {
            const std::string& script = tree.files[id].path;
            if (directory_of(script) != folder || !(is_script_path(script) || is_task_path(script))) continue;
            std::string_view text = input.text(id);
            while (!text.empty()) {
                const std::size_t end = std::min(text.find('\n'), text.size());
                const std::string_view line = text.substr(0, end);
                text.remove_prefix(std::min(end + 1, text.size()));
                const auto has = [&](std::string_view words) { return line.find(words) != std::string_view::npos; };
                if (has("kustomize create") || has("kustomize edit add") || has("kustomize edit remove")) return true;
                const std::size_t at = line.find(name);
                if (at == std::string_view::npos || line.find_first_not_of(" \t") == line.find('#')) continue;
                const bool edited = has("yq -i") || has("yq e -i") || has("yq eval -i") || has("yq --inplace");
                const std::size_t before = line.substr(0, at).find_last_not_of(" \"'./");
                if ((edited && has("resources")) || (before != std::string_view::npos && line[before] == '>'))
                    return true;
            }
        }
        return false;
    }

    // Behind a link, or one that could not be read: then another rule speaks.
    bool has_kustomization(std::string_view dir) const {
        for (std::string_view name : {"kustomization.yaml", "kustomization.yml", "Kustomization"})
            if (const auto path = join_path(dir, name); path && input.repository.tree->find(*path)) return true;
        return false;
    }

    // The folder above from which the entry leads somewhere, to a list of its own or back into the list's own folder:
    // somebody copies the file there before it is built. Only where nothing in the tree says what is built.
    std::optional<std::string> written_for(const Kustomization& made, std::string_view entry) const {
        if (fleet_of(input.repository).has_roots || made.dir.empty()) return std::nullopt;
        const Tree& tree = *input.repository.tree;
        for (std::string_view above = directory_of(made.dir);; above = directory_of(above)) {
            const auto path = join_path(above, entry);
            if (path && (has_kustomization(above) || path->starts_with(made.dir + "/")) &&
                (tree.find(*path) || tree.has_directory(*path)))
                return std::string(above.empty() ? "." : above);
            if (above.empty()) return std::nullopt;
        }
    }

    // Empty when the entry leads somewhere.
    std::string fault(const ListedEdge& edge, const Listed& entry) const {
        const std::string_view field = field_of(entry.as);
        const std::string shown = "`" + entry.path.text + "` under " + std::string(field);
        if (edge.target == Target::outside) return shown + " leads outside of the repository, where Flux has nothing";
        if (edge.target == Target::missing)
            return shown + " does not exist: there is no " + edge.path + " in this repository";
        if (edge.target == Target::directory && edge.leads_to == no_entity && takes_folder(entry.as) &&
            !has_kustomization(edge.path))
            return shown + " is a folder without a kustomization.yaml: kustomize cannot read " +
                   (edge.path.empty() ? "the root" : edge.path);
        if (edge.target == Target::directory && !takes_folder(entry.as)) return shown + " is a folder, not a file";
        return {};
    }

    void judge(const ListedEdge& edge) {
        const Kustomization& made = input.repository.index.kustomizations[edge.kustomization];
        const Listed& entry = made.listed[edge.entry];
        const std::string& path = input.repository.tree->files[made.file].path;
        const std::string subject = path + ":" + entry.path.text;
        if (edge.target == Target::templated) return outcome.undecided(entry.path.place, subject, "a templated entry");
        if (edge.target == Target::remote)
            return outcome.undecided(entry.path.place, subject, "a remote: it is not fetched");
        std::string message = fault(edge, entry);
        if (message.empty()) return outcome.pass(entry.path.place, subject);
        if (entry.path.text.find('*') != std::string::npos)
            return outcome.undecided(entry.path.place, subject, "a pattern");
        std::string why = excuse(edge.path, made.file);
        if (why.empty() && edge.target == Target::directory && edge.leads_to == no_entity)
            for (std::string_view name : {"kustomization.yaml", "kustomization.yml", "Kustomization"})
                if (const auto inside = join_path(edge.path, name); inside && why.empty())
                    why = excuse(*inside, made.file);
        if (!why.empty()) return outcome.undecided(entry.path.place, subject, why);
        lost.push_back({&edge, std::move(message)});
    }

    const Kustomization& lister_of(const Lost& one) const {
        return input.repository.index.kustomizations[one.edge->kustomization];
    }

    // What is gone is one finding, however many list it, and so is all that one list alone has lost. Where a cluster
    // misses it, a list that nobody needs is only a place of that.
    void report() {
        const Fleet& fleet = fleet_of(input.repository);
        std::map<std::string, std::set<EntityId>> listers; // by path
        for (const Lost& one : lost)
            listers[one.edge->path].insert(one.edge->kustomization);
        const auto is_missed = [&](EntityId id) {
            return fleet.certainty_of_file(input.repository.index.kustomizations[id].file) == Certainty::proven;
        };
        std::map<std::string, std::vector<Place>> unneeded; // by path
        const auto cell_of = [&](const Lost& one) { return lister_of(one).listed[one.edge->entry].path; };
        const auto is_told_by_another = [&](const Lost& one) {
            const auto& all = listers[one.edge->path];
            return !one.edge->path.empty() && !is_missed(one.edge->kustomization) &&
                   std::any_of(all.begin(), all.end(), is_missed);
        };
        for (const Lost& one : lost)
            if (is_told_by_another(one)) unneeded[one.edge->path].push_back(cell_of(one).place);
        std::map<EntityId, std::string> written; // lists of which an entry leads somewhere from a folder above
        for (const Lost& one : lost)
            if (auto above = written_for(lister_of(one), cell_of(one).text))
                written.emplace(one.edge->kustomization, std::move(*above));
        for (Lost& one : lost) {
            if (is_told_by_another(one)) continue;
            const std::string& list = input.repository.tree->files[lister_of(one).file].path;
            const bool shared = !one.edge->path.empty() && listers[one.edge->path].size() > 1;
            Finding finding;
            finding.message = std::move(one.message);
            finding.place = cell_of(one).place;
            finding.cause = shared ? one.edge->path : list + ":";
            if (const auto others = unneeded.find(one.edge->path); others != unneeded.end())
                for (const Place& place : others->second)
                    finding.related.push_back({place, "listed here too, which nothing applies"});
            if (const auto found = written.find(one.edge->kustomization); found != written.end()) {
                finding.message +=
                    written_for(lister_of(one), cell_of(one).text)
                        ? "; it has one from " + found->second + ", as if this list were copied there"
                        : "; its list is as if it were copied to " + found->second + ", by another entry";
                finding.rule = input.rule.id;
                finding.severity = Severity::note;
            }
            outcome.fail(list + ":" + cell_of(one).text, std::move(finding));
        }
    }
};

void run(const CheckInput& input, RuleOutcome& outcome) {
    std::vector<Glob> generated;
    for (const std::string& pattern : input.config.generated)
        if (auto glob = Glob::compile(pattern)) generated.push_back(std::move(*glob));
    const Index& index = input.repository.index;
    Check check{input, outcome, std::move(generated), IgnoredPaths(*input.repository.tree, input.texts()),
                HoloMappings(*input.repository.tree, input.texts())};
    for (const ListedEdge& edge : index.listed_edges) {
        // In a file of another name it is an example or a part of one: kustomize never reads it.
        const FileId file = index.kustomizations[edge.kustomization].file;
        if (is_kustomization_name(file_name_of(input.repository.tree->files[file].path))) check.judge(edge);
    }
    check.report();
}

} // namespace

constexpr NativeCheck check{run, "holo; ignore"};

} // namespace lockstep::missing_resource
