// Openers before a place whose ends come behind it.
#include "index/template_gates.h"

namespace lockstep {

std::vector<std::string_view> gates_around(std::string_view text, const std::vector<TemplateAction>& actions,
                                           std::size_t offset) {
    std::vector<std::string_view> gates;
    for (const TemplateAction& action : actions) {
        if (action.begin >= offset) break;
        if (!action.opens || action.defines) continue;
        if (action.closer != TemplateAction::none && actions[action.closer].end <= offset) continue;
        gates.push_back(text.substr(action.begin, action.end - action.begin));
    }
    return gates;
}

} // namespace lockstep
