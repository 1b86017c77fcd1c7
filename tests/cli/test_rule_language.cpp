// What each word of the rule language means, on trees in memory.
#include "memory_run.h"

using namespace lockstep;
using Lines = std::vector<std::string>;

namespace {

const std::string two_charts = "facts:\n"
                               "  a: { files: \"a/{name}.yaml\", yaml: { version: version } }\n"
                               "  b: { files: \"b/{name}.yaml\", yaml: { version: version } }\n"
                               "for: a\n";
const std::string equal = "assert: a.version == b.version\nmessage: \"a {a.version}, b {b.version}\"\nat: a.version\n";
const std::string joined = two_charts + "join: { b: [name] }\n" + equal;

} // namespace

TEST_CASE("assert: a row that differs from its partner is a finding with both values and both places") {
    auto run = run_rule({{"a/x.yaml", "version: 1.0.0\n"}, {"b/x.yaml", "name: x\nversion: 1.1.0\n"}}, joined);
    CHECK(run.lines() == Lines{"a/x.yaml:1: error: a 1.0.0, b 1.1.0"});
    REQUIRE(run.first().related.size() == 1);
    const auto other = run.run->locator->locate(run.first().related[0].place);
    CHECK(other.path == "b/x.yaml");
    CHECK(other.begin.line == 2);
    CHECK(run.first().related[0].message == "version is 1.1.0");
    CHECK(run.first().key == "probe:a/x.yaml.version");
}

TEST_CASE("assert: equal rows pass, and a row without its partner is unmatched, not a finding") {
    auto run = run_rule(
        {{"a/x.yaml", "version: 1.0.0\n"}, {"b/x.yaml", "version: '1.0.0'\n"}, {"a/alone.yaml", "version: 2\n"}},
        joined);
    CHECK(run.lines().empty());
    CHECK(run.count(Verdict::pass) == 1);
    CHECK(run.count(Verdict::unmatched) == 1);
}

TEST_CASE("a templated side is undecided, never a finding and never a pass") {
    auto run = run_rule({{"a/x.yaml", "version: ${VERSION}\n"}, {"b/x.yaml", "version: 1.1.0\n"}}, joined);
    CHECK(run.lines().empty());
    CHECK(run.count(Verdict::undecided) == 1);
    CHECK(run.count(Verdict::pass) == 0);
}

TEST_CASE("a row whose field is gone is lost: a finding at the deepest key that is left") {
    const std::string body = "facts:\n  a: { files: \"a/*.yaml\", yaml: { version: spec.version } }\nfor: a\n"
                             "assert: a.version != \"9\"\nmessage: m\n";
    auto run = run_rule({{"a/x.yaml", "kind: X\nspec:\n  other: 1\n"}}, body);
    CHECK(run.lines() == Lines{"a/x.yaml:2: error: x.yaml has no spec.version: probe cannot check it"});
    CHECK(run.count(Verdict::lost) == 1);
}

TEST_CASE("an optional field may be absent, and `exists` and `absent` ask for it") {
    const std::string facts = "facts:\n  a: { files: \"*.yaml\", yaml: { version?: version } }\nfor: a\nmessage: m\n";
    CHECK(run_rule({{"x.yaml", "a: 1\n"}}, facts + "assert: a.version exists\n").lines().size() == 1);
    CHECK(run_rule({{"x.yaml", "version: 1\n"}}, facts + "assert: a.version exists\n").lines().empty());
    CHECK(run_rule({{"x.yaml", "version: 1\n"}}, facts + "assert: a.version absent\n").lines().size() == 1);
    CHECK(run_rule({{"x.yaml", "version: ~\n"}}, facts + "assert: a.version absent\n").lines().empty());
}

TEST_CASE("nothing in the whole tree to compare with is a finding, unless the join is optional") {
    const Files files = {{"a/x.yaml", "version: 1.0.0\n"}};
    CHECK(run_rule(files, joined).lines() ==
          Lines{"a/x.yaml:1: warning: probe has nothing to compare this with: no file has what is looked for in "
                "`b/{name}.yaml`"});
    CHECK(run_rule(files, two_charts +
                              "join: { b?: [name] }\nforbid: [b.version exists, a.version != b.version]\nmessage: m\n")
              .lines()
              .empty());
}

