// Builds of small trees: what changes, what is refused, what is left out.
#include "../tree/scratch.h"
#include "folder.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

const char* const config_map = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  color: red\n";
const char* const pod = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n  volumes:\n  - name: v\n"
                        "    configMap:\n      name: settings\n  containers:\n  - name: app\n    image: nginx:1\n";

} // namespace

TEST_CASE("a prefix reaches the names that others use") {
    const Folder folder({{"kustomization.yaml", "resources: [a.yaml, b.yaml]\nnamePrefix: dev-\n"},
                         {"a.yaml", config_map},
                         {"b.yaml", pod}});
    CHECK(folder.yaml("") ==
          "apiVersion: v1\ndata:\n  color: red\nkind: ConfigMap\nmetadata:\n  name: dev-settings\n---\napiVersion: v1\n"
          "kind: Pod\nmetadata:\n  name: dev-web\nspec:\n  containers:\n  - image: nginx:1\n    name: app\n  volumes:\n"
          "  - configMap:\n      name: dev-settings\n    name: v\n");
}

TEST_CASE("lists of built-in kinds merge by their keys, null deletes, $patch replaces") {
    const Folder folder(
        {{"kustomization.yaml", "resources: [pod.yaml]\npatches:\n- path: p.yaml\n"},
         {"pod.yaml", pod},
         {"p.yaml", "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n  volumes: null\n"
                    "  containers:\n  - name: app\n    image: nginx:2\n  - name: side\n    image: s\n"}});
    CHECK(folder.yaml("") == "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n  containers:\n"
                             "  - image: nginx:2\n    name: app\n  - image: s\n    name: side\n");
}

TEST_CASE("an item of a patch without its merge key takes away those that have one") {
    const Folder folder({{"kustomization.yaml", "resources: [pod.yaml]\npatches:\n- path: p.yaml\n"},
                         {"pod.yaml", pod},
                         {"p.yaml", "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n  containers:\n"
                                    "  - image: nginx:2\n"}});
    CHECK(folder.yaml("").find("  containers: []\n") != std::string::npos);
}

TEST_CASE("a JSON patch under patches may add the first annotation, and take away those that are not there") {
    const auto patched = [](const std::string& operation) {
        const Folder folder(
            {{"kustomization.yaml", "resources: [a.yaml]\npatches:\n- target: { kind: ConfigMap }\n  patch: |\n"
                                    "    - " +
                                        operation + "\n"},
             {"a.yaml", config_map}});
        return folder.yaml("");
    };
    const std::string plain = "apiVersion: v1\ndata:\n  color: red\nkind: ConfigMap\nmetadata:\n  name: settings\n";
    CHECK(patched("{ op: add, path: /metadata/annotations/a, value: b }") ==
          "apiVersion: v1\ndata:\n  color: red\nkind: ConfigMap\nmetadata:\n  annotations:\n    a: b\n  name: "
          "settings\n");
    CHECK(patched("{ op: remove, path: /metadata/annotations }") == plain);
    CHECK(patched("{ op: replace, path: /data/color, value: red }") == plain);
}

TEST_CASE("JSON patches fail as kustomize's do, on the operation's line") {
    const auto said = [](const std::string& operations) {
        const Folder folder({{"kustomization.yaml", "resources: [a.yaml]\npatches:\n- target: {kind: ConfigMap}\n"
                                                    "  patch: |\n" +
                                                        operations},
                             {"a.yaml", config_map}});
        const Build build = folder.builder->build("");
        BuildError error;
        if (!build.errors.empty())
            error = build.errors[0];
        else if (const Value* tree = folder.builder->tree(build.resources[0], &error)) {
            std::string yaml;
            emit_yaml(*tree, yaml);
            return yaml;
        }
        return folder.at(error.place) + " " + error.message.substr(error.message.rfind('`') + 1);
    };
    CHECK(said("    - {op: test, path: /data/a, value: x}\n    - {op: remove, path: /data/gone}\n") ==
          "kustomization.yaml:5 testing value /data/a failed: test failed");
    CHECK(said("    - {op: add, path: /data/b, value: x}\n    - {op: remove, path: /data/gone}\n") ==
          "kustomization.yaml:6 error in remove for path: '/data/gone': Unable to remove nonexistent key: gone: "
          "missing value");
    CHECK(said("    - {op: add, value: x}\n") ==
          "kustomization.yaml:5 add operation failed to decode path: missing value");
    CHECK(said("    - {op: add, path: x, value: x}\n") ==
          "kustomization.yaml:5 add operation does not apply: doc is missing path: \"x\": missing value");
    CHECK(said("    - {op: bogus, path: /x}\n") == "kustomization.yaml:5 Unexpected kind: bogus");
    CHECK(said("    - {op: add, path: what/data, value: {c: d}}\n").starts_with("apiVersion: v1\ndata:\n  c: d\n"));
    // What begins with a bracket is JSON, and nothing more.
    CHECK(said("    [{\"op\": \"add\", \"path\": \"/data\", \"value\": {\"c\": \"d\"}}]\n")
              .starts_with("apiVersion: v1"));
    CHECK(said("    [{op: add, path: /data, value: {c: d}}]\n").find("unable to parse SM or JSON patch from") !=
          std::string::npos);
}

