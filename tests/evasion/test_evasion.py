#!/usr/bin/env python3
"""No trick gets a fault past the guard: every one ends in exit code 1 or 2, and its healthy twin in 0.

test_evasion.py LOCKSTEP SOURCE_ROOT [WORD]: only the tricks with this word in their name"""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

LOCKSTEP, SOURCE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
WORD = sys.argv[3] if len(sys.argv) > 3 else ""
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(SOURCE, "tests/evasion"))
import tricks  # noqa: E402
import built_tricks  # noqa: E402, F401: adds its own
import install_tricks  # noqa: E402, F401: the same
import object_tricks  # noqa: E402, F401: the same
import chain_tricks  # noqa: E402, F401: the same
from base_repository import BASE  # noqa: E402

GIT = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
GIT.update(GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_NOSYSTEM="1", GIT_AUTHOR_NAME="t", GIT_AUTHOR_EMAIL="t@t",
           GIT_COMMITTER_NAME="t", GIT_COMMITTER_EMAIL="t@t")
NOBODY = 65534
LEAST = 150


class Change:
    """A change in the making: edits of a work tree, then the run that judges it."""

    def __init__(self, root):
        self.root, self.last, self.more, self.linted = pathlib.Path(root), [], [], ""
        self.commits, self.from_base = True, True

    def write(self, path, content):
        file = self.root / path
        self.remove(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())

    def append(self, path, content):
        self.write(path, (self.root / path).read_text() + content)

    def remove(self, path):
        file = self.root / path
        if file.is_dir() and not file.is_symlink():
            shutil.rmtree(file)
        elif file.is_symlink() or file.exists():
            file.unlink()

    def link(self, path, target):
        self.remove(path)
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        os.symlink(target, self.root / path)

    def later(self, *words):
        """Once it is committed."""
        self.last.append(words)

    def uncommitted(self):
        self.commits = False

    def lint(self, below):
        self.linted = below

    def arguments(self, *words):
        self.more += words

    def is_the_base(self):
        """What was done until here is no change: it was there before."""
        self.git("add", "-A", "-f")
        self.git("commit", "-q", "-m", "another base")

    def options(self, config_from_base):
        self.from_base = config_from_base

    def baseline_of_head(self):
        subprocess.run([LOCKSTEP, "check", self.root, "--write-baseline", self.root / "known.txt"], check=True, stdout=subprocess.DEVNULL)

    def judge(self):
        self.git("checkout", "-q", "-b", "change")
        if self.commits:
            self.git("add", "-A", "-f")
            self.git("commit", "-q", "--allow-empty", "-m", "change")
        for words in self.last:
            subprocess.run(words, cwd=self.root, env=GIT, check=True, stdout=subprocess.DEVNULL)
        words = [LOCKSTEP, "check", "./" + self.linted, "--base", "main", "--no-new-suppressions", "--jobs", "1"]
        words += ["--baseline", "known.txt"] if not self.linted else []
        words += ["--config-from-base"] if self.from_base else []
        drop = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 and any(w[0] == "chmod" for w in self.last) else {}
        env = {**GIT, "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}
        return subprocess.run(words + self.more, cwd=self.root, env=env, capture_output=True, timeout=120, **drop)

    def git(self, *words):
        subprocess.run(["git", *words], cwd=self.root, env=GIT, check=True, stdout=subprocess.DEVNULL)


def make_base(root):
    base = Change(root)
    for path, content in BASE.items():
        base.write(path, content)
    base.git("init", "-q", "-b", "main")
    base.baseline_of_head()
    base.git("add", "-A")
    base.git("commit", "-q", "-m", "base")


def play(base, scratch, number, make):
    root = os.path.join(scratch, f"{number}", "repo")
    shutil.copytree(base, root, symlinks=True)
    os.chmod(os.path.dirname(root), 0o755)
    change = Change(root)
    make(change)
    done = change.judge()
    outside = [name for name in os.listdir(os.path.dirname(root)) if name != "repo"]
    subprocess.run(["chmod", "-R", "u+rwX", root], check=False, stderr=subprocess.DEVNULL)
    shutil.rmtree(os.path.dirname(root), ignore_errors=True)
    return done, outside


def main():
    wanted = [one for one in tricks.TRICKS if WORD in one[0]]
    if len(wanted) < LEAST and not WORD:
        sys.exit(f"test_evasion: there should be {LEAST} tricks at least")
    if "LOCKSTEP_SANITIZED" in os.environ:
        wanted = wanted[::4]  # of each kind some: here it is memory that is looked at
    wrong, still_open, closed = [], [], []
    with tempfile.TemporaryDirectory() as scratch:
        os.chmod(scratch, 0o755)
        base = os.path.join(scratch, "base")
        os.mkdir(base)
        make_base(base)
        plain, _ = play(base, scratch, "plain", lambda change: change.write("README.md", "# other\n"))
        if plain.returncode != 0:
            sys.exit(f"test_evasion: the base itself is not healthy:\n{plain.stdout.decode()}{plain.stderr.decode()}")

        def both(numbered):
            number, (name, bad, twin) = numbered
            return name, play(base, scratch, f"{number}b", bad), play(base, scratch, f"{number}g", twin)

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for name, (bad, outside), (twin, _) in pool.map(both, enumerate(wanted)):
                caught = bad.returncode in (1, 2) and not outside
                if not caught and name in tricks.OPEN:
                    still_open.append(f"{name} ({tricks.OPEN[name]})")
                elif not caught:
                    wrong.append(f"{name}: exit code {bad.returncode}, written outside: {outside}\n{bad.stdout.decode(errors='replace')[-300:]}")
                elif name in tricks.OPEN:
                    closed.append(name)
                if twin.returncode != 0:
                    said = (twin.stdout + twin.stderr).decode(errors="replace")[:600]
                    wrong.append(f"{name}: its healthy twin has exit code {twin.returncode}\n{said}")
    for line in still_open:
        print("open: " + line)
    for name in closed:
        print("caught, though it is listed as open: " + name)
    for line in wrong:
        print(line)
    print(f"{len(wanted)} tricks, {len(still_open)} open, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
