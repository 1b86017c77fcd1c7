// Whether an object that something refers to exists: declared in this tree, made by something in it, named as external
// in the config, or possibly brought by what the tree does not show. Only what nothing here can bring is missing.
#pragma once
#include "checks/nodes.h"
#include "checks/reference_scope.h"
#include "config/config.h"
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

namespace lockstep {

struct Wanted {
    std::string_view group, kind; // by group: kustomize and Flux both have a Kustomization
    std::string ns;               // empty: not known, any will do
    std::string_view name;
};

// All declarations of one group, kind and name, in whatever namespace. Tenants and clusters may share a name by the
// thousand: what is asked about all of them is worked out once.
struct Declared {
    std::vector<EntityId> objects;
    std::optional<Namespaces> namespaces = {}; // where they stand; not set: nobody asked yet
};

struct Existence {
    enum class Is : std::uint8_t { here, maybe, missing } is = Is::missing;
    Declared* declared = nullptr; // none for what bootstrapping makes and the config names as external
    std::string why = {};         // maybe: what may bring it
};

class KnownObjects {
public:
    KnownObjects(const Repository& repository, const Config& config);
    Existence look(const Wanted& wanted);
    Existence look_beyond(const Wanted& wanted); // as if the tree declared none of that name
    const Namespaces& namespaces_of(Declared& declared) const;
    // The namespace that a reference looks in when all objects of the name surely stand in others; empty when one may
    // be met. `ns` is that of the reference.
    std::string missed_namespace(EntityId referrer, const Cell& ns, Declared* declared) const;
    // Why nothing can be said: what this tree does not show may bring such an object. Empty when the tree shows all.
    std::string unseen(std::string_view kind, std::string_view ns);
    bool is_external(std::string_view kind, std::string_view ns, std::string_view name) const;
    // A script, a Terraform file or a file that could not be read names it.
    std::string named_in_script(std::string_view name);
    std::vector<std::string> names_of(std::string_view group, std::string_view kind) const; // sorted
    Nodes& nodes() { return nodes_; }

private:
    struct Unseen {
        std::string anywhere;                     // empty: nothing
        std::map<std::string, std::string> in_ns; // what can only bring objects of one namespace
    };
    void add_implicit_sync();
    void add_foreign_paths(Unseen& unseen, std::string_view kind);
    void add_foreign_lists(Unseen& unseen, std::string_view kind) const;
    void add_makers(Unseen& unseen, std::string_view kind);

    const Repository& repository_;
    const Config& config_;
    Nodes nodes_;
    // By group/kind/name; whole declarations are in Index::objects_by_name.
    std::unordered_map<std::string, std::vector<EntityId>> more_;    // what the index does not count as declared
    std::unordered_map<std::string, std::vector<EntityId>> patched_; // what only patches name
    std::map<std::string, std::set<std::string>> patterns_;          // group/kind: templated names with `*`
    std::unordered_map<std::string, Declared> declared_;             // what was looked up
    std::set<std::string> affixes_;                                  // prefixes and suffixes that kustomizations add
    std::set<std::string, std::less<>> implicit_;                    // sources that bootstrapping makes
    std::map<std::string, Unseen, std::less<>> unseen_;
    std::optional<std::unordered_map<std::string_view, FileId>> mentions_;
};

// Says where the others of that name stand, the first of them.
void add_declared(Finding& finding, const Index& index, const Declared* declared);

// `*` for each template action, for names that hold one.
std::string pattern_of_name(std::string_view name);
bool fits(std::string_view pattern, std::string_view text); // `*` is anything, also nothing
// Marks of template languages that the YAML reader does not know, and words that wait to be replaced.
bool is_placeholder(std::string_view text);

// Whether a reference of this object can be judged, and how surely the tree holds its whole world.
struct Standing {
    enum class Is : std::uint8_t { applied, loose, not_judged } is = Is::applied;
    std::string why; // not_judged; loose: nothing here applies it
};
// `source` is that of a Flux Kustomization: one that applies this repository belongs to it, whoever applies it.
Standing standing_of(const Repository& repository, const Object& object, Ours source = Ours::unknown);

// Where nothing here applies the referring objects, the custom of the repository decides: when nearly all such
// references lead to something in the tree, one that does not is a fault; when many do not, the rest lives elsewhere.
struct Custom {
    std::size_t here = 0, missing = 0;
    bool is_to_declare() const { return here >= 3 && missing * 10 <= here; }
};

} // namespace lockstep
