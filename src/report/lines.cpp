// Findings one to a line, for editors and problem matchers: ci/problem-matcher.json reads exactly this.
#include "base/printable.h"
#include "report/in_repository.h"

namespace lockstep {

Written write_lines(const Report& report) {
    std::string out;
    for (const Finding& finding : report.findings) {
        const RepositoryPlace place = place_in_repository(report, finding.place);
        if (place.path.empty()) {
            out += "lockstep: ";
        } else {
            append_path(out, place.path);
            out += ':' + std::to_string(place.begin.line) + ':' + std::to_string(place.begin.column) + ": ";
        }
        out += to_string(finding.severity);
        out += ": ";
        append_printable(out, finding.message);
        out += " [";
        append_printable(out, finding.rule);
        out += "]\n";
    }
    return {std::move(out)};
}

} // namespace lockstep
