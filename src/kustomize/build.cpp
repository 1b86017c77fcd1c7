// The builder: a folder's accumulation, and what kustomize does once at the end.
#include "kustomize/build.h"
#include "kustomize/generators.h"
#include "kustomize/ids.h"
#include "kustomize/layer.h"
#include "kustomize/name_references.h"
#include "kustomize/order.h"
#include "kustomize/origin.h"
#include "kustomize/tree_edit.h"
#include "kustomize/vars.h"
#include <algorithm>
#include <atomic>

namespace lockstep {

struct Builder::State {
    State(Loader given, BuildLimits most) : loader(std::move(given)), limits(most), trees(loader), shared(loader) {}

    Loader loader;
    BuildLimits limits;
    TreeMaker trees;
    SharedFolders shared;
    std::mutex guard;
    std::vector<std::unique_ptr<Workspace>> all;
    std::vector<Workspace*> idle, idle_apart;
    std::atomic<std::size_t> kept = 0; // bytes of trees

    Workspace* take(bool apart = false) {
        const std::scoped_lock lock(guard);
        std::vector<Workspace*>& free = apart ? idle_apart : idle;
        if (free.empty()) return all.emplace_back(std::make_unique<Workspace>()).get();
        Workspace* work = free.back();
        free.pop_back();
        return work;
    }
    void give(Workspace* work, bool apart = false) {
        const std::scoped_lock lock(guard);
        (apart ? idle_apart : idle).push_back(work);
    }
};

namespace {

class WorkspaceLease {
public:
    WorkspaceLease(Workspace* work, std::function<void(Workspace*)> give) : work_(work), give_(std::move(give)) {}
    ~WorkspaceLease() { give_(work_); }
    WorkspaceLease(const WorkspaceLease&) = delete;
    WorkspaceLease& operator=(const WorkspaceLease&) = delete;
    Workspace& operator*() const { return *work_; }

private:
    Workspace* work_;
    std::function<void(Workspace*)> give_;
};

bool contains(const std::vector<std::string_view>& list, std::string_view text) {
    return std::find(list.begin(), list.end(), text) != list.end();
}

// Annotations that only kustomize itself writes, for its own use between steps.
void drop_build_annotations(Value& annotations) {
    for (std::string_view name : {"previousKinds", "previousNames", "prefixes", "suffixes", "previousNamespaces",
                                  "refBy", "generatorBehavior", "needsHashSuffix", "allowNameChange", "allowKindChange",
                                  "path", "index", "seqindent", "id", "annotations-migration-resource-id"})
        erase(annotations, "internal.config.kubernetes.io/" + std::string(name));
    for (std::string_view name : {"config.kubernetes.io/path", "config.kubernetes.io/index", "config.k8s.io/id"})
        erase(annotations, name);
}

// What is done to every tree at the end: annotations are texts, and only those that were asked for stay.
void finish_trees(const BuildContext& context, Resources& resources, const std::vector<std::string_view>& metadata) {
    const bool origins = contains(metadata, "originAnnotations"),
               changes = contains(metadata, "transformerAnnotations");
    const bool managed = contains(metadata, "managedByLabel");
    const TreeOperation* finish = context.work.add([origins, changes, managed](TreeWork& work) {
        if (managed)
            set_entry(child_mapping(child_mapping(*work.tree, "metadata", work.arena), "labels", work.arena),
                      "app.kubernetes.io/managed-by", "kustomize-(devel)", "!!str", work.arena, {});
        Value* metadata_node = work.tree->get("metadata");
        Value* annotations = metadata_node ? metadata_node->get("annotations") : nullptr;
        if (!annotations) return true;
        if (annotations->is_mapping()) {
            drop_build_annotations(*annotations);
            if (!origins) erase(*annotations, origin_annotation);
            if (!changes) erase(*annotations, transformations_annotation);
        }
        restring_map(*work.tree, "annotations", work.arena);
        return true;
    });
    for (Resource& resource : resources)
        context.add_change(resource, finish);
}

} // namespace

Builder::Builder(Loader loader, BuildLimits limits) : state_(std::make_unique<State>(std::move(loader), limits)) {}
Builder::~Builder() = default;

Build Builder::build(std::string_view folder_text, const BuildOptions& options) {
    State& state = *state_;
    const bool apart = options.apart;
    const WorkspaceLease work(state.take(apart), [&state, apart](Workspace* one) { state.give(one, apart); });
    const BuildContext context{state.loader, state.trees, *work, options, state.limits};
    (*work).changes = 0;
    (*work).failed_trees.clear();
    Build build;
    const std::string folder(folder_text);
    const std::string where = folder.empty() ? "." : folder;
    const auto fail = [&](BuildError error) {
        build.errors.push_back(std::move(error));
        if (!options.keep_going) build.resources.clear();
        return build;
    };
    bool several = false;
    const KustomizationFile* file = state.shared.kustomization(folder, several);
    KustomizationFile layered;
    if (options.layer && !several) {
        layered = with_layer(file, *options.layer, (*work).arena);
        file = &layered;
    }
    if (several) return fail({"Found multiple kustomization files under: " + where + "\n", {}});
    if (!file && !state.loader.is_folder(folder))
        return fail({"must build at directory: not a valid directory: evalsymlink failure on '" + where + "' : lstat " +
                         where + ": no such file or directory",
                     {}});
    if (!file)
        return fail(
            {"unable to find one of 'kustomization.yaml', 'kustomization.yml' or 'Kustomization' in directory '" +
                 where + "'",
             {}});
    if (!file->error.empty() && !(options.by_flux && file->unknown_field)) return fail({file->error, file->error_at});
    if (!file->error.empty()) build.dropped = {file->error, file->error_at};

    Accumulated all;
    std::optional<Origin> origin;
    if (!file->build_metadata.empty()) origin = Origin{};
    FolderBuild target(context, state.shared, folder, *file, nullptr, origin);
    Failure failed = target.accumulate(all);
    for (const ExtraLayer& next : options.layer ? options.layer->then : std::vector<ExtraLayer>()) {
        if (failed) break;
        const KustomizationFile over = with_layer(nullptr, next, (*work).arena);
        failed = FolderBuild(context, state.shared, folder, over, nullptr, std::nullopt).accumulate(all);
    }
    if (!failed) failed = add_hashes(context, all.resources);
    for (Resource& resource : all.resources)
        resource.hashed = false;
    if (!failed) {
        fix_references(context, all.resources, all.config);
        failed = resolve_vars(context, all);
    }
    take_failed_trees(*work, all.errors);
    build.gaps = std::move(all.gaps);
    build.folders = std::move(all.folders);
    build.warnings_at = std::move(all.warnings);
    build.errors = std::move(all.errors);
    build.removed = std::move(all.removed);
    if (failed && !options.keep_going) return fail(*failed);
    if (failed) build.errors.push_back(*failed);
    all.resources.erase(std::remove_if(all.resources.begin(), all.resources.end(),
                                       [](const Resource& one) { return one.local_config; }),
                        all.resources.end());
    finish_trees(context, all.resources, file->build_metadata);
    if (Failure wrong = sort_resources(all.resources, file->sort_options, options.keep_order)) {
        if (!options.keep_going) return fail(*wrong);
        build.errors.push_back(*wrong);
    }
    build.resources = std::move(all.resources);
    return build;
}

const Value* Builder::tree(const Resource& resource, BuildError* error) {
    const TreeStep& step = *resource.step;
    if (const Value* made = step.made.load(std::memory_order_acquire)) return made;
    const WorkspaceLease work(state_->take(), [this](Workspace* one) { state_->give(one); });
    const std::size_t before = (*work).arena.bytes();
    BuildError why;
    // A source that is asked for again is kept: overlays of one base start from it.
    const TreeStep* source = &step;
    while (source->before)
        source = source->before;
    if (!source->change && !source->made.load(std::memory_order_acquire) && source->asked.fetch_add(1) == 1)
        if (const Value* read = state_->trees.make(*source, (*work).arena, why))
            source->made.store(read, std::memory_order_release);
    const Value* made = state_->trees.make(step, (*work).arena, why);
    state_->kept += (*work).arena.bytes() - before;
    if (!made) {
        if (error) *error = std::move(why);
        return nullptr;
    }
    const Value* expected = nullptr;
    if (!step.made.compare_exchange_strong(expected, made, std::memory_order_acq_rel)) return expected;
    return made;
}

Value* Builder::tree(const Resource& resource, Arena& arena, BuildError* error) {
    BuildError why;
    Value* made = state_->trees.make(*resource.step, arena, why);
    if (!made && error) *error = std::move(why);
    return made;
}

Resource Builder::with_change(const Resource& resource, ObjectChange change) {
    const WorkspaceLease work(state_->take(), [this](Workspace* one) { state_->give(one); });
    Resource changed = resource;
    const TreeOperation* operation = (*work).add([change = std::move(change)](TreeWork& tree) {
        change(*tree.tree, tree.arena);
        return true;
    });
    changed.step = (*work).arena.make<TreeStep>(resource.step, operation);
    return changed;
}

std::string_view Builder::keep(std::string_view text) {
    const WorkspaceLease work(state_->take(), [this](Workspace* one) { state_->give(one); });
    return (*work).arena.keep(text);
}

std::size_t Builder::kept_bytes() const {
    return state_->kept;
}

std::size_t Builder::trees_made() const {
    return state_->trees.made();
}

} // namespace lockstep
