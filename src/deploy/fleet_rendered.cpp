// Documents that Helm rendered become instances: through kustomize, as post-renderers do, with places in the templates.
#include "deploy/fleet_walk.h"
#include "deploy/variables.h"
#include "index/cells.h"
#include <algorithm>

namespace lockstep {
namespace {

bool has_unknown(const RenderedDocument& document) {
    return std::any_of(document.pieces.begin(), document.pieces.end(),
                       [](const RenderedPiece& piece) { return piece.unknown; });
}

} // namespace

struct FleetWalk::RenderedParts {
    std::vector<Resource> resources; // in the order in which they are applied
    std::vector<BuildError> errors;  // of post-renderers
};

std::uint32_t FleetWalk::stop_at_limit(Place place, std::string message) {
    made_.beyond_limit = true;
    made_.limit_met_at = place;
    made_.limit_met_ = std::move(message);
    return no_number;
}

// False: a limit is met. `after`: post-renderers see these.
bool FleetWalk::build_part(RenderedParts& parts, const std::vector<std::string>& files, const ExtraLayer& layer,
                           const PostRendering* after) {
    if (files.empty()) return true;
    ExtraLayer here = layer;
    here.resources = files;
    if (after) here.then = after->layers;
    BuildOptions options;
    options.keep_going = options.keep_order = options.load_anywhere = true;
    options.layer = &here;
    Build built = made_.builder_->build(RenderedFiles::folder, options);
    for (BuildError& error : built.errors) {
        if (error.kind == BuildError::Kind::limit) {
            stop_at_limit(layer.place, error.message);
            return false;
        }
        parts.errors.push_back(std::move(error));
    }
    for (Resource& resource : built.resources) {
        if (after && (after->labels || after->annotations))
            resource = made_.builder_->with_change(
                resource, [labels = after->labels, annotations = after->annotations](Value& tree, Arena& arena) {
                    add_metadata(tree, arena, "labels", labels);
                    add_metadata(tree, arena, "annotations", annotations);
                });
        parts.resources.push_back(std::move(resource));
    }
    return true;
}

// The root with what is certain; another one has what hangs on something unknown.
std::uint32_t FleetWalk::take_documents(const std::shared_ptr<const RenderedChart>& chart, const PostRendering& after,
                                        Place place, const AddRoot& add_root) {
    using Hooks = PostRendering::Hooks;
    ExtraLayer layer;
    layer.generate = true;
    layer.place = place;
    std::vector<std::string> definitions, release, hooks;
    const FileId first = made_.rendered_files_->add(chart);
    for (std::size_t i = 0; i < chart->documents.size(); ++i) {
        const RenderedDocument& document = chart->documents[i];
        if (!after.runs(document.hooks)) continue;
        const bool together = after.hooks == Hooks::together || document.hooks.empty();
        std::vector<std::string>& part = document.crd ? definitions : together ? release : hooks;
        if (document.crd && is_there(document.at) && document.at.span.begin == 0 && document.at.span.end > 0)
            part.push_back("../" + index_.tree->files[document.at.file].path);
        else
            part.push_back(made_.rendered_files_->name(first + static_cast<FileId>(i)));
    }
    RenderedParts parts;
    if (!build_part(parts, definitions, layer, nullptr) || !build_part(parts, release, layer, &after) ||
        !build_part(parts, hooks, layer, after.hooks == Hooks::separate ? &after : nullptr))
        return no_number;
    std::uint32_t certain = no_number;
    for (const bool unknown : {false, true}) {
        std::uint32_t root = no_number;
        for (const Resource& resource : parts.resources) {
            const FileId file = resource.document.file;
            const bool rendered = made_.rendered_files_->holds(file);
            if ((rendered && made_.rendered_files_->document(file).unknown) != unknown) continue;
            if (root == no_number) root = add_root(unknown);
            if (made_.instances.size() + made_.roots.size() >= input_.most) return stop_at_limit(place, {});
            add_rendered(root, resource);
        }
        if (!unknown) certain = root;
    }
    if (certain == no_number) certain = add_root(false);
    made_.roots[certain].one_stream = after.hooks == Hooks::together;
    take_refused(certain, parts, place);
    return certain;
}

// What post-renderers refuse, and an object twice: Helm fails to create the second one.
void FleetWalk::take_refused(std::uint32_t root, const RenderedParts& parts, Place place) {
    const bool hooks_count = made_.roots[root].one_stream;
    for (BuildError error : parts.errors) {
        if (error.kind == BuildError::Kind::sought) made_.roots[root].errors.push_back(error);
        if (error.kind != BuildError::Kind::twice) continue;
        bool created = true; // hooks are made anew, files of crds/ only where they are not there
        for (Place* one : {&error.document, &error.first_document})
            if (made_.rendered_files_->holds(one->file)) {
                const RenderedDocument& document = made_.rendered_files_->document(one->file);
                created = created && (hooks_count || document.hooks.empty()) && !document.crd && !document.unknown &&
                          !has_unknown(document);
                *one = document.at;
            } else {
                created = false;
            }
        if (!created || !is_there(error.document) || !is_there(error.first_document)) continue;
        error.place = error.first_entry = place;
        made_.roots[root].errors.push_back(std::move(error));
    }
}

// The object as it is written in a template, found by a place in it.
EntityId FleetWalk::template_at(Place place) const {
    const auto& objects = index_.objects;
    auto next = std::upper_bound(objects.begin(), objects.end(), place, [](const Place& at, const Object& one) {
        return at.file != one.file ? at.file < one.file : at.span.begin < one.document.begin;
    });
    while (next != objects.begin() && (--next)->file == place.file)
        if (!next->embedded && next->document.end >= place.span.begin)
            return static_cast<EntityId>(next - objects.begin());
    return no_entity;
}

void FleetWalk::add_rendered(std::uint32_t root, const Resource& resource) {
    Instance one;
    one.root = root;
    one.resource = resource;
    one.resource.via = nullptr;
    const bool alone = made_.roots[root].by == Root::By::chart; // nobody says where it will be installed
    one.resource.entry = alone ? Place() : made_.roots[root].place;
    const FileId file = resource.document.file;
    if (made_.rendered_files_->holds(file)) {
        const RenderedDocument& document = made_.rendered_files_->document(file);
        one.resource = made_.builder_->with_change(
            one.resource, [file, &document](Value& tree, Arena&) { place_rendered(tree, file, document); });
        one.resource.document = is_there(document.at) ? document.at : made_.roots[root].place;
        one.object = is_there(document.at) ? template_at(document.at) : no_entity;
        if (one.object != no_entity)
            one.resource.document = {index_.objects[one.object].file, index_.objects[one.object].document};
        if (has_unknown(document)) {
            Arena arena;
            const Value* tree = made_.builder_->tree(one.resource, arena);
            one.name_known = cell_at(tree, {"metadata", "name"}).state != State::templated;
            one.ns_known = cell_at(tree, {"metadata", "namespace"}).state != State::templated;
        }
    } else {
        one.object = object_at(resource.document);
    }
    one.built = one.resource.step;
    if (one.resource.id.ns.empty() && !scopes_.of(one.id().group, one.id().kind).cluster)
        one.resource.id.ns = made_.builder_->keep(made_.roots[root].ns);
    if (alone && one.id().ns == made_.roots[root].ns) one.ns_known = false;
    add_instance(std::move(one));
}

} // namespace lockstep
