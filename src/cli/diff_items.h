// What a reviewer wants to see of one tree, item by item, so that two trees can be held against each other.
#pragma once
#include "report/change_page.h"
#include "rules/read.h"

namespace lockstep {

struct DiffItem {
    Difference::Section section = Difference::Section::pins;
    std::string identity; // the same in both trees; several items may share one
    std::string what;     // for the reader
    Difference::Side side;
};

std::vector<DiffItem> diff_items(const Repository& repository);

// Items that only one tree has or whose values differ. An object that went from one file to another has moved.
std::vector<Difference> differences(std::vector<DiffItem> base, std::vector<DiffItem> head, const Tree& base_tree,
                                    const Tree& head_tree);

} // namespace lockstep
