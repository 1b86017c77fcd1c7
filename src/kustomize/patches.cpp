// Applies patches.
#include "kustomize/patches.h"
#include "base/text.h"
#include "kustomize/documents.h"
#include "kustomize/ids.h"
#include "kustomize/json_patch.h"
#include "kustomize/json_syntax.h"
#include "kustomize/loader.h"
#include "kustomize/merge.h"
#include "kustomize/selector.h"
#include "kustomize/tree_edit.h"
#include <algorithm>

namespace lockstep {
namespace {

std::string_view trimmed_json(std::string_view text) {
    return trimmed(text, " \t\r\n\v\f");
}

Failure of_kind(BuildError::Kind kind, Failure failed) {
    failed->kind = kind;
    return failed;
}

struct Merge {
    Value* patch = nullptr;
    bool name_change = false, kind_change = false;
    bool restring = false; // applied by target: labels and annotations of the patch are rewritten as texts
    Place by;
};

bool deletes_all(const Value& patch) {
    return patch.text_of("$patch") == "delete";
}

bool touches_identity(const Merge& merge) {
    if (merge.name_change || merge.kind_change) return true;
    const Value* annotations = metadata_map(*merge.patch, "annotations");
    return annotations &&
           (!annotations->is_mapping() || annotations->get(local_config_mark) || annotations->get("$patch"));
}

// The patch as it is merged into a target that a selector found: it takes over the target's apiVersion.
void restring(Value& patch, Arena& arena) {
    for (std::string_view name : {"labels", "annotations"})
        if (const Value* map = metadata_map(patch, name); map && map->is_mapping()) restring_map(patch, name, arena);
}

std::string edit(Value*& tree, const Merge& merge, const SchemaSet& types, Arena& arena) {
    const ResourceId id = id_of(*tree);
    const std::string name(id.name), ns(id.ns), kind(id.kind);
    const std::string api_version(tree->text_of("apiVersion"));
    Value* patch = clone(*merge.patch, arena);
    if (merge.restring) {
        restring(*patch, arena);
        set_entry(*patch, "apiVersion", arena.keep(api_version), "!!str", arena, {});
    }
    Merged merged = merge_patch(tree, patch, types, arena);
    if (!merged.error.empty()) return merged.error;
    tree = merged.tree;
    if (!tree) return "the patch takes the whole object away";
    if (!merge.kind_change && tree->text_of("kind") != kind)
        set_entry(*tree, "kind", arena.keep(kind), "!!str", arena, {});
    const ResourceId now = id_of(*tree);
    if (!merge.name_change && now.name != name) set_name(*tree, arena.keep(name), arena);
    if (now.ns != ns) set_namespace(*tree, arena.keep(ns), arena);
    return {};
}

void take_identity(const BuildContext& context, Resource& resource, const Value& tree) {
    const ResourceId id = id_of(tree);
    Arena& arena = context.arena();
    resource.id = {arena.keep(id.group), arena.keep(id.version), arena.keep(id.kind), arena.keep(id.ns),
                   arena.keep(id.name)};
    resource.local_config = is_local_config(tree);
}

// False when the patch deletes the resource.
Failure merge_into(const BuildContext& context, Resource& resource, const Merge& merge, const SchemaSet& types,
                   bool& gone) {
    gone = deletes_all(*merge.patch);
    if (gone) return {};
    context.touch(resource, merge.by);
    if (merge.name_change || merge.kind_change) context.store_previous_id(resource);
    if (touches_identity(merge)) {
        BuildError error;
        Value* tree = context.take_tree(resource, error);
        if (!tree) return context.options.keep_going ? Failure() : Failure(error);
        if (std::string why = edit(tree, merge, types, context.arena()); !why.empty()) return failure(why, merge.by);
        context.set_tree(resource, tree);
        take_identity(context, resource, *tree);
        return {};
    }
    context.add_change(resource, context.work.add([merge, &types](TreeWork& work) {
        std::string error = edit(work.tree, merge, types, work.arena);
        if (error.empty()) return true;
        work.error = {std::move(error), merge.by};
        return false;
    }));
    return {};
}

Failure find_target(const Resources& resources, const ResourceId& id, Place by, std::size_t& found) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < resources.size(); ++i) {
        bool any = same_object(resources[i].id, id);
        for (const EarlierId* one = resources[i].earlier; one && !any; one = one->before)
            any = same_object({resources[i].id.group, resources[i].id.version, one->kind, one->ns, one->name}, id);
        if (!any) continue;
        found = i;
        ++count;
    }
    if (count == 1) return {};
    const std::string shown = to_string(id);
    const std::string rest = shown + "; failed to find unique target for patch " + shown;
    return count == 0 ? not_found("no matches for Id " + rest, by) : failure("multiple matches for Id " + rest, by);
}

