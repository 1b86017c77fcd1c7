// Folders of this tree that Argo CD's objects name: what is outside of them, Argo CD does not apply.
#pragma once
#include "base/glob.h"
#include "index/index.h"
#include "yaml/value.h"
#include <functional>

namespace lockstep {

class ArgoFolders {
public:
    // `tree_of` gives objects as they are written.
    ArgoFolders(const Index& index, const std::function<const Value*(EntityId)>& tree_of);
    // False where nothing is known: no such object, or one that may name any folder.
    bool any() const { return !folders_.empty() && !open_; }
    // The folder, or one around it, is named.
    bool name(std::string_view folder) const;

private:
    void add(std::string_view path);
    void add_sources(const Value* spec);
    void add_generators(const Value* generators);
    void add_elements(const Value& element);
    void add_set(const Value* spec);

    const Tree& tree_;
    std::vector<Glob> folders_;
    bool open_ = false;
};

} // namespace lockstep
