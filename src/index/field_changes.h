// Which fields of an object a kubectl command sets, and to what: `patch`, `set env`, `set image`, `scale`, `label`,
// `annotate`. Read by the check that compares such changes with what Git declares.
#pragma once
#include "index/kubectl.h"
#include "yaml/node.h"

namespace lockstep {

struct FieldChange {
    std::vector<std::string> path; // keys; an item of a list by `name=…` or by its number
    std::string value;             // variables as written
    bool known = true;             // of the value
    bool list = false;             // the value is a list or a mapping: it cannot be compared
    std::string shown() const;     // `spec.url`
};

struct FieldChanges {
    std::vector<FieldChange> changes;
    std::string unclear; // why they are unknown
};

FieldChanges changes_of(const KubectlCall& call);
// The value that an object declares for the field; empty when it does not.
NodeRef declared_at(NodeRef root, const FieldChange& change);
// False when a value with variables in it cannot come out as `text`.
bool may_equal(const FieldChange& change, std::string_view text);

} // namespace lockstep
