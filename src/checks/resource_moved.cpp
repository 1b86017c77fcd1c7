// Objects that leave one pruning Flux Kustomization and join another in one change: whichever of the two Flux runs
// first decides whether they are deleted.
#include "checks/checks.h"
#include "checks/force.h"
#include "deploy/identities.h"
#include "index/cells.h"
#include "index/relations.h"
#include <algorithm>
#include <set>

namespace lockstep {
namespace {

// `namespace/name`, the namespace left out where nothing says it.
std::string flux_name(const Root& root) {
    return root.ns.empty() ? root.name : root.ns + "/" + root.name;
}

class Moves {
public:
    Moves(const CheckInput& input, RuleOutcome& outcome)
        : index_(input.repository.index), base_(fleet_of(*input.base), owned), head_(fleet_of(input.repository), owned),
          outcome_(outcome) {
        for (const Root& root : head_.fleet().roots)
            if (root.by == Root::By::flux) still_there_.emplace(key_of(head_.fleet(), root), &root);
    }

    void run() {
        for (const auto& [identity, all] : head_.all()) {
            const auto before = base_.all().find(identity);
            if (before != base_.all().end()) judge(before->second, all);
        }
        for (auto& [pair, moved] : moved_)
            report(moved);
    }

private:
    struct Moved {
        const Root* from = nullptr;  // of the base
        const Root* joins = nullptr; // of the head
        std::vector<EntityId> objects;
        Place left; // of the Kustomization that is left, where it is still there
        bool removed = false;
    };
    using Owners = std::map<std::string, const Instance*>; // by root

    static bool owned(const Instance& one) { return one.object != no_entity; }

    static std::string key_of(const Fleet& fleet, const Root& root) {
        return fleet.clusters[root.cluster].name + " " + flux_name(root);
    }

    // Those that certainly apply it.
    static Owners owners(const Identities& tree, const std::vector<std::uint32_t>& all) {
        Owners found;
        for (std::uint32_t number : all) {
            const Instance& one = tree.instance(number);
            const Root& root = tree.fleet().root_of(one);
            if (root.by == Root::By::flux && root.certainty == Certainty::proven)
                found.emplace(key_of(tree.fleet(), root), &one);
        }
        return found;
    }

    void judge(const std::vector<std::uint32_t>& before, const std::vector<std::uint32_t>& now) {
        const Owners old_owners = owners(base_, before), new_owners = owners(head_, now);
        if (old_owners.empty() || new_owners.empty()) return;
        const Object& object = index_.objects[new_owners.begin()->second->object];
        const std::string subject = subject_of(index_, object);
        std::string undecided;
        bool moved = false;
        for (const auto& [old_root, old] : old_owners) {
            if (new_owners.contains(old_root)) continue; // still there
            for (const auto& [new_root, fresh] : new_owners) {
                if (old_owners.contains(new_root)) continue; // was there before
                const Root& was = base_.fleet().root_of(*old);
                const Root& joins = head_.fleet().root_of(*fresh);
                if (base_.cluster(*old) != head_.cluster(*fresh)) continue;
                std::string unsure;
                if (is_safe(was, joins, unsure) || is_kept(*old)) continue;
                if (!unsure.empty()) {
                    undecided = unsure;
                    continue;
                }
                moved = true;
                add(old_root + " to " + new_root, was, joins, *fresh);
            }
        }
        if (moved) return;
        if (!undecided.empty()) return outcome_.undecided(object.name.place, subject, undecided);
        outcome_.pass(object.name.place, subject);
    }

    const Root* same_root(const Root& old) const {
        const auto found = still_there_.find(key_of(base_.fleet(), old));
        return found == still_there_.end() ? nullptr : found->second;
    }

