// The nodes of files for checks that look deeper than the index: kept from the first reading where that is sure to
// happen, else parsed again, once, when the first check asks. For several threads at a time.
#pragma once
#include "index/view.h"
#include <memory>
#include <mutex>
#include <vector>

namespace lockstep {

struct ParsedFile { // stays where it is: the view points into the table
    YamlText yaml;
    FileView view;
};
std::unique_ptr<ParsedFile> parse_file(FileId id, const File& file, const YamlLimits& limits);

class ParsedFiles {
public:
    ParsedFiles(const Tree& tree, const YamlLimits& limits)
        : tree_(tree), limits_(limits), files_(tree.files.size()), kept_(tree.files.size()),
          asked_(new std::once_flag[tree.files.size()]) {}
    void keep(FileId file, std::unique_ptr<ParsedFile> parsed); // before anybody asks
    const FileView& view(FileId file);                          // all documents of a file, embedded ones included
    const ParsedFile* kept(FileId file) const { return kept_[file] ? files_[file].get() : nullptr; }

private:
    const Tree& tree_;
    YamlLimits limits_;
    std::vector<std::unique_ptr<ParsedFile>> files_;
    std::vector<bool> kept_;
    std::unique_ptr<std::once_flag[]> asked_;
};

} // namespace lockstep
