// Charts that are at hand: folders of this tree, and packed charts of the tree and of cache folders. Whoever renders a
// release asks here for its chart, and for what that chart depends on.
#pragma once
#include "helm/chart_shelf.h"
#include "index/index.h"

namespace lockstep {

class ChartLibrary {
public:
    // `cached`: packed charts of the folders that the config names under `charts:`.
    ChartLibrary(const Tree& tree, const Index& index, std::vector<ShelfArchive> cached);

    ChartReader reader(EntityId chart) const;
    const ChartShelf& shelf() const { return shelf_; }
    // A packed chart whose version is in the range; nullptr when none is at hand.
    const ShelfArchive* archive(std::string_view name, std::string_view range) const {
        return find_archive(shelf_, name, range);
    }
    // The bytes of any file of the tree, read or not; nothing when it cannot be read. For several threads at a time.
    std::optional<std::string> bytes(FileId file) const;

private:
    ShelfMatch match(const DeclaredDependency& wanted, const std::string& declared_in, const ShelfChart& found) const;

    const Tree& tree_;
    const Index& index_;
    ChartShelf shelf_;
};

// The chart's values.yaml; nothing when it has none, and leaves all values to whoever installs it.
std::optional<FileId> own_values(const Tree& tree, const Chart& chart);

// Packed charts below folders of the tree, `folders` as the config names them.
std::vector<ShelfArchive> archives_in_tree(const Tree& tree, const std::vector<std::string>& folders);

} // namespace lockstep
