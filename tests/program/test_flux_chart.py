#!/usr/bin/env python3
"""The chart that installs Flux: it renders, and each way to break it is found on its own line."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

LOCKSTEP = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "lockstep"
SOURCE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "."
CHART = os.path.join(SOURCE, "..", "shared", "corpus", "openova-flux-aligned", "platform", "flux", "chart")
CONTROLLERS = ["source", "kustomize", "helm", "notification"]
DEPLOYMENT = """{{- if .Values.%(name)sController.create }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: %(name)s-controller
  labels: {{- include "flux2.labels" . | nindent 4 }}
spec:
  replicas: {{ .Values.%(name)sController.replicas }}
  selector: { matchLabels: { app: %(name)s-controller } }
  template:
    metadata: { labels: { app: %(name)s-controller } }
    spec:
      containers:
        - name: manager
          image: "ghcr.io/fluxcd/%(name)s-controller:{{ .Values.%(name)sController.tag }}"
          resources: {{- toYaml .Values.%(name)sController.resources | nindent 12 }}
{{- end }}
"""
VALUES = "installCRDs: true\n" + "".join(
    f"{name}Controller:\n  create: true\n  replicas: 1\n  tag: v1.4.1\n  resources: {{}}\n" for name in CONTROLLERS)


@unittest.skipUnless(os.path.isdir(CHART), "no corpus beside the project")
class FluxChart(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.chart = os.path.join(self.folder, "flux", "chart")
        shutil.copytree(CHART, self.chart)
        self.write("charts/flux2/Chart.yaml", "apiVersion: v2\nname: flux2\nversion: 2.14.1\nappVersion: 2.4.0\n")
        self.write("charts/flux2/values.yaml", VALUES)
        self.write("charts/flux2/templates/_helpers.tpl",
                   '{{- define "flux2.labels" -}}\napp.kubernetes.io/instance: {{ .Release.Name }}\n{{- end -}}\n')
        for name in CONTROLLERS:
            self.write(f"charts/flux2/templates/{name}-controller.yaml", DEPLOYMENT % {"name": name})

    def write(self, path, text):
        path = os.path.join(self.chart, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def change(self, path, old, new):
        with open(os.path.join(self.chart, path), encoding="utf-8") as file:
            text = file.read()
        self.assertIn(old, text)
        text = text.replace(old, new, 1)
        self.write(path, text)
        last = new.rstrip().rsplit("\n", 1)[-1]
        return f"flux/chart/{path}:{text[:text.index(last)].count(chr(10)) + 1}"

    def found(self, rule):
        run = subprocess.run([LOCKSTEP, "check", self.folder, "--format", "json", "--only", rule],
                             capture_output=True, text=True, check=False)
        self.assertIn(run.returncode, (0, 1), run.stderr)
        return [f"{one['path']}:{one['line']}" for one in json.loads(run.stdout)["findings"]]

    def test_it_renders(self):
        run = subprocess.run([LOCKSTEP, "build", self.chart], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        for name in CONTROLLERS:
            self.assertIn(f"  name: {name}-controller\n", run.stdout)
        for rule in ["flux-controller-off", "template-broken", "chart-render-fails", "values-path-undefined"]:
            self.assertEqual(self.found(rule), [], rule)

    def test_a_missing_controller(self):
        os.remove(os.path.join(self.chart, "charts/flux2/templates/helm-controller.yaml"))
        self.assertEqual(len(self.found("flux-controller-off")), 1)
        self.assertTrue(self.found("flux-controller-off")[0].startswith("flux/chart/Chart.yaml:"))

    def test_a_condition_that_is_off(self):
        self.change("Chart.yaml", '    version: "2.14.1"\n', '    version: "2.14.1"\n    condition: flux2.enabled\n')
        place = self.change("values.yaml", "\nflux2:\n", "\nflux2:\n  enabled: false\n")
        self.assertEqual(self.found("flux-controller-off"), [place])

    def test_a_controller_that_is_not_created(self):
        for no in ["no", "off", "false"]:
            place = self.change("values.yaml", "  helmController:\n", f"  helmController:\n    create: {no}\n")
            self.assertEqual(self.found("flux-controller-off"), [place])
            self.change("values.yaml", f"  helmController:\n    create: {no}\n", "  helmController:\n")

    def test_no_replicas(self):
        place = self.change("values.yaml", "  helmController:\n", "  helmController:\n    replicas: 0\n")
        self.assertEqual(self.found("flux-controller-off"), [place])

    def test_a_broken_template(self):
        self.write("templates/policy.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name | quot }}\n")
        self.assertEqual(self.found("template-broken"), ["flux/chart/templates/policy.yaml:4"])

    def test_an_undefined_include(self):
        self.write("templates/policy.yaml",
                   'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ include "bp-flux.nmae" . }}\n')
        self.assertEqual(self.found("template-broken"), ["flux/chart/templates/policy.yaml:4"])

    def test_an_undefined_include_that_does_not_run(self):
        self.write("templates/policy.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: policy\n"
                   '  {{- if .Values.policy }}\n  labels: {{ include "bp-flux.labels" . }}\n  {{- end }}\n')
        self.assertEqual(self.found("template-broken"), ["flux/chart/templates/policy.yaml:6"])

    def test_a_nil_path(self):
        self.write("templates/policy.yaml",
                   "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Values.flux2.policy.name }}\n")
        self.assertEqual(self.found("values-path-undefined"), ["flux/chart/templates/policy.yaml:4"])


if __name__ == "__main__":
    unittest.main()
