#!/usr/bin/env python3
"""Git repositories that cannot be compared are refused with a reason, and hostile ones are read: nothing that they are
configured to run is run."""
import json
import os
import shutil
import subprocess
import time
import unittest

from git_repository import ENVIRONMENT, Repository, run


READING = {"rev-parse", "merge-base", "ls-tree", "ls-files", "cat-file"}


class Refusals(Repository):
    """Exit 2, a reason, and what to do."""

    def test_revisions_and_places_that_are_none(self):
        self.write("a.yaml", "a: 1\n")
        self.commit()
        for wrong in ("nowhere", "HEAD:a.yaml", "a b", ""):
            self.assertIn("error: ", self.refused("--base", wrong))
        for option in ("--output=x", "-p", "--all"):
            error = self.refused("--base=" + option)
            self.assertIn("is not a revision", error)
            self.assertFalse(os.path.exists(os.path.join(self.root, "x")))
        self.assertIn("git fetch", self.refused("--base", "origin/main"))
        for lone in ("--changed-only", "--config-from-base", "--base-exact"):
            self.assertIn(lone + " needs --base", self.refused(lone))
        self.assertEqual(run("diff", self.root).returncode, 2)

    def test_outside_git_and_without_git(self):
        outside = os.path.join(self.place, "outside")
        os.mkdir(outside)
        self.assertIn("is in no git repository", self.refused("--base", "HEAD", path=outside))
        self.commit()
        done = run(self.root, "--base", "HEAD", env={**ENVIRONMENT, "PATH": self.place})
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"no program `git`", done.stderr)
        self.assertEqual(run(self.root, env={**ENVIRONMENT, "PATH": self.place}).returncode, 0)

    def test_a_bare_repository(self):
        bare = os.path.join(self.place, "bare")
        self.git("init", "-q", "--bare", bare)
        self.assertIn("bare repository", self.refused("--base", "HEAD", path=bare))
        self.assertIn("bare repository or a .git folder", self.refused("--base", "HEAD", path=os.path.join(self.root, ".git")))

    def test_a_shallow_clone_says_what_to_fetch(self):
        self.write("a.yaml", "a: 1\n")
        self.commit()
        self.git("checkout", "-q", "-b", "work")
        self.commit()
        self.git("checkout", "-q", "main")
        self.commit()
        clone = os.path.join(self.place, "clone")
        self.git("clone", "-q", "--depth", "1", "--no-single-branch", "-b", "work", "file://" + self.root, clone)
        error = self.refused("--base", "origin/main", path=clone)
        self.assertIn("shallow", error)
        self.assertIn("fetch-depth: 0", error)
        self.git("fetch", "-q", "--unshallow", cwd=clone)
        self.assertEqual(self.lines("--base", "origin/main", path=clone), [])

    def test_another_users_repository_is_gits_to_refuse(self):
        self.commit()
        done = run(self.root, "--base", "HEAD", env={**ENVIRONMENT, "GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"})
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"safe.directory", done.stderr)
        allowed = {**ENVIRONMENT, "GIT_TEST_ASSUME_DIFFERENT_OWNER": "1", "GIT_CONFIG_COUNT": "1",
                   "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": self.root}
        self.assertEqual(run(self.root, "--base", "HEAD", env=allowed).returncode, 0)

    def test_damage(self):
        self.write("a.yaml", "a: 1\n")
        self.write("sub/b.yaml", "b: 1\n")
        self.commit()
        for name in ("HEAD:a.yaml", "HEAD:sub"):
            object_id = self.git("rev-parse", name)
            path = os.path.join(self.root, ".git/objects", object_id[:2], object_id[2:])
            with open(path, "rb") as file:
                kept = file.read()
            os.chmod(path, 0o644)
            with open(path, "wb") as file:
                file.write(b"no object at all")
            self.assertIn("git fsck", self.refused("--base", "HEAD"))
            os.remove(path)
            self.assertIn("git fsck", self.refused("--base", "HEAD"))
            with open(path, "wb") as file:
                file.write(kept)
        self.assertEqual(self.lines("--base", "HEAD"), [])

    def make_tree(self, entries):
        done = subprocess.run(["git", "mktree"], cwd=self.root, env=ENVIRONMENT, check=True, capture_output=True,
                              input="".join(entries).encode())
        return done.stdout.decode().strip()

    def test_folders_that_hold_one_another_make_no_files_without_end(self):
        self.write("a.yaml", "a: b\n")
        self.commit()
        folder = self.git("rev-parse", "HEAD^{tree}")
        for _ in range(10): # ten billion files
            folder = self.make_tree(f"040000 tree {folder}\td{n}\n" for n in range(10))
        self.git("update-ref", "HEAD", self.git("commit-tree", "-m", "many", folder))
        result = run("check", self.root, "--base", "HEAD")
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"holds more than 1000000 files and folders", result.stderr)
        self.assertIn(b"`limits: files` in .lockstep.yaml raises that", result.stderr)

    def test_names_that_no_file_system_takes_are_read_all_the_same(self):
        self.write("a.yaml", "a: b\n")
        self.commit()
        blob = self.git("hash-object", "-w", self.write("b.yaml", "a: 1\na: 2\n"))
        folder = self.make_tree([f"100644 blob {blob}\t{'n' * 300}.yaml\n"])
        for _ in range(30):
            folder = self.make_tree([f"040000 tree {folder}\t{'e' * 200}\n"])
        self.git("read-tree", folder)
        result = run("check", self.root, "--staged", "--format", "json")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertEqual([len(one["path"]) for one in json.loads(result.stdout)["findings"]], [30 * 201 + 305])

    def test_a_huge_blob_costs_no_more_than_its_header(self):
        self.write("a.yaml", "a: 1\n")
        self.write("huge.yaml", b"x" * (64 << 20))
        self.commit()
        self.write("huge.yaml", "a: 1\n")
        start = time.monotonic()
        self.assertEqual(self.lines("--base", "HEAD"), [])
        self.assertLess(time.monotonic() - start, 5)


