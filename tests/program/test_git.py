#!/usr/bin/env python3
"""A change against its base: what --base, --staged, --changed-only, --config-from-base and `lockstep diff` say."""
import os
import shutil
import subprocess
import unittest

from git_repository import ENVIRONMENT, LOCKSTEP, Repository, SOURCE, run

CORPUS = os.path.join(SOURCE, "..", "shared", "corpus")
CHART = "apiVersion: v2\nname: web\nversion: {0}\n"
RELEASE = """apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: web
  namespace: web
spec:
  interval: 10m
  chart:
    spec:
      chart: ./charts/web
      version: {0}
      sourceRef: {{ kind: GitRepository, name: flux-system, namespace: flux-system }}
"""
SUPPRESSION = "# lockstep: ignore[duplicate-key] both are read\n"


class Changes(Repository):
    def test_changed_only_shows_what_the_change_touches_and_counts_the_rest(self):
        self.write("old.yaml", "a: 1\na: 2\n")
        self.write("both.yaml", "a: 1\nb: 1\nb: 2\nc: 1\n")
        self.commit()
        self.write("new.yaml", "n: 1\nn: 2\n")
        self.write("both.yaml", "a: 1\nb: 1\nb: 2\nc: 1\nc: 2\n")
        self.assertEqual(len(self.lines("--base", "HEAD")), 4)
        report = self.report("--base", "HEAD", "--changed-only")
        self.assertEqual([(f["path"], f["line"]) for f in report["findings"]], [("both.yaml", 5), ("new.yaml", 2)])
        self.assertEqual(report["change"]["untouchedFindings"], 2)
        self.assertEqual(report["change"]["filesChanged"], 2)
        text = run(self.root, "--base", "HEAD", "--changed-only").stdout.decode()
        self.assertIn("2 findings that this change does not touch", text)
        self.assertIn("2 files changed", text)

    def test_what_a_removal_brings_about_counts_as_touched(self):
        self.write("apps/kustomization.yaml", "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n  - a.yaml\n  - b.yaml\n")
        for name in "ab":
            self.write(f"apps/{name}.yaml", f"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n")
        self.commit()
        os.remove(os.path.join(self.root, "apps/a.yaml"))
        self.assertEqual(self.lines("--base", "HEAD", "--changed-only"), [("missing-resource", "apps/kustomization.yaml", 4)])
        self.commit()
        self.write("other.txt", "x")
        self.assertEqual(self.lines("--base", "HEAD", "--changed-only"), [])

    def test_a_line_that_went_touches_its_neighbours(self):
        self.write("a.yaml", "a: 1\n" + SUPPRESSION + "a: 2\nz: 1\n")
        self.commit()
        self.assertEqual(self.lines("--base", "HEAD"), [])
        self.write("a.yaml", "a: 1\na: 2\nz: 1\n")
        self.assertEqual(self.lines("--base", "HEAD", "--changed-only"), [("duplicate-key", "a.yaml", 2)])

    def test_the_finding_stands_on_the_side_that_the_change_touched(self):
        self.write("charts/web/Chart.yaml", CHART.format("1.0.0"))
        self.write("apps/web.yaml", RELEASE.format("2.0.0"))
        self.write("apps/source.yaml", "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata:\n  name: flux-system\n  namespace: flux-system\nspec:\n  url: https://example.org/repo\n  interval: 1m\n  ref: { branch: main }\n")
        self.write(".lockstep.yaml", "pins:\n  web:\n    sites:\n      chart: { files: charts/web/Chart.yaml, yaml: version }\n      release: { files: apps/web.yaml, yaml: spec.chart.spec.version }\n")
        self.write("apps/web.yaml", RELEASE.format("1.0.0"))
        self.commit()
        only = ("--only", "web", "--base", "HEAD")
        self.assertEqual(self.lines(*only), [])
        self.write("charts/web/Chart.yaml", CHART.format("1.1.0"))
        chart = self.report(*only)["findings"]
        self.assertEqual([(f["path"], f["line"]) for f in chart], [("charts/web/Chart.yaml", 3)])
        self.assertEqual(chart[0]["related"][0]["path"], "apps/web.yaml")
        self.git("checkout", "-q", "--", "charts")
        self.write("apps/web.yaml", RELEASE.format("1.1.0"))
        release = self.report(*only)["findings"]
        self.assertEqual([(f["path"], f["line"]) for f in release], [("apps/web.yaml", 11)])
        self.assertEqual(chart[0]["key"], release[0]["key"])

    def test_the_merge_base_is_the_base_unless_the_revision_itself_is_asked_for(self):
        self.write("a.yaml", "a: 1\n")
        self.commit()
        self.git("checkout", "-q", "-b", "work")
        self.write("b.yaml", "b: 1\n")
        self.commit()
        self.git("checkout", "-q", "main")
        self.write("a.yaml", "a: 2\n")
        self.commit()
        self.git("checkout", "-q", "work")
        self.assertEqual(self.report("--base", "main")["change"]["filesChanged"], 1)
        self.assertEqual(self.report("--base", "main", "--base-exact")["change"]["filesChanged"], 2)

    def test_a_subfolder_is_held_against_itself(self):
        self.write("team/a.yaml", "a: 1\n")
        self.write("other/b.yaml", "b: 1\n")
        self.commit()
        self.write("team/a.yaml", "a: 1\na: 2\n")
        self.write("other/b.yaml", "b: 2\n")
        report = self.report("--base", "HEAD", "--changed-only", path=os.path.join(self.root, "team"))
        self.assertEqual([(f["path"], f["line"]) for f in report["findings"]], [("a.yaml", 2)])
        self.assertEqual(report["change"]["filesChanged"], 1)

    def test_line_endings_that_git_changes_are_no_change(self):
        self.write(".gitattributes", "*.yaml text eol=crlf\n")
        self.write("a.yaml", b"a: 1\r\na: 2\r\n")
        self.commit()
        self.assertEqual(self.lines("--base", "HEAD", "--changed-only"), [])

    def test_what_a_sparse_checkout_leaves_out_has_not_gone(self):
        self.write("in/a.yaml", "a: 1\n")
        self.write("out/b.yaml", "b: 1\n")
        self.commit()
        self.git("sparse-checkout", "set", "in")
        self.assertFalse(os.path.exists(os.path.join(self.root, "out")))
        self.assertEqual(self.report("--base", "HEAD")["change"]["filesChanged"], 0)

    def test_a_submodule_is_named_and_not_entered(self):
        other = os.path.join(self.place, "other")
        os.mkdir(other)
        self.git("init", "-q", cwd=other)
        with open(os.path.join(other, "in.yaml"), "w") as file:
            file.write("a: 1\na: 2\n")
        self.git("add", "-A", cwd=other)
        self.git("commit", "-q", "-m", "x", cwd=other)
        self.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", other, "mod")
        self.commit()
        report = self.report("--base", "HEAD", "--changed-only")
        self.assertEqual(report["change"]["submodules"], ["mod"])
        self.assertEqual(report["findings"], [])
        self.assertEqual(self.lines("--staged"), [])

    def test_times_aside_two_runs_are_the_same_bytes(self):
        self.write("a.yaml", "a: 1\na: 2\n")
        self.commit()
        self.write("b.yaml", "a: 1\na: 2\n" + SUPPRESSION)
        self.assertEqual(run(self.root, "--base", "HEAD").stdout, run(self.root, "--base", "HEAD", "-j", "1").stdout)


