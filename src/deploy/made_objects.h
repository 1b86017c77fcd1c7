// Objects that nobody declares as such and that something a cluster gets makes all the same: operators by the rows of
// makers.yaml, bootstrapping, scripts; and what may make them: templated names, manifests inside other objects,
// templates of charts.
#pragma once
#include "deploy/fleet.h"
#include "deploy/reference_rows.h"
#include "deploy/script_makers.h"
#include "deploy/syncs.h"
#include <map>
#include <set>

namespace lockstep {

class MadeObjects {
public:
    // Whether somebody may apply more to a cluster than the builds of this tree show.
    using MayApply = std::function<bool(std::uint32_t cluster)>;
    MadeObjects(const Fleet& fleet, const Index& index, std::vector<MakerRow> makers, ScriptMakers scripts,
                MayApply may_apply);

    struct Answer {
        bool made = false, perhaps = false;
        std::string why; // who makes it, or may
    };
    Answer look(std::uint32_t cluster, const GroupKind& wanted, std::string_view ns, std::string_view name);
    // Names that something makes for sure, for suggestions.
    std::vector<std::string> names(std::uint32_t cluster, const GroupKind& wanted, std::string_view ns);
    const std::vector<MakerRow>& makers() const { return makers_; }

private:
    struct Made {
        std::string ns, name; // `name` may hold `*`; an empty namespace is any
        bool sure = true;
        std::string why;
    };
    struct OfKind {
        std::map<std::string, std::vector<Made>, std::less<>> by_name;
        std::vector<Made> patterns;
        void add(Made one);
    };
    OfKind& of(std::uint32_t cluster, const GroupKind& wanted);
    void add_instances(std::uint32_t cluster, const GroupKind& wanted, OfKind& made);
    void add_by_row(const MakerRow& row, const Instance& one, OfKind& made) const;
    void add_unapplied(std::uint32_t cluster, const GroupKind& wanted, OfKind& made) const;
    void add_inside(const Value& tree, const GroupKind& wanted, const Instance& holder, OfKind& made) const;
    void add_declared(std::uint32_t cluster, const GroupKind& wanted, OfKind& made);
    void add_syncs(OfKind& made) const;
    const std::set<std::string>& charts_of(std::uint32_t cluster);
    bool may_hold(const Instance& one, const GroupKind& wanted) const;

    const Fleet& fleet_;
    const Index& index_;
    std::vector<MakerRow> makers_;
    ScriptMakers scripts_;
    MayApply may_apply_;
    std::map<std::uint32_t, std::vector<std::uint32_t>> roots_;     // by cluster
    std::map<std::pair<std::uint32_t, GroupKind>, OfKind> of_kind_; // when asked for
    std::map<std::uint32_t, std::set<std::string>> charts_;         // folders of charts that releases install
    std::vector<EntityId> release_of_object_;
    std::vector<EntityId> maker_objects_;                 // as declared, applied or not
    std::map<GroupKind, std::vector<EntityId>> declared_; // by cloud-init, in templates, inside texts
};

} // namespace lockstep
