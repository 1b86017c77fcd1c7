"""The tricks: each is a change to the base repository that brings a fault and a way to hide it, and a healthy twin that is as
close to it as can be. `bad` and `twin` are functions of a Change (test_evasion.py)."""
import base64
import os

from base_repository import (APPS, BASE, CONFIG, DEPLOY, DEPLOYMENT, FAULTS, KUSTOMIZATION, LOCKSTEP, RULE, replaced)

TRICKS = []
# What is not caught yet, and what it takes.
OPEN = {}


def trick(name, bad, twin, open_until=None):
    assert name not in [known for known, _, _ in TRICKS], name
    TRICKS.append((name, bad, twin))
    if open_until:
        OPEN[name] = open_until


def hidden(way, hide, faults=FAULTS, open_until=None, twin_hide=None):
    """The same way to hide over many faults; the twin hides as well, but has nothing to hide."""
    for fault in faults:
        path, bad, good = FAULTS[fault]

        def with_fault(change, path=path, text=bad):
            change.write(path, text)
            hide(change, path)

        def without(change, path=path, text=good):
            change.write(path, text)
            (twin_hide or hide)(change, path)

        trick(f"{fault} {way}", with_fault, without, open_until)


SOME = ("duplicate-key", "denied-image", "own-rule", "missing-resource")
FEW = ("duplicate-key", "denied-image")
nothing = lambda change, path: None

# --- in the open: the guard is there at all
hidden("in plain sight", nothing)

# --- ignore files
hidden("with `*` in .gitignore", lambda change, path: change.write(".gitignore", "*\n"))
hidden("with its folder in .gitignore", lambda change, path: change.write(".gitignore", "/" + path.split("/")[0] + "/\n"), SOME)
hidden("with its name in .gitignore", lambda change, path: change.write(".gitignore", os.path.basename(path) + "\n"), SOME)
hidden("with `*` in a .gitignore beside it", lambda change, path: change.write(os.path.dirname(path) + "/.gitignore", "*\n"), SOME)
hidden("with `**/*.yaml` in .gitignore", lambda change, path: change.write(".gitignore", "**/*.yaml\n"), FEW)
hidden("with ignore rules for everything but .gitignore", lambda change, path: change.write(".gitignore", "/*\n!/.gitignore\n"), FEW)
hidden("marked assume-unchanged", lambda change, path: change.later("git", "update-index", "--assume-unchanged", path), FEW)
hidden("marked skip-worktree", lambda change, path: change.later("git", "update-index", "--skip-worktree", path), FEW)
hidden("with export-ignore in .gitattributes", lambda change, path: change.write(".gitattributes", f"{path} export-ignore -diff linguist-generated\n"), FEW)
hidden("marked as binary in .gitattributes", lambda change, path: change.write(".gitattributes", "*.yaml binary\n"), FEW)
hidden("with an index of version 4", lambda change, path: (change.write(".gitignore", "*\n"), change.later("git", "update-index", "--index-version", "4")), FEW)
hidden("with a split index", lambda change, path: (change.write(".gitignore", "*\n"), change.later("git", "update-index", "--split-index")), FEW)
hidden("and not committed yet", lambda change, path: change.uncommitted(), FEW)
hidden("seen from a linted subfolder", lambda change, path: (change.write(".gitignore", "*\n"), change.lint("apps/web")), ("duplicate-key", "bare-label", "missing-resource"))

# --- names that stand for others
hidden("with a link named after it", lambda change, path: change.link(path + ": x", "nowhere"), SOME)
hidden("with a link out named after it", lambda change, path: change.link(path + ": x", "/etc/hostname"), FEW,
       twin_hide=lambda change, path: change.write(path + ": x", "text\n"))
hidden("beside a file with a line break in its name", lambda change, path: change.write(path + "\n: error", "x\n"), FEW)

# --- config: what the change says of itself does not count
def config(text):
    return lambda change, path: change.write(".lockstep.yaml", LOCKSTEP + text)


