// `${NAME}` in what a Flux Kustomization with postBuild applies, and nothing supplies that name: Flux puts nothing in
// its place.
#include "checks/checks.h"
#include "checks/mentions.h"
#include "checks/substitution.h"
#include "index/cells.h"
#include "index/closure.h"
#include "index/relations.h"

namespace lockstep {
namespace {

constexpr std::string_view switch_key = "kustomize.toolkit.fluxcd.io/substitute";

struct Substitution {
    const CheckInput& input;
    RuleOutcome& outcome;
    const Index& index = input.repository.index;
    const Closure& closure;
    KnownObjects known{input.repository, input.config};
    const GeneratedNames generated{index};
    SuppliedNames supplied{index, known, generated};
    std::unordered_map<EntityId, std::vector<VariableUse>> uses = {}; // per object, read once

    std::string_view text_of(FileId file) const { return input.repository.tree->indexed_text(file); }

    // Patches may supply names, too, or take `${NAME}` away: a parent often gives all its children a postBuild.
    bool patches_speak_of_substitution() const {
        auto speaks = [](std::string_view text) { return text.find("postBuild") != std::string_view::npos; };
        auto any = [&](const std::vector<Patch>& patches) {
            for (const Patch& patch : patches) {
                if (!is_there(patch.inline_text)) continue;
                const Span span = patch.inline_text.span;
                if (speaks(text_of(patch.inline_text.file).substr(span.begin, span.end - span.begin))) return true;
            }
            return false;
        };
        for (const FluxKustomization& flux : index.flux_kustomizations)
            if (any(flux.patches)) return true;
        for (const Kustomization& made : index.kustomizations)
            if (speaks(text_of(made.file))) return true;
        for (const ListedEdge& edge : index.listed_edges) {
            const Listing as = index.kustomizations[edge.kustomization].listed[edge.entry].as;
            if (edge.target == Target::file && as != Listing::resource && as != Listing::base &&
                as != Listing::generated_from && speaks(text_of(edge.file)))
                return true;
        }
        return false;
    }

    // Switched off for the object, by itself or by something on its way.
    bool is_switched_off(const Applied& applied, const Object& object) const {
        if (document_text(*input.repository.tree, object).find(switch_key) != std::string_view::npos) return true;
        for (std::uint32_t step : chain_of(closure, applied.step)) {
            const EntityId id = closure.steps[step].kustomization;
            if (id != no_entity && text_of(index.kustomizations[id].file).find(switch_key) != std::string_view::npos)
                return true;
        }
        return false;
    }

    const std::vector<VariableUse>& uses_of(EntityId id) {
        const auto found = uses.find(id);
        if (found != uses.end()) return found->second;
        return uses.emplace(id, variables_in(known.nodes().root(index.objects[id]))).first->second;
    }

    void judge(std::uint32_t number) {
        const ClosureRoot& root = closure.roots[number];
        const FluxKustomization& flux = index.flux_kustomizations[root.flux];
        const Object& object = index.objects[flux.object];
        const std::string subject = subject_of(index, object) + ":postBuild";
        if (!is_there(flux.post_build) || (flux.substitute.empty() && flux.substitute_from.empty())) return;
        std::string why = root.sure ? "" : "what it applies is not surely in this tree";
        const auto names = why.empty() ? supplied.of(flux, why) : std::nullopt;
        if (!names) return outcome.undecided(flux.post_build, subject, why);
        std::map<std::string, Finding> unset;
        for (std::uint32_t i = root.first; i < root.first + root.count; ++i) {
            const Applied& applied = closure.applied[i];
            if (applied.object == no_entity) continue;
            const Object& made = index.objects[applied.object];
            if (made.kind.text == "CustomResourceDefinition") continue; // prose in descriptions
            if (made.sops || made.as_patch || uses_of(applied.object).empty() || is_switched_off(applied, made))
                continue;
            for (const VariableUse& use : uses_of(applied.object)) {
                if (names->count(use.name)) continue;
                Finding& finding = unset[use.name];
                const Place place{made.file, use.span};
                if (!is_there(finding.place))
                    finding.place = place;
                else if (finding.related.size() < most_related)
                    finding.related.push_back({place, "here too"});
            }
        }
        if (unset.empty()) return outcome.pass(flux.post_build, subject);
        for (auto& [name, finding] : unset) {
            finding.message = "${" + name + "} becomes empty: Kustomization " + object.name.text +
                              " substitutes variables and nothing supplies " + name;
            finding.related.insert(finding.related.begin(), {flux.post_build, "what is supplied"});
            outcome.fail(subject + "/" + name, std::move(finding));
        }
    }
};

} // namespace

void check_substitution_unset(const CheckInput& input, RuleOutcome& outcome) {
    const Closure& closure = closure_of(input.repository);
    Substitution check{input, outcome, input.repository.index, closure};
    const bool patched = check.patches_speak_of_substitution();
    for (std::uint32_t number = 0; number < closure.roots.size(); ++number) {
        const EntityId flux = closure.roots[number].flux;
        if (flux == no_entity) continue;
        const FluxKustomization& made = check.index.flux_kustomizations[flux];
        if (patched && is_there(made.post_build))
            outcome.undecided(made.post_build, subject_of(check.index, check.index.objects[made.object]) + ":postBuild",
                              "patches of this tree speak of substitution");
        else if (!patched)
            check.judge(number);
    }
}

} // namespace lockstep
