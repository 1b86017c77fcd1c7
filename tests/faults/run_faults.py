#!/usr/bin/env python3
"""Lets every call site of the program fail once, over the demo and a fleet with all that is built and rendered: each
open, read, readdir, stat, mmap, malloc, write, rename and what else asks something of the system. A run may end as if
nothing had happened, with the same bytes; or with exit code 2. Anything else (other findings, a crash, a report that is
half there, a run that does not end) is wrong.

A call site is the innermost frames of a call. Those of malloc count from before main, and each fails in the first
command line that comes to it; those of other calls in every one. The last command line fails them in other threads than
the first; who comes when differs there, so that a fault may meet another site than the one that was counted.

run_faults.py LOCKSTEP FAIL_ONCE.SO SOURCE_ROOT [--jobs N] [--every N] [--call NAME]"""
import argparse
import collections
import concurrent.futures
import errno
import gzip
import io
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile

# What each call is known to fail with; all of them where one says another thing than the next.
ERRORS = {"open": ("EMFILE", "EIO"), "read": ("EIO",), "readdir": ("EIO",), "stat": ("EIO",), "mmap": ("ENOMEM",),
          "malloc": ("ENOMEM",), "write": ("ENOSPC",), "rename": ("EACCES",), "fdopendir": ("ENOMEM",), "access": ("EIO",),
          "realpath": ("ENOMEM",), "pipe": ("EMFILE",), "spawn": ("ENOMEM",), "close": ("EIO",), "send": ("EPIPE",),
          "wait": ("ECHILD",), "getcwd": ("EACCES",), "memfd_create": ("EMFILE",), "mkdir": ("ENOSPC",),
          "chmod": ("EIO",), "thread": ("EAGAIN",)}
GIT = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
GIT.update(GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_NOSYSTEM="1", GIT_AUTHOR_NAME="t", GIT_AUTHOR_EMAIL="t@t",
           GIT_COMMITTER_NAME="t", GIT_COMMITTER_EMAIL="t@t")


class Scene:
    """One command line in a scratch folder. `reports`: a run of check, which also writes a file; `into`: one that writes
    a folder. `threads`: with four jobs, and it is the threads that the faults meet; `only`: with four jobs, this call alone."""

    def __init__(self, name, program, library, words, root, scratch, reports=True, threads=False, into=False, only=None):
        self.name, self.program, self.library, self.words, self.root, self.scratch = name, program, library, words, root, scratch
        self.reports, self.threads, self.into, self.only = reports, threads, into, only

    def run(self, number, **variables):
        report = self.scratch / f"{self.name}-{number}.sarif"
        words = [self.program, *self.words]
        if self.reports:
            words += ["--jobs", "4" if self.threads or self.only else "1", "--memory", "0", "--timeout", "60", "--today", "2026-01-01", "--output", f"sarif={report}"]
        if self.into:
            words += ["--into", str(report)]
        if self.threads:
            variables["FAULT_THREADS"] = "1"
        done = subprocess.run(words, cwd=self.root, capture_output=True, timeout=120, stdin=subprocess.DEVNULL,
                              env={**GIT, "LD_PRELOAD": str(self.library), **variables})
        left = [path.name for path in [*self.scratch.glob(report.name + ".lockstep-*"), *report.rglob("*.lockstep-*")]]
        text = None
        if report.is_dir():
            text = {path.relative_to(report): path.read_bytes() for path in report.rglob("*") if path.is_file()}
            shutil.rmtree(report)
        elif report.exists():
            text = report.read_bytes()
            report.unlink()
        return done.returncode, done.stdout, text, left, done.stderr

    def learn(self):
        self.good = self.run("good")
        again = self.run("again")
        if self.good[0] not in (0, 1) or self.good[:4] != again[:4]:
            sys.exit(f"run_faults: {self.name} is not the same twice: {self.good[0]} {self.good[4].decode()}")
        sites = self.scratch / f"{self.name}.sites"
        met = {}
        for _ in range(10 if self.threads else 1):
            self.run("sites", FAULT_SITES=str(sites))
            for call, ordinal, site in map(str.split, sites.read_text().splitlines()):
                if self.only in (None, call):
                    met.setdefault(site, (call, int(ordinal), site))
        return sorted(met.values())

    def problem(self, call, ordinal, error):
        try:
            code, out, text, left, err = self.run(f"{call}-{ordinal}-{error}", FAULT_CALL=call, FAULT_AT=str(ordinal),
                                                  FAULT_ERROR=str(getattr(errno, error)))
        except subprocess.TimeoutExpired:
            return "does not end"
        if left:
            return f"leaves {left[0]} behind"
        if b"error: the run took more than" in err:
            return "is ended by its clock"
        if code == 2:
            return "says nothing about it" if not err and call != "write" else None
        if code != self.good[0]:
            return f"ends with {code}: {err.decode(errors='replace')[:200]}"
        if out != self.good[1] or text != self.good[2]:
            return f"ends with {code}, but its report is another one"
        return None