Failure check_collisions(const Resources& resources, Place by) {
    std::vector<std::pair<std::size_t, std::size_t>> hashes;
    for (std::size_t i = 0; i < resources.size(); ++i)
        hashes.emplace_back(hash_of(resources[i].id), i);
    std::sort(hashes.begin(), hashes.end());
    for (std::size_t i = 1; i < hashes.size(); ++i)
        if (hashes[i].first == hashes[i - 1].first)
            return failure(
                "may not add resource with an already registered id: " + to_string(resources[hashes[i].second].id), by);
    return {};
}

Failure merge_selected(const BuildContext& context, const PatchFiles& files, const SchemaSet& types,
                       Resources& resources, const std::vector<std::size_t>& selected, const Merge& merge) {
    std::vector<bool> gone(resources.size(), false);
    for (const std::size_t i : selected) {
        bool now_gone = false;
        if (Failure failed = merge_into(context, resources[i], merge, types, now_gone)) return failed;
        gone[i] = now_gone;
        if (now_gone && files.removed) files.removed->push_back({resources[i].document, merge.by});
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < resources.size(); ++i)
        if (!gone[i]) resources[kept++] = resources[i];
    resources.resize(kept);
    if (merge.name_change || merge.kind_change) return check_collisions(resources, merge.by);
    return {};
}

Failure apply_operations(const BuildContext& context, Resources& resources, const std::vector<std::size_t>& selected,
                         std::shared_ptr<const std::vector<JsonOperation>> operations, Place by, bool store_ids) {
    const bool now = changes_identity(*operations);
    const TreeOperation* change = context.work.add([operations, store_ids, by](TreeWork& work) {
        // kustomize keeps the earlier ids among the annotations while it patches: the mapping is always there.
        Value& tree = *work.tree;
        Value* metadata = store_ids ? tree.get("metadata") : nullptr;
        const bool lent = metadata && metadata->is_mapping() && !metadata->get("annotations");
        if (lent) set(*metadata, "annotations", make_mapping(work.arena), work.arena);
        PatchProblem problem = apply_json_patch(tree, *operations, work.arena);
        metadata = lent ? tree.get("metadata") : nullptr;
        const Value* left = metadata ? metadata->get("annotations") : nullptr;
        if (left && left->is_mapping() && left->size() == 0) erase(*metadata, "annotations");
        if (problem.message.empty()) return true;
        work.error = {std::move(problem.message), problem.place.file == no_file ? by : problem.place};
        return false;
    });
    for (const std::size_t i : selected) {
        Resource& resource = resources[i];
        if (store_ids) context.store_previous_id(resource);
        context.touch(resource, by);
        context.add_change(resource, change);
        if (!now) continue;
        BuildError error;
        const Value* tree = context.look(resource, error);
        if (!tree && !context.options.keep_going) return error;
        if (tree) take_identity(context, resource, *tree);
    }
    return {};
}

bool are_operations(const Value& list) {
    return std::all_of(list.items().begin(), list.items().end(),
                       [](const Value* one) { return one->is_mapping() || one->is_null(); });
}

