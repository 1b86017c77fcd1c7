// What a plain scalar is to go-yaml, and so to kubectl, Helm and Flux.
#pragma once
#include <cstdint>
#include <string_view>

namespace lockstep {

enum class PlainType : std::uint8_t { text, boolean, number };

PlainType plain_type(std::string_view text);
// False to go-yaml 2, which reads values files for Helm: `no` and `off` are.
bool reads_as_false_v2(std::string_view plain_text);

} // namespace lockstep
