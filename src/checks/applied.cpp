// Finds every applied object of a tree and names it as the cluster does.
#include "checks/applied.h"
#include "index/cells.h"
#include <algorithm>

namespace lockstep {
namespace {

constexpr std::string_view cluster_scoped[] = {"APIService",
                                               "CSIDriver",
                                               "ClusterIssuer",
                                               "ClusterRole",
                                               "ClusterRoleBinding",
                                               "ClusterSecretStore",
                                               "CustomResourceDefinition",
                                               "GatewayClass",
                                               "IngressClass",
                                               "MutatingWebhookConfiguration",
                                               "Namespace",
                                               "Node",
                                               "PersistentVolume",
                                               "PriorityClass",
                                               "RuntimeClass",
                                               "StorageClass",
                                               "ValidatingAdmissionPolicy",
                                               "ValidatingWebhookConfiguration"};

bool is_cluster_scoped(std::string_view kind) {
    return std::find(std::begin(cluster_scoped), std::end(cluster_scoped), kind) != std::end(cluster_scoped);
}

std::string tree_of(const Index& index, const Route& route) {
    if (route.flux != no_entity) return index.objects[index.flux_kustomizations[route.flux].object].tree;
    return route.kustomizations.empty() ? std::string() : index.kustomizations[route.kustomizations.back()].tree;
}

} // namespace

std::string applied_identity(const Index& index, const Object& object, const Route& route) {
    std::string name = object.name.text;
    Cell ns = object.ns;
    bool known = is_known(object.kind) && is_known(object.name);
    auto rename = [&](const Cell& prefix, const Cell& suffix) {
        known = known && prefix.state != State::templated && suffix.state != State::templated;
        name = prefix.text + name + suffix.text;
    };
    for (EntityId id : route.kustomizations) {
        const Kustomization& made = index.kustomizations[id];
        rename(made.name_prefix, made.name_suffix);
        if (is_set(made.ns)) ns = made.ns;
    }
    if (route.flux != no_entity) {
        const FluxKustomization& flux = index.flux_kustomizations[route.flux];
        rename(flux.name_prefix, flux.name_suffix);
        if (is_set(flux.target_namespace)) ns = flux.target_namespace;
    }
    const bool scoped = !is_cluster_scoped(object.kind.text);
    if (!known || (scoped && ns.state == State::templated)) return {};
    return object.group + "/" + object.kind.text + "/" + (scoped ? ns.text : "") + "/" + name;
}

std::string root_of(const Index& index, const Route& route) {
    if (route.flux != no_entity) {
        const Object& flux = index.objects[index.flux_kustomizations[route.flux].object];
        return index.tree->files[flux.file].path + "#" + flux.name.text;
    }
    return route.kustomizations.empty() ? std::string() : index.kustomizations[route.kustomizations.back()].dir + "/";
}

AppliedObjects::AppliedObjects(const Repository& repository, const Wanted& wanted)
    : repository_(repository), overlay_(repository) {
    for (const Object& object : repository.index.objects) {
        if (!wanted(object) || !is_declared(repository, object)) continue;
        std::vector<Route> routes = overlay_.routes(object);
        if (routes.size() >= most_routes) continue; // not all of them are known
        for (Route& route : routes) {
            std::string identity = applied_identity(repository.index, object, route);
            if (identity.empty()) continue;
            std::string root = root_of(repository.index, route);
            std::string tree = tree_of(repository.index, route);
            by_identity_[std::move(identity)].push_back({&object, std::move(route), std::move(root), std::move(tree)});
        }
    }
}

std::vector<const RoutedObject*> before(const AppliedObjects& base, const AppliedObjects& head,
                                        const std::string& identity, const RoutedObject& now) {
    std::vector<const RoutedObject*> same_root, left;
    const auto old = base.by_identity().find(identity);
    if (old == base.by_identity().end()) return {};
    const auto& all_now = head.by_identity().at(identity);
    for (const RoutedObject& one : old->second) {
        const bool still = std::any_of(all_now.begin(), all_now.end(),
                                       [&](const RoutedObject& other) { return other.root == one.root; });
        if (one.root == now.root) same_root.push_back(&one);
        if (!still && one.tree == now.tree) left.push_back(&one);
    }
    return same_root.empty() ? left : same_root;
}

bool is_left_alone(Overlay& overlay, const Object& object, const Route& route) {
    const Field ssa = overlay.look(object, route, {"metadata", "annotations", "kustomize.toolkit.fluxcd.io/ssa"});
    const Field sync =
        overlay.look(object, route, {"metadata", "annotations", "kustomize.toolkit.fluxcd.io/reconcile"});
    auto says = [](const Field& field, std::string_view word) {
        return is_known(field.cell) && field.cell.text.size() == word.size() &&
               std::equal(word.begin(), word.end(), field.cell.text.begin(),
                          [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b - 'A' + 'a' : b); });
    };
    return says(ssa, "ifnotpresent") || says(ssa, "ignore") || says(sync, "disabled");
}

bool is_forced(Overlay& overlay, const Index& index, const RoutedObject& applied, std::string& unsure) {
    const ForceMark mark = force_mark(overlay, *applied.object, applied.route);
    if (mark.says == ForceMark::Says::enabled) return true;
    if (mark.says == ForceMark::Says::unsure) unsure = mark.why;
    if (applied.route.flux == no_entity) return false;
    const Field whole = flux_force(overlay, index, applied.route.flux);
    if (whole.cell.state == State::templated) unsure = "spec.force of the Flux Kustomization is templated";
    return is_known(whole.cell) && whole.cell.text == "true";
}

} // namespace lockstep
