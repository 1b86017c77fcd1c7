// Template text into trees: the root and what it defines, or the complaint that Go would make.
#pragma once
#include "helm/template_node.h"
#include <vector>

namespace lockstep {

struct ParsedTemplate {
    std::vector<NamedTemplate> templates; // definitions as written, then the text itself under the source's name
    std::string error;                    // Go's words: `template: NAME:LINE: …`
    std::uint32_t error_at = 0;           // byte of the token where reading stopped
};

// The source must live in the arena, or as long as it.
ParsedTemplate parse_template(ValueArena& arena, const TemplateSource& source);
// Go's number literals; an empty text for one that is none, otherwise what is wrong with it.
std::string parse_template_number(std::string_view text, char kind,
                                  TemplateNumber& number); // kind: n, c(har), i(maginary sum)

} // namespace lockstep
