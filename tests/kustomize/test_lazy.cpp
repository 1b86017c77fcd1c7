// Identities come without trees, and trees are made once, for those who ask.
#include "folder.h"
#include <doctest/doctest.h>
#include <thread>

using namespace lockstep;

namespace {

std::string overlay(int number) {
    const std::string n = std::to_string(number);
    return "resources: [../base]\nnamespace: team-" + n + "\nnamePrefix: t" + n + "-\ncommonLabels: {team: '" + n +
           "'}\nimages:\n- name: nginx\n  newTag: v" + n +
           "\npatches:\n- patch: |\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata:\n      name: web\n"
           "    spec:\n      replicas: " +
           n + "\n";
}

Tree fleet(int count) {
    Tree tree = tree_in_memory({});
    std::vector<std::pair<std::string, std::string>> files = {
        {"base/kustomization.yaml", "resources: [web.yaml]\n"},
        {"base/web.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  template:\n    "
                          "spec:\n      containers:\n"
                          "      - name: app\n        image: nginx:1\n        envFrom:\n        - configMapRef:\n      "
                          "      name: env\n---\n"
                          "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: env\n"}};
    for (int i = 0; i < count; ++i)
        files.emplace_back("o" + std::to_string(i) + "/kustomization.yaml", overlay(i));
    std::sort(files.begin(), files.end());
    for (auto& [path, text] : files) {
        File file;
        file.path = path;
        file.text = text;
        file.state = FileState::read;
        tree.files.push_back(std::move(file));
    }
    return tree;
}

// As the program does it: heads without trees.
Loader lazy_loader(Tree& tree) {
    Loader loader = loader_of(tree);
    loader.heads = [&tree](FileId file) -> std::optional<FileHeads> { return read_heads(tree.files[file].text); };
    return loader;
}

} // namespace

TEST_CASE("overlays of one base are built without a single tree") {
    Tree tree = fleet(200);
    Builder builder(lazy_loader(tree));
    std::vector<Build> builds;
    for (int i = 0; i < 200; ++i)
        builds.push_back(builder.build("o" + std::to_string(i)));
    CHECK(builder.trees_made() == 0);
    for (unsigned i = 0; i < 200; ++i) {
        const std::string n = std::to_string(i);
        REQUIRE(builds[i].resources.size() == 2);
        CHECK(builds[i].resources[0].id.name == "t" + n + "-env");
        CHECK(builds[i].resources[1].id.name == "t" + n + "-web");
        CHECK(builds[i].resources[1].id.ns == "team-" + n);
    }
    const Value* made = builder.tree(builds[7].resources[1]);
    REQUIRE(made);
    CHECK(made == builder.tree(builds[7].resources[1]));
    std::string text;
    emit_yaml(*made, text);
    CHECK(text.find("image: nginx:v7") != std::string::npos);
    CHECK(text.find("replicas: 7") != std::string::npos);
    CHECK(text.find("name: t7-env") != std::string::npos);
}

TEST_CASE("who a resource is does not change when its tree is made") {
    Tree tree = fleet(20);
    Builder lazy(lazy_loader(tree)), eager(loader_of(tree));
    for (int i = 0; i < 20; ++i) {
        const std::string folder = "o" + std::to_string(i);
        const Build first = lazy.build(folder), second = eager.build(folder);
        REQUIRE(first.resources.size() == second.resources.size());
        for (std::size_t j = 0; j < first.resources.size(); ++j) {
            std::string one, two;
            const Value* made = lazy.tree(first.resources[j]);
            REQUIRE(made);
            emit_yaml(*made, one);
            emit_yaml(*eager.tree(second.resources[j]), two);
            CHECK(one == two);
            CHECK(made->get("metadata")->text_of("name") == first.resources[j].id.name);
            CHECK(made->get("metadata")->text_of("namespace") == first.resources[j].id.ns);
        }
    }
}

TEST_CASE("several threads ask for trees at a time") {
    Tree tree = fleet(50);
    Builder builder(lazy_loader(tree));
    std::vector<Build> builds(50);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (int i = t; i < 50; i += 4) {
                builds[static_cast<std::size_t>(i)] = builder.build("o" + std::to_string(i));
                for (const Resource& resource : builds[static_cast<std::size_t>(i)].resources)
                    builder.tree(resource);
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    for (const Build& build : builds)
        for (const Resource& resource : build.resources)
            CHECK(builder.tree(resource)->get("metadata")->text_of("name") == resource.id.name);
}

TEST_CASE("a change from outside waits too, and scratch memory keeps nothing") {
    Tree tree = fleet(1);
    Builder builder(lazy_loader(tree));
    const Build build = builder.build("o0");
    const Resource changed = builder.with_change(
        build.resources[0], [](Value& object, Arena& arena) { set(object, "added", make_text(arena, "yes"), arena); });
    CHECK(builder.trees_made() == 0);
    Arena scratch;
    Value* made = builder.tree(changed, scratch);
    REQUIRE(made);
    CHECK(made->text_of("added") == "yes");
    CHECK(builder.tree(build.resources[0])->get("added") == nullptr);
}
