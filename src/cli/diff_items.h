// What a reviewer wants to see of one tree, item by item, so that two trees can be compared with each other.
#pragma once
#include "report/change_page.h"
#include "rules/read.h"

namespace lockstep {

struct DiffItem {
    Difference::Section section = Difference::Section::pins;
    std::string identity; // the same in both trees; several items may share one
    std::string what;     // for the reader
    Difference::Side side;
    bool applied = false;     // as a cluster gets it; else as it is written
    std::string cluster = {}; // of an applied one
    std::string object = {};  // of an applied one: whose field it is
    Place written = {};       // of an applied one: its own bytes, where another place decided the value
    bool changed_on = false;  // of a written one: something applies the object, so that clusters may get another value
};

std::vector<DiffItem> diff_items(const Repository& repository);
// Versions, images, sources, paths and dependsOn after patches and substitution, one item per cluster.
void add_applied_items(const Index& index, const Fleet& fleet, std::vector<DiffItem>& items);
// Name and tag or digest.
std::pair<std::string_view, std::string_view> image_and_pin(std::string_view image);

// What the applied items of two trees say differently, and the places whose written values need no line of their own.
struct AppliedDifferences {
    std::vector<Difference> found;
    std::vector<Place> base, head; // of both trees
};
AppliedDifferences applied_differences(const std::vector<DiffItem>& base, const std::vector<DiffItem>& head,
                                       const Tree& base_tree, const Tree& head_tree);

// Items that only one tree has or whose values differ. An object that went from one file to another has moved. What
// clusters get is told once where all of them change alike, and what is written where that does not tell it already.
std::vector<Difference> differences(const std::vector<DiffItem>& base, const std::vector<DiffItem>& head,
                                    const Tree& base_tree, const Tree& head_tree);

} // namespace lockstep
