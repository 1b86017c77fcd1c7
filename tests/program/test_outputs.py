#!/usr/bin/env python3
"""Reports of one run: which go where, and what happens when one cannot be written."""
import json
import os
import resource
import stat
import subprocess
import sys
import tempfile
import unittest

LOCKSTEP = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "lockstep"
CHART = "name: web\nversion: 1.0.0\nversion: 1.0.1\n"


class Outputs(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.repo = os.path.join(self.scratch.name, "repo")
        self.out = os.path.join(self.scratch.name, "out")
        os.mkdir(self.repo)
        os.mkdir(self.out)
        with open(os.path.join(self.repo, "Chart.yaml"), "w", encoding="utf-8") as chart:
            chart.write(CHART)

    def run_check(self, *arguments, **more):
        more.setdefault("stdout", subprocess.PIPE)
        return subprocess.run(
            [LOCKSTEP, "check", self.repo, *arguments], stderr=subprocess.PIPE, timeout=120, cwd=self.out, **more
        )

    def path(self, name):
        return os.path.join(self.out, name)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def device(self, name, minor):
        """A device that a fault may do no harm to: root could replace that of the system."""
        if os.geteuid() != 0:
            return f"/dev/{name}"
        try:
            os.mknod(self.path(name), 0o666 | stat.S_IFCHR, os.makedev(1, minor))
            with open(self.path(name), "rb"):
                return self.path(name)
        except OSError as problem:
            self.skipTest(f"no device of our own: {problem}")

    def assert_fails(self, result, *words):
        self.assertEqual(result.returncode, 2, result)
        for word in words:
            self.assertIn(word, result.stderr.decode())

    def names(self):
        return sorted(os.listdir(self.out))


class WhereReportsGo(Outputs):
    def test_a_file_beside_text_on_stdout(self):
        result = self.run_check("--output", "json=a.json", "--output", "text=b.txt")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(json.loads(self.read("a.json"))["findings"][0]["rule"], "duplicate-key")
        self.assertEqual(self.read("b.txt"), result.stdout)
        self.assertEqual(self.names(), ["a.json", "b.txt"])

    def test_text_on_stdout_is_what_it_is_without_outputs(self):
        plain = self.run_check().stdout
        self.assertEqual(self.run_check("--output", "json=a.json").stdout, plain)
        self.assertEqual(self.run_check("--output", "text").stdout, plain)
        self.assertEqual(self.run_check("--format", "text", "--output", "text").stdout, plain)

    def test_a_format_for_programs_takes_the_place_of_text(self):
        for words in (["--output", "json"], ["--output", "json=-"], ["--output", "json=/dev/stdout"], ["--format", "json"]):
            self.assertEqual(json.loads(self.run_check(*words).stdout)["version"], 1, words)

    def test_format_decides_stdout_and_output_adds_files(self):
        result = self.run_check("--format", "json", "--output", "text=b.txt")
        self.assertEqual(json.loads(result.stdout)["version"], 1)
        self.assertIn(b"[duplicate-key]", self.read("b.txt"))

    def test_colours_stay_out_of_files(self):
        self.run_check("--output", "text=a.txt")
        self.assertNotIn(b"\x1b", self.read("a.txt"))
        self.run_check("--output", "text=a.txt", "--color", "always")
        self.assertIn(b"\x1b", self.read("a.txt"))

    def test_help_names_every_format_in_one_line(self):
        text = subprocess.run([LOCKSTEP, "check", "--help"], stdout=subprocess.PIPE, check=True).stdout.decode()
        for name in ("text", "json", "sarif"):
            self.assertRegex(text, rf"(?m)^  {name} +\S.*$")


class Mistakes(Outputs):
    def test_an_unknown_format_is_named_with_the_nearest(self):
        self.assert_fails(self.run_check("--output", "jsn=a"), "there is no format `jsn`", "did you mean `json`?")
        self.assert_fails(self.run_check("--format", "tex"), "did you mean `text`?")
        self.assert_fails(self.run_check("--output", "spreadsheet"), "formats are text, json")

    def test_no_file_name(self):
        self.assert_fails(self.run_check("--output", "json="), "names no file")

    def test_one_file_twice_however_it_is_written(self):
        self.assert_fails(self.run_check("--output", "json=a", "--output", "text=../out/./a"), "two reports go to one file")
        os.symlink("a", self.path("b"))
        self.run_check("--output", "json=a")
        self.assert_fails(self.run_check("--output", "json=a", "--output", "text=b"), "two reports go to one file")

    def test_two_reports_on_stdout_that_cannot_share_it(self):
        self.assert_fails(self.run_check("--output", "json", "--output", "text"), "two reports go to stdout")
        self.assert_fails(self.run_check("--format", "json", "--output", "text=-"), "two reports go to stdout")

    def test_mistakes_are_told_before_anything_is_written(self):
        self.run_check("--output", "json=a", "--output", "nothing=b")
        self.assertEqual(self.names(), [])

    def test_a_baseline_is_written_without_reports(self):
        self.assertEqual(self.run_check("--write-baseline", "a", "--output", "json=b").returncode, 2)
        self.assertEqual(self.names(), [])


class WhatCannotBeWritten(Outputs):
    def test_a_folder_that_is_not_there(self):
        self.assert_fails(self.run_check("--output", "json=no/a.json"), "no/a.json", "No such file", "the folder must be there")

    def test_a_folder_in_the_place_of_the_file(self):
        os.mkdir(self.path("a"))
        self.assert_fails(self.run_check("--output", "json=a"), "Is a directory")
        self.assertEqual(self.names(), ["a"])

    def test_a_full_device(self):
        full = self.device("full", 7)
        self.assert_fails(self.run_check("--output", f"json={full}"), "No space left")
        self.assertTrue(stat.S_ISCHR(os.stat(full).st_mode))

    def test_a_file_size_limit_leaves_the_old_file_and_nothing_else(self):
        with open(self.path("a.json"), "w", encoding="utf-8") as old:
            old.write("old")
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))
        self.assert_fails(self.run_check("--output", "json=a.json", preexec_fn=limit), "File too large", "unchanged")
        self.assertEqual(self.read("a.json"), b"old")
        self.assertEqual(self.names(), ["a.json"])

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_folder_that_is_kept_from_writing(self):
        os.chmod(self.out, 0o555)
        self.assert_fails(self.run_check("--output", "json=a.json"), "Permission denied")
        os.chmod(self.out, 0o755)

    def test_a_full_stdout(self):
        with open("/dev/full", "wb") as full:
            self.assert_fails(self.run_check(stdout=full), "cannot write to stdout: No space left")

    def test_a_closed_stdout(self):
        result = self.run_check("--output", "json=a.json", preexec_fn=lambda: os.close(1), stdout=None)
        self.assert_fails(result, "cannot write to stdout: Bad file descriptor")
        self.assertTrue(json.loads(self.read("a.json")))  # and no line of text went into it

    def test_a_reader_that_went_away(self):
        reader, writer = os.pipe()
        os.close(reader)
        try:
            self.assert_fails(self.run_check(stdout=writer), "cannot write to stdout: Broken pipe")
        finally:
            os.close(writer)


