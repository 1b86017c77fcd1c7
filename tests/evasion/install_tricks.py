"""Tricks with what installs things: charts that nobody has at hand, ranges of versions, k3s, Argo CD, older kinds of Flux, remote bases.
Each brings in what is denied; its twin the same way brings in something else."""
from base_repository import APPS, BASE, DEPLOY, DEPLOYMENT, KUSTOMIZATION, replaced
from built_tricks import CHART, IMAGE, MAP, POD, RELEASE, SECRET, released
from tricks import LIST, NGINX, around, trick

CLUSTER = BASE["clusters/prod/kustomization.yaml"]
IN_WEB = POD.replace("name: it", "name: it, namespace: web", 1)
META = "metadata: { name: it, namespace: web }\n"
CONTAINERS = "containers: [{ name: it, image: \"nginx:{0}\" }]"
REPOSITORY = ("---\napiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmRepository\nmetadata: { name: charts, namespace: web }\n"
              "spec: { interval: 1h, url: \"https://charts.example.org\" }\n")


def far_release(chart, version):
    """A release of a chart that is not at hand."""
    return RELEASE.replace("./charts/it, sourceRef: { kind: GitRepository, name: flux-system, namespace: flux-system }",
                           f"{chart}, version: \"{version}\", sourceRef: {{ kind: HelmRepository, name: charts }}")


def with_release(text, more="", files=None):
    return {"apps/web/release.yaml": text, "apps/web/kustomization.yaml": LIST + "  - release.yaml\n" + more, **(files or {})}


def far(name, spec, files=None, more=""):
    around(name + " of a chart that is not at hand", with_release(far_release("other", "1.0.0") + spec + REPOSITORY, more, files))


# --- values and edits of charts that are not at hand
FROM = "  valuesFrom: [{ kind: ConfigMap, name: vals }]\n"
VALS = "  - vals.yaml\n"
far("in values", "  values: { image: \"nginx:{0}\" }\n")
far("in values, in parts,", "  values: { image: { repository: nginx, tag: \"{0}\" } }\n")
far("in values, in parts with a registry,", "  values: { image: { registry: docker.io, repository: library/nginx, tag: \"{0}\" } }\n")
far("in values from a ConfigMap", FROM, {"apps/web/vals.yaml": MAP + "  values.yaml: |\n    image: nginx:{0}\n"}, VALS)
far("in values from a Secret", FROM.replace("ConfigMap", "Secret"), {"apps/web/vals.yaml": SECRET + "stringData:\n  values.yaml: |\n    a: { image: \"nginx:{0}\" }\n"}, VALS)
far("in values from a generated ConfigMap", "  valuesFrom: [{ kind: ConfigMap, name: vals, valuesKey: prod }]\n", {"apps/web/prod.txt": "image: nginx:{0}\n"},
    "configMapGenerator:\n  - { name: vals, namespace: web, files: [prod=prod.txt], options: { disableNameSuffixHash: true } }\n")
far("in one value from a ConfigMap", "  valuesFrom: [{ kind: ConfigMap, name: vals, valuesKey: it, targetPath: image }]\n", {"apps/web/vals.yaml": MAP + "  it: nginx:{0}\n"}, VALS)
far("with its tag from a ConfigMap,", "  values: { a: { image: { repository: nginx } } }\n  valuesFrom: [{ kind: ConfigMap, name: vals, valuesKey: it, targetPath: a.image.tag }]\n",
    {"apps/web/vals.yaml": MAP + "  it: \"{0}\"\n"}, VALS)
far("with its tag from YAML in a ConfigMap,", FROM + "  values: { image: { repository: nginx } }\n", {"apps/web/vals.yaml": MAP + "  values.yaml: |\n    image: { repository: other, tag: \"{0}\" }\n"}, VALS)
far("by images of a post-renderer", "  postRenderers:\n    - kustomize: { images: [{ name: ghcr.io/acme/it, newName: nginx, newTag: \"{0}\" }] }\n")
far("by a patch of a post-renderer", "  postRenderers:\n    - kustomize:\n        patches:\n          - target: { kind: Pod }\n            patch: |\n"
    "              - { op: replace, path: /spec/containers/0/image, value: \"nginx:{0}\" }\n")
