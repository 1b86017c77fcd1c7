// Places as a code host wants them: paths from the root of the repository, not from the linted folder.
#pragma once
#include "report/report.h"

namespace lockstep {

struct RepositoryPlace {
    std::string path; // empty for what is in no file; then the positions mean nothing
    Position begin, end;
};

inline RepositoryPlace place_in_repository(const Report& report, const Place& place) {
    const Location location = report.locator.locate(place);
    if (location.path.empty()) return {};
    return {std::string(report.prefix) + std::string(location.path), location.begin, location.end};
}

} // namespace lockstep
