// The urls that a clone's own settings name, to tell a Flux source that is this repository from another project's.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

std::vector<std::string> urls_in_git_config(std::string_view text);
// Of the repository whose work tree begins at `root`; none for a folder inside one, or without git.
std::vector<std::string> remote_urls(const std::string& root);

} // namespace lockstep
