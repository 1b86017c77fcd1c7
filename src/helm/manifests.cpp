// Rendered files into documents, sorted as Helm installs them.
#include "helm/go_number.h"
#include "helm/render.h"
#include "helm/runes.h"
#include "helm/yaml_read.h"
#include <algorithm>
#include <array>

namespace lockstep {
namespace {

constexpr std::array<std::string_view, 38> install_order = {"PriorityClass",
                                                            "Namespace",
                                                            "NetworkPolicy",
                                                            "ResourceQuota",
                                                            "LimitRange",
                                                            "PodSecurityPolicy",
                                                            "PodDisruptionBudget",
                                                            "ServiceAccount",
                                                            "Secret",
                                                            "SecretList",
                                                            "ConfigMap",
                                                            "StorageClass",
                                                            "PersistentVolume",
                                                            "PersistentVolumeClaim",
                                                            "CustomResourceDefinition",
                                                            "ClusterRole",
                                                            "ClusterRoleList",
                                                            "ClusterRoleBinding",
                                                            "ClusterRoleBindingList",
                                                            "Role",
                                                            "RoleList",
                                                            "RoleBinding",
                                                            "RoleBindingList",
                                                            "Service",
                                                            "DaemonSet",
                                                            "Pod",
                                                            "ReplicationController",
                                                            "ReplicaSet",
                                                            "Deployment",
                                                            "HorizontalPodAutoscaler",
                                                            "StatefulSet",
                                                            "Job",
                                                            "CronJob",
                                                            "IngressClass",
                                                            "Ingress",
                                                            "APIService",
                                                            "MutatingWebhookConfiguration",
                                                            "ValidatingWebhookConfiguration"};
constexpr std::size_t known_to_helm3 = 36;

// Kinds that are not in the list come last, by their names. Helm 4 knows webhooks, too.
struct InstallsBefore {
    std::size_t known;

    std::size_t rank(std::string_view kind) const {
        const auto* const end = install_order.begin() + known;
        return static_cast<std::size_t>(std::find(install_order.begin(), end, kind) - install_order.begin());
    }
    bool operator()(const RenderedManifest& a, const RenderedManifest& b) const {
        const std::size_t x = rank(a.kind), y = rank(b.kind);
        return x == known && y == known ? a.kind < b.kind : x < y;
    }
};

bool is_event(std::string_view word) {
    constexpr std::array<std::string_view, 10> events = {"pre-install", "post-install", "pre-delete",   "post-delete",
                                                         "pre-upgrade", "post-upgrade", "pre-rollback", "post-rollback",
                                                         "test",        "test-success"};
    return std::find(events.begin(), events.end(), word) != events.end();
}

bool is_white_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

// Between lines that begin with `---`, with what is behind a document: Helm 4.2 and later.
std::vector<Span> lines_documents_of(std::string_view text) {
    std::vector<Span> found;
    std::size_t begin = 0;
    const auto add = [&](std::size_t from, std::size_t to) {
        const std::string_view part = trim_space(text.substr(from, to - from));
        if (part.empty()) return;
        found.push_back({static_cast<std::uint32_t>(part.data() - text.data()), static_cast<std::uint32_t>(to)});
    };
    for (std::size_t at = 0; at < text.size();) {
        if (text.substr(at).starts_with("---")) {
            add(begin, at);
            begin = at + 3;
        }
        const std::size_t line = text.find('\n', at);
        if (line == std::string_view::npos) break;
        at = line + 1;
    }
    add(begin, text.size());
    return found;
}

// Stretches between lines that begin with `---`, as Helm's expression found them before.
std::vector<Span> documents_of(std::string_view text) {
    std::vector<Span> found;
    const std::string_view trimmed = trim_space(text);
    const auto base = trimmed.empty() ? std::size_t{0} : static_cast<std::size_t>(trimmed.data() - text.data());
    std::size_t begin = 0;
    const auto add = [&](std::size_t from, std::size_t to) {
        if (from >= to) return;
        const std::string_view part = trim_space(trimmed.substr(from, to - from));
        const std::size_t at = part.empty() ? base + from : static_cast<std::size_t>(part.data() - text.data());
        found.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + part.size())});
    };
    for (std::size_t at = 0; at < trimmed.size();) {
        std::size_t mark = at;
        if (!(at == 0 && trimmed.starts_with("---"))) {
            mark = trimmed.find("\n---", at);
            if (mark == std::string_view::npos) break;
            ++mark;
        }
        std::size_t end = mark;
        while (end > begin && is_white_space(trimmed[end - 1]))
            --end;
        add(begin, end);
        begin = mark + 3;
        while (begin < trimmed.size() && is_white_space(trimmed[begin]))
            ++begin;
        at = begin;
        if (at > 0 && at < trimmed.size() && trimmed[at - 1] == '\n' && trimmed.substr(at).starts_with("---")) --at;
    }
    add(begin, trimmed.size());
    return found;
}

