// What a kustomization, and Flux above it, make of everything they reach: removed, renamed, moved to a namespace.
#include "index/cells.h"
#include "index/closure_walk.h"
#include <algorithm>

namespace lockstep {
namespace {

// Names that no prefix or suffix touches.
bool keeps_its_name(std::string_view kind) {
    return kind == "CustomResourceDefinition" || kind == "APIService" || kind == "Namespace";
}

} // namespace

const Effects& ClosureWalk::kustomization_effects(EntityId id) {
    const auto known = effects_.find(id);
    if (known != effects_.end()) return known->second;
    const Kustomization& made = index_.kustomizations[id];
    return effects_.emplace(id, effects_of(index_, made.dir, made.patches, patch_files_)).first->second;
}

void ClosureWalk::apply_effects(const Frame& frame, const Effects& effects) {
    for (const ClosureGap& one : effects.gaps)
        gap(one.why, one.place);
    spend(effects.effects.size() * (made_.applied.size() - frame.first), made_.steps[frame.step].entry);
    if (effects.effects.empty() || made_.truncated) return;
    auto gone = [&](Applied& applied) {
        for (const Effect& effect : effects.effects) {
            if (!reaches(index_, effect, applied)) continue;
            if (effect.what == Effect::What::respecify) applied.respecified = true;
            if (effect.what == Effect::What::rename || effect.vague) applied.sure = false;
            if (effect.what != Effect::What::remove || effect.vague) continue;
            made_.removed.push_back({applied.object, applied.step, applied.root, applied.entry, effect.place});
            return true;
        }
        return false;
    };
    const auto begin = made_.applied.begin() + static_cast<std::ptrdiff_t>(frame.first);
    made_.applied.erase(std::remove_if(begin, made_.applied.end(), gone), made_.applied.end());
}

void ClosureWalk::rename(const Frame& frame) {
    static const Cell none;
    const Kustomization* made =
        frame.kustomization == no_entity ? nullptr : &index_.kustomizations[frame.kustomization];
    const EntityId flux_id = frame.root ? made_.roots.back().flux : no_entity;
    const FluxKustomization* flux = flux_id == no_entity ? nullptr : &index_.flux_kustomizations[flux_id];
    // Flux writes its own settings over those of the kustomization that spec.path leads to.
    auto either = [&](const Cell* own, const Cell* over) -> const Cell& {
        if (over && is_set(*over) && !over->text.empty()) return *over;
        return own ? *own : none;
    };
    const Cell& ns = either(made ? &made->ns : nullptr, flux ? &flux->target_namespace : nullptr);
    const Cell& prefix = either(made ? &made->name_prefix : nullptr, flux ? &flux->name_prefix : nullptr);
    const Cell& suffix = either(made ? &made->name_suffix : nullptr, flux ? &flux->name_suffix : nullptr);
    const bool transformed = made && std::any_of(made->listed.begin(), made->listed.end(),
                                                 [](const Listed& entry) { return entry.as == Listing::transformer; });
    const bool plugins = transformed || (made && made->inline_plugins);
    const bool renames = is_set(prefix) || is_set(suffix);
    const bool moves = is_set(ns) && !ns.text.empty();
    if (!plugins && !renames && !moves) return;
    spend(made_.applied.size() - frame.first, made_.steps[frame.step].entry);
    for (std::size_t i = frame.first; i < made_.applied.size(); ++i) {
        Applied& applied = made_.applied[i];
        if (plugins) applied.sure = false;
        if (moves && !applied.cluster_scoped) applied.ns = ns;
        // kustomize calls every Namespace by the namespace that it sets.
        if (moves && kind_of(index_, applied) == "Namespace" && group_of(index_, applied).empty()) applied.name = ns;
        if (!renames || !is_set(applied.name) || keeps_its_name(kind_of(index_, applied))) continue;
        applied.name.text = prefix.text + applied.name.text + suffix.text;
        if (prefix.state == State::templated || suffix.state == State::templated) applied.name.state = State::templated;
    }
}

} // namespace lockstep
