#!/usr/bin/env python3
"""A repository of hostile files is linted to its end, within bounds, and no bad file is passed over in silence.

test_hostile.py LOCKSTEP SOURCE_ROOT"""
import ast
import json
import os
import resource
import subprocess
import sys
import tempfile
import unittest

LOCKSTEP, SOURCE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
CPU_SECONDS, MEMORY_MIB = 10, 512
SANITIZED = "LOCKSTEP_SANITIZED" in os.environ # its shadow memory is beyond every bound


def bounded():
    """In the child: what is beyond is a death by signal or a failed allocation, not a slow machine."""
    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 1))


def run(*arguments):
    env = {name: value for name, value in os.environ.items() if name != "MALLOC_PERTURB_"}  # it touches memory that we do not
    return subprocess.run([LOCKSTEP, *arguments], capture_output=True, preexec_fn=bounded, check=False, timeout=280, env=env)


class Hostile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.root = os.path.join(cls.folder.name, "tree")
        made = subprocess.run([sys.executable, os.path.join(SOURCE, "tests/hostile/make_tree.py"), cls.root],
                              capture_output=True, check=True, text=True)
        cls.files = [(ast.literal_eval(name), what) for name, what in (line.split("\t") for line in made.stdout.splitlines())]
        cls.result = run("check", cls.root, "--notes", "--format", "json", "--jobs", "2")
        usage = resource.getrusage(resource.RUSAGE_CHILDREN) # the largest child; the writer of the tree is one, too
        cls.memory = usage.ru_maxrss / 1024

    @classmethod
    def tearDownClass(cls):
        # Python's own removal goes by whole paths, and one here is longer than the system takes.
        subprocess.run(["rm", "-rf", cls.root], check=True)
        cls.folder.cleanup()

    def test_there_are_200_that_must_be_found(self):
        self.assertGreaterEqual(sum(what == "bad" for _, what in self.files), 200)

    def test_the_run_comes_to_its_end(self):
        self.assertEqual(self.result.stderr, b"")
        self.assertEqual(self.result.returncode, 1)

    def test_memory_stays_within_its_bound(self):
        if SANITIZED:
            self.skipTest("a sanitizer's memory says nothing")
        self.assertLess(self.memory, MEMORY_MIB)

    def test_every_bad_file_has_a_finding(self):
        paths = [finding["path"] for finding in json.loads(self.result.stdout)["findings"]]
        shown = lambda name: name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        silent = [name for name, what in self.files if what == "bad" and shown(name) not in paths]
        self.assertEqual(silent, [])
        for name, what in self.files: # too far down to be opened: a finding on the last folder that is not
            if what == "below":
                self.assertTrue(any(path.startswith(name + "/") for path in paths), name)

    def test_suppressions_without_end_are_told_once(self):
        messages = [finding["message"] for finding in json.loads(self.result.stdout)["findings"]
                    if finding["path"] == "suppressions/unknown.yaml"]
        self.assertEqual(sum("more than 10000 in one file" in message for message in messages), 1)
        self.assertEqual(len(messages), 10_001)

    def test_links_lead_nowhere_outside(self):
        for finding in json.loads(self.result.stdout)["findings"]:
            if finding["path"].startswith("links/"):
                self.assertEqual(finding["rule"], "file-unread", finding)
        self.assertNotIn(b"root:x:0", self.result.stdout)

    def test_nothing_of_it_acts_on_a_terminal(self):
        text = run("check", self.root, "--notes", "--color", "never", "--jobs", "2")
        self.assertEqual(text.returncode, 1, text.stderr)
        self.assertEqual([byte for byte in range(32) if byte not in (9, 10) and bytes([byte]) in text.stdout], [])
        self.assertNotIn("\u202e".encode(), text.stdout)
        self.assertNotIn(b"\n::error::", text.stdout)

    def test_reading_it_twice_says_the_same(self):
        again = run("check", self.root, "--notes", "--format", "json", "--jobs", "1")
        self.assertEqual(again.stdout, self.result.stdout)


class OwnFiles(unittest.TestCase):
    """Config and rules steer the run, so they are never taken from where a link leads."""

    def test_a_config_that_is_a_link_or_a_pipe_is_refused(self):
        for make in (lambda path: os.symlink("/etc/passwd", path), lambda path: os.symlink("/dev/zero", path), os.mkfifo):
            with tempfile.TemporaryDirectory() as root:
                make(os.path.join(root, ".lockstep.yaml"))
                result = run("check", root)
            self.assertEqual(result.returncode, 2)
            self.assertIn(b"cannot read the file: is a ", result.stderr)

    def test_rules_behind_a_link_are_refused(self):
        for link in (".lockstep", ".lockstep/rules"):
            with tempfile.TemporaryDirectory() as outside, tempfile.TemporaryDirectory() as root:
                os.mkdir(os.path.join(outside, "rules"))
                with open(os.path.join(outside, "rules/a.yaml"), "w", encoding="utf-8") as file:
                    file.write("secret: 1\n")
                if "/" in link:
                    os.mkdir(os.path.join(root, ".lockstep"))
                os.symlink(os.path.join(outside, "rules" if "/" in link else "."), os.path.join(root, link))
                result = run("check", root)
            self.assertEqual(result.returncode, 2)
            self.assertIn(b"a link", result.stderr)
            self.assertNotIn(b"secret", result.stderr)