class Guards(Repository):
    """A change cannot switch off its own guard unseen."""

    def setUp(self):
        super().setUp()
        self.write("a.yaml", "a: 1\n")
        self.commit()

    def test_suppressions_that_the_change_adds_are_listed(self):
        self.write("a.yaml", "a: 1\n" + SUPPRESSION + "a: 2\n")
        report = self.report("--base", "HEAD")
        self.assertEqual(report["findings"], [])
        self.assertEqual(report["change"]["addedSuppressions"],
                         [{"path": "a.yaml", "line": 2, "rules": ["duplicate-key"], "reason": "both are read", "until": ""}])
        text = run(self.root, "--base", "HEAD").stdout.decode()
        self.assertIn("a.yaml:2: ignore[duplicate-key] both are read", text)
        self.commit()
        self.assertEqual(self.report("--base", "HEAD")["change"]["addedSuppressions"], [])

    def test_config_from_base_is_deaf_to_what_the_change_says_about_rules(self):
        self.write("a.yaml", "a: 1\na: 2\n")
        for weakened in ("severity: { duplicate-key: off }\n", "exclude: [a.yaml]\n", "broken: [\n"):
            self.write(".lockstep.yaml", weakened)
            self.assertIn(("duplicate-key", "a.yaml", 2), self.lines("--base", "HEAD", "--config-from-base"))
        os.remove(os.path.join(self.root, ".lockstep.yaml"))
        os.symlink("/dev/null", os.path.join(self.root, ".lockstep.yaml"))
        found = self.lines("--base", "HEAD", "--config-from-base")
        self.assertIn(("duplicate-key", "a.yaml", 2), found)

    def test_config_from_base_takes_rules_and_baseline_from_there_too(self):
        rule = "rule: no-b\nseverity: error\nsummary: s\nwhy: w\nfix: f\nfacts:\n  b: { files: b.yaml, yaml: { b: b } }\nfor: b\nforbid: b.b == 1\nmessage: no b\nat: b.b\n"
        self.write(".lockstep/rules/no-b.yaml", rule)
        self.write("sub/baseline.txt", "# none\n")
        self.commit()
        self.write("b.yaml", "b: 1\n")
        self.write("a.yaml", "a: 1\na: 2\n")
        shutil.rmtree(os.path.join(self.root, ".lockstep"))
        baseline = os.path.join(self.root, "sub/baseline.txt")
        self.assertEqual(run(self.root, "--write-baseline", baseline).returncode, 0)
        self.assertEqual(self.lines("--baseline", baseline), [])
        self.assertEqual(self.lines("--base", "HEAD", "--config-from-base", "--baseline", baseline),
                         [("duplicate-key", "a.yaml", 2), ("no-b", "b.yaml", 1)])

    def test_a_change_of_the_config_shows_all(self):
        self.write("old.yaml", "o: 1\no: 2\n")
        self.write(".lockstep.yaml", "severity: { duplicate-key: off }\n")
        self.commit()
        self.write(".lockstep.yaml", "severity: { duplicate-key: error }\n")
        self.assertEqual(self.lines("--base", "HEAD", "--changed-only"), [("duplicate-key", "old.yaml", 2)])


