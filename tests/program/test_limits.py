#!/usr/bin/env python3
"""Limits of SECURITY.md that no other test meets: what is beyond is a finding on its file, or exit code 2, and is said.

test_limits.py LOCKSTEP"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

LOCKSTEP = os.path.abspath(sys.argv[1])
KUSTOMIZATION = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
RULE = "rule: a-rule\nseverity: error\nsummary: a\nwhy: b\nfix: c\nfacts:\n  a: { files: \"%s\", text: { value: '%s' } }\nfor: a\nassert: a.n == \"1\"\nmessage: \"{a.n}\"\nat: a.n\n"


class Limits(unittest.TestCase):
    def lint(self, files, *words):
        with tempfile.TemporaryDirectory() as root:
            for name, content in files.items():
                os.makedirs(os.path.dirname(os.path.join(root, name)), exist_ok=True)
                with open(os.path.join(root, name), "w", encoding="utf-8") as file:
                    file.write(content)
            return subprocess.run([LOCKSTEP, "check", root, *words], capture_output=True, text=True, check=False, timeout=280)

    def is_finding(self, rule, files, *said):
        result = self.lint(files, "--notes")
        self.assertIn(f"[{rule}]", result.stdout, result.stderr)
        for words in said:
            self.assertIn(words, result.stdout)

    def ends_the_run(self, files, *said):
        result = self.lint(files)
        self.assertEqual(result.returncode, 2, result.stdout[:400])
        for words in said:
            self.assertIn(words, result.stderr)

    def test_a_config_or_rule_file_that_is_too_large(self):
        for name in (".lockstep.yaml", ".lockstep/rules/a-rule.yaml"):
            self.ends_the_run({name: "# a comment\n" * ((17 << 20) // 12), "a.yaml": "a: b\n"}, name)

    def test_a_file_that_is_too_large(self):
        self.is_finding("file-unread", {".lockstep.yaml": "limits: { file-size: 1KiB }\n", "a.yaml": "a: " + "b" * 2000, "b.yaml": "a: 1\na: 2\n"},
                        "`limits: file-size`", "[duplicate-key]")

    def test_too_many_documents(self):
        self.is_finding("yaml-syntax", {".lockstep.yaml": "limits: { documents: 3 }\n", "a.yaml": "---\na: b\n" * 5}, "`limits: documents`")

    def test_too_many_nodes(self):
        self.is_finding("yaml-syntax", {".lockstep.yaml": "limits: { nodes: 100 }\n", "a.yaml": "- a\n" * 200}, "`limits: nodes`")

    def test_too_many_tags(self):
        self.is_finding("yaml-syntax", {"a.yaml": "".join(f"- !t{i} a\n" for i in range(66_000))}, "tags")

    def test_an_ignore_file_that_is_too_large_does_not_count(self):
        for text in ("a.yaml\n" + "# a comment\n" * ((5 << 20) // 12), "a.yaml\n" + "".join(f"x{i}\n" for i in range(4200))):
            self.is_finding("file-unread", {".gitignore": text, "a.yaml": "a: 1\na: 2\n"}, ".gitignore", "[duplicate-key]")

    def test_a_pattern_that_is_too_large(self):
        rule = RULE % ("*.txt", "(?P<n>" + "(a{900}b{900}){300}" * 9 + ")")
        self.ends_the_run({".lockstep/rules/a-rule.yaml": rule, "a.txt": "a\n"}, "a-rule.yaml")

    def test_a_glob_that_is_too_long_or_tries_too_much(self):
        self.ends_the_run({".lockstep.yaml": f"exclude: [\"{'a' * 1025}\"]\n"}, "longer than 1024 bytes")
        self.ends_the_run({".lockstep/rules/a-rule.yaml": RULE % ("**/{x}*{x}", "(?P<n>a)"), "a.txt": "a\n"}, "whole segment")

    def test_excluded_folders_that_lead_on_without_end(self):
        files = {".lockstep.yaml": "exclude: [\"x/\"]\napplied: [a]\n", "a/kustomization.yaml": KUSTOMIZATION + "resources: [../x/k0]\n"}
        for i in range(120):
            files[f"x/k{i}/kustomization.yaml"] = KUSTOMIZATION + f"resources: [../k{i + 1}]\n"
        files["x/k120/kustomization.yaml"] = KUSTOMIZATION + "resources: []\n"
        self.ends_the_run(files, "exclude")

    def test_more_changes_than_a_build_may_have(self):
        patches = "".join("  - { target: { kind: ConfigMap }, patch: '[{ \"op\": \"add\", \"path\": \"/data/k%d\", \"value\": \"v\" }]' }\n" % i for i in range(500))
        maps = "---\n".join(f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{ name: m{i} }}\ndata: {{ a: b }}\n" for i in range(500))
        self.ends_the_run({"a/kustomization.yaml": KUSTOMIZATION + "resources: [all.yaml]\npatches:\n" + patches, "a/all.yaml": maps},
                          "a/kustomization.yaml:", "more than 200000 changes of objects in one build")

    def test_a_text_that_doubles_in_a_build(self):
        steps = "".join("  - source: { kind: ConfigMap, name: m, fieldPath: data.a }\n    targets: [{ select: { kind: ConfigMap }, fieldPaths: [data.a], "
                        f"options: {{ delimiter: '-', index: {i} }} }}]\n" for i in range(60))
        self.ends_the_run({"a/kustomization.yaml": KUSTOMIZATION + "resources: [m.yaml]\nreplacements:\n" + steps,
                           "a/m.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: m }\ndata: { a: xxxxxxxx-xxxxxxxx }\n"}, "a value of more than 4 MiB")

    def test_generators_that_make_more_than_there_is(self):
        entries = "".join(f"  - {{ name: g{i}, files: [big.txt] }}\n" for i in range(1000))
        self.ends_the_run({"a/kustomization.yaml": KUSTOMIZATION + "configMapGenerator:\n" + entries, "a/big.txt": "line of a file\n" * 20_000}, "MB of changed objects")

    def test_many_releases_cost_what_they_render(self):
        sync = ("apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: { name: flux-system, namespace: flux-system }\nspec: { interval: 1m, url: \"https://git.example.org/a/b\" }\n---\n"
                "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: flux-system, namespace: flux-system }\nspec: { interval: 1m, prune: true, path: ./clusters, sourceRef: { kind: GitRepository, name: flux-system } }\n")
        releases = "---\n".join(f"apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {{ name: c{i}, namespace: flux-system }}\nspec:\n  interval: 1m\n  values: {{ b: {i} }}\n"
                                 "  chart: { spec: { chart: ./charts/c, sourceRef: { kind: GitRepository, name: flux-system } } }\n" for i in range(50))
        result = self.lint({"clusters/gotk-sync.yaml": sync, "clusters/releases.yaml": releases, "charts/c/Chart.yaml": "apiVersion: v2\nname: c\nversion: 1.0.0\n", "charts/c/values.yaml": "b: 0\n",
                            "charts/c/templates/a.yaml": "{{ range until 40 }}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: \"{{ $.Release.Name }}-{{ . }}\" }\ndata: { b: \"{{ $.Values.b }}\" }\n{{ end }}\n"})
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_a_message_is_cut(self):
        result = self.lint({"a/kustomization.yaml": KUSTOMIZATION + f"resources: [{'x' * 200_000}]\n"}, "--format", "json")
        self.assertLess(len(result.stdout), 20_000)
        self.assertEqual(result.returncode, 1)

    def test_findings_with_more_text_than_anybody_reads_end_the_run(self):
        rule = RULE % ("a.txt", "(?P<n>b)")
        long = rule.replace('message: "{a.n}"', f'message: "{"m" * 4000}{{a.n}}"')
        for lines, code in ((2000, 1), (20_000, 2)):
            result = self.lint({".lockstep/rules/a-rule.yaml": long, "a.txt": "b\n" * lines})
            self.assertEqual(result.returncode, code, result.stderr)
        self.assertIn("the findings have more than 64 MiB of text", result.stderr)
        self.assertLess(len(result.stdout), 1000)

    def test_related_places_are_bounded(self):
        maps = {f"a/{i}.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: one, namespace: one }\n" for i in range(300)}
        result = self.lint({"a/kustomization.yaml": KUSTOMIZATION + "resources:\n" + "".join(f"  - {i}.yaml\n" for i in range(300)), **maps}, "--format", "json")
        most = max(len(finding.get("related", [])) for finding in json.loads(result.stdout)["findings"])
        self.assertTrue(1 <= most <= 20, most)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
