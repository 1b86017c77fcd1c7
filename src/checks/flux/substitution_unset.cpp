// `${NAME}` in what a Flux Kustomization applies: with postBuild, and nothing supplies that name, Flux puts nothing in
// its place or refuses; without postBuild it is applied as it is written.
#include "base/suggest.h"
#include "checks/reference_facts.h"
#include "deploy/pinned_flux.h"
#include "deploy/variable_uses.h"
#include "index/cells.h"
#include "index/relations.h"
#include "index/text_search.h"
#include "rules/check.h"
#include "rules/flux_facts.h"
#include <algorithm>
#include <cctype>

namespace lockstep::substitution_unset {
namespace {

constexpr std::string_view without_values[] = {"values", "patches", "postRenderers", "postBuild", "commonMetadata"};

struct Substitution {
    const CheckInput& input;
    RuleOutcome& outcome;
    const Fleet& fleet = fleet_of(input.repository);
    const Index& index = input.repository.index;
    const Tree& files = *input.repository.tree;

    struct Unset {
        std::vector<Place> places;
        std::vector<std::uint32_t> roots, instances;
        bool whole = true;     // every use is all of a value
        bool commented = true; // every use is in a comment of a script or a config
    };
    std::map<std::pair<std::string, Place>, Unset> unset = {}; // by name and first place: one cause
    const FluxKnowledge knowledge{input.own_facts().find("helm"), input.own_facts().find("apis"), nullptr};
    PinnedFlux pinned = pinned_flux(input, knowledge);
    const bool gated = is_mentioned(files, "StrictPostBuildSubstitutions"); // switched off somewhere, perhaps

    // As of Flux 2.9, where every pin that the Kustomization meets says so.
    bool is_strict(const Root& root) {
        if (gated || root.place.file == no_file) return false;
        const Pinned& pins = pinned.of_file(root.place.file);
        return !pins.none() && pins.undecided.empty() && !pins.split &&
               std::all_of(pins.pins.begin(), pins.pins.end(), [&](const FluxPin& pin) {
                   return !pin.range && knowledge.has(pin.version, "2.9.0") == Known::yes;
               });
    }

    std::string subject_of_root(const Root& root) const {
        if (root.flux != no_entity)
            return subject_of(index, index.objects[index.flux_kustomizations[root.flux].object]);
        return files.files[root.place.file].path + "#Kustomization/" + root.ns + "/" + root.name;
    }

    Place place_of(const Root& root) const {
        const Place place = root.flux == no_entity ? Place{} : index.flux_kustomizations[root.flux].post_build;
        return is_there(place) ? place : root.place;
    }

    // A tree costs more than a look at the bytes it comes from.
    bool may_use_variables(const Instance& one) const {
        if (one.id().kind == "CustomResourceDefinition") return false; // prose in descriptions
        if (one.object == no_entity || one.resource.patches) return true;
        const Object& object = index.objects[one.object];
        if (object.sops) return false;
        const std::string_view text = files.indexed_text(object.file);
        return text.substr(object.document.begin, object.document.end - object.document.begin).find("${") !=
               std::string_view::npos;
    }

    // Texts that no program expands by itself: names, hosts, plain settings, and what Flux reads.
    void add_plain(const Instance& one, const Value& tree, std::vector<VariableUse>& uses) const {
        auto take = [&](const Value* value) {
            for (VariableUse& use : value ? variable_uses_in(*value, files) : std::vector<VariableUse>())
                if (use.whole) uses.push_back(std::move(use));
        };
        const ResourceId& id = one.id();
        for (std::string_view key : {"name", "namespace"})
            take(value_at(&tree, {"metadata", key}));
        if (id.group.empty() && id.kind == "ConfigMap") take(tree.get("data"));
        if (id.group.empty() && id.kind == "Secret") take(tree.get("stringData"));
        if (id.group == "networking.k8s.io" || id.group == "gateway.networking.k8s.io") take(tree.get("spec"));
        const Value* spec = is_flux_group(id.group) ? tree.get("spec") : nullptr;
        for (std::size_t i = 0; spec && spec->is_mapping() && i < spec->size(); ++i)
            if (std::find(std::begin(without_values), std::end(without_values), spec->key_at(i)->text) ==
                std::end(without_values))
                take(spec->value_at(i));
    }

    std::vector<VariableUse> uses_of(const Root& root, const Instance& one) const {
        std::vector<VariableUse> uses;
        const Value* tree = may_use_variables(one) ? fleet.built_tree_of(one) : nullptr;
        if (!tree) return uses;
        if (!root.variables) {
            add_plain(one, *tree, uses);
        } else if (!is_substitution_off(*tree)) {
            uses = variable_uses_in(*tree, files);
            std::erase_if(
                uses, [&](const VariableUse& use) { return root.variables->look(use.name).is != Variable::Is::unset; });
        }
        for (VariableUse& use : uses)
            if (use.place.file == no_file) use.place = one.resource.document;
        return uses;
    }