STRICTER = config("severity: { unwired-manifest: error }\n")
for name, text in {
        "exclude of everything": "exclude: [\"**\"]\n", "exclude of its folder": "exclude: [\"apps/\", \"clusters/\"]\n",
        "all rules off": "severity: { duplicate-key: off, denied-version: off, missing-resource: off, no-debug-mode: off }\n",
        "a path setting": "  - files: \"**\"\n    severity: { duplicate-key: off, denied-version: off, missing-resource: off, no-debug-mode: off }\n",
        "the core pack off": "packs: { core: false }\n", "a tiny file-size": "limits: { file-size: 10 }\n",
        "generated files": "generated: [\"apps/**\"]\n", "external objects": "external: [\"*/*/*\"]\n"}.items():
    hidden(f"with {name} in the config", config(text), SOME, twin_hide=STRICTER)
    trick(f"{name} in the config, for the change after this one", lambda change, text=text: change.write(".lockstep.yaml", LOCKSTEP + text),
          lambda change: STRICTER(change, None))
for name, text in {
        "no must-apply": replaced(LOCKSTEP, "must-apply: [missing-resource, no-debug-mode]\n", ""),
        "no denied versions": replaced(LOCKSTEP, "1.25.x || latest", "0.0.1"), "no denied hosts": replaced(LOCKSTEP, "*.example.net", "none.example.net"),
        "nothing": "", "a broken line": LOCKSTEP + "exclude: [\n", "an unknown key": LOCKSTEP + "excludes: [\"**\"]\n",
        "a NUL byte": LOCKSTEP + "# \0\n"}.items():
    hidden(f"with {name} in the config", lambda change, path, text=text: change.write(".lockstep.yaml", text), ("denied-image",),
           twin_hide=STRICTER)
    trick(f"{name} in the config, for the change after this one", lambda change, text=text: change.write(".lockstep.yaml", text),
          lambda change: change.write(".lockstep.yaml", LOCKSTEP + "# the end\n"))
hidden("with the config removed", lambda change, path: change.remove(".lockstep.yaml"), FEW, twin_hide=STRICTER)
hidden("with the config as a link", lambda change, path: (change.write("other.yaml", ""), change.link(".lockstep.yaml", "other.yaml")), FEW, twin_hide=STRICTER)
hidden("with the config as a folder", lambda change, path: (change.remove(".lockstep.yaml"), change.write(".lockstep.yaml/x", "")), FEW, twin_hide=STRICTER)

# --- the repository's own rules
RULES = ".lockstep/rules/no-debug-mode.yaml"
for name, hide in {
        "its rule removed": lambda change, path: change.remove(RULES),
        "its rule emptied": lambda change, path: change.write(RULES, "rule: other\nseverity: note\nsummary: x\nwhy: x\nfix: x\nfacts: { a: { files: none, yaml: { b: c } } }\nfor: a\nassert: a.b == a.b\nmessage: x\nat: a.b\n"),
        "its rule as a note": lambda change, path: change.write(RULES, replaced(RULE, "severity: error", "severity: note")),
        "its rule pointed elsewhere": lambda change, path: change.write(RULES, replaced(RULE, "apps/web/config.yaml", "apps/web/none.yaml")),
        "its rule renamed": lambda change, path: change.write(RULES, replaced(RULE, "rule: no-debug-mode", "rule: no-debug-mode-2")),
        "its rule in a file that is no YAML by name": lambda change, path: (change.remove(RULES), change.write(RULES + ".off", RULE)),
        "its rule as a link": lambda change, path: (change.write("x.yaml", RULE), change.link(RULES, "../../x.yaml")),
        "its rule as a broken link": lambda change, path: change.link(RULES, "none"),
        "its rules folder as a link": lambda change, path: (change.remove(".lockstep/rules"), change.write("r/keep.md", ""), change.link(".lockstep/rules", "../r")),
        "its rules folder as a file": lambda change, path: (change.remove(".lockstep/rules"), change.write(".lockstep/rules", "")),
        "its folder of rules as a link": lambda change, path: (change.remove(".lockstep"), change.write("r/rules/keep.md", ""), change.link(".lockstep", "r")),
        "a second rule of the same id": lambda change, path: change.write(".lockstep/rules/z.yaml", replaced(RULE, "severity: error", "severity: note")),
        "a rule that replaces it": lambda change, path: change.write(".lockstep/rules/z.yaml", replaced(RULE.replace("no-debug-mode", "other"), "severity: error", "severity: note\nreplaces: [no-debug-mode]")),
}.items():
    stricter = lambda change, path: change.write(".lockstep/rules/two.yaml", RULE.replace("no-debug-mode", "no-debug-mode-two"))
    hidden(f"with {name}", hide, ("own-rule",), twin_hide=stricter)
    hidden(f"with {name}, on disk only", lambda change, path, hide=hide: (hide(change, path), change.options(config_from_base=False)),
           ("own-rule",), twin_hide=lambda change, path: (stricter(change, path), change.options(config_from_base=False)))

