#!/usr/bin/env python3
"""What a release is made of: the man page and the completions know every command and option, and the archive is the same
bytes each time, is what its checksum says, and is what the action takes."""
import functools
import hashlib
import importlib.machinery
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

LOCKSTEP = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "lockstep"
SOURCE = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ".").resolve()
SHELLS = ("bash", "zsh", "fish")


@functools.cache
def say(*words):
    return subprocess.run([LOCKSTEP, *words], check=True, stdout=subprocess.PIPE, timeout=60).stdout.decode()


def commands():
    return re.findall(r"(?m)^  ([a-z]+) ", say("--help").split("Subcommands:")[1].split("\nExamples:")[0])


def options(command):
    """Long and short names, as --help of the command lists them."""
    page = say(command, "--help").split("Options:")[1].split("\n\n")[0]
    rows = re.findall(r"(?m)^  (-\S+)", page)
    return [name for row in rows for name in row.split(",") if name.startswith("-")]


class Pages(unittest.TestCase):
    def test_the_man_page_has_every_command_and_every_option_of_each(self):
        page = say("man").replace("\\-", "-")
        sections = {part.split("\n", 1)[0]: part for part in re.split(r"(?m)^\.S[SH] ", page)}
        self.assertGreater(len(commands()), 10)
        for command in commands():
            for option in options(command):
                self.assertIn(f"\\fB{option}\\fR" if len(option) > 2 or command == "check" else "", sections[command], command)

    def test_groff_has_nothing_to_say_about_the_man_page(self):
        if not shutil.which("groff"):
            self.skipTest("groff is not installed")
        result = subprocess.run(["groff", "-man", "-ww", "-z"], input=say("man").encode(), capture_output=True)
        self.assertEqual((result.returncode, result.stderr), (0, b""))

    def test_completions_have_every_command_and_every_option_of_each(self):
        bash, zsh, fish = (say("completions", shell) for shell in SHELLS)
        for command in commands():
            of_bash = re.search(rf"(?m)^        {command}\) _lockstep_words '([^']*)'", bash).group(1).split()
            of_zsh = re.search(rf"(?ms)^    {command}\)\n(.*?)\n        ;;", zsh).group(1)
            of_fish = "\n".join(re.findall(rf"(?m)^.*'__lockstep_command {command}'.*$", fish))
            for option in options(command):
                self.assertIn(option, of_bash, command)
                self.assertRegex(of_zsh, rf"'\*{option}[=\[]", command)
                self.assertRegex(of_fish, r" -[ls] " + option.lstrip("-") + " ", command)

    def test_shells_can_read_their_completions(self):
        for shell in SHELLS:
            with self.subTest(shell), tempfile.NamedTemporaryFile("w") as script:
                if not shutil.which(shell):
                    self.skipTest(f"{shell} is not installed")
                script.write(say("completions", shell))
                script.flush()
                result = subprocess.run([shell, "-n", script.name], capture_output=True)
                self.assertEqual((result.returncode, result.stderr), (0, b""))

    def test_an_unknown_shell_is_refused(self):
        self.assertEqual(subprocess.run([LOCKSTEP, "completions", "tcsh"], capture_output=True).returncode, 2)


