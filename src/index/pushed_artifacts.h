// Which folders scripts pack into Flux artifacts: `flux push artifact oci://… --path=…`. The root of an artifact is
// known from nothing else.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

struct ShellCommand;

struct PushedArtifact {
    std::string key;               // registry_key of the repository, without a tag
    std::string tag;               // empty: not known
    std::vector<std::string> dirs; // what the path may mean: from the root, or from the folder of the script
};

// Commands of one script that begins in one of `dirs`. `flux tag artifact` gives one without folders.
void take_pushed_artifacts(std::span<const ShellCommand> commands, std::vector<std::string> dirs,
                           std::vector<PushedArtifact>& found);
// A file of make, just or Task: each of its lines is a script, and Taskfiles are YAML around it.
std::vector<PushedArtifact> artifacts_pushed_by_lines(std::string_view path, std::string_view text);

} // namespace lockstep
