// Which top keys of its values a chart reads, as far as its templates say so plainly.
#pragma once
#include "rules/check.h"
#include <map>
#include <set>

namespace lockstep {

struct ValueReads {
    std::set<std::string, std::less<>> keys;
    std::string unsure; // why the keys are not all that is read
};

// Adds what a text reads. `in_template`: an action, in which all of .Values may be taken at once.
void take_reads(std::string_view text, ValueReads& reads, bool in_template);

// The charts of a tree, each read once. The rule's facts must ask for helpers.
class ChartReads {
public:
    explicit ChartReads(const CheckInput& input) : input_(input) {}
    const ValueReads& of(EntityId chart);

private:
    const CheckInput& input_;
    std::map<EntityId, ValueReads> charts_;
};

} // namespace lockstep
