// What paths alone tell, made once after listing: charts, their template folders, cluster trees. Read by every file's
// indexing at the same time, so it never changes after construction.
#pragma once
#include "base/glob.h"
#include "tree/tree.h"
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace lockstep {

struct ChartPlace {
    std::string_view dir;      // directory of the nearest enclosing Chart.yaml; "" is the root
    bool subchart = false;     // is in the charts/ folder of another chart
    bool in_templates = false; // the path lies below the chart's templates/
};

class Layout {
public:
    // Each glob names a folder (`clusters/*`); template trees are tried first. A glob that does not compile is left
    // out: the config has reported it before.
    explicit Layout(const Tree& tree, const std::vector<std::string>& template_trees = {},
                    const std::vector<std::string>& live_trees = {});

    std::optional<ChartPlace> chart_of(std::string_view path) const;
    bool has_chart(std::string_view dir) const { return charts_.find(dir) != charts_.end(); }
    std::string tree_of(std::string_view path) const; // the folder, `clusters/prod`; empty for none
    bool in_template_tree(std::string_view path) const;

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    static std::string_view first_match(const std::vector<Glob>& globs, std::string_view path);
    std::unordered_set<std::string, Hash, std::equal_to<>> charts_; // directories
    std::vector<Glob> template_trees_, live_trees_;
};

// Files that indexing wants parsed: YAML by its ending, .tftpl, and the names Helm and kustomize go by.
bool is_indexable(std::string_view path);
bool is_indexable(const File& file); // what something applies, too, whatever it is called
bool is_terraform_template(std::string_view path);
bool is_kustomization_name(std::string_view file_name); // kustomization.yaml, kustomization.yml, Kustomization
bool is_workflow_path(std::string_view path);           // .github/workflows/*, .gitea/workflows/*

} // namespace lockstep
