// Accumulates one folder.
#include "kustomize/folder_build.h"
#include "index/links.h"
#include "kustomize/documents.h"
#include "kustomize/ids.h"
#include "kustomize/origin.h"
#include "kustomize/plugins.h"
#include "kustomize/tree_edit.h"
#include "kustomize/vars.h"

namespace lockstep {
namespace {

std::string dot_for_root(std::string_view folder) {
    return folder.empty() ? "." : std::string(folder);
}

bool starts_with_folder(std::string_view path, std::string_view folder) {
    return folder.empty() || path == folder || (path.starts_with(folder) && path[folder.size()] == '/');
}

// Each layer of quotes doubles the backslashes of those inside.
std::string quoted_again(const std::string& message) {
    return message.size() > 10'000 ? message : go_quoted(message);
}

constexpr std::size_t folder_weight = 10; // of a folder in a build, beside a resource: by its memory

} // namespace

FolderBuild::FolderBuild(const BuildContext& context, SharedFolders& shared, std::string folder,
                         const KustomizationFile& file, const FolderBuild* parent, std::optional<Origin> origin)
    : context_(context), shared_(shared), folder_(std::move(folder)), file_(file), parent_(parent),
      origin_(std::move(origin)), depth_(parent ? parent->depth_ + 1 : 0) {}

std::string FolderBuild::shown(std::string_view path) const {
    const auto joined = join_path(folder_, path);
    return joined ? dot_for_root(*joined) : std::string(path);
}

const SchemaSet& FolderBuild::types(const Accumulated& into) const {
    return into.types ? *into.types : SchemaSet::kubernetes();
}

Failure FolderBuild::note(Failure failed, Accumulated& into) const {
    if (!failed || !context_.options.keep_going || failed->kind == BuildError::Kind::limit) return failed;
    // Of what the rest would do to resources that are not there, nothing is known; of a file that is not there, one
    // can.
    const bool lost = failed->kind == BuildError::Kind::missing || failed->kind == BuildError::Kind::kept_back;
    if (incomplete_ && !lost) return {};
    into.errors.push_back(std::move(*failed));
    return {};
}

// Nothing for a file that whoever builds has.
Failure FolderBuild::kept_back(const std::string& path, const std::string& looking, Place at) const {
    const KeptBack* some = context_.options.kept_back;
    const std::optional<Place> by = some ? some->by(path) : std::nullopt;
    if (!by) return {};
    Failure failed = failure(looking + ": no such file or directory", at);
    failed->kind = BuildError::Kind::kept_back;
    failed->kept_back_by = *by;
    return failed;
}

// Files must lie in or below the folder, unless the options allow more.
Failure FolderBuild::find_file(std::string_view path, Place at, FileId& file) const {
    const auto joined = join_path(folder_, path);
    const std::string where = shown(path);
    if (joined) {
        if (const auto found = context_.loader.find_file(*joined)) {
            if (!context_.options.load_anywhere && !starts_with_folder(*joined, folder_))
                return failure("security; file '" + where + "' is not in or below '" + dot_for_root(folder_) + "'", at);
            file = *found;
            return kept_back(*joined, "evalsymlink failure on '" + where + "' : lstat " + where, at);
        }
        if (context_.loader.is_folder(*joined)) return failure("'" + where + "' must resolve to a file", at);
    }
    Failure failed =
        failure("evalsymlink failure on '" + where + "' : lstat " + where + ": no such file or directory", at);
    failed->kind = BuildError::Kind::missing;
    return failed;
}

Failure FolderBuild::find_folder(std::string_view path, Place at, std::string& folder) const {
    if (path.empty()) return failure("new root cannot be empty", at);
    if (path.front() == '/') return failure("new root '" + std::string(path) + "' cannot be absolute", at);
    const auto joined = join_path(folder_, path);
    const std::string where = shown(path);
    if (joined && context_.loader.find_file(*joined))
        return failure("must build at directory: '" + where + "': file is not directory", at);
    if (!joined || !context_.loader.is_folder(*joined)) {
        Failure failed = failure("must build at directory: not a valid directory: evalsymlink failure on '" + where +
                                     "' : lstat " + where + ": no such file or directory",
                                 at);
        failed->kind = BuildError::Kind::missing;
        return failed;
    }
    for (const FolderBuild* one = this; one; one = one->parent_)
        if (starts_with_folder(one->folder_, *joined)) {
            Failure failed = failure("cycle detected: candidate root '" + where + "' contains visited root '" +
                                         dot_for_root(one->folder_) + "'",
                                     at);
            failed->kind = BuildError::Kind::cycle;
            for (const FolderBuild* step = this; step && step != one; step = step->parent_)
                failed->entries.insert(failed->entries.begin(), step->listed_at_);
            failed->entries.push_back(at);
            return failed;
        }
    folder = *joined;
    return {};
}

// A few kustomizations that list each other twice apply more than any memory holds.
Failure FolderBuild::count(Accumulated& into, std::size_t more, Place at) const {
    into.met += more;
    if (into.met <= context_.limits.resources) return {};
    Failure failed = failure("more than " + std::to_string(context_.limits.resources) + " resources in one build", at);
    failed->kind = BuildError::Kind::limit;
    return failed;
}

Failure FolderBuild::append(Accumulated& into, const Resource& resource, Place at) {
    std::vector<std::size_t>& same = known_[hash_of(resource.id)];
    for (std::size_t position : same)
        if (const Resource& other = into.resources[position]; same_object(other.id, resource.id)) {
            Failure failed =
                failure("may not add resource with an already registered id: " + to_string(resource.id), at);
            failed->kind = BuildError::Kind::twice;
            failed->document = resource.document;
            failed->first_document = other.document;
            failed->first_entry = other.entry;
            failed->id = resource.id;
            return failed;
        }
    same.push_back(into.resources.size());
    into.resources.push_back(resource);
    return {};
}

void FolderBuild::take_messages(Accumulated& into, const Accumulated& base) {
    const auto is_new = [this](char what, std::initializer_list<Place> places, std::string_view text) {
        std::string key(1, what);
        for (const Place& place : places)
            key += std::to_string(place.file) + ":" + std::to_string(place.span.begin) + "-" +
                   std::to_string(place.span.end) + " ";
        return taken_.insert(key.append(text)).second;
    };
    for (const BuildGap& one : base.gaps)
        if (is_new('g', {one.place}, one.reason)) into.gaps.push_back(one);
    for (const std::string& one : base.folders)
        if (is_new('f', {}, one)) into.folders.push_back(one);
    for (const Place& one : base.warnings)
        if (is_new('w', {one}, {})) into.warnings.push_back(one);
    for (const RemovedResource& one : base.removed)
        if (is_new('r', {one.document, one.by}, {})) into.removed.push_back(one);
    for (const BuildError& one : base.errors)
        if (is_new('e', {one.place, one.document, one.first_document, one.first_entry}, one.message))
            into.errors.push_back(one);
}

Failure FolderBuild::add_file(Accumulated& into, FileId file, const TextEntry& entry, bool& malformed) {
    const std::string from = "accumulating resources from '" + std::string(entry.text) + "': ";
    const Place at = entry.node->place;
    Arena& arena = context_.arena();
    const Via* via = arena.make<Via>(nullptr, file_.file, at, file_.component);
    std::vector<Resource> made;
    auto heads = context_.loader.heads ? context_.loader.heads(file) : std::nullopt;
    bool whole = heads && heads->error.empty() && !heads->templated;
    if (whole)
        for (const DocumentHead& head : heads->heads)
            whole = whole && !head.needs_tree;
    if (whole)
        for (const DocumentHead& head : heads->heads) {
            Resource resource;
            split_api_version(head.api_version, resource.id.group, resource.id.version);
            resource.id.kind = head.kind;
            resource.id.name = head.name;
            resource.id.ns = head.ns;
            resource.local_config = head.local_config;
            resource.document = {file, head.document};
            auto* step = arena.make<TreeStep>();
            step->file = file;
            step->document = head.document;
            step->list_item = head.list_item;
            resource.step = step;
            made.push_back(resource);
        }
    else {
        std::shared_ptr<const LoadedDocuments>& known = context_.work.files[file];
        if (!known)
            known =
                std::make_shared<const LoadedDocuments>(load_documents(context_.loader.text(file), file, arena, true));
        const LoadedDocuments& loaded = *known;
        if (loaded.templated && !loaded.error.empty()) {
            into.gaps.push_back({BuildGap::Kind::template_, at,
                                 "`" + std::string(entry.text) + "` has template actions: what it holds is not known"});
            return {};
        }
        if (!loaded.error.empty()) {
            malformed = loaded.error.starts_with("MalformedYAMLError");
            return failure(from + loaded.error + (malformed ? " in File: " + std::string(entry.text) : ""),
                           loaded.error_at);
        }
        for (const Value* tree : loaded.trees) {
            Resource resource;
            resource.id = id_of(*tree);
            resource.local_config = is_local_config(*tree);
            resource.document = tree->place;
            context_.set_tree(resource, tree);
            for (const DuplicateKey& twice : loaded.duplicates)
                if (twice.place.span.begin >= tree->place.span.begin && twice.place.span.end <= tree->place.span.end)
                    context_.add_change(resource, context_.work.add([twice](TreeWork& work) {
                        work.error = {twice.message, twice.place};
                        return false;
                    }));
            made.push_back(resource);
        }
    }
    if (Failure failed = count(into, made.size(), at)) return failed;
    for (Resource& resource : made) {
        resource.entry = at;
        resource.via = via;
        if (origin_) add_origin(context_, resource, *origin_, entry.text);
        if (Failure failed = append(into, resource, at)) {
            failed = wrapped(failed, "merging resources from '" + std::string(entry.text) + "': ");
            if ((failed = note(failed, into))) return failed;
        }
    }
    return {};
}

Failure FolderBuild::add_folder(Accumulated& into, const std::string& folder, const TextEntry& entry, bool component) {
    const Place at = entry.node->place;
    if (depth_ + 1 > context_.limits.depth)
        return failure("folders are nested more than " + std::to_string(context_.limits.depth) + " deep", at);
    const std::string where = dot_for_root(folder);
    const std::string making = "couldn't make target for path '" + where + "': ";
    bool several = false;
    const KustomizationFile* file = shared_.kustomization(folder, several);
    if (several) return failure(making + "Found multiple kustomization files under: " + where + "\n", at);
    if (!file) {
        Failure failed = failure(making +
                                     "unable to find one of 'kustomization.yaml', 'kustomization.yml' or "
                                     "'Kustomization' in directory '" +
                                     where + "'",
                                 at);
        failed->kind = BuildError::Kind::missing;
        return failed;
    }
    if (Failure failed = kept_back(context_.loader.path(file->file), making, at)) return failed;
    if (!file->error.empty()) return failure(making + file->error, file->error_at);
    if (component && !file->component)
        return failure("expected kind 'Component' for path '" + where + "' but got 'Kustomization'", at);
    if (!component && file->component) return failure("expected kind != 'Component' for path '" + where + "'", at);
    std::optional<Origin> origin;
    if (origin_) origin = Origin{join_origin(origin_->path, entry.text)};

    const auto prepend = [&](Resource& resource) {
        resource.via = context_.arena().make<Via>(resource.via, file_.file, at, file_.component);
    };
    if (component) {
        FolderBuild target(context_, shared_, folder, *file, this, origin);
        target.listed_at_ = at;
        Failure failed = target.accumulate(into);
        for (Resource& resource : into.resources)
            if (!resource.via || resource.via->kustomization != file_.file) prepend(resource);
        return wrapped(failed, "recursed accumulation of path '" + where + "': ");
    }
    const bool cached = !origin_ && !into.types;
    const std::string key = folder + (context_.options.load_anywhere ? "\na" : "\n") +
                            (context_.options.keep_going ? "k" : "") + (context_.options.by_flux ? "r" : "") +
                            (context_.options.kept_back ? "\n" + context_.options.kept_back->key : "");
    std::shared_ptr<const Accumulated> base = cached ? shared_.find(key) : nullptr;
    if (base)
        for (const std::string& inner : base->folders) // a base that was built elsewhere may lead back to here
            for (const FolderBuild* one = this; one; one = one->parent_)
                if (starts_with_folder(one->folder_, inner)) base = nullptr;
    if (!base) {
        auto fresh = std::make_shared<Accumulated>();
        fresh->types = into.types;
        FolderBuild target(context_, shared_, folder, *file, this, origin);
        target.listed_at_ = at;
        if (Failure failed = target.accumulate(*fresh))
            return wrapped(failed, "recursed accumulation of path '" + where + "': ");
        base = fresh;
        if (cached) shared_.keep(key, base);
    }
    if (!into.types) into.types = base->types;
    if (Failure failed = count(into, base->met, at)) return failed;
    for (Resource resource : base->resources) {
        prepend(resource);
        if (Failure failed = append(into, resource, at)) {
            failed = wrapped(failed, "recursed merging from path '" + where + "': ");
            if ((failed = note(failed, into))) return failed;
        }
    }
    if (std::string error = merge_config(into.config, base->config); !error.empty())
        return failure("recursed merging from path '" + where + "': " + error, at);
    for (const VarEntry& var : base->vars)
        if (Failure failed = add_var(into.vars, var)) {
            failed = wrapped(failed, "recursed merging from path '" + where + "': ");
            if ((failed = note(failed, into))) return failed;
        }
    take_messages(into, *base);
    return {};
}

// As a file, else as a folder, else from elsewhere; errors tell of both tries, as kustomize does.
Failure FolderBuild::add_entry(Accumulated& into, const TextEntry& entry) {
    const Place at = entry.node->place;
    const bool remote = is_remote(entry.text);
    FileId file = no_file;
    bool malformed = false;
    Failure as_file =
        remote && entry.text.find("://") != std::string_view::npos ? failure("", at) : find_file(entry.text, at, file);
    if (!as_file) {
        as_file = add_file(into, file, entry, malformed);
        if (!as_file) return {};
        if (malformed) return as_file;
    } else
        as_file = wrapped(as_file, "accumulating resources from '" + std::string(entry.text) + "': ");
    const auto joined = join_path(folder_, entry.text);
    if (remote && !(joined && context_.loader.is_folder(*joined))) {
        into.gaps.push_back(
            {BuildGap::Kind::remote, at, "`" + std::string(entry.text) + "` is not in this repository"});
        return {};
    }
    if (joined && file == no_file && context_.loader.is_unknown && context_.loader.is_unknown(*joined)) {
        into.gaps.push_back(
            {BuildGap::Kind::template_, at, "`" + std::string(entry.text) + "` is excluded from the tree"});
        return {};
    }
    std::string folder;
    Failure failed = find_folder(entry.text, at, folder);
    if (!failed) failed = add_folder(into, folder, entry, false);
    if (failed && file != no_file) { // the file is there: what is wrong with it is the reason
        as_file->message = "accumulation err='" + as_file->message + "': " + failed->message;
        return as_file;
    }
    return wrapped(failed, "accumulation err='" + as_file->message + "': ");
}

Failure FolderBuild::add_resources(Accumulated& into, const std::vector<TextEntry>& entries) {
    known_.clear();
    for (std::size_t i = 0; i < into.resources.size(); ++i)
        known_[hash_of(into.resources[i].id)].push_back(i);
    for (const TextEntry& entry : entries)
        if (Failure failed = note(add_entry(into, entry), into)) return failed;
    return {};
}

Failure FolderBuild::add_components(Accumulated& into) {
    for (const TextEntry& entry : file_.components) {
        const Place at = entry.node->place;
        std::string folder;
        if (is_remote(entry.text)) {
            into.gaps.push_back(
                {BuildGap::Kind::remote, at, "`" + std::string(entry.text) + "` is not in this repository"});
            continue;
        }
        Failure failed = find_folder(entry.text, at, folder);
        if (failed)
            failed->message = "accumulating components: loader.New " + quoted_again(failed->message);
        else if ((failed = add_folder(into, folder, entry, true)))
            failed->message = "accumulating components: accumulateDirectory: " + quoted_again(failed->message);
        if ((failed = note(failed, into))) return failed;
    }
    return {};
}

Failure FolderBuild::accumulate(Accumulated& into) {
    if (Failure failed = count(into, folder_weight, listed_at_)) return failed;
    into.folders.push_back(folder_);
    into.warnings.insert(into.warnings.end(), file_.deprecated.begin(), file_.deprecated.end());
    if (Failure failed = note(merge_types(into), into)) return failed;
    if (Failure failed = add_resources(into, file_.resources)) return wrapped(failed, "accumulating resources: ");
    incomplete_ = !into.errors.empty();
    if (Failure failed = note(add_config(into), into)) return failed;
    if (!into.config) into.config = default_config();
    if (Failure failed = note(run_generators(into), into)) return failed;
    if (Failure failed = add_components(into)) return failed;
    if (Failure failed = note(run_transformers(into), into)) return failed;
    if (Failure failed = note(PluginRunner(*this, into).validate(), into)) return failed;
    Failure failed = add_vars(into);
    take_failed_trees(context_.work, into.errors);
    return failed;
}

} // namespace lockstep