# --- suppressions
IGNORE = "# lockstep: ignore[{0}] it is fine like this"
CAN_BE_IGNORED = {"duplicate-key": ("duplicate-key", "  replicas: 3\n"), "denied-image": ("denied-version", "image: nginx"),
                  "bare-label": ("metadata-value-not-string", "acme.org/on"), "patch-directive": ("patch-directive-in-base", "$patch"),
                  "rolling-fields": ("recreate-with-rolling-fields", "rollingUpdate")}


def suppressed(fault, form):
    rule, anchor = CAN_BE_IGNORED[fault]
    lines = FAULTS[fault][1].splitlines(keepends=True)
    for i, line in enumerate(lines):
        if anchor.strip() in line and form == "beside":
            lines[i] = line.rstrip("\n") + " " + IGNORE.format(rule) + "\n"
            break
        if anchor.strip() in line and form == "above":
            lines.insert(i, IGNORE.format(rule) + "\n")
            break
        if anchor.strip() in line and form == "until":
            lines[i] = line.rstrip("\n") + " " + IGNORE.format(rule) + " until=2099-01-01\n"
            break
        if anchor.strip() in line and form == "among others":
            lines[i] = line.rstrip("\n") + " " + IGNORE.format(rule + ", image-tag-floating") + "\n"
            break
    else:
        raise AssertionError(fault)
    return "".join(lines)


for fault in CAN_BE_IGNORED:
    for form in ("beside", "above", "until", "among others"):
        trick(f"{fault} suppressed {form}", lambda change, fault=fault, form=form: change.write(DEPLOY, suppressed(fault, form)),
              lambda change, fault=fault: change.write(DEPLOY, FAULTS[fault][2] + "# lockstep is fine with this\n"))
for rule, form in (("duplicate-key", "# lockstep: ignore[duplicate-key]"), ("duplicate-key", "# Lockstep: ignore[duplicate-key] why"),
                   ("duplicate-key", "# lockstep:ignore[duplicate-key] why"), ("duplicate-key", "# lockstep: ignore[*] why"),
                   ("duplicate-key", "# lockstep: ignore why"), ("duplicate-key", "# lockstep: ignore[duplicate-keys] why"),
                   ("duplicate-key", "# lockstep: ignore[duplicate-key] why until=2001-01-01"), ("duplicate-key", "# lockstep: ignore[yaml-syntax] why")):
    trick(f"a suppression that does not count: {form}",
          lambda change, form=form: change.write(DEPLOY, replaced(FAULTS["duplicate-key"][1], "  replicas: 3\n", f"  replicas: 3 {form}\n")),
          lambda change: change.write(DEPLOY, replaced(DEPLOYMENT, "  replicas: 2\n", "  replicas: 3 # ignore nothing\n")))
KEPT = BASE["legacy/kept.yaml"]
trick("a suppression moved to another line", lambda change: change.write("legacy/kept.yaml", "a: 1\nb: 1\nb: 2 # lockstep: ignore[duplicate-key] the importer needs both\n"),
      lambda change: change.write("legacy/kept.yaml", "# the importer\n" + KEPT))
trick("another fault put under a suppression", lambda change: change.write("legacy/kept.yaml", "z: 1\nz: 2 # lockstep: ignore[duplicate-key] the importer needs both\n"),
      lambda change: change.write("legacy/kept.yaml", "y: 1\n" + KEPT))
trick("a suppression doubled", lambda change: change.write("legacy/kept.yaml", KEPT + "b: 1\nb: 2 # lockstep: ignore[duplicate-key] the importer needs both\n"),
      lambda change: change.write("legacy/kept.yaml", KEPT + "b: 1\n"))
trick("a suppression widened", lambda change: change.write("legacy/kept.yaml", KEPT.replace("[duplicate-key]", "[duplicate-key, empty-manifest]")),
      lambda change: change.write("legacy/kept.yaml", KEPT + "c: 1\n"))
trick("a suppression carried along to a new file", lambda change: change.write("legacy/new.yaml", KEPT), lambda change: change.write("legacy/new.yaml", "a: 1\n"))
trick("a suppression whose date is put off", lambda change: change.write("legacy/kept.yaml", KEPT.rstrip("\n") + " until=2099-01-01\n"),
      lambda change: change.write("legacy/kept.yaml", KEPT + "d: 1\n"))

