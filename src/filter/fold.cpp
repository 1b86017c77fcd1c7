// Folds findings by cause and sorts what is left.
#include "filter/fold.h"
#include <algorithm>
#include <map>
#include <tuple>

namespace lockstep {
namespace {

void add_place(Finding& finding, const Place& place, const std::string& message) {
    if (place == finding.place) return;
    const bool there = std::any_of(finding.related.begin(), finding.related.end(),
                                   [&](const Related& related) { return related.place == place; });
    if (!there) finding.related.push_back({place, message});
}

void merge(Finding& into, const Finding& other) {
    add_place(into, other.place, "the same here");
    for (const auto& related : other.related)
        add_place(into, related.place, related.message);
}

} // namespace

std::vector<Finding> fold(std::vector<Finding> findings) {
    std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
        return std::tie(a.place, a.rule, a.message) < std::tie(b.place, b.rule, b.message);
    });
    std::vector<Finding> kept;
    std::map<std::string, std::size_t> seen; // what makes findings one: index into kept
    for (auto& finding : findings) {
        std::string identity =
            finding.rule + '\x1f' + finding.message + '\x1f' + std::string(to_string(finding.severity)) + '\x1f';
        if (finding.cause.empty())
            identity += std::to_string(finding.place.file) + ":" + std::to_string(finding.place.span.begin);
        else
            identity += finding.cause;
        const auto [slot, fresh] = seen.emplace(identity, kept.size());
        if (fresh)
            kept.push_back(std::move(finding));
        else
            merge(kept[slot->second], finding);
    }
    return kept;
}

} // namespace lockstep
