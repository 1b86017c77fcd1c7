#!/usr/bin/env python3
"""SARIF of every fixture, of the demo and of the corpus where it is there: compared with Microsoft's validator, the schema
that comes with it, GitHub's own fingerprints, and the promise that a fix does what it says."""
import collections
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

import jsonschema

LOCKSTEP, SOURCE, MODULES = (os.path.abspath(sys.argv.pop(1)) for _ in range(3))
PACKAGE = os.path.join(MODULES, "@microsoft", "sarif-multitool-linux")
CORPUS = os.path.join(SOURCE, "..", "shared", "corpus")
# The project has no page of its own that the log could name.
ALLOWED = {"SARIF2005"}


def repositories():
    fixtures = os.path.join(SOURCE, "fixtures")
    for rule in sorted(os.listdir(fixtures)):
        folder = os.path.join(fixtures, rule)
        if rule == "demo":
            yield rule, folder
            continue
        for case in sorted(os.listdir(folder)):
            if os.path.isdir(os.path.join(folder, case)):
                yield f"{rule}--{case}", os.path.join(folder, case)
    if os.path.isdir(CORPUS):
        for name in sorted(os.listdir(CORPUS)):
            if os.path.isdir(os.path.join(CORPUS, name)):
                yield f"corpus--{name}", os.path.join(CORPUS, name)
    else:
        print("test_sarif: no corpus beside the source, its repositories are left out", file=sys.stderr)


def lint(folder, log, *more):
    words = [LOCKSTEP, "check", folder, "--repo-root", folder, "--fail-on", "off", "-j", "1", "--output", f"sarif={log}", *more]
    result = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=600)
    return f"{folder}: exit code {result.returncode}: {result.stderr}" if result.returncode else ""


