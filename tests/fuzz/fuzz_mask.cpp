// Any bytes as a template: the mask has their length, and differs only inside of actions, by the few bytes it may use.
#include "expect.h"
#include "yaml/actions.h"
#include "yaml/mask.h"

using namespace lockstep;

namespace {

void check(std::string_view text, const std::vector<TemplateAction>& actions, const std::string& mask) {
    EXPECT(mask.size() == text.size());
    std::size_t at = 0; // behind the action before
    for (std::size_t i = 0; i < actions.size(); ++i) {
        const TemplateAction& action = actions[i];
        EXPECT(at <= action.begin && action.begin < action.end && action.end <= text.size());
        EXPECT(action.opener == TemplateAction::none || action.opener < i);
        EXPECT(action.closer == TemplateAction::none || (action.closer > i && action.closer < actions.size()));
        EXPECT(text.substr(at, action.begin - at) == std::string_view(mask).substr(at, action.begin - at));
        const std::string_view masked = std::string_view(mask).substr(action.begin, action.end - action.begin);
        EXPECT(masked.find_first_not_of(" \t\r\nx#-") == std::string_view::npos);
        at = action.end;
    }
    EXPECT(text.substr(at) == std::string_view(mask).substr(at));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    const std::string_view text = as_text(data, size);
    check(text, go_actions(text), mask_go_template(text));
    check(text, terraform_actions(text), mask_terraform(text));
    return 0;
}
