// Which maps a branch may change. Where something unknown decides about the branch, these are unknown behind it.
#pragma once
#include "helm/template_run.h"
#include <functional>

namespace lockstep {

struct BranchScope {
    const TemplateSet& set;
    const GoValue* dot = nullptr;                               // nothing: which value it is, is not known here
    std::function<const GoValue*(std::string_view)> variable{}; // by name
};

// Marks what set, unset, merge and mergeOverwrite in the branch, or in templates that it includes, would change.
// Gives the number of nodes looked at.
std::uint64_t doubt_changes(ValueArena& arena, const TemplateNode& branch, const BranchScope& scope,
                            const ValueOrigin* by);

} // namespace lockstep