TEST_CASE("a lost partner is reported once, and not also as a missing partner") {
    const Files files = {{"a/x.yaml", "version: 1.0.0\n"}, {"b/x.yaml", "name: x\n"}};
    CHECK(run_rule(files, joined).lines() == Lines{"b/x.yaml:1: error: x.yaml has no version: probe cannot check it"});
    auto required = run_rule(files, two_charts + "join: { b: [name] }\nrequire: b\nmessage: no b\n");
    CHECK(required.lines().size() == 1);
}

TEST_CASE("as: version takes no notice of a v prefix, and orders by semver") {
    const std::string body =
        "facts:\n  a: { files: \"a.yaml\", yaml: { v: v }, as: { v: version } }\n"
        "  b: { files: \"b.yaml\", yaml: { v: v } }\nfor: a\njoin: { b: [] }\nmessage: \"{a.v} {b.v}\"\n";
    CHECK(
        run_rule({{"a.yaml", "v: v1.2.0\n"}, {"b.yaml", "v: 1.2.0\n"}}, body + "assert: a.v == b.v\n").lines().empty());
    CHECK(
        run_rule({{"a.yaml", "v: 1.10.0\n"}, {"b.yaml", "v: 1.9.0\n"}}, body + "assert: a.v > b.v\n").lines().empty());
    CHECK(run_rule({{"a.yaml", "v: 1.9.3\n"}, {"b.yaml", "v: 1.9.0\n"}}, body + "assert: a.v same-minor b.v\n")
              .lines()
              .empty());
    CHECK(run_rule({{"a.yaml", "v: 1.2.0\n"}, {"b.yaml", "v: ^1.3\n"}}, body + "assert: a.v satisfies b.v\n").lines() ==
          Lines{"a.yaml:1: error: 1.2.0 ^1.3"});
    auto nonsense = run_rule({{"a.yaml", "v: latest\n"}, {"b.yaml", "v: 1.9.0\n"}}, body + "assert: a.v > b.v\n");
    CHECK(nonsense.lines() == Lines{"a.yaml:1: error: v is `latest`, which is not a version: probe cannot check it"});
    CHECK(nonsense.count(Verdict::lost) == 1);
}

TEST_CASE("as: url takes no notice of a last slash, in comparisons and joins") {
    const std::string body = "facts:\n  a: { files: \"a.yaml\", yaml: { u: u, v: v }, as: { u: url } }\n"
                             "  b: { files: \"b.yaml\", yaml: { u: u, v: v } }\nfor: a\njoin: { b: [u] }\nassert: a.v "
                             "== b.v\nmessage: differ\n";
    CHECK(run_rule({{"a.yaml", "u: https://x/\nv: 1\n"}, {"b.yaml", "u: https://x\nv: 2\n"}}, body).lines().size() ==
          1);
}

TEST_CASE("forbid: a list of comparisons is a finding when all hold; a fact is one when there is a row") {
    const std::string facts = "facts:\n  a: { files: \"*.yaml\", each: \"items[*]\", yaml: { kind: kind, tag?: tag } "
                              "}\nfor: a\nmessage: \"{a.kind} {a.tag}\"\n";
    const Files files = {{"x.yaml", "items:\n  - kind: image\n    tag: latest\n  - kind: image\n    tag: v1\n"}};
    CHECK(run_rule(files, facts + "forbid: [a.kind == \"image\", a.tag == \"latest\"]\nat: a.tag\n").lines() ==
          Lines{"x.yaml:3: error: image latest"});
    CHECK(run_rule(files, facts + "forbid: a\n").lines().size() == 2);
}

TEST_CASE("require: every row needs its partner") {
    const std::string body =
        "facts:\n  script: { files: \"*.sh\" }\n  line: { files: \"*.sh\", text: 'git push (?P<what>.*)' }\n"
        "for: script\njoin: { line: [file] }\nrequire: line\nmessage: \"{script.file} never pushes\"\n";
    CHECK(run_rule({{"a.sh", "git push origin main\n"}, {"b.sh", "echo done\n# git push is only a comment\n"}}, body)
              .lines() == Lines{"b.sh:1: error: b.sh never pushes"});
}

