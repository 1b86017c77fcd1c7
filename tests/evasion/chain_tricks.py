"""Tricks with what leads to the clusters: the fault is in plain sight, but the change makes it look as if nothing applied it, or
as if nobody knew; Lists around what Flux and kustomize read; what git checks out otherwise than Flux reads it."""
from base_repository import APPS, BASE, CONFIG, DEPLOY, DEPLOYMENT, FAULTS, KUSTOMIZATION, LOCKSTEP, SYNC, replaced
from tricks import FEW, LIST, NGINX, PATCH, SOME, around, hidden, nothing, trick

SYNC_FILE = "clusters/prod/flux-system/gotk-sync.yaml"
CLUSTER = BASE["clusters/prod/kustomization.yaml"]
SOURCE, FLUX_SYSTEM = SYNC.split("---\n")
KINDS = ("duplicate-key", "bare-label", "broken-yaml", "denied-image", "missing-resource")


def as_list(text, kind="List"):
    documents = text.rstrip("\n").split("\n---\n")
    return f"apiVersion: v1\nkind: {kind}\nitems:\n" + "".join("  - " + one.rstrip("\n").replace("\n", "\n    ") + "\n" for one in documents)


# --- Lists around what leads to it
def in_a_list(path, kind="List"):
    return lambda change, _: change.write(path, as_list((change.root / path).read_text(), kind))


hidden("with its Flux Kustomization in a List", in_a_list("clusters/prod/apps.yaml"))
hidden("with its Flux Kustomization in a KustomizationList", in_a_list("clusters/prod/apps.yaml", "KustomizationList"))
hidden("with the sync in a List", in_a_list(SYNC_FILE))
for name, text in (("in a List", as_list(PATCH)), ("in a DeploymentList", as_list(PATCH, "DeploymentList"))):
    around(f"by a patch {name}", {"apps/web/kustomization.yaml": LIST + "patches: [{ path: p.yaml }]\n", "apps/web/p.yaml": text})
    around(f"by patchesStrategicMerge {name}", {"apps/web/kustomization.yaml": LIST + "patchesStrategicMerge: [p.yaml]\n", "apps/web/p.yaml": text})
    around(f"by a Flux patch {name}", {"clusters/prod/apps.yaml": APPS + "  patches:\n    - patch: |\n        " + text.rstrip("\n").replace("\n", "\n        ") + "\n"})
for name, kind in (("in a List", "List"), ("in a DeploymentList", "DeploymentList")):
    around(f"by a patch of what is {name}", {"apps/web/kustomization.yaml": LIST + "patches: [{ path: p.yaml }]\n", "apps/web/p.yaml": PATCH, DEPLOY: as_list(DEPLOYMENT, kind)})

# --- the way to it is made doubtful
def sync(text):
    return lambda change, path: change.write(SYNC_FILE, text)


def second(text):
    """One more source and Kustomization beside the one that applies it."""
    return lambda change, path: (change.write("clusters/prod/flux-system/two.yaml", text), change.append("clusters/prod/flux-system/kustomization.yaml", "  - two.yaml\n"))


INCLUDE = replaced(SYNC, "spec: { interval: 1m,", "spec: { include: [{ repository: { name: other }, fromPath: a, toPath: b }], interval: 1m,")
hidden("while the source includes another", lambda change, path: (sync(INCLUDE)(change, path), second(SOURCE.replace("name: flux-system,", "name: other,").replace("acme/fleet", "acme/other"))(change, path)), KINDS)
hidden("while the source includes another that is not there", sync(INCLUDE), KINDS)
hidden("while the source follows a tag", sync(replaced(SYNC, "branch: main", "tag: v1.0.0")), KINDS)
hidden("while the source follows a range", sync(replaced(SYNC, "branch: main", "semver: \">=1.0.0\"")), KINDS)
hidden("while the source checks out a part", sync(replaced(SYNC, "spec: { interval: 1m,", "spec: { sparseCheckout: [apps, clusters], interval: 1m,")), KINDS)
hidden("while the source is at another url", sync(replaced(SYNC, "acme/fleet", "acme/fleet-two")), KINDS)
hidden("while the source has a variable in its url", sync(replaced(SYNC, "acme/fleet", "acme/${name}")), KINDS)
hidden("while the sync is removed", lambda change, path: (change.remove(SYNC_FILE), change.write("clusters/prod/flux-system/kustomization.yaml", KUSTOMIZATION.replace("resources:\n", "resources: []\n"))), KINDS)
hidden("while the sync leaves the list", lambda change, path: change.write("clusters/prod/flux-system/kustomization.yaml", KUSTOMIZATION.replace("resources:\n", "resources: []\n")), KINDS)
hidden("while its Flux Kustomization has another source", lambda change, path: (change.write("clusters/prod/apps.yaml", (change.root / "clusters/prod/apps.yaml").read_text().replace("name: flux-system }", "name: other }")),
       second(SOURCE.replace("name: flux-system,", "name: other,").replace("acme/fleet", "acme/other"))(change, path)), KINDS, twin_hide=nothing)
