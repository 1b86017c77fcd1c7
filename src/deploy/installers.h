// Charts that something other than Flux installs: releases of helmfiles, `helm install` in scripts, `helm_release` of
// Terraform. What is in them, this tree does not show.
#pragma once
#include "deploy/script_makers.h"
#include "index/index.h"
#include "index/parsed_files.h"
#include <span>

namespace lockstep {

struct InstalledChart {
    std::string ns; // empty: any
    std::string by; // `release cert-manager of bootstrap/helmfile.yaml`
};

std::vector<InstalledChart> installed_charts(const Index& index, ParsedFiles& files,
                                             std::span<const ScriptText> scripts);

} // namespace lockstep