class Staged(Repository):
    def setUp(self):
        super().setUp()
        self.write("a.yaml", "a: 1\n")
        self.commit()

    def test_the_index_is_judged_not_the_folder(self):
        self.write("a.yaml", "a: 1\na: 2\n")
        self.git("add", "a.yaml")
        self.write("a.yaml", "a: 1\n")
        self.write("b.yaml", "b: 1\nb: 2\n")
        self.assertEqual(self.lines("--staged"), [("duplicate-key", "a.yaml", 2)])
        self.git("reset", "-q")
        self.assertEqual(self.lines("--staged"), [])

    def test_the_config_is_that_of_the_index(self):
        self.write("a.yaml", "a: 1\na: 2\n")
        self.git("add", "a.yaml")
        self.write(".lockstep.yaml", "severity: { duplicate-key: off }\n")
        self.assertEqual(len(self.lines("--staged")), 1)
        self.git("add", ".lockstep.yaml")
        self.assertEqual(self.lines("--staged"), [])

    def test_before_the_first_commit_everything_is_new(self):
        fresh = os.path.join(self.place, "fresh")
        os.mkdir(fresh)
        self.git("init", "-q", cwd=fresh)
        with open(os.path.join(fresh, "a.yaml"), "w") as file:
            file.write("a: 1\na: 2\n")
        self.git("add", "-A", cwd=fresh)
        self.assertEqual(self.lines("--staged", "--changed-only", path=fresh), [("duplicate-key", "a.yaml", 2)])

    def hook(self, folder):
        path = os.path.join(folder, "pre-commit")
        with open(path, "w") as file:
            file.write(f"#!/bin/sh\nexec '{LOCKSTEP}' check --staged --changed-only\n")
        os.chmod(path, 0o755)

    def test_a_pre_commit_hook_sees_what_would_be_committed(self):
        self.hook(os.path.join(self.root, ".git/hooks"))
        second = os.path.join(self.place, "second")
        self.git("worktree", "add", "-q", second, "-b", "second")
        for folder in (self.root, second):
            with open(os.path.join(folder, "bad.yaml"), "w") as file:
                file.write("a: 1\na: 2\n")
            with open(os.path.join(folder, "good.yaml"), "w") as file:
                file.write("a: 1\n")
            self.git("add", "-A", cwd=folder)
            commit = lambda *words: subprocess.run(["git", "commit", "-q", "-m", "x", *words], cwd=folder, env=ENVIRONMENT, capture_output=True)
            refused = commit()
            self.assertEqual(refused.returncode, 1, folder)
            self.assertIn(b"bad.yaml:2:1: error", refused.stdout + refused.stderr)
            # Only this file: git hands the hook an index of its own, in GIT_INDEX_FILE.
            part = commit("--", "good.yaml")
            self.assertEqual(part.returncode, 0, part.stdout + part.stderr)

    def test_an_unmerged_index_is_refused(self):
        self.git("checkout", "-q", "-b", "work")
        self.write("a.yaml", "a: 2\n")
        self.commit()
        self.git("checkout", "-q", "main")
        self.write("a.yaml", "a: 3\n")
        self.commit()
        self.git("merge", "-q", "work", check=False)
        self.assertIn("a.yaml is not merged yet", self.refused("--staged"))


