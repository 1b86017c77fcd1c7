#include "deploy/applier_rows.h"
#include "deploy/why.h"
#include "fleet_in_memory.h"
#include <algorithm>
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

std::string flux(const std::string& name, const std::string& path, const std::string& source = "flux-system",
                 const std::string& more = "") {
    return "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: " + name +
           ", namespace: flux-system }\nspec:\n  path: " + path +
           "\n  sourceRef: { kind: GitRepository, name: " + source + " }\n" + more;
}

std::string object(const std::string& kind, const std::string& name) {
    return "apiVersion: v1\nkind: " + kind + "\nmetadata: { name: " + name + " }\n";
}

Tree tree_of(std::vector<std::pair<std::string, std::string>> files) {
    Tree tree;
    std::sort(files.begin(), files.end());
    for (auto& [path, text] : files)
        tree.files.push_back({path, std::move(text), 0, FileState::read});
    return tree;
}

FileChains why(const BuiltFleet& made, std::string_view path) {
    return chains_of_file(made.built.index, *made.fleet, *made.built.tree->find(path));
}

// One letter per link: given, flux, config, kustomization, folder, release, chart.
std::string shape(const WhyChain& chain) {
    std::string made;
    for (const ChainLink& link : chain.links)
        made += "gfckdrh"[static_cast<int>(link.by)];
    return made;
}

} // namespace

TEST_CASE("why: a chain leads from what the cluster begins with down to the entry that lists the object") {
    const BuiltFleet made = fleet_for({{"clusters/prod/apps.yaml", flux("apps", "./apps/prod")},
                                       {"apps/prod/kustomization.yaml", "namespace: web\nresources: [../base]\n"},
                                       {"apps/base/kustomization.yaml", "resources: [service.yaml]\n"},
                                       {"apps/base/service.yaml", object("Service", "web")}});
    const FileChains found = why(made, "apps/base/service.yaml");
    REQUIRE(found.parts.size() == 1);
    REQUIRE(found.parts[0].found.chains.size() == 1);
    const WhyChain& chain = found.parts[0].found.chains[0];
    CHECK(chain.cluster == "clusters/prod");
    CHECK(chain.certainty == Certainty::proven);
    CHECK(shape(chain) == "gfkk");
    CHECK(made.built.text_at(chain.links.back().place) == "service.yaml");
    REQUIRE(chain.instance != no_number);
    CHECK(made.fleet->instances[chain.instance].id().ns == "web");
    CHECK(found.hints.empty());

    const FileChains base = why(made, "apps/base/kustomization.yaml");
    REQUIRE(base.parts.size() == 1);
    CHECK(base.parts[0].as == Part::As::kustomization);
    REQUIRE(base.parts[0].found.chains.size() == 1);
    CHECK(shape(base.parts[0].found.chains[0]) == "gfkk");
}

TEST_CASE("why: a source that is not known leaves a chain possible, with the reason") {
    const BuiltFleet made = fleet_for({{"clusters/prod/apps.yaml", flux("apps", "./apps", "elsewhere")},
                                       {"apps/service.yaml", object("Service", "web")}});
    const FileChains found = why(made, "apps/service.yaml");
    REQUIRE(found.parts.size() == 1);
    REQUIRE(found.parts[0].found.chains.size() == 1);
    CHECK(found.parts[0].found.chains[0].certainty == Certainty::possible);
    CHECK_FALSE(found.parts[0].found.chains[0].why.empty());
}

TEST_CASE("why: more chains than anybody reads are counted") {
    std::vector<std::pair<std::string, std::string>> files = {
        {"base/kustomization.yaml", "resources: [service.yaml]\n"}, {"base/service.yaml", object("Service", "web")}};
    std::string all;
    for (int i = 10; i < 42; ++i) {
        const std::string name = "t" + std::to_string(i);
        files.push_back(
            {"tenants/" + name + "/kustomization.yaml", "namespace: " + name + "\nresources: [../../base]\n"});
        all += "- " + name + "\n";
    }
    files.push_back({"tenants/kustomization.yaml", "resources:\n" + all});
    files.push_back({"clusters/prod/apps.yaml", flux("apps", "./tenants")});
    const BuiltFleet made = fleet_for(build_tree(tree_of(files)));
    const FileChains found = why(made, "base/service.yaml");
    REQUIRE(found.parts.size() == 1);
    CHECK(found.parts[0].found.chains.size() == most_chains);
    CHECK(found.parts[0].found.more == 12);
}

