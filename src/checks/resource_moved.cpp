// Objects that leave one pruning Flux Kustomization and join another in one change: whichever of the two Flux runs
// first decides whether they are deleted.
#include "checks/applied.h"
#include "checks/checks.h"
#include "index/cells.h"
#include "index/relations.h"
#include <algorithm>
#include <set>

namespace lockstep {
namespace {

// `namespace/name` as it is applied itself, the namespace left out where nothing says it.
std::string flux_name(AppliedObjects& objects, EntityId flux) {
    const Index& index = objects.index();
    const Object& object = index.objects[index.flux_kustomizations[flux].object];
    const auto routes = objects.overlay().routes(object);
    const std::string identity = applied_identity(index, object, routes.empty() ? Route() : routes.front());
    const auto kind = identity.find("/Kustomization/");
    if (kind == std::string::npos) return object.name.text;
    const std::string name = identity.substr(kind + std::string_view("/Kustomization/").size());
    return name.starts_with('/') ? name.substr(1) : name;
}

// The folders of the topmost Flux Kustomizations that bring this one in: two with a common one are of the same cluster.
std::set<std::string> top_folders(const Index& index, EntityId flux) {
    std::set<EntityId> seen{flux};
    std::vector<EntityId> open{flux};
    std::set<std::string> tops;
    while (!open.empty()) {
        const EntityId one = open.back();
        open.pop_back();
        const Object& object = index.objects[index.flux_kustomizations[one].object];
        std::vector<EntityId> above = flux_above(index, object.file);
        std::erase(above, one); // flux-system applies itself
        if (above.empty()) tops.insert(std::string(directory_of(index.tree->files[object.file].path)));
        for (EntityId next : above)
            if (seen.insert(next).second) open.push_back(next);
    }
    return tops;
}

struct Owner {
    EntityId flux = no_entity;
    const RoutedObject* applied = nullptr;
};

class Moves {
public:
    Moves(const CheckInput& input, RuleOutcome& outcome)
        : base_(*input.base, any), head_(input.repository, any), outcome_(outcome) {}

    void run() {
        for (const auto& [identity, all] : head_.by_identity()) {
            const auto before = base_.by_identity().find(identity);
            if (before != base_.by_identity().end()) judge(before->second, all);
        }
        for (auto& [pair, moved] : moved_)
            report(moved);
    }

private:
    struct Moved {
        std::string from, to;
        const RoutedObject* first = nullptr;
        EntityId joins = no_entity;
        std::vector<const Object*> objects;
        Place left; // of the Kustomization that is left, where it is still there
        bool removed = false;
    };

    struct Safety {
        bool safe = false;
        std::string unsure;
    };

    static bool any(const Object& object) { return is_known(object.name); }

    // By root, those that certainly apply it. A Kustomization that is applied under another name is another one.
    std::map<std::string, Owner> owners(AppliedObjects& objects, const std::vector<RoutedObject>& all) {
        std::map<std::string, Owner> found;
        for (const RoutedObject& one : all) {
            if (one.route.flux == no_entity || !one.route.sure) continue;
            auto [name, fresh] = names_.try_emplace({&objects, one.route.flux});
            if (fresh) name->second = flux_name(objects, one.route.flux);
            found[one.root + " as " + name->second] = {one.route.flux, &one};
        }
        return found;
    }

    void judge(const std::vector<RoutedObject>& before, const std::vector<RoutedObject>& now) {
        const auto old_owners = owners(base_, before), new_owners = owners(head_, now);
        if (old_owners.empty() || new_owners.empty()) return;
        const Object& object = *now.front().object;
        const std::string subject = subject_of(head_.index(), object);
        std::string undecided;
        bool moved = false;
        for (const auto& [old_root, old] : old_owners) {
            if (new_owners.contains(old_root)) continue; // still there
            for (const auto& [new_root, fresh] : new_owners) {
                if (old_owners.contains(new_root)) continue; // was there before
                auto [known, asked] = safety_.try_emplace({old_root, new_root});
                if (asked) known->second = safety(old, fresh);
                if (known->second.safe || is_kept(*old.applied)) continue;
                if (!known->second.unsure.empty()) {
                    undecided = known->second.unsure;
                    continue;
                }
                moved = true;
                add(old_root, new_root, old, fresh);
            }
        }
        if (moved) return;
        if (!undecided.empty()) return outcome_.undecided(object.name.place, subject, undecided);
        outcome_.pass(object.name.place, subject);
    }