far("by a container that a post-renderer adds", "  postRenderers:\n    - kustomize:\n        patches:\n          - target: { kind: Pod }\n            patch: |\n"
    "              - { op: add, path: /spec/containers/-, value: { name: b, image: \"nginx:{0}\" } }\n")
far("by a strategic patch of a post-renderer", "  postRenderers:\n    - kustomize:\n        patchesStrategicMerge:\n          - apiVersion: v1\n            kind: Pod\n"
    "            metadata: { name: x }\n            spec: { containers: [{ name: a, image: \"nginx:{0}\" }] }\n")


# --- charts
def chart(name, files, bad="6.0.3", good="6.5.3"):
    assert any("{0}" in text for text in files.values()), name
    trick(f"a denied chart {name}", lambda change: [change.write(path, text.replace("{0}", bad)) for path, text in files.items()],
          lambda change: [change.write(path, text.replace("{0}", good)) for path, text in files.items()])


for name, bad, good in (("in plain sight", "6.0.3", "6.5.3"), ("with a v", "v6.0.3", "v6.5.3"), ("with blanks", " 6.0.3 ", " 6.5.3 "), ("with an equals sign", "=6.0.3", "=6.5.3"),
                        ("with a build", "6.0.3+build.1", "6.5.3+build.1"), ("as a range of one", ">=6.0.3 <=6.0.3", ">=6.5.3 <=6.5.3"), ("as the other of two", "6.0.3 || 99.0.0", "6.5.3 || 99.0.0"),
                        ("by a tilde", "~6.0", "~6.5"), ("by an x", "6.0.x", "6.5.x"), ("by a star", "6.0.*", "6.5.*"), ("by bounds", ">=6.0.0 <6.1.0", ">=6.5.0 <6.6.0"),
                        ("by bounds that begin before it", ">=5.9.99, <6.1.0", ">=5.9.99, <6.6.0"), ("by a hyphen", "6.0.1 - 6.0.9", "6.5.1 - 6.5.9"), ("with two numbers", "6.0", "6.5")):
    chart(name, with_release(far_release("podinfo", "{0}") + REPOSITORY), bad, good)
chart("by substitution", with_release(far_release("podinfo", "${ver}") + REPOSITORY, files={"clusters/prod/apps.yaml": APPS + "  postBuild: { substitute: { ver: \"{0}\" } }\n"}))
chart("by a patch", with_release(far_release("podinfo", "6.5.3") + REPOSITORY, "patches:\n  - target: { kind: HelmRelease }\n    patch: |-\n      - { op: replace, path: /spec/chart/spec/version, value: \"{0}\" }\n"))
BY_REF = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: it, namespace: web }\nspec: { interval: 1h, chartRef: { kind: OCIRepository, name: podinfo } }\n"
OCI = "---\napiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata: { name: podinfo, namespace: web }\nspec: { interval: 1h, url: \"oci://ghcr.io/acme/podinfo\", ref: { REF } }\n"
for name, ref in (("tag", "tag: \"{0}\""), ("semver", "semver: \"{0}\""), ("semver beside a tag", "semver: \"{0}\", tag: \"1.0.0\"")):
    chart(f"by the {name} of an OCIRepository", with_release(BY_REF + OCI.replace("REF", ref)))
chart("by a HelmChart of Flux", with_release(BY_REF.replace("OCIRepository", "HelmChart") + "---\napiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmChart\nmetadata: { name: podinfo, namespace: web }\n"
      "spec: { interval: 1h, chart: podinfo, version: \"{0}\", sourceRef: { kind: HelmRepository, name: charts } }\n" + REPOSITORY))
OWN = {"charts/it/values.yaml": "{}\n", "charts/it/templates/pod.yaml": POD + "a:1\n"}
for name, alias in (("as a dependency", ""), ("as a dependency under another name", "alias: x, ")):
    chart(name, with_release(RELEASE, files={**OWN, "charts/it/Chart.yaml": CHART["charts/it/Chart.yaml"] + "dependencies: [{ name: podinfo, " + alias + "version: \"{0}\", repository: \"https://charts.example.org\" }]\n"}))
