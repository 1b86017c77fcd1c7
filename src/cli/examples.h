// Fixtures as examples: the bad case of a rule, cut down to the lines around what is expected.
#pragma once
#include <string>
#include <vector>

namespace lockstep {

struct Example {
    std::string name; // `bad-1`
    std::string text; // lines with their file names, the expectation shown as it stands
};

// The bad cases of a rule in the binary.
std::vector<Example> examples_of(const std::string& rule);
// Those of a repository's own rule: `folder` holds its cases.
std::vector<Example> examples_in(const std::string& folder);

} // namespace lockstep