class Bash(unittest.TestCase):
    def complete(self, *words):
        script = say("completions", "bash") + "compopt() { :; }\nCOMP_WORDS=(\"$@\")\nCOMP_CWORD=$(($# - 1))\n" \
            "_lockstep\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n"
        path = os.path.dirname(LOCKSTEP) + ":" + os.environ["PATH"]
        return subprocess.run(["bash", "-c", script, "bash", "lockstep", *words], env={**os.environ, "PATH": path},
                              cwd=SOURCE, stdout=subprocess.PIPE, check=True, timeout=60).stdout.decode().split()

    def test_offers_commands_options_values_rules_and_files(self):
        self.assertEqual(self.complete("che"), ["check"])
        self.assertEqual(self.complete("diff", "--base-"), ["--base-exact"])
        self.assertEqual(self.complete("--col"), ["--color"])
        self.assertEqual(self.complete("check", "--fail-on", ""), ["error", "warning", "note", "off"])
        self.assertEqual(self.complete("--format", "=", "js"), ["json"])
        self.assertEqual(self.complete("graph", "--format", "j"), ["json"])
        self.assertEqual(self.complete("--output", "json", "=", "READ"), ["README.md"])
        self.assertEqual(self.complete("explain", "duplicate-k"), ["duplicate-key"])
        self.assertEqual(self.complete("--only", "unwired,duplicate-k"), ["unwired,duplicate-key"])
        self.assertEqual(self.complete("pins", "fixt"), ["fixtures"])


class Archive(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.root = pathlib.Path(scratch.name).resolve()
        cls.archive = cls.release("one")

    @classmethod
    def release(cls, folder):
        loader = importlib.machinery.SourceFileLoader("make_dist", str(SOURCE / "ci/make-dist"))
        module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
        sys.dont_write_bytecode = True
        loader.exec_module(module)
        os.environ["SOURCE_DATE_EPOCH"] = "1700000000"
        module.release(pathlib.Path(LOCKSTEP), cls.root / folder)
        return next((cls.root / folder).glob("*.tar.gz"))

    def test_two_archives_of_one_program_are_the_same_bytes(self):
        one, two = self.archive, self.release("two")
        self.assertEqual(one.name, two.name)
        self.assertEqual(one.read_bytes(), two.read_bytes())

    def test_the_archive_holds_what_a_user_needs_and_nothing_of_this_machine(self):
        archive = self.archive
        top = archive.name.removesuffix(".tar.gz")
        self.assertRegex(top, r"^lockstep-\d+\.\d+\.\d+-linux-\w+$")
        with tarfile.open(archive) as tar:
            members = tar.getmembers()
        self.assertEqual([member.name.removeprefix(top + "/") for member in members], sorted(
            ["LICENSE", "README.md", "CHANGELOG.md", "lockstep", "man/man1/lockstep.1", "completions/lockstep.bash",
             "completions/_lockstep", "completions/lockstep.fish"]))
        for member in members:
            self.assertEqual((member.uid, member.gid, member.uname, member.gname, member.mtime), (0, 0, "", "", 1700000000))
            self.assertEqual(member.mode, 0o755 if member.name.endswith("/lockstep") else 0o644)

    def test_sha256sum_agrees_and_the_action_takes_it(self):
        archive = self.archive
        subprocess.run(["sha256sum", "--check", "--strict", "--quiet", archive.name + ".sha256"], cwd=archive.parent, check=True)
        digest = archive.with_name(archive.name + ".sha256").read_text().split()[0]
        self.assertEqual(digest, hashlib.sha256(archive.read_bytes()).hexdigest())
        output = self.root / "output"
        output.touch()
        environment = {**os.environ, "GITHUB_OUTPUT": str(output), "LOCKSTEP_FOLDER": str(self.root / "program"),
                       "INPUT_ARCHIVE": str(archive), "INPUT_ARCHIVE_SHA256": digest}
        subprocess.run([sys.executable, SOURCE / "ci/action.py", "install"], env=environment, check=True, timeout=60)
        program = output.read_text().strip().split("=", 1)[1]
        self.assertEqual(subprocess.run([program, "--version"], stdout=subprocess.PIPE).stdout.decode(), say("--version"))

    def test_a_program_that_needs_libraries_is_no_release(self):
        (self.root / "build").mkdir()
        (self.root / "build/lockstep").symlink_to(os.path.realpath("/bin/sh"))
        result = subprocess.run([SOURCE / "ci/make-dist", self.root / "build", self.root / "out"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 1)
        self.assertIn("not linked statically", result.stderr)
        self.assertFalse((self.root / "out").exists())


if __name__ == "__main__":
    unittest.main()
