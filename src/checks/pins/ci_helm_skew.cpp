// The Helm that CI tests charts with against the Helm inside the pinned helm-controller.
#include "deploy/pinned_flux.h"
#include "index/cells.h"
#include "rules/check.h"
#include "rules/flux_facts.h"

namespace lockstep::ci_helm_skew {
namespace {

struct Site {
    Cell version;
    std::string subject;
};

std::vector<Site> sites_of(const CheckInput& input) {
    std::vector<Site> sites;
    const RuleFacts facts = input.own_facts();
    const Tree& tree = *input.repository.tree;
    for (std::string_view name : {"setup", "image"})
        if (const Table* table = facts.find(name))
            for (const Row& row : table->rows)
                sites.push_back({table->at(row, "version"), row.subject});
    for (const BootstrapPin& pin : input.repository.index.bootstrap_pins)
        if (pin.kind == BootstrapPin::Kind::helm_script && pin.from == BootstrapPin::From::workflow &&
            is_set(pin.version))
            sites.push_back({pin.version, tree.files[pin.anchor.file].path + ":get-helm"});
    return sites;
}

bool is_newer_minor(const Version& a, const Version& b) {
    return a.major != b.major ? a.major > b.major : a.minor > b.minor;
}

void judge(const Site& site, const FluxKnowledge& knowledge, const Pinned& pinned, RuleOutcome& outcome) {
    const Place place = site.version.place;
    const auto version = is_known(site.version) ? parse_version(site.version.text) : std::nullopt;
    if (!version) return outcome.undecided(place, site.subject, "no version is written");
    if (pinned.pins.empty()) return outcome.undecided(place, site.subject, "nothing says which Flux runs");
    Finding finding;
    std::size_t behind = 0;
    for (const FluxPin& pin : pinned.pins) {
        const std::string helm = knowledge.helm_of(pin.version);
        const auto inside = parse_version(helm);
        if (!inside) return outcome.undecided(place, site.subject, "which Helm Flux " + pin.flux + " has is not known");
        if (!is_newer_minor(*version, *inside)) continue;
        if (behind++ == 0)
            finding.message =
                "CI tests with Helm " + without_v(site.version.text) + ", and " + pin.said + " with Helm " + helm;
        finding.related.push_back({pin.place, pin.said});
    }
    if (behind < pinned.pins.size()) return outcome.pass(place, site.subject);
    finding.place = place;
    outcome.fail(site.subject, std::move(finding));
}

// Only charts that a Flux of the tree installs are rendered by its helm-controller. CI of charts that others install
// may use any Helm.
bool installs_own_charts(const Index& index) {
    for (EntityId id = 0; id < index.releases.size(); ++id)
        if (index.release_edges[id].chart != no_entity && !index.releases[id].partial) return true;
    return false;
}

void run(const CheckInput& input, RuleOutcome& outcome) {
    const RuleFacts facts = input.own_facts();
    const FluxKnowledge knowledge(facts.find("helm"), nullptr, nullptr);
    std::set<FileId> testing; // files whose steps render or install charts
    if (const Table* tests = facts.find("tests"))
        for (const Row& row : tests->rows)
            testing.insert(row.anchor.file);
    PinnedFlux pinned = pinned_flux(input, knowledge);
    const bool installs = installs_own_charts(input.repository.index);
    for (const Site& site : sites_of(input)) {
        const FileId file = site.version.place.file;
        if (testing.count(file) == 0)
            outcome.undecided(site.version.place, site.subject, "no step there renders or installs a chart");
        else if (!installs)
            outcome.undecided(site.version.place, site.subject, "no release in the tree installs a chart of the tree");
        else
            judge(site, knowledge, pinned.of_all(), outcome);
    }
}

} // namespace

constexpr NativeCheck check{run, "helm: flux helm; setup: version; image: version; tests"};

} // namespace lockstep::ci_helm_skew
