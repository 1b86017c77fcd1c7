#!/usr/bin/env python3
"""The steps of action.yml, run as GitHub's runner runs them: inputs in the environment, outputs in files."""
import hashlib
import io
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import unittest

LOCKSTEP = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "lockstep"
SOURCE = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ".").resolve()
FAULT = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata:\n  x: one\n  x: two\n"


class Step(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name).resolve()
        self.workspace = self.root / "workspace"
        (self.workspace / ".git").mkdir(parents=True)
        self.output, self.page = self.root / "output", self.root / "summary"
        self.output.touch(), self.page.touch()

    def step(self, name, **environment):
        self.output.write_text("")
        variables = {key: value for key, value in os.environ.items() if not key.startswith(("GITHUB_", "INPUT_"))}
        variables.update(GITHUB_OUTPUT=str(self.output), GITHUB_STEP_SUMMARY=str(self.page), LOCKSTEP_PROGRAM=LOCKSTEP,
                         LOCKSTEP_FOLDER=str(self.root / "program"), **environment)
        return subprocess.run([sys.executable, SOURCE / "ci/action.py", name], cwd=self.workspace, env=variables,
                              capture_output=True, text=True, encoding="utf-8", timeout=120)

    def outputs(self):
        return dict(line.split("=", 1) for line in self.output.read_text().splitlines())

    def put(self, path, text):
        file = self.workspace / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def check(self, **environment):
        inputs = {"INPUT_PATH": ".", "INPUT_FAIL_ON": "error", "INPUT_SARIF_FILE": "", "INPUT_ANNOTATIONS": "true",
                  "INPUT_SUMMARY": "true"}
        result = self.step("check", **{**inputs, **environment})
        self.assertEqual(result.returncode, 0, result.stderr)
        return result