TEST_CASE("unless: rows with such a partner are left out") {
    const std::string body =
        "facts:\n  a: { files: \"a/{name}.yaml\", yaml: { v: v } }\n  waiver: { files: \"waived/{name}.yaml\" }\n"
        "for: a\nunless: { waiver: [name] }\nassert: a.v == \"1\"\nmessage: m\n";
    CHECK(run_rule({{"a/x.yaml", "v: 2\n"}, {"waived/x.yaml", ""}, {"a/y.yaml", "v: 2\n"}}, body).lines() ==
          Lines{"a/y.yaml:1: error: m"});
}

TEST_CASE("unique: the second of two equal rows is the finding, the first its related place") {
    const std::string body = "facts:\n  a: { resources: Namespace, yaml: { n: metadata.name } }\nfor: a\nunique: "
                             "[n]\nmessage: \"{a.n} twice\"\n";
    auto run = run_rule({{"1.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: { name: web }\n"},
                         {"2.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: { name: web }\n"}},
                        body);
    CHECK(run.lines() == Lines{"2.yaml:3: error: web twice"});
    CHECK(run.run->locator->locate(run.first().related.at(0).place).path == "1.yaml");
}

TEST_CASE("cases: the first that applies speaks, with its own severity and message") {
    const std::string body = "facts:\n  a: { files: \"a.yaml\", yaml: { v: v } }\n  b: { files: \"b.yaml\", yaml: { v: "
                             "v } }\nfor: a\njoin: { b: [] }\n"
                             "cases:\n"
                             "  - { when: a.v > b.v, forbid: a.v exists, severity: error, message: ahead }\n"
                             "  - { assert: a.v == b.v, severity: note, message: behind }\n";
    CHECK(run_rule({{"a.yaml", "v: 2.0.0\n"}, {"b.yaml", "v: 1.0.0\n"}}, body).lines() ==
          Lines{"a.yaml:1: error: ahead"});
    CHECK(run_rule({{"a.yaml", "v: 1.0.0\n"}, {"b.yaml", "v: 2.0.0\n"}}, body).lines() ==
          Lines{"a.yaml:1: note: behind"});
    CHECK(run_rule({{"a.yaml", "v: 2.0.0\n"}, {"b.yaml", "v: 2.0.0\n"}}, body).lines().empty());
}

TEST_CASE("where: keeps rows out, and a templated value makes the verdict undecided") {
    const std::string body = "facts:\n  a: { resources: Deployment.apps, yaml: { type: spec.type, n: metadata.name }, "
                             "where: [type == \"Recreate\", chart absent] }\n"
                             "for: a\nforbid: a\nmessage: \"{a.n}\"\nat: a.type\n";
    auto deployment = [](const std::string& type, const std::string& name) {
        return "apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: " + name + " }\nspec: { type: " + type +
               " }\n";
    };
    auto run = run_rule({{"1.yaml", deployment("Recreate", "one")},
                         {"2.yaml", deployment("RollingUpdate", "two")},
                         {"3.yaml", deployment("\"${TYPE}\"", "three")},
                         {"c/Chart.yaml", "name: c\n"},
                         {"c/templates/4.yaml", deployment("Recreate", "four")}},
                        body);
    CHECK(run.lines() == Lines{"1.yaml:4: error: one"});
    CHECK(run.count(Verdict::undecided) == 1);
}