class Logs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.folders = dict(repositories())
        cls.paths = {name: os.path.join(cls.scratch.name, "logs", name + ".sarif") for name in cls.folders}
        os.mkdir(os.path.join(cls.scratch.name, "logs"))
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            problems = list(pool.map(lint, cls.folders.values(), cls.paths.values()))
        cls.problems = [problem for problem in problems if problem]
        cls.logs = {}
        for name, path in cls.paths.items():
            if os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    cls.logs[name] = json.load(file)

    def results(self):
        for name, log in self.logs.items():
            for result in log["runs"][0]["results"]:
                yield name, result

    def test_every_repository_gives_a_log(self):
        self.assertEqual(self.problems, [])
        self.assertGreater(len(self.logs), 100)

    def complaints(self, pattern):
        """(file, rule, message) of every error and warning; the tool's exit code says nothing, its own log does."""
        out = os.path.join(self.scratch.name, "validation.sarif")
        words = [os.path.join(PACKAGE, "Sarif.Multitool"), "validate", pattern, "--output", out, "--log", "ForceOverwrite"]
        words += ["--level", "Error;Warning", "--kind", "Fail", "--rule-kind", "Sarif;Ghas"]
        environment = dict(os.environ, DOTNET_SYSTEM_GLOBALIZATION_INVARIANT="1")
        tool = subprocess.run(words, capture_output=True, text=True, timeout=1800, env=environment)
        self.assertTrue(os.path.exists(out), f"the validator did not run:\n{tool.stdout[-2000:]}{tool.stderr[-2000:]}")
        with open(out, encoding="utf-8") as file:
            run = json.load(file)["runs"][0]
        os.remove(out)
        for invocation in run["invocations"]:
            self.assertTrue(invocation["executionSuccessful"], invocation)
            self.assertFalse(invocation.get("toolConfigurationNotifications"), invocation)
        self.assertTrue(run["results"], "it always has something to say; was it given any file?")
        for result in run["results"]:
            uri = result["locations"][0]["physicalLocation"]["artifactLocation"].get("uri", "")
            yield os.path.basename(uri), result["ruleId"], result["message"]

    def test_the_validator_has_nothing_to_complain_about(self):
        # It takes its time over each: of the logs without results, which differ in nothing, it is given a few.
        empty = [name for name, log in self.logs.items() if not log["runs"][0]["results"]]
        chosen = set(self.logs) - set(empty[3:])
        folder = os.path.join(self.scratch.name, "chosen")
        os.mkdir(folder)
        for name in chosen:
            shutil.copy(self.paths[name], folder)
        told = list(self.complaints(os.path.join(folder, "*.sarif")))
        self.assertEqual([one for one in told if one[1] not in ALLOWED], [])
        self.assertEqual({name for name, _, _ in told}, {name + ".sarif" for name in chosen})  # it read them all

    def test_the_validator_would_complain(self):
        bad = os.path.join(self.scratch.name, "bad.sarif")
        log = json.loads(json.dumps(self.logs["demo"]))
        log["runs"][0]["results"][0]["ruleIndex"] = 5000
        del log["runs"][0]["results"][1]["message"]
        with open(bad, "w", encoding="utf-8") as file:
            json.dump(log, file)
        self.assertTrue([one for one in self.complaints(bad) if one[1] not in ALLOWED])

    def test_the_schema_holds(self):
        with open(os.path.join(PACKAGE, "sarif-2.1.0.json"), encoding="utf-8") as file:
            validator = jsonschema.Draft7Validator(json.load(file))
        self.assertTrue(any(validator.iter_errors({"version": "2.1.0", "runs": [{"results": []}]})))  # no tool
        seen = set()
        for name, log in self.logs.items():
            log = json.loads(json.dumps(log))
            driver = log["runs"][0]["tool"]["driver"]
            texts = [json.dumps(rule) for rule in driver["rules"]]
            driver["rules"] = [json.loads(text) for text in texts if text not in seen]  # each once: they are most of a log
            seen.update(texts)
            self.assertEqual([f"{name}: {list(one.absolute_path)}: {one.message}" for one in validator.iter_errors(log)], [])

    def test_what_github_asks_for(self):
        for name, log in self.logs.items():
            self.assertEqual(len(log["runs"]), 1, name)
            run = log["runs"][0]
            self.assertNotIn("security-severity", json.dumps(run["tool"]))
            self.assertNotIn(SOURCE, json.dumps(run))
            for rule in run["tool"]["driver"]["rules"]:
                self.assertTrue(rule["shortDescription"]["text"] and rule["help"]["markdown"], rule["id"])
                self.assertLessEqual(len(rule["fullDescription"]["text"]), 1024)
                self.assertLessEqual(len(rule["properties"]["tags"]), 10)
            for result in run["results"]:
                self.assertEqual(run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"], result["ruleId"])
                region = result["locations"][0]["physicalLocation"]["region"]
                self.assertEqual(region.get("endLine", region["startLine"]), region["startLine"])

    def test_places_are_in_the_files(self):
        for name, result in self.results():
            for place in result["locations"] + result.get("relatedLocations", []):
                physical = place["physicalLocation"]
                path = os.path.join(self.folders[name], urllib.parse.unquote(physical["artifactLocation"]["uri"]))
                region = physical["region"]
                if "endColumn" not in region:
                    continue
                with open(path, encoding="utf-8", errors="replace", newline="\n") as file:
                    line = file.read().split("\n")[region["startLine"] - 1]
                self.assertLessEqual(region["startColumn"], region["endColumn"])
                self.assertLessEqual(region["endColumn"], len(line) + 1, (path, region))

    def test_fingerprints_are_those_of_github(self):
        hashes = {}
        for name, result in self.results():
            physical = result["locations"][0]["physicalLocation"]
            path = os.path.join(self.folders[name], urllib.parse.unquote(physical["artifactLocation"]["uri"]))
            given = result["partialFingerprints"].get("primaryLocationLineHash")
            if given is None:
                continue
            if path not in hashes:
                with open(path, "rb") as file:
                    hashes[path] = rolling_hashes(file.read().decode("utf-8", errors="replace"))
            self.assertEqual(given, hashes[path][physical["region"]["startLine"]], (path, physical["region"]))
        self.assertGreater(len(hashes), 50)

    def test_a_fix_puts_its_finding_right(self):
        fixed = 0
        for name, result in self.results():
            if "fixes" not in result or name.startswith("corpus") or fixed == 20:
                continue
            with tempfile.TemporaryDirectory() as scratch:
                copy = os.path.join(scratch, "repo")
                shutil.copytree(self.folders[name], copy, symlinks=True)
                apply(copy, result["fixes"][0])
                log = os.path.join(scratch, "log.sarif")
                self.assertEqual(lint(copy, log), "")
                with open(log, encoding="utf-8") as file:
                    left = json.load(file)["runs"][0]["results"]
            keys = [one["partialFingerprints"]["lockstep/v1"] for one in left]
            self.assertNotIn(result["partialFingerprints"]["lockstep/v1"], keys, name)
            fixed += 1
        self.assertGreater(fixed, 2, "no rule offers a fix any more")


def apply(root, fix):
    for change in fix["artifactChanges"]:
        path = os.path.join(root, urllib.parse.unquote(change["artifactLocation"]["uri"]))
        with open(path, encoding="utf-8", newline="\n") as file:
            lines = file.read().split("\n")
        for replacement in change["replacements"]:
            region, text = replacement["deletedRegion"], replacement["insertedContent"]["text"]
            line = lines[region["startLine"] - 1]
            lines[region["startLine"] - 1] = line[: region["startColumn"] - 1] + text + line[region["endColumn"] - 1 :]
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write("\n".join(lines))


def rolling_hashes(text):
    """The fingerprint of every line, from the description that goes unit by unit: a window of 100 UTF-16 units, in which
    the new one enters and the oldest one leaves. The program adds up whole windows instead; both must agree."""
    units = []
    starts = [0]
    encoded = text.encode("utf-16-le", errors="surrogatepass")
    after_cr = False
    for at in range(0, len(encoded), 2):
        unit = encoded[at] | encoded[at + 1] << 8
        if unit in (0x20, 0x09) or (unit == 0x0A and after_cr):
            after_cr = False
            continue
        after_cr = unit == 0x0D
        units.append(0x0A if after_cr else unit)
        if units[-1] == 0x0A:
            starts.append(len(units))
    units += [0xFFFF] + [0] * 100
    window, value, at_unit = collections.deque([0] * 100), 0, {}
    leaving_weight = pow(37, 100, 1 << 64)
    for number, unit in enumerate(units):
        at_unit[number - 100] = value  # the window now holds the 100 units from there on
        window.append(unit)
        value = (value * 37 + unit - leaving_weight * window.popleft()) % (1 << 64)
    seen = collections.Counter()
    found = {}
    for line, start in enumerate(starts, 1):
        digits = f"{at_unit[start]:x}"
        seen[digits] += 1
        found[line] = f"{digits}:{seen[digits]}"
    return found


if __name__ == "__main__":
    unittest.main(verbosity=2)
