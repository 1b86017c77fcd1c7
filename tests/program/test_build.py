#!/usr/bin/env python3
"""`lockstep build` as a user meets it."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

LOCKSTEP = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "lockstep"

CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  color: red\n"


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        self.put("base/kustomization.yaml", "resources:\n- a.yaml\n")
        self.put("base/a.yaml", CONFIG_MAP)
        self.put("over/kustomization.yaml", "resources:\n- ../base\nnamespace: shop\n")

    def put(self, path, text):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def run_build(self, *arguments):
        return subprocess.run([LOCKSTEP, "build", *arguments], capture_output=True, cwd=self.root, text=True, timeout=60)


class Build(Folder):
    def test_yaml_as_kustomize_writes_it(self):
        done = self.run_build("over")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, "apiVersion: v1\ndata:\n  color: red\nkind: ConfigMap\nmetadata:\n"
                                      "  name: settings\n  namespace: shop\n")

    def test_places_name_the_file_and_line_of_each_line(self):
        lines = self.run_build("over", "--places").stdout.splitlines()
        self.assertEqual(lines[0].split(), ["base/a.yaml:1", "|", "apiVersion:", "v1"])
        self.assertEqual(lines[-1].split(), ["over/kustomization.yaml:3", "|", "namespace:", "shop"])

    def test_json_is_a_list_of_objects(self):
        objects = json.loads(self.run_build("over", "--format", "json").stdout)
        self.assertEqual([one["metadata"]["namespace"] for one in objects], ["shop"])

    def test_one_file_per_object(self):
        self.assertEqual(self.run_build("over", "-o", "out").stdout, "")
        self.assertEqual(os.listdir(os.path.join(self.root, "out")), ["v1_configmap_settings.yaml"])

    def test_what_kustomize_refuses_ends_with_2_and_its_place(self):
        self.put("bad/kustomization.yaml", "resources:\n- gone.yaml\n")
        done = self.run_build("bad")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("bad/kustomization.yaml:2: accumulating resources: ", done.stderr)
        self.assertIn("no such file or directory", done.stderr)

    def test_what_is_elsewhere_is_left_out_and_told(self):
        self.put("far/kustomization.yaml", "resources:\n- https://example.com/x.yaml\n- a.yaml\n")
        self.put("far/a.yaml", CONFIG_MAP)
        done = self.run_build("far")
        self.assertEqual(done.returncode, 1)
        self.assertIn("kind: ConfigMap", done.stdout)
        self.assertIn("far/kustomization.yaml:2: left out: ", done.stderr)


def flux(name, path, more=""):
    return ("apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"
            f"metadata: {{ name: {name}, namespace: flux-system }}\nspec:\n  path: {path}\n"
            f"  sourceRef: {{ kind: GitRepository, name: flux-system }}\n{more}---\n")


class FleetBuild(Folder):
    """What a Flux Kustomization and what a cluster gets."""

    def setUp(self):
        super().setUp()
        self.put("base/a.yaml", CONFIG_MAP.replace("red", "${color:=red} ${size}"))
        for cluster, color in ("prod", "blue"), ("test", "green"):
            self.put(f"clusters/{cluster}/apps.yaml",
                     flux("apps", "./base", "  targetNamespace: shop\n  commonMetadata: { labels: { team: web } }\n"
                          f"  postBuild: {{ substitute: {{ color: {color}, size: large }} }}\n"))
        self.put("clusters/prod/more.yaml", flux("more", "./over"))

    def test_a_flux_kustomization_after_all_its_edits(self):
        done = self.run_build("--flux", "apps", "--cluster", "clusters/prod")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, "apiVersion: v1\ndata:\n  color: blue large\nkind: ConfigMap\nmetadata:\n  labels:\n"
                                      "    kustomize.toolkit.fluxcd.io/name: apps\n"
                                      "    kustomize.toolkit.fluxcd.io/namespace: flux-system\n    team: web\n"
                                      "  name: settings\n  namespace: shop\n")
        self.assertEqual(self.run_build("--flux", "flux-system/apps", "--cluster", "prod").stdout, done.stdout)

    def test_places_and_json_of_a_flux_kustomization(self):
        lines = self.run_build("--flux", "apps", "--cluster", "test", "--places").stdout.splitlines()
        self.assertEqual(lines[0].split(), ["base/a.yaml:1", "|", "apiVersion:", "v1"])
        objects = json.loads(self.run_build("--flux", "apps", "--cluster", "test", "--format", "json").stdout)
        self.assertEqual([one["data"]["color"] for one in objects], ["green large"])

    def test_a_cluster_gets_all_of_its_roots(self):
        done = self.run_build("--cluster", "prod", "--format", "json")
        names = [(one["kind"], one["metadata"]["name"], one["metadata"].get("namespace")) for one in json.loads(done.stdout)]
        self.assertEqual(names.count(("ConfigMap", "settings", "shop")), 2)
        self.assertEqual([one for one in names if one[0] == "Kustomization"],
                         [("Kustomization", "apps", "flux-system"), ("Kustomization", "more", "flux-system")])

    def test_a_cluster_as_files_has_a_folder_for_each_of_its_roots(self):
        self.assertEqual(self.run_build("--cluster", "prod", "-o", "out").stdout, "")
        self.assertEqual(sorted(os.listdir(os.path.join(self.root, "out"))),
                         ["begins-with", "flux-system_apps", "flux-system_more"])
        self.assertEqual(os.listdir(os.path.join(self.root, "out", "flux-system_apps")), ["v1_configmap_settings.yaml"])

    def test_a_variable_that_nothing_here_supplies_is_told(self):
        self.put("clusters/prod/apps.yaml", flux("apps", "./base", "  postBuild: { substituteFrom: [{ kind: Secret, name: s }] }\n"))
        done = self.run_build("--flux", "apps", "--cluster", "prod")
        self.assertEqual(done.returncode, 1)
        self.assertIn("${size}", done.stdout)
        self.assertIn("clusters/prod/apps.yaml:5: left out: values of variables: Secret s is not in", done.stderr)

    def test_a_source_that_is_another_repository_is_told(self):
        self.put("clusters/prod/far.yaml", flux("far", "./base").replace("name: flux-system }\n---", "name: far }\n---") +
                 "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: { name: far, namespace: flux-system }\n"
                 "spec: { url: https://example.com/far/far }\n---\n"
                 "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: { name: flux-system, namespace: flux-system }\n"
                 "spec: { url: https://example.com/our/fleet }\n")
        self.put("clusters/prod/all.yaml", flux("all", "./clusters/prod"))
        done = self.run_build("--flux", "far")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("left out: its source is another repository", done.stderr)

    def test_what_kustomize_refuses_ends_with_2(self):
        self.put("base/kustomization.yaml", "resources:\n- gone.yaml\n")
        done = self.run_build("--flux", "more")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("base/kustomization.yaml:2: accumulation err=", done.stderr)

    def refused(self, *arguments):
        done = self.run_build(*arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        return done.stderr

    def test_names_that_are_unknown_or_not_enough(self):
        self.assertIn("several clusters have a Flux Kustomization `apps`", self.refused("--flux", "apps"))
        self.assertIn("one of clusters/prod, clusters/test", self.refused("--flux", "apps"))
        self.assertIn("did you mean `flux-system/more`?", self.refused("--flux", "mroe"))
        self.assertIn("did you mean `flux-system/apps`?", self.refused("--flux", "flux-sytem/apps"))
        self.assertIn("it has flux-system/apps, flux-system/more", self.refused("--flux", "something-else"))
        self.assertIn("there is no cluster `pord`", self.refused("--cluster", "pord"))
        self.assertIn("did you mean `clusters/prod`?", self.refused("--cluster", "pord"))
        self.put("clusters/prod/other.yaml", flux("more", "./over").replace("namespace: flux-system }\nspec", "namespace: web }\nspec"))
        self.assertIn("it is one of flux-system/more, web/more", self.refused("--flux", "more"))


if __name__ == "__main__":
    unittest.main()
