#!/usr/bin/env python3
"""The program as a user meets it: commands, exit codes, and input that nobody would wish for."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

LOCKSTEP = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "lockstep"
SOURCE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "."
CORPUS = os.path.join(SOURCE, "..", "shared", "corpus")
SLOW = 10 if "LOCKSTEP_SANITIZED" in os.environ else 1  # sanitizers take their time


def run(*arguments, cwd=None, **more):
    return subprocess.run([LOCKSTEP, *arguments], capture_output=True, cwd=cwd, timeout=120, **more)


class Scratch(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.root = self.scratch.name
        os.chmod(self.root, 0o755)

    def tearDown(self):
        self.scratch.cleanup()

    def write(self, path, content):
        full = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return full

    def findings(self):
        result = run("check", self.root, "--format", "json")
        self.assertIn(result.returncode, (0, 1), result.stderr)
        return json.loads(result.stdout)["findings"]

    def lines(self):
        return [(f["rule"], f["path"], f["line"]) for f in self.findings()]


class Commands(Scratch):
    def setUp(self):
        super().setUp()
        self.write("Chart.yaml", "name: web\nversion: 1.0.0\nversion: 1.0.1\n")

    def test_check_is_the_default_command(self):
        named = run("check", self.root, "--color", "never")
        for same in (run(self.root), run(cwd=self.root), run("check", cwd=self.root), run(".", cwd=self.root)):
            self.assertEqual(same.stdout, named.stdout)
            self.assertEqual(same.returncode, 1)

    def test_format_without_a_command(self):
        report = json.loads(run("--format", "json", cwd=self.root).stdout)
        self.assertEqual([f["rule"] for f in report["findings"]], ["duplicate-key"])

    def test_text_shows_place_message_rule_and_caret(self):
        text = run(self.root).stdout.decode()
        self.assertIn('Chart.yaml:3:1: error: key "version" is given twice in one mapping [duplicate-key]\n', text)
        self.assertRegex(text, r"\n +3 \| version: 1\.0\.1\n +\| \^{7}\n")
        self.assertRegex(text, r"\n  Chart\.yaml:2:1: ")
        self.assertRegex(text.splitlines()[-1], r"^1 error in 1 file")

    def test_json_keeps_its_contract(self):
        report = json.loads(run(self.root, "--format", "json").stdout)
        self.assertEqual(list(report), ["version", "findings", "stats"])
        self.assertEqual(report["version"], 1)
        finding = report["findings"][0]
        self.assertEqual(list(finding), ["rule", "severity", "message", "path", "line", "column", "endLine", "endColumn", "related", "chain", "clusters", "key"])
        self.assertEqual((finding["line"], finding["column"], finding["endLine"], finding["endColumn"]), (3, 1, 3, 8))
        self.assertEqual(list(finding["related"][0]), ["path", "line", "column", "message"])
        self.assertEqual(list(report["stats"]), ["files", "bytes", "documents", "templates", "rules", "undecided"])
        self.assertEqual(list(report["stats"]["templates"]), ["total", "read"])
        self.assertEqual(list(report["stats"]["rules"]), ["applied", "notApplicable"])

    def test_exit_codes(self):
        self.assertEqual(run(self.root).returncode, 1)
        self.assertEqual(run(self.root, "--fail-on", "off").returncode, 0)
        self.assertEqual(run(self.root, "--skip", "duplicate-key").returncode, 0)
        self.assertEqual(run(self.root, "--only", "yaml-syntax").returncode, 0)
        self.assertEqual(run("--only", "yaml-syntax,guard-idle", self.root).returncode, 0)
        self.assertEqual(run("--only", "yaml-syntax", "--only", "duplicate-key", self.root).returncode, 1)
        for wrong in (["--nonsense"], ["--jobs", "x"], ["--format", "yaml"], [os.path.join(self.root, "nowhere")],
                      [self.root, "--only", "no-such-rule"], [self.root, "--today", "2027-02-31"], [os.path.join(self.root, "Chart.yaml")],
                      [self.root, "--config", "no-such-file"], ["explain", "no-such-rule"]):
            result = run(*wrong)
            self.assertEqual(result.returncode, 2, wrong)
            self.assertEqual(result.stdout, b"", wrong)
            self.assertTrue(result.stderr.startswith(b"error: ") or b": error: " in result.stderr, result.stderr)

    def test_an_unknown_rule_gets_a_suggestion(self):
        self.assertIn(b"did you mean `duplicate-key`?", run("explain", "duplicate-keys").stderr)

    def test_version_and_help(self):
        self.assertRegex(run("--version").stdout, rb"^lockstep \d+\.\d+\.\d+\n$")
        text = run("--help").stdout.decode()
        for word in ("check", "index", "rules", "explain", "facts", "test", "init", "Examples:", "Exit codes:"):
            self.assertIn(word, text)
        self.assertIn(b"Usage: lockstep check", run("check", "--help").stdout)

    def test_colours_only_when_asked_for(self):
        self.assertNotIn(b"\x1b[", run(self.root).stdout)
        self.assertIn(b"\x1b[", run(self.root, "--color", "always").stdout)

    def test_stats_say_what_was_checked_and_time_goes_to_stderr(self):
        result = run(self.root, "--stats")
        self.assertIn(b"duplicate-key", result.stdout)
        self.assertRegex(result.stderr, rb"^\d+\.\d ms\n$")

    def test_init_writes_a_config_that_is_taken(self):
        self.assertEqual(run("init", self.root).returncode, 0)
        self.assertEqual(run(self.root).returncode, 1)
        again = run("init", self.root)
        self.assertEqual(again.returncode, 2)
        self.assertIn(b"--force", again.stderr)

    def test_a_bad_config_is_exit_2_with_its_place(self):
        self.write(".lockstep.yaml", "severity:\n  duplicate-key: fatal\n")
        result = run(self.root)
        self.assertEqual(result.returncode, 2)
        self.assertIn(b".lockstep.yaml:2:18: error: ", result.stderr)

    def test_a_folder_that_nobody_has_cannot_be_applied(self):
        self.write("platform/kustomization.yaml", "resources: []\n")
        self.write(".lockstep.yaml", "applied:\n  - platform\n")
        self.assertNotEqual(run(self.root).returncode, 2)
        self.write(".lockstep.yaml", "applied:\n  - platform\n  - ./nope\n")
        for command in ((self.root,), ("why", "platform/kustomization.yaml", self.root)):
            result = run(*command)
            self.assertEqual(result.returncode, 2, command)
            self.assertIn(b".lockstep.yaml:3:5: error: there is no folder `./nope` in this repository", result.stderr)
        self.write("elsewhere.yaml", "applied: nope\n")
        result = run(self.root, "--config", os.path.join(self.root, "elsewhere.yaml"))
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"elsewhere.yaml:1:10: error: there is no folder `nope`", result.stderr)

    def test_a_bad_rule_file_is_exit_2_with_its_place(self):
        self.write(".lockstep/rules/broken.yaml", "rule: broken\nseverity: fatal\n")
        result = run(self.root)
        self.assertEqual(result.returncode, 2)
        self.assertIn(b".lockstep/rules/broken.yaml:2:11: error: ", result.stderr)

    def test_a_report_that_cannot_be_written_is_exit_2(self):
        with open("/dev/full", "wb") as full:
            result = subprocess.run([LOCKSTEP, self.root], stdout=full, stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"cannot write", result.stderr)
        closed = subprocess.run(["sh", "-c", 'exec "$0" "$1" >&-', LOCKSTEP, self.root], stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(closed.returncode, 2)

    def test_a_baseline_leaves_only_new_findings_and_survives_moved_lines(self):
        baseline = os.path.join(self.root, "baseline.txt")
        self.assertEqual(run(self.root, "--write-baseline", baseline).returncode, 0)
        self.assertEqual(run(self.root, "--baseline", baseline).returncode, 0)
        self.write("Chart.yaml", "# moved\n\nname: web\nversion: 1.0.0\nversion: 1.0.1\n")
        self.assertEqual(run(self.root, "--baseline", baseline).returncode, 0)
        self.write("other/Chart.yaml", "name: other\nversion: 1.0.0\nversion: 1.0.1\n")
        self.assertEqual(run(self.root, "--baseline", baseline).returncode, 1)
        self.assertEqual(run(self.root, "--baseline", baseline + ".not-there").returncode, 2)
        self.assertEqual(run(self.root, "--write-baseline", "/dev/null/x").returncode, 2)

    def test_excludes_and_gitignore(self):
        self.write("vendor/x.yaml", "a: 1\na: 2\n")
        self.write("made/x.yaml", "a: 1\na: 2\n")
        self.assertEqual(len(self.findings()), 3)
        self.write(".gitignore", "/made\n")
        self.write(".lockstep.yaml", "exclude: [\"vendor/**\"]\n")
        self.assertEqual([f["path"] for f in self.findings()], ["Chart.yaml"])


class HardInput(Scratch):
    """A clear message, never a hang, a crash or a silent skip."""

    def quick(self, seconds=5):
        start = time.monotonic()
        lines = self.lines()
        self.assertLess(time.monotonic() - start, seconds * SLOW)
        return lines

    def test_empty_file_and_only_comments(self):
        self.write("empty.yaml", "")
        self.write("comments.yaml", "# nothing\n\n# here\n")
        self.assertEqual(self.lines(), [])

    def test_bom_and_crlf_keep_their_places(self):
        self.write("bom.yaml", b"\xef\xbb\xbfa: 1\r\nb: 2\r\na: 3\r\n")
        self.assertEqual(self.lines(), [("duplicate-key", "bom.yaml", 3)])

    def test_nul_byte(self):
        self.write("nul.yaml", b"a: 1\nb: x\x00y\nc: 1\nc: 2\n")
        self.assertEqual(self.lines(), [("yaml-syntax", "nul.yaml", 2), ("duplicate-key", "nul.yaml", 4)])

    def test_invalid_utf8(self):
        self.write("latin.yaml", b"a: 1\nname: caf\xe9\n")
        self.assertEqual(self.lines(), [("yaml-syntax", "latin.yaml", 2)])

    def test_utf16(self):
        self.write("wide.yaml", "a: 1\n".encode("utf-16"))
        self.assertEqual([f[0] for f in self.lines()], ["yaml-syntax"])

    def test_line_separator_is_said(self):
        self.write("sep.yaml", "a: 1 # one\u2028b: 2\nc: 3\n")
        findings = self.findings()
        self.assertEqual([(f["rule"], f["severity"], f["line"]) for f in findings], [("yaml-syntax", "warning", 1)])

    def test_deep_nesting(self):
        self.write("deep.yaml", "a: " + "[" * 100000 + "\n---\nb: 1\nb: 2\n")
        lines = self.quick()
        self.assertEqual(lines[0][0], "yaml-syntax")
        self.assertIn(("duplicate-key", "deep.yaml", 4), lines)

    def test_alias_bomb(self):
        text = "a0: &a0 [x]\n" + "".join(f"a{i}: &a{i} [" + ", ".join([f"*a{i - 1}"] * 10) + "]\n" for i in range(1, 40))
        self.write("bomb.yaml", text)
        self.assertEqual(self.quick(), [])

    def test_merge_bomb(self):
        text = "m0: &m0 { k: v }\n" + "".join(f"m{i}: &m{i}\n  <<: [" + ", ".join([f"*m{i - 1}"] * 10) + "]\n" for i in range(1, 40))
        self.write("bomb.yaml", text + "apiVersion: v1\nkind: ConfigMap\nmetadata: *m39\n")
        self.assertEqual(self.quick(), [])

    def test_huge_scalar(self):
        self.write(".lockstep.yaml", "limits: { file-size: 64MiB, scalar-size: 64MiB }\n")
        self.write("huge.yaml", "a: " + "x" * (50 << 20) + "\nb: 1\nb: 2\n")
        self.assertEqual(self.quick(20), [("duplicate-key", "huge.yaml", 3)])

    def test_over_size_is_said(self):
        self.write("huge.yaml", "a: " + "x" * (17 << 20) + "\n")
        self.assertEqual(self.lines(), [("file-unread", "huge.yaml", 1)])

    def test_many_keys(self):
        self.write("keys.yaml", "".join(f"key{i}: {i}\n" for i in range(300000)) + "key7: again\n")
        self.assertEqual(self.quick(), [("duplicate-key", "keys.yaml", 300001)])

    def test_tab_and_unclosed_quote(self):
        self.write("quote.yaml", "a: 1\nb: \"open\nc: 2\n")
        self.write("tab.yaml", "a:\n\tb: 1\n")
        self.assertEqual(self.lines(), [("yaml-syntax", "quote.yaml", 2), ("yaml-syntax", "tab.yaml", 2)])

    def test_a_folder_named_like_a_file(self):
        self.write("x.yaml/inner.yaml", "a: 1\na: 2\n")
        self.assertEqual(self.lines(), [("duplicate-key", "x.yaml/inner.yaml", 2)])

    def test_links(self):
        self.write("real.yaml", "a: 1\na: 2\n")
        os.symlink("loop", os.path.join(self.root, "loop"))
        os.symlink("..", os.path.join(self.root, "up"))
        os.symlink("/etc/passwd", os.path.join(self.root, "out.yaml"))
        os.symlink("nothing", os.path.join(self.root, "broken.yaml"))
        findings = self.findings()
        self.assertIn(("duplicate-key", "real.yaml"), [(f["rule"], f["path"]) for f in findings])
        unread = [f["path"] for f in findings if f["rule"] == "file-unread"]
        self.assertEqual(unread, ["broken.yaml", "loop", "out.yaml", "up"])
        self.assertNotIn("root:", json.dumps(findings))

    def test_a_pipe_is_not_opened(self):
        os.mkfifo(os.path.join(self.root, "pipe.yaml"))
        self.assertEqual([f[0] for f in self.quick()], ["file-unread"])

    def test_unreadable_file(self):
        os.chmod(self.write("secret.yaml", "a: 1\n"), 0)
        if os.getuid() != 0:
            return self.assertEqual(self.lines(), [("file-unread", "secret.yaml", 1)])
        # Root reads everything: as nobody, with a copy of the program that nobody may run.
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            program = shutil.copy(LOCKSTEP, folder)
            as_nobody = lambda: (os.setgid(65534), os.setuid(65534))
            result = subprocess.run([program, self.root, "--format", "json"], preexec_fn=as_nobody, capture_output=True, timeout=60)
        findings = json.loads(result.stdout)["findings"]
        self.assertEqual([(f["rule"], f["path"], f["line"]) for f in findings], [("file-unread", "secret.yaml", 1)])

    def test_escape_sequences_do_not_reach_the_terminal(self):
        self.write("esc.yaml", b"a: 1\n\"\\e[31mred\": \x1b[31m\n")
        self.assertNotIn(b"\x1b", run(self.root).stdout)


class Docs(Scratch):
    """The worked example of docs/writing-rules.md, taken from the page as written."""

    def test_the_worked_example_works(self):
        with open(os.path.join(SOURCE, "docs", "writing-rules.md"), encoding="utf-8") as page:
            text = page.read()
        blocks = re.findall(r"```yaml\n# (\.lockstep/\S+)\n(.*?)```", text, re.S)
        self.assertEqual(len(blocks), 3)
        for path, content in blocks:
            self.write(path, content)
            if "/bad-" in path:  # «copy the folder to good/, put the same version into both, take the expectation away»
                good = re.sub(r"v1\.29\.9", "v1.31.4", content).replace(" # expect: ci-k3s-drift", "")
                self.write(re.sub(r"/bad-[^/]+/", "/good/", path), good)
                self.write(re.sub(r".*/bad-[^/]+/", "", path), content)
        lost = re.search(r"`bad-lost-version/`:\n\n```yaml\n(.*?)```", text, re.S).group(1)
        console = re.search(r"```console\n(.*?)```", text, re.S).group(1)
        tested = run("test", ".lockstep", cwd=self.root)
        self.assertEqual(tested.returncode, 0, tested.stdout + tested.stderr)
        facts = run("facts", "ci-k3s-drift", cwd=self.root)
        shown = "$ lockstep test .lockstep\n" + tested.stdout.decode() + "$ lockstep facts ci-k3s-drift\n" + facts.stdout.decode()
        self.assertEqual(shown, console)
        folder = ".lockstep/fixtures/ci-k3s-drift/bad-lost-version/"
        self.write(folder + "infra/node.tftpl", lost)
        self.write(folder + ".github/workflows/test.yaml", "env:\n  K3S_VERSION: v1.31.4+k3s1\n")
        tested = run("test", ".lockstep", cwd=self.root)
        self.assertEqual(tested.stdout, b"3 passed, 0 failed\n", tested.stdout)


@unittest.skipUnless(os.path.isdir(CORPUS), "no corpus beside the project")
class Corpus(unittest.TestCase):
    def folders(self):
        return sorted(os.path.join(CORPUS, name) for name in os.listdir(CORPUS) if os.path.isdir(os.path.join(CORPUS, name)))

    def test_ten_runs_give_the_same_bytes(self):
        for folder in self.folders():
            reports = {run(folder, "--format", "json", "--jobs", str(i % 3 + 1)).stdout for i in range(10)}
            self.assertEqual(len(reports), 1, folder)
            texts = {run(folder, "--stats").stdout for _ in range(3)}
            self.assertEqual(len(texts), 1, folder)

    def test_healthy_repositories_get_silence(self):
        for name in ("flux2-kustomize-helm-example", "onedr0p-home-ops"):
            report = json.loads(run(os.path.join(CORPUS, name), "--format", "json").stdout)
            loud = [f for f in report["findings"] if f["severity"] != "note"]
            self.assertEqual(loud, [], name)

    def test_templates_are_read(self):
        total = read = 0
        for folder in self.folders():
            stats = json.loads(run(folder, "--format", "json").stdout)["stats"]
            total += stats["templates"]["total"]
            read += stats["templates"]["read"]
        self.assertGreater(total, 100)
        self.assertGreaterEqual(read / total, 0.95)

    def test_index_prints(self):
        for folder in self.folders():
            self.assertEqual(run("index", folder).returncode, 0)
            json.loads(run("index", folder, "--format", "json").stdout)


if __name__ == "__main__":
    unittest.main()
