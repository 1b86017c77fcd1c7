// Where an entry of the config is written, for errors that only the repository can bring to light.
#pragma once
#include "base/span.h"
#include <optional>
#include <string_view>

namespace lockstep {

// Of the list, or the one text, under a key at the top. Nothing: the config does not have it.
std::optional<Position> entry_position(std::string_view config, std::string_view key, std::string_view entry);

} // namespace lockstep
