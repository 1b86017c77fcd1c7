// What a change touches: lines of the head that differ from the base, and the findings that are on them.
#pragma once
#include "base/finding.h"
#include "base/line_diff.h"
#include "filter/suppress.h"
#include "tree/locate.h"
#include <set>

namespace lockstep {

struct FileChange {
    enum class Kind : std::uint8_t { same, changed, added } kind = Kind::same;
    std::vector<LineRange> lines; // changed: of the head
};

struct RepositoryChange {
    std::vector<FileChange> files; // one per file of the head
    std::vector<std::string> removed;
    std::size_t count() const; // files that differ, are new or went
};

// Reads what is not read yet of either tree where both have the file and somebody read one of them.
RepositoryChange compare_trees(Tree& base, Tree& head, unsigned jobs);

bool touches(const RepositoryChange& change, Place place, Locator& locator);
bool touches(const RepositoryChange& change, const Finding& finding, Locator& locator); // any of its places

// The primary place moves to the first place that the change touches, so that a review shows the finding. Keys stay.
void move_to_change(Finding& finding, const RepositoryChange& change, Locator& locator);

// Suppressions of the head that its file did not have in the base, as written.
std::vector<Suppression> added_suppressions(const std::vector<Suppression>& head, Locator& head_locator,
                                            const std::vector<Suppression>& base, Locator& base_locator);

} // namespace lockstep
