// Reads `path` of Applications, of ApplicationSets' templates and of their git generators. What is filled in later
// stands for any name.
#include "deploy/argo_folders.h"
#include "deploy/flux_spec.h"
#include "index/links.h"
#include <algorithm>

namespace lockstep {
namespace {

// `apps/{{ .name }}` becomes `apps/*`.
std::string with_stars(std::string_view path) {
    std::string made;
    while (!path.empty()) {
        const std::size_t open = path.find("{{"), close = path.find("}}", open);
        if (close == std::string_view::npos) break;
        made += std::string(path.substr(0, open)) + "*";
        path.remove_prefix(close + 2);
    }
    return made + std::string(path);
}

// The root of the tree, or all of it.
bool says_nothing(std::string_view folder) {
    return folder.find_first_not_of("*/") == std::string_view::npos;
}

} // namespace

void ArgoFolders::add(std::string_view path) {
    const std::string folder = clamp_path(with_stars(path));
    if (says_nothing(folder)) return;
    if (Result<Glob> glob = Glob::compile(folder)) namers_.back().folders.push_back(std::move(*glob));
}

void ArgoFolders::add_sources(const Value* spec) {
    add(cell_at(spec, {"source", "path"}).text);
    if (const Value* several = value_at(spec, {"sources"}))
        for (const Value* one : several->items())
            add(cell_at(one, {"path"}).text);
}

// A matrix and a merge hold generators of their own.
void ArgoFolders::add_generators(const Value* generators) {
    if (!generators) return;
    for (const Value* one : generators->items()) {
        if (const Value* directories = value_at(one, {"git", "directories"}))
            for (const Value* directory : directories->items())
                add(cell_at(directory, {"path"}).text);
        if (const Value* files = value_at(one, {"git", "files"}))
            for (const Value* file : files->items())
                add(directory_of(cell_at(file, {"path"}).text));
        if (const Value* elements = value_at(one, {"list", "elements"})) add_elements(*elements);
        for (std::string_view both : {"matrix", "merge"})
            add_generators(value_at(one, {both, "generators"}));
    }
}

// Folders among the values of a list.
void ArgoFolders::add_elements(const Value& element) {
    if (element.is_scalar() && index_.tree->has_directory(clamp_path(element.text))) add(element.text);
    for (const Value* one : element.is_scalar() ? std::span<Value* const>() : element.all())
        add_elements(*one);
}

void ArgoFolders::add_set(const Value* spec) {
    const std::size_t before = namers_.back().folders.size();
    add_generators(value_at(spec, {"generators"}));
    const Value* made = value_at(spec, {"template", "spec"});
    const std::string path = cell_at(made, {"source", "path"}).text;
    if (namers_.back().folders.size() == before && path.find("{{") != std::string::npos &&
        says_nothing(with_stars(path)))
        open_ = true;
    add_sources(made);
}

ArgoFolders::ArgoFolders(const Index& index, const TreeOf& tree_of, const ListsOver& lists_over, const IsSide& is_side)
    : index_(index) {
    for (EntityId id = 0; id < index.objects.size(); ++id) {
        const Object& object = index.objects[id];
        if (object.group != "argoproj.io" || object.embedded || (is_side && is_side(object.file))) continue;
        const bool one = object.kind.text == "Application", set = object.kind.text == "ApplicationSet";
        if (!one && !set) continue;
        namers_.emplace_back();
        if (one) add_sources(value_at(tree_of(id), {"spec"}));
        if (set) add_set(value_at(tree_of(id), {"spec"}));
        for (EntityId list : lists_over(object.file))
            namers_.back().lists.push_back(index.kustomizations[list].dir);
    }
    leave_out_unreached();
    for (const Kustomization& made : index.kustomizations)
        any_ = any_ || (!open_ && !made.dir.empty() && is_named(made.dir));
}

// From the whole down: what is in a folder that nothing names goes, and then what only that named. Where most of it
// goes, the tree does not show what begins: all count, and so do the folders that hold them.
void ArgoFolders::leave_out_unreached() {
    for (bool changed = true; changed;) {
        std::vector<Namer*> gone;
        for (Namer& one : namers_)
            if (one.counts && !one.lists.empty() &&
                std::none_of(one.lists.begin(), one.lists.end(), [&](const std::string& dir) { return is_named(dir); }))
                gone.push_back(&one);
        for (Namer* one : gone)
            one->counts = false;
        changed = !gone.empty();
    }
    const auto left = std::count_if(namers_.begin(), namers_.end(), [](const Namer& one) { return one.counts; });
    if (2 * static_cast<std::size_t>(left) > namers_.size()) return;
    for (Namer& one : namers_) {
        one.counts = true;
        beginnings_.insert(one.lists.begin(), one.lists.end());
    }
}

bool ArgoFolders::matches(std::string_view folder) const {
    return std::any_of(namers_.begin(), namers_.end(), [&](const Namer& one) {
        return one.counts && std::any_of(one.folders.begin(), one.folders.end(),
                                         [&](const Glob& glob) { return glob.matches(folder); });
    });
}

bool ArgoFolders::is_named(std::string_view folder) const {
    if (folder.empty()) return true; // `path: .` is nothing that tells
    for (std::string_view at = folder; !at.empty(); at = directory_of(at))
        if ((at == folder || !index_.kustomization_by_dir.contains(std::string(at))) && matches(at)) return true;
    return false;
}

bool ArgoFolders::name(std::string_view folder) const {
    return is_named(folder) || beginnings_.contains(folder);
}

} // namespace lockstep