class Check(Step):
    def test_findings_are_counted_shown_and_do_not_fail_the_step_that_writes_reports(self):
        self.put("apps/a.yaml", FAULT)
        result = self.check(INPUT_JUNIT_FILE="junit.xml")
        self.assertIn("apps/a.yaml:6:3: error:", result.stdout)
        self.assertRegex(result.stdout, r"(?m)^::error file=apps/a\.yaml,line=6,endLine=6,col=3,")
        found = self.outputs()
        self.assertEqual((found["exit-code"], found["findings"], found["errors"], found["warnings"], found["junit-file"]),
                         ("1", "1", "1", "0", "junit.xml"))
        self.assertIn("<failure", (self.workspace / "junit.xml").read_text())
        self.assertIn("duplicate-key", self.page.read_text())
        self.assertEqual(self.step("result", LOCKSTEP_EXIT_CODE=found["exit-code"]).returncode, 1)

    def test_a_healthy_repository_passes(self):
        self.put("apps/a.yaml", FAULT.replace("  x: two\n", ""))
        result = self.check()
        self.assertNotIn("::error", result.stdout)
        self.assertEqual(self.outputs()["exit-code"], "0")
        self.assertEqual(self.step("result", LOCKSTEP_EXIT_CODE="0").returncode, 0)

    def test_a_folder_below_the_root_is_annotated_from_the_root(self):
        self.put("clusters/prod/a.yaml", FAULT)
        self.assertIn("::error file=clusters/prod/a.yaml,", self.check(INPUT_PATH="clusters").stdout)

    def test_fail_on_config_baseline_and_arguments_reach_the_program(self):
        self.put("a.yaml", FAULT)
        self.check(INPUT_FAIL_ON="off")
        self.assertEqual(self.outputs()["exit-code"], "0")
        self.put("my config.yaml", "severity: { duplicate-key: warning }\n")
        self.check(INPUT_CONFIG="my config.yaml")
        self.assertEqual(self.outputs()["warnings"], "1")
        self.check(INPUT_ARGS="--skip duplicate-key")
        self.assertEqual(self.outputs()["findings"], "0")
        subprocess.run([LOCKSTEP, "check", "--write-baseline", "known.txt"], cwd=self.workspace, check=True,
                       stdout=subprocess.DEVNULL)
        self.check(INPUT_BASELINE="known.txt")
        self.assertEqual(self.outputs()["findings"], "0")

    def test_a_run_that_cannot_be_trusted_ends_with_2_and_names_no_report(self):
        self.put(".lockstep.yaml", "no-such-key: 1\n")
        self.put("lockstep.sarif", "of yesterday")
        self.check(INPUT_SARIF_FILE="lockstep.sarif")
        self.assertEqual(self.outputs(), {"exit-code": "2"})
        result = self.step("result", LOCKSTEP_EXIT_CODE="2")
        self.assertEqual(result.returncode, 2)
        self.assertIn("::error", result.stdout)
        self.assertEqual(self.step("result", LOCKSTEP_EXIT_CODE="").returncode, 2)

    def test_inputs_are_values_and_not_scripts(self):
        self.put("a.yaml", FAULT)
        self.check(INPUT_PATH="$(touch owned)", INPUT_ARGS="; touch owned `touch owned`")
        self.assertEqual(self.outputs()["exit-code"], "2")
        self.assertFalse((self.workspace / "owned").exists())

    def test_lines_of_the_repository_give_no_commands_to_the_runner(self):
        self.put("a.yaml", FAULT.replace("two", "::set-output name=x::y"))
        lines = self.check().stdout.splitlines()
        begin = next(i for i, line in enumerate(lines) if line.startswith("::stop-commands::"))
        end = lines.index("::" + lines[begin].removeprefix("::stop-commands::") + "::")
        shown = [i for i, line in enumerate(lines) if "set-output" in line and not line.startswith("::error")]
        self.assertTrue(shown and all(begin < i < end for i in shown), lines)

    def test_a_pull_request_must_not_silence_its_own_guard(self):
        git = lambda *words: subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", *words], cwd=self.workspace,
                                            check=True, capture_output=True)
        (self.workspace / ".git").rmdir()
        git("init", "-q", "-b", "main")
        self.put("a.yaml", "a: 1\n")
        git("add", "-A"), git("commit", "-q", "-m", "1"), git("update-ref", "refs/remotes/origin/main", "HEAD")
        self.put("a.yaml", "a: 1\na: 2 # lockstep: ignore[duplicate-key] both are read\n")
        git("commit", "-q", "-a", "-m", "2")
        self.check(INPUT_NO_NEW_SUPPRESSIONS="true")
        self.assertEqual(self.outputs()["exit-code"], "0")  # no pull request
        self.check(INPUT_NO_NEW_SUPPRESSIONS="true", GITHUB_BASE_REF="main")
        self.assertEqual(self.outputs()["exit-code"], "1")
        self.check(INPUT_NO_NEW_SUPPRESSIONS="false", GITHUB_BASE_REF="main")
        self.assertEqual(self.outputs()["exit-code"], "0")
        self.check(INPUT_NO_NEW_SUPPRESSIONS="true", GITHUB_BASE_REF="main", INPUT_ARGS="--base HEAD")
        self.assertEqual(self.outputs()["exit-code"], "0")

    def test_an_output_with_a_line_break_is_refused(self):
        self.put("a.yaml", FAULT)
        result = self.step("check", INPUT_PATH=".", INPUT_JUNIT_FILE="a\nexit-code=0")
        self.assertNotEqual(result.returncode, 0)
        self.assertNotIn("\nexit-code=0\nexit-code", self.output.read_text())


