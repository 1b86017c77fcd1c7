#!/usr/bin/env python3
"""An exception that nobody expected, wherever it comes from, ends the run with exit code 2 and a message, never by a signal.
Arguments: LOCKSTEP LIBRARY, which throws in the place of libyaml."""
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import unittest

LOCKSTEP, LIBRARY = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
# Quick YAML is not libyaml's: an anchor makes sure that it is asked.
FILE = "apiVersion: v1\nkind: ConfigMap\nmetadata: &here { name: web }\ndata: *here\n"


class Exceptions(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        for number in range(20):
            (self.root / f"map-{number}.yaml").write_text(FILE)

    def run_it(self, thrown, *words, **more):
        env = {**os.environ, "LD_PRELOAD": LIBRARY, "LOCKSTEP_THROW": thrown} if thrown else None
        return subprocess.run([LOCKSTEP, "check", str(self.root), *words], env=env, capture_output=True, text=True, **more)

    def test_each_kind_in_the_main_thread_and_in_others(self):
        for jobs in "1", "4":
            for thrown, says in (("memory", "error: there is no memory left\n"),
                                 ("exception", "error: lockstep failed: something unforeseen\n"),
                                 ("number", "error: lockstep failed, and nothing says why\n")):
                with self.subTest(thrown=thrown, jobs=jobs):
                    result = self.run_it(thrown, "-j", jobs)
                    self.assertEqual((result.returncode, result.stdout), (2, ""))
                    self.assertTrue(result.stderr.startswith(says), result.stderr)
                    self.assertIn("  hint: ", result.stderr)

    def test_without_the_library_the_same_tree_is_fine(self):
        self.assertEqual(self.run_it("").returncode, 0)

    def test_a_system_without_memory(self):
        (self.root / "large.yaml").write_text("".join(f"key-{i}: value\n" for i in range(400_000)))
        result = self.run_it("", "-j", "1", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (24 << 20, 24 << 20)))
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertTrue(result.stderr.startswith("error: there is no memory left\n"), result.stderr)


if __name__ == "__main__":
    unittest.main()
