// Files that something applies and that a first look at the tree passes over: excluded by the config, not YAML by their
// names, or not to be read.
#pragma once
#include "deploy/fleet.h"
#include "deploy/repository.h"

namespace lockstep {

struct BroughtIn {
    std::vector<std::string> excluded;  // paths of files and folders that `exclude:` leaves out
    std::vector<std::string> manifests; // files that are there and were not taken for YAML
    bool empty() const { return excluded.empty() && manifests.empty(); }
};
// Asks what clusters get only where something is left out.
BroughtIn brought_in(const Repository& repository);

// Who brings in an excluded path: an entry of a kustomization, the path of a Flux Kustomization, a release. Without a
// file when it is nobody.
Place brought_in_by(const Index& index, const Fleet& fleet, std::string_view path);

// The first file that a proven chain applies and nobody could read.
std::optional<FileId> unread_and_applied(const Repository& repository);

} // namespace lockstep
