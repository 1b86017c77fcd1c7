// Reads charts out of the tree. Files that every run reads are there; others are read again, so that nothing of the
// tree changes while several threads look at it.
#include "deploy/chart_library.h"
#include "index/cells.h"
#include "index/links.h"
#include <algorithm>

namespace lockstep {
namespace {

std::optional<std::string> bytes_of(const Tree& tree, FileId id) {
    const File& file = tree.files[id];
    if (file.indexed) return file.state == FileState::read ? std::optional(file.text) : std::nullopt;
    File copy;
    copy.path = file.path;
    copy.blob = file.blob;
    copy.link = file.link;
    if (tree.root.empty() && !tree.blobs) return file.text; // in memory: never changed
    read_file(tree, copy);
    if (copy.state != FileState::read && copy.state != FileState::binary) return std::nullopt;
    return std::move(copy.text);
}

// `https://acme.github.io/charts` publishes what github.com/acme/charts holds.
bool is_page_of(std::string_view registry, std::string_view repository) {
    const std::size_t dot = registry.find(".github.io");
    const std::size_t owner = repository.find('/');
    if (dot == std::string_view::npos || owner == std::string_view::npos) return false;
    std::string_view rest = repository.substr(owner + 1);
    return rest.starts_with(registry.substr(0, dot)) && rest.substr(dot).starts_with('/');
}

} // namespace

ChartLibrary::ChartLibrary(const Tree& tree, const Index& index, std::vector<ShelfArchive> cached)
    : tree_(tree), index_(index) {
    for (EntityId id = 0; id < index.charts.size(); ++id) {
        const Chart& chart = index.charts[id];
        if (chart.subchart || !is_known(chart.name) || !is_known(chart.version)) continue;
        shelf_.charts.push_back({chart.name.text, chart.version.text, reader(id)});
    }
    shelf_.archives = std::move(cached);
    shelf_.match = [this](const DeclaredDependency& wanted, const std::string& declared_in, const ShelfChart& found) {
        return match(wanted, declared_in, found);
    };
}

std::optional<std::string> ChartLibrary::bytes(FileId file) const {
    return bytes_of(tree_, file);
}

ChartReader ChartLibrary::reader(EntityId id) const {
    const std::string& dir = index_.charts[id].dir;
    const std::string below = dir.empty() ? std::string() : dir + "/";
    ChartReader reader;
    reader.path = dir;
    reader.list = [this, below] {
        std::vector<std::string> names;
        auto file = std::lower_bound(tree_.files.begin(), tree_.files.end(), below,
                                     [](const File& one, const std::string& path) { return one.path < path; });
        for (; file != tree_.files.end() && file->path.starts_with(below); ++file)
            names.push_back(file->path.substr(below.size()));
        return names;
    };
    reader.read = [this, below](const std::string& name) -> std::optional<std::string> {
        const auto file = tree_.find(below + name);
        return file ? bytes(*file) : std::nullopt;
    };
    return reader;
}

ShelfMatch ChartLibrary::match(const DeclaredDependency& wanted, const std::string& declared_in,
                               const ShelfChart& found) const {
    constexpr std::string_view by_file = "file://";
    if (wanted.repository.starts_with(by_file)) {
        const auto dir =
            join_path(directory_of(declared_in), std::string_view(wanted.repository).substr(by_file.size()));
        return dir && *dir == found.reader.path ? ShelfMatch::sure : ShelfMatch::none;
    }
    const std::string registry = registry_key(wanted.repository);
    if (!registry.empty() && is_own_registry(index_, registry)) return ShelfMatch::sure;
    for (const Source& source : index_.sources)
        if (is_known(source.url) && is_page_of(registry, registry_key(source.url.text))) return ShelfMatch::sure;
    return ShelfMatch::by_name;
}

std::optional<FileId> own_values(const Tree& tree, const Chart& chart) {
    const auto file = tree.find(chart.dir.empty() ? "values.yaml" : chart.dir + "/values.yaml");
    if (!file || tree.files[*file].state != FileState::read) return file;
    std::string_view rest = tree.indexed_text(*file);
    while (!rest.empty()) { // a file of comments alone says as little as none
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        const std::size_t first = line.find_first_not_of(" \t\r");
        if (first != std::string_view::npos && line[first] != '#' && !line.starts_with("---")) return file;
    }
    return std::nullopt;
}

std::vector<ShelfArchive> archives_in_tree(const Tree& tree, const std::vector<std::string>& folders) {
    std::vector<ShelfArchive> found;
    for (const std::string& folder : folders) {
        const auto clean = join_path("", folder);
        if (!clean) continue;
        const std::string below = clean->empty() ? std::string() : *clean + "/";
        auto file = std::lower_bound(tree.files.begin(), tree.files.end(), below,
                                     [](const File& one, const std::string& path) { return one.path < path; });
        for (; file != tree.files.end() && file->path.starts_with(below); ++file)
            if (file->path.ends_with(".tgz"))
                found.push_back({file->path, [&tree, id = static_cast<FileId>(file - tree.files.begin())] {
                                     return bytes_of(tree, id);
                                 }});
    }
    return found;
}

} // namespace lockstep