TEST_CASE("text: comments are no facts, an anchor without its value is lost, no anchor is no row") {
    const std::string body = "facts:\n  pin: { files: \"*.tftpl\", text: { anchor: 'fluxcd/flux2/', value: "
                             "'download/v(?P<flux>\\d+\\.\\d+\\.\\d+)/' } }\n"
                             "for: pin\nassert: pin.flux == \"2.4.0\"\nmessage: \"{pin.flux}\"\nat: pin.flux\n";
    const std::string url = "  - curl https://github.com/fluxcd/flux2/releases/";
    CHECK(run_rule({{"cp.tftpl", "runcmd:\n" + url + "download/v2.3.0/install.yaml\n"}}, body).lines() ==
          Lines{"cp.tftpl:2: error: 2.3.0"});
    CHECK(
        run_rule({{"cp.tftpl", "runcmd:\n  # " + url + "download/v2.3.0/install.yaml\n" + url + "download/v2.4.0/x\n"}},
                 body)
            .lines()
            .empty());
    CHECK(run_rule({{"worker.tftpl", "runcmd:\n  - echo no flux here\n"}}, body).lines().empty());
    CHECK(run_rule({{"cp.tftpl", "runcmd:\n" + url + "latest/download/install.yaml\n"}}, body).lines().size() == 1);
    auto templated = run_rule({{"cp.tftpl", "runcmd:\n" + url + "download/v${flux}/install.yaml\n"}}, body);
    CHECK(templated.lines().size() == 1); // \d does not take a variable: the guard says that it cannot see
}

TEST_CASE("text: an anchored line goes on over backslashes") {
    const std::string body =
        "facts:\n  pin: { files: \"*.sh\", text: { anchor: 'helm install', value: '--version (?P<v>\\S+)' } }\n"
        "for: pin\nassert: pin.v == \"1\"\nmessage: \"{pin.v}\"\nat: pin.v\n";
    CHECK(run_rule({{"a.sh", "helm install x y \\\n  --wait \\\n  --version 2\n"}}, body).lines() ==
          Lines{"a.sh:3: error: 2"});
}

TEST_CASE("comment: reads comments and nothing else") {
    const std::string body =
        "facts:\n  mark: { files: \"*.yaml\", comment: 'pinned to (?P<v>[0-9.]+)' }\n  real: { files: \"*.yaml\", "
        "yaml: { v: v } }\n"
        "for: mark\njoin: { real: [file] }\nassert: mark.v == real.v\nmessage: \"{mark.v} {real.v}\"\n";
    CHECK(run_rule({{"a.yaml", "# pinned to 1.2\nv: '1.3'\nnote: pinned to 9.9\n"}}, body).lines() ==
          Lines{"a.yaml:1: error: 1.2 1.3"});
}

TEST_CASE("table: rows of knowledge, with the config's rows in front") {
    const std::string body = "facts:\n  dep: { files: \"Chart.yaml\", each: \"dependencies[name=flux2]\", yaml: { "
                             "chart: version } }\n  release: { table: flux2-charts }\n"
                             "for: dep\njoin: { release: [chart] }\nassert: release.flux == \"2.4.0\"\nmessage: "
                             "\"{dep.chart} is {release.flux}\"\nat: dep.chart\n";
    const Files files = {{"Chart.yaml", "dependencies:\n  - name: flux2\n    version: 2.13.0\n"}};
    CHECK(run_rule(files, body).lines() == Lines{"Chart.yaml:3: error: 2.13.0 is 2.3.0"});
    CHECK(run_rule(files, body, "tables: { flux2-charts: [{ chart: 2.13.0, flux: 2.4.0 }] }\n").lines().empty());
}

TEST_CASE("resolve: a relative path becomes one from the root, for joins by folder") {
    const std::string body = "facts:\n  bp: { files: \"**/bp.yaml\", yaml: { chart: chart, v: v }, resolve: [chart] }\n"
                             "  chart: { files: \"{x**}/Chart.yaml\", yaml: { v: v } }\nfor: bp\njoin: { chart: { dir: "
                             "chart } }\nassert: bp.v == chart.v\nmessage: differ\n";
    CHECK(run_rule({{"p/bp.yaml", "chart: ../c/./web\nv: 1\n"}, {"c/web/Chart.yaml", "v: 2\n"}}, body).lines().size() ==
          1);
    CHECK(run_rule({{"p/bp.yaml", "chart: ./web\nv: 1\n"}, {"c/web/Chart.yaml", "v: 2\n"}}, body).lines().empty());
}

