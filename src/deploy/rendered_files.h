// Rendered documents as files that kustomize can read: post-renderers are kustomizations over them. Their numbers come
// behind those of the tree, and none of them leaves src/deploy: places are put right before anybody sees a tree.
#pragma once
#include "deploy/rendered_chart.h"
#include <map>
#include <memory>

namespace lockstep {

class RenderedFiles {
public:
    static constexpr std::string_view folder = "\x01"; // no path of a tree begins so

    explicit RenderedFiles(std::size_t files_of_tree) : first_(static_cast<FileId>(files_of_tree)) {}

    // The number of its first document; the others follow. The same chart has the same numbers again.
    FileId add(const std::shared_ptr<const RenderedChart>& chart) {
        const auto [known, fresh] = charts_.try_emplace(chart.get(), static_cast<FileId>(first_ + documents_.size()));
        if (!fresh) return known->second;
        kept_.push_back(chart);
        for (const RenderedDocument& document : chart->documents)
            documents_.push_back(&document);
        return known->second;
    }
    bool holds(FileId file) const { return file != no_file && file >= first_; }
    const RenderedDocument& document(FileId file) const { return *documents_[file - first_]; }
    std::string name(FileId file) const { return std::to_string(file); } // within the folder
    std::optional<FileId> find(std::string_view path) const {
        if (!path.starts_with(folder) || path.size() < folder.size() + 2) return std::nullopt;
        FileId file = 0;
        for (const char c : path.substr(folder.size() + 1)) {
            if (c < '0' || c > '9') return std::nullopt;
            file = file * 10 + static_cast<FileId>(c - '0');
        }
        return file;
    }

private:
    FileId first_;
    std::vector<const RenderedDocument*> documents_;
    std::vector<std::shared_ptr<const RenderedChart>> kept_;
    std::map<const RenderedChart*, FileId> charts_;
};

} // namespace lockstep
