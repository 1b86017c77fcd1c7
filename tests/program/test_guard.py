#!/usr/bin/env python3
"""What SECURITY.md promises, from outside: reports go where they were asked to go, nothing foreign is spoken raw, and a run that
is ended leaves nothing behind.

test_guard.py LOCKSTEP SOURCE_ROOT"""
import io
import os
import re
import shutil
import signal
import stat
import subprocess
import tarfile
import time
import unittest

from git_repository import ENVIRONMENT, LOCKSTEP, Repository, SOURCE, run

SANITIZED = "LOCKSTEP_SANITIZED" in os.environ
HOSTILE = "x\x1b[2J\r\n::error::owned\n##[command]y\x07\u202e"
KUSTOMIZATION = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n"


def raw(text):
    """Bytes that act on a terminal or a build log, with their line."""
    found = [text[max(0, at - 40):at + 20] for at in (m.start() for m in re.finditer(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]", text))]
    return found + re.findall(rb"(?m)^[ \t]*::.*$|.*##\[.*", text)


class Outputs(Repository):
    def test_no_link_of_the_repository_is_followed_by_a_report(self):
        self.write("a.yaml", "a: 1\n")
        os.mkdir(os.path.join(self.place, "outside"))
        os.symlink(os.path.join(self.place, "outside/file"), os.path.join(self.root, "file.json"))
        os.symlink("../outside", os.path.join(self.root, "folder"))
        os.symlink("nothing.json", os.path.join(self.root, "inside.json"))
        for target in ("file.json", "folder/x.json", "./folder/../folder/x.json", "inside.json"):
            for words in (["check", ".", "--output", f"json={target}"], ["check", ".", "--write-baseline", target]):
                done = run(*words, cwd=self.root)
                self.assertEqual(done.returncode, 2, (target, done.stdout))
                self.assertIn(b"link in a repository", done.stderr)
        self.assertEqual(os.listdir(os.path.join(self.place, "outside")), [])
        self.assertEqual(run("init", ".", "--force", cwd=self.root).returncode, 0)
        os.remove(os.path.join(self.root, ".lockstep.yaml"))
        os.symlink("../outside/config", os.path.join(self.root, ".lockstep.yaml"))
        self.assertEqual(run("init", ".", "--force", cwd=self.root).returncode, 2)
        self.assertEqual(os.listdir(os.path.join(self.place, "outside")), [])

    def test_no_link_of_the_repository_is_followed_by_a_folder(self):
        self.write("kustomization.yaml", "resources: [a.yaml]\n")
        self.write("a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n")
        os.mkdir(os.path.join(self.place, "outside"))
        os.symlink("../outside", os.path.join(self.root, "folder"))
        for target in ("folder", "folder/new", "folder/new/er"):
            done = run("build", ".", "--into", target, cwd=self.root)
            self.assertEqual(done.returncode, 2, (target, done.stdout))
            self.assertIn(b"link in a repository", done.stderr)
        self.assertEqual(os.listdir(os.path.join(self.place, "outside")), [])
        self.assertEqual(run("build", ".", "--into", "new/er", cwd=self.root).returncode, 0)
        self.assertEqual(os.listdir(os.path.join(self.root, "new/er")), ["v1_configmap_a.yaml"])

    def test_no_name_leads_out_of_the_folder_that_was_asked_for(self):
        sync = ("apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: { name: s, namespace: f }\n"
                "spec: { interval: 1m, url: \"https://git.example.org/a/b\", ref: { branch: main } }\n---\n")
        flux = ("apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: \"%s\", namespace: \"%s\" }\n"
                "spec: { interval: 1m, prune: true, path: ./%s, sourceRef: { kind: GitRepository, name: s, namespace: f } }\n")
        self.write("clusters/prod/gotk-sync.yaml", sync + flux % ("s", "f", "clusters/prod"))
        for i, name in enumerate(("..", ".", "..\\0x", "../../x", "../x")):
            self.write(f"clusters/prod/{i}.yaml", flux % (name, "", f"app{i}"))
            self.write(f"app{i}/a.yaml", f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{ name: \"../../../a{i}\", namespace: \"{name}\" }}\n")
        done = run("build", ".", "--cluster", "prod", "--into", os.path.join(self.place, "some/new/out"), cwd=self.root)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(os.listdir(self.place)), ["repo", "some"])
        self.assertEqual(os.listdir(os.path.join(self.place, "some")), ["new"])
        self.assertEqual(os.listdir(os.path.join(self.place, "some/new")), ["out"])
        found = [os.path.join(at, name) for at, _, names in os.walk(os.path.join(self.place, "some")) for name in names]
        self.assertEqual(len([name for name in found if "configmap" in name]), 5, found)

    def test_a_linted_folder_without_git_is_a_repository_too(self):
        shutil.rmtree(os.path.join(self.root, ".git"))
        self.write("a.yaml", "a: 1\n")
        os.symlink("..", os.path.join(self.root, "up"))
        self.assertEqual(run("check", self.root, "--output", f"json={self.root}/up/x.json").returncode, 2)
        self.assertFalse(os.path.exists(os.path.join(self.place, "x.json")))

    def test_links_of_the_users_own_are_followed_and_stay(self):
        self.write("a.yaml", "a: 1\n")
        os.mkdir(os.path.join(self.place, "real"))
        os.symlink("real", os.path.join(self.place, "mine"))
        open(os.path.join(self.place, "real/x.json"), "w").close()
        os.symlink("real/x.json", os.path.join(self.place, "x.json"))
        for target in ("mine/y.json", "x.json"):
            done = run("check", self.root, "--output", f"json={self.place}/{target}")
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(os.path.islink(os.path.join(self.place, "x.json")))
        for name in ("x.json", "y.json"):
            self.assertGreater(os.path.getsize(os.path.join(self.place, "real", name)), 10)

    def test_a_report_that_cannot_be_finished_leaves_nothing(self):
        self.write("a.yaml", "".join(f"k{i}: 1\nk{i}: 2\n" for i in range(2000)))
        limit = lambda: __import__("resource").setrlimit(__import__("resource").RLIMIT_FSIZE, (4096, 4096))
        done = subprocess.run([LOCKSTEP, "check", self.root, "--output", f"json={self.place}/r.json"], capture_output=True,
                              preexec_fn=limit, env=ENVIRONMENT)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(os.listdir(self.place), ["repo"])

    def test_a_signal_removes_what_is_half_written(self):
        self.write("a.yaml", "".join(f"k{i}: 1\nk{i}: 2\n" for i in range(40_000)))
        for number in (signal.SIGTERM, signal.SIGINT):
            for _ in range(200):  # until it meets a run that is writing
                child = subprocess.Popen([LOCKSTEP, "check", self.root, "--output", f"json={self.place}/r.json"], env=ENVIRONMENT,
                                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                while child.poll() is None and len(os.listdir(self.place)) == 1:
                    pass
                begun = [name for name in os.listdir(self.place) if name not in ("repo", "r.json")]
                child.send_signal(number)
                code = child.wait(60)
                left = os.listdir(self.place)
                self.assertIn(sorted(left), (["repo"], ["r.json", "repo"]))
                if begun and code == -number and left == ["repo"]:
                    break
                if "r.json" in left:  # too late: then all of it is there
                    with open(os.path.join(self.place, "r.json"), "rb") as file:
                        self.assertTrue(file.read().endswith(b"}\n"))
                    os.remove(os.path.join(self.place, "r.json"))
            else:
                self.fail("no run was caught while it was writing")


class Speech(Repository):
    """Names, values, paths, config and rules with everything in them that a terminal or a runner would act on."""

    def setUp(self):
        super().setUp()
        quoted = '"' + HOSTILE.encode("unicode_escape").decode().replace("\\x1b", "\\e").replace("\\x07", "\\a") + '"'
        self.write("::error file=x,line=1::y/" + HOSTILE.replace("/", "") + ".yaml", f"a: 1\na: {quoted}\n")
        self.write("clusters/prod/kustomization.yaml", KUSTOMIZATION + f"  - {quoted}\n")
        self.write("clusters/prod/flux.yaml", "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"
                   f"metadata: {{ name: {quoted}, namespace: {quoted} }}\nspec: {{ path: {quoted}, prune: true, interval: 1m, sourceRef: {{ kind: GitRepository, name: {quoted} }}, dependsOn: [{{ name: {quoted} }}] }}\n")
        self.write("charts/web/Chart.yaml", f"apiVersion: v2\nname: {quoted}\nversion: {quoted}\ndependencies:\n  - {{ name: {quoted}, version: {quoted}, repository: {quoted} }}\n")
        self.write("infra/cloud-init.yaml", f"#cloud-config\nruncmd:\n  - helm install {quoted} --version {quoted}\n")
        self.write(".lockstep/rules/own.yaml", f"rule: own-rule\nseverity: error\nsummary: {quoted}\nwhy: {quoted}\nfix: {quoted}\nfacts:\n"
                   "  one: { files: \"**/flux.yaml\", yaml: { name: metadata.name } }\nfor: one\nassert: one.name == \"b\"\nmessage: \"{one.name}\"\nat: one.name\n")
        self.commit()
        self.write("clusters/prod/more.yaml", f"# lockstep: ignore[duplicate-key] {HOSTILE.splitlines()[0]}\na: 1\na: 2\n")

    def check_speech(self, *words, cwd=None):
        done = run(*words, cwd=cwd or self.root)
        self.assertIn(done.returncode, (0, 1, 2), done.stderr)
        self.assertEqual((raw(done.stdout), raw(done.stderr)), ([], []), words)
        return done

    def test_no_command_speaks_raw(self):
        for command in ("check", "index", "rules", "pins", "graph", "test"):
            self.check_speech(command, ".")
        for words in (["check", ".", "--notes", "--stats"], ["check", ".", "--base", "HEAD"], ["diff", ".", "--base", "HEAD"],
                      ["diff", ".", "--base", "HEAD", "--format", "markdown"], ["index", ".", "--format", "json"],
                      ["graph", ".", "--format", "json"], ["graph", ".", "--format", "mermaid"], ["why", "clusters/prod/flux.yaml", "."],
                      ["why", "clusters/prod/flux.yaml", ".", "--format", "json"], ["explain", "own-rule", "."], ["facts", "own-rule", "."],
                      ["facts", "duplicate-key", "."], ["facts", "missing-resource", "."], ["rules", ".", "--format", "markdown"],
                      ["build", "."], ["build", "clusters/prod"], ["build", "charts/web"], ["charts", "."], ["index", "."], ["check", ".", "--format", "junit"],
                      ["check", ".", "--format", "json"], ["check", ".", "--format", "lines"], ["check", ".", "--format", "sarif"]):
            self.check_speech(*words)

    def test_no_error_speaks_raw(self):
        for words in (["check", HOSTILE], ["check", ".", "--only", HOSTILE], ["explain", HOSTILE], ["why", HOSTILE, "."], ["check", ".", "--format", HOSTILE],
                      ["check", ".", "--base", HOSTILE], ["check", ".", "--output", f"json={HOSTILE}/x"], ["check", ".", "--config", HOSTILE],
                      ["check", ".", "--baseline", HOSTILE], ["check", ".", "--rules", HOSTILE], [HOSTILE, HOSTILE, HOSTILE], ["graph", ".", "--focus", HOSTILE + "x"]):
            self.assertEqual(self.check_speech(*words).returncode, 2, words)
        for text in (f"{HOSTILE}: 1\n", "exclude: [\"\\e[2J{\"]\n", "\"\\e[2J\\n::error::x\": 1\n", "severity: { \"\\e[2J\\n::x\": error }\n"):
            self.write(".lockstep.yaml", text)
            self.assertEqual(self.check_speech("check", ".").returncode, 2)


class Bounds(Repository):
    def test_the_memory_limit_ends_a_run_and_says_so(self):
        if SANITIZED:
            self.skipTest("a sanitizer's memory says nothing")
        self.write("a.yaml", "".join(f"k{i}: {{ a: [1, 2, 3] }}\n" for i in range(300_000)))
        done = run("check", self.root, "--memory", "20")
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertIn(b"more than 20 MB", done.stderr)
        self.assertEqual(run("check", self.root, "--memory", "0").returncode, 0)

    def test_no_memory_at_all_is_exit_code_2(self):
        if SANITIZED:
            self.skipTest("a sanitizer's memory says nothing")
        self.write("a.yaml", "".join(f"k{i}: {{ a: [1, 2, 3] }}\n" for i in range(100_000)))
        resource = __import__("resource")
        for megabytes in (48, 64, 96):
            size = megabytes << 20
            done = subprocess.run([LOCKSTEP, "check", self.root, "--jobs", "1"], capture_output=True, env=ENVIRONMENT,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (size, size)))
            self.assertIn(done.returncode, (0, 2), done.stderr)
            if done.returncode == 2:
                self.assertIn(b"memory", done.stderr)

    def test_the_watchdog_ends_its_git_child(self):
        self.write("a.yaml", "a: 1\n")
        self.commit()
        tools = os.path.join(self.place, "tools")
        os.mkdir(tools)
        with open(os.path.join(tools, "git"), "w") as file:
            file.write(f"#!/bin/sh\necho $$ > {self.place}/pid\nexec sleep 60\n")
        os.chmod(os.path.join(tools, "git"), 0o755)
        done = run("check", self.root, "--base", "HEAD", "--timeout", "1", env={**ENVIRONMENT, "PATH": tools + ":" + os.environ["PATH"]})
        self.assertEqual(done.returncode, 2)
        with open(os.path.join(self.place, "pid")) as file:
            child = int(file.read())
        for _ in range(50):
            try:
                os.kill(child, 0)
                with open(f"/proc/{child}/stat") as file:
                    if file.read().rsplit(")", 1)[1].split()[0] == "Z":
                        return
            except (ProcessLookupError, FileNotFoundError):
                return
            time.sleep(0.1)
        self.fail("git outlived the run")

    def test_a_base_needs_no_folder_to_write_to(self):
        self.write("a.yaml", "a: 1\n")
        self.commit()
        done = run("check", self.root, "--base", "HEAD", env={**ENVIRONMENT, "TMPDIR": "/proc"})
        self.assertEqual(done.returncode, 0, done.stderr)


class Steering(Repository):
    CONFIG = "severity: { duplicate-key: %s }\n"

    def test_config_comes_from_the_tip_of_the_base(self):
        self.write("a.yaml", "a: 1\n")
        self.commit()
        self.git("checkout", "-q", "-b", "change")
        self.write("a.yaml", "a: 1\na: 2\n")
        self.commit()
        self.git("checkout", "-q", "main")
        self.write(".lockstep.yaml", self.CONFIG % "off")
        self.commit()
        self.git("checkout", "-q", "change")
        self.assertEqual(len(self.lines("--base", "main")), 1)
        self.assertEqual(len(self.lines("--base", "main", "--config-from-base")), 0)
        # and the other way round: a rule that main has made stricter meanwhile
        self.git("checkout", "-q", "main")
        self.write(".lockstep.yaml", self.CONFIG % "error")
        self.commit()
        self.git("checkout", "-q", "change")
        self.assertEqual(len(self.lines("--base", "main", "--config-from-base")), 1)
        # what main did meanwhile is not what the change does
        report = self.report("--base", "main", "--config-from-base")
        self.assertEqual(report["change"]["softened"], [])

    def test_softening_is_listed_and_fails_where_that_is_asked_for(self):
        self.write("a.yaml", "a: 1\n")
        self.commit()
        self.git("checkout", "-q", "-b", "change")
        self.write(".lockstep.yaml", "exclude: [\"b/**\"]\nlimits: { file-size: 1000000000 }\n")
        self.commit()
        for words in ([], ["--config-from-base"]):
            done = run("check", self.root, "--base", "main", *words)
            self.assertEqual(done.returncode, 0)
            self.assertIn(b".lockstep.yaml: exclude: adds b/**", done.stdout)
            self.assertIn(b"limits: file-size", done.stdout)
            done = run("check", self.root, "--base", "main", "--no-new-suppressions", *words)
            self.assertEqual(done.returncode, 1)
            self.assertIn(b"--no-new-suppressions", done.stderr)
        self.assertIn("needs --base", self.refused("--no-new-suppressions"))

    def test_a_run_writes_nothing_that_was_not_asked_for(self):
        raw_chart = io.BytesIO()
        with tarfile.open(fileobj=raw_chart, mode="w:gz") as archive:
            for name in ("c/Chart.yaml", "../../../c/escape.yaml", "/tmp/lockstep-escape.yaml"):
                text = b"apiVersion: v2\nname: c\nversion: 1.0.0\n"
                info = tarfile.TarInfo(name)
                info.size = len(text)
                archive.addfile(info, io.BytesIO(text))
        self.write("charts/a/Chart.yaml", "apiVersion: v2\nname: a\nversion: 1.0.0\n")
        with open(os.path.join(self.root, "charts/a/c-1.0.0.tgz"), "wb") as file:
            file.write(raw_chart.getvalue())
        self.commit()
        scratch = os.path.join(self.place, "scratch")
        os.mkdir(scratch)

        def listed():
            return sorted(os.path.join(at, name) for at, folders, names in os.walk(self.place) for name in folders + names)

        before = listed()
        for words in (["check", self.root], ["check", self.root, "--base", "HEAD"], ["graph", self.root], ["build", os.path.join(self.root, "charts/a")],
                      ["charts", self.root]):
            done = run(*words, env={**ENVIRONMENT, "TMPDIR": scratch})
            self.assertIn(done.returncode, (0, 1, 2), done.stderr)
            self.assertEqual(listed(), before, words)
        self.assertFalse(os.path.exists("/tmp/lockstep-escape.yaml"))

    def test_a_repository_steers_its_own_run(self):
        self.write("a.yaml", "a: 1\na: 2\n")
        self.write("k/kustomization.yaml", KUSTOMIZATION + "  - ../a.yaml\n")
        self.write(".lockstep.yaml", "severity: { duplicate-key: error }\n")
        self.assertEqual(run("check", self.root).returncode, 1)
        self.write(".lockstep.yaml", "severity: { duplicate-key: off }\nlimits: { depth: 5000 }\n")
        self.assertNotIn(b"duplicate-key", run("check", self.root).stdout)
        for text in ("timeout: 5\n", "memory: 5\n", "limits: { timeout: 5 }\n", "limits: { memory: 5 }\n"):
            self.write(".lockstep.yaml", text)
            self.assertIn(".lockstep.yaml:1", self.refused())

    def test_a_git_file_that_names_another_repository(self):
        self.write("secret.yaml", "password: hunter2\npassword: hunter3\n")
        self.commit()
        other = os.path.join(self.place, "other")
        os.mkdir(other)
        with open(os.path.join(other, ".git"), "w", encoding="utf-8") as file:
            file.write(f"gitdir: {self.root}/.git\n")
        with open(os.path.join(other, "a.yaml"), "w", encoding="utf-8") as file:
            file.write("a: 1\n")
        done = run("check", other, "--notes")
        self.assertEqual(done.returncode, 0)
        self.assertNotIn(b"hunter", done.stdout + done.stderr)  # what its index names and the folder has not is not read
        self.assertIn(run("check", other, "--base", "HEAD").returncode, (0, 1, 2))  # its commits can be compared with

    def test_rules_that_cannot_be_read_in_full_are_refused(self):
        rules = os.path.join(self.root, ".lockstep/rules")
        os.makedirs(rules)
        self.write("a.yaml", "a: 1\n")
        self.write("r/a.md", "")
        cases = {"link": lambda: os.symlink("../../a.yaml", rules + "/x.yaml"), "broken": lambda: os.symlink("none", rules + "/x"),
                 "folder": lambda: os.symlink("../../r", rules + "/x"), "fifo": lambda: os.mkfifo(rules + "/x.yaml")}
        for name, make in cases.items():
            make()
            self.assertIn("rules", self.refused(), name)
            path = rules + ("/x.yaml" if os.path.lexists(rules + "/x.yaml") else "/x")
            if not stat.S_ISFIFO(os.lstat(path).st_mode):
                self.commit()
                self.git("checkout", "-q", "--", ".")
                self.assertIn("rules", self.refused("--staged"), name)
                self.assertIn("rules", self.refused("--base", "HEAD", "--config-from-base"), name)
            os.remove(path)
            self.commit()
        for make in (lambda: os.symlink("../r", rules), lambda: open(rules, "w").close(), lambda: os.mkfifo(rules)):
            if os.path.isdir(rules) and not os.path.islink(rules):
                os.rmdir(rules)
            elif os.path.lexists(rules):
                os.remove(rules)
            make()
            self.assertIn("rules cannot be read", self.refused())


if __name__ == "__main__":
    unittest.main(verbosity=2)
