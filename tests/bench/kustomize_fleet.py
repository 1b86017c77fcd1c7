#!/usr/bin/env python3
"""Measures building a fleet of kustomizations over shared bases, beside the real kustomize where it is installed.

    tests/bench/kustomize_fleet.py build [--kustomize PATH] [--sample 40]

The real one builds a sample of the overlays, one process each; its start-up (`kustomize version`) is subtracted.
"""
import argparse
import json
import os
import resource
import shutil
import subprocess
import tempfile

OVERLAYS, BASES, APPS = 2000, 20, 4

DEPLOYMENT = """apiVersion: apps/v1
kind: Deployment
metadata:
  name: app-{i}
  labels: {{app: app-{i}}}
spec:
  replicas: 1
  selector:
    matchLabels: {{app: app-{i}}}
  template:
    metadata:
      labels: {{app: app-{i}}}
    spec:
      serviceAccountName: app-{i}
      containers:
      - name: main
        image: registry.example.com/team/app-{i}:1.0.0
        ports:
        - containerPort: 8080
          name: http
        env:
        - name: LEVEL
          value: info
        envFrom:
        - configMapRef: {{name: app-{i}-env}}
        resources:
          requests: {{cpu: 100m, memory: 128Mi}}
          limits: {{memory: 256Mi}}
      - name: side
        image: registry.example.com/team/side:2.1.0
---
apiVersion: v1
kind: Service
metadata:
  name: app-{i}
spec:
  selector: {{app: app-{i}}}
  ports:
  - port: 80
    targetPort: http
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: app-{i}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: app-{i}
spec:
  rules:
  - host: app-{i}.example.com
    http:
      paths:
      - path: /
        pathType: Prefix
        backend:
          service: {{name: app-{i}, port: {{number: 80}}}}
"""
OVERLAY = """resources:
- ../../bases/base-{base}
namespace: team-{i}
namePrefix: t{i}-
labels:
- pairs: {{team: team-{i}}}
images:
- name: registry.example.com/team/side
  newTag: 3.{i}.0
configMapGenerator:
- name: app-0-env
  literals: [TEAM=team-{i}]
patches:
- patch: |
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: app-1
    spec:
      replicas: 3
      template:
        spec:
          containers:
          - name: main
            env:
            - name: TEAM
              value: team-{i}
"""


def put(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def make_fleet(root):
    for base in range(BASES):
        folder = f"{root}/bases/base-{base}"
        put(f"{folder}/kustomization.yaml", "resources:\n" + "".join(f"- app-{i}.yaml\n" for i in range(APPS)))
        for i in range(APPS):
            put(f"{folder}/app-{i}.yaml", DEPLOYMENT.format(i=i))
    for i in range(OVERLAYS):
        put(f"{root}/overlays/team-{i}/kustomization.yaml", OVERLAY.format(i=i, base=i % BASES))


def processor_time(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--kustomize", default=shutil.which("kustomize"))
    parser.add_argument("--sample", type=int, default=40)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as root:
        make_fleet(root)
        _, text = processor_time([f"{options.build}/tests/bench/build_fleet", root])
        ours = json.loads(text)
        print(f"kustomize fleet: {ours['builds']} builds, {ours['objects']} objects, {ours['bytes']:,} bytes: "
              f"{ours['seconds']:.2f} s of processor time; identities alone {ours['identities']:.2f} s")
        if not options.kustomize:
            print("kustomize fleet: no kustomize here to compare with")
            return
        start = min(processor_time([options.kustomize, "version"])[0] for _ in range(5))
        picked = range(0, OVERLAYS, max(1, OVERLAYS // options.sample))
        each = sum(processor_time([options.kustomize, "build", f"{root}/overlays/team-{i}"])[0] - start
                   for i in picked) / len(picked)
        whole = each * ours["builds"]
        print(f"kustomize fleet: the real one {each * 1000:.1f} ms each, start-up subtracted: {whole:.1f} s for all, "
              f"{whole / ours['seconds']:.0f} times as much")


if __name__ == "__main__":
    main()
