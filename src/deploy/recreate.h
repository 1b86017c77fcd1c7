// Deployments with strategy Recreate, as several rules ask for them.
#pragma once
#include "deploy/fleet.h"

namespace lockstep {

// The type of a Deployment's strategy.
Cell strategy_of(const Value* tree);
bool is_recreate(const Cell& type);

// Where no file has the word, a file without templates needs no closer look.
class RecreateSearch {
public:
    explicit RecreateSearch(const Tree& tree);
    bool may_recreate(const Object& object) const;

private:
    const Tree& tree_;
    bool named_;
};

} // namespace lockstep