    void judge(std::uint32_t number) {
        const Root& root = fleet.roots[number];
        const std::string subject = subject_of_root(root) + ":postBuild";
        const bool proven = root.certainty == Certainty::proven;
        if (!proven || (root.variables && root.variables->open)) {
            if (root.variables) outcome.undecided(place_of(root), subject, proven ? root.variables->why : root.why);
            return;
        }
        std::map<std::string, std::vector<Place>> found;
        std::map<std::string, std::uint32_t> first; // instance
        std::set<std::string> in_part, in_code;
        for (std::uint32_t i = root.first; i < root.first + root.count; ++i)
            for (VariableUse& use : uses_of(root, fleet.instances[i])) {
                if (!use.value) in_part.insert(use.name);
                if (!use.commented) in_code.insert(use.name);
                found[use.name].push_back(use.place);
                first.emplace(use.name, i);
            }
        for (auto& [name, places] : found) {
            Unset& one = unset[{name, places.front()}];
            one.roots.push_back(number);
            one.instances.push_back(first[name]);
            one.whole = one.whole && !in_part.count(name);
            one.commented = one.commented && !in_code.count(name);
            if (places.size() > one.places.size()) one.places = std::move(places);
        }
        if (found.empty() && root.variables) outcome.pass(place_of(root), subject);
    }

    // Sister clusters set it to `true` and the like, and nothing else: left out, it says no.
    bool is_flag(const std::string& name, const Unset& one) const {
        bool supplied = false;
        for (const Root& root : fleet.roots) {
            if (!root.variables || !one.whole) continue;
            const auto found = root.variables->supplied.find(name);
            if (found == root.variables->supplied.end()) continue;
            std::string value = found->second.value;
            if (found->second.known && value.empty()) continue; // handed on by one that has none
            supplied = true;
            std::transform(value.begin(), value.end(), value.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
            if (!found->second.known ||
                (value != "true" && value != "yes" && value != "on" && value != "enabled" && value != "1"))
                return false;
        }
        return supplied;
    }

    std::string users(const Unset& one) const {
        std::set<std::string> names;
        for (std::uint32_t number : one.roots)
            names.insert(fleet.roots[number].name);
        return (names.size() == 1 ? "Kustomization " : "Kustomizations ") + listed(names);
    }

    void report(const std::string& name, const Unset& one) {
        const Root& root = fleet.roots[one.roots.front()];
        const bool several = users(one).starts_with("Kustomizations ");
        Finding finding;
        finding.place = one.places.front();
        finding.rule = input.rule.id;
        finding.severity = input.rule.severity;
        finding.instances = one.instances;
        finding.cause = users(one); // one supplier that lacks many names is one cause
        if (!root.variables) {
            finding.message = "${" + name + "} is applied as it is written: " + users(one) +
                              (several ? " have" : " has") + " no postBuild that would replace it";
        } else {
            const bool strict = is_strict(root);
            if (strict) finding.severity = Severity::error;
            if (!strict && (one.commented || is_flag(name, one))) finding.severity = Severity::note;
            finding.message =
                "${" + name + (strict ? "} makes Flux refuse the whole Kustomization: " : "} becomes empty: ") +
                users(one) + (several ? " substitute" : " substitutes") + " variables and nothing supplies " + name;
            std::vector<std::string> known;
            if (outcome.findings.size() < most_hints)
                for (const auto& [other, value] : root.variables->supplied)
                    known.push_back(other);
            constexpr std::size_t slip = 3; // CLUSTER is no misspelt CLUSTER_CIDR
            if (const auto other = nearest(name, known); other && other->size() <= name.size() + slip)
                finding.message += "; did you mean " + *other + "?";
            finding.related.push_back({place_of(root), "what is supplied"});
        }
        for (std::size_t i = 1; i < one.places.size() && finding.related.size() < most_related; ++i)
            finding.related.push_back({one.places[i], "here too"});
        outcome.fail(subject_of_root(root) + ":postBuild/" + name, std::move(finding));
    }
};

void run(const CheckInput& input, RuleOutcome& outcome) {
    Substitution check{input, outcome};
    for (std::uint32_t number = 0; number < check.fleet.roots.size(); ++number)
        if (check.fleet.roots[number].by == Root::By::flux) check.judge(number);
    for (const auto& [key, one] : check.unset)
        check.report(key.first, one);
}

} // namespace

constexpr NativeCheck check{run, "helm: flux helm; apis: api served deprecated gone"};

} // namespace lockstep::substitution_unset
