// Reads the trees of other tools' objects.
#include "deploy/tool_installs.h"
#include "deploy/value_layers.h"
#include "index/cells.h"
#include "index/links.h"

namespace lockstep {
namespace {

class InstallReader {
public:
    InstallReader(const Tree& files, std::vector<ToolInstall>& found) : files_(files), found_(found) {}

    void read(const Value& tree, Place place) {
        const std::string_view api = tree.text_of("apiVersion"), kind = tree.text_of("kind");
        if (api.starts_with("helm.cattle.io/") && (kind == "HelmChart" || kind == "HelmChartConfig"))
            helm_chart(tree, place);
        else if (api.starts_with("argoproj.io/") && kind == "Application")
            application(value_at(&tree, {"spec"}), place);
        else if (api.starts_with("argoproj.io/") && kind == "ApplicationSet")
            application(value_at(&tree, {"spec", "template", "spec"}), place);
    }

private:
    void helm_chart(const Value& tree, Place place) {
        Arena arena;
        ToolInstall made{"HelmChart",
                         cell_at(&tree, {"spec", "chart"}),
                         cell_at(&tree, {"spec", "version"}),
                         cell_at(&tree, {"spec", "repo"}),
                         {},
                         place};
        if (made.chart.text.find("://") != std::string::npos) made.url = made.chart;
        ImageValues values;
        add_text(values, value_at(&tree, {"spec", "valuesContent"}), arena);
        if (const Value* set = value_at(&tree, {"spec", "set"}); set && set->is_mapping())
            for (std::size_t i = 0; i < set->size(); ++i)
                values.add(set->key_at(i)->text, *set->value_at(i));
        made.images = values.images();
        take(std::move(made));
    }

    void application(const Value* spec, Place place) {
        if (const Value* one = value_at(spec, {"source"}); one && one->is_mapping()) source(*one, place);
        if (const Value* several = value_at(spec, {"sources"}))
            for (const Value* one : several->items())
                source(*one, place);
    }

    void source(const Value& from, Place place) {
        Arena arena;
        ToolInstall made{"Application", cell_at(&from, {"chart"}), {}, cell_at(&from, {"repoURL"}), {}, place};
        if (is_set(made.chart)) made.version = cell_at(&from, {"targetRevision"});
        const std::string folder(from.text_of("path"));
        ImageValues values;
        if (const Value* files = value_at(&from, {"helm", "valueFiles"}))
            for (const Value* file : files->items())
                add_file(values, folder, file->text, arena);
        add_text(values, value_at(&from, {"helm", "values"}), arena);
        if (const Value* object = value_at(&from, {"helm", "valuesObject"})) values.add(*object);
        if (const Value* parameters = value_at(&from, {"helm", "parameters"}))
            for (const Value* one : parameters->items())
                if (const Value* value = one->get("value")) values.add(one->text_of("name"), *value);
        made.images = values.images();
        if (const Value* images = value_at(&from, {"kustomize", "images"}))
            for (const Value* one : images->items()) { // `name=new:tag`
                Cell image = cell_of(one);
                image.text.erase(0, image.text.find('=') + 1);
                made.images.push_back({std::move(image)});
            }
        if (const Value* patches = value_at(&from, {"kustomize", "patches"}))
            for (const Value* one : patches->items())
                if (const Value* patch = one->get("patch"); patch && patch->is_scalar())
                    if (const Value* tree = yaml_in(patch->text, patch->place, arena))
                        for (ImageUse& image : images_in_patch(*tree))
                            made.images.push_back(std::move(image));
        take(std::move(made));
    }

    void add_text(ImageValues& values, const Value* text, Arena& arena) {
        if (!text || !text->is_scalar()) return;
        if (const Value* tree = yaml_in(text->text, text->place, arena)) values.add(*tree);
    }

    // Beside the chart, from the root, or `$name/path` in another source, which may be this repository.
    void add_file(ImageValues& values, const std::string& folder, std::string_view name, Arena& arena) {
        const std::size_t slash = name.starts_with('$') ? std::min(name.find('/'), name.size()) : 0;
        const bool from_root = slash > 0 || name.starts_with('/');
        const std::string path = clamp_path((from_root ? "" : folder + "/") + std::string(name.substr(slash)));
        const auto file = files_.find(path);
        if (!file || files_.files[*file].state != FileState::read) return;
        if (const Value* tree = yaml_of(*file, files_.files[*file].text, arena)) values.add(*tree);
    }

    void take(ToolInstall made) {
        for (ImageUse& image : made.images)
            if (!is_there(image.image.place)) image.image.place = made.place;
        found_.push_back(std::move(made));
    }

    const Tree& files_;
    std::vector<ToolInstall>& found_;
};

} // namespace

std::vector<ToolInstall> tool_installs(const Index& index, const Fleet& fleet) {
    std::vector<ToolInstall> found;
    if (index.foreign.empty() && fleet.releases.empty()) return found; // a chart may render some
    InstallReader reader(*index.tree, found);
    const auto is_one = [](std::string_view group) { return group == "helm.cattle.io" || group == "argoproj.io"; };
    std::vector<bool> applied(index.objects.size(), false);
    for (const Instance& one : fleet.instances) {
        if (!is_one(one.id().group)) continue;
        const Value* tree = fleet.tree_of(one);
        if (!tree) continue;
        if (one.object != no_entity) applied[one.object] = true;
        reader.read(*tree, is_there(one.resource.entry) ? one.resource.entry : one.resource.document);
    }
    for (EntityId id = 0; id < index.objects.size(); ++id)
        if (const Object& object = index.objects[id]; is_one(object.group) && !applied[id])
            if (const Value* tree = fleet.declared_tree(id)) reader.read(*tree, {object.file, object.document});
    return found;
}

} // namespace lockstep