class WhatIsThereAlready(Outputs):
    def test_a_file_is_replaced_and_keeps_its_mode(self):
        with open(self.path("a.json"), "w", encoding="utf-8") as old:
            old.write("old" * 100000)
        os.chmod(self.path("a.json"), 0o640)
        self.run_check("--output", "json=a.json")
        self.assertTrue(json.loads(self.read("a.json")))
        self.assertEqual(stat.S_IMODE(os.stat(self.path("a.json")).st_mode), 0o640)

    def test_a_new_file_has_the_mode_the_user_wants(self):
        self.run_check("--output", "json=a.json", preexec_fn=lambda: os.umask(0o027))
        self.assertEqual(stat.S_IMODE(os.stat(self.path("a.json")).st_mode), 0o640)

    def test_a_link_stays_a_link(self):
        with open(self.path("real.json"), "w", encoding="utf-8") as old:
            old.write("old")
        os.symlink("real.json", self.path("link.json"))
        self.run_check("--output", "json=link.json")
        self.assertTrue(os.path.islink(self.path("link.json")))
        self.assertTrue(json.loads(self.read("real.json")))

    def test_a_pipe_is_written_and_stays_a_pipe(self):
        os.mkfifo(self.path("pipe"))
        reader = subprocess.Popen(["cat", self.path("pipe")], stdout=subprocess.PIPE)
        result = self.run_check("--output", "json=pipe")
        self.assertEqual(json.loads(reader.communicate(timeout=60)[0])["version"], 1)
        self.assertEqual(result.returncode, 1)
        self.assertTrue(stat.S_ISFIFO(os.stat(self.path("pipe")).st_mode))
        self.assertEqual(self.names(), ["pipe"])

    def test_nothing_goes_to_the_device_for_nothing(self):
        null = self.device("null", 3)
        self.assertEqual(self.run_check("--output", f"json={null}", "--output", f"text={null}").returncode, 1)
        self.assertTrue(stat.S_ISCHR(os.stat(null).st_mode))


