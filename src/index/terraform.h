// Terraform's own language, as far as templates need it: which names a template reads, and what templatefile() calls of
// .tf files pass. Between the bytes of a file and the checks about templates; nothing is evaluated.
#pragma once
#include "base/span.h"
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

struct TerraformName {
    std::string name;
    Span span;
};

struct TemplateNames {
    std::vector<TerraformName> names; // every read of a name that the template does not bring itself, in file order
    bool broken = false;              // the text ends inside an expression, or makes no sense: names may be missing
};
TemplateNames template_names(std::string_view text);

struct TemplateCall {
    Span span;                       // the word `templatefile`
    std::string path;                // from the folder of the file; empty when it is made from more than path.module
    std::vector<TerraformName> keys; // of the variables, as far as they are written out
    bool open = false;               // more keys may come from a function, a local or a for
};
std::vector<TemplateCall> template_calls(std::string_view text);

} // namespace lockstep
