// Built-in plugins that are written as objects.
#include "kustomize/plugins.h"
#include "kustomize/documents.h"
#include "kustomize/field_walk.h"
#include "kustomize/generators.h"
#include "kustomize/ids.h"
#include "kustomize/origin.h"
#include "kustomize/replacements.h"
#include "kustomize/selector.h"
#include "kustomize/tree_edit.h"
#include "yaml/emit.h"
#include <charconv>
#include <utility>

namespace lockstep {
namespace {

FieldRows rows_of(const Value& config) {
    FieldRows rows;
    if (const Value* list = config.get("fieldSpecs"))
        for (const Value* item : list->items())
            rows.push_back(read_field_row(*item));
    return rows;
}

Failure misconfigured(const ResourceId& plugin, std::string_view why, Place by) {
    return failure("plugin " + to_string(plugin) + " fails configuration: " + std::string(why), by);
}

bool is_builtin(const ResourceId& id) {
    return id.group.empty() && id.version == "builtin";
}

// `a/b/c` with a part put in before the one at `position`, from 1 on.
std::string insert_part(std::string_view path, std::size_t position, std::string_view part) {
    std::vector<std::string> parts;
    const bool absolute = path.starts_with('/');
    while (!path.empty()) {
        const std::size_t slash = std::min(path.find('/'), path.size());
        if (slash > 0) parts.emplace_back(path.substr(0, slash));
        path.remove_prefix(std::min(slash + 1, path.size()));
    }
    const std::size_t at = std::min(position == 0 ? 0 : position - 1, parts.size());
    parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(at), std::string(part));
    std::string out;
    for (const std::string& one : parts)
        out += (out.empty() && !absolute ? "" : "/") + one;
    return out;
}

} // namespace

Failure PluginRunner::load(const std::vector<TextEntry>& entries, std::vector<Plugin>& out) {
    const BuildContext& context = target_.context_;
    Accumulated loaded;
    std::vector<TextEntry> paths;
    for (const TextEntry& entry : entries) {
        const Place at = entry.node->place;
        const std::string_view text = at.file != no_file ? context.loader.text(at.file) : std::string_view();
        LoadedDocuments documents = load_inline_documents(*entry.node, text, context.arena(), true);
        if (!documents.error.empty() || documents.trees.empty()) {
            paths.push_back(entry);
            continue;
        }
        for (Value* tree : documents.trees) {
            Resource resource;
            resource.id = id_of(*tree);
            resource.document = resource.entry = at;
            context.set_tree(resource, tree);
            if (target_.origin_) add_origin(context, resource, *target_.origin_, target_.file_.name);
            loaded.resources.push_back(resource);
        }
    }
    if (Failure failed = target_.add_resources(loaded, paths)) return failed;
    into_.gaps.insert(into_.gaps.end(), loaded.gaps.begin(), loaded.gaps.end());
    into_.errors.insert(into_.errors.end(), loaded.errors.begin(), loaded.errors.end());
    for (const Resource& resource : loaded.resources) {
        BuildError error;
        const Value* config = context.look(resource, error);
        if (!config) return error;
        out.push_back({config, resource});
    }
    return {};
}

void PluginRunner::note_gap(const Plugin& plugin) {
    into_.gaps.push_back({BuildGap::Kind::plugin, plugin.resource.entry,
                          "`" + std::string(plugin.resource.id.kind) + "` is a plugin that only a program can run"});
}

Failure PluginRunner::generate() {
    std::vector<Plugin> plugins;
    if (Failure failed = load(target_.file_.generators, plugins)) return failed;
    for (const Plugin& plugin : plugins) {
        if (!is_builtin(plugin.resource.id)) {
            note_gap(plugin);
            continue;
        }
        if (Failure failed = target_.note(run_generator(plugin), into_)) return failed;
    }
    return {};
}

