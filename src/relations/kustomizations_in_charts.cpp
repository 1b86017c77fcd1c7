// Files called kustomization.yaml among a chart's templates: Helm renders whatever its ignore file does not name.
#include "index/cells.h"
#include "index/side_paths.h"
#include "relations/relation.h"
#include "tree/helmignore.h"
#include <map>

namespace lockstep::kustomizations_in_charts {
namespace {

struct Use {
    Place place;
    std::string by;
};

std::map<EntityId, Use> uses_of_charts(const Index& index) {
    std::map<EntityId, Use> uses;
    for (EntityId id = 0; id < index.releases.size(); ++id) {
        const Object& object = index.objects[index.releases[id].object];
        if (object.partial || object.as_patch || index.release_edges[id].chart == no_entity) continue;
        uses.emplace(index.release_edges[id].chart, Use{object.name.place, "released by " + object.name.text});
    }
    for (const DependencyEdge& edge : index.dependency_edges)
        if (edge.local != no_entity) {
            const Chart& chart = index.charts[edge.chart];
            uses.emplace(edge.local,
                         Use{chart.dependencies[edge.dependency].name.place, "a dependency of " + chart.name.text});
        }
    return uses;
}

class Rows {
public:
    Rows(const RelationInput& input, RelationRows& rows)
        : index_(input.repository.index), tree_(*input.repository.tree), rows_(rows), uses_(uses_of_charts(index_)) {}

    void add(EntityId id, FileId file, FileId ignore_file, bool ignored) const {
        const Chart& chart = index_.charts[id];
        const std::string& path = tree_.files[file].path;
        Place place{file, {}};
        const auto made = index_.kustomization_by_dir.find(std::string(directory_of(path)));
        // The name alone says nothing: a chart may render Flux's Kustomization from a file that is called so.
        const bool is_kustomize =
            made != index_.kustomization_by_dir.end() && index_.kustomizations[made->second].file == file;
        if (is_kustomize) place.span.begin = place.span.end = index_.kustomizations[made->second].place.span.begin;
        NewRow row = rows_.start(place, path);
        row.set("chart", chart.name).set("chart_dir", chart.dir).set("ignored", ignored ? "yes" : "no");
        if (ignore_file != no_file) row.set("ignore_file", tree_.files[ignore_file].path, {ignore_file, {}});
        if (const auto use = uses_.find(id); use != uses_.end()) row.set("used", use->second.by, use->second.place);
        if (!ignored && !is_kustomize)
            row.set("doubt", "no kustomization of kustomize was read from it");
        else if (!ignored && is_side_path(index_, file))
            row.set("doubt", "a sample by its path");
        else if (!ignored && ignore_file != no_file && tree_.files[ignore_file].state != FileState::read)
            row.set("doubt", "the chart's .helmignore could not be read");
        rows_.add(std::move(row));
    }

private:
    const Index& index_;
    const Tree& tree_;
    RelationRows& rows_;
    const std::map<EntityId, Use> uses_;
};

void fill(const RelationInput& input, RelationRows& rows) {
    const Index& index = input.repository.index;
    const Tree& tree = *input.repository.tree;
    const Rows made(input, rows);
    for (EntityId id = 0; id < index.charts.size(); ++id) {
        const Chart& chart = index.charts[id];
        const std::size_t prefix = chart.dir.empty() ? 0 : chart.dir.size() + 1;
        const std::string ignore_path = chart.dir.empty() ? ".helmignore" : chart.dir + "/.helmignore";
        const FileId ignore_file = chart.helmignore ? tree.find(ignore_path).value_or(no_file) : no_file;
        const HelmIgnore ignore(ignore_file != no_file ? input.texts(ignore_file) : "");
        for (FileId file : chart.templates) {
            const std::string_view path = tree.files[file].path;
            if (is_kustomization_name(file_name_of(path)))
                made.add(id, file, ignore_file, ignore.ignores(path.substr(prefix)));
        }
    }
}

} // namespace

constexpr Relation relation{"kustomizations-in-charts", "chart chart_dir ignored ignore_file used doubt",
                            "**/.helmignore", fill};

} // namespace lockstep::kustomizations_in_charts