# --- baseline
KEY = "duplicate-key:apps/web/deployment.yaml"
trick("its key added to the baseline", lambda change: (change.write(DEPLOY, FAULTS["duplicate-key"][1]), change.baseline_of_head()),
      lambda change: change.write(DEPLOY, FAULTS["duplicate-key"][2]))
trick("a baseline that covers more, for the change after this one", lambda change: change.append("known.txt", "duplicate-key:x\twords\n"),
      lambda change: change.append("known.txt", "# nothing more\n"))
trick("another fault of a known file", lambda change: change.write("legacy/old.yaml", "a: 1\na: 2\nb: 1\nb: 2\n"),
      lambda change: change.write("legacy/old.yaml", "a: 1\na: 2\nb: 1\n"))
trick("another fault in place of a known one", lambda change: change.write("legacy/old.yaml", "b: 1\nb: 2\n"),
      lambda change: change.write("legacy/old.yaml", "b: 1\n"))
trick("the known fault once more", lambda change: change.write("legacy/old.yaml", "a: 1\na: 2\na: 3\n"),
      lambda change: change.write("legacy/old.yaml", "a: 1\na: 2 # known\n"))
trick("broken YAML in the baseline", lambda change: (change.write(DEPLOY, FAULTS["broken-yaml"][1]), change.baseline_of_head()),
      lambda change: change.write(DEPLOY, FAULTS["broken-yaml"][2]))
trick("the baseline as a link", lambda change: (change.write("k.txt", KEY + "\n"), change.link("known.txt", "k.txt")), lambda change: change.append("known.txt", "\n"))

# --- how YAML is written
def written(name, change_text, faults=("duplicate-key", "denied-image", "bare-label"), open_until=None):
    for fault in faults:
        path, bad, good = FAULTS[fault]
        trick(f"{fault} in {name}", lambda change, path=path, text=bad: change.write(path, change_text(text)),
              lambda change, path=path, text=good: change.write(path, change_text(text)), open_until)


written("CRLF", lambda text: text.replace("\n", "\r\n"))
written("a file with a byte order mark", lambda text: "\ufeff" + text)
trick("duplicate-key in UTF-16", lambda change: change.write(DEPLOY, ("\ufeff" + FAULTS["duplicate-key"][1]).encode("utf-16-le")),
      lambda change: change.write(DEPLOY, "\ufeff" + FAULTS["duplicate-key"][2]))