TEST_CASE("an operation that fails takes nothing of the others, for those who go on") {
    const Folder folder({{"kustomization.yaml", "resources: [a.yaml]\npatches:\n- target: {kind: ConfigMap}\n"
                                                "  patch: |\n    - {op: remove, path: /data/gone}\n"
                                                "    - {op: add, path: /metadata/name, value: other}\n"
                                                "- target: {name: other}\n  options: {allowNameChange: true}\n"
                                                "  patch: 'apiVersion: v1\n\n    kind: ConfigMap\n\n"
                                                "    metadata: {name: third}'\n"},
                         {"a.yaml", config_map}});
    BuildOptions going;
    going.keep_going = true;
    const Build build = folder.builder->build("", going);
    REQUIRE(build.resources.size() == 1);
    CHECK(build.resources[0].id.name == "third");
    REQUIRE(build.errors.size() == 1);
    CHECK(folder.at(build.errors[0].place) == "kustomization.yaml:5");
}

TEST_CASE("a generated name ends in the hash of its content") {
    const Folder folder({{"kustomization.yaml", "configMapGenerator:\n- name: c\n  literals: [a=x]\n"}});
    const Build build = folder.builder->build("");
    REQUIRE(build.resources.size() == 1);
    CHECK(build.resources[0].id.name.starts_with("c-"));
    CHECK(build.resources[0].id.name.size() == 12);
    CHECK(build.resources[0].generated);
    CHECK(original_id(build.resources[0]).name == "c");
}

TEST_CASE("every node knows its file and line, and the patch that set it") {
    const Folder folder({{"over/kustomization.yaml", "resources: [../base]\nnamespace: shop\npatches:\n- patch: |\n"
                                                     "    - op: replace\n      path: /data/color\n      value: blue\n"
                                                     "  target:\n    kind: ConfigMap\n"},
                         {"base/kustomization.yaml", "resources:\n- a.yaml\n"},
                         {"base/a.yaml", config_map}});
    const Build build = folder.builder->build("over");
    REQUIRE(build.resources.size() == 1);
    const Resource& resource = build.resources[0];
    const Value* tree = folder.builder->tree(resource);
    REQUIRE(tree);
    CHECK(folder.at(tree->get("kind")->place) == "base/a.yaml:2");
    const Value* color = tree->get("data")->get("color");
    CHECK(color->text == "blue");
    CHECK(folder.at(color->place) == "over/kustomization.yaml:7");
    CHECK(folder.at(color->changed_by) == "over/kustomization.yaml:5");
    CHECK(folder.at(tree->get("metadata")->get("namespace")->changed_by) == "over/kustomization.yaml:2");
    CHECK(folder.at(resource.document) == "base/a.yaml:1");
    CHECK(folder.at(resource.entry) == "base/kustomization.yaml:2");
    REQUIRE(patches_of(resource).size() == 1);
    CHECK(folder.at(patches_of(resource)[0]) == "over/kustomization.yaml:4");
    REQUIRE(resource.via);
    CHECK(folder.at(resource.via->entry) == "over/kustomization.yaml:1");
    REQUIRE(resource.via->below);
    CHECK(folder.at(resource.via->below->entry) == "base/kustomization.yaml:2");
}

