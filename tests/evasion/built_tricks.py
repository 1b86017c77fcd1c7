"""Tricks with what is built: charts that are rendered, values from everywhere, post-renderers, components, generators, replacements,
folders that look like samples. Each brings in a denied image; its twin the same way brings in one that is not."""
import base64
import gzip
import io
import tarfile

from base_repository import APPS, BASE, DEPLOY, DEPLOYMENT, FAULTS, KUSTOMIZATION, SYNC, replaced
from tricks import FEW, LIST, NGINX, PATCH, around, hidden, trick

CHART = {"charts/it/Chart.yaml": "apiVersion: v2\nname: it\nversion: 1.0.0\n"}
POD = "apiVersion: v1\nkind: Pod\nmetadata: { name: it }\nspec:\n  containers:\n    - name: it\n      image: "
RELEASE = ("apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: it, namespace: web }\nspec:\n  interval: 1h\n"
           "  chart: { spec: { chart: ./charts/it, sourceRef: { kind: GitRepository, name: flux-system, namespace: flux-system } } }\n")
MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: vals, namespace: web }\ndata:\n"
SECRET = "apiVersion: v1\nkind: Secret\nmetadata: { name: vals, namespace: web }\n"
IMAGE = "{{ .Values.image }}\n"


def released(name, template, spec="", files=None, values="image: \"\"\n", resources=""):
    """A release of a chart in the tree; `template` is what is behind `image:`."""
    around(name, {**CHART, "charts/it/templates/pod.yaml": POD + template, "charts/it/values.yaml": values,
                  "apps/web/release.yaml": RELEASE + spec, "apps/web/kustomization.yaml": LIST + "  - release.yaml\n" + resources, **(files or {})})


# --- what a chart makes of its values
released("written in a chart's template", "nginx:{0}\n")
released("in a chart's default values", IMAGE, values="image: nginx:{0}\n")
released("in a release's values", IMAGE, "  values: { image: \"nginx:{0}\" }\n")
released("put together by printf", '{{ printf "%s:%s" .Values.name .Values.tag }}\n', values="name: nginx\ntag: \"{0}\"\n")
released("put together by join", '{{ list "ngi" "nx:" .Values.tag | join "" }}\n', values="tag: \"{0}\"\n")
released("put together by a range", '"{{ range .Values.parts }}{{ . }}{{ end }}"\n', values="parts: [ng, inx, \":\", \"{0}\"]\n")
released("from a helper", '{{ include "it.image" . }}\n', files={"charts/it/templates/_helpers.tpl": '{{ define "it.image" }}nginx:{0}{{ end }}\n'})
released("from a value that is a template", "{{ tpl .Values.image . }}\n", values="image: '{{ .Values.it }}:{0}'\nit: nginx\n")
released("from a file of the chart", '{{ .Files.Get "image.txt" | trim }}\n', files={"charts/it/image.txt": "nginx:{0}\n"})
released("from YAML in a value", "{{ (fromYaml .Values.text).image }}\n", values="text: |\n  image: nginx:{0}\n")
released("turned around by a function", '{{ .Values.image | replace "#" ":" }}\n', values="image: nginx#{0}\n")
released("from a ternary", '{{ ternary "nginx:{0}" "other:1" (eq .Release.Name "it") }}\n')
released("under a condition of the values", "{{ if .Values.on }}nginx:{0}{{ else }}other:1{{ end }}\n", "  values: { on: true }\n")
released("with a trimmed action", "{{- /* a */ -}} {{ \" nginx:{0}\" -}}\n\n")
released("in a template without an ending", "other:1\n", files={"charts/it/templates/more": "---\n" + POD.replace("name: it", "name: more", 1) + "nginx:{0}\n"})
released("in a template that is called .txt", "other:1\n", files={"charts/it/templates/more.txt": "---\n" + POD.replace("name: it", "name: more", 1) + "nginx:{0}\n"})
released("in a chart with .helmignore among its templates", "nginx:{0}\n", files={"charts/it/templates/.helmignore": "*\n"})
released("in a hook", "other:1\n", files={"charts/it/templates/hook.yaml": "apiVersion: batch/v1\nkind: Job\nmetadata: { name: hook, annotations: { helm.sh/hook: pre-install, helm.sh/hook-delete-policy: before-hook-creation } }\n"
         "spec: { template: { spec: { restartPolicy: Never, containers: [{ name: a, image: \"nginx:{0}\" }] } } }\n"})

