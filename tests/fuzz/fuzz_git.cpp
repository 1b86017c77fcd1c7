// Any bytes as a listing of git and as its index file: paths and links that stay inside, or an error with a reason.
#include "expect.h"
#include "tree/git_entries.h"
#include "tree/git_index.h"
#include <algorithm>

using namespace lockstep;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    const std::string_view bytes = as_text(data, size);
    for (std::string_view prefix : {"", "a/"}) {
        const auto index = parse_git_index(bytes, prefix);
        if (!index) EXPECT(!index.error().message.empty());
        if (index) {
            EXPECT(std::is_sorted(index->paths.begin(), index->paths.end()));
            for (const std::string& path : index->paths)
                EXPECT(!path.empty());
        }
        const auto entries = parse_git_entries(bytes, prefix);
        if (!entries) {
            EXPECT(!entries.error().message.empty());
            continue;
        }
        // The text of every link is what is behind its own path: chains and circles come by themselves.
        std::vector<std::string> texts;
        for (const GitEntry& entry : *entries)
            texts.push_back(entry.kind == GitEntry::Kind::link ? entry.path.substr(entry.path.size() / 2) : "");
        for (const GitEntry& entry : *entries) {
            const GitLink link = resolve_git_link(*entries, texts, entry.path);
            if (link.kind == GitLink::Kind::refused) EXPECT(!link.why.empty());
            if (link.kind == GitLink::Kind::file)
                EXPECT(link.entry < entries->size() && (*entries)[link.entry].kind == GitEntry::Kind::file);
        }
    }
    return 0;
}
