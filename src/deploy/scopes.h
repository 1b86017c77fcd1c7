// Which kinds live in no namespace: what rules/data/scopes.yaml knows, and what CRDs of the tree say.
#pragma once
#include "index/index.h"

namespace lockstep {

struct Scope {
    bool cluster = false, known = true;
};

class Scopes {
public:
    explicit Scopes(const Index& index); // takes what the tree's CustomResourceDefinitions say
    Scope of(std::string_view group, std::string_view kind) const;

private:
    std::unordered_map<std::string, bool> cluster_; // by name_key of group and kind; `*` is the rest of a group
};

} // namespace lockstep
