// Names to native checks.
#include "checks/checks.h"

namespace lockstep {
namespace {

// These rules speak from elsewhere: the filter and the judge report them; here they only have a name.
void reported_elsewhere(const CheckInput&, RuleOutcome&) {}

constexpr NativeCheck table[] = {
    {"yaml-syntax", check_yaml_syntax}, {"duplicate-key", check_duplicate_key},
    {"file-unread", check_file_unread}, {"patch-directive", check_patch_directive},
    {"rbac-verb-missing", check_rbac_verb_missing},
    {"guard-idle", reported_elsewhere}, {"suppression", reported_elsewhere},
};

} // namespace

std::span<const NativeCheck> native_checks() {
    return table;
}

} // namespace lockstep