# --- where values come from
for kind, text in (("ConfigMap", MAP + "  values.yaml: |\n    image: nginx:{0}\n"), ("Secret", SECRET + "stringData:\n  values.yaml: |\n    image: nginx:{0}\n")):
    released(f"in values from a {kind}", IMAGE, f"  valuesFrom: [{{ kind: {kind}, name: vals }}]\n", {"apps/web/vals.yaml": text}, resources="  - vals.yaml\n")
released("in one value from a ConfigMap", IMAGE, "  valuesFrom: [{ kind: ConfigMap, name: vals, valuesKey: it, targetPath: image }]\n", {"apps/web/vals.yaml": MAP + "  it: nginx:{0}\n"}, resources="  - vals.yaml\n")
released("in values from a generated ConfigMap", IMAGE, "  valuesFrom: [{ kind: ConfigMap, name: vals }]\n", {"apps/web/values.txt": "image: nginx:{0}\n"},
         resources="configMapGenerator:\n  - { name: vals, namespace: web, files: [values.yaml=values.txt], options: { disableNameSuffixHash: true } }\n")
released("in values files of a release", IMAGE, "", {"charts/it/other.yaml": "image: nginx:{0}\n", "apps/web/release.yaml": RELEASE.replace("chart: ./charts/it,", "chart: ./charts/it, valuesFiles: [charts/it/values.yaml, charts/it/other.yaml],")})
released("in values that a patch brings", IMAGE, "", resources="patches:\n  - target: { kind: HelmRelease }\n    patch: |-\n      - { op: add, path: /spec/values, value: { image: \"nginx:{0}\" } }\n")
released("in values that Flux substitutes", IMAGE, "  values: { image: \"nginx:${tag}\" }\n", {"clusters/prod/apps.yaml": APPS + "  postBuild: { substitute: { tag: \"{0}\" } }\n"})


def encoded(change, tag):
    for path, text in {**CHART, "charts/it/templates/pod.yaml": POD + IMAGE, "charts/it/values.yaml": "image: a\n",
                       "apps/web/release.yaml": RELEASE + "  valuesFrom: [{ kind: Secret, name: vals }]\n",
                       "apps/web/vals.yaml": SECRET + "data: { values.yaml: " + base64.b64encode(f"image: nginx:{tag}\n".encode()).decode() + " }\n",
                       "apps/web/kustomization.yaml": LIST + "  - release.yaml\n  - vals.yaml\n"}.items():
        change.write(path, text)


trick("a denied image in values from a Secret's data", lambda change: encoded(change, "1.25.3"), lambda change: encoded(change, "1.27.3"))

# --- charts in charts
released("in a subchart", "other:1\n", files={"charts/it/charts/sub/Chart.yaml": "apiVersion: v2\nname: sub\nversion: 1.0.0\n",
         "charts/it/charts/sub/templates/pod.yaml": POD.replace("name: it", "name: sub", 1) + "nginx:{0}\n"})
released("in a subchart by a global value", "other:1\n", "  values: { global: { tag: \"{0}\" } }\n", {"charts/it/charts/sub/Chart.yaml": "apiVersion: v2\nname: sub\nversion: 1.0.0\n",
         "charts/it/charts/sub/templates/pod.yaml": POD.replace("name: it", "name: sub", 1) + "nginx:{{ .Values.global.tag }}\n"})
released("in a dependency under another name", "other:1\n", "  values: { other: { tag: \"{0}\", on: true } }\n",
         {"charts/it/Chart.yaml": "apiVersion: v2\nname: it\nversion: 1.0.0\ndependencies: [{ name: sub, version: 1.0.0, alias: other, condition: other.on, repository: \"\" }]\n",
          "charts/it/charts/sub/Chart.yaml": "apiVersion: v2\nname: sub\nversion: 1.0.0\n",
          "charts/it/charts/sub/templates/pod.yaml": POD.replace("name: it", "name: sub", 1) + "nginx:{{ .Values.tag }}\n"})


