// How a pin compares with the version of a local chart: for every check that compares the two.
#pragma once
#include "base/table.h"
#include "index/index.h"
#include <string>

namespace lockstep {

enum class PinOrder : std::uint8_t {
    same,    // equal, or a range that takes the version
    ahead,   // an exact pin above the version
    behind,  // an exact pin below it
    outside, // a range that does not take it
    floating // one of them is no version: `latest`, a branch
};

// Both cells are known.
PinOrder pin_order(const Cell& pin, const Cell& version);

// A tree may hold several charts of one name: is there one that fits the pin?
bool any_namesake_fits(const Index& index, const Chart& chosen, const Cell& pin);

// `0.0.0` (with any pre-release), or a workflow that packages with --version: what Chart.yaml says is not what is
// published, so that nothing can be compared with it.
bool is_stamped_later(const Index& index, const Cell& chart_version);

// A pin written with or without quotes and `v`; equal versions have equal text.
std::string plain_version(std::string_view text);

std::string in_quotes(std::string_view text); // `text`, for messages

} // namespace lockstep
