// Packed charts in folders outside the repository: what `helm pull` puts there, and Helm's own cache.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

// Every NAME-VERSION.tgz of a folder and of its `repository` folder, where Helm's cache has them; sorted. A relative
// folder counts from `root`, `~/` from the home folder. Nothing for a folder that cannot be listed.
std::vector<std::string> cached_archives(const std::string& root, const std::string& folder);
std::optional<std::string> read_archive_bytes(const std::string& path);

} // namespace lockstep
