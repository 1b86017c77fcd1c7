"""A git repository made for one test, and the program run on it. The test's arguments are LOCKSTEP SOURCE_ROOT."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

LOCKSTEP = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "lockstep"
SOURCE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "."
# A caller's own settings must not decide what these tests see.
ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
ENVIRONMENT.update(GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_NOSYSTEM="1", GIT_AUTHOR_NAME="t", GIT_AUTHOR_EMAIL="t@t",
                   GIT_COMMITTER_NAME="t", GIT_COMMITTER_EMAIL="t@t")


def run(*arguments, cwd=None, env=None):
    return subprocess.run([LOCKSTEP, *arguments], capture_output=True, cwd=cwd, timeout=120, env=env or ENVIRONMENT)


class Repository(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.place = os.path.realpath(self.scratch.name)
        self.root = os.path.join(self.place, "repo")
        os.mkdir(self.root)
        self.commits = 0
        self.git("init", "-q", "-b", "main")

    def tearDown(self):
        self.scratch.cleanup()

    def git(self, *words, cwd=None, check=True):
        done = subprocess.run(["git", *words], cwd=cwd or self.root, env=ENVIRONMENT, capture_output=True, timeout=120)
        if check:
            self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.decode().strip()

    def write(self, path, content):
        full = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return full

    def commit(self):
        self.commits += 1
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", str(self.commits))
        return self.git("rev-parse", "HEAD")

    def report(self, *words, path=None, env=None):
        done = run("check", path or self.root, "--format", "json", *words, env=env)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return json.loads(done.stdout)

    def lines(self, *words, **more):
        return [(f["rule"], f["path"], f["line"]) for f in self.report(*words, **more)["findings"]]

    def refused(self, *words, path=None, cwd=None):
        done = run("check", *([path or self.root] if cwd is None else []), *words, cwd=cwd)
        self.assertEqual((done.returncode, done.stdout), (2, b""), done.stderr)
        return done.stderr.decode()
