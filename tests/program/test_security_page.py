#!/usr/bin/env python3
"""Every promise of SECURITY.md names a test that is there, and no code opens a connection.

test_security_page.py SOURCE_ROOT"""
import pathlib
import re
import sys
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
PAGE = (SOURCE / "SECURITY.md").read_text()
PROMISES = ("## What a hostile repository cannot do", "## What a change cannot do to its guard")


def section(title):
    return PAGE.split(title + "\n", 1)[1].split("\n## ", 1)[0]


class Page(unittest.TestCase):
    def test_every_promise_names_its_test(self):
        for title in PROMISES:
            items = re.split(r"(?m)^- ", section(title))[1:]
            self.assertGreaterEqual(len(items), 4, title)
            for item in items:
                self.assertRegex(item, r"\[`tests/", item[:60])

    def test_every_test_that_is_named_is_there_and_is_run(self):
        named = set(re.findall(r"`(tests/[\w/.]+\.(?:py|cpp))`", PAGE))
        self.assertGreater(len(named), 12)
        run = "".join(path.read_text() for path in [*SOURCE.glob("tests/**/meson.build"), SOURCE / "Makefile"])
        for name in named:
            self.assertTrue((SOURCE / name).is_file(), name)
            if name != "tests/evasion/tricks.py":
                self.assertIn(pathlib.PurePath(name).name, run, name)

    def test_no_code_opens_a_connection(self):
        # One pair of sockets to git's own process is all: no address family but AF_UNIX, no look-up of names.
        for path in SOURCE.glob("src/**/*.cpp"):
            text = path.read_text()
            for word in ("AF_INET", "getaddrinfo", "::connect(", "gethostby", "curl_", "::socket("):
                self.assertNotIn(word, text, path)


if __name__ == "__main__":
    unittest.main()