hidden("while its Flux Kustomization reads a bucket", lambda change, path: (change.write("clusters/prod/apps.yaml", (change.root / "clusters/prod/apps.yaml").read_text().replace("kind: GitRepository, name: flux-system }", "kind: Bucket, name: other }"))), KINDS, twin_hide=nothing)
hidden("while its Flux Kustomization reads an OCI artifact", lambda change, path: (change.write("clusters/prod/apps.yaml", (change.root / "clusters/prod/apps.yaml").read_text().replace("kind: GitRepository, name: flux-system }", "kind: OCIRepository, name: other }")),
       second("apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata: { name: other, namespace: flux-system }\nspec: { interval: 1m, url: \"oci://ghcr.io/acme/fleet\", ref: { tag: latest } }\n")(change, path)), KINDS,
       twin_hide=lambda change, path: change.write("clusters/prod/kustomization.yaml", replaced(CLUSTER, "  - apps.yaml\n", "")))
hidden("beside a second sync of the same name", second(SYNC.replace("acme/fleet", "acme/other").replace("./clusters/prod", "./clusters/other")), KINDS)
hidden("beside another cluster", lambda change, path: (change.write("clusters/two/flux-system/gotk-sync.yaml", SYNC.replace("acme/fleet", "acme/other").replace("clusters/prod", "clusters/two")), change.write("clusters/two/a.yaml", CONFIG)), KINDS)
hidden("beside a cluster of the same url on another branch", lambda change, path: (change.write("clusters/two/flux-system/gotk-sync.yaml", SYNC.replace("branch: main", "branch: two").replace("clusters/prod", "clusters/two")), change.write("clusters/two/a.yaml", CONFIG)), KINDS)
hidden("where the path has a variable that nothing supplies", lambda change, path: (change.write(SYNC_FILE, SYNC + "  postBuild: { substituteFrom: [{ kind: Secret, name: not-here }] }\n"),
       change.write("clusters/prod/apps.yaml", (change.root / "clusters/prod/apps.yaml").read_text().replace("./apps/web", "./apps/${x:=web}"))), KINDS, twin_hide=nothing)

# --- ResourceSets
RESOURCE_SET = "apiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSet\nmetadata: { name: set, namespace: flux-system }\nspec:\n"
def indented(text, by):
    return text.rstrip("\n").replace("\n", "\n" + " " * by)
for name, text in (("its resources", "  resources:\n    - " + indented(replaced(DEPLOYMENT, NGINX, "nginx:{0}"), 6)),
                   ("its resources with inputs", "  inputs: [{ tag: \"{0}\" }]\n  resources:\n    - " + indented(replaced(DEPLOYMENT, NGINX, "nginx:<< inputs.tag >>"), 6)),
                   ("its template", "  resourcesTemplate: |\n    " + indented(replaced(DEPLOYMENT, NGINX, "nginx:{0}"), 4)),
                   ("its template with inputs", "  inputs: [{ tag: \"{0}\" }]\n  resourcesTemplate: |\n    " + indented(replaced(DEPLOYMENT, NGINX, "nginx:<< inputs.tag >>"), 4))):
    around(f"of a ResourceSet in {name}", {"clusters/prod/set.yaml": RESOURCE_SET + text + "\n", "clusters/prod/kustomization.yaml": CLUSTER + "  - set.yaml\n"})

# --- repositories that do not say what is applied, until the change says something
OTHER = SYNC.replace("acme/fleet", "acme/other")


def rootless(name, say, twin_say=None, faults=KINDS, lists=True, base=None):
    for fault in faults:
        path, bad, good = FAULTS[fault]

        def play(change, text, how, path=path):
            change.remove("clusters")
            change.write(".lockstep.yaml", LOCKSTEP.replace("must-apply: [missing-resource, no-debug-mode]\n", ""))
            if not lists:
                change.remove("apps/web/kustomization.yaml")
            for file, content in (base or {}).items():
                change.write(file, content)
            change.is_the_base()
            change.write(path, text)
            how(change)

        trick(f"{fault} in a repository without roots, {name}", lambda change, text=bad, play=play: play(change, text, say),
              lambda change, text=good, play=play: play(change, text, twin_say or (lambda change: None)))


def with_files(files):
    return lambda change: [change.write(path, text) for path, text in files.items()]


DUMMY = {"apps/z/kustomization.yaml": KUSTOMIZATION + "  - cm.yaml\n", "apps/z/cm.yaml": CONFIG.replace("name: web", "name: z")}
ARGO = ("apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: z, namespace: argocd }\nspec:\n  project: default\n  destination: { server: https://kubernetes.default.svc, namespace: web }\n"
        "  source: { repoURL: \"https://git.example.org/acme/fleet\", targetRevision: main, path: apps/z }\n")