class Install(Step):
    def pack(self, name="lockstep-0.1.0/lockstep"):
        body = b"#!/bin/sh\necho lockstep\n"
        with tarfile.open(self.root / "it.tar.gz", "w:gz") as tar:
            member = tarfile.TarInfo(name)
            member.size = len(body)
            tar.addfile(member, io.BytesIO(body))
        return hashlib.sha256((self.root / "it.tar.gz").read_bytes()).hexdigest()

    def install(self, digest, archive=None):
        return self.step("install", INPUT_ARCHIVE=archive or str(self.root / "it.tar.gz"), INPUT_ARCHIVE_SHA256=digest)

    def test_an_archive_with_the_right_hash_is_unpacked(self):
        self.assertEqual(self.install(self.pack().upper()).returncode, 0)
        program = self.outputs()["program"]
        self.assertEqual(subprocess.run([program], capture_output=True, text=True).stdout, "lockstep\n")

    def test_an_archive_with_another_hash_is_refused(self):
        self.pack()
        result = self.install("0" * 64)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("hashes to", result.stderr)
        self.assertFalse((self.root / "program/lockstep").exists())

    def test_an_archive_without_hash_without_program_or_over_plain_http_is_refused(self):
        for digest, archive in ((("", None)), (self.pack("other"), None), ("0" * 64, "http://127.0.0.1/x.tar.gz")):
            result = self.install(digest, archive)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn("::error", result.stderr)

    def cached(self, body=b"#!/bin/sh\necho lockstep\n"):
        (self.root / "program").mkdir(exist_ok=True)
        program = self.root / "program/lockstep"
        program.write_bytes(body)
        program.chmod(0o755)
        return hashlib.sha256(body).hexdigest()

    def test_a_program_of_the_cache_is_used_for_its_checksum(self):
        digest = self.cached()
        result = self.step("install", INPUT_PROGRAM_SHA256=digest.upper())
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(digest, result.stdout)

    def test_a_program_of_the_cache_that_only_answers_is_built_anew(self):
        # No meson in PATH: what matters is that it would be built, and is not run.
        self.cached(b"#!/bin/sh\necho owned >> $HOME/owned\n")
        tools = self.root / "tools"
        tools.mkdir()
        for name in ("meson", "ninja", "apt-get", "sudo"):
            (tools / name).write_text("#!/bin/sh\nexit 1\n")
            (tools / name).chmod(0o755)
        for digest in ("", "0" * 64):
            result = self.step("install", INPUT_PROGRAM_SHA256=digest, PATH=f"{tools}:{os.environ['PATH']}", HOME=str(self.root))
            self.assertNotEqual(result.returncode, 0)
            self.assertFalse((self.root / "owned").exists(), result.stdout)
        self.assertFalse((self.root / "program/lockstep").exists())
        self.assertIn("64 hexadecimal", self.step("install", INPUT_PROGRAM_SHA256="abc").stderr)


class Key(Step):
    def test_the_key_is_the_same_on_every_run_and_fit_for_a_cache(self):
        keys = []
        for _ in range(2):
            self.assertEqual(self.step("key").returncode, 0)
            keys.append(self.outputs()["key"])
        self.assertEqual(keys[0], keys[1])
        self.assertRegex(keys[0], r"^lockstep-[\w.-]+-[0-9a-f]{64}$")


class Manifest(unittest.TestCase):
    text = (SOURCE / "action.yml").read_text()

    def test_no_expression_stands_in_a_script(self):
        for line in self.text.splitlines():
            if re.match(r"\s*(- )?run:", line):
                self.assertNotIn("${{", line)
        self.assertNotRegex(self.text, r"run: [|>]")  # all scripts are one line, so the line above sees them whole

    def test_every_foreign_action_is_pinned_to_a_commit(self):
        for name in ("action.yml", ".github/workflows/ci.yml"):
            for used in re.findall(r"uses: (\S+)", (SOURCE / name).read_text()):
                self.assertTrue(used == "./" or re.search(r"@[0-9a-f]{40}$", used), used)

    def test_every_input_that_the_script_reads_is_declared_and_handed_over(self):
        script = (SOURCE / "ci/action.py").read_text()
        for name in re.findall(r"INPUT_(\w+): \$\{\{ inputs\.([\w-]+) \}\}", self.text):
            self.assertEqual(name[0].lower().replace("_", "-"), name[1])
            self.assertRegex(self.text, rf"(?m)^  {name[1]}:$")
        handed = set(re.findall(r"INPUT_(\w+):", self.text))
        read = set(re.findall(r"(?:asked|is_on)\(\"(\w+)\"", script)) | {"CONFIG", "BASELINE"}
        self.assertEqual(read - handed, set())


if __name__ == "__main__":
    unittest.main(verbosity=2)
