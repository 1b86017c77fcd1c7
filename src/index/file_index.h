// The entities of one file, taken while its node table is there. Thread-safe: one call per file, no shared state.
#pragma once
#include "index/bootstrap.h"
#include "index/entities.h"
#include "index/layout.h"
#include "index/pushed_artifacts.h"
#include "index/view.h"

namespace lockstep {

// What scripts do with charts and artifacts.
struct Published {
    std::vector<std::string> registries; // `helm push … oci://…`
    bool stamped = false;                // `helm package --version`: the published version is not that of Chart.yaml
    std::vector<PushedArtifact> artifacts;
};

struct FileIndex {
    FileId file = no_file;
    std::vector<DocumentRole> documents;
    std::vector<Object> objects;
    std::vector<Chart> charts;
    std::vector<ChartSide> chart_sides;
    std::vector<HelmRelease> releases;
    std::vector<Source> sources;
    std::vector<FluxKustomization> flux_kustomizations;
    std::vector<Kustomization> kustomizations;
    std::vector<Blueprint> blueprints;
    std::vector<CustomKind> custom_kinds;
    std::vector<Script> scripts;
    std::vector<ContainerImage> images;
    std::vector<Foreign> foreign;
    std::vector<LooseValue> loose_values;
    std::vector<BootstrapPin> bootstrap_pins;
    Published published; // by shell files and task files; workflows are read once all files are there
};

// .tftpl files are parsed by the caller with Dialect::terraform; is_indexable (layout.h) tells which files to hand in.
FileIndex index_file(FileId id, const File& file, const YamlText& yaml, const Layout& layout);
// The same from a view that the caller has already and goes on using.
FileIndex index_view(const FileView& view, const Layout& layout);
Published published_by_script(std::string_view path, std::string_view text); // a whole shell file

} // namespace lockstep
