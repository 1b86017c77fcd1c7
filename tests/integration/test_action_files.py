#!/usr/bin/env python3
"""An action validator from npm reads our action and workflow; node checks the problem matcher against our lines."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

LOCKSTEP = os.path.abspath(sys.argv.pop(1))
SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
MODULES = pathlib.Path(sys.argv.pop(1)).resolve()
MATCHERS = json.loads((SOURCE / "ci/problem-matcher.json").read_text())["problemMatcher"]
# What the runner does with a matcher: the first owner whose pattern fits takes the line.
NODE = """
const [matchers, lines] = JSON.parse(require('fs').readFileSync(0, 'utf8'));
console.log(JSON.stringify(lines.map(line => {
  for (const matcher of matchers) {
    const found = new RegExp(matcher.pattern[0].regexp).exec(line);
    if (found) return [matcher.owner, ...found.slice(1)];
  }
  return null;
})));
"""


class Validator(unittest.TestCase):
    def validate(self, path):
        return subprocess.run([MODULES / ".bin/action-validator", path], cwd=SOURCE, capture_output=True, text=True)

    def test_action_and_workflow_are_valid(self):
        for path in ["action.yml", *sorted((SOURCE / ".github/workflows").glob("*.yml"))]:
            result = self.validate(path)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_the_validator_sees_what_is_wrong(self):
        with tempfile.TemporaryDirectory() as scratch:
            wrong = pathlib.Path(scratch) / "action.yml"
            wrong.write_text((SOURCE / "action.yml").read_text().replace("using: composite", "using: nothing"))
            self.assertNotEqual(self.validate(wrong).returncode, 0)


class Matcher(unittest.TestCase):
    def setUp(self):
        roots = [SOURCE / "fixtures/demo", *sorted((SOURCE / "fixtures").glob("*/bad-*"))]
        self.findings, self.lines = [], []
        for root in roots:
            for form, into in (("json", self.findings), ("lines", self.lines)):
                out = subprocess.run([LOCKSTEP, "check", root, "--format", form, "--repo-root", root], capture_output=True,
                                     text=True, encoding="utf-8").stdout
                into.extend(json.loads(out)["findings"] if form == "json" else out.splitlines())

    def expected(self, finding):
        place = [finding["path"], str(finding["line"]), str(finding["column"])] if finding["path"] else []
        note = finding["severity"] == "note"
        owner = "lockstep-run" if not place else "lockstep-note" if note else "lockstep"
        return [owner, *place, *([] if note else [finding["severity"]]), finding["message"], finding["rule"]]

    def test_every_line_is_matched_as_python_and_node_read_the_pattern(self):
        wanted = [self.expected(finding) for finding in self.findings]
        self.assertGreater(len(wanted), 50)
        self.assertEqual(len(wanted), len(self.lines))
        found = []
        for line in self.lines:
            matches = [(matcher["owner"], re.search(matcher["pattern"][0]["regexp"], line)) for matcher in MATCHERS]
            found.append(next(([owner, *match.groups()] for owner, match in matches if match), None))
        self.assertEqual(found, wanted)
        node = subprocess.run(["node", "-e", NODE], input=json.dumps([MATCHERS, self.lines]), capture_output=True,
                              text=True, encoding="utf-8", check=True)
        self.assertEqual(json.loads(node.stdout), wanted)

    def test_the_groups_are_numbered_as_they_stand(self):
        for matcher in MATCHERS:
            pattern = dict(matcher["pattern"][0])
            groups = re.compile(pattern.pop("regexp")).groups
            self.assertEqual(sorted(pattern.values()), list(range(1, groups + 1)))


if __name__ == "__main__":
    unittest.main(verbosity=2)
