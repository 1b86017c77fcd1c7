#!/usr/bin/env python3
"""Small trees that cost much: each under a megabyte, each made so that some step over it would be quadratic in time or memory.
`bombs.py FOLDER` writes them, one folder each; test_bombs.py measures the program on them."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import build_bombs  # noqa: E402

BOMBS = {}
KUSTOMIZATION = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n"
FLUX = ("apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {{ name: {0}, namespace: flux-system }}\n"
        "spec: {{ interval: 1m, prune: true, path: {1}, sourceRef: {{ kind: GitRepository, name: {2} }}{3} }}\n")
SYNC = ("apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: { name: flux-system, namespace: flux-system }\n"
        "spec: { interval: 1m, url: \"https://git.example.org/a/b\", ref: { branch: main } }\n---\n"
        + FLUX.format("flux-system", "./clusters/prod", "flux-system", ""))


def bomb(make):
    BOMBS[make.__name__.replace("_", "-")] = make
    return make


@bomb
def template_cycles(write, count=9000):
    write("c/Chart.yaml", "apiVersion: v2\nname: c\nversion: 1.0.0\n")
    write("c/templates/_a.tpl", "".join(f'{{{{- define "t{i}" -}}}}{{{{ include "t{(i + 1) % count}" . }}}}{{{{ include "t0" . }}}}{{{{- end -}}}}\n' for i in range(count)))


@bomb
def terraform_variables(write, count=9000):
    write("a/main.tf", "".join(f'locals {{ x{i} = templatefile("${{path.module}}/t.tftpl", {{ k{i} = 1 }}) }}\n' for i in range(count // 2)))
    write("a/t.tftpl", "".join(f"v: ${{name{i}}}\n" for i in range(count)))


@bomb
def terraform_near_names(write, count=20_000):
    write("a/main.tf", 'locals { x = templatefile("${path.module}/t.tftpl", { ' + ", ".join(f"key_number_{i} = 1" for i in range(count)) + " }) }\n")
    write("a/t.tftpl", "".join(f"v: ${{kez_number_{i}}}\n" for i in range(count)))


@bomb
def near_variables(write, count=10_000):
    write("clusters/prod/gotk-sync.yaml", SYNC)
    keys = ", ".join(f"KEY_{i}: a" for i in range(count))
    write("clusters/prod/app.yaml", FLUX.format("app", "./app", "flux-system", f", postBuild: {{ substitute: {{ {keys} }} }}"))
    write("app/kustomization.yaml", KUSTOMIZATION + "  - cm.yaml\n")
    write("app/cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: b }\ndata:\n"
          + "".join(f"  k{i}: ${{KEZ_{i}}}\n" for i in range(2 * count)))


@bomb
def near_dependencies(write, count=3000):
    write("clusters/prod/gotk-sync.yaml", SYNC)
    write("clusters/prod/all.yaml", "---\n".join(
        FLUX.format(f"k-{i}-web", "./app", "flux-system", f", dependsOn: [{{ name: k-{i + 1}-wbe }}]") for i in range(count)))
    write("app/cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: b }\n")


@bomb
def near_health_checks(write, count=6000):
    write("clusters/prod/gotk-sync.yaml", SYNC)
    checks = ", ".join(f"{{ kind: ConfigMap, apiVersion: v1, name: key-{i}-wbe, namespace: b }}" for i in range(count))
    write("clusters/prod/app.yaml", FLUX.format("app", "./app", "flux-system", f", healthChecks: [{checks}]"))
    write("app/kustomization.yaml", KUSTOMIZATION + "  - cm.yaml\n")
    write("app/cm.yaml", "---\n".join(
        f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{ name: key-{i}-web, namespace: b }}\n" for i in range(count)))


@bomb
def schema_choices(write, count=6000):
    write("c/Chart.yaml", "apiVersion: v2\nname: c\nversion: 1.0.0\n")
    choices = ", ".join(f'{{"properties": {{"a{i}": {{"type": "string"}}}}, "required": ["z{i}"]}}' for i in range(count))
    write("c/values.schema.json", f'{{"anyOf": [{choices}]}}')
    write("c/values.yaml", "".join(f"a{i}: 1\n" for i in range(6 * count)))
    write("c/templates/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n")


@bomb
def schema_patterns(write, count=6000):
    write("c/Chart.yaml", "apiVersion: v2\nname: c\nversion: 1.0.0\n")
    patterns = ", ".join(f'"^a[0-9]*{i}$": {{"type": "string"}}' for i in range(count))
    write("c/values.schema.json", f'{{"patternProperties": {{{patterns}}}}}')
    write("c/values.yaml", "".join(f"a{i}: 1\n" for i in range(6 * count)))
    write("c/templates/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n")


@bomb
def k3s_skew(write, count=7000):
    write("boot.sh", "#!/bin/sh\n" + "".join(f"curl -sfL https://get.k3s.io | INSTALL_K3S_VERSION=v1.28.{i}+k3s1 sh -\n" for i in range(count)))
    write(".github/workflows/ci.yaml", "on: push\njobs:\n" + "".join(f"  j{i}:\n    steps: [{{ run: \"kind create cluster --image kindest/node:v1.31.{i}\" }}]\n" for i in range(count)))


@bomb
def patch_directives(write, count=6000):
    write("a/cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata:\n" + "".join(f"  k{i}: {{ $patch: replace }}\n" for i in range(count)))
    for i in range(count // 10):
        write(f"o{i}/kustomization.yaml", KUSTOMIZATION + "  - ../a/cm.yaml\n")


@bomb
def missing_sources(write, count=4000):
    write("clusters/prod/gotk-sync.yaml", SYNC)
    write("clusters/prod/all.yaml", "---\n".join(FLUX.format(f"k{i}", "./clusters/prod", f"source-{i}", "") for i in range(count)))
    write("clusters/prod/sources.yaml", "---\n".join(SYNC.split("---")[0].replace("name: flux-system,", f"name: sourze-{i},") for i in range(count // 4)))


@bomb
def missing_paths(write, count=4000):
    write("clusters/prod/gotk-sync.yaml", SYNC)
    write("clusters/prod/all.yaml", "---\n".join(FLUX.format(f"k{i}", f"./apps/none-{i}", "flux-system", "") for i in range(count)))
    for i in range(1500):
        write(f"apps/nome-{i}/a.txt", "")


@bomb
def ignore_patterns(write, count=40_000):
    write(".gitignore", "".join(f"*a{i}*b*.c\n" for i in range(count)))
    for i in range(3000):
        write(f"f/a{'x' * 20}{i}.d", "")


@bomb
def many_ignore_files(write, count=600):
    for i in range(count):
        write("d/" * (i % 40) + f"e{i}/.gitignore", "".join(f"*x{j}*y*\n" for j in range(100)))
        write("d/" * (i % 40) + f"e{i}/a.yaml", "a: 1\n")


@bomb
def source_ignore_patterns(write, count=40_000):
    write("clusters/prod/gotk-sync.yaml", SYNC)
    write("clusters/prod/app.yaml", FLUX.format("app", "./app", "flux-system", ""))
    write(".sourceignore", "".join(f"*a{i}*b*.c\n" for i in range(count)))
    for i in range(1500):
        write(f"app/a{'x' * 20}{i}.yaml", f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{ name: a{i}, namespace: b }}\n")


@bomb
def services_and_pods(write, count=2500):
    write("clusters/prod/gotk-sync.yaml", SYNC)
    write("clusters/prod/app.yaml", FLUX.format("app", "./app", "flux-system", ""))
    write("app/services.yaml", "---\n".join(f"apiVersion: v1\nkind: Service\nmetadata: {{ name: s{i}, namespace: b }}\n"
                                            f"spec: {{ selector: {{ app: web, part: q{i} }}, ports: [{{ port: 80, targetPort: web }}] }}\n" for i in range(count)))
    write("app/pods.yaml", "---\n".join(f"apiVersion: apps/v1\nkind: Deployment\nmetadata: {{ name: d{i}, namespace: b }}\nspec: {{ selector: {{ matchLabels: {{ app: web }} }}, "
                                        f"template: {{ metadata: {{ labels: {{ app: web, part: p{i} }} }}, spec: {{ containers: [{{ name: a, image: \"x:1\" }}] }} }} }}\n" for i in range(count)))


@bomb
def unset_values(write, count=18_000):
    write("c/Chart.yaml", "apiVersion: v2\nname: c\nversion: 1.0.0\n")
    write("c/values.yaml", "".join(f"key{i}web: 1\n" for i in range(count)))
    write("c/templates/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata:\n"
          + "".join(f"  k{i}: {{{{ .Values.key{i}wbe | quote }}}}\n" for i in range(count)))


@bomb
def workflow_filters(write, count=15_000):
    write(".github/workflows/ci.yaml", "on:\n  push:\n    paths:\n" + "".join(f"      - '**/a*{i}*b/**'\n" for i in range(count)) + "jobs: {}\n")
    for i in range(2500):
        write(f"x/{'y' * 30}{i}", "")


@bomb
def same_objects(write, count=2500):
    for i in range(count):
        write(f"a/{i}.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: one, namespace: one }\n")
    write("a/kustomization.yaml", KUSTOMIZATION + "".join(f"  - {i}.yaml\n" for i in range(count)))


@bomb
def duplicate_keys(write, count=50_000):
    write("a.yaml", "k: 1\n" * count)


@bomb
def long_values(write, count=2000):
    write("a.yaml", "".join(f"{'k' * 200}{i % 2}: 1\n" for i in range(count)))
    write("kustomization.yaml", KUSTOMIZATION + f"  - {'x' * 400_000}\n")


@bomb
def depends_on_everything(write, count=700):
    write("clusters/prod/gotk-sync.yaml", SYNC)
    waits = ", dependsOn: [" + ", ".join(f"{{ name: k{i} }}" for i in range(60)) + "]"
    write("clusters/prod/all.yaml", "---\n".join(FLUX.format(f"k{i}", "./clusters/prod", "flux-system", waits) for i in range(count)))


@bomb
def aliases(write, count=20_000):
    write("a.yaml", "a: &a [1, 2, 3]\n" + "".join(f"k{i}: *a\n" for i in range(count)))
    write("b.yaml", "".join(f"a{i}: &a{i} [" + ", ".join([f"*a{i - 1}"] * 9 if i else ["1"] * 9) + "]\n" for i in range(60)))


@bomb
def images(write, count=9000):
    write(".lockstep.yaml", "tables:\n  denied-versions:\n" + "".join(f"    - {{ what: image, name: img{i}, versions: \"1.x\", reason: r }}\n" for i in range(3000)))
    write("a/pod.yaml", "apiVersion: v1\nkind: Pod\nmetadata: { name: a, namespace: a }\nspec:\n  containers:\n" + "".join(f"    - {{ name: c{i}, image: \"img{i % 3000}:1.{i}\" }}\n" for i in range(count)))
    write("a/kustomization.yaml", KUSTOMIZATION + "  - pod.yaml\n")


@bomb
def suppressions(write, count=9000):
    write("a.yaml", "".join(f"k: {i} # lockstep: ignore[duplicate-key] why {i}\n" for i in range(count)))


@bomb
def values_files(write, count=9000):
    write("c/Chart.yaml", "apiVersion: v2\nname: c\nversion: 1.0.0\n")
    write("c/values.yaml", "".join(f"k{i}: 1\n" for i in range(count)))
    write("c/templates/a.yaml", "".join(f"k{i}: {{{{ .Values.kk{i} }}}}\n" for i in range(count)))
    write("r.yaml", "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: c, namespace: c }\nspec:\n  interval: 1m\n  chart: { spec: { chart: ./c, sourceRef: { kind: GitRepository, name: flux-system, namespace: flux-system } } }\n  values:\n"
          + "".join(f"    q{i}: 1\n" for i in range(count)))


@bomb
def roles_and_scripts(write, count=3000):
    write("c/Chart.yaml", "apiVersion: v2\nname: c\nversion: 1.0.0\n")
    write("c/templates/a.yaml", "".join(f"---\napiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {{ name: r{i}, namespace: a }}\nrules: [{{ apiGroups: [\"\"], resources: [pods], verbs: [get] }}]\n" for i in range(count)))
    write("c/templates/b.yaml", "apiVersion: batch/v1\nkind: Job\nmetadata: { name: j, namespace: a }\nspec:\n  template:\n    spec:\n      serviceAccountName: s\n      containers:\n        - name: a\n          image: bitnami/kubectl:1.30\n          command: [sh, -c]\n          args:\n            - |\n"
          + "".join(f"              kubectl patch deployment d{i} -p x\n" for i in range(count)))


@bomb
def listed_twice(write, count=40):
    for i in range(count):
        write(f"k{i}/kustomization.yaml", KUSTOMIZATION + f"  - ../k{i + 1}\n  - ../k{i + 1}\n")
    write(f"k{count}/kustomization.yaml", KUSTOMIZATION + "  - a.yaml\n")
    write(f"k{count}/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n")


@bomb
def components_twice(write, count=40):
    write("a/kustomization.yaml", KUSTOMIZATION + "  - a.yaml\ncomponents: [../k0]\n")
    write("a/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n")
    for i in range(count):
        write(f"k{i}/kustomization.yaml", f"apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ncomponents: [../k{i + 1}, ../k{i + 1}]\n")
    write(f"k{count}/kustomization.yaml", "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n")


@bomb
def many_resources(write, count=9000):
    write("a/all.yaml", "---\n".join(f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{ name: c{i}, namespace: a }}\n" for i in range(count)))
    write("a/kustomization.yaml", KUSTOMIZATION + "  - all.yaml\n")
    write("b/kustomization.yaml", KUSTOMIZATION + "  - ../a\nnamePrefix: b-\n")


@bomb
def excluded_chain(write, count=90):
    write(".lockstep.yaml", "exclude: [\"x/\"]\n")
    write("a/kustomization.yaml", KUSTOMIZATION + "  - ../x/k0\n")
    for i in range(count):
        write(f"x/k{i}/kustomization.yaml", KUSTOMIZATION + (f"  - ../k{i + 1}\n" if i + 1 < count else "") + "  - a.yaml\n")
        write(f"x/k{i}/a.yaml", f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{ name: a{i} }}\n")


for make_build_bomb in build_bombs.ALL:
    bomb(make_build_bomb)


def write_all(root):
    for name, make in BOMBS.items():
        def write(path, text, base=os.path.join(root, name)):
            full = os.path.join(base, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8") as file:
                file.write(text)
        make(write)


if __name__ == "__main__":
    write_all(sys.argv[1])
