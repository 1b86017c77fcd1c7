// Folds findings by cause and sorts what is left.
#include "filter/fold.h"
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace lockstep {
namespace {

// One finding in the making, with the places it has so far.
struct Folded {
    Finding finding;
    std::set<Place> places;
    std::shared_ptr<AppliedBy> applied_by = {}; // with the clusters of all; made when a second one names others
    std::set<std::string> clusters = {};

    explicit Folded(Finding&& first) : finding(std::move(first)) {
        places.insert(finding.place);
        for (const auto& related : finding.related)
            places.insert(related.place);
    }
    void add(const Place& place, const std::string& message) {
        if (places.insert(place).second) finding.related.push_back({place, message});
    }
    // The chain stays that of the first place.
    void add_clusters(const Finding& other) {
        if (!finding.applied_by || !other.applied_by || finding.applied_by == other.applied_by) return;
        if (clusters.empty()) clusters.insert(finding.applied_by->clusters.begin(), finding.applied_by->clusters.end());
        for (const std::string& cluster : other.applied_by->clusters) {
            if (!clusters.insert(cluster).second) continue;
            if (!applied_by) finding.applied_by = applied_by = std::make_shared<AppliedBy>(*finding.applied_by);
            applied_by->clusters.push_back(cluster);
        }
    }
    void add(const Finding& other) {
        add_clusters(other);
        add(other.place, other.message == finding.message ? std::string("the same here") : other.message);
        for (const auto& related : other.related)
            add(related.place, related.message);
        for (const auto& edit : other.edits) // two ways to change one place are no edit
            if (std::none_of(finding.edits.begin(), finding.edits.end(),
                             [&](const Edit& mine) { return mine.place == edit.place; }))
                finding.edits.push_back(edit);
    }
};

} // namespace

std::vector<Finding> fold(std::vector<Finding> findings) {
    std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
        return std::tie(a.place, a.rule, a.message) < std::tie(b.place, b.rule, b.message);
    });
    std::vector<Folded> kept;
    std::map<std::string, std::size_t> seen; // what makes findings one: index into kept
    for (auto& finding : findings) {
        std::string identity = finding.rule + '\x1f' + std::string(to_string(finding.severity)) + '\x1f';
        if (finding.cause.empty())
            identity += std::to_string(finding.place.file) + ":" + std::to_string(finding.place.span.begin) + '\x1f' +
                        finding.message;
        else
            identity += '\x1f' + finding.cause;
        const auto [slot, fresh] = seen.emplace(identity, kept.size());
        if (fresh)
            kept.emplace_back(std::move(finding));
        else
            kept[slot->second].add(finding);
    }
    std::vector<Finding> folded;
    for (auto& one : kept)
        folded.push_back(std::move(one.finding));
    return folded;
}

} // namespace lockstep
