// The table of resource names that kubectl commands in repositories use.
#include "index/kube_resources.h"
#include <algorithm>

namespace lockstep {
namespace {

struct KnownResource {
    std::string_view plural, group, kind, shorts;
};

constexpr KnownResource known_resources[] = {
    {"pods", "", "Pod", "po"},
    {"services", "", "Service", "svc"},
    {"configmaps", "", "ConfigMap", "cm"},
    {"secrets", "", "Secret", ""},
    {"namespaces", "", "Namespace", "ns"},
    {"nodes", "", "Node", "no"},
    {"events", "", "Event", "ev"},
    {"endpoints", "", "Endpoints", "ep"},
    {"serviceaccounts", "", "ServiceAccount", "sa"},
    {"persistentvolumes", "", "PersistentVolume", "pv"},
    {"persistentvolumeclaims", "", "PersistentVolumeClaim", "pvc"},
    {"resourcequotas", "", "ResourceQuota", "quota"},
    {"limitranges", "", "LimitRange", "limits"},
    {"replicationcontrollers", "", "ReplicationController", "rc"},
    {"deployments", "apps", "Deployment", "deploy"},
    {"statefulsets", "apps", "StatefulSet", "sts"},
    {"daemonsets", "apps", "DaemonSet", "ds"},
    {"replicasets", "apps", "ReplicaSet", "rs"},
    {"jobs", "batch", "Job", ""},
    {"cronjobs", "batch", "CronJob", "cj"},
    {"ingresses", "networking.k8s.io", "Ingress", "ing"},
    {"ingressclasses", "networking.k8s.io", "IngressClass", ""},
    {"networkpolicies", "networking.k8s.io", "NetworkPolicy", "netpol"},
    {"horizontalpodautoscalers", "autoscaling", "HorizontalPodAutoscaler", "hpa"},
    {"poddisruptionbudgets", "policy", "PodDisruptionBudget", "pdb"},
    {"roles", "rbac.authorization.k8s.io", "Role", ""},
    {"rolebindings", "rbac.authorization.k8s.io", "RoleBinding", ""},
    {"clusterroles", "rbac.authorization.k8s.io", "ClusterRole", ""},
    {"clusterrolebindings", "rbac.authorization.k8s.io", "ClusterRoleBinding", ""},
    {"storageclasses", "storage.k8s.io", "StorageClass", "sc"},
    {"volumeattachments", "storage.k8s.io", "VolumeAttachment", ""},
    {"priorityclasses", "scheduling.k8s.io", "PriorityClass", "pc"},
    {"leases", "coordination.k8s.io", "Lease", ""},
    {"certificatesigningrequests", "certificates.k8s.io", "CertificateSigningRequest", "csr"},
    {"customresourcedefinitions", "apiextensions.k8s.io", "CustomResourceDefinition", "crd crds"},
    {"apiservices", "apiregistration.k8s.io", "APIService", ""},
    {"validatingwebhookconfigurations", "admissionregistration.k8s.io", "ValidatingWebhookConfiguration", ""},
    {"mutatingwebhookconfigurations", "admissionregistration.k8s.io", "MutatingWebhookConfiguration", ""},
    {"helmreleases", "helm.toolkit.fluxcd.io", "HelmRelease", "hr"},
    {"kustomizations", "kustomize.toolkit.fluxcd.io", "Kustomization", "ks"},
    {"gitrepositories", "source.toolkit.fluxcd.io", "GitRepository", "gitrepo"},
    {"helmrepositories", "source.toolkit.fluxcd.io", "HelmRepository", "helmrepo"},
    {"ocirepositories", "source.toolkit.fluxcd.io", "OCIRepository", "ocirepo"},
    {"helmcharts", "source.toolkit.fluxcd.io", "HelmChart", "hc"},
    {"buckets", "source.toolkit.fluxcd.io", "Bucket", ""},
    {"externalsecrets", "external-secrets.io", "ExternalSecret", "es"},
    {"secretstores", "external-secrets.io", "SecretStore", "ss"},
    {"clustersecretstores", "external-secrets.io", "ClusterSecretStore", "css"},
    {"issuers", "cert-manager.io", "Issuer", ""},
    {"clusterissuers", "cert-manager.io", "ClusterIssuer", ""},
    {"certificates", "cert-manager.io", "Certificate", "cert certs"},
    {"ciliumnetworkpolicies", "cilium.io", "CiliumNetworkPolicy", "cnp ciliumnp"},
    {"ciliumclusterwidenetworkpolicies", "cilium.io", "CiliumClusterwideNetworkPolicy", "ccnp"},
    {"servicemonitors", "monitoring.coreos.com", "ServiceMonitor", "smon"},
    {"podmonitors", "monitoring.coreos.com", "PodMonitor", "pmon"},
    {"prometheusrules", "monitoring.coreos.com", "PrometheusRule", "promrule"},
};

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return out;
}

bool answers_to(const KnownResource& type, std::string_view word) {
    if (word == type.plural || word == lower(type.kind)) return true;
    for (std::size_t at = 0; at < type.shorts.size();) {
        const std::size_t end = std::min(type.shorts.find(' ', at), type.shorts.size());
        if (type.shorts.substr(at, end - at) == word) return true;
        at = end + 1;
    }
    return false;
}

// `v1`, `v2beta1`: the part between plural and group.
bool is_version(std::string_view part) {
    return part.size() > 1 && part[0] == 'v' && part[1] >= '0' && part[1] <= '9';
}

} // namespace

std::optional<ResourceType> resource_type(std::string_view word) {
    const std::string typed = lower(word);
    const std::size_t dot = typed.find('.');
    const std::string_view first = std::string_view(typed).substr(0, dot);
    const auto* found = std::find_if(std::begin(known_resources), std::end(known_resources),
                                     [&](const KnownResource& type) { return answers_to(type, first); });
    const bool listed = found != std::end(known_resources);
    const auto as_listed = [&] {
        return ResourceType{std::string(found->plural), std::string(found->group), std::string(found->kind)};
    };
    if (dot == std::string::npos) return listed ? std::optional(as_listed()) : std::nullopt;
    std::string group = typed.substr(dot + 1);
    const std::size_t next = group.find('.');
    if (is_version(std::string_view(group).substr(0, next)))
        group = next == std::string::npos ? std::string() : group.substr(next + 1);
    if (listed && group == found->group) return as_listed();
    // Custom resources are spelled out as `plural.group`; a singular would not end in `s`.
    if (first.ends_with('s')) return ResourceType{std::string(first), group, {}};
    return std::nullopt;
}

} // namespace lockstep
