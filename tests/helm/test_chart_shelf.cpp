#include "chart_folder.h"
#include "helm/chart_shelf.h"
#include "helm/render.h"
#include <doctest/doctest.h>

using namespace lockstep;

TEST_CASE("a dependency is vendored, of the same repository, in the cache, or a gap, in this order") {
    ChartRendering rendering;
    const Result<LoadedChart*> chart =
        load_chart(rendering.arena, rendering.store,
                   memory_reader({{"Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\ndependencies:\n"
                                                 "- {name: a, version: ^1, repository: ''}\n"
                                                 "- {name: b, version: ^1, repository: ''}\n"
                                                 "- {name: c, version: ^2, repository: 'https://charts.example'}\n"},
                                  {"charts/a/Chart.yaml", "apiVersion: v2\nname: a\nversion: 1.4.0\n"},
                                  {"templates/t.yaml", "kind: A\n"}}));
    REQUIRE(chart);
    ChartShelf shelf;
    const auto folder = [](const std::string& path, const std::string& name, const std::string& version) {
        ShelfChart one{name, version,
                       memory_reader({{"Chart.yaml", "apiVersion: v2\nname: " + name + "\nversion: " + version + "\n"},
                                      {"templates/x.yaml", "kind: B\nversion: {{ .Chart.Version }}\n"}})};
        one.reader.path = path;
        return one;
    };
    shelf.charts = {folder("charts/b-old", "b", "1.1.0"), folder("charts/b", "b", "1.2.0"),
                    folder("charts/c", "c", "1.9.0"), folder("charts/a", "a", "1.9.0")};
    const auto outcomes = complete_dependencies(rendering.arena, rendering.store, **chart, shelf);
    REQUIRE(outcomes.size() == 3);
    CHECK(outcomes[0].how == DependencyOutcome::How::vendored);
    CHECK(outcomes[0].version == "1.4.0");
    CHECK(outcomes[1].how == DependencyOutcome::How::repository);
    CHECK(outcomes[1].version == "1.2.0");
    CHECK(outcomes[1].where == "charts/b");
    CHECK(outcomes[2].how == DependencyOutcome::How::missing);
    CHECK(outcomes[2].near == "charts/c 1.9.0");
    rendering.chart = *chart;
    RenderOptions options;
    options.missing_dependency_is_gap = true;
    render_chart(rendering, make_map(rendering.arena), options);
    CHECK(!rendering.failure);
    CHECK(template_output(rendering).find("# Source: web/charts/b/templates/x.yaml\nkind: B\nversion: 1.2.0\n") !=
          std::string::npos);
}
