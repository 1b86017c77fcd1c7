// Reads the tables' rows.
#include "checks/denials.h"
#include "index/cells.h"

namespace lockstep {

std::optional<Glob> glob_of(const Cell& cell) {
    if (!is_known(cell) || cell.text.empty()) return std::nullopt;
    auto glob = Glob::compile(cell.text);
    if (!glob) return std::nullopt;
    return *glob;
}

void report_unreadable(RuleOutcome& outcome, Place place, const std::string& lacks, std::size_t number) {
    Finding finding;
    finding.message = "entry " + std::to_string(number + 1) + " of the config's table has no readable " + lacks +
                      ": it denies nothing";
    finding.place = place;
    outcome.fail("config entry " + std::to_string(number + 1), std::move(finding));
}

std::string because(const std::string& reason) {
    return reason.empty() ? std::string() : ": " + reason;
}

std::string_view last_part(std::string_view path) {
    while (path.ends_with('/'))
        path.remove_suffix(1);
    return path.substr(path.rfind('/') + 1);
}

} // namespace lockstep