class Diff(Repository):
    def test_pins_edges_sources_and_objects_with_both_values_and_places(self):
        self.write("charts/web/Chart.yaml", CHART.format("1.0.0") + "dependencies:\n  - name: redis\n    version: 19.0.0\n    repository: https://example.org/charts\n")
        self.write("apps/web.yaml", RELEASE.format("1.0.0"))
        self.write("apps/gone.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: gone\n")
        self.write("apps/moved.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: moved\n")
        self.write("run.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: run\nspec:\n  template:\n    spec:\n      containers:\n        - name: c\n          image: registry.example.org:5000/acme/run:1.0\n")
        self.commit()
        self.write("charts/web/Chart.yaml", "# bumped\n" + CHART.format("1.1.0") + "dependencies:\n  - name: redis\n    version: 19.1.0\n    repository: https://example.org/charts\n")
        self.write("apps/web.yaml", RELEASE.format("1.1.0") + "  dependsOn:\n    - name: db\n")
        os.remove(os.path.join(self.root, "apps/gone.yaml"))
        os.rename(os.path.join(self.root, "apps/moved.yaml"), os.path.join(self.root, "moved.yaml"))
        self.write("apps/new.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: new\n")
        self.write("run.yaml", self.git("show", "HEAD:run.yaml").replace(":1.0", ":1.1") + "\n")
        done = run("diff", self.root, "--base", "HEAD")
        self.assertEqual(done.returncode, 0, done.stderr)
        text = " ".join(done.stdout.decode().split())
        for words in ("3 files changed, 2 added, 2 removed", "chart web 1.0.0 -> 1.1.0 charts/web/Chart.yaml:4 (was line 3)",
                      "dependency redis of web 19.0.0 -> 19.1.0", "HelmRelease web/web version 1.0.0 -> 1.1.0 apps/web.yaml:11",
                      "HelmRelease web/web waits for HelmRelease db added apps/web.yaml:14",
                      "image registry.example.org:5000/acme/run in Deployment run 1.0 -> 1.1 run.yaml:10",
                      "ConfigMap gone removed apps/gone.yaml:4", "ConfigMap new added apps/new.yaml:4",
                      "ConfigMap moved moved moved.yaml:4 (was apps/moved.yaml:4)"):
            self.assertIn(words, text)
        page = run("diff", self.root, "--base", "HEAD", "--format", "markdown").stdout.decode()
        self.assertIn("| `chart web` | `1.0.0` | `1.1.0` | `charts/web/Chart.yaml:4 (was line 3)` |", page)
        self.git("add", "-A")
        self.assertEqual(run("diff", self.root, "--staged").stdout.decode().split(": ", 1)[1], done.stdout.decode().split(": ", 1)[1])

    def test_nothing_changed_says_so(self):
        self.write("a.yaml", "a: 1\n")
        self.commit()
        self.assertIn(b"nothing changed", run("diff", self.root, "--base", "HEAD").stdout)
        self.assertIn(b"no file differs", run("diff", self.root, "--base", "HEAD", "--format", "markdown").stdout)
        self.write("a.yaml", "a: 1 # said\n")
        text = run("diff", self.root, "--base", "HEAD").stdout
        self.assertIn(b"1 file changed", text)
        self.assertIn(b"nothing changed", text)


