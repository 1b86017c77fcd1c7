// Manifests and folders beside a kustomization's entries that no kustomization lists.
#include "deploy/fleet.h"
#include "deploy/left_out_reasons.h"
#include "index/cells.h"
#include "index/left_out_names.h"
#include "index/path_mentions.h"
#include "index/side_paths.h"
#include "rules/check.h"
#include <algorithm>
#include <map>
#include <set>

namespace lockstep::unwired_manifest {
namespace {

// Files with apiVersion and kind that no cluster is given: settings of tools, catalogues, test cases.
bool is_for_a_tool(const Object& object) {
    for (std::string_view group :
         {"kustomize.config.k8s.io", "kind.x-k8s.io", "k3d.io", "eksctl.io", "kubeadm.k8s.io", "kuttl.dev",
          "cli.kyverno.io", "chainsaw.kyverno.io", "backstage.io", "meta.pkg.crossplane.io", "config.kubernetes.io",
          "audit.k8s.io", "apiserver.config.k8s.io", "kubelet.config.k8s.io", "kubescheduler.config.k8s.io",
          "catalyst.openova.io", "skaffold", "k0sctl.k0sproject.io", "talos.dev"})
        if (object.group == group) return true;
    return (object.group.empty() && object.kind.text == "Config") || object.api_version.text.starts_with("skaffold/") ||
           object.api_version.text == "builtin";
}

bool is_sample_name(std::string_view name) {
    for (std::string_view part :
         {".example.", ".sample.", ".template.", ".tmpl.", "-example.", "-sample.", ".disabled."})
        if (name.find(part) != std::string_view::npos) return true;
    return name.starts_with('_') || name.starts_with('.');
}

bool is_name_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.';
}

// In a comment, as a left-out entry, or in a field that the index does not know.
bool mentions(std::string_view text, std::string_view name) {
    for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        const bool ends = end == text.size() || !is_name_char(text[end]) ||
                          (text[end] == '.' && (end + 1 == text.size() || !is_name_char(text[end + 1])));
        if (ends && (at == 0 || !is_name_char(text[at - 1]))) return true;
    }
    return false;
}

struct Wiring {
    const CheckInput& input;
    RuleOutcome& outcome;
    const Index& index = input.repository.index;
    const Tree& tree = *input.repository.tree;
    std::vector<const Object*> manifests = {};                 // per file: its first object that a cluster is given
    std::set<std::pair<EntityId, std::string_view>> used = {}; // folders that a kustomization lists files of
    std::vector<bool> templated = {};                          // per kustomization
    std::vector<std::size_t> entries = {};                     // per kustomization: resources that it lists
    std::map<EntityId, std::vector<FileId>> plugins = {};      // generators and transformers of a kustomization
    const Fleet& fleet = fleet_of(input.repository);
    PathMentions mentions_of = PathMentions(tree, input.texts());
    std::set<FileId> fragments =
        {}; // parts of a Flux Kustomization: patches that nobody uses, they would apply nothing
    // Of a kustomization: folders whose folders it lists (`a` of `./a/web`), and those with the same file in each
    // (`a` and `ks.yaml` of `./a/web/ks.yaml`).
    std::set<std::pair<EntityId, std::string_view>> folders_in = {};
    std::set<std::tuple<EntityId, std::string_view, std::string_view>> files_in = {};
    std::map<EntityId, std::vector<Candidate>> candidates = {}; // by keeper
    std::map<EntityId, std::size_t> named_elsewhere = {};       // by keeper: left out as well, and no finding
    LeftOutReasons verdicts = LeftOutReasons(index, fleet);
    std::map<EntityId, const FluxKustomization*> in_own_folder = {}; // by object: it lies in what it applies

