// Which Flux sources are this repository: the sync that `flux bootstrap` wrote, a url that the config or the remote
// names, and what shares url and branch with one of them. Everything else is somebody else's, or not known.
#pragma once
#include "index/index.h"
#include <map>
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
    Cell url;
    std::string branch;
};

class OwnSources {
public:
    // `urls` name this repository for sure.
    OwnSources(const Index& index, const std::vector<std::string>& urls, const std::vector<MadeSync>& syncs = {});
    // `declared` is the source as written here; no_entity for one that only patches or generators know.
    Ours of(const SourceFields& source, EntityId declared) const;
    // For a name that nothing here declares: `flux bootstrap` and a FluxInstance make a source that need not be in Git.
    bool is_implicit(std::string_view kind, std::string_view name) const;

private:
    const Index& index_;
    std::set<std::string> urls_;                          // ours for sure
    std::set<std::pair<std::string, std::string>> syncs_; // url and branch of what bootstrap wrote
    std::map<std::string, int> votes_;                    // by url: folders that its users name: more are here than not
    int most_votes_ = 0;
    bool several_have_most_ = false;
    std::set<std::string> elected_; // repositories whose folders are here, as far as votes tell
    std::set<std::string, std::less<>> implicit_;
};

SourceFields fields_of(const Source& source);

} // namespace lockstep
