// What one folder does to its resources: generators and transformers in kustomize's order.
#include "kustomize/folder_build.h"
#include "kustomize/generators.h"
#include "kustomize/origin.h"
#include "kustomize/plugins.h"
#include "kustomize/replacements.h"
#include "kustomize/vars.h"

namespace lockstep {

Failure FolderBuild::run_generators(Accumulated& into) {
    const PatchFiles files{[this](std::string_view path, Place at, FileId& file) { return find_file(path, at, file); },
                           &into.removed};
    for (const bool secret : {false, true})
        for (const Value* entry : secret ? file_.secret_generator : file_.config_map_generator) {
            Resource made;
            Failure failed = generate(context_, files, *entry, secret, file_.generator_options, made);
            if (!failed) {
                made.via = context_.arena().make<Via>(nullptr, file_.file, entry->place, file_.component);
                if (origin_)
                    add_generator_origin(context_, made, *origin_, file_.name,
                                         secret ? "SecretGenerator" : "ConfigMapGenerator");
                failed = wrapped(absorb(context_, into.resources, made), "merging from generator: ");
            }
            if (!failed) failed = context_.over_limit(entry->place);
            if ((failed = note(failed, into))) return failed;
        }
    for (const Value* chart : file_.helm_charts)
        if (Failure failed = note(add_chart(into, *chart), into)) return failed;
    return PluginRunner(*this, into).generate();
}

Failure FolderBuild::run_transformers(Accumulated& into) {
    const PatchFiles files{[this](std::string_view path, Place at, FileId& file) { return find_file(path, at, file); },
                           &into.removed};
    const TransformerConfig& config = *into.config;
    Resources& resources = into.resources;
    if (!file_.patches_strategic_merge.empty()) {
        const Place by = file_.patches_strategic_merge.front().node->place;
        if (Failure failed =
                note(apply_strategic_merges(context_, files, types(into), resources, file_.patches_strategic_merge, by),
                     into))
            return failed;
        annotate_transformer(into, "PatchStrategicMergeTransformer");
    }
    for (const PatchEntry& patch : file_.patches) {
        if (Failure failed = note(apply_patch(context_, files, types(into), resources, patch), into)) return failed;
        if (Failure failed = context_.over_limit(patch.node->place)) return failed;
        annotate_transformer(into, "PatchTransformer");
    }
    if (!file_.ns.empty()) {
        NamespaceArgs args{file_.ns, config.ns};
        if (Failure failed = note(transform_namespace(context_, resources, args, file_.ns_node->place), into))
            return failed;
        annotate_transformer(into, "NamespaceTransformer");
    }
    for (const bool prefix : {true, false}) {
        const std::string_view affix = prefix ? file_.name_prefix : file_.name_suffix;
        if (affix.empty()) continue;
        const Value* node = prefix ? file_.prefix_node : file_.suffix_node;
        if (Failure failed = transform_names(context_, resources, affix, prefix,
                                             prefix ? config.name_prefix : config.name_suffix, node->place))
            return failed;
        if (Failure failed = context_.over_limit(node->place)) return failed;
        annotate_transformer(into, prefix ? "PrefixTransformer" : "SuffixTransformer");
    }
    for (const Value* label : file_.labels) {
        const Value* pairs = label->get("pairs");
        FieldRows rows;
        if (const Value* fields = label->get("fields"))
            for (const Value* field : fields->items())
                rows.push_back(read_field_row(*field));
        bool merged = merge_rows(rows, config.labels);
        if (truth(label->get("includeSelectors")))
            merged = merged && merge_rows(rows, config.common_labels);
        else {
            if (truth(label->get("includeTemplates"))) merged = merged && merge_rows(rows, config.template_labels);
            merged = merged && merge_row(rows, {{}, "metadata/labels", true});
        }
        if (!merged) return failure("failed to merge labels: conflicting fieldspecs", label->place);
        if (pairs) transform_pairs(context_, resources, *pairs, std::move(rows));
        annotate_transformer(into, "LabelTransformer");
    }
    if (file_.common_labels) transform_pairs(context_, resources, *file_.common_labels, config.common_labels);
    if (file_.common_labels || !file_.labels.empty()) annotate_transformer(into, "LabelTransformer");
    if (file_.common_annotations) {
        transform_pairs(context_, resources, *file_.common_annotations, config.common_annotations);
        annotate_transformer(into, "AnnotationsTransformer");
    }
    for (const PatchEntry& patch : file_.patches_json6902) {
        if (Failure failed = note(apply_json6902(context_, files, resources, patch), into)) return failed;
        if (Failure failed = context_.over_limit(patch.node->place)) return failed;
        annotate_transformer(into, "PatchJson6902Transformer");
    }
    for (const Value* replica : file_.replicas) {
        const std::string_view count = replica->text_of("count");
        if (Failure failed = note(transform_replicas(context_, resources, replica->text_of("name"),
                                                     count.empty() ? "0" : count, config.replicas, replica->place),
                                  into))
            return failed;
        annotate_transformer(into, "ReplicaCountTransformer");
    }
    for (const Value* image : file_.images) {
        transform_images(context_, resources,
                         {image->text_of("name"), image->text_of("newName"), image->text_of("newTag"),
                          image->text_of("digest"), image->text_of("tagSuffix")},
                         config.images, image->place);
        if (Failure failed = context_.over_limit(image->place)) return failed;
        annotate_transformer(into, "ImageTagTransformer");
    }
    if (!file_.replacements.empty()) {
        if (Failure failed = note(apply_replacements(context_, files, resources, file_.replacements), into))
            return failed;
        annotate_transformer(into, "ReplacementTransformer");
    }
    return PluginRunner(*this, into).transform();
}

void FolderBuild::annotate_transformer(Accumulated& into, std::string_view kind) const {
    if (origin_) add_transformer_origin(context_, into.resources, *origin_, file_.name, kind);
}

Failure FolderBuild::add_vars(Accumulated& into) {
    for (const Value* entry : file_.vars) {
        VarEntry var = read_var(*entry, context_.arena());
        if (Failure failed = note(bind_var(context_, into.resources, var), into)) return failed;
        if (Failure failed = note(add_var(into.vars, var), into)) return failed;
    }
    return {};
}

} // namespace lockstep
