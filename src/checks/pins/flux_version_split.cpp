// Sites of one Flux group that name different Flux releases: one finding per group, at the side that has to move.
#include "deploy/fleet.h"
#include "index/flux_sites.h"
#include "index/path_class.h"
#include "index/path_mentions.h"
#include "rules/check.h"
#include "rules/flux_facts.h"
#include <algorithm>
#include <iterator>
#include <optional>
#include <tuple>

namespace lockstep::flux_version_split {
namespace {

using Kind = FluxSite::Kind;
using Status = FluxSite::Status;
using Group = std::vector<const FluxSite*>;

bool agree(const FluxSite& a, const FluxSite& b) {
    if (a.status == Status::range && b.status == Status::range) return true; // two ranges: nothing is decided
    if (a.status == Status::range) return agree(b, a);
    const auto version = parse_version(a.flux);
    if (b.status == Status::exact) {
        const auto other = parse_version(b.flux);
        return version && other && compare(*version, *other) == 0;
    }
    const auto range = Range::parse(b.flux);
    return !range || !version || range->contains(*version);
}

// The first site in the order of kinds that disagrees with another one; among sites of bootstrap alone the oldest.
const FluxSite* side_to_change(const Group& group) {
    Group sorted = group;
    std::stable_sort(sorted.begin(), sorted.end(), [](const FluxSite* a, const FluxSite* b) {
        if (a->kind != b->kind) return a->kind < b->kind;
        if (a->is_chart()) return false;
        const auto left = parse_version(a->flux), right = parse_version(b->flux);
        return left && right && compare(*left, *right) < 0;
    });
    // One site for each value is enough to compare with, however many files say the same.
    std::map<std::tuple<bool, Status, std::string>, const FluxSite*> values;
    for (const FluxSite* site : group)
        values.emplace(std::tuple(site->is_chart(), site->status, site->flux), site);
    // Of two charts the one that disagrees with what bootstrap installs has to move.
    for (const FluxSite* site : sorted)
        for (const auto& [value, other] : values)
            if (site->is_chart() != other->is_chart() && !agree(*site, *other)) return site;
    for (const FluxSite* site : sorted)
        for (const auto& [value, other] : values)
            if (!agree(*site, *other)) return site;
    return nullptr;
}

std::string message_for(const FluxSite& side, const Group& group, const FluxReleases& known) {
    std::string out = clause(side);
    std::vector<std::string> told;
    const FluxSite* only_other = nullptr;
    bool one_value = true;
    for (const FluxSite* site : group) {
        if (site == &side || agree(side, *site)) continue;
        if (only_other && !agree(*only_other, *site)) one_value = false;
        only_other = site;
        const std::string text = clause(*site);
        if (std::find(told.begin(), told.end(), text) == told.end()) told.push_back(text);
    }
    constexpr std::size_t most_told = 3;
    for (std::size_t i = 0; i < told.size() && i < most_told; ++i)
        out += ", " + told[i];
    if (told.size() > most_told) out += " and " + std::to_string(told.size() - most_told) + " more differ";
    if (!side.is_chart() || !one_value || !only_other || only_other->status != Status::exact) return out;
    const auto wanted = parse_version(only_other->flux);
    if (!wanted || only_other->is_chart()) return out;
    const std::string chart = known.chart_for(*wanted);
    if (!chart.empty()) return out + "; flux2 " + chart + " would carry " + only_other->flux;
    return out + "; no flux2 chart carries Flux " + only_other->flux + ", so the bootstrap pin has to move";
}

// A release or an object of Flux that no cluster gets, in a tree that says what its clusters get.
bool is_idle(const Repository& repository, const FluxSite& site) {
    if (site.kind != Kind::chart_release && site.kind != Kind::instance && site.kind != Kind::oci_manifests)
        return false;
    const Fleet& fleet = fleet_of(repository);
    return fleet.has_roots && fleet.certainty_of_file(site.pin.place.file) == Certainty::loose;
}

// Which sites nothing but a hand reaches, where the tree installs the Flux of a FluxInstance by itself: a list with a
// remote of Flux that no script, task or workflow names and nothing applies is what was done before.
class ByHand {
public:
    explicit ByHand(const CheckInput& input) : input_(input) {}
    bool covers(const FluxSite& site) {
        if (site.kind != Kind::kustomize || !installs_instance()) return false;
        if (!mentions_) mentions_.emplace(*input_.repository.tree, input_.texts());
        const Repository& repository = input_.repository;
        const std::string_view folder = directory_of(repository.tree->files[site.pin.place.file].path);
        const std::string_view above = file_name_of(directory_of(folder));
        const auto list = repository.index.kustomization_by_dir.find(std::string(folder));
        const bool listed =
            list != repository.index.kustomization_by_dir.end() && repository.index.dir_listers.count(list->second);
        const Fleet& fleet = fleet_of(repository);
        const bool applied = fleet.has_roots && fleet.certainty_of_file(site.pin.place.file) == Certainty::proven;
        return !listed && !applied &&
               !mentions_->scripts_have(std::string(above) + "/" + std::string(file_name_of(folder)));
    }

private:
    bool installs_instance() {
        const Tree& tree = *input_.repository.tree;
        for (; next_ < tree.files.size() && !installs_; ++next_) { // once for all sites
            const std::string& path = tree.files[next_].path;
            const bool runs = path.find("helmfile") != std::string::npos || is_script_path(path) || is_task_path(path);
            installs_ = runs && input_.text(next_).find("flux-instance") != std::string_view::npos;
        }
        return installs_;
    }

