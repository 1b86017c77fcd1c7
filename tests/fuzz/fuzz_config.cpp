// Any bytes as a config: loaded or refused with a place, and a config is never softer than itself.
#include "expect.h"
#include "filter/softening.h"

using namespace lockstep;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    const std::string_view text = as_text(data, size);
    const auto config = parse_config(".lockstep.yaml", text);
    if (!config) {
        EXPECT(!config.error().message.empty());
        return 0;
    }
    EXPECT(softened_config(*config, *config).empty());
    (void)softened_config(Config{}, *config);
    (void)severity_for(*config, {"duplicate-key"}, "a/b.yaml", Severity::error);
    return 0;
}