TEST_CASE("what kustomize refuses is an error in its words, at the entry") {
    const Folder folder({{"a/kustomization.yaml", "resources:\n- ../b\n"},
                         {"b/kustomization.yaml", "resources:\n- ../a\n"},
                         {"c/kustomization.yaml", "resources:\n- gone.yaml\n- x.yaml\n"},
                         {"c/x.yaml", config_map},
                         {"d/kustomization.yaml", "resources: [x.yaml, y.yaml]\n"},
                         {"d/x.yaml", config_map},
                         {"d/y.yaml", config_map}});
    Build build = folder.builder->build("a");
    REQUIRE(build.errors.size() == 1);
    CHECK(build.errors[0].kind == BuildError::Kind::cycle);
    CHECK(build.errors[0].message.find("cycle detected: candidate root 'a' contains visited root 'a'") !=
          std::string::npos);
    CHECK(build.errors[0].entries.size() == 2);
    build = folder.builder->build("c");
    REQUIRE(build.errors.size() == 1);
    CHECK(build.errors[0].kind == BuildError::Kind::missing);
    CHECK(folder.at(build.errors[0].place) == "c/kustomization.yaml:2");
    CHECK(build.resources.empty());
    BuildOptions going;
    going.keep_going = true;
    build = folder.builder->build("c", going);
    CHECK(build.errors.size() == 1);
    CHECK(build.resources.size() == 1);
    build = folder.builder->build("d");
    REQUIRE(build.errors.size() == 1);
    CHECK(build.errors[0].kind == BuildError::Kind::twice);
    CHECK(folder.at(build.errors[0].document) == "d/y.yaml:1");
    CHECK(folder.at(build.errors[0].first_document) == "d/x.yaml:1");
}

TEST_CASE("kustomization.yaml is read as strictly as kustomize reads it") {
    const auto said = [](const std::string& entry) {
        const Folder folder({{"kustomization.yaml", "resources:\n- a.yaml\n" + entry}, {"a.yaml", config_map}});
        const Build build = folder.builder->build("");
        return build.errors.empty() ? "" : folder.at(build.errors[0].place) + " " + build.errors[0].message;
    };
    const std::string invalid = "invalid Kustomization: json: ";
    CHECK(said("labels: [{pair: {a: b}}]") == "kustomization.yaml:3 " + invalid + "unknown field \"pair\"");
    CHECK(said("patches:\n- patch: x\n  target:\n    knd: ConfigMap\n") ==
          "kustomization.yaml:6 " + invalid + "unknown field \"knd\"");
    CHECK(said("replicas: [{name: a, count: 1.5}]") ==
          "kustomization.yaml:3 " + invalid +
              "cannot unmarshal number 1.5 into Go struct field Replica.replicas.count of type int64");
    CHECK(said("configMapGenerator: [{name: q, literals: a=b}]") ==
          "kustomization.yaml:3 " + invalid +
              "cannot unmarshal string into Go struct field "
              "ConfigMapArgs.configMapGenerator.GeneratorArgs.KvPairSources.literals of type []string");
    CHECK(said("replacements: [{targets: [{options: {index: a}}]}]") ==
          "kustomization.yaml:3 " + invalid +
              "cannot unmarshal string into Go struct field "
              "FieldOptions.replacements.Replacement.targets.options.index of type int");
    CHECK(said("metadata: x") == "kustomization.yaml:3 " + invalid +
                                     "cannot unmarshal string into Go struct field Kustomization.metadata of type "
                                     "types.ObjectMeta");
    CHECK(said("zzz: 1\naaa: 2") == "kustomization.yaml:4 " + invalid + "unknown field \"aaa\""); // as JSON is sorted
    CHECK(said("labels: [{PAIRS: {a: null}, includeselectors: yes}, null]\nnamePrefix: null") == "");
    CHECK(said("helmCharts: [{name: x, valuesInline: {any: {thing: 5}}}]") == "");
    CHECK(said("replicas:\n- name: a\n  count: {{ .Count }}\n").find("unmarshal") == std::string::npos);
}

TEST_CASE("what is not here is a gap, and the rest is built") {
    const Folder folder(
        {{"kustomization.yaml", "resources:\n- https://example.com/x.yaml\n- a.yaml\nhelmCharts:\n- name: c\n"
                                "transformers:\n- |\n  apiVersion: x/v1\n  kind: Mine\n  metadata:\n"
                                "    name: m\n"},
         {"a.yaml", config_map}});
    const Build build = folder.builder->build("");
    CHECK(build.errors.empty());
    CHECK(build.resources.size() == 1);
    REQUIRE(build.gaps.size() == 3);
    CHECK(build.gaps[0].kind == BuildGap::Kind::remote);
    CHECK(build.gaps[1].kind == BuildGap::Kind::helm);
    CHECK(build.gaps[2].kind == BuildGap::Kind::plugin);
}

