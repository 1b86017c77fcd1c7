// Compares a manifest that no list names with the known reasons for leaving one out.
#include "deploy/left_out_reasons.h"
#include "index/cells.h"
#include "index/left_out_names.h"
#include <algorithm>
#include <functional>

namespace lockstep {
namespace {

constexpr std::string_view kustomize_group = "kustomize.toolkit.fluxcd.io";

// Something that leads traffic somewhere, and does not say where.
bool leads_nowhere(const Object& object, const Value* tree) {
    const std::string_view kind = object.kind.text;
    if (kind != "Ingress" && kind.find("Route") == std::string_view::npos) return false;
    const std::function<bool(const Value&)> names_backend = [&](const Value& value) {
        for (std::size_t i = 0; value.is_mapping() && i < value.size(); ++i)
            for (std::string_view key :
                 {"backend", "backendRefs", "defaultBackend", "service", "services", "to", "filters"})
                if (value.key_at(i)->text == key) return true;
        return std::any_of(value.all().begin(), value.all().end(),
                           [&](const Value* child) { return names_backend(*child); });
    };
    const Value* spec = value_at(tree, {"spec"});
    return spec && !names_backend(*spec);
}

bool is_marked_by_helm(const Value* tree) {
    return cell_at(tree, {"metadata", "labels", "app.kubernetes.io/managed-by"}).text == "Helm" ||
           is_set(cell_at(tree, {"metadata", "annotations", "meta.helm.sh/release-name"}));
}

// The list takes files of the same folder, and takes all of them as patches.
bool is_among_patches(const Kustomization& made, std::string_view path) {
    bool any = false;
    for (const Listed& entry : made.listed) {
        const auto other = is_known(entry.path) ? join_path(made.dir, entry.path.text) : std::nullopt;
        if (!other || directory_of(*other) != directory_of(path)) continue;
        if (entry.as != Listing::patch) return false;
        any = true;
    }
    return any;
}

bool holds_all(const Value& labels, const Value& wanted) {
    if (!labels.is_mapping() || !wanted.is_mapping() || wanted.size() == 0) return false;
    for (std::size_t i = 0; i < wanted.size(); ++i)
        if (labels.text_of(wanted.key_at(i)->text) != wanted.value_at(i)->text) return false;
    return true;
}

std::string_view stem_of(std::string_view path) {
    const std::string_view name = file_name_of(path);
    return name.substr(0, name.find('.'));
}

bool is_patch_name(std::string_view path) {
    return path.find("patch") != std::string_view::npos;
}

} // namespace

// What an entry would switch on: everything in the folders that it leads to.
std::vector<EntityId> LeftOutReasons::brought_by(const Candidate& one) const {
    std::vector<std::string> folders;
    if (one.folder) folders.push_back(one.below + "/");
    for (const FluxKustomization& flux : index_.flux_kustomizations)
        if (std::find(one.objects.begin(), one.objects.end(), flux.object) != one.objects.end() && is_known(flux.path))
            if (const auto folder = join_path("", flux.path.text); folder && !folder->empty())
                folders.push_back(*folder + "/");
    std::vector<EntityId> found;
    for (EntityId id = 0; !folders.empty() && id < index_.objects.size(); ++id) {
        const Object& object = index_.objects[id];
        const std::string_view path = index_.tree->files[object.file].path;
        if (!object.embedded && !object.partial && !object.in_templates &&
            std::any_of(folders.begin(), folders.end(),
                        [&](const std::string& folder) { return path.starts_with(folder); }))
            found.push_back(id);
    }
    return found;
}

void LeftOutReasons::expect(const Candidate& one) {
    const ListReach& reach = left_out_.reach(one.keeper);
    if (!one.helm && !reach.clusters.empty()) ++candidates_;
    if (!one.folder) ++unlisted_[std::string(file_name_of(one.path))];
    if (one.helm || reach.clusters.empty()) return;
    for (EntityId id : one.objects)
        if (one.entry || is_passive(index_.objects[id], tree_of(id))) left_out_.expect(index_.objects[id], reach);
    if (one.entry)
        for (EntityId id : brought_by(one))
            if (is_passive(index_.objects[id], tree_of(id))) left_out_.expect(index_.objects[id], reach);
}

// Something that is applied cannot do without it.
bool LeftOutReasons::is_needed(const Candidate& one, const ListReach& reach) {
    for (EntityId id : one.objects) {
        const Object& object = index_.objects[id];
        if (object.group == kustomize_group && left_out_.is_waited_for(object.name.text, reach)) return true;
        if (object.kind.text == "Namespace" && scripts_make_namespaces) continue;
        if (is_passive(object, tree_of(id)) && !is_marked_by_helm(tree_of(id)) &&
            !left_out_.is_delivered(object, reach) && left_out_.is_asked_for(object, reach))
            return true;
    }
    if (!one.entry) return false;
    for (EntityId id : brought_by(one)) {
        const Object& object = index_.objects[id];
        if (fleet_.certainty_of(id) == Certainty::loose && is_passive(object, tree_of(id)) &&
            !left_out_.is_delivered(object, reach) && left_out_.is_asked_for(object, reach, true))
            return true;
    }
    return false;
}

bool LeftOutReasons::is_declared_elsewhere(const Candidate& one) const {
    return std::all_of(one.objects.begin(), one.objects.end(), [&](EntityId id) {
        const Object& object = index_.objects[id];
        return std::any_of(index_.objects.begin(), index_.objects.end(), [&](const Object& other) {
            return other.file != object.file && !other.as_patch && !other.partial && other.group == object.group &&
                   other.kind.text == object.kind.text && other.name.text == object.name.text &&
                   !index_.listers.of(other.file).empty();
        });
    });
}

// `# - ./web/ks.yaml` in a list that a cluster gets: what is called after that app is left over from it.
const std::set<std::string, std::less<>>& LeftOutReasons::switched_off() {
    if (switched_off_) return *switched_off_;
    switched_off_.emplace();
    for (const Kustomization& made : index_.kustomizations) {
        if (fleet_.certainty_of_file(made.file) != Certainty::proven) continue;
        for (std::string_view entry : commented_entries(index_.tree->indexed_text(made.file)))
            for (std::string_view part = entry; !part.empty(); part = directory_of(part))
                if (const std::string_view stem = stem_of(part); stem.size() > 3) switched_off_->emplace(stem);
    }
    return *switched_off_;
}

// A Service that leads to the same pods under another name.
bool LeftOutReasons::is_superseded(const Object& object, const ListReach& reach) const {
    const Value* own = value_at(tree_of(static_cast<EntityId>(&object - index_.objects.data())), {"spec", "selector"});
    if (object.kind.text != "Service" || !object.group.empty() || !own) return false;
    for (const std::uint32_t number : reach.roots) {
        const Root& root = fleet_.roots[number];
        for (std::uint32_t i = root.first; i < root.first + root.count; ++i) {
            const Instance& one = fleet_.instances[i];
            if (one.id().kind != "Service" || !one.id().group.empty()) continue;
            const Value* other = value_at(fleet_.tree_of(one), {"spec", "selector"});
            if (other && (holds_all(*own, *other) || holds_all(*other, *own))) return true;
        }
    }
    return false;
}

std::string LeftOutReasons::by_name(const Candidate& one) {
    const Kustomization& made = index_.kustomizations[one.keeper];
    const Tree& tree = *index_.tree;
    const auto commented = commented_entries(tree.indexed_text(made.file));
    if (const std::string said = said_to_be_left_out(tree.indexed_text(made.file)); !said.empty())
        return "a comment of the list says that something was " + said;
    if (switched_off().contains(stem_of(one.path))) return "the entry with its name is commented out in a list";
    for (std::string_view entry : commented) {
        const auto path = join_path(made.dir, entry);
        if (path && !tree.find(*path) && !tree.has_directory(*path) &&
            are_much_alike(file_name_of(entry), file_name_of(one.called)))
            return "the list has `" + std::string(entry) + "` commented out, which may be its old name";
    }
    const std::string_view name = file_name_of(one.path);
    constexpr std::size_t several = 3;
    if (const auto others = unlisted_.find(name);
        !one.entry && others != unlisted_.end() && others->second >= several &&
        (!listed_.count(name) || listed_.at(std::string(name)) <= others->second))
        return std::to_string(others->second) + " lists leave out a " + std::string(name);
    const SeriesName own = series_name(one.called);
    auto is_member = [&](std::string_view entry, bool higher) {
        while (entry.starts_with("./"))
            entry.remove_prefix(2);
        const SeriesName other = series_name(entry);
        return other.stem == own.stem && other.number != own.number &&
               (!higher || other.number > own.number || own.version || other.version);
    };
    for (const Listed& entry : made.listed)
        if (is_member(entry.path.text, true)) return "another file of its series is listed, `" + entry.path.text + "`";
    for (std::string_view entry : commented)
        if (is_member(entry, false)) return "another file of its series is commented out, `" + std::string(entry) + "`";
    return {};
}

// A snapshot cannot tell a parked app from a forgotten one; the only one that is missing stands out.
std::string LeftOutReasons::of_entry(const Candidate& one, const ListReach& reach, bool alone) {
    if (one.component) return "components are opt-in";
    for (const FluxKustomization& flux : index_.flux_kustomizations) {
        if (std::find(one.objects.begin(), one.objects.end(), flux.object) == one.objects.end()) continue;
        for (const Reference& other : flux.depends_on)
            if (is_known(other.name) &&
                std::any_of(reach.clusters.begin(), reach.clusters.end(), [&](std::uint32_t cluster) {
                    return fleet_.find(cluster, kustomize_group, "Kustomization", "", other.name.text).empty();
                }))
                return "it waits for " + other.name.text + ", which is not applied either";
        if (const std::uint32_t same = left_out_.does_the_same(flux, reach.clusters); same != no_number)
            return "left over: Kustomization " + fleet_.roots[same].name + " applies its folder already";
    }
    for (EntityId id : one.folder ? brought_by(one) : one.objects)
        if (fleet_.certainty_of(id) == Certainty::loose && index_.objects[id].kind.text != "Namespace" &&
            left_out_.is_delivered(index_.objects[id], reach))
            return index_.objects[id].kind.text + " " + index_.objects[id].name.text + " is applied from elsewhere";
    if (std::string why = of_folder(one); !why.empty()) return why;
    const bool parks = !commented_entries(index_.tree->indexed_text(index_.kustomizations[one.keeper].file)).empty();
    return alone && is_only_one() && !parks ? "" : "nothing applied depends on it or refers to it";
}

// Where many files are left out, leaving one out is a habit; then something has to speak for this one.
std::string LeftOutReasons::of_company(const Candidate& one, const Object& object, const ListReach& reach) const {
    if (is_only_one()) return {};
    const bool unit = std::string_view(object.group).ends_with("toolkit.fluxcd.io");
    if (unit && one.called.find('/') != std::string::npos) return "an app is switched on by its entry in the list";
    const auto others = listed_.find(file_name_of(one.path)), left = unlisted_.find(file_name_of(one.path));
    constexpr std::size_t several = 3, few = 5;
    if (others != listed_.end() && others->second >= several &&
        (left == unlisted_.end() || left->second * few <= others->second))
        return {}; // the sister lists name theirs
    const auto alike = reach.kinds.find(object.group + "/" + object.kind.text);
    const bool routes = object.kind.text == "Ingress" || object.kind.text.find("Route") != std::string::npos;
    if (alike != reach.kinds.end() && alike->second >= several && !routes && !unit) return {};
    return "nothing applied needs it, and no sibling list has one like it";
}

// What the entry would bring, and that it can.
std::string LeftOutReasons::of_folder(const Candidate& one) const {
    const Tree& tree = *index_.tree;
    for (const FluxKustomization& flux : index_.flux_kustomizations) {
        if (std::find(one.objects.begin(), one.objects.end(), flux.object) == one.objects.end()) continue;
        const auto folder = is_known(flux.path) ? join_path("", flux.path.text) : std::nullopt;
        if (!folder || folder->empty() || !tree.has_directory(*folder)) continue;
        const std::string list = *folder + "/kustomization.yaml";
        if (tree.find(list) && !index_.kustomization_by_dir.count(*folder)) return list + " does not build";
    }
    const std::vector<EntityId> brought = one.folder ? brought_by(one) : std::vector<EntityId>();
    const bool idle = !brought.empty() && std::all_of(brought.begin(), brought.end(), [&](EntityId id) {
        return index_.objects[id].group == "kustomize.config.k8s.io" || is_passive(index_.objects[id], tree_of(id));
    });
    return idle ? "nothing applied needs what is in it" : "";
}

// What it shows is in a ConfigMap that no cluster of the list gets, and that no release beside it would call so.
std::string LeftOutReasons::lacking(const Value* tree, const ListReach& reach) const {
    const Cell name = cell_at(tree, {"spec", "configMapRef", "name"});
    if (!is_known(name)) return {};
    const bool by_release = std::any_of(reach.names.begin(), reach.names.end(), [&](const std::string& other) {
        return !other.empty() && std::string_view(name.text).starts_with(other);
    });
    const bool here = std::any_of(reach.clusters.begin(), reach.clusters.end(), [&](std::uint32_t cluster) {
        return !fleet_.find(cluster, "", "ConfigMap", "", name.text).empty();
    });
    return by_release || here ? std::string() : "ConfigMap " + name.text;
}

// The last thing of an operator that went.
bool LeftOutReasons::is_last_of_group(const Object& object) const {
    const std::string& group = object.group;
    if (group.find('.') == std::string::npos || group.ends_with("k8s.io")) return false;
    return std::none_of(index_.objects.begin(), index_.objects.end(), [&](const Object& other) {
        if (other.kind.text == "CustomResourceDefinition")
            return std::string_view(other.name.text).ends_with("." + group);
        return other.group == group && other.file != object.file;
    });
}

// As it is written, where its cluster has neither that namespace nor anything in it.
std::string LeftOutReasons::namespace_nobody_makes(const Object& object, const ListReach& reach) const {
    const std::string& ns = object.ns.text;
    if (!is_known(object.ns) || ns.empty() || ns == "default" || ns == "kube-system" || ns == "kube-public") return {};
    for (std::uint32_t number : reach.roots)
        if (is_set(fleet_.roots[number].spec.target_namespace)) return {};
    const bool there = std::any_of(fleet_.instances.begin(), fleet_.instances.end(), [&](const Instance& one) {
        return reach.clusters.count(fleet_.root_of(one).cluster) &&
               (one.id().ns == ns || (one.id().kind == "Namespace" && one.id().name == ns));
    });
    return there ? std::string() : ns;
}

std::string LeftOutReasons::of_object(const Object& object, const ListReach& reach) const {
    const Value* tree = tree_of(static_cast<EntityId>(&object - index_.objects.data()));
    if (left_out_.is_delivered(object, reach)) return "left over: the same object is applied from elsewhere";
    if (is_patch_shaped(object, tree)) return "a patch by its shape";
    if (is_marked_by_helm(tree)) return "its labels say that a Helm release created it";
    if (const std::string lacks = lacking(tree, reach); !lacks.empty()) return lacks + " is created by nothing";
    if (is_one_shot(object, tree)) return "a " + object.kind.text + " runs once, usually by hand";
    if (object.kind.text == "Namespace") return "nothing applied needs this namespace from here";
    if (is_passive(object, tree)) return "nothing applied refers to it";
    if (left_out_.is_made_by_release(object, reach))
        return "the values of HelmRelease " + object.name.text + " create one";
    if (is_superseded(object, reach)) return "another Service that is applied selects the same pods";
    if (leads_nowhere(object, tree)) return "it is unfinished: it names no target";
    if (is_last_of_group(object)) return "nothing else here is of " + object.group + ": what reads it may be gone";
    return {};
}

// The raw manifests of what a release of the same list installs by now: a workload with all that belongs to it.
bool LeftOutReasons::replaces_release(const Candidate& one, const ListReach& reach) const {
    bool workload = false;
    for (EntityId id : one.objects)
        workload = workload || (index_.objects[id].group == "apps" && index_.objects[id].kind.text != "ReplicaSet");
    const std::string_view folder = file_name_of(index_.kustomizations[one.keeper].dir);
    return workload && one.objects.size() > 1 &&
           std::any_of(reach.releases.begin(), reach.releases.end(), [&](std::uint32_t number) {
               const std::string_view name = fleet_.instances[number].id().name;
               return name == folder || folder == "app";
           });
}

// Its Applications take folders with and without their lists.
bool LeftOutReasons::uses_argo() const {
    return std::any_of(index_.objects.begin(), index_.objects.end(), [](const Object& one) {
        return one.group == "argoproj.io" && std::string_view(one.kind.text).starts_with("Application");
    });
}

// What one of its objects says of the whole file, even where something needs another of them.
std::string LeftOutReasons::of_part(const Candidate& one, const ListReach& reach) const {
    if (one.entry) return {};
    for (EntityId id : one.objects) {
        const Object& object = index_.objects[id];
        if (left_out_.is_delivered(object, reach))
            return object.kind.text + " " + object.name.text + " of it is applied from elsewhere";
        if (one.objects.size() > 1 && is_one_shot(object, tree_of(id)))
            return object.kind.text + " " + object.name.text + " of it runs once, usually by hand";
        if (const std::string ns = object.kind.text == "Service" ? namespace_nobody_makes(object, reach) : "";
            !ns.empty())
            return "nothing creates its namespace " + ns;
    }
    return {};
}

// Words of its own name, or of all that it holds.
std::string LeftOutReasons::of_words(const Candidate& one) const {
    std::string_view word = word_for_put_aside(file_name_of(one.path));
    for (EntityId id : one.objects) {
        if (!word.empty()) break;
        word = word_for_put_aside(index_.objects[id].name.text);
        if (word.empty()) return {};
    }
    return word.empty() ? std::string() : "its name says `" + std::string(word) + "`";
}

std::string LeftOutReasons::reason(const Candidate& one, std::size_t unlisted, std::size_t listed) {
    if (one.helm) return {};
    const ListReach& reach = left_out_.reach(one.keeper);
    if (reach.clusters.empty()) return "nothing proves that the list is applied";
    if (!fleet_.has_roots && uses_argo()) return "Argo CD may apply it on its own";
    const std::string_view list = index_.tree->indexed_text(index_.kustomizations[one.keeper].file);
    for (EntityId id : one.objects)
        for (std::string_view name : {stem_of(one.path), std::string_view(index_.objects[id].kind.text)})
            if (const std::string said = said_to_be_made_by_hand(list, name); !said.empty())
                return "a comment of the list says of it: " + said;
    if (std::string why = of_part(one, reach); !why.empty()) return why;
    if (is_needed(one, reach)) return {};
    if (!one.near) return "the list names nothing beside it";
    if (unlisted > listed || (unlisted == listed && !one.entry)) return "the list leaves out as much as it names";
    if (std::string why = by_name(one); !why.empty()) return why;
    if (std::string why = of_words(one); !why.empty()) return why;
    if (one.entry) return of_entry(one, reach, unlisted == 1);
    if (is_patch_name(one.path)) return "a patch by its name";
    if (is_among_patches(index_.kustomizations[one.keeper], one.path) && is_declared_elsewhere(one))
        return "the files beside it are patches, and another file declares its object";
    if (replaces_release(one, reach)) return "a HelmRelease of the same list may have taken its place";
    std::string why;
    for (EntityId id : one.objects) {
        why = of_object(index_.objects[id], reach);
        if (why.empty()) why = of_company(one, index_.objects[id], reach);
        if (why.empty()) return {};
    }
    return why;
}

} // namespace lockstep
