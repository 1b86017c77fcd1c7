// Lists folders as kustomize-controller does, and turns a spec into a layer.
#include "deploy/flux_folder.h"
#include "deploy/post_renderers.h"
#include "index/cells.h"
#include <algorithm>
#include <set>

namespace lockstep {
namespace {

// Left out of every artifact.
constexpr std::string_view files_of_git = ".git/\n.gitignore\n.gitmodules\n.gitattributes\n";
// Left out as well where nobody says what to leave out: one pattern anywhere in the source takes their place.
constexpr std::string_view left_out_by_default =
    "*.jpg\n*.jpeg\n*.gif\n*.png\n*.wmv\n*.flv\n*.tar.gz\n*.zip\n"
    ".github/\n.circleci/\n.travis.yml\n.gitlab-ci.yml\nappveyor.yml\n.drone.yml\ncloudbuild.yaml\n"
    "codeship-services.yml\ncodeship-steps.yml\n**/.goreleaser.yml\n**/.sops.yaml\n**/.flux.yaml\n";

// As source-controller reads them, a line that begins with a blank is none of its comments.
bool has_pattern(std::string_view text) {
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        if (!line.starts_with('#') && line.find_first_not_of(" \t\r\v\f") != std::string_view::npos) return true;
        text.remove_prefix(std::min(text.size(), line.size() + 1));
    }
    return false;
}

// `a/b/c.yaml`: Flux's own list has nothing to say about most paths.
bool is_plain_path(std::string_view path) {
    return path.ends_with(".yaml") && path.find('.') == path.size() - 5 && !path.ends_with("cloudbuild.yaml");
}

bool is_manifest(std::string_view path) {
    return path.ends_with(".yaml") || path.ends_with(".yml");
}

bool is_there(const Index& index, const std::string& dir, std::string_view below) {
    const auto path = join_path(dir, below);
    return path && (index.tree->has_directory(*path) || index.tree->find(*path) || index.tree->is_unlisted(*path));
}

// Walks meet `a/b.yaml` before `a-b.yaml`: folder by folder, names in order.
bool walks_before(std::string_view a, std::string_view b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
        return static_cast<unsigned char>(x == '/' ? '\1' : x) < static_cast<unsigned char>(y == '/' ? '\1' : y);
    });
}

} // namespace

SourceIgnore::SourceIgnore(const Tree& tree, std::string_view of_source, Place place) {
    bool said = has_pattern(of_source);
    for (const File& file : tree.files)
        said = said || (file_name_of(file.path) == file_name && has_pattern(file.text));
    rules_.push_back({"", IgnoreRules(std::string(files_of_git).append(said ? "" : left_out_by_default)), {}});
    for (FileId id = 0; id < tree.files.size(); ++id) // those of outer folders come first
        if (const File& file = tree.files[id]; file_name_of(file.path) == file_name && !file.text.empty())
            rules_.push_back(
                {file.path.substr(0, file.path.size() - file_name.size()), IgnoreRules(file.text), {id, {0, 0}}, true});
    if (!of_source.empty()) rules_.push_back({"", IgnoreRules(of_source), place});
}

std::optional<Place> SourceIgnore::covered_by(std::string_view path) const {
    const std::size_t first = is_plain_path(path) ? 1 : 0;
    for (std::size_t i = rules_.size(); i-- > first;) {
        const Rules& one = rules_[i];
        if (!path.starts_with(one.below)) continue;
        const IgnoreRules::Verdict verdict = one.rules.flux_verdict(path.substr(one.below.size()));
        if (verdict.said == false) return std::nullopt;
        if (verdict.said) return one.by_line ? Place{one.place.file, {verdict.begin, verdict.end}} : one.place;
    }
    return std::nullopt;
}

bool is_local_component(std::string_view path) {
    std::string lower(path);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    const std::string_view all = lower;
    for (std::string_view start :
         {"git::", "gh:", "ssh://", "https://", "http://", "git@", "github.com:", "github.com/"})
        if (start.size() < all.size() && all.starts_with(start)) return false;
    return !all.starts_with('/') && !all.starts_with("file:///");
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
    const auto own = index.kustomization_by_dir.find(dir);
    if (own == index.kustomization_by_dir.end() ||
        ignore.covers(index.tree->files[index.kustomizations[own->second].file].path)) {
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
        if (is_known(component) && is_local_component(component.text) &&
            !(spec.ignore_missing_components && !is_there(index, dir, component.text))) {
            layer.components.push_back({component.text, component.place});
            needed = true;
        }
    if (!needed) return std::nullopt;
    return layer;
}

} // namespace lockstep
