#!/usr/bin/env python3
"""pre-commit runs both hooks on a scratch repository: they fail on a planted fault and pass once it is repaired."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

LOCKSTEP = os.path.abspath(sys.argv.pop(1))
SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
sys.argv[1:] = []  # the folder of npm packages is not needed here

GOOD = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  x: one\n"
FAULT = GOOD + "  x: two\n"
# Nothing may be fetched: every way to the network ends at a closed port.
OFFLINE = {name: "http://127.0.0.1:9" for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY")}


class PreCommit(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        root = pathlib.Path(cls.scratch.name)
        (root / "bin").mkdir()
        os.symlink(LOCKSTEP, root / "bin/lockstep")
        cls.environment = {**os.environ, **OFFLINE, "HOME": str(root), "PRE_COMMIT_HOME": str(root / "cache"),
                           "PATH": f"{root / 'bin'}:{os.environ['PATH']}",
                           "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull,
                           "GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@t", "GIT_COMMITTER_NAME": "t",
                           "GIT_COMMITTER_EMAIL": "t@t"}
        for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
            cls.environment.pop(name, None)
        cls.hooks = root / "hooks"
        cls.copy_hooks()

    @classmethod
    def copy_hooks(cls):
        """The hooks' own repository, as written on disk, under a commit of its own."""
        cls.hooks.mkdir()
        shutil.copy2(SOURCE / ".pre-commit-hooks.yaml", cls.hooks)
        for name in ("ci", "src", "rules", "fixtures"):
            shutil.copytree(SOURCE / name, cls.hooks / name, symlinks=True)
        for name in ("meson.build", "meson_options.txt"):
            shutil.copy2(SOURCE / name, cls.hooks)
        cls.git(cls.hooks, "init", "-q")
        cls.git(cls.hooks, "add", "-A", "-f")
        cls.git(cls.hooks, "commit", "-q", "-m", "hooks")

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    @classmethod
    def git(cls, folder, *words):
        subprocess.run(["git", *words], cwd=folder, env=cls.environment, check=True, capture_output=True)

    def setUp(self):
        self.repository = pathlib.Path(tempfile.mkdtemp(dir=self.scratch.name))
        self.git(self.repository, "init", "-q")
        self.put("apps/a.yaml", FAULT)

    def put(self, path, text):
        file = self.repository / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        self.git(self.repository, "add", "-A")

    def try_repo(self, hook, *words):
        return subprocess.run(["pre-commit", "try-repo", str(self.hooks), hook, *words], cwd=self.repository,
                              env=self.environment, capture_output=True, text=True, timeout=1500)

    def test_the_manifest_is_valid(self):
        result = subprocess.run(["pre-commit", "validate-manifest", SOURCE / ".pre-commit-hooks.yaml"],
                                env=self.environment, capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_the_installed_program_fails_on_the_fault_and_passes_after_the_repair(self):
        result = self.try_repo("lockstep")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("apps/a.yaml:7:3: error:", result.stdout)
        self.put("apps/a.yaml", GOOD)
        result = self.try_repo("lockstep")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("Passed", result.stdout)

    def test_a_commit_that_only_deletes_a_file_is_checked_too(self):
        self.put("apps/a.yaml", GOOD)
        self.put("apps/kustomization.yaml",
                 "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n  - a.yaml\n")
        self.git(self.repository, "commit", "-q", "-m", "good")
        self.assertEqual(self.try_repo("lockstep").returncode, 0)
        self.git(self.repository, "rm", "-q", "apps/a.yaml")
        result = self.try_repo("lockstep")
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn("apps/kustomization.yaml:4:", result.stdout)

    def fake_tools(self, ninja):
        """meson and ninja that take no minutes. LOCKSTEP_REAL_BUILD=1 leaves the real ones in place."""
        if os.environ.get("LOCKSTEP_REAL_BUILD") and "exit 1" not in ninja:
            return
        for name, text in (("meson", 'mkdir -p "$2" && touch "$2/build.ninja"'), ("ninja", ninja)):
            tool = pathlib.Path(self.scratch.name) / "bin" / name
            tool.write_text(f"#!/bin/sh\n{text}\n")
            tool.chmod(0o755)
            self.addCleanup(tool.unlink)

    def run_hook(self, hook):
        revision = subprocess.run(["git", "rev-parse", "HEAD"], cwd=self.hooks, env=self.environment, check=True,
                                  capture_output=True, text=True).stdout.strip()
        self.put(".pre-commit-config.yaml", f"repos:\n- repo: {self.hooks}\n  rev: {revision}\n  hooks: [{{ id: {hook} }}]\n")
        return subprocess.run(["pre-commit", "run", hook], cwd=self.repository, env=self.environment,
                              capture_output=True, text=True, timeout=3000)

    def test_a_program_that_cannot_be_built_is_no_pass_and_the_next_run_tries_again(self):
        self.put("apps/a.yaml", GOOD)
        self.fake_tools("echo no compiler here; exit 1")
        result = self.run_hook("lockstep-build")
        self.assertEqual(result.returncode, 1)
        self.assertIn("could not be built", result.stdout)
        self.assertIn("no compiler here", result.stdout)
        self.doCleanups()
        self.fake_tools(f'echo built >>"{self.scratch.name}/builds"; cp "{LOCKSTEP}" "$2/lockstep"')
        self.assertEqual(self.run_hook("lockstep-build").returncode, 0)
        self.put("apps/a.yaml", FAULT)
        result = self.run_hook("lockstep-build")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("apps/a.yaml:7:3: error:", result.stdout)
        builds = pathlib.Path(self.scratch.name, "builds")
        self.assertEqual(builds.read_text() if builds.exists() else "built\n", "built\n")  # once, then from the cache


if __name__ == "__main__":
    unittest.main(verbosity=2)
