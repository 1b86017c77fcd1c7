// Works out what is asked for on demand, once, by whichever thread comes first.
#include "deploy/repository.h"
#include "deploy/chart_library.h"
#include "deploy/fleet.h"
#include "index/side_paths.h"
#include "tree/chart_cache.h"

namespace lockstep {

const ChartLibrary& charts_of(const Repository& repository) {
    Repository::OnDemand& lazy = *repository.on_demand;
    std::call_once(lazy.asked_charts, [&] {
        std::vector<ShelfArchive> packed = archives_in_tree(*lazy.tree, lazy.charts);
        for (const std::string& folder : lazy.charts) {
            if (lazy.tree->has_directory(folder)) continue;
            for (const std::string& path : cached_archives(lazy.tree->root, folder))
                packed.push_back({path, [path] { return read_archive_bytes(path); }});
        }
        lazy.library = std::make_shared<ChartLibrary>(*lazy.tree, repository.index, std::move(packed));
    });
    return *lazy.library;
}

const Fleet& fleet_of(const Repository& repository) {
    Repository::OnDemand& lazy = *repository.on_demand;
    std::call_once(lazy.asked_fleet, [&] {
        Fleet::Input input{*lazy.tree, repository.index, lazy.files, lazy.applied, lazy.urls, {}, lazy.most_applied};
        input.charts = &charts_of(repository);
        input.jobs = lazy.jobs;
        input.kubernetes = lazy.kubernetes;
        input.is_side = [&](FileId file) { return is_side_path(repository.index, file); };
        lazy.fleet = std::make_shared<Fleet>(input);
    });
    return *lazy.fleet;
}

std::optional<Error> fleet_beyond_limit(const Repository& repository) {
    const Repository::OnDemand& lazy = *repository.on_demand;
    if (!lazy.fleet || !lazy.fleet->beyond_limit) return std::nullopt;
    const Place at = lazy.fleet->limit_met_at;
    const bool known = at.file < repository.tree->files.size();
    if (!lazy.fleet->limit_met().empty())
        return Error{"kustomizations ask for too much: " + lazy.fleet->limit_met(),
                     known ? repository.tree->files[at.file].path : std::string(),
                     known ? LineTable(repository.tree->files[at.file].text).position(at.span.begin) : Position{0, 0},
                     "`exclude:` in .lockstep.yaml leaves folders out"};
    return Error{"kustomizations apply more than " + std::to_string(lazy.most_applied) +
                     " objects, counted by every chain that leads to them",
                 known ? repository.tree->files[at.file].path : std::string(),
                 known ? LineTable(repository.tree->files[at.file].text).position(at.span.begin) : Position{0, 0},
                 "`limits: applied` in .lockstep.yaml raises that, `exclude:` leaves folders out"};
}

} // namespace lockstep
