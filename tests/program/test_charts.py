#!/usr/bin/env python3
"""`lockstep charts` as a user meets it."""
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import unittest

LOCKSTEP = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "lockstep"

SYNC = """apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: { name: flux-system, namespace: flux-system }
spec: { url: "https://git.example.org/team/fleet", ref: { branch: main } }
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: flux-system, namespace: flux-system }
spec: { path: ./clusters/prod, prune: true, sourceRef: { kind: GitRepository, name: flux-system } }
"""
RELEASE = """apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: { name: acme, namespace: shop }
spec: { url: "https://charts.example.com" }
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: db, namespace: shop }
spec:
  chart: { spec: { chart: db, version: 1.2.3, sourceRef: { kind: HelmRepository, name: acme } } }
"""


class Charts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = os.path.join(folder.name, "fleet")
        self.put("clusters/prod/flux-system/gotk-sync.yaml", SYNC)
        self.put("clusters/prod/db.yaml", RELEASE)

    def put(self, path, text):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def pack(self, path, members):
        os.makedirs(os.path.dirname(os.path.join(self.root, path)), exist_ok=True)
        with tarfile.open(os.path.join(self.root, path), "w:gz") as archive:
            for name, text in members.items():
                info = tarfile.TarInfo(name)
                info.size = len(text)
                archive.addfile(info, io.BytesIO(text.encode()))

    def run_lockstep(self, *arguments):
        return subprocess.run([LOCKSTEP, *arguments], capture_output=True, cwd=self.root, text=True, timeout=60)

    def test_what_is_not_at_hand_has_a_line_to_pull_it(self):
        done = self.run_lockstep("charts")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("db 1.2.3: not at hand\n", done.stdout)
        self.assertIn("    clusters/prod/db.yaml:10\n", done.stdout)
        self.assertIn("helm pull db --repo https://charts.example.com --version 1.2.3 --destination vendor/charts\n",
                      done.stdout)
        told = json.loads(self.run_lockstep("charts", "--format", "json").stdout)
        self.assertEqual([one["at"] for one in told["charts"]], ["not at hand"])

    def test_a_packed_chart_of_the_cache_is_rendered(self):
        self.put(".lockstep.yaml", "charts: [../cache]\n")
        self.pack("../cache/repository/db-1.2.3.tgz", {
            "db/Chart.yaml": "apiVersion: v2\nname: db\nversion: 1.2.3\n",
            "db/templates/a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: {{ .Release.Name }} }\n"})
        done = self.run_lockstep("charts")
        self.assertIn("db 1.2.3: packed, ", done.stdout)
        self.assertNotIn("helm pull", done.stdout)
        stats = self.run_lockstep("check", "--stats")
        self.assertIn("releases:    1 rendered\n", stats.stdout)

    def test_nothing_but_packed_charts_is_read_of_the_cache(self):
        self.put(".lockstep.yaml", "charts: [../cache]\n")
        chart = "apiVersion: v2\nname: db\nversion: 1.2.3\n"
        for name in ("db-1.2.3.tar.gz", "db-1.2.3.zip", "db-1.2.3", "db.yaml"):
            self.pack("../cache/" + name, {"db/Chart.yaml": chart})
        self.put("../cache/db/Chart.yaml", chart)
        self.put("../cache/other.yaml", "a: 1\na: 2\n")
        self.assertIn("db 1.2.3: not at hand\n", self.run_lockstep("charts").stdout)
        self.assertNotIn("other.yaml", self.run_lockstep("check", "--notes").stdout)

    def test_a_chart_without_a_release_is_rendered_or_says_why_not(self):
        self.put("charts/web/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n")
        self.put("charts/web/templates/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n")
        stats = self.run_lockstep("check", "--stats")
        self.assertIn("charts:      1 rendered with their own values\n", stats.stdout)
        self.put("charts/web/templates/b.yaml", "{{ fail \"name a domain\" }}\n")
        stats = self.run_lockstep("check", "--stats")
        self.assertNotIn("with their own values", stats.stdout)
        self.assertRegex(stats.stdout, "\n  chart charts/web with its own values: .*name a domain\n")
        self.put("Chart.yaml", "apiVersion: v2\nname: all\nversion: 1.0.0\ntype: app\n")
        self.assertIn("\n  chart . with its own values: validation: ", self.run_lockstep("check", "--stats").stdout)

    def test_a_chart_inside_that_is_not_at_hand_is_named(self):
        for name in ["web", "shop"]:
            self.put(f"charts/{name}/Chart.yaml", f"apiVersion: v2\nname: {name}\nversion: 1.0.0\ndependencies:\n"
                     "  - { name: cache, version: 2.x, repository: 'https://charts.example.com' }\n")
            self.put(f"charts/{name}/templates/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n")
        self.put("charts/cache/Chart.yaml", "apiVersion: v2\nname: cache\nversion: 1.9.0\n")
        self.put("charts/cache/templates/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: b }\n")
        words = "chart cache 2.x is not at hand; this repository has charts/cache 1.9.0"
        stats = self.run_lockstep("check", "--stats")
        self.assertIn(f"\nrendered without a chart inside:\n  chart charts/shop and 1 more: {words}\n", stats.stdout)
        self.put("charts/web/templates/a.yaml", "{{ include \"cache.labels\" . }}\n")
        stats = self.run_lockstep("check", "--stats")
        self.assertIn(f"  chart charts/shop: {words}\n", stats.stdout)
        self.assertIn(f"  chart charts/web with its own values: {words}: template: ", stats.stdout)
        self.assertIn("cache 2.x: not at hand; this repository has charts/cache 1.9.0\n",
                      self.run_lockstep("charts").stdout)
        self.put("charts/cache/Chart.yaml", "apiVersion: v2\nname: cache\nversion: 2.1.0\n")
        self.put("charts/cache/templates/_a.tpl", "{{ define \"cache.labels\" }}{{ end }}\n")
        stats = self.run_lockstep("check", "--stats")
        self.assertNotIn("not at hand; ", stats.stdout)
        self.assertIn("charts:      3 rendered with their own values\n", stats.stdout)

    def test_a_repository_that_is_only_named_has_a_line_too(self):
        for repository in ["@acme", "alias:acme"]:
            self.put("charts/web/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\ndependencies:\n"
                     f"  - {{ name: cache, version: 2.1.0, repository: '{repository}' }}\n")
            self.assertIn("helm pull acme/cache --version 2.1.0 --destination vendor/charts\n",
                          self.run_lockstep("charts").stdout)

    def test_the_words_of_a_repository_stay_words(self):
        self.put("clusters/prod/db.yaml", RELEASE.replace("version: 1.2.3", "version: \"1; rm -rf /\""))
        done = self.run_lockstep("charts")
        self.assertIn("--version '1; rm -rf /'", done.stdout)


if __name__ == "__main__":
    unittest.main()
