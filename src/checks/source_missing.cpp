// sourceRef and chartRef: where Flux Kustomizations, HelmReleases and HelmCharts pull from exists.
#include "base/suggest.h"
#include "checks/checks.h"
#include "checks/known_objects.h"
#include "checks/overlay.h"
#include "index/cells.h"
#include "index/relations.h"

namespace lockstep {
namespace {

constexpr std::string_view source_group = "source.toolkit.fluxcd.io";

struct Sources {
    const CheckInput& input;
    RuleOutcome& outcome;
    const Index& index = input.repository.index;
    KnownObjects known{input.repository, input.config};
    Overlay overlay{input.repository};
    std::map<std::string, Custom> customs = {}; // by kind of source
    struct Loose {
        std::string kind, subject;
        Finding finding;
    };
    std::vector<Loose> loose = {};

    bool is_patched(const Object& object, FieldPath path) {
        const Field own = overlay.own(object, path);
        for (const Route& route : overlay.routes(object)) {
            const Field field = overlay.look(object, route, path);
            if (field.gone || !field.unsure.empty() || field.cell.text != own.cell.text) return true;
        }
        return false;
    }

    void judge(EntityId id, const Reference& reference, const FieldPath& path, Ours ours = Ours::unknown) {
        const Object& object = index.objects[id];
        if (!is_set(reference.name) || object.as_patch || object.partial) return;
        const Place place = reference.name.place;
        const std::string subject = subject_of(index, object) + ":" + std::string(path[path.size() - 2]);
        auto undecided = [&](std::string why) { outcome.undecided(place, subject, std::move(why)); };
        if (!is_known(reference.name) || is_placeholder(reference.name.text) || !is_known(reference.kind) ||
            reference.ns.state == State::templated)
            return undecided("a templated reference");
        const Standing standing = standing_of(input.repository, object, ours);
        if (standing.is == Standing::Is::not_judged) return undecided(standing.why);
        const std::string ns = is_known(reference.ns) ? reference.ns.text : is_known(object.ns) ? object.ns.text : "";
        const std::string& kind = reference.kind.text;
        Existence existence = known.look({source_group, kind, ns, reference.name.text});
        if (existence.is == Existence::Is::maybe) return undecided(std::move(existence.why));
        Declared* const named = existence.declared;
        const std::string missed = known.missed_namespace(id, reference.ns, named);
        if (existence.is == Existence::Is::here && missed.empty()) {
            ++customs[kind].here;
            return outcome.pass(place, subject);
        }
        if (!missed.empty()) {
            existence = known.look_beyond({source_group, kind, missed, reference.name.text});
            if (existence.is != Existence::Is::missing) return undecided("another of that name may stand there");
        }
        FieldPath ns_path = path;
        ns_path.back() = "namespace";
        if (is_patched(object, path) || is_patched(object, ns_path)) return undecided("a patch changes the reference");
        ++customs[kind].missing;
        Finding finding;
        finding.place = place;
        finding.message = object.kind.text + " " + object.name.text + " pulls from " + kind + " " +
                          (ns.empty() ? "" : ns + "/") + reference.name.text + ", which this repository does not hold";
        if (!missed.empty())
            finding.message = object.kind.text + " " + object.name.text + " pulls from " + kind + " " + missed + "/" +
                              reference.name.text + ", but " + reference.name.text + " stands in namespace " +
                              shown(*known.namespaces_of(*named));
        else if (const auto other = nearest(reference.name.text, known.names_of(source_group, kind)))
            finding.message += "; it holds " + *other;
        finding.related.push_back({object.name.place, "the one that pulls"});
        add_declared(finding, index, named);
        if (standing.is == Standing::Is::applied) return outcome.fail(subject, std::move(finding));
        loose.push_back({kind, subject, std::move(finding)});
    }

    void settle() {
        for (Loose& one : loose) {
            if (customs[one.kind].is_to_declare())
                outcome.fail(one.subject, std::move(one.finding));
            else
                outcome.undecided(one.finding.place, one.subject, "nothing in this tree applies what pulls");
        }
    }
};

} // namespace

void check_source_missing(const CheckInput& input, RuleOutcome& outcome) {
    Sources check{input, outcome};
    const Index& index = check.index;
    // A Kustomization whose source is not here applies another repository, as far as anybody can tell: whether it does
    // belong to this tree is told by what applies it.
    for (const FluxKustomization& flux : index.flux_kustomizations)
        check.judge(flux.object, flux.source, {"spec", "sourceRef", "name"});
    for (const HelmRelease& release : index.releases) {
        check.judge(release.object, release.source, {"spec", "chart", "spec", "sourceRef", "name"});
        check.judge(release.object, release.chart_ref, {"spec", "chartRef", "name"});
    }
    for (const Source& source : index.sources)
        if (source.kind == "HelmChart") check.judge(source.object, source.source, {"spec", "sourceRef", "name"});
    check.settle();
}

} // namespace lockstep
