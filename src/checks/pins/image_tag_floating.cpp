// Images without a fixed tag in what clusters get, after patches, `images:` of kustomizations and rendering.
#include "deploy/fleet.h"
#include "index/cells.h"
#include "index/relations.h"
#include "rules/check.h"
#include <set>

namespace lockstep::image_tag_floating {
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

bool is_floating_tag(std::string_view tag) {
    for (std::string_view word : {"", "latest", "main", "master", "develop", "development", "dev", "edge", "nightly",
                                  "stable", "head", "HEAD", "canary", "rolling", "unstable", "testing", "snapshot"})
        if (tag == word) return true;
    return false;
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
    const CheckInput& input;
    RuleOutcome& outcome;
    const Fleet& fleet = fleet_of(input.repository);
    std::set<std::pair<Place, std::string>> told = {}; // one image of a base that many clusters get
    std::vector<bool> floats = {};                     // per object: as written, an image of it has no fixed tag
    bool overrides = false;                            // some kustomization sets images

    void collect() {
        const Index& index = input.repository.index;
        floats.assign(index.objects.size(), false);
        for (const ContainerImage& one : index.images) {
            const ImageText image = split_image(one.image.text);
            if (one.object != no_entity && !image.digest && is_floating_tag(image.tag)) floats[one.object] = true;
        }
        for (const Kustomization& made : index.kustomizations)
            overrides = overrides || !made.images.empty();
        for (const Root& root : fleet.roots)
            overrides = overrides || root.spec.images;
    }

    // A tree is built only where an image may float.
    bool may_float(const Instance& one) const {
        return overrides || one.resource.patches || one.object == no_entity || floats[one.object] ||
               one.resource.rendered || fleet.root_of(one).by == Root::By::release;
    }

    bool has_marker(Place image) const {
        if (!is_there(image)) return false;
        const std::string_view text = input.repository.tree->indexed_text(image.file);
        const std::string_view rest = text.substr(image.span.end);
        return rest.substr(0, rest.find('\n')).find("$imagepolicy") != std::string_view::npos;
    }

    void judge(const Instance& one, const Cell& cell) {
        if (!is_set(cell) || !told.emplace(cell.place, cell.text).second) return;
        const std::string subject =
            (one.object == no_entity ? std::string(one.id().kind) + "/" + std::string(one.id().name)
                                     : subject_of(input.repository.index, input.repository.index.objects[one.object])) +
            ":" + cell.text;
        if (!is_known(cell)) return outcome.undecided(cell.place, subject, "a templated image");
        const ImageText image = split_image(cell.text);
        if (image.digest || !is_floating_tag(image.tag) || has_marker(cell.place))
            return outcome.pass(cell.place, subject);
        Finding finding;
        finding.message = std::string(image.name) +
                          (image.tag.empty() ? " has no tag, which means `latest`"
                                             : " is used with the tag `" + std::string(image.tag) + "`") +
                          ": each node runs what it happened to pull";
        finding.place = cell.place;
        if (is_there(one.resource.entry)) finding.related.push_back({one.resource.entry, "applied from here"});
        finding.cause = cell.text;
        outcome.fail(subject, std::move(finding));
    }

    void look(const Instance& one) {
        const Root& root = fleet.root_of(one); // of some nobody says how they are applied
        if (root.by == Root::By::alone || root.by == Root::By::chart || !may_have_pods(one.id()) || !may_float(one))
            return;
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

void run(const CheckInput& input, RuleOutcome& outcome) {
    Images images{input, outcome};
    images.collect();
    for (const Instance& one : images.fleet.instances)
        images.look(one);
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::image_tag_floating