def packed(change, tag):
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as archive:
        for name, text in {"sub/Chart.yaml": "apiVersion: v2\nname: sub\nversion: 1.0.0\n",
                           "sub/templates/pod.yaml": POD.replace("name: it", "name: sub", 1) + f"nginx:{tag}\n"}.items():
            info = tarfile.TarInfo(name)
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text.encode()))
    change.write("charts/it/charts/sub-1.0.0.tgz", gzip.compress(raw.getvalue()))
    for path, text in {**CHART, "charts/it/templates/pod.yaml": POD + "other:1\n", "charts/it/values.yaml": "{}\n", "apps/web/release.yaml": RELEASE,
                       "apps/web/kustomization.yaml": LIST + "  - release.yaml\n"}.items():
        change.write(path, text)


trick("a denied image in a packed subchart", lambda change: packed(change, "1.25.3"), lambda change: packed(change, "1.27.3"))

# --- what comes behind the chart, and what a chart brings that leads on
released("by a post-renderer's images", "ghcr.io/acme/it:1\n", "  postRenderers:\n    - kustomize: { images: [{ name: ghcr.io/acme/it, newName: nginx, newTag: \"{0}\" }] }\n")
released("by a post-renderer's patch", "ghcr.io/acme/it:1\n", "  postRenderers:\n    - kustomize:\n        patches:\n          - target: { kind: Pod }\n            patch: |\n              - { op: replace, path: /spec/containers/0/image, value: \"nginx:{0}\" }\n")
released("by a post-renderer behind another", "ghcr.io/acme/it:1\n", "  postRenderers:\n    - kustomize: { images: [{ name: ghcr.io/acme/it, newName: nginx, newTag: \"1.27.3\" }] }\n    - kustomize: { images: [{ name: nginx, newTag: \"{0}\" }] }\n")
released("in a folder that a Flux Kustomization of a chart applies", "other:1\n", files={
    "charts/it/templates/more.yaml": replaced(APPS, "name: apps", "name: more").replace("./apps/web", "./apps/more"),
    "apps/more/kustomization.yaml": KUSTOMIZATION + "  - pod.yaml\n", "apps/more/pod.yaml": POD.replace("name: it", "name: more, namespace: web", 1) + "nginx:{0}\n"})
released("in a release that a chart brings", "other:1\n", files={
    "charts/it/templates/more.yaml": RELEASE.replace("name: it, namespace", "name: more, namespace").replace("./charts/it", "./charts/more"),
    "charts/more/Chart.yaml": "apiVersion: v2\nname: more\nversion: 1.0.0\n", "charts/more/templates/pod.yaml": POD.replace("name: it", "name: more", 1) + "nginx:{0}\n"})
around("in a chart that a HelmChart names", {**CHART, "charts/it/templates/pod.yaml": POD + "nginx:{0}\n", "charts/it/values.yaml": "{}\n",
       "apps/web/release.yaml": RELEASE.replace("chart: { spec: { chart: ./charts/it, sourceRef: { kind: GitRepository, name: flux-system, namespace: flux-system } } }", "chartRef: { kind: HelmChart, name: it, namespace: flux-system }"),
       "clusters/prod/chart.yaml": "apiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmChart\nmetadata: { name: it, namespace: flux-system }\nspec: { interval: 1h, chart: ./charts/it, sourceRef: { kind: GitRepository, name: flux-system } }\n",
       "clusters/prod/kustomization.yaml": BASE["clusters/prod/kustomization.yaml"] + "  - chart.yaml\n", "apps/web/kustomization.yaml": LIST + "  - release.yaml\n"})

# --- kustomize, by its side doors
around("by a replacement in a file", {"apps/web/kustomization.yaml": LIST + "replacements: [{ path: how.txt }]\n",
       "apps/web/how.txt": "sourceValue: nginx:{0}\ntargets: [{ select: { kind: Deployment }, fieldPaths: [\"spec.template.spec.containers.[name=web].image\"] }]\n"})
around("by a patch transformer", {"apps/web/kustomization.yaml": LIST + "transformers: [how]\n",
       "apps/web/how": "apiVersion: builtin\nkind: PatchTransformer\nmetadata: { name: t }\ntarget: { kind: Deployment }\npatch: '[{ \"op\": \"replace\", \"path\": \"/spec/template/spec/containers/0/image\", \"value\": \"nginx:{0}\" }]'\n"})
