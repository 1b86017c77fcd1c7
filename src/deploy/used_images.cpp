// Gathers images: of instances, releases, tools, texts of objects, values files.
#include "deploy/used_images.h"
#include "deploy/fleet.h"
#include "deploy/release_images.h"
#include "deploy/rendered_chart.h"
#include "deploy/resource_set.h"
#include "deploy/tool_installs.h"
#include "index/cells.h"
#include <algorithm>
#include <map>
#include <set>

namespace lockstep {

std::vector<const Value*> applied_trees(const Repository& repository, EntityId object) {
    const Fleet& fleet = fleet_of(repository);
    std::vector<const Value*> trees;
    if (object == no_entity) return trees;
    for (std::uint32_t number : fleet.applied(object)) {
        const Value* tree = fleet.tree_of(fleet.instances[number]);
        if (!tree) return {};
        trees.push_back(tree);
    }
    return trees;
}

namespace {

// Values of charts and releases of which all that they make is shown.
class RenderedValues {
public:
    RenderedValues(const Index& index, const Fleet& fleet) {
        for (EntityId id = 0; id < index.charts.size(); ++id)
            if (fleet.is_rendered(id))
                for (const FileId file : index.charts[id].values_files)
                    places_.push_back({file, {0, no_number}});
        std::map<EntityId, bool> whole; // by object: in every cluster that gets it
        for (const ReleaseRow& row : fleet.releases) {
            if (row.declared == no_entity) continue;
            const bool shown = row.rendered && row.why_not.empty() && row.rendered->complete() && row.doubt.empty();
            const auto [known, fresh] = whole.emplace(index.releases[row.declared].object, shown);
            known->second = known->second && shown;
        }
        for (const auto& [object, shown] : whole)
            if (shown) places_.push_back({index.objects[object].file, index.objects[object].document});
        std::sort(places_.begin(), places_.end());
    }
    bool cover(Place place) const {
        const auto next =
            std::upper_bound(places_.begin(), places_.end(), Place{place.file, {place.span.begin, no_number}});
        if (next == places_.begin()) return false;
        const Place& found = *std::prev(next);
        return found.file == place.file && place.span.begin < found.span.end;
    }

private:
    std::vector<Place> places_;
};

} // namespace

std::vector<ImageUse> used_images(const Repository& repository, const Table& values) {
    const Index& index = repository.index;
    const Fleet& fleet = fleet_of(repository);
    std::vector<ImageUse> images;
    std::set<std::pair<Place, std::string>> known; // one image of a base that many clusters get
    auto add = [&](ImageUse one) {
        if (!is_set(one.image) || one.image.text.empty()) return;
        if (known.emplace(one.image.place, one.image.text).second) images.push_back(std::move(one));
    };
    std::vector<bool> applied(index.objects.size(), false);
    std::vector<ImageUse> of_charts; // with their own values
    for (const Instance& one : fleet.instances) {
        const Value* tree = fleet.tree_of(one);
        if (!tree) continue;
        if (one.object != no_entity) applied[one.object] = true;
        for (ImageUse& image : is_resource_set(*tree) ? images_of_resource_set(*tree) : images_in(tree)) {
            if (!is_there(image.image.place))
                image.image.place = is_there(one.resource.entry) ? one.resource.entry : one.resource.document;
            if (fleet.root_of(one).by == Root::By::chart)
                of_charts.push_back(std::move(image));
            else
                add(std::move(image));
        }
    }
    ReleaseImages releases(fleet);
    for (const ReleaseRow& row : fleet.releases)
        for (ImageUse& image : releases.of(row))
            add(std::move(image));
    for (ToolInstall& one : tool_installs(index, fleet))
        for (ImageUse& image : one.images)
            add(std::move(image));
    for (const ContainerImage& one : index.images)
        if (one.object == no_entity || one.embedded || !applied[one.object]) add({one.image, {}, one.in_parts});
    const RenderedValues rendered(index, fleet);
    for (const Row& row : values.rows) {
        if (rendered.cover(row.anchor)) continue; // what came of them was looked at
        const auto cell = [&](std::string_view column) -> const Cell& { return values.at(row, column); };
        if (is_set(cell("repository")))
            add(image_of_parts(cell("registry"), cell("repository"), cell("tag")));
        else
            add({cell("text")});
    }
    // Own values count where they are written, used or not; templates may put together more than these say.
    std::set<std::string> told;
    for (const ImageUse& one : images)
        told.insert(one.image.text);
    for (ImageUse& one : of_charts)
        if (!told.contains(one.image.text)) add(std::move(one));
    return images;
}

} // namespace lockstep
