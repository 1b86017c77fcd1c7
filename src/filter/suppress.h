// Suppression comments: `# lockstep: ignore[rule-id] reason until=2026-12-31`, on the line or above it. A reason is
// required; one that is unused, expired or malformed is itself a finding.
#pragma once
#include "base/finding.h"
#include "rules/judge.h"
#include "tree/locate.h"

namespace lockstep {

struct Suppression {
    Place place;            // the comment
    std::uint32_t line = 0; // the line it is about, besides its own
    std::vector<std::string> rules;
    std::string reason;
    std::string until;   // YYYY-MM-DD or empty
    std::string problem; // why it does not count; empty when it does
};

bool is_date(std::string_view text); // YYYY-MM-DD, a day that exists

// In files that were read, in file order.
std::vector<Suppression> find_suppressions(const Tree& tree, Locator& locator, unsigned jobs = 1);

struct SuppressedFinding {
    enum class By : std::uint8_t { comment, baseline };
    Finding finding;
    std::string reason; // as the comment gives it
    By by = By::comment;
    Place comment = {};
};

struct Filtered {
    std::vector<Finding> findings; // sorted
    std::vector<SuppressedFinding> suppressed;
};

// Takes the findings out of the outcomes, and adds those about suppressions. `today` is YYYY-MM-DD.
Filtered suppress(std::vector<RuleOutcome>& outcomes, const RuleSet& rules, const Config& config,
                  const std::vector<Suppression>& suppressions, Locator& locator, std::string_view today);

} // namespace lockstep
