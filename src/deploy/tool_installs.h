// What tools beside Flux are asked to install, in the words of their own kinds: charts of k3s HelmCharts, sources of
// Argo CD Applications, and the images that their values and edits name.
#pragma once
#include "deploy/fleet.h"
#include "deploy/images.h"

namespace lockstep {

struct ToolInstall {
    std::string tool;         // `HelmChart`, `Application`
    Cell chart, version, url; // absent where it asks for none
    std::vector<ImageUse> images = {};
    Place place; // of the object
};

// As clusters get them; as written where none does.
std::vector<ToolInstall> tool_installs(const Index& index, const Fleet& fleet);

} // namespace lockstep
