// Which kinds live in no namespace: what rules/data/scopes.yaml knows, and what CRDs of the tree say.
#pragma once
#include "index/index.h"
#include <map>

namespace lockstep {

struct Scope {
    bool cluster = false, known = true;
};

class Scopes {
public:
    explicit Scopes(const Index& index); // takes what the tree's CustomResourceDefinitions say
    Scope of(std::string_view group, std::string_view kind) const;

private:
    std::map<std::string, std::map<std::string, bool, std::less<>>, std::less<>> cluster_; // `*`: the rest of a group
};

} // namespace lockstep