    void collect() {
        verdicts.scripts_make_namespaces =
            mentions_of.scripts_have("create namespace") || mentions_of.scripts_have("create ns");
        manifests.assign(tree.files.size(), nullptr);
        for (const Object& object : index.objects)
            if (!object.embedded && !object.partial && !is_for_a_tool(object) && !manifests[object.file])
                manifests[object.file] = &object;
        for (const FluxKustomization& flux : index.flux_kustomizations) {
            const FileId file = index.objects[flux.object].file;
            if (!is_set(flux.source.name)) fragments.insert(file);
            const auto folder = is_known(flux.path) ? join_path("", flux.path.text) : std::nullopt;
            if (folder && (folder->empty() || tree.files[file].path.starts_with(*folder + "/")))
                in_own_folder.emplace(flux.object, &flux);
        }
        templated.assign(index.kustomizations.size(), false);
        entries.assign(index.kustomizations.size(), 0);
        for (const ListedEdge& edge : index.listed_edges) {
            if (edge.target == Target::templated) templated[edge.kustomization] = true;
            const Listing as = index.kustomizations[edge.kustomization].listed[edge.entry].as;
            if (edge.target == Target::file && (as == Listing::generator || as == Listing::transformer))
                plugins[edge.kustomization].push_back(edge.file);
            const bool applies = as == Listing::resource || as == Listing::base || as == Listing::component;
            if (as == Listing::resource || as == Listing::base) ++entries[edge.kustomization];
            if (edge.target == Target::file) {
                const std::string_view path = tree.files[edge.file].path, dir = directory_of(path);
                used.emplace(edge.kustomization, dir);
                if (applies && dir.size() > index.kustomizations[edge.kustomization].dir.size())
                    files_in.emplace(edge.kustomization, directory_of(dir), file_name_of(path));
            }
            if (edge.target == Target::directory && edge.leads_to != no_entity && applies)
                folders_in.emplace(edge.kustomization, directory_of(index.kustomizations[edge.leads_to].dir));
        }
    }

    // Something other than the file itself leads to it: a path of Flux, the config.
    bool is_applied(EntityId id) const {
        const auto all = fleet.of_object(id);
        return std::any_of(all.begin(), all.end(), [&](std::uint32_t number) {
            const Root& root = fleet.root_of(fleet.instances[number]);
            return root.by == Root::By::flux || root.by == Root::By::config;
        });
    }

    // Generators and transformers are files that name further files: a KSOPS generator its secrets.
    bool named_by_plugin(EntityId id, std::string_view name) const {
        const auto found = plugins.find(id);
        return found != plugins.end() && std::any_of(found->second.begin(), found->second.end(), [&](FileId file) {
                   return mentions(tree.indexed_text(file), name);
               });
    }

    // The kustomization whose list the file ought to be in.
    EntityId keeper(const Object& object) const {
        const std::string_view own = directory_of(tree.files[object.file].path);
        std::string_view from = own;
        // In the lists of the folder that it applies, a Flux Kustomization would apply itself.
        if (const auto flux = in_own_folder.find(id_of(object)); flux != in_own_folder.end()) {
            const std::string folder = *join_path("", flux->second->path.text);
            if (folder.empty()) return no_entity;
            from = directory_of(own.substr(0, folder.size()));
        }
        for (std::string_view dir = from;; dir = directory_of(dir)) {
            const auto found = index.kustomization_by_dir.find(std::string(dir));
            if (found != index.kustomization_by_dir.end()) {
                const bool in_chart = object.in_templates && dir.size() > object.chart.size();
                const bool alike =
                    dir.size() < own.size() &&
                    files_in.count({found->second, directory_of(own), file_name_of(tree.files[object.file].path)});
                return dir == own || in_chart || alike || used.count({found->second, own}) ? found->second : no_entity;
            }
            if (dir.empty()) return no_entity;
        }
    }

    bool is_kept_aside(FileId file, std::string_view name) const {
        return is_side_path(index, file) || is_sample_name(name);
    }

    EntityId id_of(const Object& object) const { return static_cast<EntityId>(&object - index.objects.data()); }

    // A proven root that builds the folder of a Flux Kustomization; no_number for none.
    std::uint32_t builder_of(const FluxKustomization& flux) const {
        const auto list = index.kustomization_by_dir.find(*join_path("", flux.path.text));
        if (list != index.kustomization_by_dir.end())
            for (std::uint32_t number : fleet.roots_through(list->second))
                if (const Root& root = fleet.roots[number];
                    root.by == Root::By::flux && root.certainty == Certainty::proven &&
                    (root.flux == no_entity || index.flux_kustomizations[root.flux].object != flux.object))
                    return number;
        return no_number;
    }