    // What keeps the one that is left from pruning, as far as the two Kustomizations go.
    bool is_safe(const Root& was, const Root& joins, std::string& unsure) const {
        if (flux_name(was) == flux_name(joins)) return true; // its file moved
        const Root* still = same_root(was);
        const Cell& prune = still ? still->spec.prune : was.spec.prune;
        const Cell& suspend = still ? still->spec.suspend : was.spec.suspend;
        if (prune.state == State::templated) unsure = "spec.prune is templated";
        if (unsure.empty() && prune.text != "true") return true;
        if (!still && is_orphaning(was)) return true;
        if (is_known(suspend) && suspend.text == "true") unsure = "the Kustomization that it leaves is suspended";
        return false;
    }

    // Removed, it leaves its objects where they are.
    bool is_orphaning(const Root& root) const {
        if (root.maker == no_number) return false; // the sync of a FluxInstance
        const Value* tree = base_.fleet().tree_of(base_.fleet().instances[root.maker]);
        return cell_at(tree, {"spec", "deletionPolicy"}).text == "Orphan";
    }

    // The object itself says that Flux must not prune it.
    bool is_kept(const Instance& old) const {
        const Value* tree = base_.fleet().tree_of(old);
        for (std::string_view map : {"annotations", "labels"}) {
            const Cell mark = cell_at(tree, {"metadata", map, "kustomize.toolkit.fluxcd.io/prune"});
            if (is_known(mark) && says_disabled(mark.text)) return true;
        }
        return is_left_alone(tree);
    }

    void add(const std::string& key, const Root& was, const Root& joins, const Instance& fresh) {
        Moved& moved = moved_[key];
        if (!moved.from) {
            moved.from = &was;
            moved.joins = &joins;
            const Root* still = same_root(was);
            moved.removed = !still;
            if (still && still->flux != no_entity)
                moved.left = index_.objects[index_.flux_kustomizations[still->flux].object].name.place;
        }
        moved.objects.push_back(fresh.object);
    }

    void report(Moved& moved) {
        std::sort(moved.objects.begin(), moved.objects.end());
        moved.objects.erase(std::unique(moved.objects.begin(), moved.objects.end()), moved.objects.end());
        const Object& first = index_.objects[moved.objects.front()];
        const std::string from = flux_name(*moved.from), to = flux_name(*moved.joins);
        const bool several = moved.objects.size() > 1;
        Finding finding;
        finding.message = first.kind.text + " " + first.name.text;
        finding.message += several ? " and " + std::to_string(moved.objects.size() - 1) + " more leave" : " leaves";
        finding.message += " Flux Kustomization " + from + (moved.removed ? ", which this change removes," : "") +
                           " and join" + (several ? "" : "s") + " " + to + " in one change: unless " + to +
                           " is applied first, prune deletes what is live";
        finding.place = first.name.place;
        if (is_there(moved.left)) finding.related.push_back({moved.left, "prune: true; it owned the object before"});
        if (moved.joins->flux != no_entity)
            finding.related.push_back({index_.objects[index_.flux_kustomizations[moved.joins->flux].object].name.place,
                                       "it owns the object now"});
        for (std::size_t i = 1; i < moved.objects.size(); ++i) {
            const Object& object = index_.objects[moved.objects[i]];
            finding.related.push_back({object.name.place, "this one too"});
            outcome_.subjects.push_back(
                {object.name.place, subject_of(index_, object), Verdict::fail, {}, outcome_.subjects.size()});
        }
        outcome_.fail(from + "->" + to + ":" + subject_of(index_, first), std::move(finding));
    }

    const Index& index_;
    const Identities base_, head_;
    RuleOutcome& outcome_;
    std::map<std::string, const Root*> still_there_; // Flux Kustomizations of the head
    std::map<std::string, Moved> moved_;             // by the roots that are left and joined
};

} // namespace

void check_resource_moved(const CheckInput& input, RuleOutcome& outcome) {
    if (!input.base || input.repository.index.flux_kustomizations.empty()) return;
    Moves(input, outcome).run();
}

} // namespace lockstep