@unittest.skipUnless(os.path.isdir(CORPUS), "the corpus is not there")
class Corpus(Repository):
    def take(self, name):
        for entry in os.listdir(self.root):
            if entry != ".git":
                path = os.path.join(self.root, entry)
                shutil.rmtree(path) if os.path.isdir(path) and not os.path.islink(path) else os.remove(path)
        shutil.copytree(os.path.join(CORPUS, name), self.root, dirs_exist_ok=True, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        return self.commit()

    def replace(self, path, old, new):
        with open(os.path.join(self.root, path)) as file:
            text = file.read()
        self.assertIn(old, text)
        self.write(path, text.replace(old, new))

    def errors(self, base):
        report = self.report("--base", base, "--changed-only")
        return {(f["rule"], f["path"]) for f in report["findings"] if f["severity"] == "error"}

    def test_aligning_flux_brings_no_split_and_shows_the_drift_where_the_change_is(self):
        base = self.take("openova-flux-split")
        self.take("openova-flux-aligned")
        self.assertEqual(self.errors(base), {("pin-half-moved", "platform/flux/chart/Chart.yaml"),
                                             ("flux-field-unknown", "clusters/_template/bootstrap-kit/03-flux.yaml")})
        text = " ".join(run("diff", self.root, "--base", base).stdout.decode().split())
        self.assertIn("dependency flux2 of bp-flux 2.13.0 -> 2.14.1 platform/flux/chart/Chart.yaml:44 (was line 25)", text)
        self.assertIn("8 files changed, 1 added, 0 removed", text)

    def test_one_flux_pin_moved_is_found_on_the_side_that_moved(self):
        self.take("openova-flux-aligned")
        self.replace("platform/flux/chart/Chart.yaml", "2.14.1", "2.13.0")
        chart = self.errors("HEAD")
        self.assertEqual({path for _, path in chart}, {"platform/flux/chart/Chart.yaml"})
        self.git("checkout", "-q", ".")
        self.replace("infra/hetzner/cloudinit-control-plane.tftpl", "download/v2.4.0/install", "download/v2.5.0/install")
        self.assertEqual({path for _, path in self.errors("HEAD")}, {"infra/hetzner/cloudinit-control-plane.tftpl"})

    def test_adding_force_brings_no_error_and_taking_it_away_brings_one(self):
        flip = self.take("openova-strategy-flip")
        fixed = self.take("openova-strategy-fixed")
        self.assertEqual(self.errors(flip), set())
        deployment = "products/catalyst/chart/templates/api-deployment.yaml"
        self.git("checkout", "-q", flip, "--", deployment)
        self.assertEqual({path for _, path in self.errors(fixed)}, {deployment})


if __name__ == "__main__":
    unittest.main(verbosity=1)
