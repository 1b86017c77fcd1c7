// Looks through everything that the clusters get for the names of objects that are left out.
#include "deploy/left_out.h"
#include "base/text.h"
#include "index/cells.h"
#include "kustomize/ids.h"
#include <algorithm>
#include <cctype>

namespace lockstep {
namespace {

// Kinds that act only when something names them, with the words of the keys that do so.
struct Passive {
    std::string_view kind;
    std::vector<std::string_view> words;
};
const std::vector<Passive>& passive_kinds() {
    static const std::vector<Passive> kinds = {
        {"ConfigMap", {"configmap"}},
        {"Secret", {"secret"}},
        {"ExternalSecret", {"secret"}},
        {"SealedSecret", {"secret"}},
        {"PersistentVolumeClaim", {"claim", "pvc"}},
        {"PersistentVolume", {"volumename"}},
        {"ServiceAccount", {"serviceaccount"}},
        {"Role", {"roleref"}},
        {"ClusterRole", {"roleref"}},
        {"HelmRepository", {"sourceref", "chartref"}},
        {"OCIRepository", {"sourceref", "chartref"}},
        {"GitRepository", {"sourceref", "chartref"}},
        {"Bucket", {"sourceref", "chartref"}},
        {"StorageClass", {"storageclass"}},
        {"VolumeSnapshotClass", {"snapshotclass"}},
        {"PriorityClass", {"priorityclass"}},
        {"IngressClass", {"ingressclass"}},
        {"RuntimeClass", {"runtimeclass"}},
        {"Issuer", {"issuer"}},
        {"ClusterIssuer", {"issuer"}},
        {"SecretStore", {"store"}},
        {"ClusterSecretStore", {"store"}},
        {"Middleware", {"middleware"}},
        {"Provider", {"provider"}},
        {"ImageRepository", {"imagerepositoryref"}},
        {"Bundle", {"configmap", "secret"}},
        {"Task", {"taskref"}},
        {"Pipeline", {"pipelineref"}},
        {"TriggerBinding", {"ref", "binding"}},
        {"TriggerTemplate", {"ref", "template"}},
    };
    return kinds;
}

const Passive* passive(std::string_view kind) {
    for (const Passive& one : passive_kinds())
        if (one.kind == kind) return &one;
    return nullptr;
}

bool is_secret(std::string_view kind) {
    return kind == "Secret" || kind == "ExternalSecret" || kind == "SealedSecret";
}

bool is_workload(std::string_view kind) {
    return kind == "Deployment" || kind == "StatefulSet" || kind == "DaemonSet";
}

std::string lower(std::string_view text) {
    std::string made(text);
    std::transform(made.begin(), made.end(), made.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return made;
}

bool is_off(const Value* value) {
    return value && value->is_scalar() && (value->text == "false" || value->text == "no" || value->is_null());
}

// `enabled: true`, something that is not switched off, or a mapping of such things.
bool is_on(const Value& value) {
    if (value.is_scalar()) return !is_off(&value) && value.text == "true";
    if (!value.is_mapping() || value.size() == 0) return false;
    if (const Value* enabled = value.get("enabled")) return !is_off(enabled);
    for (std::size_t i = 0; i < value.size(); ++i)
        if (value.value_at(i)->is_mapping() && !is_off(value.value_at(i)->get("enabled"))) return true;
    return std::none_of(value.all().begin(), value.all().end(), [](const Value* one) { return one->is_mapping(); });
}

bool has_key_for(const Value* values, const std::string& kind, int depth) {
    for (std::size_t i = 0; values && values->is_mapping() && i < values->size(); ++i) {
        const std::string key = lower(values->key_at(i)->text);
        if ((key == kind || (key == "route" && kind == "httproute") || key == kind + "s") &&
            is_on(*values->value_at(i)))
            return true;
        if (depth > 0 && has_key_for(values->value_at(i), kind, depth - 1)) return true;
    }
    return false;
}

} // namespace

bool is_one_shot(const Object& object, const Value* tree) {
    const std::string_view kind = object.kind.text;
    for (std::string_view one : {"Job", "Pod", "Backup", "Restore", "PipelineRun", "TaskRun", "Workflow"})
        if (kind == one) return true;
    if (kind.ends_with("Request") || object.generate_name) return true;
    return kind == "ReplicationDestination" && value_at(tree, {"spec", "trigger", "manual"});
}

bool is_passive(const Object& object, const Value* tree) {
    const std::string_view kind = object.kind.text;
    if (kind == "Namespace") return true;
    if (!passive(kind)) return false;
    if (kind == "Provider" && object.group != "notification.toolkit.fluxcd.io") return false;
    // What a sidecar or the aggregation of roles picks up by its labels.
    const Value* labels = value_at(tree, {"metadata", "labels"});
    for (std::size_t i = 0; labels && labels->is_mapping() && i < labels->size(); ++i) {
        const std::string_view key = labels->key_at(i)->text;
        if (key.find("grafana_") != npos || key.find("/aggregate-to-") != npos) return false;
    }
    return true;
}

bool is_patch_shaped(const Object& object, const Value* tree) {
    if (!is_workload(object.kind.text) || object.group != "apps") return false;
    return !value_at(tree, {"spec", "selector"});
}

const ListReach& LeftOut::reach(EntityId kustomization) {
    const auto [known, fresh] = reach_.try_emplace(kustomization);
    ListReach& made = known->second;
    if (!fresh) return made;
    const Kustomization& own = index_.kustomizations[kustomization];
    for (std::uint32_t number = 0; number < fleet_.roots.size(); ++number) {
        const Root& root = fleet_.roots[number];
        if (root.certainty != Certainty::proven ||
            std::find(root.folders.begin(), root.folders.end(), own.dir) == root.folders.end())
            continue;
        made.clusters.insert(root.cluster);
        made.roots.insert(number);
        for (std::uint32_t i = root.first; i < root.first + root.count; ++i) {
            const Instance& one = fleet_.instances[i];
            bool through = false;
            for (const Via* via = one.resource.via; via && !through; via = via->below)
                through = via->kustomization == own.file;
            if (!through) continue;
            if (!one.id().ns.empty() && one.ns_known) made.namespaces.emplace(one.id().ns);
            if (one.id().kind == "HelmRelease") made.releases.push_back(i);
            made.names.emplace(one.id().name);
            ++made.kinds[std::string(one.id().group) + "/" + std::string(one.id().kind)];
        }
    }
    return made;
}

// What refers to an ExternalSecret names the Secret it makes.
std::vector<std::string> LeftOut::names_of(const Object& object) const {
    std::vector<std::string> names;
    if (is_known(object.name)) names.push_back(object.name.text);
    if (object.kind.text == "ExternalSecret" && &object >= index_.objects.data()) {
        const Value* tree = fleet_.declared_tree(static_cast<EntityId>(&object - index_.objects.data()));
        const Cell target = cell_at(tree, {"spec", "target", "name"});
        if (is_known(target) && target.text != object.name.text) names.push_back(target.text);
    }
    return names;
}

void LeftOut::expect(const Object& object, const ListReach& reach) {
    for (std::string& name : names_of(object))
        wanted_.insert(std::move(name));
    clusters_.insert(reach.clusters.begin(), reach.clusters.end());
}

bool LeftOut::is_near(const ListReach& reach, const Object& object, std::string_view ns) {
    return ns.empty() || (reach.namespaces.empty() && !is_set(object.ns)) || ns == object.ns.text ||
           reach.namespaces.count(ns);
}

bool LeftOut::is_delivered(const Object& object, const ListReach& reach) const {
    if (reach.clusters.empty() || !is_set(object.name)) return false;
    if (!is_known(object.name)) { // the same text in one build is the same name
        for (std::uint32_t number : reach.roots) {
            const Root& root = fleet_.roots[number];
            for (std::uint32_t i = root.first; i < root.first + root.count; ++i) {
                const EntityId other = fleet_.instances[i].object;
                if (other != no_entity && index_.objects[other].kind.text == object.kind.text &&
                    index_.objects[other].name.text == object.name.text)
                    return true;
            }
        }
        return false;
    }
    return std::all_of(reach.clusters.begin(), reach.clusters.end(), [&](std::uint32_t cluster) {
        const auto found = fleet_.find(cluster, object.group, object.kind.text, "", object.name.text);
        return std::any_of(found.begin(), found.end(), [&](std::uint32_t number) {
            const Instance& one = fleet_.instances[number];
            return one.cluster_scoped || is_near(reach, object, one.id().ns);
        });
    });
}

void LeftOut::walk(const Value& value, std::vector<std::string_view>& keys, std::string_view kind_beside,
                   const Ask& from) {
    if (value.is_scalar()) {
        if (value.text.empty() || !wanted_.count(value.text)) return;
        Ask ask = from;
        for (std::size_t i = keys.size() < 3 ? 0 : keys.size() - 3; i < keys.size(); ++i)
            ask.under += lower(keys[i]) + ".";
        asks_[std::string(value.text)].push_back(std::move(ask));
        if (!kind_beside.empty()) asks_[std::string(value.text)].back().under += lower(kind_beside);
        return;
    }
    if (value.is_sequence()) {
        for (const Value* item : value.items())
            walk(*item, keys, kind_beside, from);
        return;
    }
    std::string_view beside = value.text_of("kind");
    if (beside.empty()) beside = value.text_of("type");
    for (std::size_t i = 0; i < value.size(); ++i) {
        keys.push_back(value.key_at(i)->text);
        walk(*value.value_at(i), keys, beside, from);
        keys.pop_back();
    }
}

void LeftOut::read(const Instance& one, const Value& tree) {
    const std::uint32_t cluster = fleet_.root_of(one).cluster;
    const ResourceId& id = one.id();
    Ask from{cluster, std::string(id.ns), {}, id.kind, {}};
    if (id.kind == "HelmRelease") {
        from.target_ns = cell_at(&tree, {"spec", "targetNamespace"}).text;
        if (!from.target_ns.empty()) used_namespaces_.emplace(cluster, from.target_ns);
        // The release itself has to be somewhere before it can make a namespace.
        if (cell_at(&tree, {"spec", "install", "createNamespace"}).text == "true" && from.target_ns != from.ns)
            created_namespaces_.emplace(cluster, from.target_ns);
    }
    if (wanted_.count(id.name)) made_[std::string(id.name)].push_back({cluster, from.ns, id.kind});
    if (id.kind == "ExternalSecret")
        if (const Cell target = cell_at(&tree, {"spec", "target", "name"}); wanted_.count(target.text))
            made_[target.text].push_back({cluster, from.ns, id.kind});
    if (id.kind == "Grafana" && value_at(&tree, {"spec", "persistentVolumeClaim"})) // its operator makes the claim
        if (const std::string claim = std::string(id.name) + "-pvc"; wanted_.count(claim))
            made_[claim].push_back({cluster, from.ns, "PersistentVolumeClaim"});
    std::vector<std::string_view> keys;
    for (std::size_t i = 0; tree.is_mapping() && i < tree.size(); ++i) {
        if (tree.key_at(i)->text == "metadata") continue;
        keys.assign({tree.key_at(i)->text});
        walk(*tree.value_at(i), keys, {}, from);
    }
}

void LeftOut::read_instances() {
    if (read_) return;
    read_ = true;
    for (const Instance& one : fleet_.instances) {
        const Root& root = fleet_.root_of(one);
        if (root.certainty != Certainty::proven || !clusters_.count(root.cluster)) continue;
        if (!one.id().ns.empty()) used_namespaces_.emplace(root.cluster, one.id().ns);
        Arena arena;
        if (const Value* tree = fleet_.tree_of(one, arena)) read(one, *tree);
    }
}

bool LeftOut::is_asked_for(const Object& object, const ListReach& reach, bool any_namespace) {
    read_instances();
    if (object.kind.text == "Namespace") {
        if (!is_known(object.name) || object.name.text == "default" || object.name.text == "kube-system") return false;
        return std::any_of(reach.clusters.begin(), reach.clusters.end(), [&](std::uint32_t cluster) {
            return used_namespaces_.count({cluster, object.name.text}) &&
                   !created_namespaces_.count({cluster, object.name.text}) &&
                   fleet_.find(cluster, "", "Namespace", "", object.name.text).empty();
        });
    }
    const Passive* how = passive(object.kind.text);
    if (!how) return false;
    const bool anywhere = any_namespace || is_cluster_scoped(object.group, object.version(), object.kind.text) ||
                          object.group == "source.toolkit.fluxcd.io";
    for (const std::string& name : names_of(object)) {
        const auto asks = asks_.find(name);
        if (asks == asks_.end()) continue;
        const auto made = made_.find(name);
        for (const Ask& ask : asks->second) {
            if (!reach.clusters.count(ask.cluster)) continue;
            if (!anywhere && !is_near(reach, object, ask.ns) &&
                (ask.target_ns.empty() || !is_near(reach, object, ask.target_ns)))
                continue;
            if (std::none_of(how->words.begin(), how->words.end(),
                             [&](std::string_view word) { return ask.under.find(word) != npos; }))
                continue;
            const bool there =
                made != made_.end() && std::any_of(made->second.begin(), made->second.end(), [&](const Made& one) {
                    return one.cluster == ask.cluster &&
                           (one.kind == object.kind.text || (is_secret(one.kind) && is_secret(object.kind.text))) &&
                           (anywhere || one.ns.empty() || one.ns == ask.ns || one.ns == ask.target_ns);
                });
            if (!there) return true;
        }
    }
    return false;
}

bool LeftOut::is_waited_for(std::string_view kustomization, const ListReach& reach) {
    read_instances();
    const auto asks = asks_.find(kustomization);
    return asks != asks_.end() && std::any_of(asks->second.begin(), asks->second.end(), [&](const Ask& ask) {
               return reach.clusters.count(ask.cluster) && ask.from == "Kustomization" &&
                      ask.under.find("dependson") != npos;
           });
}

std::uint32_t LeftOut::does_the_same(const FluxKustomization& flux, const std::set<std::uint32_t>& clusters) const {
    const auto folder = is_known(flux.path) ? join_path("", flux.path.text) : std::nullopt;
    if (!folder) return no_number;
    auto same = [](const Value* a, const Value* b) { return a && b ? equal(*a, *b) : a == b; };
    const FluxSpec own = read_flux_spec(fleet_.declared_tree(flux.object));
    for (std::uint32_t number = 0; number < fleet_.roots.size(); ++number) {
        const Root& root = fleet_.roots[number];
        const FluxSpec& other = root.spec;
        const bool itself = root.flux != no_entity && index_.flux_kustomizations[root.flux].object == flux.object;
        if (!itself && root.by == Root::By::flux && root.certainty == Certainty::proven && root.dir == *folder &&
            (clusters.empty() || clusters.contains(root.cluster)) &&
            own.target_namespace.text == other.target_namespace.text &&
            own.name_prefix.text == other.name_prefix.text && own.name_suffix.text == other.name_suffix.text &&
            own.cluster == other.cluster && same(own.substitute, other.substitute))
            return number;
    }
    return no_number;
}

bool LeftOut::is_made_by_release(const Object& object, const ListReach& reach) const {
    const std::string kind = lower(object.kind.text);
    return std::any_of(reach.releases.begin(), reach.releases.end(), [&](std::uint32_t number) {
        const Instance& one = fleet_.instances[number];
        return one.id().name == object.name.text &&
               has_key_for(value_at(fleet_.tree_of(one), {"spec", "values"}), kind, 1);
    });
}

} // namespace lockstep