around("by a transformer that is written in place", {"apps/web/kustomization.yaml": LIST + "transformers:\n  - |-\n    apiVersion: builtin\n    kind: ImageTagTransformer\n    metadata: { name: t }\n    imageTag: { name: ghcr.io/acme/web, newName: nginx, newTag: \"{0}\" }\n"})
around("by a component of a component in an excluded folder", {"apps/web/kustomization.yaml": LIST + "components: [../../attic/one]\n",
       "attic/one/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ncomponents: [../two]\n",
       "attic/two/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches: [{ path: patch }]\n", "attic/two/patch": PATCH})
around("in a List", {"apps/web/kustomization.yaml": LIST + "  - all.yaml\n", "apps/web/all.yaml": "apiVersion: v1\nkind: List\nitems:\n  - apiVersion: v1\n    kind: Pod\n    metadata: { name: it, namespace: web }\n    spec: { containers: [{ name: it, image: \"nginx:{0}\" }] }\n"})
around("in a base of bases:", {"apps/web/kustomization.yaml": LIST + "bases: [../base]\n", "apps/base/kustomization.yaml": KUSTOMIZATION + "  - pod.yaml\n",
                               "apps/base/pod.yaml": POD.replace("name: it", "name: base, namespace: web", 1) + "nginx:{0}\n"})

# --- folders that look like samples, and are applied
for folder in ("examples", "docs", "testdata", "tests/e2e", "vendor/web", "archive", "templates", "node_modules/web", ".github/web", "samples", "hack"):
    around(f"in {folder}, which Flux applies", {".sourceignore": "!/.github/\n", f"{folder}/kustomization.yaml": KUSTOMIZATION + "  - pod.yaml\n", f"{folder}/pod.yaml": POD.replace("name: it", "name: side, namespace: web", 1) + "nginx:{0}\n",
           "clusters/prod/more.yaml": replaced(APPS, "name: apps", "name: more").replace("./apps/web", "./" + folder),
           "clusters/prod/kustomization.yaml": BASE["clusters/prod/kustomization.yaml"] + "  - more.yaml\n"})

# --- what Flux itself leaves out
hidden("with its name in .sourceignore", lambda change, path: change.write(".sourceignore", "/" + path + "\n"), FEW,
       twin_hide=lambda change, path: change.write(".sourceignore", "/docs/\n"))
hidden("with everything taken out and in again in .sourceignore", lambda change, path: change.write(".sourceignore", "/*\n!/apps\n!/clusters\n"), FEW)
hidden("with spec.ignore of its source", lambda change, path: change.write("clusters/prod/flux-system/gotk-sync.yaml", replaced(SYNC, "spec: { interval: 1m,", f"spec: {{ ignore: \"/{path}\", interval: 1m,")), FEW,
       twin_hide=lambda change, path: change.write("clusters/prod/flux-system/gotk-sync.yaml", replaced(SYNC, "spec: { interval: 1m,", "spec: { ignore: \"/docs\", interval: 1m,")))
for fault in FEW:
    path, bad, good = FAULTS[fault]

    def plain_folder(change, text):
        change.write("apps/plain/it.yml", text.replace("name: web\n  namespace", "name: plain\n  namespace"))
        change.write("apps/plain/.sourceignore", "other.yaml\n")
        change.write("clusters/prod/more.yaml", replaced(APPS, "name: apps", "name: more").replace("./apps/web", "./apps/../apps//plain/"))
        change.append("clusters/prod/kustomization.yaml", "  - more.yaml\n")

    trick(f"{fault} in a folder without a list, by a crooked path", lambda change, text=bad: plain_folder(change, text), lambda change, text=good: plain_folder(change, text))

# --- put together where it is built
DELTA = "apps/web/delta.yaml"
around("by a patch that copies it from an annotation", {"apps/web/kustomization.yaml": LIST + "patches:\n  - target: { kind: Deployment }\n    patch: |-\n      - { op: copy, from: /metadata/annotations/it, path: /spec/template/spec/containers/0/image }\n",
       DEPLOY: replaced(DEPLOYMENT, "  namespace: web\n", "  namespace: web\n  annotations: { it: \"nginx:{0}\" }\n")})
