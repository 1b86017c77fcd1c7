// Templates that are included by a name that nothing defines. Helm finds out when the action runs; who reads the chart
// knows before.
#pragma once
#include "helm/template_run.h"

namespace lockstep {

struct TemplateUse {
    std::string name;
    Place place;
};

// Names that are written out, in all templates of the set that something may run, in the order of their places.
std::vector<TemplateUse> undefined_uses(const TemplateSet& set);
// Names that a text defines, read without parsing it: of charts that are switched off.
std::vector<std::string_view> defined_names(std::string_view text);

} // namespace lockstep