    // It lies in what it applies, and another applies that already.
    bool is_left_over(const Object& object) {
        const auto flux = in_own_folder.find(id_of(object));
        const std::string& path = tree.files[object.file].path;
        if (flux == in_own_folder.end() || !index.listers.of(object.file).empty() || is_applied(id_of(object)) ||
            is_kept_aside(object.file, file_name_of(path)))
            return false;
        std::uint32_t by = verdicts.left_out().does_the_same(*flux->second, {});
        const bool same = by != no_number;
        if (!same && keeper(object) != no_entity) return false;
        if (!same) by = builder_of(*flux->second);
        if (by == no_number) return false;
        if (!same) verdicts.leave_out(); // files that nothing applies are a habit here
        const Root& root = fleet.roots[by];
        Finding finding;
        finding.rule = input.rule.id;
        finding.severity = Severity::note;
        finding.message = "nothing applies Kustomization " + object.name.text + ", and Kustomization " + root.name +
                          " applies its folder already" + (same ? ": left over" : "");
        finding.place = object.name.place;
        finding.proof = root.place;
        finding.related.push_back({root.place, "what applies the folder"});
        outcome.fail(path, std::move(finding));
        return true;
    }

    void judge(const Object& object) {
        if (is_left_over(object)) return;
        const EntityId id = keeper(object);
        if (id == no_entity) return;
        const Kustomization& made = index.kustomizations[id];
        const std::string& path = tree.files[object.file].path;
        const std::string_view name = file_name_of(path);
        const Place place = is_set(object.name) ? object.name.place : object.kind.place;
        // Of `a/ks.yaml` the folder tells it from `b/ks.yaml`.
        const std::string_view own = directory_of(path);
        const bool below = own != made.dir && !used.count({id, own}) && !object.in_templates;
        const std::string_view called = below ? file_name_of(own) : name;
        if (!index.listers.of(object.file).empty() || mentions(tree.indexed_text(made.file), called) ||
            named_by_plugin(id, name) || is_applied(id_of(object)))
            return outcome.pass(place, path);
        if (is_kept_aside(object.file, name)) return outcome.undecided(place, path, "a sample by its path");
        if (templated[id]) return outcome.undecided(place, path, "the kustomization has templated entries");
        const bool helm = object.in_templates;
        if (helm && tree.indexed_text(object.file).find("{{") != std::string::npos)
            return outcome.undecided(place, path, "Helm syntax: only Helm can apply it");
        if (!helm && mentions_of.name(path)) {
            ++named_elsewhere[id];
            return outcome.undecided(place, path, "a script or a document names it");
        }
        if (head_names_kustomization(tree.indexed_text(object.file))) return outcome.pass(place, path);
        Candidate one;
        one.keeper = id;
        one.place = place;
        one.path = path;
        one.called = std::string(below ? std::string(called) + "/" : "") + std::string(name);
        one.what = object.kind.text + (is_set(object.name) ? " " + object.name.text : "");
        one.helm = helm;
        one.near =
            below || used.count({id, own}) || folders_in.count({id, own}) || folders_in.count({id, directory_of(own)});
        one.entry = true;
        for (EntityId i = id_of(object); i < index.objects.size() && index.objects[i].file == object.file; ++i) {
            const Object& other = index.objects[i];
            if (other.embedded || other.partial || is_for_a_tool(other)) continue;
            one.objects.push_back(i);
            one.entry = one.entry && other.group == "kustomize.toolkit.fluxcd.io";
        }
        candidates[id].push_back(std::move(one));
    }

    static Place list_of(const Kustomization& made) {
        Place list = made.place;
        list.span.end = list.span.begin;
        for (const Listed& entry : made.listed)
            if (entry.as == Listing::resource) list = entry.path.place;
        return list;
    }

    // A folder with a kustomization beside folders that one above lists.
    void judge_folder(EntityId own) {
        const Kustomization& made = index.kustomizations[own];
        if (made.embedded || made.dir.empty()) return;
        const std::string_view parent = directory_of(made.dir);
        EntityId above = no_entity;
        for (std::string_view dir = parent;; dir = directory_of(dir)) {
            const auto found = index.kustomization_by_dir.find(std::string(dir));
            if (found != index.kustomization_by_dir.end()) above = found->second;
            if (above != no_entity || dir.empty()) break;
        }
        if (above == no_entity || !folders_in.count({above, parent})) return;
        const std::string& path = tree.files[made.file].path;
        const std::string_view name = file_name_of(made.dir);
        const Place place{made.file, {made.place.span.begin, made.place.span.begin}};
        const Kustomization& keeper = index.kustomizations[above];
        const auto listers = index.dir_listers.find(own);
        if (listers != index.dir_listers.end() || fleet.certainty_of_file(made.file) != Certainty::loose ||
            mentions(tree.indexed_text(keeper.file), name))
            return outcome.pass(place, path);
        if (is_kept_aside(made.file, name)) return outcome.undecided(place, path, "a sample by its path");
        if (templated[above]) return outcome.undecided(place, path, "the kustomization has templated entries");
        if (mentions_of.name(made.dir)) return outcome.undecided(place, path, "a script or a document names it");
        Candidate one;
        one.keeper = above;
        one.place = place;
        one.path = path;
        one.called = std::string(name);
        one.what = "the folder " + made.dir;
        one.entry = one.folder = one.near = true;
        one.below = made.dir;
        one.component = made.component;
        candidates[above].push_back(std::move(one));
    }

