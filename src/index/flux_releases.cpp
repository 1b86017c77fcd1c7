// The tables of Flux releases and flux2 charts, ready for look-up.
#include "index/flux_sites.h"

namespace lockstep {
namespace {

// `v2.4` and `2.4.0` are one version.
std::string canonical(const Version& version) {
    return std::to_string(version.major) + "." + std::to_string(version.minor) + "." + std::to_string(version.patch) +
           (version.prerelease.empty() ? "" : "-" + version.prerelease);
}

bool is_newer(std::string_view a, std::string_view b) {
    const auto left = parse_version(a), right = parse_version(b);
    return left && (!right || compare(*left, *right) > 0);
}

} // namespace

FluxReleases::FluxReleases(const Table* charts, const Table* releases) {
    const auto add_release = [&](std::string_view text) {
        const auto version = parse_version(text);
        if (!version) return;
        releases_.emplace(canonical(*version), true);
        if (is_newer(text, newest_)) newest_ = without_v(text);
    };
    if (charts && charts->column("chart") && charts->column("flux"))
        for (const Row& row : charts->rows) {
            const Cell& chart = charts->at(row, "chart");
            const Cell& flux = charts->at(row, "flux");
            const auto chart_version = parse_version(chart.text), flux_version = parse_version(flux.text);
            if (!chart_version || !flux_version) continue;
            by_chart_.emplace(canonical(*chart_version), Known{without_v(flux.text), chart.place.file != no_file});
            std::string& best = chart_of_flux_[canonical(*flux_version)];
            if (is_newer(chart.text, best)) best = chart.text;
            if (is_newer(chart.text, newest_chart_)) newest_chart_ = chart.text;
            add_release(flux.text);
        }
    if (releases && releases->column("flux"))
        for (const Row& row : releases->rows)
            add_release(releases->at(row, "flux").text);
}

const FluxReleases::Known* FluxReleases::of_chart(std::string_view chart) const {
    const auto version = parse_version(chart);
    const auto found = version ? by_chart_.find(canonical(*version)) : by_chart_.end();
    return found == by_chart_.end() ? nullptr : &found->second;
}

std::string FluxReleases::chart_for(const Version& flux) const {
    const auto found = chart_of_flux_.find(canonical(flux));
    return found == chart_of_flux_.end() ? std::string() : found->second;
}

bool FluxReleases::knows(const Version& flux) const {
    return releases_.find(canonical(flux)) != releases_.end();
}

std::string without_v(std::string_view version) {
    if (version.size() > 1 && version[0] == 'v' && version[1] >= '0' && version[1] <= '9') version.remove_prefix(1);
    return std::string(version);
}

} // namespace lockstep
