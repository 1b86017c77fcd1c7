// Values as YAML text: what toYaml and toYamlPretty print. The origin of every key and value goes along.
#pragma once
#include "helm/text_builder.h"

namespace lockstep {

enum class YamlFlavour : std::uint8_t {
    v2, // sigs.k8s.io/yaml: numbers by way of JSON, lists flush with their key, lines folded behind column 80
    v3, // go-yaml 3 with indent 2: lists indented, no folding
};

// With a last line break, as Marshal has it.
void write_yaml(TextBuilder& out, const GoValue& value, YamlFlavour flavour);
// The order of keys in go-yaml: numbers inside names count as numbers.
bool yaml_key_less(std::string_view a, std::string_view b);

} // namespace lockstep
