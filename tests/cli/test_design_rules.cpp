// The two rules that the design was drawn with, as users' rules, on the repository whose outage they tell. Skipped
// where the corpus is not beside the project.
#include "fixture_trees.h"

using namespace lockstep;

namespace {

const std::string head = "severity: error\nsummary: s\nwhy: w\nfix: f\n";
const std::string blueprint_rule =
    "rule: drawn-blueprint\n" + head +
    "facts:\n"
    "  blueprint: { files: \"{area}/{name}/blueprint.yaml\",   yaml: { version: spec.version } }\n"
    "  chart:     { files: \"{area}/{name}/chart/Chart.yaml\", yaml: { version: version } }\n"
    "for: blueprint\njoin: { chart: [area, name] }\nassert: blueprint.version == chart.version\n"
    "message: \"blueprint says {blueprint.version}, chart says {chart.version}\"\nat: blueprint.version\n";
const std::string flux_rule =
    "rule: drawn-flux\n" + head +
    "facts:\n"
    "  dep:       { files: \"{dir**}/Chart.yaml\", each: \"dependencies[name=flux2]\", yaml: { chart: version } }\n"
    "  release:   { table: flux2-charts }\n"
    "  cloudinit: { files: \"**/*.tftpl\", text: { anchor: 'fluxcd/flux2/', value: "
    "'releases/download/v(?P<flux>\\d+\\.\\d+\\.\\d+)/install\\.yaml' } }\n"
    "for: dep\njoin: { release: [chart], cloudinit: [] }\nassert: release.flux == cloudinit.flux\n"
    "message: \"flux2 {dep.chart} carries Flux {release.flux}, cloud-init installs {cloudinit.flux}\"\nat: dep.chart\n";

Tree corpus_tree(const std::string& name) {
    auto tree = walk(source_root + "/../shared/corpus/" + name, {});
    if (!tree) return {};
    for (auto& file : tree->files)
        if (file.path.ends_with(".yaml") || file.path.ends_with(".tftpl")) read_file(*tree, file);
    return std::move(*tree);
}

std::vector<std::string> lines(Tree tree, const std::string& rule_text, const std::string& id) {
    auto run = lint_tree(std::move(tree), {}, {{"drawn.yaml", rule_text}}, {});
    REQUIRE_MESSAGE(run, to_string(run.error()));
    std::vector<std::string> out;
    for (const auto& finding : (*run)->findings) {
        if (finding.rule != id) continue;
        const auto at = (*run)->locator->locate(finding.place);
        out.push_back(std::string(at.path) + ":" + std::to_string(at.begin.line) + " " + finding.message);
    }
    return out;
}

} // namespace

TEST_CASE("the drawn rules work on the repository before and after its outage") {
    const Tree split = corpus_tree("openova-flux-split"), aligned = corpus_tree("openova-flux-aligned");
    if (split.files.empty()) {
        MESSAGE("skipped: no corpus beside the project");
        return;
    }
    CHECK(lines(split, blueprint_rule, "drawn-blueprint").size() == 11);
    CHECK(lines(split, flux_rule, "drawn-flux") ==
          std::vector<std::string>{
              "platform/flux/chart/Chart.yaml:25 flux2 2.13.0 carries Flux 2.3.0, cloud-init installs 2.4.0"});
    CHECK(lines(aligned, flux_rule, "drawn-flux").empty()); // cloudinit-worker.tftpl has no Flux and is not lost
    Tree latest = aligned;
    for (auto& file : latest.files)
        if (const auto at = file.text.find("releases/download/v2.4.0/install.yaml");
            file.path.ends_with("control-plane.tftpl") && at != std::string::npos)
            for (auto next = at; next != std::string::npos; next = file.text.find("releases/download/v2.4.0/", next))
                file.text.replace(next, 25, "releases/latest/download/");
    const auto lost = lines(latest, flux_rule, "drawn-flux");
    REQUIRE(lost.size() == 1);
    CHECK(lost[0].find("this names no flux that can be read") != std::string::npos);
}
