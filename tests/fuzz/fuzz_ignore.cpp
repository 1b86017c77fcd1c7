// Any bytes as an ignore file and a path: a verdict that hangs on nothing but its rules, in time that its size bounds.
#include "expect.h"
#include "tree/gitignore.h"
#include "tree/helmignore.h"
#include <string>

using namespace lockstep;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    const std::string_view bytes = as_text(data, size);
    const auto cut = bytes.find('\xff');
    const std::string_view text = bytes.substr(0, cut);
    std::string path(cut == std::string_view::npos ? "a/b.yaml" : bytes.substr(cut + 1));
    while (path.starts_with('/'))
        path.erase(0, 1);
    const IgnoreRules rules(text);
    EXPECT(!rules.too_many() || rules.empty());
    for (const bool folder : {false, true}) {
        const auto verdict = rules.verdict(path, folder);
        EXPECT(verdict == IgnoreRules(text).verdict(path, folder));
        if (rules.empty()) EXPECT(!verdict);
        // A last rule that takes everything back, or in, has the last word.
        if (!rules.too_many() && !path.empty() && path.find('/') == std::string::npos && path != "." && path != "..") {
            const std::string more = std::string(text) + "\n";
            if (IgnoreRules(more + "!*\n").too_many()) continue;
            EXPECT(IgnoreRules(more + "!*\n").verdict(path, folder) == std::optional(false));
            EXPECT(IgnoreRules(more + "*\n").verdict(path, folder) == std::optional(true));
        }
    }
    (void)HelmIgnore(text).ignores(path);
    return 0;
}
