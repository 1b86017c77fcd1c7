// Reads `path` of Applications, of ApplicationSets' templates and of their git generators. What is filled in later
// stands for any name.
#include "deploy/argo_folders.h"
#include "deploy/flux_spec.h"
#include "index/links.h"

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
    if (Result<Glob> glob = Glob::compile(folder)) folders_.push_back(std::move(*glob));
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
    if (element.is_scalar() && tree_.has_directory(clamp_path(element.text))) add(element.text);
    for (const Value* one : element.is_scalar() ? std::span<Value* const>() : element.all())
        add_elements(*one);
}

void ArgoFolders::add_set(const Value* spec) {
    const std::size_t before = folders_.size();
    add_generators(value_at(spec, {"generators"}));
    const Value* made = value_at(spec, {"template", "spec"});
    const std::string path = cell_at(made, {"source", "path"}).text;
    if (folders_.size() == before && path.find("{{") != std::string::npos && says_nothing(with_stars(path)))
        open_ = true;
    add_sources(made);
}

ArgoFolders::ArgoFolders(const Index& index, const std::function<const Value*(EntityId)>& tree_of)
    : tree_(*index.tree) {
    for (EntityId id = 0; id < index.objects.size(); ++id) {
        const Object& object = index.objects[id];
        if (object.group != "argoproj.io" || object.embedded) continue;
        if (object.kind.text == "Application") add_sources(value_at(tree_of(id), {"spec"}));
        if (object.kind.text == "ApplicationSet") add_set(value_at(tree_of(id), {"spec"}));
    }
}

bool ArgoFolders::name(std::string_view folder) const {
    if (folder.empty()) return true; // `path: .` is nothing that tells
    for (std::string_view at = folder; !at.empty(); at = directory_of(at))
        for (const Glob& glob : folders_)
            if (glob.matches(at)) return true;
    return false;
}

} // namespace lockstep