TEST_CASE("the same stale pin in many files is one finding with its places") {
    const std::string body = "facts:\n  a: { files: \"a/*.yaml\", yaml: { v: v } }\n  b: { files: \"b.yaml\", yaml: { "
                             "v: v } }\nfor: a\njoin: { b: [] }\n"
                             "assert: a.v == b.v\nmessage: \"{a.v}, not {b.v}\"\nat: a.v\n";
    auto run =
        run_rule({{"a/1.yaml", "v: 1\n"}, {"a/2.yaml", "v: 1\n"}, {"a/3.yaml", "v: 7\n"}, {"b.yaml", "v: 2\n"}}, body);
    CHECK(run.lines() == Lines{"a/1.yaml:1: error: 1, not 2", "a/3.yaml:1: error: 7, not 2"});
    CHECK(run.first().related.size() == 2); // the canonical side, and the second file
}

TEST_CASE("must-apply: a rule that sees nothing, or decides nothing, is an error at the config") {
    auto idle =
        run_rule({{".lockstep.yaml", "must-apply: [probe]\n"}, {"x.yaml", "a: 1\n"}}, joined, "must-apply: [probe]\n");
    idle.rule = "guard-idle";
    CHECK(idle.lines() ==
          Lines{".lockstep.yaml:1: error: must-apply names `probe`, but it found nothing to check in this tree"});
    auto blind =
        run_rule({{"a/x.yaml", "version: ${V}\n"}, {"b/x.yaml", "version: 1\n"}}, joined, "must-apply: [probe]\n");
    blind.rule = "guard-idle";
    CHECK(blind.lines().size() == 1);
    auto fine = run_rule({{"a/x.yaml", "version: 1\n"}, {"b/x.yaml", "version: 1\n"}}, joined, "must-apply: [probe]\n");
    fine.rule = "guard-idle";
    CHECK(fine.lines().empty());
}

TEST_CASE("pins of the config: sites are compared with the canonical one, zero matches is a finding") {
    const std::string config =
        "pins:\n  k3s:\n    canonical: ci\n    sites:\n      ci: { files: ci.yaml, yaml: env.K3S }\n"
        "      boot: { files: \"*.tftpl\", text: 'K3S_VERSION=(?P<value>\\S+)' }\n";
    auto split = run_rule({{"ci.yaml", "env: { K3S: v1.30.1 }\n"}, {"a.tftpl", "K3S_VERSION=v1.29.0\n"}}, "", config);
    split.rule = "k3s";
    CHECK(split.lines() == Lines{"a.tftpl:1: error: boot says v1.29.0, ci says v1.30.1"});
    auto same = run_rule({{"ci.yaml", "env: { K3S: 1.30.1 }\n"}, {"a.tftpl", "K3S_VERSION=v1.30.1\n"}}, "", config);
    same.rule = "k3s";
    CHECK(same.lines().empty());
    auto gone = run_rule({{".lockstep.yaml", config}, {"ci.yaml", "env: { K3S: 1.30.1 }\n"}}, "", config);
    gone.rule = "k3s";
    CHECK(gone.lines() == Lines{".lockstep.yaml:6: error: pin site `boot` matches nothing in the tree"});
}

TEST_CASE("severity: by config, by path, and off") {
    const Files files = {{"a/x.yaml", "version: 1\n"}, {"b/x.yaml", "version: 2\n"}};
    CHECK(run_rule(files, joined, "severity: { probe: note }\n").lines() == Lines{"a/x.yaml:1: note: a 1, b 2"});
    CHECK(run_rule(files, joined, "severity: { probe: off }\n").lines().empty());
    CHECK(run_rule(files, joined, "paths: [{ files: \"a/**\", severity: { probe: warning } }]\n").lines() ==
          Lines{"a/x.yaml:1: warning: a 1, b 2"});
}

