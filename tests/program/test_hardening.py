#!/usr/bin/env python3
"""The built program is hardened, and the reader that says so is not fooled by one that is not.

test_hardening.py LOCKSTEP SOURCE_ROOT"""
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

LOCKSTEP = os.path.abspath(sys.argv.pop(1))
SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
sys.dont_write_bytecode = True
spec = importlib.util.spec_from_file_location("hardening", SOURCE / "ci/hardening.py")
hardening = importlib.util.module_from_spec(spec)
spec.loader.exec_module(hardening)


class Hardening(unittest.TestCase):
    def test_the_program_has_all_of_it(self):
        self.assertEqual(hardening.missing(LOCKSTEP), [])

    def test_a_program_without_it_is_seen_through(self):
        with tempfile.TemporaryDirectory() as scratch:
            source, plain = os.path.join(scratch, "a.cpp"), os.path.join(scratch, "a")
            pathlib.Path(source).write_text("int main() { return 0; }\n")
            made = subprocess.run([os.environ.get("CXX", "c++"), source, "-o", plain, "-no-pie", "-fno-pie", "-Wl,-z,lazy", "-Wl,-z,norelro",
                                   "-fno-stack-protector", "-U_FORTIFY_SOURCE", "-Wl,-z,execstack"], capture_output=True)
            self.assertEqual(made.returncode, 0, made.stderr)
            self.assertEqual(hardening.missing(plain), ["PIE", "RELRO", "BIND_NOW (full RELRO)", "a stack that is not executable",
                                                        "stack protector", "FORTIFY"])
            self.assertTrue(hardening.missing(source))


if __name__ == "__main__":
    unittest.main()
