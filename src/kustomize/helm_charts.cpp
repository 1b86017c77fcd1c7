// helmCharts of a folder: rendered by whoever can, refused as Flux does, or left out.
#include "kustomize/helm_charts.h"
#include "kustomize/documents.h"
#include "kustomize/folder_build.h"
#include "kustomize/generators.h"
#include "kustomize/tree_edit.h"

namespace lockstep {

Failure FolderBuild::add_chart(Accumulated& into, const Value& entry) {
    const Value* globals = file_.root ? file_.root->get("helmGlobals") : nullptr;
    ChartEntry asked{folder_, {}, &entry};
    asked.home = asked.text("chartHome");
    if (asked.home.empty() && globals) asked.home = globals->text_of("chartHome");
    if (asked.home.empty()) asked.home = "charts";
    const Place at = entry.place;
    const std::string title = "chart `" + std::string(asked.name()) + "`";
    if (context_.options.by_flux) {
        into.gaps.push_back({BuildGap::Kind::helm, at, title + " is rendered by Helm, which Flux does not run"});
        return failure("trouble configuring builtin HelmChartInflationGenerator: must specify --enable-helm", at);
    }
    if (!context_.loader.inflate) {
        into.gaps.push_back({BuildGap::Kind::helm, at, title + " is rendered by Helm"});
        return {};
    }
    InflatedChart made = context_.loader.inflate(asked);
    for (std::string& why : made.gaps)
        into.gaps.push_back({BuildGap::Kind::helm, at, title + ": " + std::move(why)});
    if (!made.error.empty()) return failure("Error: " + made.error, at);
    if (Failure failed = count(into, made.documents.size(), at)) return failed;
    for (const InflatedDocument& document : made.documents) {
        const LoadedDocuments loaded = load_documents(document.text, document.file, context_.arena(), true);
        if (!loaded.error.empty()) return failure(loaded.error, at);
        for (Value* tree : loaded.trees) {
            Resource resource;
            resource.id = id_of(*tree);
            resource.local_config = is_local_config(*tree);
            if (document.place) document.place(*tree);
            resource.document = document.at.file != no_file ? document.at : at;
            resource.entry = at;
            resource.rendered = true;
            resource.via = context_.arena().make<Via>(nullptr, file_.file, at, file_.component);
            context_.set_tree(resource, tree);
            if (Failure failed = wrapped(absorb(context_, into.resources, resource), "merging from generator: "))
                return failed;
        }
    }
    return {};
}

} // namespace lockstep
