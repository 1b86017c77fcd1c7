#!/usr/bin/env python3
"""Measures rendering: public charts in one run beside what `helm template` needs for each, and a repository of 800 charts.

    tests/bench/charts.py build [--charts FOLDER]

Rendering, with the objects that come out, is what a run needs beyond one over the same files whose charts are all libraries: these
are read and not rendered.
FOLDER holds NAME/chart/ and NAME/cases.json; without it, or where it is not there, only the made repository is measured.
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile

HELM_SECONDS = 0.045  # processor time of one `helm template`, the median of the same charts
SHARE = 20            # at most a twentieth of it
CHARTS = 800
MOST_SECONDS = 10     # of wall time for the made repository

SYNC = """apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: { name: flux-system, namespace: flux-system }
spec: { interval: 1m, url: "https://git.example.org/team/fleet", ref: { branch: main } }
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: flux-system, namespace: flux-system }
spec: { interval: 10m, path: ./clusters/prod, prune: true, sourceRef: { kind: GitRepository, name: flux-system } }
"""
RELEASE = """apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: app-%(i)d, namespace: flux-system }
spec:
  interval: 10m
  chart: { spec: { chart: ./charts/app-%(i)d, sourceRef: { kind: GitRepository, name: flux-system } } }
  values: { replicas: %(i)d, image: { tag: "1.%(i)d.0" } }
"""
VALUES = """replicas: 1
image: { repository: registry.example/app-%(i)d, tag: "1.0.0" }
service: { port: 80 }
ingress: { enabled: true, hosts: [a.example.org, b.example.org] }
resources: { requests: { cpu: 100m, memory: 128Mi }, limits: { memory: 256Mi } }
"""
HELPERS = """{{- define "app.name" -}}{{ .Chart.Name | trunc 63 | trimSuffix "-" }}{{- end -}}
{{- define "app.labels" -}}
app.kubernetes.io/name: {{ include "app.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- end -}}
"""
DEPLOYMENT = """apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "app.name" . }}
  labels: {{- include "app.labels" . | nindent 4 }}
spec:
  replicas: {{ .Values.replicas }}
  selector: { matchLabels: { app: {{ include "app.name" . }} } }
  template:
    metadata:
      labels: { app: {{ include "app.name" . }} }
    spec:
      containers:
        - name: main
          image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
          resources: {{- toYaml .Values.resources | nindent 12 }}
"""
SERVICE = """apiVersion: v1
kind: Service
metadata:
  name: {{ include "app.name" . }}
  labels: {{- include "app.labels" . | nindent 4 }}
spec:
  selector: { app: {{ include "app.name" . }} }
  ports: [{ port: {{ .Values.service.port }}, targetPort: http }]
{{- range .Values.ingress.hosts }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ include "app.name" $ }}-{{ . | replace "." "-" }}
data:
  host: {{ . | quote }}
{{- end }}
"""


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def make_repository(root):
    write(f"{root}/clusters/prod/flux-system/gotk-sync.yaml", SYNC)
    for i in range(CHARTS):
        chart = f"{root}/charts/app-{i}"
        write(f"{root}/clusters/prod/app-{i}.yaml", RELEASE % {"i": i})
        write(f"{chart}/Chart.yaml", f"apiVersion: v2\nname: app-{i}\nversion: 1.0.0\nappVersion: 1.0.0\n")
        write(f"{chart}/values.yaml", VALUES % {"i": i})
        write(f"{chart}/templates/_helpers.tpl", HELPERS)
        write(f"{chart}/templates/deployment.yaml", DEPLOYMENT)
        write(f"{chart}/templates/service.yaml", SERVICE)


def measured(command):
    """Processor and wall seconds, and the peak in MB of all that ran so far."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = os.times().elapsed
    run = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    wall = os.times().elapsed - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if run.returncode not in (0, 1):
        sys.exit(run.stderr.decode())
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall, after.ru_maxrss / 1024


def rendering_charts(folder):
    """Those that render with their own values."""
    names = []
    for name in sorted(os.listdir(folder)):
        cases = os.path.join(folder, name, "cases.json")
        if not os.path.isfile(cases):
            continue
        with open(cases, encoding="utf-8") as file:
            found = json.load(file)
        found = found["cases"] if isinstance(found, dict) else found
        if any(one.get("exit", 0) == 0 for one in found):
            names.append(name)
    return names


def make_library(path):
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file.read().splitlines() if not line.startswith("type:")]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join([*lines, "type: library", ""]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--charts", default=os.path.join(os.path.dirname(__file__), "..", "..", "..", "shared", "oracles", "helm"))
    args = parser.parse_args()
    lockstep = os.path.join(args.build, "lockstep")
    failed = False
    if os.path.isdir(args.charts):
        names = rendering_charts(args.charts)
        with tempfile.TemporaryDirectory() as root:
            for name in names:
                os.symlink(os.path.abspath(os.path.join(args.charts, name, "chart")), os.path.join(root, name))
            copies = [root + "-charts", root + "-libraries"]
            for copy in copies:
                subprocess.run(["cp", "-rL", root + "/.", copy], check=True)
            for name in names:
                make_library(os.path.join(copies[1], name, "Chart.yaml"))
            whole, read = (min(measured([lockstep, "check", copy, "--only", "chart-render-fails", "-j", "1"])[0] for _ in range(5))
                           for copy in copies)
            subprocess.run(["rm", "-rf", *copies], check=True)
        each, most = (whole - read) / len(names), HELM_SECONDS / SHARE
        failed = each > most
        print(f"{len(names)} public charts in one run: {whole:.2f} s of processor time, {(whole - read):.2f} s of it to render them, "
              f"{each * 1000:.2f} ms each, 1/{HELM_SECONDS / each:.0f} of helm template (at most {most * 1000:.2f} ms): "
              f"{'too slow' if failed else 'met'}")
    else:
        print("the public charts are not there: not measured")
    with tempfile.TemporaryDirectory() as root:
        make_repository(root)
        cpu, wall, peak = measured([lockstep, "check", root])
    print(f"a repository of {CHARTS} charts with releases: {wall:.2f} s, {cpu:.2f} s of processor time, peak {peak:.0f} MB "
          f"(at most {MOST_SECONDS} s): {'met' if wall <= MOST_SECONDS else 'too slow'}")
    sys.exit(1 if failed or wall > MOST_SECONDS else 0)


if __name__ == "__main__":
    main()
