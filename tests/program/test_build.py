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


class Build(unittest.TestCase):
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


if __name__ == "__main__":
    unittest.main()
