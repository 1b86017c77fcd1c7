// Any bytes as a file with suppressions, and as a baseline: comments are inside the file, and what a baseline covers
// it covers once.
#include "expect.h"
#include "filter/baseline.h"
#include "filter/suppress.h"

using namespace lockstep;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    const std::string text(as_text(data, size));
    Tree tree = tree_in_memory({{"a.yaml", text}});
    Locator locator(tree);
    for (const Suppression& one : find_suppressions(tree, locator)) {
        EXPECT(is_inside(one.place.span, text));
        EXPECT(!one.problem.empty() || (!one.rules.empty() && !one.reason.empty()));
        EXPECT(one.until.empty() || !one.problem.empty() || is_date(one.until));
        EXPECT(one.line >= 1);
    }

    Finding finding;
    finding.rule = "r";
    finding.key = "r:" + text.substr(0, text.find('\n'));
    finding.message = text.substr(text.size() / 2);
    const std::string written = write_baseline({finding}, {}, "1");
    Baseline once(written, "1");
    EXPECT(once.covers(finding, {}));
    EXPECT(!once.covers(finding, {}));
    Baseline any(text, "1");
    for (int i = 0; i < 3; ++i)
        (void)any.covers(finding, {});
    EXPECT(Baseline(text, "1").count_beyond(Baseline(text, "1")) == 0);
    return 0;
}