class Hostile(Repository):
    """The repository's config may name commands for everything; none is run."""

    def setUp(self):
        super().setUp()
        self.marker = os.path.join(self.place, "marker")
        self.evil = os.path.join(self.place, "evil")
        with open(self.evil, "w") as file:
            file.write(f"#!/bin/sh\necho \"$0 $*\" >> '{self.marker}'\n")
        os.chmod(self.evil, 0o755)
        self.write("a.yaml", "a: 1\n")
        self.write("b.yaml", "b: 1\n")
        self.write(".gitattributes", "* filter=evil diff=evil merge=evil text=auto\n")
        self.first = self.commit()
        self.write("a.yaml", "a: 1\na: 2\n")
        self.git("add", "-A")
        for key, value in {
            "core.fsmonitor": self.evil, "core.hooksPath": os.path.join(self.place, "hooks"), "core.pager": self.evil,
            "core.sshCommand": self.evil, "core.askPass": self.evil, "core.editor": self.evil, "core.gitProxy": self.evil,
            "core.alternateRefsCommand": self.evil, "core.untrackedCache": "true", "core.attributesFile": os.path.join(self.root, ".gitattributes"),
            "filter.evil.clean": self.evil, "filter.evil.smudge": self.evil, "filter.evil.process": self.evil,
            "filter.evil.required": "true", "diff.evil.textconv": self.evil, "diff.evil.command": self.evil,
            "diff.external": self.evil, "merge.evil.driver": self.evil, "credential.helper": "!" + self.evil,
            "gpg.program": self.evil, "sequence.editor": self.evil, "trace2.eventTarget": os.path.join(self.place, "trace"),
            "uploadpack.packObjectsHook": self.evil, "protocol.ext.allow": "always", "log.showSignature": "true",
            "include.path": os.path.join(self.place, "more.config"),
            **{f"alias.{name}": "!" + self.evil for name in ("rev-parse", "ls-tree", "ls-files", "cat-file", "merge-base")},
            **{f"pager.{name}": self.evil for name in ("rev-parse", "ls-tree", "ls-files", "cat-file", "merge-base")},
        }.items():
            self.git("config", key, value)
        with open(os.path.join(self.place, "more.config"), "w") as file:
            file.write(f"[core]\n\tfsmonitor = {self.evil}\n\tsshCommand = {self.evil}\n")
        os.mkdir(os.path.join(self.place, "hooks"))
        for folder in (os.path.join(self.place, "hooks"), os.path.join(self.root, ".git/hooks")):
            for name in ("post-index-change", "fsmonitor-watchman", "pre-commit", "post-checkout", "reference-transaction", "query-watchman"):
                shutil.copy(self.evil, os.path.join(folder, name))

    def quiet(self):
        if os.path.exists(self.marker):
            with open(self.marker) as file:
                self.fail("ran: " + file.read())
        self.assertFalse(os.path.exists(os.path.join(self.place, "trace")))

    def everything(self, env=None):
        for words in (["--base", "HEAD"], ["--base", "HEAD", "--changed-only", "--config-from-base"], ["--staged"],
                      ["--staged", "--base", "main", "--base-exact"]):
            done = run("check", self.root, *words, env=env)
            self.assertIn(done.returncode, (0, 1, 2), done.stderr)
        for words in (["--base", "HEAD"], ["--staged", "--format", "markdown"]):
            run("diff", self.root, *words, env=env)

    def test_the_plant_is_live(self):
        self.git("status", check=False)
        self.assertTrue(os.path.exists(self.marker))

    def test_no_command_of_the_config_runs(self):
        before = os.stat(os.path.join(self.root, ".git/index")).st_mtime_ns
        self.assertEqual(self.lines("--base", "HEAD"), [("duplicate-key", "a.yaml", 2)])
        self.assertEqual(self.lines("--staged"), [("duplicate-key", "a.yaml", 2)])
        self.everything()
        self.quiet()
        self.assertEqual(os.stat(os.path.join(self.root, ".git/index")).st_mtime_ns, before)

    def lose_a_blob(self, url):
        object_id = self.git("rev-parse", self.first + ":b.yaml", check=False)
        if os.path.exists(self.marker):
            os.remove(self.marker)
        os.remove(os.path.join(self.root, ".git/objects", object_id[:2], object_id[2:]))
        for key, value in {"core.repositoryformatversion": "1", "extensions.partialClone": "origin", "remote.origin.url": url,
                           "remote.origin.promisor": "true", "remote.origin.partialclonefilter": "blob:none"}.items():
            self.git("config", key, value)
        return object_id

    def test_a_partial_clone_fetches_nothing(self):
        for url in (f"ext::{self.evil} x", "ssh://nowhere.invalid/x", self.place, "http://127.0.0.1:1/x"):
            with self.subTest(url):
                object_id = self.lose_a_blob(url)
                error = self.refused("--base", "HEAD")
                self.assertIn("partial clone", error)
                self.everything()
                self.quiet()
                self.git("cat-file", "-p", object_id, check=False)
                if url.startswith(("ext", "ssh")):
                    self.assertTrue(os.path.exists(self.marker), "the plant is dead")
                    os.remove(self.marker)
                self.git("hash-object", "-w", "--no-filters", "b.yaml", check=False)
                if os.path.exists(self.marker):
                    os.remove(self.marker)

    def with_told_git(self):
        """The environment, where git writes down what it is asked, and the file for that."""
        tools, told = os.path.join(self.place, "tools"), os.path.join(self.place, "told")
        os.mkdir(tools)
        with open(os.path.join(tools, "git"), "w") as file:
            file.write(f"#!/bin/sh\necho \"$*\" >> '{told}'\nexec {shutil.which('git')} \"$@\"\n")
        os.chmod(os.path.join(tools, "git"), 0o755)
        return {**ENVIRONMENT, "PATH": tools + ":" + os.environ["PATH"]}, told

    def test_git_is_asked_for_five_things_that_only_read(self):
        env, told = self.with_told_git()
        self.everything(env)
        with open(told) as file:
            asked = {next(word for word in line.split() if word in READING or not (word.startswith("-") or "=" in word or "/" in word))
                     for line in file}
        self.assertEqual(asked, READING)

    def test_without_a_base_git_is_not_started(self):
        env, told = self.with_told_git()
        for words in (["check", "."], ["index", "."], ["graph", "."], ["why", "a.yaml", "."], ["pins", "."], ["build", "."], ["charts", "."],
                      ["facts", "duplicate-key", "."], ["rules", "."], ["explain", "duplicate-key", "."], ["init", "."], ["test", "."]):
            run(*words, cwd=self.root, env=env)
            self.assertFalse(os.path.exists(told), words)

    def test_a_program_named_git_in_the_repository_is_not_it(self):
        shutil.copy(self.evil, os.path.join(self.root, "git"))
        for path in (".:" + os.environ["PATH"], ":" + os.environ["PATH"], "bin:" + os.environ["PATH"]):
            done = run("check", "--base", "HEAD", cwd=self.root, env={**ENVIRONMENT, "PATH": path})
            self.assertEqual(done.returncode, 1, done.stderr)
        self.quiet()

    def test_the_callers_environment_names_no_other_repository(self):
        other = os.path.join(self.place, "other")
        os.mkdir(other)
        self.git("init", "-q", cwd=other)
        for name, value in {"GIT_DIR": os.path.join(other, ".git"), "GIT_WORK_TREE": other, "GIT_OBJECT_DIRECTORY": other,
                            "GIT_EXTERNAL_DIFF": self.evil, "GIT_SSH_COMMAND": self.evil, "GIT_PAGER": self.evil,
                            "GIT_CONFIG_PARAMETERS": f"'core.fsmonitor={self.evil}'"}.items():
            self.assertEqual(self.lines("--base", "HEAD", env={**ENVIRONMENT, name: value}), [("duplicate-key", "a.yaml", 2)])
        self.quiet()


if __name__ == "__main__":
    unittest.main(verbosity=1)