chart("that is copied into the repository", with_release(RELEASE.replace("charts/it", "charts/copy"), files={
    "charts/copy/Chart.yaml": "apiVersion: v2\nname: podinfo\nversion: {0}\n", "charts/copy/values.yaml": "{}\n", "charts/copy/templates/pod.yaml": POD + "a:1\n"}))
chart("that a chart brings as a release", with_release(RELEASE, files={**CHART, "charts/it/values.yaml": "{}\n",
      "charts/it/templates/more.yaml": far_release("podinfo", "{0}").replace("name: it", "name: inner", 1) + REPOSITORY}))

# --- k3s and Argo CD
K3S = "apiVersion: helm.cattle.io/v1\nkind: HelmChart\nmetadata: { name: it, namespace: kube-system }\nspec:\n"
ARGO = ("apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: argo, namespace: argocd }\nspec:\n  project: default\n  destination: { server: https://kubernetes.default.svc, namespace: web }\n"
        "  source:\n    repoURL: https://git.example.org/acme/fleet\n    targetRevision: main\n    path: ")
FAR_ARGO = ("apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: argo, namespace: argocd }\nspec:\n  project: default\n  destination: { server: https://kubernetes.default.svc, namespace: web }\n"
            "  source: { repoURL: \"https://charts.example.org\", chart: podinfo, targetRevision: \"{0}\" }\n")
around("in the values of a HelmChart of k3s", with_release(K3S + "  { chart: it, repo: \"https://charts.example.org\", version: 1.0.0, valuesContent: \"image: nginx:{0}\\n\" }\n"))
around("set by a HelmChart of k3s", with_release(K3S + "  { chart: it, repo: \"https://charts.example.org\", version: 1.0.0, set: { image.repository: nginx, image.tag: \"{0}\" } }\n"))
around("in the values of a HelmChartConfig", with_release(K3S.replace("HelmChart", "HelmChartConfig") + "  valuesContent: |-\n    image:\n      repository: nginx\n      tag: \"{0}\"\n"))
chart("of a HelmChart of k3s", with_release(K3S + "  { chart: podinfo, repo: \"https://charts.example.org\", version: \"{0}\" }\n"))
chart("by the url of a HelmChart of k3s", with_release(K3S + "  { chart: \"oci://ghcr.io/acme/podinfo\", version: \"{0}\" }\n"))
chart("by the archive of a HelmChart of k3s", with_release(K3S + "  { chart: \"https://charts.example.org/podinfo-{0}.tgz\" }\n"))
chart("of an Argo CD Application", with_release(FAR_ARGO))
chart("of an ApplicationSet", with_release(FAR_ARGO.replace("kind: Application", "kind: ApplicationSet").replace("spec:\n", "spec:\n  generators: [{ list: { elements: [{ a: b }] } }]\n  template:\n    metadata: { name: x }\n    spec:\n", 1)
      .replace("  project: default\n  destination", "      project: default\n      destination").replace("  source: {", "      source: {")))
ARGO_CHART = {**CHART, "charts/it/templates/pod.yaml": POD + IMAGE, "charts/it/values.yaml": "image: a\n"}
ARGO_LIST = {"apps/argo/kustomization.yaml": KUSTOMIZATION + "  - pod.yaml\n", "apps/argo/pod.yaml": POD + "ghcr.io/acme/it:1\n"}


def argo(name, source, path, files):
    around(name, {"clusters/prod/argo.yaml": ARGO + path + "\n" + source, "clusters/prod/kustomization.yaml": CLUSTER + "  - argo.yaml\n", **files})


argo("that Argo CD applies", "", "apps/argo", {**ARGO_LIST, "apps/argo/pod.yaml": POD + "nginx:{0}\n"})
argo("in a folder that Argo CD applies as it is", "    directory: { recurse: true }\n", "apps/argo", {"apps/argo/a/b/pod.yaml": POD + "nginx:{0}\n"})
argo("by images of an Argo CD Application", "    kustomize: { images: [\"ghcr.io/acme/it=nginx:{0}\"] }\n", "apps/argo", ARGO_LIST)
argo("by patches of an Argo CD Application", "    kustomize:\n      patches:\n        - target: { kind: Pod }\n          patch: |-\n            - { op: replace, path: /spec/containers/0/image, value: \"nginx:{0}\" }\n", "apps/argo", ARGO_LIST)
argo("by a component of an Argo CD Application", "    kustomize: { components: [../part] }\n", "apps/argo", {**ARGO_LIST,
     "apps/part/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nimages: [{ name: ghcr.io/acme/it, newName: nginx, newTag: \"{0}\" }]\n"})