class Sarif(Outputs):
    def log(self, *arguments):
        result = self.run_check("--output", "sarif=a.sarif", *arguments)
        self.assertIn(result.returncode, (0, 1), result.stderr)
        return json.loads(self.read("a.sarif"))["runs"][0]

    def uri(self, *arguments):
        return self.log(*arguments)["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]

    def test_paths_start_at_the_root_of_the_repository(self):
        self.assertEqual(self.uri(), "Chart.yaml")
        self.assertEqual(self.uri("--repo-root", self.scratch.name), "repo/Chart.yaml")
        self.assertEqual(self.uri("--repo-root", self.repo), "Chart.yaml")
        os.mkdir(os.path.join(self.scratch.name, ".git"))
        self.assertEqual(self.uri(), "repo/Chart.yaml")
        self.assertEqual(self.uri("--repo-root", self.repo), "Chart.yaml")

    def test_a_root_that_does_not_hold_the_linted_folder(self):
        self.assert_fails(self.run_check("--repo-root", self.out), "--repo-root", "does not hold")
        self.assert_fails(self.run_check("--repo-root", "nowhere"), "No such file")

    def test_the_category_names_the_analysis(self):
        self.assertEqual(self.log("--sarif-category", "prod")["automationDetails"]["id"], "prod/")

    def test_what_the_baseline_and_comments_take_is_suppressed_or_dropped(self):
        self.run_check("--write-baseline", "known")
        with open(os.path.join(self.repo, "b.yaml"), "w", encoding="utf-8") as file:
            file.write("a: 1\na: 2 # lockstep: ignore[duplicate-key] agreed with ops\n")
        told = {one["suppressions"][0]["kind"]: one["suppressions"][0]["justification"]
                for one in self.log("--baseline", "known")["results"]}
        self.assertEqual(told, {"external": "in the baseline", "inSource": "agreed with ops"})
        self.assertEqual(self.log("--baseline", "known", "--sarif-drop-suppressed")["results"], [])

    def test_the_same_bytes_on_every_run(self):
        self.log()
        first = self.read("a.sarif")
        self.log("-j", "1")
        self.assertEqual(self.read("a.sarif"), first)


class Storm(Outputs):
    @unittest.skipIf("LOCKSTEP_SANITIZED" in os.environ, "sanitizers count memory of their own")
    def test_100_000_findings_in_all_formats_at_once(self):
        for number in range(1000):
            with open(os.path.join(self.repo, f"f{number}.yaml"), "w", encoding="utf-8") as file:
                file.write("".join(f"same: value {line}\n" for line in range(101)))
        formats = ["text", "json", "sarif", "junit", "github", "summary", "codequality"]
        words = [word for name in formats for word in ("--output", f"{name}={name}")]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        result = self.run_check(*words, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(self.names(), sorted(formats))
        self.assertIn("sarif: 95001 of 100001 results are left out", result.stderr.decode())
        self.assertLess(after.ru_utime - before.ru_utime, 30)  # about 3 s
        self.assertLess(after.ru_maxrss, 600_000)  # kilobytes; about 280,000


if __name__ == "__main__":
    unittest.main()
