// ConfigMaps and Secrets that Flux reads: valuesFrom of HelmReleases, substituteFrom of Kustomizations, secretRef of
// sources. Anybody may make a Secret by hand, so that absence alone proves little: what is reported is a name that this
// repository makes differently, or a ConfigMap that is missing where all others are declared.
#include "base/suggest.h"
#include "checks/checks.h"
#include "checks/generated_names.h"
#include "checks/known_objects.h"
#include "checks/mentions.h"
#include "index/cells.h"
#include "index/relations.h"
#include <unordered_set>

namespace lockstep {
namespace {

// One reading of a ConfigMap or Secret.
struct Reading {
    EntityId object = no_entity;
    std::string kind;
    const Cell* name = nullptr;
    bool optional = false;
    Ours source = Ours::unknown;
};

// Groups whose objects make no ConfigMap and no Secret out of a name that they hold.
bool only_reads(std::string_view group) {
    for (std::string_view one : {"apps", "autoscaling", "gateway.networking.k8s.io", "kustomize.config.k8s.io",
                                 "monitoring.coreos.com", "networking.k8s.io", "policy"})
        if (group == one) return true;
    return group.ends_with("toolkit.fluxcd.io");
}

struct ValueSources {
    const CheckInput& input;
    RuleOutcome& outcome;
    std::string_view field; // as Flux calls it
    const Index& index = input.repository.index;
    KnownObjects known{input.repository, input.config};
    GeneratedNames generated{index};
    std::set<std::string> here = {}; // ConfigMaps that are found, by name
    std::map<std::string, std::vector<std::pair<std::string, Finding>>> absent = {}; // ConfigMaps that are not
    std::unordered_map<const Declared*, bool> copied = {};
    std::unordered_set<std::string_view> mentions = {};
    bool mentions_read = false;

    static bool is_word(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
    }

    // Names that stand in objects which may make something of them: all but those that only read.
    bool is_mentioned(std::string_view name) {
        if (!mentions_read) {
            mentions_read = true;
            for (const Object& object : index.objects) {
                if (only_reads(object.group) || object.embedded) continue;
                const std::string_view text = document_text(*input.repository.tree, object);
                for (std::size_t at = 0; at < text.size();) {
                    std::size_t end = at;
                    while (end < text.size() && is_word(text[end]))
                        ++end;
                    if (end - at > 1) mentions.insert(text.substr(at, end - at));
                    at = end + 1;
                }
            }
        }
        return mentions.count(name) != 0;
    }

    Finding hashed(const Reading& reading, const std::vector<GeneratedObject>& made) const {
        const Object& object = index.objects[reading.object];
        Finding finding;
        finding.place = reading.name->place;
        finding.message = object.kind.text + " " + object.name.text + " reads " + reading.kind + " " +
                          reading.name->text + ", but the generator calls it " + reading.name->text +
                          "-<hash>, and kustomize does not carry that into " + std::string(field) +
                          " without a nameReference";
        for (const GeneratedObject& one : made)
            finding.related.push_back({one.generator->name.place, "generated here, with a hash behind its name"});
        return finding;
    }

    // A controller carries it into other namespaces.
    bool is_copied(const Declared* declared) {
        if (!declared) return false;
        const auto [answer, is_new] = copied.try_emplace(declared, false);
        for (std::size_t i = 0; is_new && i < declared->objects.size() && !answer->second; ++i) {
            const std::string_view text = document_text(*input.repository.tree, index.objects[declared->objects[i]]);
            for (std::string_view word : {"reflect", "replicat", "kubed", "sync"})
                if (text.find(word) != std::string_view::npos) answer->second = true;
        }
        return answer->second;
    }

    Finding misplaced(const Reading& reading, const std::string& missed, Declared& declared) const {
        const Object& object = index.objects[reading.object];
        Finding finding;
        finding.place = reading.name->place;
        finding.message = object.kind.text + " " + object.name.text + " reads " + reading.kind + " " + missed + "/" +
                          reading.name->text + ", but " + reading.name->text + " stands in namespace " +
                          shown(*known.namespaces_of(declared));
        add_declared(finding, index, &declared);
        return finding;
    }

