// Images without a fixed tag in what Flux applies by kustomize. What a kustomization or a patch sets on the way counts;
// charts are left alone, since their values decide.
#include "checks/checks.h"
#include "checks/listed_paths.h"
#include "checks/overlay.h"
#include "index/cells.h"
#include "index/relations.h"
#include <algorithm>

namespace lockstep {
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

// Where the containers of a kind stand; empty for kinds without any.
FieldPath pod_spec(const Object& object) {
    const std::string& kind = object.kind.text;
    if (object.group.empty() && kind == "Pod") return {"spec"};
    if (object.group == "batch" && kind == "CronJob") return {"spec", "jobTemplate", "spec", "template", "spec"};
    if ((object.group == "apps" && (kind == "Deployment" || kind == "StatefulSet" || kind == "DaemonSet")) ||
        (object.group == "batch" && kind == "Job"))
        return {"spec", "template", "spec"};
    return {};
}

struct Images {
    const CheckInput& input;
    RuleOutcome& outcome;
    Overlay overlay;

    bool sets_tag(const std::vector<ImageOverride>& overrides, std::string_view name) const {
        for (const ImageOverride& one : overrides)
            if (one.name.text == name && (is_set(one.new_tag) || is_set(one.digest))) return true;
        return false;
    }

    // Operations reach into lists by number: whether they mean this image is not looked into.
    static bool has_operations(const std::vector<Patch>& patches, const Object& object) {
        return std::any_of(patches.begin(), patches.end(), [&](const Patch& patch) {
            const bool may_reach = !is_known(patch.target_kind) || patch.target_kind.text == object.kind.text;
            return may_reach && (patch.json6902 || (is_set(patch.path) && is_set(patch.target_kind)));
        });
    }

    // What on the way to the cluster may give the image another tag; empty for nothing.
    std::string set_on(const Object& object, const Route& route, const FieldPath& spec, std::string_view name) {
        const Index& index = input.repository.index;
        for (EntityId id : route.kustomizations)
            if (sets_tag(index.kustomizations[id].images, name)) return "images: of a kustomization sets the tag";
        for (EntityId id : index.flux_edges[route.flux].components)
            if (sets_tag(index.kustomizations[id].images, name)) return "images: of a component sets the tag";
        const Object& flux = index.objects[index.flux_kustomizations[route.flux].object];
        for (const NodeRef& item : items_at(overlay.nodes().root(flux), {"spec", "images"}))
            if (item.get("name").text() == name) return "images: of the Flux Kustomization sets the tag";
        bool operations = has_operations(index.flux_kustomizations[route.flux].patches, object);
        for (EntityId id : route.kustomizations)
            operations = operations || has_operations(index.kustomizations[id].patches, object);
        if (operations) return "a JSON patch may set it";
        for (std::string_view list : {"containers", "initContainers"}) {
            FieldPath path = spec;
            path.push_back(list);
            const Field own = overlay.own(object, path), last = overlay.look(object, route, path);
            if (last.gone) return "a patch deletes the object";
            if (!last.unsure.empty()) return last.unsure;
            if (own.cell.place != last.cell.place || own.cell.state != last.cell.state)
                return "a patch sets containers";
        }
        return {};
    }

    bool has_marker(const Cell& image) const {
        const std::string_view text = input.repository.tree->files[image.place.file].text;
        const std::string_view rest = text.substr(image.place.span.end);
        return rest.substr(0, rest.find('\n')).find("$imagepolicy") != std::string_view::npos;
    }

    void judge(const ContainerImage& one) {
        const Object& object = input.repository.index.objects[one.object];
        const FieldPath spec = pod_spec(object);
        if (spec.empty() || object.embedded || object.as_patch || object.partial || one.in_parts) return;
        const auto routes = overlay.routes(object);
        if (routes.empty() || routes.front().flux == no_entity) return;
        const std::string subject = subject_of(input.repository.index, object) + ":" + one.image.text;
        const Place place = one.image.place;
        if (!is_known(one.image)) return outcome.undecided(place, subject, "a templated image");
        const ImageText image = split_image(one.image.text);
        if (image.digest || !is_floating_tag(image.tag) || has_marker(one.image)) return outcome.pass(place, subject);
        if (is_sample_path(input.repository.tree->files[object.file].path))
            return outcome.undecided(place, subject, "a sample by its path");
        for (const Route& route : routes)
            if (std::string why = set_on(object, route, spec, image.name); !why.empty())
                return outcome.undecided(place, subject, why);
        Finding finding;
        finding.message = std::string(image.name) +
                          (image.tag.empty() ? " has no tag, which means `latest`"
                                             : " is taken with the tag `" + std::string(image.tag) + "`") +
                          ": each node runs what it happened to pull";
        finding.place = place;
        finding.related.push_back({routes.front().entry, "applied from here"});
        finding.cause = one.image.text;
        outcome.fail(subject, std::move(finding));
    }
};

} // namespace

void check_image_tag_floating(const CheckInput& input, RuleOutcome& outcome) {
    Images images{input, outcome, Overlay(input.repository)};
    for (const ContainerImage& image : input.repository.index.images)
        if (image.object != no_entity) images.judge(image);
}

} // namespace lockstep