    const CheckInput& input_;
    std::optional<PathMentions> mentions_;
    bool installs_ = false;
    FileId next_ = 0;
};

void judge_group(const Group& group, const std::vector<const FluxSite*>& hints, const FluxReleases& known,
                 const Repository& repository, ByHand& by_hand, RuleOutcome& outcome) {
    const FluxSite* side = side_to_change(group);
    if (!side) {
        for (const FluxSite* site : group)
            outcome.pass(site->pin.place, site->subject);
    } else {
        Group used, reached;
        std::copy_if(group.begin(), group.end(), std::back_inserter(used),
                     [&](const FluxSite* site) { return !is_idle(repository, *site); });
        std::copy_if(used.begin(), used.end(), std::back_inserter(reached),
                     [&](const FluxSite* site) { return !by_hand.covers(*site); });
        Finding finding;
        finding.rule = outcome.rule->id;
        finding.severity = side_to_change(reached) ? outcome.rule->severity
                           : side_to_change(used)  ? Severity::warning
                                                   : Severity::note;
        finding.message = message_for(*side, group, known);
        finding.place = side->pin.place;
        for (const FluxSite* site : group)
            if (site != side) finding.related.push_back({site->pin.place, clause(*site)});
        outcome.fail(side->subject, std::move(finding));
    }
    // A command-line tool of another release is worth knowing, no more.
    const auto exact =
        std::find_if(group.begin(), group.end(), [](const FluxSite* site) { return site->status == Status::exact; });
    for (const FluxSite* hint : hints) {
        if (side || exact == group.end() || agree(*hint, **exact)) {
            outcome.pass(hint->pin.place, hint->subject);
            continue;
        }
        Finding finding;
        finding.rule = outcome.rule->id;
        finding.severity = Severity::note;
        finding.message = hint->name + " uses Flux " + hint->flux + ", " + clause(**exact);
        finding.place = hint->pin.place;
        finding.related.push_back({(*exact)->pin.place, clause(**exact)});
        outcome.fail(hint->subject, std::move(finding));
    }
}

// Sites that no other rule speaks about once their version is gone: bootstrap-pin-floating and
// chart-dependency-floating have the rest.
bool is_lost(const FluxSite& site) {
    const bool here =
        site.kind == Kind::chart_release || site.kind == Kind::oci_manifests || site.kind == Kind::components;
    return here && site.status == Status::floating;
}

void judge_lost(const FluxSite& site, const Group& group, RuleOutcome& outcome) {
    if (group.empty())
        return outcome.undecided(site.pin.place, site.subject, site.why + ", and nothing to compare with");
    Finding finding;
    finding.message = site.name + " names no Flux release" + (site.is_chart() ? " and no chart version" : "") + ", " +
                      clause(*group.front()) + ": the two can no longer be compared";
    finding.place = site.pin.place;
    for (const FluxSite* other : group)
        finding.related.push_back({other->pin.place, clause(*other)});
    outcome.fail(site.subject, std::move(finding));
    outcome.subjects.back().verdict = Verdict::lost;
}

void run(const CheckInput& input, RuleOutcome& outcome) {
    const FluxFacts facts = flux_facts(input.facts, input.repository);
    const FluxReleases known(facts.charts, facts.releases);
    const auto sites = flux_sites(input.repository.index, input.config, facts, known);
    std::map<std::string, std::pair<Group, Group>> groups;
    for (const FluxSite& site : sites) {
        const bool decided = site.status == Status::exact || site.status == Status::range;
        if (decided)
            (site.kind == Kind::hint ? groups[site.group].second : groups[site.group].first).push_back(&site);
        else if (site.kind == Kind::hint || is_lost(site))
            continue;
        else if (site.status == Status::floating)
            outcome.subjects.push_back(
                {site.pin.place, site.subject, Verdict::lost, site.why, outcome.subjects.size()});
        else
            outcome.undecided(site.pin.place, site.subject, site.why);
    }
    ByHand by_hand(input);
    for (const auto& [name, group] : groups)
        judge_group(group.first, group.second, known, input.repository, by_hand, outcome);
    for (const FluxSite& site : sites)
        if (is_lost(site)) judge_lost(site, groups[site.group].first, outcome);
}

} // namespace

constexpr NativeCheck check{run, "charts: chart flux; releases: flux date; instance: version; instance_chart: version; "
                                 "mirror: chart version repo; action: version"};

} // namespace lockstep::flux_version_split
