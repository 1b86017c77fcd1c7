#include "index/layout.h"
#include <doctest/doctest.h>

using namespace lockstep;

TEST_CASE("a path belongs to the nearest chart above it") {
    Tree tree = tree_in_memory({{"a/Chart.yaml", ""},
                                {"a/charts/b/Chart.yaml", ""},
                                {"a/charts/b/templates/x.yaml", ""},
                                {"a/templates/deep/y.yaml", ""},
                                {"c/x.yaml", ""}});
    Layout layout(tree);
    CHECK(layout.chart_of("a/charts/b/templates/x.yaml")->dir == "a/charts/b");
    CHECK(layout.chart_of("a/charts/b/templates/x.yaml")->subchart);
    CHECK(layout.chart_of("a/charts/b/templates/x.yaml")->in_templates);
    CHECK(layout.chart_of("a/templates/deep/y.yaml")->dir == "a");
    CHECK_FALSE(layout.chart_of("a/templates/deep/y.yaml")->subchart);
    CHECK_FALSE(layout.chart_of("a/values.yaml")->in_templates);
    CHECK_FALSE(layout.chart_of("c/x.yaml").has_value());
}

TEST_CASE("a folder named charts makes no subchart without a chart above it") {
    Layout layout(tree_in_memory({{"charts/b/Chart.yaml", ""}}));
    CHECK_FALSE(layout.chart_of("charts/b/values.yaml")->subchart);
}

TEST_CASE("a chart may be at the root") {
    Layout layout(tree_in_memory({{"Chart.yaml", ""}}));
    REQUIRE(layout.chart_of("templates/x.yaml").has_value());
    CHECK(layout.chart_of("templates/x.yaml")->dir.empty());
    CHECK(layout.chart_of("templates/x.yaml")->in_templates);
}

TEST_CASE("template trees are told from live ones") {
    Layout layout(tree_in_memory({}), {"clusters/_template/"}, {"clusters/*"});
    CHECK(layout.tree_of("clusters/_template/kit/a.yaml") == "clusters/_template");
    CHECK(layout.in_template_tree("clusters/_template/kit/a.yaml"));
    CHECK(layout.tree_of("clusters/prod/a.yaml") == "clusters/prod");
    CHECK_FALSE(layout.in_template_tree("clusters/prod/a.yaml"));
    CHECK(layout.tree_of("clusters/a.yaml").empty());
    CHECK(layout.tree_of("apps/a.yaml").empty());
}

TEST_CASE("indexing asks for YAML, Terraform templates and the names that Helm and kustomize go by") {
    CHECK(is_indexable("a/b.yml"));
    CHECK(is_indexable("a/b.tftpl"));
    CHECK(is_indexable("a/Chart.lock"));
    CHECK(is_indexable("a/Kustomization"));
    CHECK_FALSE(is_indexable("a/go.sum"));
    CHECK(is_workflow_path(".gitea/workflows/x.yaml"));
    CHECK_FALSE(is_workflow_path("github/workflows/x.yaml"));
}
