// Objects that leave one pruning Flux Kustomization or release and join another in one change: whichever of the two
// Flux runs first decides whether they are deleted.
#include "deploy/force_mark.h"
#include "deploy/identities.h"
#include "index/cells.h"
#include "index/relations.h"
#include "rules/check.h"
#include <algorithm>
#include <set>

namespace lockstep::resource_moved {
namespace {

// `namespace/name`, the namespace left out where nothing says it; a release says that it is one.
std::string owner_name(const Root& root) {
    return (root.by == Root::By::release ? "release " : "") + (root.ns.empty() ? "" : root.ns + "/") + root.name;
}

std::string titled(const Root& root) {
    return (root.by == Root::By::flux ? "Flux Kustomization " : "") + owner_name(root);
}

bool is_owner(const Root& root) {
    return root.by == Root::By::flux || root.by == Root::By::release;
}

class Moves {
public:
    Moves(const CheckInput& input, RuleOutcome& outcome)
        : index_(input.repository.index), base_(fleet_of(*input.base), owned(fleet_of(*input.base))),
          head_(fleet_of(input.repository), owned(fleet_of(input.repository))), outcome_(outcome) {
        for (const Root& root : head_.fleet().roots)
            if (is_owner(root)) still_there_.emplace(key_of(head_.fleet(), root), &root);
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
        const Root* from = nullptr;                                       // of the base
        const Root* joins = nullptr;                                      // of the head
        std::map<std::pair<Place, std::string>, const Instance*> objects; // of the head, by place and subject
        Place left; // of the Kustomization that is left, where it is still there
        bool removed = false;
    };
    using Owners = std::map<std::string, const Instance*>; // by root

    static Identities::Wanted owned(const Fleet& fleet) {
        return [&fleet](const Instance& one) {
            return one.object != no_entity || fleet.root_of(one).by == Root::By::release;
        };
    }

    static std::string key_of(const Fleet& fleet, const Root& root) {
        return fleet.clusters[root.cluster].name + " " + owner_name(root);
    }

    // Those that certainly apply it.
    static Owners owners(const Identities& tree, const std::vector<std::uint32_t>& all) {
        Owners found;
        for (std::uint32_t number : all) {
            const Instance& one = tree.instance(number);
            const Root& root = tree.fleet().root_of(one);
            if (is_owner(root) && root.certainty == Certainty::proven) found.emplace(key_of(tree.fleet(), root), &one);
        }
        return found;
    }

    void judge(const std::vector<std::uint32_t>& before, const std::vector<std::uint32_t>& now) {
        const Owners old_owners = owners(base_, before), new_owners = owners(head_, now);
        if (old_owners.empty() || new_owners.empty()) return;
        const Instance& now_is = *new_owners.begin()->second;
        const std::string subject = subject_of(index_, now_is);
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
                if (is_hook(base_.fleet(), *old) || is_hook(head_.fleet(), *fresh)) continue;
                if (!unsure.empty()) {
                    undecided = unsure;
                    continue;
                }
                moved = true;
                add(old_root + " to " + new_root, was, joins, *fresh);
            }
        }
        if (moved) return;
        const Place place = place_of(index_, now_is);
        if (!undecided.empty()) return outcome_.undecided(place, subject, undecided);
        outcome_.pass(place, subject);
    }

    const Root* same_root(const Root& old) const {
        const auto found = still_there_.find(key_of(base_.fleet(), old));
        return found == still_there_.end() ? nullptr : found->second;
    }

    // What keeps the one that is left from pruning, as far as the two Kustomizations go.
    bool is_safe(const Root& was, const Root& joins, std::string& unsure) const {
        if (owner_name(was) == owner_name(joins)) return true; // its file moved
        const Root* still = same_root(was);
        if (was.by == Root::By::release) { // an upgrade deletes what the chart no longer makes
            if (still) return false;
            const Root& above = base_.fleet().roots[was.above];
            return above.by == Root::By::flux && above.spec.prune.text != "true";
        }
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
        return is_left_alone(tree) ||
               cell_at(tree, {"metadata", "annotations", "helm.sh/resource-policy"}).text == "keep";
    }

    Place declared_at(const Root& root) const {
        if (root.flux != no_entity) return index_.objects[index_.flux_kustomizations[root.flux].object].name.place;
        if (root.release != no_entity) return index_.objects[index_.releases[root.release].object].name.place;
        return {};
    }

    void add(const std::string& key, const Root& was, const Root& joins, const Instance& fresh) {
        Moved& moved = moved_[key];
        if (!moved.from) {
            moved.from = &was;
            moved.joins = &joins;
            const Root* still = same_root(was);
            moved.removed = !still;
            if (still) moved.left = declared_at(*still);
        }
        moved.objects.emplace(std::pair(place_of(index_, fresh), subject_of(index_, fresh)), &fresh);
    }

    void report(Moved& moved) {
        const Instance& first = *moved.objects.begin()->second;
        const std::string from = owner_name(*moved.from), to = owner_name(*moved.joins);
        const bool several = moved.objects.size() > 1, prunes = moved.from->by == Root::By::flux;
        Finding finding;
        finding.message = std::string(first.id().kind) + " " + std::string(first.id().name);
        finding.message += several ? " and " + std::to_string(moved.objects.size() - 1) + " more leave" : " leaves";
        finding.message += " " + titled(*moved.from) + (moved.removed ? ", which this change removes," : "") +
                           " and join" + (several ? "" : "s") + " " + to + " in one change: unless " + to +
                           " is applied first, " +
                           (prunes ? "prune deletes the live object" : "Helm deletes the live object");
        finding.place = moved.objects.begin()->first.first;
        if (is_there(moved.left))
            finding.related.push_back(
                {moved.left, prunes ? "prune: true; it owned the object before" : "it owned the object before"});
        if (const Place joins = declared_at(*moved.joins); is_there(joins))
            finding.related.push_back({joins, "it owns the object now"});
        for (auto next = std::next(moved.objects.begin()); next != moved.objects.end(); ++next) {
            finding.related.push_back({next->first.first, "this one too"});
            outcome_.subjects.push_back(
                {next->first.first, next->first.second, Verdict::fail, {}, outcome_.subjects.size()});
        }
        outcome_.fail(from + "->" + to + ":" + subject_of(index_, first), std::move(finding));
    }

    const Index& index_;
    const Identities base_, head_;
    RuleOutcome& outcome_;
    std::map<std::string, const Root*> still_there_; // Flux Kustomizations of the head
    std::map<std::string, Moved> moved_;             // by the roots that are left and joined
};

void run(const CheckInput& input, RuleOutcome& outcome) {
    if (!input.base || input.repository.index.flux_kustomizations.empty()) return;
    Moves(input, outcome).run();
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::resource_moved
