// Puts the near end of a chain into one line.
#include "report/applied_by.h"
#include "base/printable.h"

namespace lockstep {
namespace {

constexpr std::size_t most_links = 4;

void append_link(std::string& out, const AppliedBy::Link& link, Locator& locator) {
    if (link.place.file == no_file) return append_printable(out, link.what);
    const Location at = locator.locate(link.place);
    const bool named = at.path == link.what; // a kustomization is called by its file
    if (!named) {
        append_printable(out, link.what);
        out += " (";
    }
    append_path(out, at.path);
    out += ":" + std::to_string(at.begin.line);
    if (!named) out += ')';
}

} // namespace

std::string applied_by_line(const Finding& finding, Locator& locator) {
    if (!finding.applied_by || finding.applied_by->chain.empty()) return {};
    const auto& chain = finding.applied_by->chain;
    const auto& clusters = finding.applied_by->clusters;
    std::size_t first = chain.size();
    while (first > 0 && chain[first - 1].as == AppliedBy::Link::As::part)
        --first;
    const bool assumed = first == 0; // nothing says what is applied
    if (!assumed) --first;
    const bool begins = chain[first].as == AppliedBy::Link::As::begins;
    std::string out = assumed ? "taken as applied: " : "applied by: ";
    if (!clusters.empty()) {
        out += "cluster ";
        append_printable(out, clusters.front());
    }
    if (begins && first + 1 == chain.size()) {
        out += clusters.empty() ? "bootstrap" : ", which begins with this file";
    } else {
        if (!clusters.empty()) out += ": ";
        first += begins ? 1 : 0; // the lists that lead on say more than the object
        const std::size_t count = chain.size() - first;
        for (std::size_t i = first; i < chain.size(); ++i) {
            if (count > most_links && i == first + 2) {
                out += " > …";
                i = chain.size() - 1;
            }
            if (i > first) out += " > ";
            append_link(out, chain[i], locator);
        }
    }
    if (const std::size_t more = clusters.empty() ? 0 : clusters.size() - 1; more > 0)
        out += ", and in " + std::to_string(more) + (more == 1 ? " more cluster" : " more clusters");
    return out;
}

} // namespace lockstep
