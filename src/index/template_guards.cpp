// Finds the guarded parts of a template by its actions.
#include "index/template_guards.h"
#include "yaml/actions.h"
#include <algorithm>

namespace lockstep {

TemplateGuards::TemplateGuards(std::string_view text) {
    constexpr std::string_view words[] = {"Capabilities", "semverCompare", "lookup"};
    if (std::none_of(std::begin(words), std::end(words),
                     [&](std::string_view word) { return text.find(word) != std::string_view::npos; }))
        return;
    const std::vector<TemplateAction> actions = go_actions(text);
    // The condition may be in an `else if`, which guards the rest of its block.
    for (const TemplateAction& action : actions) {
        const std::size_t opener = action.opens ? static_cast<std::size_t>(&action - actions.data()) : action.opener;
        if (opener == TemplateAction::none || actions[opener].defines) continue;
        if (!action.opens && !action.otherwise) continue;
        const std::string_view condition = text.substr(action.begin, action.end - action.begin);
        if (std::none_of(std::begin(words), std::end(words),
                         [&](std::string_view word) { return condition.find(word) != std::string_view::npos; }))
            continue;
        const std::size_t closer = actions[opener].closer;
        const std::size_t end = closer == TemplateAction::none ? text.size() : actions[closer].end;
        const Span part{static_cast<std::uint32_t>(action.begin), static_cast<std::uint32_t>(end)};
        if (!parts_.empty() && part.begin < parts_.back().end)
            parts_.back().end = std::max(parts_.back().end, part.end);
        else
            parts_.push_back(part);
    }
}

bool TemplateGuards::covers(std::uint32_t offset) const {
    const auto behind = std::upper_bound(parts_.begin(), parts_.end(), offset,
                                         [](std::uint32_t at, const Span& part) { return at < part.begin; });
    return behind != parts_.begin() && offset < std::prev(behind)->end;
}

} // namespace lockstep