argo("by a parameter of an Argo CD Application", "    helm: { parameters: [{ name: image, value: \"nginx:{0}\" }] }\n", "charts/it", ARGO_CHART)
argo("by values of an Argo CD Application", "    helm:\n      values: |\n        image: nginx:{0}\n", "charts/it", ARGO_CHART)
argo("by a valuesObject of an Argo CD Application", "    helm: { valuesObject: { image: \"nginx:{0}\" } }\n", "charts/it", ARGO_CHART)
argo("by a value file of an Argo CD Application", "    helm: { valueFiles: [other.yaml] }\n", "charts/it", {**ARGO_CHART, "charts/it/other.yaml": "image: nginx:{0}\n"})
argo("by the defaults of a chart that Argo CD applies", "", "charts/it", {**ARGO_CHART, "charts/it/values.yaml": "image: nginx:{0}\n"})

# --- older kinds of Flux, other names of a list, and what is added to lists
for older in ("v1beta1", "v1beta2"):
    flux = replaced(APPS, "toolkit.fluxcd.io/v1", "toolkit.fluxcd.io/" + older)
    around(f"by patchesStrategicMerge of a Kustomization of {older}", {"clusters/prod/apps.yaml": flux + "  patchesStrategicMerge:\n    - apiVersion: apps/v1\n      kind: Deployment\n"
           "      metadata: { name: web, namespace: web }\n      spec: { template: { spec: { containers: [{ name: web, image: \"nginx:{0}\" }] } } }\n"})
    around(f"by patchesJson6902 of a Kustomization of {older}", {"clusters/prod/apps.yaml": flux + "  patchesJson6902:\n    - target: { group: apps, version: v1, kind: Deployment, name: web, namespace: web }\n"
           "      patch: [{ op: replace, path: /spec/template/spec/containers/0/image, value: \"nginx:{0}\" }]\n"})
for older in ("v2beta1", "v2beta2"):
    released(f"in a release of {older}", IMAGE, files={"apps/web/release.yaml": RELEASE.replace("toolkit.fluxcd.io/v2", "toolkit.fluxcd.io/" + older) + "  values: { image: \"nginx:{0}\" }\n"})
for name in ("Kustomization", "kustomization.yml"):
    around(f"in a folder with a {name}", {"apps/web/kustomization.yaml": LIST + "  - ../more\n", f"apps/more/{name}": KUSTOMIZATION + "  - pod\n", "apps/more/pod": IN_WEB + "nginx:{0}\n"})
around("where a Flux Kustomization names no path", {"clusters/prod/more.yaml": replaced(APPS, "name: apps", "name: more").replace("  path: ./apps/web\n", ""), "clusters/prod/kustomization.yaml": CLUSTER + "  - more.yaml\n",
       "kustomization.yaml": KUSTOMIZATION + "  - apps/x.yaml\n", "apps/x.yaml": IN_WEB + "nginx:{0}\n"})
around("added to the list of containers", {"apps/web/kustomization.yaml": LIST + "patches:\n  - target: { kind: Deployment }\n    patch: |-\n      - { op: add, path: /spec/template/spec/containers/-, value: { name: side, image: \"nginx:{0}\" } }\n"})
around("by a patch for all that have a label", {"apps/web/kustomization.yaml": LIST + "patches:\n  - target: { labelSelector: \"app=web\" }\n    patch: |-\n      - { op: replace, path: /spec/template/spec/containers/0/image, value: \"nginx:{0}\" }\n",
       DEPLOY: replaced(DEPLOYMENT, "  namespace: web\n", "  namespace: web\n  labels: { app: web }\n")})
