// Compares urls and branches; where no url is known for sure, the folders that Flux Kustomizations name decide.
#include "index/own_sources.h"
#include "index/cells.h"
#include "index/links.h"
#include <algorithm>

namespace lockstep {
namespace {

bool is_git(std::string_view kind) {
    return kind == "GitRepository" || kind == "Bucket";
}

bool is_sync_of(const Index& index, const Source& source) {
    if (!is_git(source.kind) && source.kind != "OCIRepository") return false;
    return source.name.text == "flux-system" || index.objects[source.object].bootstrap;
}

// A path that tells something: the root exists everywhere.
bool tells(const Cell& path) {
    return is_known(path) && !clamp_path(path.text).empty();
}

// A source that nothing here declares has no url to be known by.
std::string unnamed_key(std::string_view kind, std::string_view name) {
    return " " + name_key(kind, name);
}

std::string branch_of(const SourceFields& source) {
    for (const Cell* cell : {&source.commit, &source.semver, &source.tag, &source.ref_name, &source.branch})
        if (is_set(*cell)) return cell->text;
    return "master"; // what source-controller takes when nothing is said
}

} // namespace

bool is_of_flux(std::string_view key) {
    return key.ends_with("/fluxcd/flux-manifests") || key.ends_with("/fluxcd/flux2");
}

std::string repository_key(std::string_view url) {
    const std::size_t scheme = url.find("://");
    const bool short_form = scheme == std::string_view::npos;
    if (!short_form) url.remove_prefix(scheme + 3);
    const std::size_t slash = url.find('/');
    if (const std::size_t at = url.substr(0, slash).find('@'); at != std::string_view::npos) url.remove_prefix(at + 1);
    std::string key(url);
    if (const std::size_t colon = key.find(':'); colon != std::string::npos) {
        const std::size_t end = key.find('/', colon);
        const bool port = !short_form && key.find_first_not_of("0123456789", colon + 1) == end;
        if (port)
            key.erase(colon, end == std::string::npos ? std::string::npos : end - colon);
        else
            key[colon] = '/';
    }
    key = registry_key(key);
    if (key.ends_with(".git")) key.resize(key.size() - 4);
    return key;
}

SourceFields fields_of(const Source& source) {
    return {source.kind, source.name.text, source.url,    source.branch,
            source.tag,  source.semver,    source.commit, source.ref_name};
}

SourceFields fields_of(const MadeSync& sync) {
    return {sync.kind.text, sync.name, sync.url, {State::known, sync.branch, {}}, {}, {}, {}, {}};
}

bool is_packed(std::string_view kind) {
    return kind == "OCIRepository" || kind == "Bucket";
}

OwnSources::OwnSources(const Index& index, const std::vector<std::string>& urls, const std::vector<MadeSync>& syncs)
    : index_(index), made_(syncs) {
    implicit_.insert("flux-system");
    for (const std::string& url : urls)
        urls_.insert(repository_key(url));
    auto vote = [&](const Reference& reference, EntityId object, bool here) {
        const EntityId source = find_source(index, reference, object);
        if (source == no_entity)
            votes_[unnamed_key(reference.kind.text, reference.name.text)] += here ? 1 : -1;
        else if (is_known(index.sources[source].url))
            votes_[repository_key(index.sources[source].url.text)] += here ? 1 : -1;
    };
    for (const MadeSync& sync : syncs)
        if (is_packed(sync.kind.text) && is_known(sync.url) && tells(sync.path))
            votes_[repository_key(sync.url.text)] += index.tree->has_directory(clamp_path(sync.path.text)) ? 1 : -1;
    for (const FluxKustomization& flux : index.flux_kustomizations)
        if (tells(flux.path)) vote(flux.source, flux.object, index.tree->has_directory(clamp_path(flux.path.text)));
    for (const HelmRelease& release : index.releases)
        if (tells(release.chart) && is_known(release.source.kind) && is_git(release.source.kind.text))
            vote(release.source, release.object, index.chart_by_dir.count(clamp_path(release.chart.text)) != 0);
    for (const Source& source : index.sources)
        if (is_sync_of(index, source) && is_known(source.url)) {
            implicit_.insert(source.name.text);
            if (root_of(fields_of(source)))
                syncs_.emplace(repository_key(source.url.text), branch_of(fields_of(source)));
        }
    for (const MadeSync& sync : syncs) {
        implicit_.insert(sync.name);
        if (is_known(sync.url) && root_of(fields_of(sync))) syncs_.emplace(repository_key(sync.url.text), sync.branch);
    }
    for (const auto& [url, votes] : votes_)
        if (votes > 0 && !url.starts_with(' ')) {
            elected_.emplace(file_name_of(url));
            several_have_most_ = votes == most_votes_ || (several_have_most_ && votes < most_votes_);
            most_votes_ = std::max(most_votes_, votes);
        }
}

std::string OwnSources::identity_of(const SourceFields& source) {
    for (const Cell* cell : {&source.branch, &source.tag, &source.semver, &source.commit, &source.ref_name})
        if (cell->state == State::templated) return {};
    if (!is_known(source.url)) return {};
    return std::string(source.kind) + " " + repository_key(source.url.text) + " " + branch_of(source);
}

bool OwnSources::is_sync(EntityId declared) const {
    return is_sync_of(index_, index_.sources[declared]);
}

Ours OwnSources::of_implicit(std::string_view kind, std::string_view name) const {
    if ((!is_git(kind) && !is_packed(kind)) || !implicit_.contains(name)) return Ours::unknown;
    return root_of_implicit(kind, name) ? Ours::yes : Ours::unknown;
}

std::optional<std::string> OwnSources::pushed_from(std::string_view key) const {
    std::set<std::string> dirs;
    for (const PushedArtifact& one : index_.published.artifacts)
        for (const std::string& dir : one.dirs)
            if (one.key == key && index_.tree->has_directory(dir)) dirs.insert(dir);
    return dirs.size() == 1 ? std::optional(*dirs.begin()) : std::nullopt;
}

std::optional<std::string> OwnSources::root_of(const SourceFields& source) const {
    if (!is_packed(source.kind)) return "";
    if (!is_known(source.url)) return std::nullopt;
    if (auto pushed = pushed_from(registry_key(source.url.text))) return pushed;
    const auto votes = votes_.find(repository_key(source.url.text));
    return votes != votes_.end() && votes->second > 0 ? std::optional<std::string>("") : std::nullopt;
}

std::optional<std::string> OwnSources::root_of_implicit(std::string_view kind, std::string_view name) const {
    if (!is_packed(kind)) return "";
    std::set<std::string> roots;
    for (const MadeSync& sync : made_)
        if (sync.name == name && sync.kind.text == kind) {
            const auto root = root_of(fields_of(sync));
            if (!root) return std::nullopt;
            roots.insert(*root);
        }
    if (!roots.empty()) return roots.size() == 1 ? std::optional(*roots.begin()) : std::nullopt;
    const auto votes = votes_.find(unnamed_key(kind, name));
    return votes != votes_.end() && votes->second > 0 ? std::optional<std::string>("") : std::nullopt;
}

// What a sync follows is what is pushed; a tag of another source may be years old.
bool OwnSources::is_pushed(const SourceFields& source, EntityId declared) const {
    if (source.kind != "OCIRepository" || !is_known(source.url)) return false;
    const std::string key = registry_key(source.url.text);
    if (!pushed_from(key)) return false;
    if (declared != no_entity && is_sync(declared)) return true;
    const bool digest = declared != no_entity && is_set(index_.sources[declared].digest);
    if (digest || is_set(source.semver) || source.tag.state == State::templated) return false;
    const std::string_view tag = is_known(source.tag) ? std::string_view(source.tag.text) : "latest";
    return std::any_of(index_.published.artifacts.begin(), index_.published.artifacts.end(),
                       [&](const PushedArtifact& one) { return one.key == key && one.tag == tag; });
}

Ours OwnSources::of(const SourceFields& source, EntityId declared) const {
    if (is_pushed(source, declared)) return Ours::yes;
    const Ours found = by_name_and_url(source, declared);
    const bool generated = declared != no_entity && index_.sources[declared].generated;
    return found == Ours::yes && !generated && !root_of(source) ? Ours::unknown : found;
}

Ours OwnSources::by_name_and_url(const SourceFields& source, EntityId declared) const {
    if (source.kind == "HelmRepository" || source.kind == "HelmChart") return Ours::no;
    if (declared != no_entity && index_.sources[declared].generated) return Ours::yes;
    if (declared != no_entity && is_sync(declared)) return Ours::yes;
    if (!is_known(source.url)) return Ours::unknown;
    const std::string key = repository_key(source.url.text);
    if (urls_.contains(key)) return Ours::yes;
    for (const auto& [url, branch] : syncs_)
        if (url == key) return syncs_.contains({key, branch_of(source)}) ? Ours::yes : Ours::unknown;
    // Folders of the same name are common: they decide only while nothing says what our own url is.
    if (!syncs_.empty()) return Ours::no;
    if (is_of_flux(key)) return Ours::no; // `path: ./` is the root of those
    const auto votes = votes_.find(key);
    if (votes == votes_.end() || votes->second == 0) // a mirror has the name of what it mirrors
        return elected_.empty() || elected_.contains(std::string(file_name_of(key))) ? Ours::unknown : Ours::no;
    if (votes->second < 0) return Ours::no;
    if (votes->second < most_votes_ || several_have_most_) return Ours::unknown; // two repositories of one layout
    return is_git(source.kind) ? Ours::yes : Ours::unknown;
}

} // namespace lockstep
