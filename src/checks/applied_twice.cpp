// One identity, two declarations: inside what one root builds, and between Flux Kustomizations of one cluster.
#include "checks/checks.h"
#include "index/cells.h"
#include "index/relations.h"
#include <algorithm>
#include <set>

namespace lockstep {
namespace {

struct Twice {
    const CheckInput& input;
    RuleOutcome& outcome;
    const Index& index = input.repository.index;
    const Closure& closure = closure_of(input.repository);

    Place place_of(const Applied& applied) const {
        return applied.object == no_entity ? applied.entry : index.objects[applied.object].name.place;
    }
    std::string subject(const Applied& applied) const {
        if (applied.object != no_entity) return subject_of(index, index.objects[applied.object]);
        return index.tree->files[applied.entry.file].path + "#" + std::string(kind_of(index, applied)) + "/" +
               applied.ns.text + "/" + applied.name.text;
    }
    std::string shown(const Applied& applied) const {
        return std::string(kind_of(index, applied)) + " " + (is_set(applied.ns) ? applied.ns.text + "/" : "") +
               applied.name.text;
    }
    // Empty when the name or the namespace is not known.
    std::string identity(const Applied& applied) const {
        if (!applied.sure || !is_known(applied.name) || applied.ns.state == State::templated) return {};
        if (applied.object != no_entity && !is_known(index.objects[applied.object].api_version)) return {};
        return std::string(group_of(index, applied)) + "/" + std::string(kind_of(index, applied)) + "/" +
               applied.ns.text + "/" + applied.name.text;
    }
    std::string root_name(const ClosureRoot& root) const {
        if (root.flux == no_entity) return index.tree->files[index.kustomizations[root.kustomization].file].path;
        const Object& object = index.objects[index.flux_kustomizations[root.flux].object];
        return "Flux Kustomization " + object.name.text;
    }
    Place root_place(const ClosureRoot& root) const {
        if (root.flux == no_entity) return {};
        return index.objects[index.flux_kustomizations[root.flux].object].name.place;
    }
    void relate_way(Finding& finding, const Applied& applied, std::string_view which) const {
        if (applied.object != no_entity && applied.entry.file != no_file)
            finding.related.push_back({applied.entry, "the " + std::string(which) + " comes in here"});
        const Step& step = closure.steps[applied.step];
        if (step.above != no_number) finding.related.push_back({step.entry, "through this entry"});
    }
};

} // namespace

void check_duplicate_object(const CheckInput& input, RuleOutcome& outcome) {
    const Twice twice{input, outcome};
    std::set<std::pair<Place, Place>> told; // one finding for a pair, however many roots build it
    std::set<Place> passed;
    for (const ClosureRoot& root : twice.closure.roots) {
        // A folder that Flux may or may not list is no build of ours.
        const bool guess = root.kustomization == no_entity && !root.sure;
        std::unordered_map<std::string, std::uint32_t> first;
        for (std::uint32_t i = root.first; i < root.first + root.count; ++i) {
            const Applied& applied = twice.closure.applied[i];
            const Place place = twice.place_of(applied);
            std::string identity = twice.identity(applied);
            if (identity.empty() || guess) {
                if (passed.insert(place).second)
                    outcome.undecided(place, twice.subject(applied), "its name or namespace is not known");
                continue;
            }
            // kustomize tells versions of one API apart
            if (applied.object != no_entity)
                identity += "/" + twice.index.objects[applied.object].version;
            else
                identity += "/v1";
            const auto [known, fresh] = first.emplace(std::move(identity), i);
            if (fresh) {
                if (passed.insert(place).second) outcome.pass(place, [&] { return twice.subject(applied); });
                continue;
            }
            const Applied& other = twice.closure.applied[known->second];
            const Place other_place = twice.place_of(other);
            const bool same = place == other_place; // one file, included twice
            if (!told.emplace(same ? other.entry : other_place, same ? applied.entry : place).second) continue;
            Finding finding;
            finding.message = twice.shown(applied) + " is " + (same ? "included" : "declared") + " twice in what " +
                              twice.root_name(root) + " builds: kustomize refuses to add it again";
            finding.place = same ? applied.entry : place;
            finding.related.push_back({same ? other.entry : other_place, "the first one"});
            twice.relate_way(finding, applied, "second");
            // Without Flux above it, nothing here says that anybody builds it.
            finding.severity = root.flux == no_entity ? Severity::warning : input.rule.severity;
            finding.rule = input.rule.id;
            outcome.fail(twice.subject(applied), std::move(finding));
        }
    }
}

namespace {

// Roots whose objects land in a cluster other than the one that holds their Flux Kustomization, and all below them.
std::vector<bool> elsewhere(const Index& index, const Closure& closure) {
    std::vector<bool> away(closure.roots.size(), false);
    for (std::size_t i = 0; i < closure.roots.size(); ++i)
        away[i] = closure.roots[i].flux != no_entity &&
                  is_there(index.flux_kustomizations[closure.roots[i].flux].kube_config);
    std::vector<std::vector<std::uint32_t>> children(closure.roots.size());
    std::vector<std::uint32_t> open;
    for (std::uint32_t i = 0; i < closure.roots.size(); ++i) {
        for (std::uint32_t parent : closure.roots[i].parents)
            children[parent].push_back(i);
        if (away[i]) open.push_back(i);
    }
    while (!open.empty()) {
        const std::uint32_t here = open.back();
        open.pop_back();
        for (std::uint32_t child : children[here]) {
            if (!away[child]) open.push_back(child);
            away[child] = true;
        }
    }
    return away;
}

bool may_be_suspended(const FluxKustomization& flux) {
    return is_set(flux.suspend) && flux.suspend.text != "false";
}

bool share(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b, const Closure& closure) {
    return std::any_of(a.begin(), a.end(), [&](std::uint32_t top) {
        return closure.roots[top].flux != no_entity && std::binary_search(b.begin(), b.end(), top);
    });
}

} // namespace

void check_object_owned_twice(const CheckInput& input, RuleOutcome& outcome) {
    const Twice twice{input, outcome};
    const Closure& closure = twice.closure;
    const auto tops = tops_of(closure);
    const std::vector<bool> away = elsewhere(twice.index, closure);
    std::unordered_map<std::string, std::vector<std::uint32_t>> owners;
    std::set<std::pair<Place, Place>> told;
    constexpr std::size_t most_compared = 50; // owners of one identity
    for (std::uint32_t i = 0; i < closure.applied.size(); ++i) {
        const Applied& applied = closure.applied[i];
        const ClosureRoot& root = closure.roots[applied.root];
        if (root.flux == no_entity) continue;
        const FluxKustomization& flux = twice.index.flux_kustomizations[root.flux];
        const Place place = twice.place_of(applied);
        const std::string identity = twice.identity(applied);
        if (identity.empty() || !root.sure || away[applied.root] || may_be_suspended(flux)) {
            outcome.undecided(place, twice.subject(applied), "what is applied, or to which cluster, is not known");
            continue;
        }
        // Every app brings its namespace along in many repositories, on purpose.
        if (kind_of(twice.index, applied) == "Namespace") continue;
        auto& others = owners[identity];
        const auto other = std::find_if(others.begin(), others.end(), [&](std::uint32_t number) {
            const ClosureRoot& owner = closure.roots[closure.applied[number].root];
            return owner.flux != root.flux && share(tops[closure.applied[number].root], tops[applied.root], closure);
        });
        if (other == others.end()) {
            outcome.pass(place, [&] { return twice.subject(applied); });
        } else {
            const Applied& first = closure.applied[*other];
            const ClosureRoot& owner = closure.roots[first.root];
            if (told.emplace(twice.root_place(owner), place).second) {
                Finding finding;
                finding.message = twice.shown(applied) + " is applied by " + twice.root_name(root) + " and by " +
                                  twice.root_name(owner) +
                                  " of the same cluster: when one of them prunes it, it is gone";
                finding.place = place;
                if (twice.place_of(first) != place)
                    finding.related.push_back({twice.place_of(first), "declared here too"});
                finding.related.push_back({twice.root_place(root), "one owner"});
                finding.related.push_back({twice.root_place(owner), "the other"});
                outcome.fail(twice.subject(applied), std::move(finding));
            }
        }
        if (others.size() < most_compared) others.push_back(i);
    }
}

} // namespace lockstep
