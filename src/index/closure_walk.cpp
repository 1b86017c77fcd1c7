// Walks one root with an explicit stack: depth costs no recursion, a kustomization met again on its own way is a cycle.
#include "index/closure_walk.h"
#include "index/cells.h"
#include <algorithm>

namespace lockstep {
namespace {

// Every layer looks at every object below it: so much for each that may be there.
constexpr std::size_t work_for_one = 20;

} // namespace

ClosureWalk::ClosureWalk(const Index& index, std::size_t most, Closure& made)
    : index_(index), most_(most), made_(made), scopes_(index), first_edge_(index.kustomizations.size(), no_number),
      first_object_(index.tree->files.size() + 1, 0), visited_(index.kustomizations.size(), false),
      on_path_(index.kustomizations.size(), false) {
    for (std::uint32_t i = 0; i < index.listed_edges.size(); ++i)
        first_edge_[index.listed_edges[i].kustomization] =
            std::min(first_edge_[index.listed_edges[i].kustomization], i);
    for (const Object& object : index.objects) // in file order
        ++first_object_[object.file + 1];
    for (std::size_t i = 1; i < first_object_.size(); ++i)
        first_object_[i] += first_object_[i - 1];
    for (const File& file : index.tree->files)
        source_ignore_ = source_ignore_ || file_name_of(file.path) == ".sourceignore";
}

void ClosureWalk::gap(ClosureGap::Why why, Place place) {
    spend(1, place);
    made_.roots.back().gaps.push_back({why, place});
}

bool ClosureWalk::room(Place entry) {
    if (!made_.truncated && made_.steps.size() + made_.applied.size() >= most_) truncate(entry);
    return !made_.truncated;
}

void ClosureWalk::spend(std::size_t work, Place entry) {
    work_ += work;
    if (!made_.truncated && work_ / work_for_one > most_) truncate(entry);
}

void ClosureWalk::truncate(Place entry) {
    made_.truncated = true;
    made_.truncated_at = entry;
}

void ClosureWalk::walk(ClosureRoot root, Place entry) {
    root.first = static_cast<std::uint32_t>(made_.applied.size());
    made_.roots.push_back(std::move(root));
    const ClosureRoot& here = made_.roots.back();
    const bool folder = here.kustomization == no_entity;
    if (folder && !index_.tree->has_directory(here.dir))
        gap(ClosureGap::Why::missing, entry);
    else
        enter({here.kustomization, no_file, entry, false}, no_number, made_.applied.size(), true);
    while (!stack_.empty()) {
        Frame& frame = stack_.back();
        if (frame.next == frame.items.size() || made_.truncated) {
            const Frame done = std::move(frame);
            stack_.pop_back();
            leave(done);
            continue;
        }
        const Item item = frame.items[frame.next++];
        if (item.file != no_file)
            add_file(item, frame.step);
        else
            enter(item, frame.step, item.component ? frame.first : made_.applied.size(), false);
    }
    made_.roots.back().count = static_cast<std::uint32_t>(made_.applied.size()) - made_.roots.back().first;
}

void ClosureWalk::enter(const Item& item, std::uint32_t above, std::size_t first, bool root) {
    if (item.kustomization != no_entity && on_path_[item.kustomization]) {
        gap(ClosureGap::Why::cycle, item.entry);
        if (cycles_.insert(item.entry).second) made_.cycles.push_back({item.kustomization, item.entry, above});
        return;
    }
    if (!room(item.entry)) return;
    Frame frame;
    frame.kustomization = item.kustomization;
    frame.step = static_cast<std::uint32_t>(made_.steps.size());
    frame.first = first;
    frame.component = item.component;
    frame.root = root;
    made_.steps.push_back({above, item.kustomization, item.entry, static_cast<std::uint32_t>(made_.roots.size() - 1)});
    if (item.kustomization == no_entity) {
        frame.items = folder_items(made_.roots.back().dir, item.entry);
    } else {
        visited_[item.kustomization] = on_path_[item.kustomization] = true;
        frame.items = listed_items(item.kustomization);
    }
    if (root && made_.roots.back().flux != no_entity)
        for (Item& component : flux_components(made_.roots.back().dir))
            frame.items.push_back(component);
    stack_.push_back(std::move(frame));
}

void ClosureWalk::leave(const Frame& frame) {
    const ClosureRoot& root = made_.roots.back();
    if (frame.kustomization != no_entity) on_path_[frame.kustomization] = false;
    if (made_.truncated) return;
    if (frame.kustomization != no_entity) {
        add_generators(frame);
        apply_effects(frame, kustomization_effects(frame.kustomization));
    }
    if (frame.root && root.flux != no_entity)
        apply_effects(frame, effects_of(index_, root.dir, index_.flux_kustomizations[root.flux].patches, patch_files_));
    rename(frame);
}

} // namespace lockstep