    void judge(const Reading& reading) {
        const Object& object = index.objects[reading.object];
        const Cell& name = *reading.name;
        if (!is_set(name) || object.as_patch || object.partial) return;
        const std::string subject = subject_of(index, object) + ":" + std::string(field) + "/" + name.text;
        auto undecided = [&](std::string why) { outcome.undecided(name.place, subject, std::move(why)); };
        if (!is_known(name) || is_placeholder(name.text) || (reading.kind != "ConfigMap" && reading.kind != "Secret"))
            return undecided("a templated reference");
        const Standing standing = standing_of(input.repository, object, reading.source);
        if (standing.is == Standing::Is::not_judged) return undecided(standing.why);
        const bool secret = reading.kind == "Secret";
        const std::string ns = is_known(object.ns) ? object.ns.text : std::string();
        Existence existence = known.look({"", reading.kind, ns, name.text});
        const auto& made = generated.find(secret, name.text);
        const std::string missed = secret || !made.empty() || is_copied(existence.declared)
                                       ? std::string()
                                       : known.missed_namespace(reading.object, {}, existence.declared);
        if (!missed.empty() && known.look_beyond({"", reading.kind, missed, name.text}).is == Existence::Is::missing)
            return outcome.fail(subject, misplaced(reading, missed, *existence.declared));
        if (existence.is == Existence::Is::here) {
            if (!secret) here.insert(name.text);
            return outcome.pass(name.place, subject);
        }
        for (const GeneratedObject& one : made)
            if (!one.generator->name_suffix_hash || generated.is_taught(one.kustomization, field)) {
                if (!secret) here.insert(name.text);
                return outcome.pass(name.place, subject);
            }
        if (is_mentioned(name.text)) return undecided("something else here names it and may make it");
        if (!made.empty()) return outcome.fail(subject, hashed(reading, made));
        if (reading.optional) return outcome.pass(name.place, subject);
        if (existence.is == Existence::Is::maybe) return undecided(std::move(existence.why));
        if (generated.may_be_templated(secret, name.text)) return undecided("a generator with a templated name");
        if (secret) return undecided("a Secret may be made by hand, by a chart or by a controller");
        Finding finding;
        finding.place = name.place;
        finding.message = object.kind.text + " " + object.name.text + " reads ConfigMap " + name.text +
                          ", which nothing in this repository makes";
        finding.related.push_back({object.name.place, "the one that reads"});
        absent[name.text].emplace_back(subject, std::move(finding));
    }

    void settle() {
        const Custom custom{here.size(), absent.size()};
        for (auto& [name, findings] : absent)
            for (auto& [subject, finding] : findings) {
                if (custom.is_to_declare())
                    outcome.fail(subject, std::move(finding));
                else
                    outcome.undecided(finding.place, subject, "it may be made elsewhere, as others are");
            }
    }
};

bool says_true(const Cell& cell) {
    return is_known(cell) && cell.text == "true";
}

} // namespace

void check_values_from_missing(const CheckInput& input, RuleOutcome& outcome) {
    ValueSources check{input, outcome, "valuesFrom"};
    for (const HelmRelease& release : check.index.releases)
        for (const Reference& reference : release.values_from)
            check.judge({release.object, reference.kind.text, &reference.name, says_true(reference.optional_flag),
                         Ours::unknown});
    check.settle();
}

void check_substitute_from_missing(const CheckInput& input, RuleOutcome& outcome) {
    ValueSources check{input, outcome, "substituteFrom"};
    for (EntityId id = 0; id < check.index.flux_kustomizations.size(); ++id) {
        const FluxKustomization& flux = check.index.flux_kustomizations[id];
        for (const Reference& reference : flux.substitute_from)
            check.judge({flux.object, reference.kind.text, &reference.name, says_true(reference.optional_flag),
                         check.index.flux_edges[id].this_repository});
    }
    check.settle();
}

void check_secret_ref_missing(const CheckInput& input, RuleOutcome& outcome) {
    ValueSources check{input, outcome, "secretRef"};
    for (const Source& source : check.index.sources)
        if (!source.generated) check.judge({source.object, "Secret", &source.secret, false, Ours::unknown});
    check.settle();
}

} // namespace lockstep