Failure PluginRunner::run_generator(const Plugin& plugin) {
    const BuildContext& context = target_.context_;
    const std::string_view kind = plugin.resource.id.kind;
    const PatchFiles files{
        [this](std::string_view path, Place at, FileId& file) { return target_.find_file(path, at, file); },
        &into_.removed};
    Resource made;
    Arena& arena = context.arena();
    if (kind == "HelmChartInflationGenerator") return target_.add_chart(into_, *plugin.config);
    if (kind == "ConfigMapGenerator" || kind == "SecretGenerator") {
        Value* config = clone(*plugin.config, arena);
        const Value* metadata = config->get("metadata");
        for (std::string_view field : {"name", "namespace"})
            if (config->text_of(field).empty() && metadata && metadata->get(field))
                set(*config, field, clone(*metadata->get(field), arena), arena);
        if (Failure failed = ::lockstep::generate(context, files, *config, kind == "SecretGenerator", nullptr, made))
            return failed;
    } else if (kind == "IAMPolicyGenerator") {
        const Value *service = plugin.config->get("kubernetesService"), *account = plugin.config->get("serviceAccount");
        if (plugin.config->text_of("cloud") != "gke" || !service || !account)
            return failure("cloud provider " + std::string(plugin.config->text_of("cloud")) + " not supported yet",
                           plugin.resource.entry);
        Value* tree = make_mapping(arena);
        tree->place = plugin.config->place;
        set_entry(*tree, "apiVersion", "v1", "!!str", arena, tree->place);
        set_entry(*tree, "kind", "ServiceAccount", "!!str", arena, tree->place);
        set_name(*tree, service->text_of("name"), arena);
        if (!service->text_of("namespace").empty()) set_namespace(*tree, service->text_of("namespace"), arena);
        set_annotation(*tree, "iam.gke.io/gcp-service-account",
                       arena.keep(std::string(account->text_of("name")) + "@" +
                                  std::string(account->text_of("projectId")) + ".iam.gserviceaccount.com"),
                       arena);
        made.id = id_of(*tree);
        made.document = made.entry = plugin.resource.entry;
        made.generated = true;
        context.set_tree(made, tree);
    } else {
        return failure("loading generator plugins: failed to load generator: unable to load builtin " +
                           kind_text(plugin.resource.id),
                       plugin.resource.entry);
    }
    made.via = arena.make<Via>(nullptr, target_.file_.file, plugin.resource.entry, target_.file_.component);
    made.entry = plugin.resource.entry;
    if (target_.origin_) {
        const Value* annotations = metadata_map(*plugin.config, "annotations");
        const std::string_view origin = annotations ? annotations->text_of(origin_annotation) : std::string_view();
        std::string in(origin.starts_with("path: ") ? origin.substr(6) : origin);
        while (in.ends_with('\n'))
            in.pop_back();
        const ResourceId& id = plugin.resource.id;
        add_plugin_origin(context, made,
                          {in, api_version_of(id), std::string(id.kind), std::string(id.name), std::string(id.ns)});
    }
    return wrapped(absorb(context, into_.resources, made), "merging from generator: ");
}

Failure PluginRunner::transform() {
    std::vector<Plugin> plugins;
    if (Failure failed = load(target_.file_.transformers, plugins)) return failed;
    for (const Plugin& plugin : plugins) {
        if (!is_builtin(plugin.resource.id)) {
            note_gap(plugin);
            continue;
        }
        if (Failure failed = target_.note(run(plugin), into_)) return failed;
        if (target_.origin_) {
            const Value* annotations = metadata_map(*plugin.config, "annotations");
            const std::string_view origin = annotations ? annotations->text_of(origin_annotation) : std::string_view();
            std::string in(origin.starts_with("path: ") ? origin.substr(6) : origin);
            while (in.ends_with('\n'))
                in.pop_back();
            const ResourceId& id = plugin.resource.id;
            add_plugin_transformer(
                target_.context_, into_.resources,
                {in, api_version_of(id), std::string(id.kind), std::string(id.name), std::string(id.ns)});
        }
    }
    return {};
}

