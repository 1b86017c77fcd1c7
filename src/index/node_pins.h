// The Kubernetes of the nodes, where files of other tools than bootstrap scripts pin it.
#pragma once
#include "index/bootstrap.h"

namespace lockstep {

std::vector<BootstrapPin> node_pins(const FileView& view);

} // namespace lockstep
