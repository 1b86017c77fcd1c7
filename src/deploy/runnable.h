// Whether what applies things can run at all: Flux does nothing with a Kustomization or a release whose source is not
// there, or that waits for something which never comes.
#pragma once
#include "deploy/references.h"

namespace lockstep {

class Runnable {
public:
    Runnable(const Fleet& fleet, References& references);
    // Why nobody can tell that Flux ever runs what the root stands for. Empty: it runs.
    std::string doubt(const Root& root) const;

private:
    std::string key_of(const Instance& maker) const;

    const Fleet& fleet_;
    std::map<std::string, std::string> unresolved_; // by cluster and name: what it needs and nothing is known to bring
    std::set<std::string> applied_;                 // by cluster and name: something that runs applies it
};

} // namespace lockstep
