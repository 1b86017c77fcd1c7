// A quick way through the YAML that nearly every file is: block mappings and lists, scalars on one line, literal and
// folded blocks, brackets. It makes the very table that libyaml's events would; a text with anything else in it
// (anchors, tags, tabs, odd line breaks, scalars over several lines, mistakes) is left to events.h.
#pragma once
#include "yaml/events.h"
#include <optional>

namespace lockstep {

// Nothing: this text is not for the quick reader. That says nothing about whether it is right.
std::optional<EventResult> read_quickly(const EventInput& input);

} // namespace lockstep
