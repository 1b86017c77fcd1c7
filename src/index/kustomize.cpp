// kustomize's Kustomization and Component: everything they list, in every spelling kustomize takes.
#include "index/readers.h"

namespace lockstep {

namespace {

bool is_json6902_text(std::string_view text) {
    std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && (text[first] == '[' || text.substr(first).starts_with("- "));
}

void set_inline(Patch& patch, FileId file, NodeRef text) {
    patch.inline_text = place_of(file, text);
    if (std::optional<BlockContent> content = block_content(text)) {
        patch.inline_text.span = content->slice;
        patch.indent = content->indent;
    }
    if (is_json6902_text(text.text())) patch.json6902 = true;
}

Patch read_patch(FileId file, NodeRef item, bool json6902) {
    CellReader take{file, item};
    Patch patch;
    patch.json6902 = json6902;
    take(patch.path, {"path"});
    if (patch.path.text.empty()) patch.path.state = State::absent; // `path: ""` beside an inline patch
    NodeRef text = node_at(item, {"patch"});
    if (text) set_inline(patch, file, text);
    take(patch.target_group, {"target", "group"});
    take(patch.target_kind, {"target", "kind"});
    take(patch.target_name, {"target", "name"});
    take(patch.target_namespace, {"target", "namespace"});
    take(patch.target_selector, {"target", "labelSelector"});
    take(patch.target_annotation_selector, {"target", "annotationSelector"});
    return patch;
}

// An entry that is a file name, YAML text, or (in Flux) YAML as written.
Patch read_plain_patch(FileId file, NodeRef item) {
    Patch patch;
    bool is_text = item.is_mapping() || item.text().find('\n') != std::string_view::npos;
    if (is_text)
        set_inline(patch, file, item);
    else
        patch.path = cell_of(file, item);
    return patch;
}

void list_all(Kustomization& made, FileId file, NodeRef root, std::string_view key, Listing as) {
    for (Cell& cell : cells_at(file, root, {key})) {
        // generators, transformers and replacements may be YAML texts instead of files
        if (cell.text.find('\n') == std::string::npos)
            made.listed.push_back({as, std::move(cell)});
        else
            made.inline_plugins = made.inline_plugins || as == Listing::generator || as == Listing::transformer;
    }
}

// `key=path` names a path; the place is that of the whole entry.
void list_generator_files(Kustomization& made, FileId file, NodeRef item, std::string_view key) {
    for (Cell& cell : cells_at(file, item, {key})) {
        std::size_t equals = cell.text.find('=');
        if (equals != std::string::npos) cell.text.erase(0, equals + 1);
        made.listed.push_back({Listing::generated_from, std::move(cell)});
    }
}

bool is_true(const Cell& cell) {
    return is_known(cell) && cell.text == "true";
}

void read_generators(Kustomization& made, FileId file, NodeRef root, std::string_view key, bool secret) {
    bool plain_names = is_true(cell_at(file, root, {"generatorOptions", "disableNameSuffixHash"}));
    for (NodeRef item : items_at(root, {key})) {
        if (!item.is_mapping()) continue;
        CellReader take{file, item};
        Generator generator;
        take(generator.name, {"name"});
        take(generator.ns, {"namespace"});
        take(generator.behavior, {"behavior"});
        generator.secret = secret;
        generator.name_suffix_hash =
            !plain_names && !is_true(cell_at(file, item, {"options", "disableNameSuffixHash"}));
        generator.place = place_of(file, item);
        for (std::string_view files : {"files", "envs", "env"})
            list_generator_files(made, file, item, files);
        made.generators.push_back(std::move(generator));
    }
}

void list_cell(Kustomization& made, Listing as, Cell cell) {
    if (is_set(cell)) made.listed.push_back({as, std::move(cell)});
}

void read_helm_charts(Kustomization& made, FileId file, NodeRef root) {
    for (NodeRef item : items_at(root, {"helmCharts"})) {
        made.helm_charts.push_back({cell_at(file, item, {"name"}), cell_at(file, item, {"version"}),
                                    cell_at(file, item, {"repo"}), cell_at(file, item, {"releaseName"}),
                                    cell_at(file, item, {"namespace"}), place_of(file, item)});
        list_cell(made, Listing::helm_values, cell_at(file, item, {"valuesFile"}));
        for (Cell& cell : cells_at(file, item, {"additionalValuesFiles"}))
            list_cell(made, Listing::helm_values, std::move(cell));
    }
    for (NodeRef item : items_at(root, {"helmChartInflationGenerator"})) {
        made.helm_charts.push_back({cell_at(file, item, {"chartName"}), cell_at(file, item, {"chartVersion"}),
                                    cell_at(file, item, {"chartRepoUrl"}), cell_at(file, item, {"releaseName"}),
                                    cell_at(file, item, {"releaseNamespace"}), place_of(file, item)});
        list_cell(made, Listing::helm_values, cell_at(file, item, {"values"}));
    }
}

} // namespace

void read_patches(std::vector<Patch>& patches, FileId file, NodeRef owner) {
    for (NodeRef item : items_at(owner, {"patches"})) {
        if (item.is_mapping())
            patches.push_back(read_patch(file, item, false));
        else if (item.is_scalar())
            patches.push_back(read_plain_patch(file, item));
    }
    for (NodeRef item : items_at(owner, {"patchesStrategicMerge"}))
        if (item.is_scalar() || item.is_mapping()) patches.push_back(read_plain_patch(file, item));
    for (NodeRef item : items_at(owner, {"patchesJson6902"}))
        if (item.is_mapping()) patches.push_back(read_patch(file, item, true));
}

void read_kustomization(FileIndex& index, const FileView& view, const DocumentView& document, EntityId object,
                        const Layout& layout) {
    FileId file = view.file;
    NodeRef root = document.root;
    Kustomization made;
    made.object = object;
    made.file = file;
    made.dir = std::string(directory_of(view.path));
    made.tree = layout.tree_of(view.path);
    made.place = {file, document.span};
    made.embedded = document.embedded;
    made.component = node_at(root, {"kind"}).text() == "Component";
    list_all(made, file, root, "resources", Listing::resource);
    list_all(made, file, root, "bases", Listing::base);
    list_all(made, file, root, "components", Listing::component);
    list_all(made, file, root, "crds", Listing::crd);
    list_all(made, file, root, "configurations", Listing::configuration);
    list_all(made, file, root, "generators", Listing::generator);
    list_all(made, file, root, "transformers", Listing::transformer);
    list_all(made, file, root, "validators", Listing::validator);
    for (NodeRef item : items_at(root, {"replacements"}))
        list_cell(made, Listing::replacement, cell_at(file, item, {"path"}));
    list_cell(made, Listing::openapi, cell_at(file, root, {"openapi", "path"}));
    read_patches(made.patches, file, root);
    for (const Patch& patch : made.patches)
        list_cell(made, Listing::patch, patch.path);
    read_generators(made, file, root, "configMapGenerator", false);
    read_generators(made, file, root, "secretGenerator", true);
    read_helm_charts(made, file, root);
    for (NodeRef item : items_at(root, {"images"}))
        made.images.push_back({cell_at(file, item, {"name"}), cell_at(file, item, {"newName"}),
                               cell_at(file, item, {"newTag"}), cell_at(file, item, {"digest"})});
    CellReader take{file, root};
    take(made.ns, {"namespace"});
    take(made.name_prefix, {"namePrefix"});
    take(made.name_suffix, {"nameSuffix"});
    made.common_annotations = pairs_at(file, root, {"commonAnnotations"});
    made.common_labels = pairs_at(file, root, {"commonLabels"});
    for (NodeRef item : items_at(root, {"labels"}))
        for (Pair& pair : pairs_at(file, item, {"pairs"}))
            made.labels.push_back(std::move(pair));
    index.kustomizations.push_back(std::move(made));
}

} // namespace lockstep
