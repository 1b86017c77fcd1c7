"""The repository that the tricks are played on: small, healthy, applied by Flux, with a config, a rule of its own, a baseline
and a suppression. And the faults that a change tries to get past the guard, each with its healthy twin."""

SYNC = """apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: { name: flux-system, namespace: flux-system }
spec: { interval: 1m, url: "https://git.example.org/acme/fleet", ref: { branch: main } }
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: flux-system, namespace: flux-system }
spec:
  interval: 10m
  path: ./clusters/prod
  prune: true
  sourceRef: { kind: GitRepository, name: flux-system }
"""
APPS = """apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: apps, namespace: flux-system }
spec:
  interval: 10m
  path: ./apps/web
  prune: true
  sourceRef: { kind: GitRepository, name: flux-system }
"""
KUSTOMIZATION = """apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
"""
DEPLOYMENT = """apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: web
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - name: web
          image: ghcr.io/acme/web:1.4.2
"""
CONFIG = """apiVersion: v1
kind: ConfigMap
metadata: { name: web, namespace: web }
data:
  mode: production
"""
LOCKSTEP = """exclude: ["attic/", "*.log"]
must-apply: [missing-resource, no-debug-mode]
tables:
  denied-versions:
    - { what: image, name: nginx, versions: "1.25.x || latest", reason: "crashes under load" }
    - { what: chart, name: podinfo, versions: "6.0.x", reason: "loses data" }
  denied-hosts:
    - { files: "**", host: "*.example.net", reason: "was sold" }
paths:
  - { files: "legacy/**", severity: { duplicate-key: error } } # nothing applies it, and still it is guarded
"""
RULE = """rule: no-debug-mode
severity: error
summary: The web application runs in debug mode
why: Debug mode answers with its environment.
fix: Say production.
facts:
  config: { files: "apps/web/config.yaml", yaml: { mode: data.mode } }
for: config
assert: config.mode != "debug"
message: "mode is {config.mode}"
at: config.mode
"""
LEGACY = "a: 1\na: 2\n"
KEPT = "# lockstep: ignore[duplicate-key] the importer needs both\na: 1\na: 2 # lockstep: ignore[duplicate-key] the importer needs both\n"

BASE = {
    "clusters/prod/flux-system/gotk-sync.yaml": SYNC,
    "clusters/prod/flux-system/kustomization.yaml": KUSTOMIZATION + "  - gotk-sync.yaml\n",
    "clusters/prod/kustomization.yaml": KUSTOMIZATION + "  - flux-system\n  - apps.yaml\n",
    "clusters/prod/apps.yaml": APPS,
    "apps/web/kustomization.yaml": KUSTOMIZATION + "  - deployment.yaml\n  - config.yaml\n",
    "apps/web/deployment.yaml": DEPLOYMENT,
    "apps/web/config.yaml": CONFIG,
    "legacy/old.yaml": LEGACY,
    "legacy/kept.yaml": "a: 1\na: 2 # lockstep: ignore[duplicate-key] the importer needs both\n",
    ".lockstep.yaml": LOCKSTEP,
    ".lockstep/rules/no-debug-mode.yaml": RULE,
    "README.md": "# The fleet\n",
}


def replaced(text, old, new):
    assert old in text, old
    return text.replace(old, new, 1)


DEPLOY = "apps/web/deployment.yaml"
# name: (file, bad text, healthy text)
FAULTS = {
    "duplicate-key": (DEPLOY, replaced(DEPLOYMENT, "  replicas: 2\n", "  replicas: 2\n  replicas: 3\n"),
                      replaced(DEPLOYMENT, "replicas: 2", "replicas: 3")),
    "patch-directive": (DEPLOY, replaced(DEPLOYMENT, "  replicas: 2\n", "  replicas: 2\n  $patch: replace\n"),
                        replaced(DEPLOYMENT, "replicas: 2", "replicas: 4")),
    "rolling-fields": (DEPLOY, replaced(DEPLOYMENT, "  replicas: 2\n", "  strategy: { type: Recreate, rollingUpdate: { maxSurge: 1 } }\n"),
                       replaced(DEPLOYMENT, "  replicas: 2\n", "  strategy: { type: RollingUpdate, rollingUpdate: { maxSurge: 1 } }\n")),
    "denied-image": (DEPLOY, replaced(DEPLOYMENT, "ghcr.io/acme/web:1.4.2", "nginx:1.25.3"),
                     replaced(DEPLOYMENT, "ghcr.io/acme/web:1.4.2", "nginx:1.27.3")),
    "denied-host": (DEPLOY, replaced(DEPLOYMENT, "ghcr.io/acme/web:1.4.2", "registry.example.net/acme/web:1.4.2"),
                    replaced(DEPLOYMENT, "ghcr.io/acme/web:1.4.2", "registry.example.org/acme/web:1.4.2")),
    "bare-label": (DEPLOY, replaced(DEPLOYMENT, "{ labels: { app: web } }", "{ labels: { app: web, acme.org/on: true } }"),
                        replaced(DEPLOYMENT, "{ labels: { app: web } }", "{ labels: { app: web, acme.org/on: \"true\" } }")),
    "broken-yaml": (DEPLOY, DEPLOYMENT + "          command: [\"a\n", DEPLOYMENT + "          command: [\"a\"]\n"),
    "own-rule": ("apps/web/config.yaml", replaced(CONFIG, "production", "debug"), replaced(CONFIG, "production", "staging")),
    "missing-resource": ("apps/web/kustomization.yaml", BASE["apps/web/kustomization.yaml"] + "  - nope.yaml\n",
                         BASE["apps/web/kustomization.yaml"] + "# all of it\n"),
    "path-missing": ("clusters/prod/apps.yaml", replaced(APPS, "./apps/web", "./apps/none"), replaced(APPS, "10m", "5m")),
    "depends-on": ("clusters/prod/apps.yaml", APPS + "  dependsOn: [{ name: infra }]\n", APPS + "  dependsOn: []\n"),
}
