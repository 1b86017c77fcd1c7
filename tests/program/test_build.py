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

    def test_every_object_has_a_file_of_its_own(self):
        one = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: %s%s }\n"
        self.put("many/kustomization.yaml", "resources: [a.yaml]\n")
        self.put("many/a.yaml", "---\n".join([one % ("x", ""), one % ("x", ", namespace: shop"), one % ("X", ", namespace: shop"),
                                              "apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n"]))
        self.assertEqual(self.run_build("many", "-o", "out").stdout, "")
        out = os.path.join(self.root, "out")
        self.assertEqual(sorted(os.listdir(out)), ["default_v1_configmap_x.yaml", "shop_v1_configmap_x.yaml",
                                                   "shop_v1_configmap_x_2.yaml", "v1_namespace_shop.yaml"])
        with open(os.path.join(out, "shop_v1_configmap_x_2.yaml"), encoding="utf-8") as file:
            self.assertIn("name: x\n", file.read())

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

    def test_what_a_strict_flux_refuses_is_refused(self):
        self.put("clusters/prod/flux-system/gotk-components.yaml", "# Flux Version: v2.9.0\n# Components: source-controller,kustomize-controller\n"
                 "apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: source-controller, namespace: flux-system }\n"
                 "spec:\n  template:\n    spec:\n      containers: [{ name: manager, image: ghcr.io/fluxcd/source-controller:v1.9.0 }]\n")
        self.put("script/map.yaml", CONFIG_MAP.replace("color: red", "run: cd ${DIR}"))
        for given, code in (("OTHER", 2), ("DIR", 0)):
            self.put("clusters/prod/apps.yaml", flux("apps", "./script", f"  postBuild: {{ substitute: {{ {given}: a }} }}\n"))
            done = self.run_build("--flux", "apps", "--cluster", "prod")
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertEqual("script/map.yaml" in done.stderr and "makes Flux refuse the whole Kustomization" in done.stderr, code == 2, done.stderr)

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


class Chart(Folder):
    """The options that `helm template` has."""

    def setUp(self):
        super().setUp()
        self.put("web/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n")
        self.put("web/values.yaml", "color: red\nport: 80\n")
        self.put("web/templates/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}\n"
                 "  namespace: {{ .Release.Namespace }}\ndata:\n  color: {{ .Values.color }}\n  port: {{ .Values.port | toJson }}\n"
                 "  version: {{ .Capabilities.KubeVersion.Version }}\n  has: {{ .Capabilities.APIVersions.Has \"acme.io/v1\" | quote }}\n")
        self.put("web/templates/b.yaml", "apiVersion: v1\nkind: Secret\nmetadata: { name: b }\n")

    def built(self, *arguments):
        done = self.run_build("web", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_names_values_and_capabilities(self):
        self.put("more.yaml", "color: green\n")
        text = self.built("--release", "shop", "--namespace", "prod", "--values", "more.yaml", "--set", "port=81",
                          "--kube-version", "1.31.2", "--api-versions", "acme.io/v1")
        for line in ("name: shop", "namespace: prod", "color: green", "port: 81", "version: v1.31.2", 'has: "true"'):
            self.assertIn(f"  {line}\n", text)
        text = self.built("--set-string", "port=81", "-f", "more.yaml", "--set", "color=blue")
        for line in ("name: release-name", "namespace: default", "color: blue", 'port: "81"', 'has: "false"'):
            self.assertIn(f"  {line}\n", text)

    def test_one_template_alone(self):
        text = self.built("--show-only", "templates/b.yaml")
        self.assertTrue(text.startswith("---\n# Source: web/templates/b.yaml\n"), text)
        self.assertNotIn("ConfigMap", text)
        done = self.run_build("web", "-s", "templates/c.yaml")
        self.assertEqual(done.returncode, 2)
        self.assertIn("could not find template templates/c.yaml in chart", done.stderr)

    def test_what_follows_an_option_may_be_the_chart(self):
        self.put("one.yaml", "color: green\nport: 1\n")
        self.put("two.yaml", "color: blue\n")
        for files in (["-f", "one.yaml,two.yaml"], ["-f", "one.yaml", "-f", "two.yaml"]):
            done = self.run_build(*files, "-a", "b/v1,acme.io/v1", "--set", "port=2", "web")
            for line in ("color: blue", "port: 2", 'has: "true"'):
                self.assertIn(f"  {line}\n", done.stdout, done.stderr)

    def test_options_that_helm_refuses(self):
        for options, words in ((["--kube-version", "new"], "invalid kube version 'new': invalid semantic version"),
                               (["--release", "Shop"], 'release name "Shop": invalid release name'),
                               (["--release", "a" * 54], "the length must not be longer than 53"),
                               (["--release", "a..b"], "invalid release name")):
            done = self.run_build("web", *options)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(words, done.stderr)
        self.assertIn("name: a.b-c\n", self.built("--release", "a.b-c"))

    def test_objects_as_json_and_as_files(self):
        objects = json.loads(self.built("--format", "json"))
        self.assertEqual([one["kind"] for one in objects], ["Secret", "ConfigMap"])
        self.assertEqual(self.built("--into", "out"), "")
        self.assertEqual(sorted(os.listdir(os.path.join(self.root, "out"))),
                         ["v1_configmap_release-name.yaml", "v1_secret_b.yaml"])
        with open(os.path.join(self.root, "out", "v1_secret_b.yaml"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "apiVersion: v1\nkind: Secret\nmetadata: { name: b }\n")

    def test_places_of_values_and_templates(self):
        lines = self.built("--places").splitlines()
        found = [line for line in lines if line.endswith("  color: red")]
        self.assertRegex(found[0], r"^templates/a.yaml:7 <- values.yaml:1 +\|")
        self.assertLess(max(line.index("|") for line in lines), 62)


if __name__ == "__main__":
    unittest.main()