struct Head {
    std::string kind, name, hook;
    bool has_hook = false;
    std::string error;
    std::uint32_t error_at = 0;
};

std::string head_text(const GoValue& value, std::string_view field, std::string_view type, std::string& error) {
    if (value.is_string()) return std::string(value.str());
    if (value.is_nil()) return {};
    if (value.is_list() || value.is_map()) {
        if (error.empty())
            error = "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal " +
                    std::string(json_kind(value)) + " into Go struct field " + std::string(field) + " of type " +
                    std::string(type);
        return {};
    }
    if (value.type == GoType::boolean) return value.boolean ? "true" : "false";
    return format_float(value.is_integer() ? static_cast<double>(value.integer) : value.number, 'g', -1);
}

Head head_of(ValueArena& arena, const GoValue& document) {
    Head head;
    const YamlRead read = read_yaml(arena, document.str(), no_file);
    head.error = read.error;
    head.error_at = read.error_at;
    if (head.error.empty()) head.error = wrong_for_map(read.value, "releaseutil.SimpleHead");
    if (!head.error.empty() || read.value.is_nil()) return head;
    head_text(element(read.value, "apiVersion"), "SimpleHead.apiVersion", "string", head.error);
    head.kind = head_text(element(read.value, "kind"), "SimpleHead.kind", "string", head.error);
    const GoValue metadata = element(read.value, "metadata");
    if (metadata.is_nil()) return head;
    if (!metadata.is_map()) {
        if (head.error.empty())
            head.error =
                "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal " +
                std::string(json_kind(metadata)) +
                " into Go struct field SimpleHead.metadata of type struct { Name string \"json:\\\"name\\\"\"; "
                "Annotations map[string]string \"json:\\\"annotations\\\"\" }";
        return head;
    }
    head.name = head_text(element(metadata, "name"), "SimpleHead.metadata.name", "string", head.error);
    const GoValue annotations = element(metadata, "annotations");
    if (annotations.is_nil()) return head;
    if (!annotations.is_map()) {
        head_text(annotations.is_list() ? annotations : make_list(arena), "SimpleHead.metadata.annotations",
                  "map[string]string", head.error);
        return head;
    }
    for (const GoEntry& entry : entries(annotations)) {
        const std::string text = head_text(entry.value, "SimpleHead.metadata.annotations", "string", head.error);
        if (entry.key != "helm.sh/hook") continue;
        head.hook = text;
        head.has_hook = true;
    }
    return head;
}

// False: a hook of no known event, which Helm leaves out.
bool take_events(const std::string& text, std::vector<std::string>& events) {
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        const std::string word = lower_text(trim_space(std::string_view(text).substr(at, end - at)));
        if (!is_event(word)) return false;
        events.push_back(word);
        at = end + 1;
    }
    return true;
}

} // namespace

void sort_manifests(ChartRendering& into, std::vector<std::pair<std::string, GoValue>> files,
                    const RenderOptions& options) {
    std::vector<RenderedManifest> release, hooks;
    for (auto& [path, text] : files) {
        for (const Span span :
             options.helm.cuts_at_lines() ? lines_documents_of(text.str()) : documents_of(text.str())) {
            RenderedManifest one;
            one.template_path = path;
            one.text = part_of(into.arena, text, span.begin, span.end);
            const Head head = head_of(into.arena, one.text);
            if (!head.error.empty()) {
                RenderFailure failure;
                failure.message = "YAML parse error on " + path + ": " + head.error;
                failure.rendering = true;
                const auto size = static_cast<std::uint32_t>(one.text.str().size());
                const ValueOrigin* origin = origin_of_part(into.arena, one.text, std::min(head.error_at, size),
                                                           std::min(head.error_at + 1, size));
                failure.places = origin_places(origin, 4);
                failure.unknown = origin != nullptr && origin->unknown;
                if (into.failure)
                    into.more_failures.push_back(std::move(failure));
                else
                    into.failure = std::move(failure);
                if (options.keep_going) continue;
                return;
            }
            one.kind = head.kind;
            one.name = head.name;
            if (head.has_hook) {
                if (take_events(head.hook, one.hooks)) hooks.push_back(std::move(one));
                continue;
            }
            release.push_back(std::move(one));
        }
    }
    const InstallsBefore before{options.helm.is_4() ? install_order.size() : known_to_helm3};
    std::stable_sort(release.begin(), release.end(), before);
    std::stable_sort(hooks.begin(), hooks.end(), before);
    for (auto* part : {&release, &hooks})
        std::move(part->begin(), part->end(), std::back_inserter(into.manifests));
}

} // namespace lockstep
