// How go-yaml's emitter looks at a string before it chooses its style, and how it orders keys.
#pragma once
#include "helm/yaml_write.h"

namespace lockstep {

struct ScalarAnalysis {
    bool block_plain = true, single = true, block = true, multiline = false;
};

ScalarAnalysis analyse_scalar(std::string_view text, YamlFlavour flavour);
bool is_yaml_printable(char32_t rune);
bool is_yaml_break(char32_t rune);

} // namespace lockstep
