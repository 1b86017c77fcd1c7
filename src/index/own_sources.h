// Which Flux sources are this repository: the sync that `flux bootstrap` wrote, a url that the config or the remote
// names, what shares url and branch with one of them, and artifacts that a script here makes. Everything else is
// somebody else's, or not known. Of an artifact or a bucket it must be known which folder it was made from.
#pragma once
#include "index/index.h"
#include <map>
#include <optional>
#include <set>

namespace lockstep {

// `https://git@Host/Team/fleet.git/`, `ssh://git@host/Team/fleet` and `git@host:Team/fleet` are one repository.
std::string repository_key(std::string_view url);

// The manifests that Flux publishes of itself, by repository_key: controllers and definitions, nothing else.
bool is_of_flux(std::string_view key);

// A source as some cluster has it; cells are those after patches.
struct SourceFields {
    std::string_view kind, name;
    Cell url, branch, tag, semver, commit, ref_name;
};

// A sync that an operator makes, so that no source of it is in Git.
struct MadeSync {
    std::string name;
    Cell kind, url, path;
    std::string branch; // or tag
};

SourceFields fields_of(const Source& source);
SourceFields fields_of(const MadeSync& sync);

// Whether the root of such a source may be any folder of a repository, or of none.
bool is_packed(std::string_view kind);

class OwnSources {
public:
    // `urls` name this repository for sure.
    OwnSources(const Index& index, const std::vector<std::string>& urls, const std::vector<MadeSync>& syncs = {});
    // `declared` is the source as written here; no_entity for one that only patches or generators know.
    Ours of(const SourceFields& source, EntityId declared) const;
    // For a name that nothing here declares: `flux bootstrap` and a FluxInstance make a source that need not be in Git.
    Ours of_implicit(std::string_view kind, std::string_view name) const;
    // The folder of this tree that is the root of a source which is this repository; nothing where nobody knows it. A
    // script says what an artifact is made from; else the folders that its users name are here, from the root or not.
    std::optional<std::string> root_of(const SourceFields& source) const;
    // The same for two that bring the same; empty where that is not known.
    static std::string identity_of(const SourceFields& source);
    bool is_sync(EntityId declared) const; // what bootstrap writes, or bootstrap files make
    std::optional<std::string> root_of_implicit(std::string_view kind, std::string_view name) const;

private:
    Ours by_name_and_url(const SourceFields& source, EntityId declared) const;
    bool is_pushed(const SourceFields& source, EntityId declared) const;
    std::optional<std::string> pushed_from(std::string_view key) const;

    const Index& index_;
    std::set<std::string> urls_;                          // ours for sure
    std::set<std::pair<std::string, std::string>> syncs_; // url and branch of what bootstrap wrote
    std::map<std::string, int> votes_; // by url, or kind and name: folders that its users name: more are here than not
    int most_votes_ = 0;
    bool several_have_most_ = false;
    std::set<std::string> elected_; // repositories whose folders are here, as far as votes tell
    std::set<std::string, std::less<>> implicit_;
    std::vector<MadeSync> made_;
};

} // namespace lockstep