around("by a replacement of its tag alone", {DEPLOY: replaced(DEPLOYMENT, NGINX, "nginx:1.27.3"), DELTA: MAP.replace("name: vals", "name: delta") + "  it: \"{0}\"\n",
       "apps/web/kustomization.yaml": LIST + "  - delta.yaml\nreplacements:\n  - source: { kind: ConfigMap, name: delta, fieldPath: data.it }\n    targets: [{ select: { kind: Deployment }, fieldPaths: [spec.template.spec.containers.0.image], options: { delimiter: \":\", index: 1 } }]\n"})
around("by a patch that Flux fills in", {"clusters/prod/apps.yaml": APPS + "  postBuild: { substitute: { tag: \"{0}\" } }\n",
       "apps/web/kustomization.yaml": LIST + "patches:\n  - target: { kind: Deployment }\n    patch: |-\n      - { op: replace, path: /spec/template/spec/containers/0/image, value: \"nginx:${tag}\" }\n"})
for name, text, value in (("cut at its end", "${tag%x}", "{0}x"), ("cut at its start", "${tag#v-}", "v-{0}"), ("in small letters", "${tag,,}", "{0}"), ("with a default", "${none:-{0}}", "a")):
    around(f"by a variable {name}", {"clusters/prod/apps.yaml": APPS + f"  postBuild: {{ substitute: {{ tag: \"{value}\" }} }}\n", DEPLOY: replaced(DEPLOYMENT, NGINX, "nginx:" + text)})
around("in the path of a Flux Kustomization that is a variable", {"clusters/prod/flux-system/gotk-sync.yaml": SYNC + "  postBuild: { substitute: { where: more } }\n",
       "clusters/prod/more.yaml": replaced(APPS, "name: apps", "name: more").replace("./apps/web", "./apps/${where}"), "clusters/prod/kustomization.yaml": BASE["clusters/prod/kustomization.yaml"] + "  - more.yaml\n",
       "apps/more/kustomization.yaml": KUSTOMIZATION + "  - pod.yaml\n", "apps/more/pod.yaml": POD.replace("name: it", "name: more, namespace: web", 1) + "nginx:{0}\n"})
for kind, text in (("PodList", "apiVersion: v1\nkind: PodList\nitems:\n  - apiVersion: v1\n    kind: Pod\n    metadata: { name: it, namespace: web }\n    spec: { containers: [{ name: it, image: \"nginx:{0}\" }] }\n"),
                   ("CronJob", "apiVersion: batch/v1\nkind: CronJob\nmetadata: { name: it, namespace: web }\nspec: { schedule: \"* * * * *\", jobTemplate: { spec: { template: { spec: { restartPolicy: Never, containers: [{ name: it, image: \"nginx:{0}\" }] } } } } }\n"),
                   ("Rollout", "apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: { name: it, namespace: web }\nspec: { template: { spec: { containers: [{ name: it, image: \"nginx:{0}\" }] } } }\n"),
                   ("Knative service", "apiVersion: serving.knative.dev/v1\nkind: Service\nmetadata: { name: it, namespace: web }\nspec: { template: { spec: { containers: [{ image: \"nginx:{0}\" }] } } }\n")):
    around(f"in a {kind}", {"apps/web/kustomization.yaml": LIST + "  - it.yaml\n", "apps/web/it.yaml": text})
for name, text in (("with a tag of YAML", "!!str nginx:{0}"), ("with escapes", "\"\\x6eginx:{0}\""), ("in single quotes over two lines", "'nginx:{0}'\n"), ("by a merge key", None)):
    around(f"written {name}", {DEPLOY: replaced(DEPLOYMENT, "image: " + NGINX, "image: " + text) if text else
           replaced(DEPLOYMENT, "        - name: web\n          image: " + NGINX, "        - <<: &d { image: \"nginx:{0}\" }\n          name: web")})
