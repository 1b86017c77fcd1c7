// Any bytes as a pattern and a path: refused with a reason, or matched with captures that are parts of the path.
#include "base/glob.h"
#include "expect.h"
#include <string>
#include <vector>

using namespace lockstep;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    const std::string_view bytes = as_text(data, size);
    const auto cut = bytes.find('\n');
    const std::string_view pattern = bytes.substr(0, cut);
    const std::string_view path =
        cut == std::string_view::npos ? std::string_view("a/b/c.yaml") : bytes.substr(cut + 1);
    if (path.size() > 1024) return 0; // test_glob_work counts what longer ones cost
    const auto glob = Glob::compile(pattern);
    if (!glob) {
        EXPECT(!glob.error().message.empty());
        return 0;
    }
    std::vector<std::string> captures;
    const bool matched = glob->match(path, captures);
    EXPECT(matched == glob->matches(path));
    if (!matched) return 0;
    EXPECT(captures.size() == glob->capture_names().size());
    for (const std::string& capture : captures)
        EXPECT(path.find(capture) != std::string_view::npos);
    return 0;
}