written("a second document", lambda text: CONFIG.replace("name: web", "name: first") + "---\n" + text)
written("a document behind a hundred", lambda text: "".join(f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{ name: c{i}, namespace: web }}\n---\n" for i in range(100)) + text)
written("a document behind a broken one", lambda text: text, ("duplicate-key",))
written("a file that opens with a directive", lambda text: "%YAML 1.1\n---\n" + text)
written("a file that ends its document", lambda text: text + "...\n")
written("quoted keys", lambda text: text.replace("apiVersion:", "\"apiVersion\":").replace("kind: D", "'kind': D"))
written("a tagged document", lambda text: "--- !!map\n" + text)
written("a document with an anchor", lambda text: "--- &all\n" + text)
written("a List", lambda text: "apiVersion: v1\nkind: List\nitems:\n  - " + text.replace("\n", "\n    ").rstrip(" "))
written("a file with a template comment", lambda text: "# {{ if .Values.on }}\n" + text)
written("a file with braces in a comment at the end", lambda text: text + "# {{ end }}\n")
written("a file behind a megabyte of comments", lambda text: "# x\n" * 250_000 + text)
written("a file with a very long line", lambda text: text + "# " + "x" * 1_000_000 + "\n")
written("a file with odd blanks", lambda text: text.replace("replicas: 2", "replicas:   2").replace("image: ", "image:    "))
trick("an escape sequence in a comment", lambda change: change.write(DEPLOY, "# \x1b[2J\n" + DEPLOYMENT), lambda change: change.write(DEPLOY, "# [2J\n" + DEPLOYMENT))

# --- where it is
def moved(name, to, listed, open_until=None, faults=FEW, kept=""):
    """`kept` is what .sourceignore takes back of what Flux leaves out by itself."""
    for fault in faults:
        _, bad, good = FAULTS[fault]

        def go(change, text):
            change.remove(DEPLOY)
            change.write(to, text)
            if kept:
                change.write(".sourceignore", kept)
            change.write("apps/web/kustomization.yaml", KUSTOMIZATION + f"  - {listed}\n  - config.yaml\n")

        trick(f"{fault} in {name}", lambda change, text=bad: go(change, text), lambda change, text=good: go(change, text), open_until)


moved("a .yml file", "apps/web/deployment.yml", "deployment.yml")
moved("a .json file", "apps/web/deployment.json", "deployment.json")
moved("a .YAML file", "apps/web/deployment.YAML", "deployment.YAML")
moved("a .txt file", "apps/web/deployment.txt", "deployment.txt")
moved("a file without an ending", "apps/web/deployment", "deployment")
moved("a file that is a script by name", "apps/web/deployment.sh", "deployment.sh")
moved("a file that is a Terraform template by name", "apps/web/deployment.tftpl", "deployment.tftpl")
moved("a file that is a picture by name", "apps/web/deployment.png", "deployment.png", kept="!*.png\n")
moved("an excluded folder", "attic/deployment.yaml", "../../attic/deployment.yaml")
moved("an excluded file", "apps/web/deployment.log", "deployment.log")
moved("a hidden file", "apps/web/.deployment.yaml", ".deployment.yaml")
moved("a hidden folder", "apps/web/.d/deployment.yaml", ".d/deployment.yaml")
moved("a file far away", "misc/deployment.yaml", "../../misc/deployment.yaml")
moved("a file named by a winding path", "apps/web/deployment.yaml", "./x/../deployment.yaml")
moved("a file with a blank in its name", "apps/web/my deployment.yaml", "my deployment.yaml")
moved("a folder below .lockstep", ".lockstep/d/deployment.yaml", "../../.lockstep/d/deployment.yaml")
moved("a folder called node_modules", "node_modules/deployment.yaml", "../../node_modules/deployment.yaml")
moved("a folder called testdata", "testdata/deployment.yaml", "../../testdata/deployment.yaml")
moved("a folder called vendor", "vendor/deployment.yaml", "../../vendor/deployment.yaml")

for fault in FEW:
    _, bad, good = FAULTS[fault]

    def linked(change, text):
        change.write("real/deployment.yaml", text)
        change.link(DEPLOY, "../../real/deployment.yaml")


    trick(f"{fault} behind a link", lambda change, text=bad: linked(change, text), lambda change, text=good: linked(change, text))
trick("a link out of the repository in place of a manifest", lambda change: change.link(DEPLOY, "/etc/hostname"),
      lambda change: change.write(DEPLOY, DEPLOYMENT + "# not a link\n"))
trick("a manifest larger than the limit", lambda change: change.write(DEPLOY, FAULTS["duplicate-key"][1] + "# " + "x" * (17 << 20)),
      lambda change: change.write(DEPLOY, DEPLOYMENT + "# " + "x" * (1 << 20) + "\n"))
trick("a manifest that nobody may read", lambda change: (change.write(DEPLOY, FAULTS["duplicate-key"][1]), change.later("chmod", "0", DEPLOY)),
      lambda change: change.write(DEPLOY, DEPLOYMENT + "# readable\n"))
trick("a kustomization larger than the limit", lambda change: change.write("apps/web/kustomization.yaml", BASE["apps/web/kustomization.yaml"] + "# " + "x" * (17 << 20)),
      lambda change: change.append("apps/web/kustomization.yaml", "# " + "x" * (1 << 20) + "\n"))
trick("a patch larger than the limit", lambda change: (change.append("apps/web/kustomization.yaml", "patches: [{ path: p.yaml }]\n"), change.write("apps/web/p.yaml", DEPLOYMENT + "# " + "x" * (17 << 20))),
      lambda change: (change.append("apps/web/kustomization.yaml", "patches: [{ path: p.yaml }]\n"), change.write("apps/web/p.yaml", DEPLOYMENT)))
for fault in FEW:
    _, bad, good = FAULTS[fault]

    def excluded_path(change, text):
        change.write("attic/web/kustomization.yaml", KUSTOMIZATION + "  - ../more\n")
        change.write("attic/more/kustomization.yaml", KUSTOMIZATION + "  - it.txt\n")
        change.write("attic/more/it.txt", text.replace("name: web\n  namespace", "name: web-two\n  namespace"))
        change.write("clusters/prod/more.yaml", replaced(APPS, "name: apps", "name: more").replace("./apps/web", "./attic/web"))
        change.append("clusters/prod/kustomization.yaml", "  - more.yaml\n")

    trick(f"{fault} where a Flux path leads to an excluded folder", lambda change, text=bad: excluded_path(change, text), lambda change, text=good: excluded_path(change, text))
trick("a link out of the repository in a folder that Flux applies as it is", lambda change: (change.write("apps/plain/a.yaml", CONFIG.replace("name: web", "name: plain")), change.link("apps/plain/b.yaml", "/etc/hostname"),
      change.write("clusters/prod/more.yaml", replaced(APPS, "name: apps", "name: more").replace("./apps/web", "./apps/plain")), change.append("clusters/prod/kustomization.yaml", "  - more.yaml\n")),
      lambda change: (change.write("apps/plain/a.yaml", CONFIG.replace("name: web", "name: plain")),
      change.write("clusters/prod/more.yaml", replaced(APPS, "name: apps", "name: more").replace("./apps/web", "./apps/plain")), change.append("clusters/prod/kustomization.yaml", "  - more.yaml\n")))

# --- folders and reports
trick("a folder that cannot be listed", lambda change: (change.write("apps/web/x/a.yaml", CONFIG), change.later("chmod", "0", "apps/web/x")),
      lambda change: change.write("docs/x/a.md", "text\n"))
trick("a report that goes through a link", lambda change: (change.link("out.json", "../elsewhere.json"), change.arguments("--output", "json=out.json")),
      lambda change: (change.write("README.md", "# new\n"), change.arguments("--output", "json=out.json")))
trick("a report that goes through a linked folder", lambda change: (change.link("reports", "../"), change.arguments("--output", "json=reports/out.json")),
      lambda change: (change.write("reports/x", ""), change.arguments("--output", "json=reports/out.json")))

# --- denied versions in other words: what the cluster gets is what counts
NGINX = "ghcr.io/acme/web:1.4.2"


def image(name, bad, good):
    trick(f"a denied image {name}", lambda change: change.write(DEPLOY, replaced(DEPLOYMENT, NGINX, bad)),
          lambda change: change.write(DEPLOY, replaced(DEPLOYMENT, NGINX, good)))


def around(name, files):
    """`{0}` in the files is the tag."""
    assert any("{0}" in text for text in files.values()), name
    trick(f"a denied image {name}", lambda change: [change.write(path, text.replace("{0}", "1.25.3")) for path, text in files.items()],
          lambda change: [change.write(path, text.replace("{0}", "1.27.3")) for path, text in files.items()])


image("with a digest", "nginx:1.25.3@sha256:" + "0" * 64, "nginx:1.27.3@sha256:" + "0" * 64)
image("with its registry", "docker.io/library/nginx:1.25.3", "docker.io/library/nginx:1.27.3")
image("with its registry in capitals", "Docker.IO/library/nginx:1.25.3", "Docker.IO/library/nginx:1.27.3")
image("with its registry and a final dot", "docker.io./library/nginx:1.25.3", "docker.io./library/nginx:1.27.3")
image("with its registry and a port", "docker.io:443/library/nginx:1.25.3", "docker.io:443/library/nginx:1.27.3")
image("with another name of its registry", "registry-1.docker.io/library/nginx:1.25.3", "registry-1.docker.io/library/nginx:1.27.3")
image("in quotes", "\"nginx:1.25.3\"", "\"nginx:1.27.3\"")
image("with blanks", "\" nginx:1.25.3 \"", "\" nginx:1.27.3 \"")
image("without a tag", "nginx", "nginx:1.27.3")
image("with a suffix", "nginx:1.25.3-alpine", "nginx:1.27.3-alpine")
image("with two suffixes", "nginx:v1.25.3-alpine3.18-perl", "nginx:v1.27.3-alpine3.18-perl")
image("as !!binary", "!!binary " + base64.b64encode(b"nginx:1.25.3").decode(), "!!binary " + base64.b64encode(b"nginx:1.27.3").decode())
image("folded over two lines", ">-\n            nginx:1.25.3", ">-\n            nginx:1.27.3")
image("by an alias", "&i nginx:1.25.3\n        - name: two\n          image: *i", "&i nginx:1.27.3\n        - name: two\n          image: *i")
image("in an image volume", NGINX + "\n      volumes:\n        - name: pages\n          image: { reference: \"nginx:1.25.3\" }",
      NGINX + "\n      volumes:\n        - name: pages\n          image: { reference: \"nginx:1.27.3\" }")
image("of an init container", NGINX + "\n      initContainers: [{ name: first, image: \"nginx:1.25.3\" }]",
      NGINX + "\n      initContainers: [{ name: first, image: \"nginx:1.27.3\" }]")
LIST = BASE["apps/web/kustomization.yaml"]
IMAGE = "/spec/template/spec/containers/0/image"


def kustomized(name, text, more={}):
    around(name, {"apps/web/kustomization.yaml": LIST + text, **more})


def fluxed(name, text, more={}):
    around(name, {"clusters/prod/apps.yaml": APPS + text, **more})


kustomized("by images:", "images:\n  - name: ghcr.io/acme/web\n    newName: nginx\n    newTag: {0}\n")
kustomized("by a new tag alone", "images:\n  - name: nginx\n    newTag: {0}\n", {DEPLOY: replaced(DEPLOYMENT, NGINX, "nginx:1.27.3")})
kustomized("by a patch", f"patches:\n  - target: {{ kind: Deployment }}\n    patch: |-\n      - op: replace\n        path: {IMAGE}\n        value: nginx:{{0}}\n".replace("{{0}}", "{0}"))
kustomized("by a strategic patch", "patches:\n  - patch: |-\n      apiVersion: apps/v1\n      kind: Deployment\n      metadata: { name: web, namespace: web }\n      spec: { template: { spec: { containers: [{ name: web, image: \"nginx:{0}\" }] } } }\n")
PATCH = "apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web, namespace: web }\nspec: { template: { spec: { containers: [{ name: web, image: \"nginx:{0}\" }] } } }\n"
kustomized("by a patch in a file", "patches:\n  - path: patch.yaml\n", {"apps/web/patch.yaml": PATCH})
kustomized("by a patch in a file that is no YAML by name", "patches:\n  - path: patch.txt\n", {"apps/web/patch.txt": PATCH})
kustomized("by patchesStrategicMerge", "patchesStrategicMerge: [patch.yaml]\n", {"apps/web/patch.yaml": PATCH})
kustomized("by patchesJson6902", f"patchesJson6902:\n  - target: {{ group: apps, version: v1, kind: Deployment, name: web }}\n    patch: |-\n      - op: replace\n        path: {IMAGE}\n        value: nginx:{{0}}\n".replace("{{0}}", "{0}"))
kustomized("by a component", "components: [../../parts/new]\n",
           {"parts/new/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches: [{ path: patch.yaml }]\n", "parts/new/patch.yaml": PATCH})
TAGS = CONFIG.replace("name: web", "name: tags").replace("mode: production", "image: \"nginx:{0}\"")
kustomized("by a replacement", "",
           {"apps/web/tags.yaml": TAGS.replace("image:", "it:"), "apps/web/kustomization.yaml": LIST + "  - tags.yaml\nreplacements:\n  - source: { kind: ConfigMap, name: tags, fieldPath: data.it }\n    targets: [{ select: { kind: Deployment }, fieldPaths: [spec.template.spec.containers.0.image] }]\n"})
kustomized("by vars", "", {DEPLOY: replaced(DEPLOYMENT, NGINX, "$(IT)"), "apps/web/tags.yaml": TAGS.replace("image:", "it:"),
           "apps/web/kustomization.yaml": LIST + "  - tags.yaml\nvars:\n  - { name: IT, objref: { kind: ConfigMap, name: tags, apiVersion: v1 }, fieldref: { fieldPath: data.it } }\nconfigurations: [where.yaml]\n",
           "apps/web/where.yaml": "varReference:\n  - { path: spec/template/spec/containers/image, kind: Deployment }\n"})
kustomized("by an images transformer", "transformers: [images.yaml]\n",
           {"apps/web/images.yaml": "apiVersion: builtin\nkind: ImageTagTransformer\nmetadata: { name: t }\nimageTag: { name: ghcr.io/acme/web, newName: nginx, newTag: {0} }\n"})
kustomized("in a pod that a generator writes", "", {"apps/web/kustomization.yaml": LIST + "generators: [made.yaml]\n",
           "apps/web/made.yaml": "apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: { name: t, namespace: web }\nliterals: [\"image=nginx:{0}\"]\n"})
fluxed("by Flux spec.images", "  images:\n    - { name: ghcr.io/acme/web, newName: nginx, newTag: {0} }\n")
fluxed("by a Flux patch", f"  patches:\n    - target: {{ kind: Deployment }}\n      patch: |\n        - {{ op: replace, path: {IMAGE}, value: \"nginx:{{0}}\" }}\n".replace("{{0}}", "{0}"))
fluxed("by a Flux component", "  components: [../../parts/new]\n",
       {"parts/new/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches: [{ path: patch.yaml }]\n", "parts/new/patch.yaml": PATCH})
fluxed("by substitution", "  postBuild: { substitute: { tag: {0} } }\n", {DEPLOY: replaced(DEPLOYMENT, NGINX, "nginx:${tag}")})
fluxed("by a default of a variable", "  postBuild: { substitute: { other: x } }\n", {DEPLOY: replaced(DEPLOYMENT, NGINX, "nginx:${tag:={0}}")})
fluxed("by substitution from a ConfigMap", "  postBuild: { substituteFrom: [{ kind: ConfigMap, name: vars }] }\n",
       {DEPLOY: replaced(DEPLOYMENT, NGINX, "nginx:${tag}"), "clusters/prod/kustomization.yaml": BASE["clusters/prod/kustomization.yaml"] + "  - vars.yaml\n",
        "clusters/prod/vars.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: vars, namespace: flux-system }\ndata: { tag: \"{0}\" }\n"})
OPERATED = "apiVersion: {0}\nkind: {1}\nmetadata: {{ name: it, namespace: web }}\nspec: {2}\n"
for kind, version, spec in (("Cluster", "postgresql.cnpg.io/v1", "{ instances: 1, imageName: \"nginx:@\" }"), ("postgresql", "acid.zalan.do/v1", "{ dockerImage: \"nginx:@\" }"),
                            ("Kafka", "kafka.strimzi.io/v1beta2", "{ kafka: { image: \"nginx:@\" } }"), ("CephCluster", "ceph.rook.io/v1", "{ cephVersion: { image: \"nginx:@\" } }"),
                            ("Provider", "pkg.crossplane.io/v1", "{ package: \"nginx:@\" }"), ("Workflow", "argoproj.io/v1alpha1", "{ templates: [{ name: a, container: { image: \"nginx:@\" } }] }")):
    around(f"of a {kind}", {"apps/web/kustomization.yaml": LIST + "  - it.yaml\n",
                            "apps/web/it.yaml": OPERATED.format(version, kind, spec).replace("@", "{0}")})
around("in the values of a release", {"apps/web/kustomization.yaml": LIST + "  - it.yaml\n",
       "apps/web/it.yaml": "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: it, namespace: web }\nspec:\n  interval: 1h\n  chart: { spec: { chart: it, version: 1.2.3, sourceRef: { kind: HelmRepository, name: charts } } }\n"
                           "  values: { image: { registry: docker.io, repository: library/nginx, tag: {0} } }\n---\napiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmRepository\nmetadata: { name: charts, namespace: web }\nspec: { interval: 1h, url: \"https://charts.example.org\" }\n"})
HOST = "a denied host "
for name, bad, good, until in (("in capitals", "Registry.Example.NET/acme/web:1", "registry.example.org/acme/web:1", None),
                               ("with a port", "registry.example.net:443/acme/web:1", "registry.example.org:443/acme/web:1", None),
                               ("with a final dot", "registry.example.net./acme/web:1", "registry.example.org./acme/web:1", None),
                               ("with letters of full width", "registry.ｅxample.net/acme/web:1", "registry.ｅxample.org/acme/web:1", None),
                               ("with another dot", "registry.example。net/acme/web:1", "registry.example。org/acme/web:1", None)):
    trick(HOST + name, lambda change, bad=bad: change.write(DEPLOY, replaced(DEPLOYMENT, NGINX, bad)),
          lambda change, good=good: change.write(DEPLOY, replaced(DEPLOYMENT, NGINX, good)), until)
# --- what git leaves out may be made locally; in what is applied it is missing none the less
trick("missing-resource with just that name in .gitignore", lambda change: (change.write(*FAULTS["missing-resource"][:2]), change.write("apps/web/.gitignore", "nope.yaml\n")),
      lambda change: change.write("apps/web/.gitignore", "nope.yaml\n"))
