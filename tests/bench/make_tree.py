#!/usr/bin/env python3
"""Writes a GitOps repository of a given number of YAML files, the same bytes for the same number: make_tree.py DIR FILES
[tenants].

Shaped like real ones: applications with a kustomization, a Deployment, a Service, a HelmRelease and settings each; own
charts with templates; Flux Kustomizations per cluster; now and then a bundle of several documents, and a file of 1 MB.
With `tenants` all applications go by the same names, each in a namespace of its own."""
import os
import sys

APPS_PER_CHART = 8
BIG_EVERY = 1000  # one file of 1 MB for so many files
TEAMS = 40


class Writer:
    def __init__(self, root, wanted):
        self.root, self.left, self.made, self.bytes = root, wanted, set(), 0

    def write(self, path, text):
        """False once there are enough files."""
        if self.left == 0:
            return False
        folder = os.path.join(self.root, os.path.dirname(path))
        if folder not in self.made:
            os.makedirs(folder, exist_ok=True)
            self.made.add(folder)
        with open(os.path.join(self.root, path), "w", encoding="utf-8") as file:
            file.write(text)
        self.bytes += len(text.encode())
        self.left -= 1
        return True


def deployment(name, number):
    env = "".join(f"            - name: SETTING_{i}\n              value: \"{name}-{(number * 7 + i) % 97}\"\n" for i in range(12))
    return f"""# {name}: two replicas behind a Service
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {name}
  labels: {{ app.kubernetes.io/name: {name}, app.kubernetes.io/part-of: team-{number % TEAMS} }}
spec:
  replicas: 2
  strategy:
    type: RollingUpdate
    rollingUpdate: {{ maxSurge: 1, maxUnavailable: 0 }}
  selector:
    matchLabels:
      app.kubernetes.io/name: {name}
  template:
    metadata:
      labels:
        app.kubernetes.io/name: {name}
    spec:
      containers:
        - name: main
          image: registry.example.org/{name}:1.{number % 30}.{number % 7}
          ports:
            - containerPort: 8080
          env:
{env}          resources:
            requests: {{ cpu: 50m, memory: 64Mi }}
            limits: {{ memory: 256Mi }}
          readinessProbe:
            httpGet: {{ path: /ready, port: 8080 }}
"""


def service(name):
    return f"""apiVersion: v1
kind: Service
metadata:
  name: {name}
spec:
  selector:
    app.kubernetes.io/name: {name}
  ports:
    - name: http
      port: 80
      targetPort: 8080
"""


def settings(name, number):
    lines = "".join(f"    key.{i} = value {number + i}\n" for i in range(25))
    return f"""apiVersion: v1
kind: ConfigMap
metadata:
  name: {name}-settings
data:
  mode: "steady"
  app.properties: |
{lines}"""


def release(name, number, chart):
    return f"""apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: {name}
  namespace: team-{number % TEAMS}
spec:
  interval: 30m
  chart:
    spec:
      chart: {chart}
      version: 1.2.0
      sourceRef: {{ kind: HelmRepository, name: charts, namespace: flux-system }}
  install:
    remediation: {{ retries: 3 }}
  values:
    replicaCount: {number % 4 + 1}
    image:
      repository: registry.example.org/{name}
      tag: 1.{number % 30}.0
    ingress:
      enabled: true
      hosts:
        - host: {name}.example.org
          paths: [{{ path: /, pathType: Prefix }}]
"""


def bundle(name, number):
    parts = []
    for i in range(8):
        parts.append(f"""apiVersion: v1
kind: ConfigMap
metadata:
  name: {name}-part-{i}
data:
  owner: team-{number % TEAMS}
  note: >-
    part {i} of what {name} needs to start, folded
    over two lines
""")
    return "---\n".join(parts)


def big(name):
    entries = "".join(f"  entry-{i:05}: \"{'abcdefghij' * 6}\"\n" for i in range(13000))
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\ndata:\n{entries}"


