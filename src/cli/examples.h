// Fixtures as examples: the bad case of a rule, cut down to the lines around what is expected.
#pragma once
#include <string>
#include <vector>

namespace lockstep {

struct Example {
    std::string name; // `bad-1`
    std::string text; // lines with their file names, the expectation shown as it stands
};

// Of the rules in the binary. `bad` picks the cases that start with `bad`.
std::vector<Example> examples_of(const std::string& rule, bool bad);

} // namespace lockstep
