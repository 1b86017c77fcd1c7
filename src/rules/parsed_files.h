// Files parsed again for checks that look deeper than the index: each once, when the first check asks. For several
// threads at a time.
#pragma once
#include "index/view.h"
#include <memory>
#include <mutex>
#include <vector>

namespace lockstep {

class ParsedFiles {
public:
    ParsedFiles(const Tree& tree, const YamlLimits& limits)
        : tree_(tree), limits_(limits), files_(tree.files.size()), asked_(new std::once_flag[tree.files.size()]) {}
    const FileView& view(FileId file); // all documents of a file, embedded ones included

private:
    struct Parsed {
        YamlText yaml;
        FileView view;
    };
    const Tree& tree_;
    YamlLimits limits_;
    std::vector<std::unique_ptr<Parsed>> files_;
    std::unique_ptr<std::once_flag[]> asked_;
};

} // namespace lockstep
