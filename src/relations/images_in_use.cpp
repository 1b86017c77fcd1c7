// Images of pods in what clusters get, after patches, `images:` of kustomizations and rendering.
#include "deploy/fleet.h"
#include "index/cells.h"
#include "index/relations.h"
#include "relations/relation.h"
#include <map>
#include <set>

namespace lockstep::images_in_use {
namespace {

struct ImageText {
    std::string_view name, tag; // without a tag: empty
    bool digest = false;
};

ImageText split_image(std::string_view text) {
    ImageText image;
    const std::size_t at = text.find('@');
    image.digest = at != std::string_view::npos;
    text = text.substr(0, at);
    const std::size_t slash = text.rfind('/');
    const std::size_t colon = text.find(':', slash == std::string_view::npos ? 0 : slash);
    image.name = text.substr(0, colon);
    if (colon != std::string_view::npos) image.tag = text.substr(colon + 1);
    return image;
}

// The pod of a workload; nullptr for kinds without one.
const Value* pod_spec(const ResourceId& id, const Value* tree) {
    if (id.group.empty() && id.kind == "Pod") return value_at(tree, {"spec"});
    if (id.group == "batch" && id.kind == "CronJob")
        return value_at(tree, {"spec", "jobTemplate", "spec", "template", "spec"});
    const bool workload =
        id.group == "apps" && (id.kind == "Deployment" || id.kind == "StatefulSet" || id.kind == "DaemonSet");
    return workload || (id.group == "batch" && id.kind == "Job") ? value_at(tree, {"spec", "template", "spec"})
                                                                 : nullptr;
}

bool may_have_pods(const ResourceId& id) {
    return id.group == "apps" || id.group == "batch" || (id.group.empty() && id.kind == "Pod");
}

struct Images {
    const RelationInput& input;
    RelationRows& rows;
    const Fleet& fleet = fleet_of(input.repository);
    std::set<std::pair<Place, std::string>> told = {};           // one image of a base that many clusters get
    std::multimap<EntityId, const ContainerImage*> written = {}; // by object
    bool overrides = false;                                      // some kustomization sets images

    void collect() {
        const Index& index = input.repository.index;
        for (const ContainerImage& one : index.images)
            if (one.object != no_entity && !one.embedded) written.emplace(one.object, &one);
        for (const Kustomization& made : index.kustomizations)
            overrides = overrides || !made.images.empty();
        for (const Root& root : fleet.roots)
            overrides = overrides || root.spec.images;
    }

    // A tree is built only where something may change what is written.
    bool is_as_written(const Instance& one) const {
        return !overrides && !one.resource.patches && one.object != no_entity && !one.resource.rendered &&
               fleet.root_of(one).by != Root::By::release;
    }

    bool has_marker(Place image) const {
        if (!is_there(image)) return false;
        const std::string_view text = input.repository.tree->indexed_text(image.file);
        if (image.span.end > text.size()) return false; // rendered from a file that is not read for itself
        const std::string_view rest = text.substr(image.span.end);
        return rest.substr(0, rest.find('\n')).find("$imagepolicy") != std::string_view::npos;
    }

    void judge(const Instance& one, const Cell& cell) {
        if (!is_set(cell) || !told.emplace(cell.place, cell.text).second) return;
        const std::string subject =
            (one.object == no_entity ? std::string(one.id().kind) + "/" + std::string(one.id().name)
                                     : subject_of(input.repository.index, input.repository.index.objects[one.object])) +
            ":" + cell.text;
        NewRow row = rows.start(cell.place, subject);
        row.set("image", cell);
        if (is_known(cell)) {
            const ImageText image = split_image(cell.text);
            row.set("name", std::string(image.name));
            if (!image.tag.empty()) row.set("tag", std::string(image.tag));
            row.set("digest", image.digest ? "yes" : "no").set("policy", has_marker(cell.place) ? "yes" : "no");
        }
        if (is_there(one.resource.entry)) row.also(one.resource.entry, "applied from here");
        rows.add(std::move(row));
    }

    void look(const Instance& one) {
        const Root& root = fleet.root_of(one); // of some nobody says how they are applied
        if (root.by == Root::By::alone || root.by == Root::By::chart || !may_have_pods(one.id())) return;
        if (is_as_written(one)) {
            const auto [first, last] = written.equal_range(one.object);
            for (auto image = first; image != last; ++image)
                judge(one, image->second->image);
            return;
        }
        const Value* pod = pod_spec(one.id(), fleet.tree_of(one));
        if (!pod) return;
        for (std::string_view list : {"containers", "initContainers", "ephemeralContainers"})
            if (const Value* containers = pod->get(list))
                for (const Value* container : containers->items())
                    judge(one, cell_at(container, {"image"}));
        if (const Value* volumes = pod->get("volumes"))
            for (const Value* volume : volumes->items())
                judge(one, cell_at(volume, {"image", "reference"}));
    }
};

void fill(const RelationInput& input, RelationRows& rows) {
    Images images{input, rows};
    images.collect();
    for (const Instance& one : images.fleet.instances)
        images.look(one);
}

} // namespace

constexpr Relation relation{"images-in-use", "image name tag digest policy", "", fill};

} // namespace lockstep::images_in_use
