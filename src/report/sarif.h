// The parts of a SARIF log: a rule, a result, a place. sarif.cpp puts them together.
#pragma once
#include "report/report.h"

namespace lockstep {

// What code hosts take of a log; GitHub's limits. What is over them is left out before the upload is refused.
namespace sarif_limits {
inline constexpr std::size_t results = 5000;
inline constexpr std::size_t gzipped = 10'000'000;
inline constexpr std::size_t related = 100; // places of one result
inline constexpr std::size_t tags = 10;     // of one rule
inline constexpr std::size_t description = 1024;
} // namespace sarif_limits

// At most `limit` characters, with `…` for what was cut.
std::string cut_to(std::string_view text, std::size_t limit);

// A path as a relative URI reference.
void append_uri(std::string& out, std::string_view path);
// `"artifactLocation":{…}`
void append_artifact(std::string& out, const Report& report, std::string_view path);
// `"physicalLocation":{…}` with a region on one line. A place in no file is in the config: hosts refuse a whole log
// for one result without a file.
void append_physical(std::string& out, const Report& report, const Place& place);

// `rule` is null when the rule set does not know the id.
bool is_cut(const Rule& rule); // it says more than hosts take
void append_rule(std::string& out, std::string_view id, const Rule* rule);

struct SarifResult {
    const Finding* finding = nullptr;
    const SuppressedFinding* suppressed = nullptr; // null: it stands
    std::size_t order = 0;                         // place among all results
    std::size_t rule = 0;                          // index in the list of rules
    std::string_view line_hash = {};
};
void append_result(std::string& out, const Report& report, const SarifResult& result, bool any_suppressed);

} // namespace lockstep