TEST_CASE("why: Flux Kustomizations that apply each other are walked once") {
    std::vector<std::pair<std::string, std::string>> files = {{"all/cm.yaml", object("ConfigMap", "c")}};
    for (int i = 0; i < 12; ++i)
        files.push_back({"all/k" + std::to_string(i) + ".yaml", flux("k" + std::to_string(i), "./all")});
    const BuiltFleet made = fleet_for(build_tree(tree_of(files)));
    const FileChains found = why(made, "all/cm.yaml");
    REQUIRE(found.parts.size() == 1);
    CHECK(found.parts[0].found.chains.size() >= 1);
    CHECK(found.parts[0].found.chains.size() <= 12);
}

TEST_CASE("why: what nothing applies says what is near; what Flux leaves out says that") {
    const BuiltFleet made = fleet_for({{"clusters/prod/apps.yaml", flux("apps", "./")},
                                       {"kustomization.yaml", "resources: [clusters/prod/apps.yaml]\n"},
                                       {"apps/kustomization.yaml", "resources: [other.yaml]\n"},
                                       {"apps/other.yaml", object("Secret", "s")},
                                       {"apps/web.yaml", object("Service", "web")},
                                       {".github/web.yaml", object("Service", "hidden")}});
    const FileChains web = why(made, "apps/web.yaml");
    REQUIRE(web.hints.size() == 1);
    CHECK(web.hints[0].text == "the nearest kustomization does not list it");
    const FileChains hidden = why(made, ".github/web.yaml");
    REQUIRE(hidden.hints.size() == 1);
    CHECK(hidden.hints[0].text.find("Flux leaves") == 0);
    const FileChains loose = why(made, "apps/other.yaml"); // built by a kustomization that nothing leads to
    REQUIRE(loose.parts.size() == 1);
    REQUIRE(loose.parts[0].found.chains.size() == 1);
    CHECK(loose.parts[0].found.chains[0].certainty == Certainty::loose);
}

TEST_CASE("why: a template leads through its chart to the release and on, also through an umbrella") {
    const std::string release = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: shop, "
                                "namespace: web }\nspec: { chart: { spec: { chart: ./charts/all, sourceRef: { kind: "
                                "GitRepository, name: flux-system, namespace: flux-system } } } }\n";
    const BuiltFleet made = fleet_for(
        {{"clusters/prod/apps.yaml", flux("apps", "./apps")},
         {"apps/release.yaml", release},
         {"charts/all/Chart.yaml", "apiVersion: v2\nname: all\nversion: 1.0.0\ndependencies:\n- { name: shop, "
                                   "version: 1.0.0, repository: \"file://../shop\" }\n"},
         {"charts/shop/Chart.yaml", "apiVersion: v2\nname: shop\nversion: 1.0.0\n"},
         {"charts/shop/values.yaml", "replicas: 1\n"}});
    const FileChains found = why(made, "charts/shop/values.yaml");
    REQUIRE(found.parts.size() == 1);
    CHECK(found.parts[0].as == Part::As::chart);
    REQUIRE(found.parts[0].found.chains.size() == 1);
    CHECK(shape(found.parts[0].found.chains[0]) == "gfdrh");
}

TEST_CASE("what applies an object directly, as rows; what nothing applies has a row too") {
    const BuiltFleet made = fleet_for({{"kustomization.yaml", "resources: [a.yaml]\n"},
                                       {"a.yaml", object("Service", "a")},
                                       {"b.yaml", object("Service", "b")}});
    const std::vector<Row> rows = applier_rows(made.built.index, *made.fleet);
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].cells[3].text == "kustomization");
    CHECK(rows[0].cells[4].text == "kustomization.yaml");
    CHECK(made.built.text_at(rows[0].cells[4].place) == "a.yaml");
    CHECK(rows[1].cells[4].state == State::absent);
}
