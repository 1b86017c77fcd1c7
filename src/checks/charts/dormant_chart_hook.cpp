// Charts that say they are dormant and still have hooks: Helm runs those all the same.
#include "deploy/chart_hooks.h"
#include "deploy/flux_spec.h"
#include "index/cells.h"
#include "rules/check.h"
#include <algorithm>

namespace lockstep::dormant_chart_hook {
namespace {

bool says_dormant(std::string_view text) {
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return lower.find("dormant") != std::string::npos;
}

// The word in the description, or an annotation that ends with it and is true.
Place where_dormant(const Chart& chart) {
    if (is_known(chart.description) && says_dormant(chart.description.text)) return chart.description.place;
    for (const Pair& one : chart.annotations)
        if (says_dormant(one.key.text) && one.value.text == "true") return one.value.place;
    return {};
}

void run(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    each_hook(input.repository, [&](const ChartHook& hook) {
        const Chart& chart = index.charts[hook.chart];
        const Place said = where_dormant(chart);
        if (!is_there(said)) return;
        const std::string_view kind = hook.tree.text_of("kind");
        const Cell name = cell_at(&hook.tree, {"metadata", "name"});
        const Cell mark = cell_at(&hook.tree, {"metadata", "annotations", "helm.sh/hook"});
        Finding finding;
        finding.message = "chart " + chart.name.text + " says it is dormant, but " + std::string(kind) + " " +
                          name.text + " is a " + hook.document.hooks.front() + " hook, which Helm runs all the same";
        finding.place = is_there(mark.place) ? mark.place : said;
        finding.related.push_back({said, "said here"});
        outcome.fail(chart.dir + ":" + std::string(kind) + "/" + name.text, std::move(finding));
    });
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::dormant_chart_hook
