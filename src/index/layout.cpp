// Chart directories and cluster trees by path.
#include "index/layout.h"

namespace lockstep {

namespace {

std::vector<Glob> compile_all(const std::vector<std::string>& patterns) {
    std::vector<Glob> globs;
    for (std::string_view pattern : patterns) {
        while (!pattern.empty() && pattern.back() == '/')
            pattern.remove_suffix(1);
        Result<Glob> glob = Glob::compile(pattern);
        if (glob) globs.push_back(std::move(*glob));
    }
    return globs;
}

bool ends_with_any(std::string_view text, std::initializer_list<std::string_view> endings) {
    for (std::string_view ending : endings)
        if (text.ends_with(ending)) return true;
    return false;
}

} // namespace

Layout::Layout(const Tree& tree, const std::vector<std::string>& template_trees,
               const std::vector<std::string>& live_trees)
    : template_trees_(compile_all(template_trees)), live_trees_(compile_all(live_trees)) {
    for (const File& file : tree.files)
        if (file_name_of(file.path) == "Chart.yaml") charts_.emplace(directory_of(file.path));
}

std::optional<ChartPlace> Layout::chart_of(std::string_view path) const {
    if (charts_.empty()) return std::nullopt;
    std::string_view dir = directory_of(path);
    for (;;) {
        auto found = charts_.find(dir);
        if (found != charts_.end()) {
            ChartPlace chart;
            chart.dir = *found;
            std::string_view rest = dir.empty() ? path : path.substr(dir.size() + 1);
            chart.in_templates = rest.starts_with("templates/");
            std::string_view above = directory_of(dir);
            chart.subchart = !dir.empty() && file_name_of(above) == "charts" && has_chart(directory_of(above));
            return chart;
        }
        if (dir.empty()) return std::nullopt;
        dir = directory_of(dir);
    }
}

std::string_view Layout::first_match(const std::vector<Glob>& globs, std::string_view path) {
    if (globs.empty()) return {};
    for (std::size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1)) {
        std::string_view folder = path.substr(0, slash);
        for (const Glob& glob : globs)
            if (glob.matches(folder)) return folder;
    }
    return {};
}

std::string Layout::tree_of(std::string_view path) const {
    std::string_view folder = first_match(template_trees_, path);
    if (folder.empty()) folder = first_match(live_trees_, path);
    return std::string(folder);
}

bool Layout::in_template_tree(std::string_view path) const {
    return !first_match(template_trees_, path).empty();
}

bool is_indexable(std::string_view path) {
    std::string_view name = file_name_of(path);
    return ends_with_any(name, {".yaml", ".yml", ".tftpl"}) || name == "Chart.lock" || name == "requirements.lock" ||
           name == "Kustomization";
}

bool is_indexable(const File& file) {
    return file.manifest || is_indexable(file.path);
}

bool is_terraform_template(std::string_view path) {
    return path.ends_with(".tftpl");
}

bool is_kustomization_name(std::string_view file_name) {
    return file_name == "kustomization.yaml" || file_name == "kustomization.yml" || file_name == "Kustomization";
}

bool is_workflow_path(std::string_view path) {
    std::string_view dir = directory_of(path);
    return dir == ".github/workflows" || dir == ".gitea/workflows" || dir.ends_with("/.github/workflows") ||
           dir.ends_with("/.gitea/workflows");
}

} // namespace lockstep
