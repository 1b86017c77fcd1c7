// Pins that no table knows: the comparison that should have been made there was not, and that is said aloud.
#include "index/flux_sites.h"
#include "rules/check.h"
#include "rules/flux_facts.h"

namespace lockstep::flux_version_unknown {
namespace {

using Status = FluxSite::Status;

bool is_newer(std::string_view a, std::string_view b) {
    const auto left = parse_version(a), right = parse_version(b);
    return left && right && compare(*left, *right) > 0;
}

std::string chart_message(const FluxSite& site, const std::vector<FluxSite>& sites, const FluxReleases& known) {
    std::string out = "cannot verify which Flux " + site.name + " carries: the table of charts ";
    out += is_newer(site.pin.text, known.newest_chart()) ? "ends at " + known.newest_chart() : "has no such version";
    for (const FluxSite& other : sites) {
        if (other.group != site.group || other.status != Status::exact || other.is_chart()) continue;
        if (other.kind == FluxSite::Kind::hint) continue;
        const auto flux = parse_version(other.flux);
        out += "; " + clause(other);
        if (flux && known.knows(*flux) && known.chart_for(*flux).empty())
            out += ", and no flux2 chart carries Flux " + other.flux;
        break;
    }
    return out;
}

// A release that is not there yet, or never was.
bool is_unknown_release(const FluxSite& site, const FluxReleases& known) {
    const auto version = parse_version(site.flux);
    return version && version->prerelease.empty() && version->major >= 2 && !known.knows(*version);
}

void run(const CheckInput& input, RuleOutcome& outcome) {
    const FluxFacts facts = flux_facts(input.facts, input.repository);
    const FluxReleases known(facts.charts, facts.releases);
    const auto sites = flux_sites(input.repository.index, input.config, facts, known);
    std::vector<const FluxSite*> newer; // than the table: one finding for all of them
    bool old_charts = false;
    for (const FluxSite& site : sites) {
        if (site.kind == FluxSite::Kind::hint) continue;
        Finding finding;
        finding.place = site.pin.place;
        if (site.status == Status::unknown) {
            old_charts = old_charts || is_newer(site.pin.text, known.newest_chart());
            finding.message = chart_message(site, sites, known);
            for (const FluxSite& other : sites)
                if (!other.is_chart() && other.group == site.group && other.status == Status::exact &&
                    finding.related.size() < most_related)
                    finding.related.push_back({other.pin.place, clause(other)});
            outcome.fail(site.subject, std::move(finding));
        } else if (site.status != Status::exact) {
            if (site.status != Status::range) outcome.undecided(site.pin.place, site.subject, site.why);
        } else if (!site.is_chart() && is_newer(site.flux, known.newest())) {
            newer.push_back(&site);
        } else if (!site.is_chart() && is_unknown_release(site, known)) {
            finding.message = "cannot verify Flux " + site.flux + ": the table of releases has no such version";
            outcome.fail(site.subject, std::move(finding));
        } else {
            outcome.pass(site.pin.place, site.subject);
        }
    }
    // A chart above its table has said already that the tables are old.
    if (newer.empty() || old_charts) return;
    Finding finding;
    finding.place = newer.front()->pin.place;
    finding.message = "cannot verify Flux " + newer.front()->flux + ": the table of releases ends at " +
                      known.newest() + ", so this lockstep is older than what is pinned";
    for (std::size_t i = 1; i < newer.size(); ++i)
        finding.related.push_back({newer[i]->pin.place, clause(*newer[i])});
    outcome.fail(newer.front()->subject, std::move(finding));
}

} // namespace

constexpr NativeCheck check{run, "charts: chart flux; releases: flux date; instance: version; instance_chart: version; "
                                 "mirror: chart version repo; action: version"};

} // namespace lockstep::flux_version_unknown