released("in the crds folder of a chart, which Helm installs as it is", "other:1\n", files={"charts/it/crds/pod.yaml": POD.replace("name: it", "name: crd, namespace: web", 1) + "nginx:{0}\n"})
released("in a folder below the templates", "other:1\n", files={"charts/it/templates/a/b/c/pod.yaml": POD.replace("name: it", "name: deep", 1) + "nginx:{0}\n"})
released("in a List that a chart renders", "other:1\n", files={"charts/it/templates/all.yaml": "apiVersion: v1\nkind: List\nitems:\n  - apiVersion: v1\n    kind: Pod\n    metadata: { name: listed }\n    spec: { containers: [{ name: it, image: \"nginx:{0}\" }] }\n"})
released("in a second document of a template", "other:1\n---\n" + POD.replace("name: it", "name: second", 1) + "nginx:{0}\n")
released("in JSON that a chart renders", "other:1\n", files={"charts/it/templates/all.json": '{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "json"}, "spec": {"containers": [{"name": "a", "image": "nginx:{0}"}]}}\n'})

# --- this repository under another name of its url
for name, url in (("over ssh", "ssh://git@git.example.org/acme/fleet"), ("with .git", "https://git.example.org/acme/fleet.git"), ("with a slash", "https://git.example.org/acme/fleet/"),
                  ("with a port", "https://git.example.org:443/acme/fleet"), ("in capitals", "https://GIT.example.org/acme/fleet"), ("with a user", "https://bot@git.example.org/acme/fleet")):
    around(f"behind a source that names this repository {name}", {"clusters/prod/more.yaml": SYNC.split("---")[0].replace("name: flux-system,", "name: again,").replace("https://git.example.org/acme/fleet", url) + "---\n"
           + replaced(APPS, "name: apps", "name: more").replace("./apps/web", "./apps/more").replace("GitRepository, name: flux-system", "GitRepository, name: again"),
           "clusters/prod/kustomization.yaml": BASE["clusters/prod/kustomization.yaml"] + "  - more.yaml\n",
           "apps/more/kustomization.yaml": KUSTOMIZATION + "  - pod.yaml\n", "apps/more/pod.yaml": POD.replace("name: it", "name: more, namespace: web", 1) + "nginx:{0}\n"})

# --- doubt that is sown beside a fault: what is not known elsewhere makes nothing here unknown
def listed(text):
    return lambda change, path: change.append("apps/web/kustomization.yaml", text)


def flux(text):
    return lambda change, path: change.append("clusters/prod/apps.yaml", text)


STATIC = [fault for fault in FAULTS if fault not in ("path-missing", "depends-on")]
hidden("beside a remote base", listed("  - https://git.example.org/acme/other//base?ref=v1\n"), [f for f in STATIC if f != "missing-resource"])
hidden("beside a remote component", listed("components: [\"https://git.example.org/acme/other//part?ref=v1\"]\n"), STATIC)
hidden("beside a plugin", lambda change, path: (change.append("apps/web/kustomization.yaml", "transformers: [plugin.yaml]\n"),
       change.write("apps/web/plugin.yaml", "apiVersion: acme.org/v1\nkind: Shuffle\nmetadata: { name: a, annotations: { config.kubernetes.io/function: \"container: { image: acme/shuffle:1 }\" } }\n")), STATIC)
hidden("beside a variable that nothing supplies", flux("  postBuild: { substituteFrom: [{ kind: Secret, name: not-here, optional: true }] }\n"), STATIC)
hidden("in a suspended Kustomization", flux("  suspend: true\n"), ("duplicate-key", "denied-image", "own-rule", "missing-resource", "broken-yaml"))
hidden("for another cluster by a kubeConfig", flux("  kubeConfig: { secretRef: { name: other } }\n"), STATIC)
hidden("beside a release whose chart is not at hand", lambda change, path: (change.append("clusters/prod/kustomization.yaml", "  - other.yaml\n"),
       change.write("clusters/prod/other.yaml", RELEASE.replace("./charts/it, sourceRef: { kind: GitRepository, name: flux-system, namespace: flux-system }", "other, version: 1.0.0, sourceRef: { kind: HelmRepository, name: charts }").replace("namespace: web", "namespace: flux-system")
                    + "---\napiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmRepository\nmetadata: { name: charts, namespace: flux-system }\nspec: { interval: 1h, url: \"https://charts.example.org\" }\n")), FAULTS)