rootless("in plain sight", lambda change: None)
rootless("beside a Flux Kustomization of nothing", with_files({"clusters/z/gotk-sync.yaml": SYNC.replace("clusters/prod", "clusters/z"), "clusters/z/cm.yaml": CONFIG}), with_files({"apps/z/cm.yaml": CONFIG}))
rootless("beside a Flux Kustomization of another repository", with_files({"clusters/z/gotk-sync.yaml": OTHER}), with_files({"README.md": "# other\n"}))
rootless("beside an Application of Argo CD", with_files({"argo.yaml": ARGO, **DUMMY}), with_files(DUMMY))
rootless("where the config says what is applied", lambda change: change.append(".lockstep.yaml", "applied: [apps/z]\n") or with_files(DUMMY)(change), with_files(DUMMY))
trick("`applied:` in the config of a repository without roots, for the change after this one",
      lambda change: (change.remove("clusters"), change.is_the_base(), with_files(DUMMY)(change), change.append(".lockstep.yaml", "applied: [apps/z]\n")),
      lambda change: (change.remove("clusters"), change.is_the_base(), with_files(DUMMY)(change)))
HERE = {f"templates/{name}": BASE["apps/web/" + name] for name in ("kustomization.yaml", "deployment.yaml", "config.yaml")}
trick("duplicate-key in a repository without roots, below templates that something fills in", lambda change: (change.remove("clusters"), with_files(HERE)(change), change.is_the_base(),
      with_files({"templates/deployment.yaml": FAULTS["duplicate-key"][1], "templates/x.yaml": "a: {% x %}\n"})(change)),
      lambda change: (change.remove("clusters"), with_files(HERE)(change), change.is_the_base(), with_files({"templates/deployment.yaml": FAULTS["duplicate-key"][2]})(change)))
rootless("beside others that are listed", with_files({**{f"apps/{name}/kustomization.yaml": KUSTOMIZATION + "  - cm.yaml\n" for name in "abc"}, **{f"apps/{name}/cm.yaml": CONFIG.replace("name: web", "name: " + name) for name in "abc"},
         "all/kustomization.yaml": KUSTOMIZATION + "  - ../apps/a\n  - ../apps/b\n  - ../apps/c\n"}), with_files(DUMMY))
PLAIN = [fault for fault in KINDS if fault not in ("missing-resource", "patch-directive")]
rootless("where nothing is listed", lambda change: None, faults=PLAIN, lists=False)
rootless("where nothing is listed until now", with_files(DUMMY), with_files({"apps/z/cm.yaml": CONFIG.replace("name: web", "name: z")}), PLAIN, False)
rootless("where nothing is listed, beside a chart", with_files({"charts/z/Chart.yaml": "apiVersion: v2\nname: z\nversion: 1.0.0\n", "charts/z/templates/cm.yaml": CONFIG.replace("name: web", "name: z")}), with_files({"apps/z/cm.yaml": CONFIG.replace("name: web", "name: z")}), PLAIN, False)
rootless("where nothing is listed, beside a helmfile", with_files({"helmfile.yaml": "releases:\n  - name: z\n    chart: stable/z\n    version: 1.0.0\n"}), with_files({"apps/z/cm.yaml": CONFIG.replace("name: web", "name: z")}), PLAIN, False)

# --- git checks out what Flux does not read
for name, attribute in (("ident", "ident"), ("a filter", "filter=quiet"), ("another encoding", "working-tree-encoding=ISO-8859-1")):
    for pattern in (DEPLOY, "*.yaml", "/apps/**", "[attr]quiet"):
        trick(f"{name} of git for {pattern}", lambda change, line=f"{pattern} {attribute}\n": change.write(".gitattributes", line),
              lambda change, attribute=attribute: change.write(".gitattributes", f"*.png {attribute}\n*.yaml text eol=lf diff\n"))
for folder, pattern in (("apps/web", "deployment.yaml"), ("apps", "web/*"), ("clusters", "**/*.yaml")):
    trick(f"ident of git, said in {folder}", lambda change, at=folder + "/.gitattributes", line=pattern + " ident\n": change.write(at, line),
          lambda change, at=folder + "/.gitattributes": change.write(at, "*.png ident\n"))

# --- what was known as a note is not known as an error
def known_as_a_note(fault):
    bad, good = FAULTS[fault][1:]

    def play(change, text):
        change.write("apps/later/kustomization.yaml", KUSTOMIZATION + "  - deployment.yaml\n")
        change.write("apps/later/deployment.yaml", text.replace("name: web\n", "name: later\n", 1))
        change.baseline_of_head()
        change.is_the_base()
        change.write("clusters/prod/later.yaml", replaced(APPS, "name: apps", "name: later").replace("./apps/web", "./apps/later"))
        change.append("clusters/prod/kustomization.yaml", "  - later.yaml\n")

    trick(f"{fault} that the baseline has as a note, and that is applied now", lambda change: play(change, bad), lambda change: play(change, good))


for fault in ("duplicate-key", "bare-label", "rolling-fields", "patch-directive", "broken-yaml"):
    known_as_a_note(fault)
