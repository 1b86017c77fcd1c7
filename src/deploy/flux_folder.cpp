// Lists folders as kustomize-controller does, and turns a spec into a layer.
#include "deploy/flux_folder.h"
#include "deploy/post_renderers.h"
#include "index/cells.h"
#include <algorithm>
#include <set>

namespace lockstep {
namespace {

// As far as it is YAML.
constexpr std::string_view left_out = ".git/\n.github/\n.circleci/\n.travis.yml\n.gitlab-ci.yml\nappveyor.yml\n"
                                      ".drone.yml\ncloudbuild.yaml\ncodeship-services.yml\ncodeship-steps.yml\n"
                                      "**/.goreleaser.yml\n**/.goreleaser.yaml\n**/.sops.yaml\n**/.flux.yaml\n";

bool is_manifest(std::string_view path) {
    return path.ends_with(".yaml") || path.ends_with(".yml");
}

// Walks meet `a/b.yaml` before `a-b.yaml`: folder by folder, names in order.
bool walks_before(std::string_view a, std::string_view b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
        return static_cast<unsigned char>(x == '/' ? '\1' : x) < static_cast<unsigned char>(y == '/' ? '\1' : y);
    });
}

} // namespace

SourceIgnore::SourceIgnore(const Tree& tree, std::string_view of_source) {
    rules_.push_back({"", IgnoreRules(left_out)});
    for (const File& file : tree.files) // those of outer folders come first
        if (file_name_of(file.path) == file_name && !file.text.empty())
            rules_.push_back({file.path.substr(0, file.path.size() - file_name.size()), IgnoreRules(file.text)});
    if (!of_source.empty()) rules_.push_back({"", IgnoreRules(of_source)});
}

bool SourceIgnore::covers(std::string_view path) const {
    for (auto one = rules_.rbegin(); one != rules_.rend(); ++one)
        if (path.starts_with(one->below))
            if (const auto said = one->rules.verdict_with_folders(path.substr(one->below.size()))) return *said;
    return false;
}

std::vector<std::string> manifests_below(const Index& index, const SourceIgnore& ignore, const std::string& dir) {
    const std::string below = dir.empty() ? "" : dir + "/";
    const auto& files = index.tree->files;
    auto file = std::lower_bound(files.begin(), files.end(), below,
                                 [](const File& one, const std::string& path) { return one.path < path; });
    std::vector<std::string> found;
    std::set<std::string> whole; // folders that are taken as a whole
    std::string last;            // the folder of the file before, and what it lies in
    bool inside = false;
    for (; file != files.end() && file->path.starts_with(below); ++file) {
        const std::string here(directory_of(file->path));
        if (here != last) {
            last = here;
            inside = false;
            for (std::size_t slash = below.size(); !inside && slash < here.size();) {
                slash = std::min(here.find('/', slash + 1), here.size());
                const std::string folder = here.substr(0, slash);
                const auto made = index.kustomization_by_dir.find(folder);
                const bool chart = index.chart_by_dir.count(folder) != 0;
                inside = made != index.kustomization_by_dir.end() || chart;
                // Flux lists a component, too, and fails on it; a chart's files are no manifests.
                const bool takes = inside && !chart && !index.kustomizations[made->second].component;
                if (takes && !ignore.covers(folder + "/kustomization.yaml") && whole.insert(folder).second)
                    found.push_back(folder.substr(below.size()));
            }
        }
        if (inside || !is_manifest(file->path) || ignore.covers(file->path)) continue;
        found.push_back(file->path.substr(below.size()));
    }
    std::sort(found.begin(), found.end(), walks_before);
    return found;
}

std::optional<ExtraLayer> layer_of(const Index& index, const SourceIgnore& ignore, const std::string& dir,
                                   const FluxSpec& spec, Arena& arena) {
    ExtraLayer layer;
    layer.place = is_there(spec.path.place) ? spec.path.place : spec.place;
    bool needed = false;
    if (!index.kustomization_by_dir.count(dir)) {
        layer.generate = needed = true;
        layer.resources = manifests_below(index, ignore, dir);
    }
    auto take = [&](const Cell& from, std::string& to) {
        if (!is_set(from)) return;
        to = from.text;
        needed = true;
    };
    take(spec.target_namespace, layer.ns);
    take(spec.name_prefix, layer.name_prefix);
    take(spec.name_suffix, layer.name_suffix);
    auto take_items = [&](const Value* list, std::vector<const Value*>& to) {
        if (!list) return;
        for (const Value* item : list->items())
            to.push_back(item);
        needed = needed || !to.empty();
    };
    take_items(spec.patches, layer.patches);
    if (spec.older) {
        add_older_patches(*spec.older, arena, layer);
        needed = true;
    }
    take_items(spec.images, layer.images);
    for (const Cell& component : spec.components)
        if (is_known(component)) {
            layer.components.push_back(component.text);
            needed = true;
        }
    if (!needed) return std::nullopt;
    return layer;
}

} // namespace lockstep