TEST_CASE("a layer goes on top of the folder's own kustomization, or stands in for it") {
    const Folder folder({{"own/kustomization.yaml", "resources: [a.yaml]\nnamespace: mine\n"},
                         {"own/a.yaml", config_map},
                         {"bare/a.yaml", config_map}});
    ExtraLayer layer;
    layer.ns = "theirs";
    layer.name_suffix = "-x";
    BuildOptions options;
    options.layer = &layer;
    Build build = folder.builder->build("own", options);
    REQUIRE(build.resources.size() == 1);
    CHECK(build.resources[0].id.ns == "theirs");
    CHECK(build.resources[0].id.name == "settings-x");
    layer.generate = true;
    layer.resources = {"a.yaml"};
    build = folder.builder->build("bare", options);
    REQUIRE(build.resources.size() == 1);
    CHECK(build.resources[0].id.name == "settings-x");
}

TEST_CASE("patches delete, and what they delete is told") {
    const Folder folder(
        {{"kustomization.yaml", "resources: [a.yaml]\npatches:\n- patch: |\n    $patch: delete\n"
                                "    apiVersion: v1\n    kind: ConfigMap\n    metadata:\n      name: settings\n"},
         {"a.yaml", config_map}});
    const Build build = folder.builder->build("");
    CHECK(build.resources.empty());
    REQUIRE(build.removed.size() == 1);
    CHECK(folder.at(build.removed[0].document) == "a.yaml:1");
}

TEST_CASE("the number of resources has a limit that is told") {
    Tree tree = tree_in_memory(
        {{"kustomization.yaml", "resources: [a.yaml, b.yaml]\n"}, {"a.yaml", config_map}, {"b.yaml", pod}});
    BuildLimits limits;
    limits.resources = 1;
    Builder builder(loader_of(tree), limits);
    const Build build = builder.build("");
    REQUIRE(build.errors.size() == 1);
    CHECK(build.errors[0].message.find("more than 1 resources in one build") != std::string::npos);
}

TEST_CASE("generators take pictures and other files that are no text, from a folder on disk too") {
    const Scratch scratch;
    scratch.write("kustomization.yaml", "configMapGenerator: [{ name: logo, files: [logo.png] }]\n"
                                        "secretGenerator: [{ name: key, files: [logo.png] }]\n");
    scratch.write("logo.png", std::string_view("\0\x01\xff picture", 11));
    Result<Tree> tree = walk(scratch.root(), {});
    REQUIRE(tree);
    Builder builder(loader_of(*tree));
    const Build build = builder.build("");
    REQUIRE(build.resources.size() == 2);
    CHECK(build.resources[0].id.name == "logo-h77bbt7kth");
    CHECK(build.resources[1].id.name == "key-88488fmdtt");
    std::string out;
    emit_yaml(*builder.tree(build.resources[0]), out);
    CHECK(out.find("binaryData:\n  logo.png: AAH/IHBpY3R1cmU=\n") != std::string::npos);
    CHECK(tree->files[*tree->find("logo.png")].text.empty()); // nobody else sees its bytes
}

TEST_CASE("doubled annotations are put together, other doubled keys are refused") {
    const auto built = [](std::string_view name, std::string& out) {
        const std::string text = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  " + std::string(name) +
                                 ":\n    one: x\n    one: y\n  " + std::string(name) + ":\n    one: z\n    two: t\n";
        Tree tree = tree_in_memory({{"kustomization.yaml", "resources: [a.yaml]\n"}, {"a.yaml", text}});
        Builder builder(loader_of(tree));
        const Build build = builder.build("");
        if (build.resources.size() == 1)
            if (const Value* object = builder.tree(build.resources[0])) emit_yaml(*object, out);
        return build.errors.size();
    };
    std::string out;
    CHECK(built("annotations", out) == 0);
    CHECK(out.find("  annotations:\n    one: \"y\"\n    two: t\n") != std::string::npos);
    out.clear();
    built("labels", out);
    CHECK(out.empty());
}
