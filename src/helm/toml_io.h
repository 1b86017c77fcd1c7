// TOML as BurntSushi/toml writes it, and as much of reading as charts need.
#pragma once
#include "helm/text_builder.h"

namespace lockstep {

// The words of the error, empty when it went well.
std::string write_toml(TextBuilder& out, const GoValue& value);

struct TomlRead {
    GoValue value;
    std::string error = {};
};
TomlRead read_toml(ValueArena& arena, const GoValue& text);

} // namespace lockstep
