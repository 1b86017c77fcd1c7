// Looks findings up among the stretches of what releases and charts render.
#include "rules/value_places.h"
#include "deploy/fleet.h"
#include "deploy/rendered_chart.h"
#include "index/cells.h"
#include <algorithm>
#include <map>
#include <set>

namespace lockstep {
namespace {

constexpr std::size_t most_values = 3;

struct Printed {
    Span action;
    Place value;
};
using PrintedIn = std::map<FileId, std::vector<Printed>>;

void collect(const RenderedChart& chart, PrintedIn& printed) {
    for (const RenderedDocument& document : chart.documents)
        for (const RenderedPiece& piece : document.pieces) {
            if (!is_there(piece.value) || piece.value == piece.from) continue;
            if (const auto file = printed.find(piece.from.file); file != printed.end())
                file->second.push_back({piece.from.span, piece.value});
        }
}

bool overlap(Span a, Span b) {
    return a.begin < std::max(b.end, b.begin + 1) && b.begin < std::max(a.end, a.begin + 1);
}

void add_to(Finding& finding, const PrintedIn& printed) {
    const auto file = printed.find(finding.place.file);
    if (file == printed.end()) return;
    std::size_t added = 0;
    for (const Printed& one : file->second) {
        if (added == most_values) return;
        const bool known =
            one.value == finding.place || std::any_of(finding.related.begin(), finding.related.end(),
                                                      [&](const Related& other) { return other.place == one.value; });
        if (known || !overlap(one.action, finding.place.span)) continue;
        finding.related.push_back({one.value, "the value that is printed there"});
        ++added;
    }
}

} // namespace

void add_value_places(std::vector<RuleOutcome>& outcomes, const Repository& repository) {
    if (!repository.on_demand || !repository.on_demand->fleet) return; // no rule asked for what is rendered
    PrintedIn printed;
    for (const RuleOutcome& outcome : outcomes)
        for (const Finding& finding : outcome.findings)
            if (is_there(finding.place)) printed[finding.place.file];
    if (printed.empty()) return;
    std::set<const RenderedChart*> seen;
    for (const ReleaseRow& row : repository.on_demand->fleet->releases)
        if (row.rendered && seen.insert(row.rendered.get()).second) collect(*row.rendered, printed);
    for (const UnreleasedChart& chart : repository.on_demand->fleet->unreleased)
        if (chart.rendered) collect(*chart.rendered, printed);
    for (RuleOutcome& outcome : outcomes)
        for (Finding& finding : outcome.findings)
            add_to(finding, printed);
}

} // namespace lockstep
