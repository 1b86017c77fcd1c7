// Which kinds live in no namespace: what Kubernetes and widely used operators define, and what CRDs of the tree say.
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
    std::unordered_map<std::string, bool> custom_; // `group/Kind` to cluster-scoped
};

} // namespace lockstep