around("by a field that a configuration makes an image", {"apps/web/kustomization.yaml": LIST + "  - it.yaml\nconfigurations: [c.yaml]\nimages: [{ name: x, newName: nginx, newTag: \"{0}\" }]\n",
       "apps/web/c.yaml": "images: [{ path: spec/workload/image, kind: Foo }]\n", "apps/web/it.yaml": "apiVersion: acme.org/v1\nkind: Foo\n" + META + "spec: { workload: { image: \"x:1\" } }\n"})
for kind, text in (("DaemonSet", "apiVersion: apps/v1\nkind: DaemonSet\n" + META + "spec: { selector: { matchLabels: { a: b } }, template: { metadata: { labels: { a: b } }, spec: { " + CONTAINERS + " } } }\n"),
                   ("PodTemplate", "apiVersion: v1\nkind: PodTemplate\n" + META + "template: { spec: { " + CONTAINERS + " } }\n"),
                   ("kind that nobody knows", "apiVersion: acme.org/v1\nkind: Foo\n" + META + "spec: { workload: { image: { repository: nginx, tag: \"{0}\" } } }\n"),
                   ("ephemeral container", "apiVersion: v1\nkind: Pod\n" + META + "spec: { containers: [{ name: a, image: \"b:1\" }], ephemeralContainers: [{ name: it, image: \"nginx:{0}\" }] }\n"),
                   ("ResourceSet", "apiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSet\n" + META + "spec:\n  resources:\n    - apiVersion: v1\n      kind: Pod\n      metadata: { name: x, namespace: web }\n      spec: { " + CONTAINERS + " }\n"),
                   ("manifest in a ConfigMap", "apiVersion: v1\nkind: ConfigMap\n" + META + "data:\n  pod.yaml: |\n    apiVersion: v1\n    kind: Pod\n    metadata: { name: x }\n    spec: { " + CONTAINERS + " }\n")):
    around(f"in a {kind}", with_release(text))
for name, image in (("with a v before its version", "nginx:v{0}"), ("with a build behind its version", "nginx:{0}_build.5"), ("with the old name of its registry", "index.docker.io/library/nginx:{0}")):
    around(name, {DEPLOY: replaced(DEPLOYMENT, NGINX, image)})


# --- hosts
def host(name, files):
    trick(f"a denied host {name}", lambda change: [change.write(path, text.replace("{0}", "net")) for path, text in files.items()],
          lambda change: [change.write(path, text.replace("{0}", "org")) for path, text in files.items()])


host("of a HelmRepository", with_release(far_release("other", "1.0.0") + REPOSITORY.replace("example.org", "example.{0}")))
host("of an OCIRepository", with_release(BY_REF + OCI.replace("REF", "tag: 1.0.0").replace("ghcr.io", "charts.example.{0}")))
host("of a HelmChart of k3s", with_release(K3S + "  { chart: a, repo: \"https://charts.example.{0}\", version: \"1.0.0\" }\n"))
host("of an Argo CD Application", with_release(FAR_ARGO.replace("example.org", "example.{0}").replace("\"{0}\" }", "1.0.0 }")))
for name, base in (("over https", "https://git.example.{0}/acme/x//base?ref=v1"), ("over ssh", "git@git.example.{0}:acme/x//base?ref=v1"), ("with git::", "git::https://git.example.{0}/acme/x//base?ref=v1")):
    host(f"of a remote base {name}", {"apps/web/kustomization.yaml": LIST + f"  - {base}\n"})
host("of a remote component", {"apps/web/kustomization.yaml": LIST + "components: [\"https://git.example.{0}/acme/x//base?ref=v1\"]\n"})
host("of a GitRepository over ssh", with_release("apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: { name: x, namespace: web }\nspec: { interval: 1h, url: \"ssh://git@git.example.{0}/a/b\", ref: { branch: main } }\n"))

# --- a missing file that looks like a url
for name in ("nope.yaml?ref=v1", "nope.git", "gitlab.com/acme/nope", "git.example.org/acme/x//base?ref=v1"):
    trick(f"a missing resource called {name}", lambda change, name=name: change.append("apps/web/kustomization.yaml", f"  - {name}\n"),
          lambda change: change.append("apps/web/kustomization.yaml", "  - https://git.example.org/acme/x//base?ref=v1\n"))
