#!/usr/bin/env python3
"""Every sentence of SECURITY.md names a test that is there, and no code opens a connection or starts a program that it should not.

test_security_page.py SOURCE_ROOT"""
import pathlib
import re
import sys
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
PAGE = (SOURCE / "SECURITY.md").read_text()
PROMISES = ("## What a hostile repository cannot do", "## What a change cannot do to its guard", "## What it can do", "## Limits")
NAMED = re.compile(r"`(tests/[\w/.]+\.(?:py|cpp))(?:::([^`]+))?`")
PLAIN = tuple(f"tests/evasion/{name}tricks.py" for name in ("", "built_", "install_", "object_", "chain_"))  # what test_evasion.py plays


def section(title):
    return PAGE.split(title + "\n", 1)[1].split("\n## ", 1)[0]


def sentences(text):
    """Of the items and paragraphs of a section, without tables and the words in bold that open an item."""
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("|"))
    for item in re.split(r"(?m)^- |\n\n", lines):
        item = re.sub(r"^\*\*[^*]+\.\*\*", "", " ".join(item.split()))
        code = re.sub(r"`[^`]*`", lambda name: name.group().replace(".", "\0"), item)
        yield from (one.replace("\0", ".") for one in re.split(r"(?<=\.) ", code) if one.strip())


class Page(unittest.TestCase):
    def test_every_sentence_names_its_test(self):
        count = 0
        for title in PROMISES:
            for sentence in sentences(section(title)):
                self.assertRegex(sentence, r"\[`tests/", sentence)
                count += 1
        self.assertGreater(count, 40)

    def test_every_limit_names_its_test(self):
        rows = [line for line in section("## Limits").splitlines() if line.startswith("|")][2:]
        self.assertGreater(len(rows), 30)
        for row in rows:
            self.assertRegex(row.split("|")[-2], NAMED, row)

    def test_every_test_that_is_named_is_there_and_is_run(self):
        named = set(NAMED.findall(PAGE))
        self.assertGreater(len(named), 60)
        run = "".join(path.read_text() for path in [*SOURCE.glob("tests/**/meson.build"), SOURCE / "Makefile"])
        for name, case in named:
            self.assertTrue((SOURCE / name).is_file(), name)
            if name not in PLAIN:
                self.assertIn(pathlib.PurePath(name).name, run, name)
            text = (SOURCE / name).read_text()
            if case and name.endswith(".cpp"):
                self.assertIn(f'TEST_CASE("{case}")', text, name)
            elif case:
                self.assertIn(case if name in PLAIN else f"def {case}(self)", text, name)

    def test_one_file_alone_starts_a_program(self):
        starters = {path.name for path in SOURCE.glob("src/**/*.cpp") if re.search(r"posix_spawn|\bexec[lv]\w*\(|popen\(|\bv?fork\(|::clone3?\(|\bsystem\(|dlopen\(|\bsyscall\(", path.read_text())}
        self.assertEqual(starters, {"git_process.cpp"})

    def test_no_code_opens_a_connection(self):
        # One pair of sockets to git's own process is all: no other file knows the calls, and that one no address.
        users = {path.name for path in SOURCE.glob("src/**/*.*") if re.search(r"<(sys/socket|sys/un|net\w*|netinet/.*|arpa/.*|curl/.*|sys/syscall)\.h>", path.read_text(errors="replace"))}
        self.assertEqual(users, {"git_process.cpp"})
        text = next(SOURCE.glob("src/**/git_process.cpp")).read_text()
        self.assertIn("socketpair(AF_UNIX", text)
        self.assertNotRegex(text, r"AF_INET|sockaddr|\b(connect|socket|bind|listen|accept|sendto)\(")


if __name__ == "__main__":
    unittest.main()
