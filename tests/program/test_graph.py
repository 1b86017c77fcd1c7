#!/usr/bin/env python3
"""`lockstep why` and `lockstep graph` as a user meets them."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

LOCKSTEP = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "lockstep"
SOURCE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "."
CORPUS = os.path.join(SOURCE, "..", "shared", "corpus")

FLUX = """apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: %s
  namespace: flux-system
spec:
  path: %s
  sourceRef: { kind: GitRepository, name: flux-system }
%s"""
CHART_RELEASE = """apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: shop
spec:
  chart:
    spec:
      chart: ./charts/shop
      version: 1.2.3
      sourceRef: { kind: GitRepository, name: flux-system, namespace: flux-system }
"""


def run(*arguments, cwd=None):
    return subprocess.run([LOCKSTEP, *arguments], capture_output=True, cwd=cwd, timeout=120)


class Repository(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.root = self.scratch.name
        for path, text in {
            "clusters/prod/flux-system/gotk-sync.yaml": FLUX % ("flux-system", "./clusters/prod", ""),
            "clusters/prod/flux-system/kustomization.yaml": "resources: [gotk-sync.yaml]\n",
            "clusters/prod/apps.yaml": FLUX % ("apps", "./apps/prod", "  dependsOn: [{ name: infra }]\n"),
            "clusters/prod/infra.yaml": FLUX % ("infra", "./infra", ""),
            "infra/ns.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: { name: web }\n",
            "apps/prod/kustomization.yaml": "namespace: web\nresources:\n  - ../base\npatches:\n  - path: patch.yaml\n",
            "apps/prod/patch.yaml": "apiVersion: v1\nkind: Service\nmetadata: { name: web }\nspec: { type: NodePort }\n",
            "apps/base/kustomization.yaml": "resources:\n  - service.yaml\n  - release.yaml\n",
            "apps/base/service.yaml": "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n",
            "apps/base/release.yaml": CHART_RELEASE,
            "apps/base/forgotten.yaml": "apiVersion: v1\nkind: Secret\nmetadata:\n  name: lost\n",
            "charts/shop/Chart.yaml": "apiVersion: v2\nname: shop\nversion: 1.2.3\ndependencies:\n  - name: redis\n    version: 20.1.0\n    repository: oci://example.org/charts\n",
            "charts/shop/templates/deploy.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: {{ .Release.Name }}\n",
            "charts/shop/values.yaml": "replicas: 1\n",
            "notes.yaml": "a: 1\n",
        }.items():
            full = os.path.join(self.root, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w") as file:
                file.write(text)

    def tearDown(self):
        self.scratch.cleanup()


class Why(Repository):
    maxDiff = None

    def why(self, name):
        result = run("why", name, self.root)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout.decode()

    def test_the_chain_is_told_from_the_cluster_down(self):
        lines = self.why("apps/base/service.yaml").splitlines()
        self.assertEqual(lines, [
            "apps/base/service.yaml",
            "Service web  apps/base/service.yaml:4",
            "  1. cluster clusters/prod",
            "     the cluster begins with  clusters/prod/flux-system/gotk-sync.yaml:1",
            "     kustomization clusters/prod/flux-system/kustomization.yaml lists gotk-sync.yaml  "
            "clusters/prod/flux-system/kustomization.yaml:1",
            "     Flux Kustomization flux-system/flux-system, path ./clusters/prod  clusters/prod/flux-system/gotk-sync.yaml:7",
            "     folder clusters/prod, every manifest below",
            "     Flux Kustomization flux-system/apps, path ./apps/prod  clusters/prod/apps.yaml:7",
            "     kustomization apps/prod/kustomization.yaml lists ../base  apps/prod/kustomization.yaml:3",
            "     kustomization apps/base/kustomization.yaml lists service.yaml  apps/base/kustomization.yaml:2",
            "     patched  apps/prod/kustomization.yaml:5",
            "     applied as Service web/web  apps/prod/kustomization.yaml:1",
        ])

    def test_helm_goes_through_chart_and_release(self):
        for name in ("charts/shop/templates/deploy.yaml", "charts/shop/values.yaml"):
            text = self.why(name)
            self.assertIn("HelmRelease shop, version 1.2.3  apps/base/release.yaml:", text)
            self.assertIn("Flux Kustomization flux-system/apps", text)

    def test_a_file_that_nothing_applies_says_so_and_what_is_near(self):
        text = self.why("apps/base/forgotten.yaml")
        self.assertIn("nothing applies it", text)
        self.assertIn("hint: the nearest kustomization does not list it  apps/base/kustomization.yaml:1", text)

    def test_patches_kustomizations_and_other_files(self):
        self.assertIn("a patch of apps/prod/kustomization.yaml", self.why("apps/prod/patch.yaml"))
        self.assertIn("a kustomization", self.why("apps/base/kustomization.yaml"))
        self.assertIn("nothing lists it", self.why("notes.yaml"))

    def test_json(self):
        made = json.loads(run("why", "service.yaml", self.root, "--format", "json").stdout)
        chain = made["parts"][0]["chains"][0]
        self.assertEqual((chain["cluster"], chain["namespace"], chain["name"]), ("clusters/prod", "web", "web"))
        self.assertEqual((chain["certainty"], chain["reason"]), ("proven", ""))
        self.assertEqual([link["by"] for link in chain["links"]],
                         ["given", "kustomization", "Flux Kustomization", "folder", "Flux Kustomization", "kustomization",
                          "kustomization"])

    def test_file_names_are_found_by_their_end_or_explained(self):
        self.assertEqual(run("why", "base/service.yaml", cwd=self.root).returncode, 0)
        self.assertEqual(run("why", os.path.join(self.root, "notes.yaml"), self.root).returncode, 0)
        for name, word in (("kustomization.yaml", b"several files"), ("apps/base/servise.yaml", b"did you mean `apps/base/service.yaml`")):
            result = run("why", name, cwd=self.root)
            self.assertEqual(result.returncode, 2)
            self.assertIn(word, result.stderr)


class Graph(Repository):
    def graph(self, *more):
        result = run("graph", self.root, *more)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout.decode()

    def test_json_holds_clusters_order_and_pins(self):
        made = json.loads(self.graph("--format", "json"))
        names = {node["id"]: node["name"] for node in made["nodes"]}
        edges = {(edge["kind"], names[edge["from"]], names[edge["to"]], edge["label"]) for edge in made["edges"]}
        self.assertIn(("applies", "flux-system/flux-system", "flux-system/apps", ""), edges)
        self.assertIn(("waits for", "flux-system/apps", "flux-system/infra", ""), edges)
        self.assertIn(("applies", "flux-system/apps", "web/shop", ""), edges)
        self.assertIn(("installs", "web/shop", "shop", "1.2.3"), edges)
        self.assertIn(("depends on", "shop", "redis", "20.1.0"), edges)
        self.assertEqual({node["cluster"] for node in made["nodes"] if node["kind"] == "Flux Kustomization"}, {"clusters/prod"})
        apps = next(node for node in made["nodes"] if node["name"] == "flux-system/apps")
        self.assertEqual(apps["objects"], {"Service": 1})

    def test_focus_keeps_what_is_above_and_below(self):
        made = json.loads(self.graph("--format", "json", "--focus", "shop"))
        self.assertEqual({node["name"] for node in made["nodes"]},
                         {"flux-system/flux-system", "flux-system/apps", "web/shop", "shop", "redis"} |
                         {node["name"] for node in made["nodes"] if node["kind"] == "source"})
        result = run("graph", self.root, "--focus", "shpo")
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"did you mean `shop`", result.stderr)

    def test_dot_and_mermaid_are_whole_and_escaped(self):
        with open(os.path.join(self.root, "clusters/prod/odd.yaml"), "w") as file:
            file.write(FLUX % ('\'a"b]\\n; end\'', "'./x\"y'", ""))
        dot = self.graph()
        self.assertEqual(dot.count("{"), dot.count("}"))
        for line in dot.splitlines():
            self.assertEqual(len(re.findall(r'(?<!\\)(?:\\\\)*"', line)) % 2, 0, line)
        self.assertIn('a\\"b]\\\\n; end', dot)
        mermaid = self.graph("--format", "mermaid")
        self.assertTrue(mermaid.startswith("flowchart LR\n"))
        self.assertIn("a#34;b#93;#92;n#59; end", mermaid)
        self.assertEqual(mermaid.count("subgraph"), sum(line.strip() == "end" for line in mermaid.splitlines()))

    @unittest.skipUnless(shutil.which("dot"), "no Graphviz here")
    def test_graphviz_takes_it(self):
        drawn = subprocess.run(["dot", "-Tsvg"], input=self.graph().encode(), capture_output=True, timeout=60)
        self.assertEqual(drawn.returncode, 0, drawn.stderr)

    def test_an_empty_repository(self):
        with tempfile.TemporaryDirectory() as empty:
            result = run("graph", empty)
            self.assertEqual(result.returncode, 0)
            self.assertIn(b"the graph is empty", result.stderr)


@unittest.skipUnless(os.path.isdir(CORPUS), "no corpus beside the project")
class Corpus(unittest.TestCase):
    def test_graphs_are_small_enough_and_the_same_each_time(self):
        for name in sorted(os.listdir(CORPUS)):
            folder = os.path.join(CORPUS, name)
            if not os.path.isdir(folder):
                continue
            dot = {run("graph", folder, "--jobs", str(jobs)).stdout for jobs in (1, 2)}
            self.assertEqual(len(dot), 1, name)
            json.loads(run("graph", folder, "--format", "json").stdout)


if __name__ == "__main__":
    unittest.main()