    Finding finding_of(const Candidate& one, std::string message) const {
        const Kustomization& made = index.kustomizations[one.keeper];
        Finding finding;
        finding.rule = input.rule.id;
        finding.message = std::move(message);
        finding.place = one.place;
        finding.related.push_back({list_of(made), one.helm || one.near ? "the list it is missing from" : "the list"});
        if (!one.helm) finding.proof = made.place;
        return finding;
    }

    // What is encrypted is for whoever decrypts it: kustomize alone would apply the cipher.
    bool is_for_others(FileId file, EntityId keeper) const {
        const auto through = fleet.roots_through(keeper);
        const bool by_flux = std::any_of(through.begin(), through.end(), [&](std::uint32_t number) {
            return fleet.roots[number].by == Root::By::flux;
        });
        return !by_flux && std::any_of(index.objects.begin(), index.objects.end(),
                                       [&](const Object& one) { return one.file == file && one.sops; });
    }

    void report_left_out(EntityId id, const std::vector<Candidate>& group) {
        const std::string& list = tree.files[index.kustomizations[id].file].path;
        const std::size_t left_out = group.size() + named_elsewhere[id];
        std::vector<std::pair<const Candidate*, std::string>> notes;
        for (const Candidate& one : group) {
            std::string why = fragments.count(one.place.file)     ? "it would apply nothing on its own"
                              : is_for_others(one.place.file, id) ? "it is encrypted, and nothing here decrypts it"
                                                                  : verdicts.reason(one, left_out, entries[id]);
            if (!why.empty()) {
                notes.emplace_back(&one, std::move(why));
                continue;
            }
            Finding finding = finding_of(
                one, one.folder ? one.what + " is listed by no kustomization, " + list +
                                      " lists those beside it; nothing applies it"
                                : one.what + ": " + one.called + " is listed by no kustomization, " + list +
                                      " does not name it; " +
                                      (one.helm ? "Helm installs it, kustomize does not" : "nothing applies it"));
            finding.severity = input.rule.severity;
            finding.cause = list; // one list, one finding
            outcome.fail(one.path, std::move(finding));
        }
        if (notes.empty()) return;
        const Candidate& first = *notes.front().first;
        std::string message = first.called;
        if (notes.size() > 1) message += " and " + std::to_string(notes.size() - 1) + " more";
        message += std::string(notes.size() > 1 ? " are" : " is") + " not in the list of " + list;
        if (notes.size() == 1) message += ": " + notes.front().second;
        Finding finding = finding_of(first, std::move(message));
        finding.severity = Severity::note;
        for (std::size_t i = notes.size() > 1 ? 0 : 1; i < notes.size(); ++i)
            finding.related.push_back({notes[i].first->place, notes[i].first->called + ": " + notes[i].second});
        outcome.fail(first.path, std::move(finding));
    }

    void report() {
        for (const ListedEdge& edge : index.listed_edges)
            if (edge.target == Target::file) verdicts.listed(tree.files[edge.file].path);
        for (const auto& [id, group] : candidates)
            for (const Candidate& one : group)
                verdicts.expect(one);
        for (const auto& [id, group] : candidates)
            report_left_out(id, group);
    }
};

void run(const CheckInput& input, RuleOutcome& outcome) {
    Wiring wiring{input, outcome};
    wiring.collect();
    for (const Object* object : wiring.manifests) {
        if (!object) continue;
        const std::string_view path = wiring.tree.files[object->file].path;
        if ((path.ends_with(".yaml") || path.ends_with(".yml")) && !is_kustomization_name(file_name_of(path)))
            wiring.judge(*object);
    }
    for (EntityId id = 0; id < wiring.index.kustomizations.size(); ++id)
        wiring.judge_folder(id);
    wiring.report();
}

} // namespace

constexpr NativeCheck check{run, "hands"};

} // namespace lockstep::unwired_manifest