TEST_CASE("what a template may bring in is not known to be absent") {
    const std::string body = "facts:\n  a: { resources: Service, yaml: { n: metadata.name, v?: metadata.labels.v, w: "
                             "spec.w } }\nfor: a\nassert: a.v exists\nmessage: m\n";
    auto service = [](const std::string& labels) {
        return "apiVersion: v1\nkind: Service\nmetadata:\n  name: {{ .Release.Name }}\n  labels:\n    app: x\n" +
               labels + "spec:\n  w: 1\n";
    };
    const std::pair<std::string, std::string> chart = {"c/Chart.yaml", "name: c\nversion: 1.0.0\n"};
    CHECK(run_rule({chart, {"c/templates/s.yaml", service("")}}, body).lines().size() == 1);
    auto included =
        run_rule({chart, {"c/templates/s.yaml", service("    {{- include \"c.labels\" . | nindent 4 }}\n")}}, body);
    CHECK(included.lines().empty());
    CHECK(included.count(Verdict::undecided) == 1);
}

TEST_CASE("a field may have several paths: the first that has a value counts") {
    const std::string body = "facts:\n  r: { resources: HelmRelease, yaml: { ns: [spec.targetNamespace, "
                             "metadata.namespace] } }\nfor: r\nassert: r.ns == \"web\"\nmessage: \"{r.ns}\"\n";
    auto release = [](const std::string& spec) {
        return "kind: HelmRelease\nmetadata: { name: r, namespace: flux-system }\nspec:\n  chart: { spec: { chart: c } "
               "}\n" +
               spec;
    };
    CHECK(run_rule({{"r.yaml", release("  targetNamespace: web\n")}}, body).lines().empty());
    CHECK(run_rule({{"r.yaml", release("")}}, body).lines() == Lines{"r.yaml:2: error: flux-system"});
    CHECK(run_rule({{"r.yaml", "kind: HelmRelease\nmetadata: { name: r }\nspec: { chart: { spec: { chart: c } } }\n"}},
                   body)
              .lines()
              .size() == 1);
}

TEST_CASE("text: lines may end in CRLF, and blanks at the end of a value do not count") {
    const std::string body = "facts:\n  a: { files: a.env, text: '^A=(?P<v>.*)$' }\nfor: a\nassert: a.v == "
                             "\"1.2.0\"\nmessage: \"<{a.v}>\"\n";
    CHECK(run_rule({{"a.env", "X=1\r\nA=1.2.0\r\n"}}, body).lines().empty());
    CHECK(run_rule({{"a.env", "A=1.2.0  # why\n"}}, body).lines().empty());
}

TEST_CASE("resources: patch documents are not objects") {
    const std::string body = "facts:\n  d: { resources: Deployment, yaml: { r?: spec.replicas } }\nfor: d\nassert: d.r "
                             "exists\nmessage: \"{d.name}\"\n";
    auto deployment = [](const std::string& spec) {
        return "apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\n" + spec;
    };
    auto run = run_rule({{"kustomization.yaml", "resources: [web.yaml]\npatches: [{ path: patch.yaml }]\n"},
                         {"patch.yaml", deployment("spec: { paused: true }\n")},
                         {"web.yaml", deployment("spec: { replicas: 1 }\n")}},
                        body);
    CHECK(run.lines().empty());
    CHECK(run.count(Verdict::pass) == 1);
}

TEST_CASE("a field with a default has that value where none is written, and is then a path like any other") {
    const std::string body = "facts:\n  a: { files: \"{d}/a.yaml\", yaml: { v: v, at: at }, default: { at: chart }, "
                             "resolve: [at] }\n  b: { files: \"**/b.yaml\", yaml: { v: v } }\n"
                             "for: a\njoin: { b: { dir: at } }\nassert: a.v == b.v\nmessage: \"{a.v} {b.v}\"\n";
    CHECK(run_rule({{"x/a.yaml", "v: 1\n"}, {"x/chart/b.yaml", "v: 2\n"}}, body).lines().size() == 1);
    CHECK(run_rule({{"x/a.yaml", "v: 1\nat: ~\n"}, {"x/chart/b.yaml", "v: 1\n"}}, body).lines().empty());
    CHECK(run_rule({{"x/a.yaml", "v: 1\nat: ./y\n"}, {"x/chart/b.yaml", "v: 1\n"}, {"x/y/b.yaml", "v: 3\n"}}, body)
              .lines()
              .size() == 1);
}