class Limits(unittest.TestCase):
    def lint(self, limits, files, command=("check",)):
        with tempfile.TemporaryDirectory() as root:
            for name, content in {".lockstep.yaml": limits, **files}.items():
                os.makedirs(os.path.dirname(os.path.join(root, name)), exist_ok=True)
                with open(os.path.join(root, name), "w", encoding="utf-8") as file:
                    file.write(content)
            return run(*command, root)

    def test_too_many_files_end_the_run(self):
        few = {f"{n}.yaml": "a: b\n" for n in range(5)}
        self.assertEqual(self.lint("limits: { files: 6 }\n", few).returncode, 0)
        result = self.lint("limits: { files: 5 }\n", few)
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"holds more than 5 files and folders", result.stderr)
        self.assertIn(b"`limits: files` in .lockstep.yaml raises that", result.stderr)

    def test_no_template_hides_that_a_limit_was_met(self):
        for text in ("a: {b: {c: {d: e}}}\n", "# {% x %}\na: [[[b]]]\n"):
            result = self.lint("limits: { depth: 2 }\n", {"a.yaml": text})
            self.assertIn(b"nested deeper than 2 levels; `limits: depth` in .lockstep.yaml raises that", result.stdout)

    def test_a_value_too_large_is_a_finding_on_its_file(self):
        files = {"a.yaml": "a: |\n" + "  bcdefghi\n" * 200, "b.yaml": "a: b\na: c\n"}
        self.assertNotIn(b"scalar-size", self.lint("limits: { scalar-size: 4KiB }\n", files).stdout)
        result = self.lint("limits: { scalar-size: 1KiB }\n", files)
        self.assertEqual(result.returncode, 1)
        self.assertIn(b"a value of more than 1024 bytes; `limits: scalar-size` in .lockstep.yaml raises that", result.stdout)
        self.assertIn(b"duplicate-key", result.stdout)

    def test_kustomizations_that_include_each_other_in_too_many_ways_end_the_run(self):
        head = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
        files = {f"k{n}/kustomization.yaml": head + f"resources: [../k{n + 1}, ../k{n + 1}]\n" for n in range(40)}
        files["k40/kustomization.yaml"] = head + "resources: [a.yaml]\n"
        files["k40/a.yaml"] = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n"
        for limits, count in (("", b"1000000"), ("limits: { applied: 500 }\n", b"500")):
            result = self.lint(limits, files)
            self.assertEqual(result.returncode, 2)
            self.assertRegex(result.stderr, rb"^k\d+/kustomization.yaml:3:\d+: error: kustomizations apply more than " + count)
            self.assertIn(b"`limits: applied` in .lockstep.yaml raises that", result.stderr)
        for command in (["why", "k40/a.yaml"], ["graph"]):
            self.assertEqual(self.lint("", files, command=command).returncode, 2)
        few = {name: text for name, text in files.items() if int(name[1:name.index("/")]) > 34}
        self.assertNotEqual(self.lint("", few).returncode, 2)

    def test_a_join_of_everything_with_everything_ends_the_run(self):
        rows = "list:\n" + "".join(f"- {{ n: %s{n}, k: 1 }}\n" for n in range(2000))
        fact = '{ files: "%s.yaml", each: "list[*]", yaml: { n: n, k: k } }'
        rule = "rule: every-pair\nseverity: error\nsummary: a\nwhy: b\nfix: c\nfacts:\n" \
               f"  a: {fact % 'a'}\n  b: {fact % 'b'}\n" \
               'for: a\njoin: { b: [k] }\nassert: a.n == b.n\nmessage: "{a.n} {b.n}"\nat: a.n\n'
        result = self.lint("", {"a.yaml": rows.replace("%s", "a"), "b.yaml": rows.replace("%s", "b"),
                                ".lockstep/rules/every-pair.yaml": rule})
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"rule every-pair has more than 250000 findings", result.stderr)
        self.assertIn(b"`limits: findings` in .lockstep.yaml raises that", result.stderr)

    def test_too_many_bytes_end_the_run(self):
        files = {f"{n}.yaml": "a: " + "b" * 1000 + "\n" for n in range(5)}
        self.assertEqual(self.lint("limits: { total-size: 6000 }\n", files).returncode, 0)
        result = self.lint("limits: { total-size: 3000 }\n", files)
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"`limits: total-size` in .lockstep.yaml raises that", result.stderr)

    def test_a_run_that_takes_too_long_is_ended(self):
        with tempfile.TemporaryDirectory() as root:
            pipe = os.path.join(root, "pipe")
            os.mkfifo(pipe)  # nobody reads it: writing the report there would wait for ever
            result = run("check", root, "--timeout", "1", "--output", "json=" + pipe)
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"the run took more than 1 s and was ended", result.stderr)
        self.assertIn(b"--timeout SECONDS raises that", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
