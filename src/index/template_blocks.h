// Go templates of a chart as named blocks and the calls between them: what a `define` or a whole file includes. For
// checks that follow calls; read once per file.
#pragma once
#include "base/span.h"
#include "yaml/actions.h"
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

struct BlockCall {
    std::string name; // as in TemplateBlock
    Place place;
    bool guarded = false; // is inside an if, with or range, or behind `and`, `or`: it may never run
};

// `name` is that of the define, or `/path.yaml` below templates/ for a file without its defines.
struct TemplateBlock {
    std::string name;
    Place place; // the name in its define, or the file
    std::vector<BlockCall> calls;
};

// `below_templates` is the file's path below the templates folder. Names that are not written out (`include $name`) are
// left out, except for `include (print $.Template.BasePath "/x.yaml")`.
std::vector<TemplateBlock> template_blocks(FileId file, std::string_view text, std::string_view below_templates);

} // namespace lockstep