def scenes(program, library, source, scratch):
    demo = scratch / "demo"
    shutil.copytree(source / "fixtures/demo", demo, symlinks=True)
    yield Scene("plain", program, library, ["check", str(demo), "--notes", "--stats"], scratch, scratch)
    change = scratch / "change"
    shutil.copytree(source / "fixtures/demo", change, symlinks=True)
    git = lambda *words: subprocess.run(["git", *words], cwd=change, env=GIT, check=True, stdout=subprocess.DEVNULL)
    git("init", "-q", "-b", "main")
    git("add", "-A")
    git("commit", "-q", "-m", "one")
    git("checkout", "-q", "-b", "change")
    file = sorted(change.rglob("*.yaml"))[0]
    file.write_text(file.read_text() + "# changed\n")
    (change / ".gitignore").write_text("*\n")
    git("add", "-A", "-f")
    git("commit", "-q", "-m", "two")
    yield Scene("base", program, library, ["check", str(change), "--base", "main", "--changed-only", "--config-from-base"],
                scratch, scratch)


SYNC = """apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: { name: flux-system, namespace: flux-system }
spec: { interval: 1m, url: "https://git.example.org/a/b", ref: { branch: main } }
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: flux-system, namespace: flux-system }
spec: { interval: 1m, prune: true, path: ./clusters/prod, sourceRef: { kind: GitRepository, name: flux-system } }
"""
KUSTOMIZATION = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
# What is built and rendered: every kind of thing that a kustomization or a release can ask for.
FLEET = {
    ".lockstep.yaml": "exclude: [\"attic/\"]\ncharts: [cache]\ntables:\n  denied-versions:\n    - { what: image, name: nginx, versions: \"1.25.x\", reason: old }\n",
    ".sourceignore": "/docs/\n",
    "clusters/prod/gotk-sync.yaml": SYNC,
    "clusters/prod/apps.yaml": SYNC.split("---\n")[1].replace("name: flux-system, namespace", "name: apps, namespace").replace("./clusters/prod", "./app").replace(
        "prune: true,", "prune: true, postBuild: { substitute: { tag: \"1.25.3\" } }, components: [../part], patches: [{ target: { kind: ConfigMap }, patch: '[{ \"op\": \"add\", \"path\": \"/metadata/labels\", \"value\": { \"a\": \"b\" } }]' }],"),
    "app/kustomization.yaml": KUSTOMIZATION + "namePrefix: a-\nresources: [all.txt, release.yaml, ../attic/more]\nconfigMapGenerator:\n  - { name: vals, namespace: web, files: [values.yaml=values.txt], options: { disableNameSuffixHash: true } }\n"
    "images: [{ name: web, newName: nginx, newTag: \"1.25.4\" }]\nreplacements:\n  - source: { kind: Deployment, fieldPath: metadata.name }\n    targets: [{ select: { kind: Deployment }, fieldPaths: [metadata.annotations.me], options: { create: true } }]\n",
    "app/all.txt": "apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web, namespace: web }\nspec: { template: { spec: { containers: [{ name: a, image: \"web:1\" }, { name: b, image: \"nginx:${tag}\" }] } } }\n",
    "app/values.txt": "image: nginx:1.25.5\n",
    "app/release.yaml": "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: it, namespace: web }\nspec:\n  interval: 1h\n"
    "  chart: { spec: { chart: ./charts/it, sourceRef: { kind: GitRepository, name: flux-system, namespace: flux-system } } }\n"
    "  valuesFrom: [{ kind: ConfigMap, name: a-vals }]\n  postRenderers: [{ kustomize: { images: [{ name: other, newTag: \"2\" }] } }]\n",
    "attic/more/kustomization.yaml": KUSTOMIZATION + "resources: [pod.yaml]\n",
    "attic/more/pod.yaml": "apiVersion: v1\nkind: Pod\nmetadata: { name: more, namespace: web }\nspec: { containers: [{ name: a, image: \"nginx:1.25.6\" }] }\n",
    "part/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches: [{ path: patch.yaml }]\n",
    "part/patch.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web, namespace: web }\nspec: { replicas: 2 }\n",
    "charts/it/Chart.yaml": "apiVersion: v2\nname: it\nversion: 1.0.0\ndependencies: [{ name: sub, version: 1.x, repository: \"https://charts.example.org\" }]\n",
    "charts/it/values.yaml": "image: a\n",
    "charts/it/templates/_h.tpl": "{{ define \"it.labels\" }}{ app: {{ .Release.Name | quote }} }{{ end }}\n",
    "charts/it/templates/pod.yaml": "apiVersion: v1\nkind: Pod\nmetadata: { name: it, labels: {{ include \"it.labels\" . }} }\nspec: { containers: [{ name: a, image: {{ .Values.image | quote }} }, { name: b, image: \"other:{{ .Files.Get \"v\" | trim }}\" }] }\n",
    "charts/it/v": "1\n",
    "charts/one/Chart.yaml": "apiVersion: v2\nname: one\nversion: 1.0.0\n",
    "charts/one/values.yaml": "a: { b: c }\n",
    "charts/one/templates/map.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: one }\ndata:\n  a: {{ toYaml .Values.a | quote }}\n  b: {{ tpl \"{{ .Release.Name }}\" . }}\n",
}


