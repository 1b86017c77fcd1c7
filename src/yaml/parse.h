// One YAML text into the node table, with the guards libyaml lacks: bytes.h looks first, events.h reads.
#pragma once
#include "yaml/node.h"

namespace lockstep {

enum class Dialect : std::uint8_t {
    yaml,      // parse as it is; mask `{{ }}` only where that fails (Helm templates)
    terraform, // .tftpl: `${ }` and `%{ }` belong to Terraform, `$${` and `%%{` are escapes
};

struct YamlLimits {
    std::uint32_t depth = 1000;
    std::uint32_t documents = 10000;
    std::uint32_t nodes = 20'000'000;
    std::uint64_t scalar_size = 4U << 20; // bytes, as written in the text
};

// Reads `slice` of `text` (the whole of it by default); all spans count from the start of `text`. Never fails: what
// cannot be read is in `problems`, and the documents around it are still there. `text` must outlive the result.
// A slice may be indented (YAML inside a block scalar): lines that are `---` at the slice's own indentation separate
// documents.
YamlText parse_yaml(std::string_view text, Dialect dialect = Dialect::yaml, const YamlLimits& limits = {});
YamlText parse_yaml_slice(std::string_view text, Span slice, std::uint32_t indent, Dialect dialect = Dialect::yaml,
                          const YamlLimits& limits = {});

} // namespace lockstep
