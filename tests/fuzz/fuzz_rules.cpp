// Any bytes as a rule file, a table and a config: loaded or refused with a place inside the file, never anything else.
#include "expect.h"
#include "rules/ruleset.h"

using namespace lockstep;

namespace {

void check_error(const Error& error, std::string_view text) {
    EXPECT(!error.message.empty());
    EXPECT(error.at.line <= LineTable(text).line_count());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    static const Vocabulary vocabulary = {{{"file-unread"}, {"overlay"}},
                                          {{"releases", {"name", "version"}}},
                                          {{"chart-pins", {{"chart", "version", "pin"}}}},
                                          {"sources"}};
    const std::string_view text = as_text(data, size);
    if (const auto rule = load_rule("rule.yaml", text, "core", vocabulary); !rule) check_error(rule.error(), text);
    if (const auto table = load_table("table.yaml", text); !table) check_error(table.error(), text);
    const auto config = parse_config(".lockstep.yaml", text);
    if (!config) check_error(config.error(), text);
    if (config)
        if (const auto pins = pin_rules(*config, 0); !pins) check_error(pins.error(), text);
    return 0;
}
