// What may bring objects that this tree does not show: other repositories, remote bases, charts and policies that make
// objects, other tools, scripts.
#include "checks/known_objects.h"
#include "checks/listed_paths.h"
#include "checks/mentions.h"
#include "index/cells.h"
#include <algorithm>

namespace lockstep {
namespace {

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.';
}

// `kind: HelmRelease` in any quotes: a manifest that stands inside something else.
bool holds_kind(std::string_view text, std::string_view kind) {
    for (auto at = text.find(kind); at != std::string_view::npos; at = text.find(kind, at + 1)) {
        const std::size_t end = at + kind.size();
        if (end < text.size() && is_word(text[end])) continue;
        std::size_t before = at;
        while (before > 0 && (text[before - 1] == ' ' || text[before - 1] == '"' || text[before - 1] == '\'' ||
                              text[before - 1] == ':' || text[before - 1] == '='))
            --before;
        if (before < at && text.substr(0, before).ends_with("kind")) return true;
    }
    return false;
}

// Published files of other projects: definitions and controllers, no releases and sources of Flux.
bool brings_no_flux_objects(std::string_view url) {
    for (std::string_view part : {"crd", "CRD", "/releases/download/", "fluxcd/flux2", "/config/", "/deploy/"})
        if (url.find(part) != std::string_view::npos) return true;
    return false;
}

bool is_flux_group(std::string_view group) {
    return group.ends_with("toolkit.fluxcd.io");
}

bool applies(Listing as) {
    return as == Listing::resource || as == Listing::base || as == Listing::component;
}

bool acts_on_clusters(std::string_view text) {
    constexpr std::string_view words[] = {"kubectl",      "flux ", "flux_",         "kubernetes_",
                                          "helm_release", "kind:", "/metadata/name"};
    return std::any_of(std::begin(words), std::end(words),
                       [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

bool is_source_kind(std::string_view kind) {
    return kind == "HelmRepository" || kind == "OCIRepository" || kind == "GitRepository" || kind == "Bucket" ||
           kind == "ExternalArtifact" || kind == "HelmChart";
}

bool is_flux_kind(std::string_view kind) {
    return kind == "HelmRelease" || kind == "Kustomization" || is_source_kind(kind);
}

} // namespace

void KnownObjects::add_foreign_paths(Unseen& unseen, std::string_view kind) {
    const Index& index = repository_.index;
    auto is_foreign = [&](EntityId id) {
        const FluxEdges& edges = index.flux_edges[id];
        if (edges.this_repository != Ours::yes) return true;
        if (edges.source == no_entity) return false;
        const Source& source = index.sources[edges.source];
        for (const Reference& input : source.inputs) { // an ArtifactGenerator may mix repositories
            bool ours = input.name.text == "flux-system";
            for (EntityId other = 0; other < index.sources.size() && !ours; ++other)
                ours = index.sources[other].name.text == input.name.text && index.source_ours[other] == Ours::yes;
            if (!ours) return true;
        }
        return !source.generated &&
               static_cast<bool>(node_at(nodes_.root(index.objects[source.object]), {"spec", "include"}));
    };
    std::unordered_map<EntityId, bool> by_source; // asked once
    for (EntityId id = 0; id < index.flux_kustomizations.size(); ++id) {
        const FluxKustomization& flux = index.flux_kustomizations[id];
        const Object& object = index.objects[flux.object];
        if (object.partial || object.as_patch || is_sample_path(repository_.tree->files[object.file].path)) continue;
        const FluxEdges& edges = index.flux_edges[id];
        // What has no source itself brings none.
        if (edges.source == no_entity && edges.this_repository == Ours::unknown && is_source_kind(kind)) continue;
        bool foreign = edges.this_repository != Ours::yes;
        if (!foreign && edges.source != no_entity) {
            auto known = by_source.find(edges.source);
            if (known == by_source.end()) known = by_source.emplace(edges.source, is_foreign(id)).first;
            foreign = known->second;
        }
        if (!foreign) continue;
        std::string why = "Kustomization " + object.name.text + " applies another repository, which may hold it";
        const bool named = is_known(flux.target_namespace);
        std::string& slot = named ? unseen.in_ns[flux.target_namespace.text] : unseen.anywhere;
        if (slot.empty()) slot = std::move(why);
    }
}

void KnownObjects::add_foreign_lists(Unseen& unseen, std::string_view kind) const {
    const Index& index = repository_.index;
    for (const ListedEdge& edge : index.listed_edges) {
        const Listed& entry = index.kustomizations[edge.kustomization].listed[edge.entry];
        if (!applies(entry.as) || edge.target == Target::file || edge.target == Target::directory) continue;
        if (edge.target == Target::remote && is_flux_kind(kind) && brings_no_flux_objects(entry.path.text)) continue;
        unseen.anywhere = "a kustomization lists " + entry.path.text + ", which is not in this tree and may hold it";
        return;
    }
}

// Policies, compositions, resource sets and charts that take manifests as values.
void KnownObjects::add_makers(Unseen& unseen, std::string_view kind) {
    const Index& index = repository_.index;
    for (const Object& object : index.objects) {
        if (is_flux_group(object.group) || object.group == "kustomize.config.k8s.io" || object.embedded) continue;
        if (object.kind.text == "CustomResourceDefinition" || object.kind.text == "FluxInstance") continue;
        if (object.kind.text == kind || !holds_kind(document_text(*repository_.tree, object), kind)) continue;
        unseen.anywhere = object.kind.text + " " + object.name.text + " holds manifests of that kind";
        return;
    }
    for (EntityId id = 0; id < index.releases.size(); ++id) {
        const Object& object = index.objects[index.releases[id].object];
        const std::string& chart = index.release_edges[id].chart_name.text;
        if (chart == "flux-instance") continue;
        const bool syncs = chart == "flux2-sync" && (kind == "GitRepository" || kind == "Kustomization");
        const NodeRef values = is_there(index.releases[id].values) && !syncs
                                   ? node_at(nodes_.root(object), {"spec", "values"})
                                   : NodeRef();
        if (!syncs && !(values && holds_kind(values.source(), kind))) continue;
        unseen.anywhere = "HelmRelease " + object.name.text + " is given manifests of that kind";
        return;
    }
}

std::string KnownObjects::unseen(std::string_view kind, std::string_view ns) {
    auto known = unseen_.find(kind);
    if (known == unseen_.end()) {
        Unseen made;
        add_foreign_paths(made, kind);
        if (made.anywhere.empty()) add_foreign_lists(made, kind);
        if (made.anywhere.empty()) add_makers(made, kind);
        if (made.anywhere.empty() && !repository_.index.foreign.empty())
            made.anywhere = repository_.index.foreign.front().tool + " may bring it";
        known = unseen_.emplace(std::string(kind), std::move(made)).first;
    }
    const Unseen& answer = known->second;
    if (!answer.anywhere.empty() || answer.in_ns.empty()) return answer.anywhere;
    if (ns.empty()) return answer.in_ns.begin()->second;
    const auto there = answer.in_ns.find(std::string(ns));
    return there == answer.in_ns.end() ? std::string() : there->second;
}

// Files that are no manifests and that do something to a cluster; those that could not be read whole, too.
std::string KnownObjects::named_in_script(std::string_view name) {
    if (!mentions_) {
        mentions_.emplace();
        std::vector<bool> manifest(repository_.tree->files.size(), false);
        for (const DocumentRole& document : repository_.index.documents)
            if (document.role != Role::fragment && document.role != Role::workflow && document.role != Role::foreign &&
                document.role != Role::cloud_init)
                manifest[document.place.file] = true;
        for (const FileProblem& problem : repository_.problems)
            if (problem.problem.kind == YamlProblem::Kind::syntax) manifest[problem.file] = false;
        for (FileId file = 0; file < manifest.size(); ++file) {
            const File& source = repository_.tree->files[file];
            // Only what every run reads, and what the rules that ask here read themselves (their fact `scripts`).
            const std::string_view text =
                source.indexed || is_script_path(source.path) ? source.text : std::string_view();
            if (manifest[file] || !acts_on_clusters(text)) continue;
            for (std::size_t at = 0; at < text.size();) {
                std::size_t end = at;
                while (end < text.size() && is_word(text[end]))
                    ++end;
                if (end - at > 1) mentions_->emplace(text.substr(at, end - at), file);
                at = end + 1;
            }
        }
    }
    const auto found = mentions_->find(name);
    return found == mentions_->end() ? std::string() : repository_.tree->files[found->second].path + " names it";
}

} // namespace lockstep
