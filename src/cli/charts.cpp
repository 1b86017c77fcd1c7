// `lockstep charts`: which charts are needed, which are at hand, and how to pull the others.
#include "cli/commands.h"
#include "deploy/fleet.h"
#include "report/charts_report.h"

namespace lockstep {

Result<Printed> run_charts(const Options& options) {
    auto run = read_only(request_of(options));
    if (!run) return run.error();
    LintRun& made = **run;
    const Repository& repository = made.read.repository;
    const auto needs = chart_needs(fleet_of(repository));
    if (auto error = fleet_beyond_limit(repository)) return *error;
    const std::string folder = made.config.charts.empty() ? "vendor/charts" : made.config.charts.front();
    const bool json = options.format == "json";
    const std::string text =
        json ? charts_json(needs, folder, *made.locator) : charts_text(needs, folder, *made.locator);
    return Printed{0, json ? PlainText::json(text) : PlainText::lines(text)};
}

} // namespace lockstep
