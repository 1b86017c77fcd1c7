// Any bytes as a .tftpl and as a .tf file: names and calls are inside the text, and a name is what is written there.
#include "expect.h"
#include "index/terraform.h"

using namespace lockstep;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    const std::string_view text = as_text(data, size);
    std::uint32_t behind = 0;
    for (const TerraformName& name : template_names(text).names) {
        EXPECT(is_inside(name.span, text) && name.span.begin >= behind);
        EXPECT(text.substr(name.span.begin, name.span.end - name.span.begin) == name.name);
        behind = name.span.end;
    }
    for (const TemplateCall& call : template_calls(text)) {
        EXPECT(is_inside(call.span, text));
        EXPECT(text.substr(call.span.begin, call.span.end - call.span.begin) == "templatefile");
        for (const TerraformName& key : call.keys)
            EXPECT(is_inside(key.span, text));
    }
    return 0;
}
