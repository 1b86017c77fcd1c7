// The templatefile() calls of a tree, by the template that they fill in.
#pragma once
#include "index/terraform.h"
#include "rules/check.h"
#include <map>
#include <set>

namespace lockstep {

struct CallOfTemplate {
    FileId file = no_file; // the .tf file
    TemplateCall call;
    std::set<std::string, std::less<>> keys;

    Place place() const { return {file, call.span}; }
};

struct TemplateCalls {
    std::map<FileId, std::vector<CallOfTemplate>> by_template;
    std::vector<std::pair<Place, std::string>> elsewhere; // calls whose template is not known, and why
};

// In the files of the fact `terraform`.
TemplateCalls read_template_calls(const CheckInput& input);
std::string subject_in_file(const Tree& tree, FileId file, std::string_view name);

} // namespace lockstep
