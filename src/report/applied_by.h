// How a cluster gets what a finding is about, in one line.
#pragma once
#include "base/finding.h"
#include "tree/locate.h"

namespace lockstep {

// `applied by: cluster clusters/prod: Kustomization flux-system/apps (clusters/prod/apps.yaml:12) >
// apps/prod/kustomization.yaml:5, and in 3 more clusters`: from the last thing that applies it on. The whole chain is
// in the machine formats, and `lockstep why` prints it. Empty when the finding has none.
std::string applied_by_line(const Finding& finding, Locator& locator);

} // namespace lockstep