Failure PluginRunner::validate() {
    std::vector<Plugin> plugins;
    if (Failure failed = load(target_.file_.validators, plugins)) return failed;
    for (const Plugin& plugin : plugins)
        if (!is_builtin(plugin.resource.id))
            note_gap(plugin);
        else if (Failure failed = target_.note(run_as_validator(plugin), into_))
            return failed;
    return {};
}

// It may look at everything and change nothing.
Failure PluginRunner::run_as_validator(const Plugin& plugin) {
    const BuildContext& context = target_.context_;
    const Resources before = into_.resources;
    Failure failed = run(plugin);
    const Resources after = std::exchange(into_.resources, before);
    if (failed) return failed;
    const std::string refused = "validator shouldn't modify the resource map: ";
    if (before.size() != after.size())
        return failure(refused + "lists have different number of entries", plugin.resource.entry);
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (before[i].id != after[i].id)
            return failure(refused + "id in self missing from other; id: " + to_string(before[i].id),
                           plugin.resource.entry);
        BuildError error;
        const Value *was = context.look(before[i], error), *is = context.look(after[i], error);
        std::string old_text, new_text;
        if (was) emit_json(*was, old_text);
        if (is) emit_json(*is, new_text);
        if (old_text != new_text)
            return failure(refused + "nodes unequal: " + to_string(before[i].id), plugin.resource.entry);
    }
    return {};
}

Failure PluginRunner::run(const Plugin& plugin) {
    const BuildContext& context = target_.context_;
    const Value& config = *plugin.config;
    Resources& resources = into_.resources;
    const std::string_view kind = plugin.resource.id.kind;
    const Place by = config.place;
    const PatchFiles files{
        [this](std::string_view path, Place at, FileId& file) { return target_.find_file(path, at, file); },
        &into_.removed};
    if (kind == "NamespaceTransformer") {
        const Value* metadata = config.get("metadata");
        NamespaceArgs args{metadata ? metadata->text_of("namespace") : std::string_view(), rows_of(config)};
        args.unset_only = truth(config.get("unsetOnly"));
        const std::string_view mode = config.text_of("setRoleBindingSubjects");
        if (mode == "allServiceAccounts") args.subjects = NamespaceArgs::Subjects::all_service_accounts;
        if (mode == "none") args.subjects = NamespaceArgs::Subjects::none;
        return transform_namespace(context, resources, args, by);
    }
    if (kind == "HashTransformer") return add_hashes(context, resources);
    const bool affix = kind == "PrefixSuffixTransformer" || kind == "PrefixTransformer" || kind == "SuffixTransformer";
    if (affix && !config.get("fieldSpecs"))
        return misconfigured(plugin.resource.id, "fieldSpecs is not expected to be nil", by);
    if (kind == "PrefixSuffixTransformer") {
        for (const bool prefix : {true, false})
            if (Failure failed = transform_names(context, resources, config.text_of(prefix ? "prefix" : "suffix"),
                                                 prefix, rows_of(config), by))
                return failed;
        return {};
    }
    if (kind == "PrefixTransformer" || kind == "SuffixTransformer") {
        const bool prefix = kind == "PrefixTransformer";
        return transform_names(context, resources, config.text_of(prefix ? "prefix" : "suffix"), prefix,
                               rows_of(config), by);
    }
    if (kind == "LabelTransformer" || kind == "AnnotationsTransformer") {
        if (const Value* pairs = config.get(kind == "LabelTransformer" ? "labels" : "annotations"))
            transform_pairs(context, resources, *pairs, rows_of(config));
        return {};
    }
    if (kind == "ImageTagTransformer") {
        if (const Value* image = config.get("imageTag"))
            transform_images(context, resources,
                             {image->text_of("name"), image->text_of("newName"), image->text_of("newTag"),
                              image->text_of("digest"), image->text_of("tagSuffix")},
                             rows_of(config), by);
        return {};
    }
    if (kind == "ReplicaCountTransformer") {
        const Value* replica = config.get("replica");
        if (!replica) return {};
        return transform_replicas(context, resources, replica->text_of("name"), replica->text_of("count"),
                                  rows_of(config), by);
    }
    if (kind == "PatchTransformer" && config.text_of("patch").empty() && config.text_of("path").empty())
        return misconfigured(plugin.resource.id, "must specify one of patch and path", by);
    if (kind == "PatchTransformer")
        return apply_patch(context, files, target_.types(into_), resources, read_patch_entry(config));
    if (kind == "PatchJson6902Transformer") {
        PatchEntry entry = read_patch_entry(config);
        entry.patch = config.text_of("jsonOp");
        entry.text_node = config.get("jsonOp");
        return apply_json6902(context, files, resources, entry);
    }
    if (kind == "PatchStrategicMergeTransformer") {
        std::vector<TextEntry> entries;
        if (const Value* paths = config.get("paths"))
            for (const Value* path : paths->items())
                entries.push_back({path->text, path});
        if (const Value* patches = config.get("patches"); patches && patches->is_scalar())
            entries.push_back({patches->text, patches});
        if (entries.empty()) return misconfigured(plugin.resource.id, "empty file path and empty patch content", by);
        return apply_strategic_merges(context, files, target_.types(into_), resources, entries, by);
    }
    if (kind == "ReplacementTransformer") {
        std::vector<const Value*> entries;
        if (const Value* list = config.get("replacements"))
            for (const Value* item : list->items())
                entries.push_back(item);
        return apply_replacements(context, files, resources, entries);
    }
    if (kind == "ValueAddTransformer" && !config.get("targets") && config.text_of("targetFilePath").empty())
        return misconfigured(plugin.resource.id, "must specify at least one target", by);
    if (kind == "ValueAddTransformer") return add_values(config);
    return failure("unable to load builtin " + kind_text(plugin.resource.id), plugin.resource.entry);
}

