// Folders of this tree that Argo CD's objects name: what is outside of them, Argo CD does not apply. An Application in
// a folder that none names is itself applied by nobody, and names nothing.
#pragma once
#include "base/glob.h"
#include "index/index.h"
#include "yaml/value.h"
#include <functional>
#include <set>

namespace lockstep {

class ArgoFolders {
public:
    using TreeOf = std::function<const Value*(EntityId)>;           // objects as they are written
    using ListsOver = std::function<std::vector<EntityId>(FileId)>; // topmost kustomizations that lead to a file
    using IsSide = std::function<bool(FileId)>;
    ArgoFolders(const Index& index, const TreeOf& tree_of, const ListsOver& lists_over, const IsSide& is_side);
    // False where nothing is known: no such object, one that may name any folder, or none of these folders is here.
    bool any() const { return any_; }
    // The folder of a kustomization is named, or one around it that is no kustomization itself: or it begins all, as
    // nothing else leads to the objects that name the others.
    bool name(std::string_view folder) const;

private:
    struct Namer { // an Application or an ApplicationSet
        std::vector<Glob> folders = {};
        std::vector<std::string> lists = {}; // folders of the topmost kustomizations over it
        bool counts = true;
    };
    void add(std::string_view path);
    void add_sources(const Value* spec);
    void add_generators(const Value* generators);
    void add_elements(const Value& element);
    void add_set(const Value* spec);
    bool matches(std::string_view folder) const;
    bool is_named(std::string_view folder) const;
    void leave_out_unreached();

    const Index& index_;
    std::vector<Namer> namers_;
    std::set<std::string, std::less<>> beginnings_;
    bool open_ = false, any_ = false;
};

} // namespace lockstep