    // What keeps the one that is left from pruning, as far as the two Kustomizations go.
    Safety safety(const Owner& old, const Owner& fresh) {
        const FluxKustomization& was = base_.index().flux_kustomizations[old.flux];
        const FluxKustomization& joins = head_.index().flux_kustomizations[fresh.flux];
        const EntityId still = same_flux(old.flux);
        const FluxKustomization& left = still == no_entity ? was : head_.index().flux_kustomizations[still];
        const Object& was_object = base_.index().objects[was.object];
        if (flux_name(base_, old.flux) == flux_name(head_, fresh.flux)) return {true, {}}; // its file moved
        if (left.prune.state == State::templated) return {false, "spec.prune is templated"};
        if (!is_known(left.prune) || left.prune.text != "true") return {true, {}};
        if (was_object.tree != head_.index().objects[joins.object].tree) return {true, {}}; // another cluster
        if (still == no_entity && is_orphaning(old.flux)) return {true, {}};
        const auto old_tops = top_folders(base_.index(), old.flux), new_tops = top_folders(head_.index(), fresh.flux);
        const bool same = std::any_of(old_tops.begin(), old_tops.end(),
                                      [&](const std::string& top) { return new_tops.contains(top); });
        if (!same) return {false, "whether both Kustomizations are of one cluster cannot be told"};
        if (is_there(was.kube_config) || is_there(joins.kube_config))
            return {false, "spec.kubeConfig names another cluster"};
        if (is_known(left.suspend) && left.suspend.text == "true")
            return {false, "the Kustomization that it leaves is suspended"};
        return {false, {}};
    }

    // Removed, it leaves its objects where they are.
    bool is_orphaning(EntityId flux) {
        const Object& object = base_.index().objects[base_.index().flux_kustomizations[flux].object];
        auto routes = base_.overlay().routes(object);
        if (routes.empty()) routes.emplace_back();
        return std::any_of(routes.begin(), routes.end(), [&](const Route& route) {
            return base_.overlay().look(object, route, {"spec", "deletionPolicy"}).cell.text == "Orphan";
        });
    }

    // The object itself says that Flux must not prune it.
    bool is_kept(const RoutedObject& applied) {
        for (std::string_view block : {"annotations", "labels"}) {
            const Field field = base_.overlay().look(*applied.object, applied.route,
                                                     {"metadata", block, "kustomize.toolkit.fluxcd.io/prune"});
            if (is_known(field.cell) && says_disabled(field.cell.text)) return true;
        }
        return is_left_alone(base_.overlay(), *applied.object, applied.route);
    }

    // The same Flux Kustomization at head: by its name, in the same cluster tree.
    EntityId same_flux(EntityId old) {
        const Object& object = base_.index().objects[base_.index().flux_kustomizations[old].object];
        for (EntityId id = 0; id < head_.index().flux_kustomizations.size(); ++id) {
            const Object& one = head_.index().objects[head_.index().flux_kustomizations[id].object];
            if (!one.partial && one.name.text == object.name.text && one.tree == object.tree &&
                flux_name(head_, id) == flux_name(base_, old))
                return id;
        }
        return no_entity;
    }

    void add(const std::string& old_root, const std::string& new_root, const Owner& old, const Owner& fresh) {
        Moved& moved = moved_[{old_root, new_root}];
        if (!moved.first) {
            moved.from = flux_name(base_, old.flux);
            moved.to = flux_name(head_, fresh.flux);
            moved.first = fresh.applied;
            moved.joins = fresh.flux;
            const EntityId still = same_flux(old.flux);
            moved.removed = still == no_entity;
            if (!moved.removed)
                moved.left = head_.index().objects[head_.index().flux_kustomizations[still].object].name.place;
        }
        moved.objects.push_back(fresh.applied->object);
    }

    void report(Moved& moved) {
        const Index& index = head_.index();
        std::sort(moved.objects.begin(), moved.objects.end()); // one vector: file order
        moved.objects.erase(std::unique(moved.objects.begin(), moved.objects.end()), moved.objects.end());
        const Object& first = *moved.objects.front();
        Finding finding;
        finding.message = first.kind.text + " " + first.name.text;
        if (moved.objects.size() > 1)
            finding.message += " and " + std::to_string(moved.objects.size() - 1) + " more leave";
        else
            finding.message += " leaves";
        finding.message += " Flux Kustomization " + moved.from + (moved.removed ? ", which this change removes," : "") +
                           " and join" + (moved.objects.size() > 1 ? "" : "s") + " " + moved.to +
                           " in one change: unless " + moved.to + " is applied first, prune deletes what is live";
        finding.place = first.name.place;
        if (is_there(moved.left)) finding.related.push_back({moved.left, "prune: true; it owned the object before"});
        const Object& joins = index.objects[index.flux_kustomizations[moved.joins].object];
        finding.related.push_back({joins.name.place, "it owns the object now"});
        for (std::size_t i = 1; i < moved.objects.size(); ++i)
            finding.related.push_back({moved.objects[i]->name.place, "this one too"});
        for (std::size_t i = 1; i < moved.objects.size(); ++i)
            outcome_.subjects.push_back({moved.objects[i]->name.place,
                                         subject_of(index, *moved.objects[i]),
                                         Verdict::fail,
                                         {},
                                         outcome_.subjects.size()});
        outcome_.fail(moved.from + "->" + moved.to + ":" + subject_of(index, first), std::move(finding));
    }

    AppliedObjects base_, head_;
    std::map<std::pair<const AppliedObjects*, EntityId>, std::string> names_;
    RuleOutcome& outcome_;
    std::map<std::pair<std::string, std::string>, Safety> safety_; // by the roots that are left and joined
    std::map<std::pair<std::string, std::string>, Moved> moved_;
};

} // namespace

void check_resource_moved(const CheckInput& input, RuleOutcome& outcome) {
    if (!input.base || input.repository.index.flux_kustomizations.empty()) return;
    Moves(input, outcome).run();
}

} // namespace lockstep