Failure PluginRunner::add_values(const Value& config) {
    const BuildContext& context = target_.context_;
    std::string_view value = config.text_of("value");
    if (value.empty()) value = context.arena().keep(file_name_of(target_.folder_));
    std::vector<const Value*> targets;
    const auto add = [&targets](const Value* list) {
        if (list)
            for (const Value* item : list->items())
                targets.push_back(item);
    };
    add(config.get("targets"));
    if (const std::string_view path = config.text_of("targetFilePath"); !path.empty()) {
        FileId file = no_file;
        if (Failure failed = target_.find_file(path, config.place, file)) return failed;
        std::string error;
        if (const Value* document = load_first(context.loader.text(file), file, context.arena(), error))
            add(document->get("targets"));
    }
    if (targets.empty()) return failure("must specify at least one target", config.place);
    for (const Value* target : targets) {
        std::vector<std::size_t> selected;
        if (const Value* selector = target->get("selector")) {
            if (Failure failed = select(context, into_.resources, *selector, selected)) return failed;
        } else
            for (std::size_t i = 0; i < into_.resources.size(); ++i)
                selected.push_back(i);
        std::size_t position = 0;
        const std::string_view digits = target->text_of("filePathPosition");
        std::from_chars(digits.data(), digits.data() + digits.size(), position);
        const std::string_view path = target->text_of("fieldPath");
        for (const std::size_t i : selected) {
            Resource& resource = into_.resources[i];
            BuildError error;
            Value* tree = context.take_tree(resource, error);
            if (!tree) return error;
            const FieldRow row{{}, std::string(path), true};
            if (path == "metadata/namespace" && is_cluster_scoped(resource.id)) continue;
            std::string why =
                walk_field(*tree, row, {true, NodeKind::scalar, "!!str"}, context.arena(), [&](Value& node) {
                    const std::string text = position > 0
                                                 ? insert_part(node.is_scalar() ? node.text : "", position, value)
                                                 : std::string(value);
                    return set_scalar(node, context.arena().keep(text), {}, target->place);
                });
            if (!why.empty()) return failure(why, target->place);
            context.set_tree(resource, tree);
            resource.id = id_of(*tree);
        }
    }
    return {};
}

} // namespace lockstep