def write_fleet(root):
    for path, text in FLEET.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, text in {"sub/Chart.yaml": "apiVersion: v2\nname: sub\nversion: 1.2.0\n",
                           "sub/templates/pod.yaml": "apiVersion: v1\nkind: Pod\nmetadata: { name: sub }\nspec: { containers: [{ name: a, image: \"nginx:1.25.7\" }] }\n"}.items():
            info = tarfile.TarInfo(name)
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text.encode()))
    (root / "cache").mkdir()
    (root / "cache/sub-1.2.0.tgz").write_bytes(gzip.compress(packed.getvalue(), mtime=0))


def fleet_scenes(program, library, scratch):
    root = scratch / "fleet"
    write_fleet(root)
    yield Scene("fleet", program, library, ["check", str(root), "--notes", "--stats"], scratch, scratch)
    for name, words in {"build": ["build", str(root), "--cluster", "prod", "--places"], "build kustomization": ["build", str(root / "app"), "--load-restrictor", "LoadRestrictionsNone"],
                        "build chart": ["build", str(root / "charts/one")], "charts": ["charts", str(root)], "why": ["why", "app/all.txt", str(root)], "graph": ["graph", str(root)]}.items():
        yield Scene(name, program, library, words, scratch, scratch, reports=False)
    yield Scene("build into", program, library, ["build", str(root), "--cluster", "prod"], scratch, scratch, reports=False, into=True)
    yield Scene("no threads", program, library, ["check", str(root), "--notes"], scratch, scratch, only="thread")
    yield Scene("threads", program, library, ["check", str(root), "--notes"], scratch, scratch, threads=True)


def without_a_watch(program, library, scratch):
    """Where the system gives no thread to watch the run with, its bounds hold all the same."""
    root = scratch / "much"
    root.mkdir()
    for i in range(120):
        (root / f"{i}.yaml").write_text("".join(f"k{j}: [a, b, c]\n" for j in range(40000)))
    wrong = []
    for bound, words in {"--memory": ["--memory", "40"], "--timeout": ["--timeout", "1"]}.items():
        done = subprocess.run([program, "check", str(root), "--jobs", "1", *words], capture_output=True, timeout=120,
                              env={**GIT, "LD_PRELOAD": str(library), "FAULT_CALL": "thread", "FAULT_AT": "1", "FAULT_ERROR": str(errno.EAGAIN)})
        if done.returncode != 2 or not done.stderr:
            wrong.append(f"without a thread {bound} ends with {done.returncode}: {done.stderr.decode(errors='replace')[:200]}")
    return wrong


def main():
    options = argparse.ArgumentParser()
    for name in ("program", "library", "source"):
        options.add_argument(name, type=lambda text: pathlib.Path(text).resolve())
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    options.add_argument("--every", type=int, default=1, help="only every Nth site of malloc")
    options.add_argument("--call", help="this call alone")
    options.add_argument("--scene", help="this command line alone")
    options.add_argument("--skip", help="all calls but this one")
    options = options.parse_args()
    total, wrong, met, everywhere = 0, [], set(), collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder).resolve()
        for scene in [*scenes(options.program, options.library, options.source, place), *fleet_scenes(options.program, options.library, place)]:
            if options.scene not in (None, scene.name):
                continue
            sites = [site for site in scene.learn() if options.call in (None, site[0]) and site[0] != options.skip]
            memory = [site for site in sites if site[0] == "malloc" and (scene.threads, site[2]) not in met][::options.every]
            met.update((scene.threads, site[2]) for site in memory)
            sites = [site for site in sites if site[0] != "malloc"] + memory
            faults = [(call, at, error) for call, at, _ in sites for error in ERRORS[call]]
            with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
                for fault, problem in zip(faults, pool.map(lambda fault: scene.problem(*fault), faults)):
                    if problem:
                        wrong.append(f"{scene.name}: {fault[0]} number {fault[1]} ({fault[2]}): {problem}")
                        print(wrong[-1], flush=True)
            counted = collections.Counter(call for call, _, _ in sites)
            print(f"{scene.name}: {len(sites)} call sites, {len(faults)} faults: "
                  + ", ".join(f"{call} {count}" for call, count in sorted(counted.items())), flush=True)
            total += len(faults)
            everywhere.update(counted)
        unbounded = without_a_watch(options.program, options.library, place)
        print("\n".join(unbounded) or "without a thread to watch it, a run has its bounds")
        total += 2
        wrong += unbounded
    print("call sites: " + ", ".join(f"{call} {count}" for call, count in sorted(everywhere.items())))
    print(f"{total - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
