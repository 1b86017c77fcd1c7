// The values of one request, with places that count in the rendering: what a release says, files, and those that are
// in for the chart's own.
#pragma once
#include "deploy/rendered_chart.h"
#include "helm/render.h"
#include <unordered_map>

namespace lockstep {

// Files of a rendering and files of the tree.
class SourceFiles {
public:
    SourceFiles(ChartStore& store, const Tree& tree) : sources_(store.sources), tree_(tree) {}

    // A file of the tree that values come from.
    FileId source_of(FileId tree_file) {
        const auto [known, fresh] = of_tree_.try_emplace(tree_file, no_file);
        if (fresh) {
            known->second = sources_.add(std::string(), nullptr);
            known_[known->second] = {tree_file, 0, false};
        }
        return known->second;
    }
    bool is_template(FileId source) { return look(source).is_template; }
    Place in_tree(Place place) {
        if (place.file == no_file) return {};
        const Known& file = look(place.file);
        if (file.file == no_file) return {};
        if (file.packed) return {file.file, {}};
        return {file.file, {place.span.begin + file.shift, place.span.end + file.shift}};
    }

private:
    struct Known {
        FileId file = no_file;
        std::uint32_t shift = 0; // Helm drops a byte order mark
        bool is_template = false, packed = false;
    };
    const Known& look(FileId source) {
        const auto [known, fresh] = known_.try_emplace(source);
        if (!fresh) return known->second;
        const std::string& path = sources_.paths[source];
        known->second.is_template = path.find("templates/") != std::string::npos;
        const std::size_t mark = path.find('!');
        known->second.packed = mark != std::string::npos;
        const auto file = tree_.find(std::string_view(path).substr(0, mark));
        if (!file) return known->second;
        known->second.file = *file;
        if (tree_.files[*file].indexed && std::string_view(tree_.files[*file].text).starts_with("\xef\xbb\xbf"))
            known->second.shift = 3;
        return known->second;
    }
    ChartSources& sources_;
    const Tree& tree_;
    std::unordered_map<FileId, FileId> of_tree_;
    std::unordered_map<FileId, Known> known_;
};

// Lays the sources over each other as helm-controller does, weakest first.
std::optional<RenderProblem> merge_values(ChartRendering& into, SourceFiles& files,
                                          const std::vector<ValuesPart>& parts, GoValue& values);
// Puts `values_files` in place of the loaded chart's own values.
std::optional<RenderProblem> take_values_files(const ChartLibrary& library, ChartRendering& into, SourceFiles& files,
                                               const Tree& tree, const ChartRequest& request);

} // namespace lockstep
