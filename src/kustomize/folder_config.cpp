// What one folder adds to the rules of a build: field specs of `configurations` and `crds`, types of `openapi`.
#include "kustomize/documents.h"
#include "kustomize/folder_build.h"

namespace lockstep {

Failure FolderBuild::add_config(Accumulated& into) {
    ConfigPointer own = file_.configurations.empty() ? default_config() : raw_default_config();
    auto custom = std::make_shared<TransformerConfig>();
    for (const TextEntry& entry : file_.configurations) {
        FileId file = no_file;
        if (Failure failed = find_file(entry.text, entry.node->place, file)) return failed;
        std::string error;
        const Value* document = load_first(context_.loader.text(file), file, context_.arena(), error);
        auto config = std::make_shared<TransformerConfig>();
        if (error.empty() && document) error = read_config(*document, *config);
        ConfigPointer so_far = custom;
        if (error.empty()) error = merge_config(so_far, config);
        if (!error.empty()) return failure(error, entry.node->place);
        custom = std::make_shared<TransformerConfig>(*so_far);
    }
    if (!file_.configurations.empty())
        if (std::string error = merge_config(own, custom); !error.empty())
            return failure(error, file_.configurations.front().node->place);
    if (std::string error = merge_config(into.config, own); !error.empty())
        return failure("merging config: " + error, file_.root ? file_.root->place : Place{});
    for (const TextEntry& entry : file_.crds) {
        FileId file = no_file;
        Failure failed = find_file(entry.text, entry.node->place, file);
        if (!failed) {
            std::string error;
            const Value* document = load_first(context_.loader.text(file), file, context_.arena(), error);
            auto config = std::make_shared<TransformerConfig>();
            if (error.empty() && document) error = read_crd_config(*document, *config);
            if (error.empty()) error = merge_config(into.config, config);
            if (!error.empty())
                failed = failure("unable to parse open API definition from '" + std::string(entry.text) + "': " + error,
                                 entry.node->place);
        }
        if (failed) return wrapped(failed, "loading CRDs [" + std::string(entry.text) + "]: ");
    }
    return {};
}

Failure FolderBuild::merge_types(Accumulated& into) {
    if (!file_.has_openapi_path && !file_.has_openapi_version) return {};
    const Place at = file_.root->place;
    FileId file = no_file;
    if (file_.has_openapi_path)
        if (Failure failed = find_file(file_.openapi_path, at, file)) return failed;
    if (into.types) return {};
    if (file == no_file) {
        if (!file_.openapi_version.empty() && file_.openapi_version != "v1.21.2" && file_.openapi_version != "v1212")
            return failure("the specified OpenAPI version is not built in", at);
        if (!file_.openapi_version.empty()) into.types = &SchemaSet::kubernetes();
        return {};
    }
    if (file_.has_openapi_version) return failure("builtin version and custom schema provided, cannot use both", at);
    std::string error;
    const Value* document = load_first(context_.loader.text(file), file, context_.arena(), error);
    SchemaSet set;
    if (error.empty() && document) error = SchemaSet::parse(*document, set);
    if (!error.empty()) return failure(error, at);
    if (!into.resources.empty()) set.add_kubernetes();
    into.types = shared_.keep_types(std::move(set));
    return {};
}

} // namespace lockstep
