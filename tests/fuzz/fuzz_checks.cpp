// Any bytes as a small repository, with all rules run over it: files are parted by lines `=== path`. Findings are
// inside their files, and a second run says the same.
#include "base/plain_text.h"
#include "cli/lint.h"
#include "expect.h"
#include "tree_of.h"

using namespace lockstep;

namespace {

std::string said(const LintRun& run) {
    std::string text;
    for (const Finding& finding : run.findings) {
        EXPECT(!finding.rule.empty() && !finding.message.empty() && !finding.key.empty());
        if (finding.place.file < run.tree.files.size())
            EXPECT(is_inside(finding.place.span, run.tree.files[finding.place.file].text));
        text += finding.key + '\n' + finding.message + '\n';
    }
    return text;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    const Tree tree = tree_of(as_text(data, size), "clusters/prod/a.yaml");
    LintRequest request;
    request.jobs = 1;
    request.today = "2026-01-01";
    const auto first = lint_tree(tree, {}, {}, request);
    if (!first) return 0;
    const auto second = lint_tree(tree, {}, {}, request);
    EXPECT(second && said(**first) == said(**second));
    const std::string shown = PlainText::lines(said(**first)).bytes();
    EXPECT(shown.find('\x1b') == std::string::npos && shown.find("\n::") == std::string::npos);
    return 0;
}
