// A table of kinds, and the tree's own CustomResourceDefinitions.
#include "index/scopes.h"
#include <algorithm>
#include <array>

namespace lockstep {
namespace {

struct Known {
    std::string_view group, kind;
};

// Kubernetes' own; every other kind of these groups has a namespace.
constexpr std::array cluster_kinds = {
    Known{"", "Namespace"},
    Known{"", "Node"},
    Known{"", "PersistentVolume"},
    Known{"", "ComponentStatus"},
    Known{"admissionregistration.k8s.io", "MutatingWebhookConfiguration"},
    Known{"admissionregistration.k8s.io", "ValidatingWebhookConfiguration"},
    Known{"admissionregistration.k8s.io", "ValidatingAdmissionPolicy"},
    Known{"admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding"},
    Known{"admissionregistration.k8s.io", "MutatingAdmissionPolicy"},
    Known{"admissionregistration.k8s.io", "MutatingAdmissionPolicyBinding"},
    Known{"apiextensions.k8s.io", "CustomResourceDefinition"},
    Known{"apiregistration.k8s.io", "APIService"},
    Known{"certificates.k8s.io", "CertificateSigningRequest"},
    Known{"certificates.k8s.io", "ClusterTrustBundle"},
    Known{"flowcontrol.apiserver.k8s.io", "FlowSchema"},
    Known{"flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration"},
    Known{"networking.k8s.io", "IngressClass"},
    Known{"networking.k8s.io", "IPAddress"},
    Known{"networking.k8s.io", "ServiceCIDR"},
    Known{"node.k8s.io", "RuntimeClass"},
    Known{"policy", "PodSecurityPolicy"},
    Known{"rbac.authorization.k8s.io", "ClusterRole"},
    Known{"rbac.authorization.k8s.io", "ClusterRoleBinding"},
    Known{"resource.k8s.io", "DeviceClass"},
    Known{"resource.k8s.io", "ResourceSlice"},
    Known{"scheduling.k8s.io", "PriorityClass"},
    Known{"storage.k8s.io", "StorageClass"},
    Known{"storage.k8s.io", "VolumeAttachment"},
    Known{"storage.k8s.io", "VolumeAttributesClass"},
    Known{"storage.k8s.io", "CSIDriver"},
    Known{"storage.k8s.io", "CSINode"},
    // widely used custom kinds
    Known{"cert-manager.io", "ClusterIssuer"},
    Known{"cilium.io", "CiliumBGPAdvertisement"},
    Known{"cilium.io", "CiliumBGPClusterConfig"},
    Known{"cilium.io", "CiliumBGPPeerConfig"},
    Known{"cilium.io", "CiliumClusterwideNetworkPolicy"},
    Known{"cilium.io", "CiliumL2AnnouncementPolicy"},
    Known{"cilium.io", "CiliumLoadBalancerIPPool"},
    Known{"external-secrets.io", "ClusterExternalSecret"},
    Known{"external-secrets.io", "ClusterSecretStore"},
    Known{"external-secrets.io", "ClusterPushSecret"},
    Known{"gateway.networking.k8s.io", "GatewayClass"},
    Known{"karpenter.sh", "NodePool"},
    Known{"kyverno.io", "ClusterPolicy"},
    Known{"kyverno.io", "ClusterCleanupPolicy"},
    Known{"operator.tigera.io", "Installation"},
    Known{"snapshot.storage.k8s.io", "VolumeSnapshotClass"},
    Known{"snapshot.storage.k8s.io", "VolumeSnapshotContent"},
    Known{"topolvm.io", "LogicalVolume"},
    Known{"trust.cert-manager.io", "Bundle"},
};

// Groups all of whose kinds are in the table or have a namespace.
bool is_whole_group(std::string_view group) {
    constexpr std::array groups = {std::string_view(""),
                                   std::string_view("apps"),
                                   std::string_view("autoscaling"),
                                   std::string_view("batch"),
                                   std::string_view("coordination.k8s.io"),
                                   std::string_view("discovery.k8s.io"),
                                   std::string_view("extensions"),
                                   std::string_view("networking.k8s.io"),
                                   std::string_view("policy"),
                                   std::string_view("rbac.authorization.k8s.io"),
                                   std::string_view("cert-manager.io"),
                                   std::string_view("external-secrets.io"),
                                   std::string_view("gateway.networking.k8s.io"),
                                   std::string_view("monitoring.coreos.com"),
                                   std::string_view("snapshot.storage.k8s.io")};
    return group.ends_with(".fluxcd.io") || std::find(groups.begin(), groups.end(), group) != groups.end();
}

} // namespace

Scopes::Scopes(const Index& index) {
    for (const CustomKind& custom : index.custom_kinds)
        if (!custom.kind.empty()) custom_[name_key(custom.group, custom.kind)] = custom.cluster_scoped;
}

Scope Scopes::of(std::string_view group, std::string_view kind) const {
    const bool cluster = std::any_of(cluster_kinds.begin(), cluster_kinds.end(),
                                     [&](const Known& one) { return one.group == group && one.kind == kind; });
    if (cluster || is_whole_group(group)) return {cluster, true};
    const auto custom = custom_.find(name_key(group, kind));
    if (custom != custom_.end()) return {custom->second, true};
    return {false, false};
}

} // namespace lockstep
