// Builds folders before the walk comes to them, several at a time. Only small lists of files: nothing of what is built
// of them is shared with another build, and they cannot grow, so that the number of threads shows nowhere.
#include "base/parallel.h"
#include "deploy/fleet_walk.h"
#include "index/cells.h"
#include <algorithm>

namespace lockstep {
namespace {

constexpr std::size_t builds_at_once = 256;     // folders whose builds wait for the walk
constexpr std::size_t most_bytes = 64ULL << 10; // of the files that one folder lists

bool is_plain_key(std::string_view key) {
    return key == "apiVersion" || key == "kind" || key == "metadata" || key == "namespace" || key == "resources";
}

// No key at the left edge but those of a list of resources. What is written in another way is not looked into.
bool is_plain_list(std::string_view text) {
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        if (line.empty() || line == "---" || std::string_view(" #-\r").find(line[0]) != std::string_view::npos)
            continue;
        if (!is_plain_key(line.substr(0, line.find(':')))) return false;
    }
    return true;
}

} // namespace

void FleetWalk::find_small_lists() {
    const auto& kustomizations = index_.kustomizations;
    const auto& files = index_.tree->files;
    const auto is_here = [](const File& file) { return file.indexed && file.state == FileState::read; };
    std::vector<std::size_t> edges(kustomizations.size(), 0), bytes(kustomizations.size(), 0);
    for (const ListedEdge& edge : index_.listed_edges) {
        const Listing as = kustomizations[edge.kustomization].listed[edge.entry].as;
        if (as != Listing::resource || edge.target != Target::file || !is_here(files[edge.file])) continue;
        ++edges[edge.kustomization];
        bytes[edge.kustomization] += files[edge.file].text.size();
    }
    small_lists_.assign(kustomizations.size(), false);
    for (EntityId id = 0; id < kustomizations.size(); ++id) {
        const Kustomization& one = kustomizations[id];
        small_lists_[id] = edges[id] == one.listed.size() && bytes[id] <= most_bytes && !one.embedded &&
                           !one.component && is_here(files[one.file]) && is_plain_list(files[one.file].text);
    }
}

void FleetWalk::plan(const std::string& dir, EntityId flux) {
    const FluxKustomization& by = index_.flux_kustomizations[flux];
    const auto own = index_.kustomization_by_dir.find(dir);
    PlainBuild& plain = plain_of(dir, true);
    ++plain.uses;
    if (plain.build || plain.planned != no_number || own == index_.kustomization_by_dir.end()) return;
    // One that changes what the folder gives builds it in its own way.
    if (is_set(by.target_namespace) || is_set(by.name_prefix) || is_set(by.name_suffix) || !by.patches.empty() ||
        !by.components.empty())
        return;
    if (small_lists_.empty()) find_small_lists();
    if (!small_lists_[own->second]) return;
    plain.planned = static_cast<std::uint32_t>(planned_.size());
    planned_.push_back({dir, &plain});
}

void FleetWalk::build_ahead(std::uint32_t from) {
    std::vector<Planned> next;
    for (std::size_t i = from; i < planned_.size() && next.size() < builds_at_once; ++i)
        if (!planned_[i].plain->build && planned_[i].plain->uses) next.push_back(planned_[i]);
    BuildOptions options;
    options.keep_going = options.keep_order = options.load_anywhere = true; // as Flux builds
    options.by_flux = options.apart = true;
    parallel_for(next.size(), input_.jobs,
                 [&](std::size_t i) { next[i].plain->build = made_.builder_->build(next[i].dir, options); });
}

} // namespace lockstep
