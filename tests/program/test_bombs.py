#!/usr/bin/env python3
"""Small trees that cost much stay cheap: memory below 256 MB plus four times the input, a few seconds of CPU time, and a report
that is bounded.

test_bombs.py LOCKSTEP SOURCE_ROOT [NAME]"""
import os
import resource
import subprocess
import sys
import tempfile
import time
import unittest

LOCKSTEP, SOURCE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(SOURCE, "tests/hostile"))
import bombs  # noqa: E402

SANITIZED = "LOCKSTEP_SANITIZED" in os.environ
# Processor time, one at a time: 2 s with optimization, as meson says; a build without it takes several times as long.
CPU_SECONDS = float(os.environ.get("LOCKSTEP_BOMB_SECONDS", 20))
TRIES = 3  # what else runs on the machine costs time too: the best counts
REPORT_BYTES = 64 << 20


def size_of(folder):
    return sum(os.path.getsize(os.path.join(at, name)) for at, _, names in os.walk(folder) for name in names)


def measure(folder):
    """Exit code, CPU seconds, peak memory in bytes, bytes of the JSON report. A child of a child: its memory alone is asked for."""
    script = ("import resource, subprocess, sys\n"
              "done = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)\n"
              "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
              "print(done.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, len(done.stdout))\n")
    words = [sys.executable, "-c", script, LOCKSTEP, "check", folder, "--format", "json", "--jobs", "2", "--memory", "0"]
    env = {name: value for name, value in os.environ.items() if name != "MALLOC_PERTURB_"}  # it touches memory that we do not
    out = subprocess.run(words, capture_output=True, text=True, check=True, timeout=280, env=env).stdout.split()
    return int(out[0]), float(out[1]), int(out[2]), int(out[3])


class Bombs(unittest.TestCase):
    def test_none_goes_off(self):
        if SANITIZED:
            self.skipTest("a sanitizer's time and memory say nothing")
        with tempfile.TemporaryDirectory() as root:
            bombs.write_all(root)
            for name in sys.argv[3:] or sorted(bombs.BOMBS):
                folder = os.path.join(root, name)
                code, seconds, memory, report = measure(folder)
                for _ in range(1, TRIES):
                    if seconds < CPU_SECONDS:
                        break
                    seconds = min(seconds, measure(folder)[1])
                limit = (256 << 20) + 4 * size_of(folder)
                print(f"{name:24} exit {code}  {seconds:6.2f} s  {memory >> 20:5} MB  report {report >> 10:7} KB", flush=True)
                with self.subTest(name):
                    self.assertIn(code, (0, 1, 2))
                    self.assertLess(report, REPORT_BYTES)
                    self.assertLess(seconds, CPU_SECONDS)
                    self.assertLess(memory, limit)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