// What the text is: objects, or a list of operations. `source` is how kustomize names it.
Failure load_patch(const BuildContext& context, std::string_view text, FileId file, const Value* scalar,
                   const std::string& source, Place by, ReadPatch& out) {
    const Place at = scalar ? scalar->place : Place{file, {0, 0}};
    std::string key = std::to_string(at.file) + " " + std::to_string(at.span.begin) + " " +
                      std::to_string(at.span.end) + (scalar ? " inline " : " file ");
    if (scalar) key += scalar->text; // variables may have filled it in
    if (const auto known = context.work.patches.find(key); known != context.work.patches.end()) {
        out = known->second;
        return {};
    }
    Arena& arena = context.arena();
    const std::string_view file_text =
        scalar && scalar->place.file != no_file ? context.loader.text(scalar->place.file) : std::string_view();
    const auto load = [&](bool objects) {
        return scalar ? load_inline_documents(*scalar, file_text, arena, objects)
                      : load_documents(text, file, arena, objects);
    };
    LoadedDocuments raw = load(false);
    Value* first = raw.trees.empty() ? nullptr : raw.trees.front();
    const bool list = first && first->is_sequence();
    const std::string_view whole = scalar ? trimmed_json(text) : text;
    const bool no_json = list && whole.starts_with('[') && !raw.templated && !is_json(whole);
    if (raw.error.empty() && list && !no_json && are_operations(*first)) {
        make_json_v2(*first, arena);
        out.operations = first;
    } else {
        LoadedDocuments objects = raw.error.empty() && !list ? load(true) : LoadedDocuments();
        if (!raw.error.empty() || list || !objects.error.empty())
            return failure("unable to parse SM or JSON patch from " + source, by);
        out.trees = std::move(objects.trees);
    }
    context.work.patches.emplace(std::move(key), out);
    return {};
}

} // namespace

Failure apply_patch(const BuildContext& context, const PatchFiles& files, const SchemaSet& types, Resources& resources,
                    const PatchEntry& entry) {
    const Place by = entry.node->place;
    const std::string_view inline_text = trimmed_json(entry.patch);
    const auto configuring = [&](std::string_view why) {
        return failure("trouble configuring builtin PatchTransformer with config: `\n`: " + std::string(why), by);
    };
    if (inline_text.empty() && entry.path.empty()) return configuring("must specify one of patch and path in");
    if (!inline_text.empty() && !entry.path.empty()) return configuring("patch and path can't be set at the same time");
    ReadPatch patch;
    std::string source;
    if (!inline_text.empty()) {
        source = "[patch: " + go_quoted(inline_text) + "]";
        if (Failure failed = load_patch(context, entry.patch, by.file, entry.text_node, source, by, patch))
            return configuring(failed->message);
    } else {
        FileId file = no_file;
        if (Failure failed = files.find(entry.path, by, file))
            return of_kind(failed->kind, configuring("failed to get the patch file from path(" +
                                                     std::string(entry.path) + "): " + failed->message));
        source = "[path: " + go_quoted(entry.path) + "]";
        if (Failure failed = load_patch(context, context.loader.text(file), file, nullptr, source, by, patch))
            return configuring(failed->message);
    }
    std::vector<std::size_t> selected;
    if (patch.operations) {
        if (!entry.target) return failure("must specify a target for JSON patch " + source, by);
        if (Failure failed = select(context, resources, *entry.target, selected)) return failed;
        auto operations = std::make_shared<std::vector<JsonOperation>>();
        if (std::string error = read_json_patch(*patch.operations, *operations); !error.empty())
            return failure(error, by);
        return apply_operations(context, resources, selected, operations, by, true);
    }
    const std::vector<Value*>& trees = patch.trees;
    Merge merge{nullptr, entry.allow_name_change, entry.allow_kind_change, false, by};
    if (entry.target) {
        if (trees.empty()) return {};
        if (trees.size() > 1)
            return failure("Multiple Strategic-Merge Patches in one `patches` entry is not allowed to set "
                           "`patches.target` field: " +
                               source,
                           by);
        if (Failure failed = select(context, resources, *entry.target, selected)) return failed;
        merge.patch = trees[0];
        merge.restring = true;
        return merge_selected(context, files, types, resources, selected, merge);
    }
    for (Value* tree : trees) {
        const ResourceId id = id_of(*tree);
        std::size_t found = 0;
        if (Failure failed = find_target(resources, id, by, found))
            return wrapped(failed, "no resource matches strategic merge patch \"" + to_string(id) + "\": ");
        merge.patch = tree;
        bool gone = false;
        if (Failure failed = merge_into(context, resources[found], merge, types, gone)) return failed;
        if (gone && files.removed) files.removed->push_back({resources[found].document, by});
        if (gone) resources.erase(resources.begin() + static_cast<std::ptrdiff_t>(found));
    }
    return {};
}