def template(name):
    return f"""{{{{- if .Values.enabled }}}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{{{ include "{name}.fullname" . }}}}
  labels:
    {{{{- include "{name}.labels" . | nindent 4 }}}}
spec:
  replicas: {{{{ .Values.replicaCount }}}}
  selector:
    matchLabels:
      {{{{- include "{name}.selectorLabels" . | nindent 6 }}}}
  template:
    metadata:
      {{{{- with .Values.podAnnotations }}}}
      annotations:
        {{{{- toYaml . | nindent 8 }}}}
      {{{{- end }}}}
      labels:
        app: {{{{ .Chart.Name }}}}
    spec:
      containers:
        - name: {{{{ .Chart.Name }}}}
          image: "{{{{ .Values.image.repository }}}}:{{{{ .Values.image.tag | default .Chart.AppVersion }}}}"
          imagePullPolicy: {{{{ .Values.image.pullPolicy }}}}
          resources:
            {{{{- toYaml .Values.resources | nindent 12 }}}}
{{{{- end }}}}
"""


def chart_files(name):
    yield "Chart.yaml", f"apiVersion: v2\nname: {name}\nversion: 1.2.0\nappVersion: 1.0.0\n"
    yield "values.yaml", ("enabled: true\nreplicaCount: 1\nimage:\n  repository: registry.example.org/app\n  tag: \"\"\n"
                          "  pullPolicy: IfNotPresent\npodAnnotations: {}\nresources: {}\n")
    for kind in ("deployment", "worker", "migration"):
        yield f"templates/{kind}.yaml", template(name)


def app_files(name, number, chart):
    resources = ["deployment.yaml", "service.yaml", "settings.yaml", "release.yaml"]
    yield "deployment.yaml", deployment(name, number)
    yield "service.yaml", service(name)
    yield "settings.yaml", settings(name, number)
    yield "release.yaml", release(name, number, chart)
    if number % 6 == 0:
        resources.append("bundle.yaml")
        yield "bundle.yaml", bundle(name, number)
    listed = "".join(f"  - {entry}\n" for entry in resources)
    yield "kustomization.yaml", (f"apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
                                 f"namespace: team-{number % TEAMS}\nresources:\n{listed}")


def tenant_files(tenant, number):
    yield "web.yaml", "---\n".join((deployment("web", number), service("web"), settings("web", number)))
    yield "backend.yaml", """apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: { name: charts }
spec: { type: oci, interval: 1h, url: "oci://registry.example.org/charts" }
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: backend }
spec:
  interval: 30m
  chart:
    spec:
      chart: backend
      version: 1.2.0
      sourceRef: { kind: HelmRepository, name: charts }
  valuesFrom:
    - { kind: ConfigMap, name: web-settings, valuesKey: mode, targetPath: mode }
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: worker }
spec:
  interval: 30m
  dependsOn: [{ name: backend }]
  chart:
    spec:
      chart: worker
      version: 1.2.0
      sourceRef: { kind: HelmRepository, name: charts }
"""
    yield "kustomization.yaml", (f"apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
                                 f"namespace: {tenant}\nresources:\n  - web.yaml\n  - backend.yaml\n")


def flux(name, path):
    return f"""apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: {name}
  namespace: flux-system
spec:
  interval: 10m
  path: ./{path}
  prune: true
  sourceRef: {{ kind: GitRepository, name: flux-system }}
"""


def write_apps(out, wanted):
    out.write("clusters/main/sources.yaml", """apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: { name: charts, namespace: flux-system }
spec: { type: oci, interval: 1h, url: "oci://registry.example.org/charts" }
""")
    for number in range(wanted // BIG_EVERY or 1):
        out.write(f"data/big-{number}.yaml", big(f"big-{number}"))
    number = 0
    while out.left:
        chart = f"chart-{number // APPS_PER_CHART:05}"
        if number % APPS_PER_CHART == 0:
            for path, text in chart_files(chart):
                out.write(f"charts/{chart}/{path}", text)
        name = f"app-{number:05}"
        folder = f"apps/team-{number % TEAMS:02}/{name}"
        for path, text in app_files(name, number, chart):
            out.write(f"{folder}/{path}", text)
        out.write(f"clusters/main/{name}.yaml", flux(name, folder))
        number += 1


def write_tenants(out):
    number = 0
    while out.left:
        tenant = f"tenant-{number:05}"
        for path, text in tenant_files(tenant, number):
            out.write(f"tenants/{tenant}/{path}", text)
        out.write(f"clusters/main/{tenant}.yaml", flux(tenant, f"tenants/{tenant}"))
        number += 1


def main(root, wanted, shape="apps"):
    out = Writer(root, wanted)
    if shape == "tenants":
        write_tenants(out)
    else:
        write_apps(out, wanted)
    print(f"{wanted - out.left} files, {out.bytes} bytes")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])
