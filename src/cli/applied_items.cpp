// What clusters get of versions, images, sources and edges, cluster by cluster, for `lockstep diff`.
#include "cli/diff_items.h"
#include "deploy/applied_fields.h"
#include "deploy/release_images.h"
#include "index/cells.h"
#include <set>

namespace lockstep {
namespace {

using Section = Difference::Section;

class AppliedItems {
public:
    AppliedItems(const Index& index, const Fleet& fleet, std::vector<DiffItem>& items)
        : index_(index), fleet_(fleet), items_(items) {}

    void add() {
        for (const Instance& one : fleet_.instances)
            if (counts(one)) fields(one);
        ReleaseImages images(fleet_);
        for (const ReleaseRow& row : fleet_.releases)
            if (const Instance& one = fleet_.instances[row.maker]; counts(one))
                for (const ImageUse& use : images.of(row))
                    image(one, use);
    }

private:
    bool counts(const Instance& one) const {
        const Root& root = fleet_.root_of(one);
        return root.cluster != no_number && root.certainty != Certainty::loose &&
               fleet_.applied_again_as(one) == no_number;
    }

    static std::string name_of(const Instance& one) {
        const ResourceId& id = one.id();
        return std::string(id.kind) + " " + (id.ns.empty() ? "" : std::string(id.ns) + "/") + std::string(id.name);
    }

    void put(const Instance& one, Section section, std::string what, std::string value, Place place, Place written) {
        DiffItem item{section, what, std::move(what), {std::move(value), place}};
        item.applied = true;
        item.cluster = fleet_.clusters[fleet_.root_of(one).cluster].name;
        item.object = name_of(one);
        item.written = written;
        // Two roots of one cluster may bring the same object.
        if (known_.emplace(section, item.cluster + "\n" + item.identity + "\n" + item.side.value).second)
            items_.push_back(std::move(item));
    }

    void fields(const Instance& one) {
        Arena arena;
        const Value* tree = fleet_.tree_of(one, arena);
        if (!tree) return;
        const std::string name = name_of(one);
        for (const AppliedField& field : applied_fields(index_, fleet_, one, tree)) {
            if (field.is == AppliedField::Is::waits) {
                put(one, Section::depends_on, name + " waits for " + field.name, {}, field.cell.place, field.written);
                continue;
            }
            const Section section = field.is == AppliedField::Is::pin ? Section::pins : Section::sources;
            put(one, section, name + " " + field.name, is_set(field.cell) ? field.cell.text : "(not set)",
                is_there(field.cell.place) ? field.cell.place : one.resource.document, field.written);
        }
        if (one.id().kind == "HelmRelease" && one.id().group == "helm.toolkit.fluxcd.io") return; // by its values
        for (const ImageUse& use : images_in(tree))
            image(one, use);
    }

    void image(const Instance& one, const ImageUse& use) {
        if (!is_set(use.image)) return;
        const auto [name, pin] = image_and_pin(use.image.text);
        put(one, Section::pins, "image " + std::string(name) + " in " + name_of(one),
            pin.empty() ? "(no tag)" : std::string(pin), is_there(use.tag) ? use.tag : use.image.place, {});
    }

    const Index& index_;
    const Fleet& fleet_;
    std::vector<DiffItem>& items_;
    std::set<std::pair<Section, std::string>> known_;
};

} // namespace

// The last `:` behind the last `/` starts the tag; `@` starts the digest.
std::pair<std::string_view, std::string_view> image_and_pin(std::string_view image) {
    const auto slash = image.rfind('/');
    const auto at = image.find_first_of(":@", slash == std::string_view::npos ? 0 : slash);
    if (at == std::string_view::npos) return {image, {}};
    return {image.substr(0, at), image.substr(at + 1)};
}

void add_applied_items(const Index& index, const Fleet& fleet, std::vector<DiffItem>& items) {
    AppliedItems(index, fleet, items).add();
}

} // namespace lockstep
