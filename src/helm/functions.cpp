// One table of all template functions, searched by name.
#include "helm/functions.h"
#include <algorithm>
#include <vector>

namespace lockstep {
namespace {

std::vector<const TemplateFunction*> sorted_table() {
    std::vector<const TemplateFunction*> all;
    for (const auto part :
         {builtin_functions(), string_functions(), case_functions(), list_functions(), dict_functions(),
          number_functions(), encoding_functions(), data_functions(), pattern_functions(), path_functions(),
          time_functions(), chance_functions(), helm_functions()})
        for (const TemplateFunction& function : part)
            all.push_back(&function);
    std::sort(all.begin(), all.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
    return all;
}

} // namespace

const TemplateFunction* find_function(std::string_view name) {
    static const std::vector<const TemplateFunction*> all = sorted_table();
    const auto found = std::lower_bound(all.begin(), all.end(), name,
                                        [](const TemplateFunction* f, std::string_view n) { return f->name < n; });
    return found != all.end() && (*found)->name == name ? *found : nullptr;
}

} // namespace lockstep
