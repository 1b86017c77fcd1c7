// The one resolver of references: every place where an object that a cluster gets names another one, by the rows of
// rules/data/references.yaml, looked up among what that cluster gets. Rules only judge what it says.
#pragma once
#include "base/suggest.h"
#include "deploy/fleet.h"
#include "deploy/made_objects.h"
#include "deploy/openings.h"
#include "deploy/reference_rows.h"

namespace lockstep {

struct Resolution {
    enum class Is : std::uint8_t {
        here,      // this cluster gets it from this tree
        elsewhere, // something makes it that is known: the config, bootstrapping, an operator, a script
        possible,  // nobody can tell, and `why` says why
        missing,
    } is = Is::missing;
    std::vector<std::uint32_t> to = {};     // here: the instances
    std::string why = {};                   // elsewhere, possible
    bool open = false;                      // possible: only because something not shown may bring it
    bool by_convention = false;             // open: and only if this repository leaves such objects to others
    std::vector<std::uint32_t> others = {}; // of that name in other namespaces of the cluster
    std::uint32_t hashed = no_number;       // the generated object that has this name and a hash behind it
    std::string near = {};                  // the only name there within two edits
    bool near_ns = false;                   // exactly one namespace within two edits has one of the name
    EntityId unapplied = no_entity;         // one of that name that nothing applies
};

struct ResolvedReference {
    const ReferenceRow* row = nullptr;
    std::uint32_t from = no_number; // the instance that refers; none for an object that nothing applies
    EntityId object = no_entity;    // as declared; none for what a generator makes
    std::uint32_t cluster = no_number;
    GroupKind wanted;
    std::string ns, name; // an empty namespace is any, or none
    Place place;          // of the name
    bool optional = false;
    const Resolution* is = nullptr; // of the References that gave it; many ask for the same
};

class References {
public:
    struct Input {
        const Fleet& fleet;
        const Index& index;
        ParsedFiles& files;
        std::vector<ReferenceRow> rows = {};
        std::vector<MakerRow> makers = {};
        std::vector<std::string> external = {}; // `Kind/namespace/name` with `*`
        std::vector<ScriptText> scripts = {};
    };
    explicit References(Input input);

    // All references of a set. Those of objects that no proven chain applies are `possible`.
    std::vector<ResolvedReference> of_set(std::string_view set);
    // The name that a reference could have meant, for a hint.
    std::optional<std::string> name_near(const ResolvedReference& reference);

private:
    bool may_hold(std::uint32_t number, std::string_view field) const;
    void add_references(std::uint32_t number, const ReferenceRow& row, const Value& tree,
                        std::vector<ResolvedReference>& found);
    bool shows_all(std::uint32_t number, std::string_view group);
    void add_unapplied(std::string_view set, std::vector<ResolvedReference>& found);
    std::string namespace_for(const ReferenceRow& row, const Value& reference, const Instance& from,
                              const Value* tree) const;
    const Resolution& resolve(std::uint32_t cluster, const GroupKind& wanted, const std::string& ns,
                              const std::string& name);
    const Resolution& unsure(const std::string& why);
    Resolution look(std::uint32_t cluster, const GroupKind& wanted, const std::string& ns, const std::string& name);
    bool find_here(std::uint32_t cluster, const GroupKind& wanted, const std::string& ns, const std::string& name,
                   Resolution& made) const;
    void find_others(std::uint32_t cluster, const GroupKind& wanted, const std::string& ns, const std::string& name,
                     Resolution& made);
    void find_near(std::uint32_t cluster, const GroupKind& wanted, const std::string& ns, const std::string& name,
                   Resolution& made);
    bool is_external(std::string_view kind, std::string_view ns, std::string_view name) const;
    std::string_view path_of(EntityId object) const;
    bool is_entry_point(EntityId object) const;
    bool is_carried(std::uint32_t instance) const;
    std::string in_a_sister(std::uint32_t cluster, const GroupKind& wanted, const std::string& ns,
                            const std::string& name) const;
    struct OfKind { // proven instances of one kind in one cluster
        std::vector<std::uint32_t> all, generated;
        std::map<std::string, NearNames> names; // by namespace, when asked for
    };
    OfKind& of_kind(std::uint32_t cluster, const GroupKind& wanted);
    const NearNames& names(std::uint32_t cluster, const GroupKind& wanted, const std::string& ns);

    Input in_;
    MadeObjects made_;
    Openings openings_;
    std::map<std::string, Resolution> known_;
    std::map<std::string, Resolution> unsure_; // by the reason
    std::map<std::pair<std::uint32_t, GroupKind>, OfKind> of_kind_;
    bool of_kind_read_ = false, makers_read_ = false;
    std::set<std::uint32_t> incomplete_;     // instances whose roots have gaps
    std::set<std::uint32_t> without_folder_; // those whose path leads nowhere here
};

} // namespace lockstep