Failure apply_json6902(const BuildContext& context, const PatchFiles& files, Resources& resources,
                       const PatchEntry& entry) {
    const Place by = entry.node->place;
    const auto configuring = [&](std::string_view why) {
        return failure("trouble configuring builtin PatchJson6902Transformer with config: `\n`: " + std::string(why),
                       by);
    };
    if (!entry.target || entry.target->text_of("name").empty()) return configuring("must specify the target name");
    if (entry.path.empty() && entry.patch.empty()) return configuring("empty file path and empty jsonOp");
    if (!entry.path.empty() && !entry.patch.empty()) return configuring("must specify a file path or jsonOp, not both");
    ReadPatch patch;
    FileId file = no_file;
    if (!entry.path.empty())
        if (Failure failed = files.find(entry.path, by, file))
            return of_kind(failed->kind, configuring(failed->message));
    const std::string_view text = entry.path.empty() ? entry.patch : context.loader.text(file);
    if (text.empty()) return configuring("patch file '" + std::string(entry.path) + "' empty seems to be empty");
    if (Failure failed = load_patch(context, text, file, entry.path.empty() ? entry.text_node : nullptr, "", by, patch))
        return configuring(failed->message);
    if (!patch.operations || patch.operations->count == 0)
        return configuring("patch appears to be empty; file=" + std::string(entry.path) +
                           ", JsonOp=" + std::string(entry.patch));
    auto operations = std::make_shared<std::vector<JsonOperation>>();
    if (std::string error = read_json_patch(*patch.operations, *operations); !error.empty()) return configuring(error);
    std::vector<std::size_t> selected;
    if (Failure failed = select(context, resources, *entry.target, selected)) return failed;
    return apply_operations(context, resources, selected, operations, by, false);
}

Failure apply_strategic_merges(const BuildContext& context, const PatchFiles& files, const SchemaSet& types,
                               Resources& resources, const std::vector<TextEntry>& entries, Place by) {
    std::string paths;
    for (const TextEntry& entry : entries)
        paths += "- " + std::string(entry.text) + "\n";
    const auto configuring = [&](std::string_view why, Place at) {
        return failure("trouble configuring builtin PatchStrategicMergeTransformer with config: `\npaths:\n" + paths +
                           "`: " + std::string(why),
                       at);
    };
    std::vector<std::pair<Value*, Place>> patches;
    for (const TextEntry& entry : entries) {
        const Place at = entry.node->place;
        const std::string_view file_text = at.file != no_file ? context.loader.text(at.file) : std::string_view();
        LoadedDocuments loaded = load_inline_documents(*entry.node, file_text, context.arena(), true);
        if (!loaded.error.empty()) {
            FileId file = no_file;
            if (Failure failed = files.find(entry.text, at, file))
                return of_kind(failed->kind, configuring(failed->message, at));
            loaded = load_documents(context.loader.text(file), file, context.arena(), true);
            if (!loaded.error.empty()) return configuring(loaded.error, loaded.error_at);
        }
        for (Value* tree : loaded.trees)
            patches.emplace_back(tree, at);
    }
    if (patches.empty()) {
        std::string names;
        for (const TextEntry& entry : entries)
            names += (names.empty() ? "" : " ") + std::string(entry.text);
        return configuring("patch appears to be empty; files=[" + names + "], Patch=", by);
    }
    for (const auto& [tree, at] : patches) {
        std::size_t found = 0;
        if (Failure failed = find_target(resources, id_of(*tree), at, found)) return failed;
        Merge merge{tree, false, false, true, at};
        if (Failure failed = merge_selected(context, files, types, resources, {found}, merge)) return failed;
    }
    return {};
}

} // namespace lockstep
