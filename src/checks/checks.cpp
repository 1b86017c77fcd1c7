// Names to native checks.
#include "checks/checks.h"

namespace lockstep {
namespace {

// These rules speak from elsewhere: the filter and the judge report them; here they only have a name.
void reported_elsewhere(const CheckInput&, RuleOutcome&) {}

constexpr NativeCheck table[] = {
#define CHECK(name, function, takes) {name, function, takes},
#include "checks/table.def"
#undef CHECK
    {"guard-idle", reported_elsewhere},
    {"suppression", reported_elsewhere},
};

} // namespace

std::span<const NativeCheck> native_checks() {
    return table;
}

} // namespace lockstep
