// From byte places to lines and columns, only for the places that are shown.
#pragma once
#include "tree/tree.h"
#include <unordered_map>

namespace lockstep {

struct Location {
    std::string_view path;
    Position begin, end;
};

class Locator {
public:
    explicit Locator(const Tree& tree) : tree_(tree) {}
    Location locate(Place place);
    std::string_view text(FileId file) const;                 // empty for a file without text
    std::string_view line(FileId file, std::uint32_t number); // the source line, empty when there is none

private:
    const LineTable& table(FileId file);
    const Tree& tree_;
    std::unordered_map<FileId, LineTable> tables_;
};

} // namespace lockstep
