#!/usr/bin/env python3
"""Tests of the scripts in this folder that the build and CI lean on."""
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True


def load(name):
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_").removesuffix(".py"), str(HERE / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


sys.path.insert(0, str(HERE))
embed, layers, run_tests = load("embed.py"), load("check-layers"), load("run-tests")
gather = load("gather_checks.py")
gather_relations = load("gather_relations.py")
refresh = load("refresh-data")


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def put(self, path, data=b""):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data if isinstance(data, bytes) else data.encode())


class RefreshData(InFolder):
    def test_an_install_manifest_adds_what_is_new_and_what_is_gone(self):
        self.put("flux-apis.yaml", """date: 2020-01-01
rows:
  - ["helm.toolkit.fluxcd.io/v1/HelmRelease", "2.0.0", null, null]
  - ["helm.toolkit.fluxcd.io/v2/HelmRelease", "2.0.0", null, null]
""")
        self.put("flux-fields.yaml", """date: 2020-01-01
rows:
  - ["helm.toolkit.fluxcd.io/v2/HelmRelease", "2.0.0", "install{crds} values"]
""")
        spec = {"properties": {"values": {"x-kubernetes-preserve-unknown-fields": True},
                               "install": {"properties": {"crds": {}, "timeout": {}}},
                               "dependsOn": {"items": {"properties": {"name": {}}}}}}
        self.put("install.json", json.dumps([{"kind": "Namespace"}, {"kind": "CustomResourceDefinition", "spec": {
            "group": "helm.toolkit.fluxcd.io", "names": {"kind": "HelmRelease"}, "versions": [
                {"name": "v2", "served": True, "deprecated": True,
                 "schema": {"openAPIV3Schema": {"properties": {"spec": spec}}}}]}}]))
        refresh.add_install(str(self.root), "2021-02-03", "2.1.0", str(self.root / "install.json"))
        apis, fields = (self.root / "flux-apis.yaml").read_text(), (self.root / "flux-fields.yaml").read_text()
        self.assertIn('["helm.toolkit.fluxcd.io/v1/HelmRelease", "2.0.0", null, "2.1.0"]', apis)
        self.assertIn('["helm.toolkit.fluxcd.io/v2/HelmRelease", "2.0.0", "2.1.0", null]', apis)
        self.assertIn('"2.1.0", "dependsOn{name} install{timeout}"]', fields)
        self.assertIn("date: 2021-02-03", fields)

    def test_what_a_cluster_lists_adds_names_and_scopes(self):
        self.put("resource-names.yaml", """date: 2020-01-01
rows:
  - ["pods", "", "Pod", "po"]
  - ["events", "", "Event", ""]
""")
        self.put("scopes.yaml", """date: 2020-01-01
rows:
  - ["", "Node", "yes"]
  - ["", "*", "no"]
""")
        self.put("resources.txt", """events     ev      v1                 true   Event
events     ev      events.k8s.io/v1   true   Event
nodes      no      v1                 false  Node
namespaces ns      v1                 false  Namespace
pods       po      v1                 true   Pod
boxes      po,bx   acme.example/v1    true   Box
""")
        refresh.add_api_resources(str(self.root), "2021-02-03", str(self.root / "resources.txt"))
        names, scopes = (self.root / "resource-names.yaml").read_text(), (self.root / "scopes.yaml").read_text()
        self.assertEqual(names, """date: 2021-02-03
rows:
  - ["pods", "", "Pod", "po"]
  - ["events", "", "Event", "ev"]
  - ["nodes", "", "Node", "no"]
  - ["namespaces", "", "Namespace", "ns"]
  - ["boxes", "acme.example", "Box", "bx"]
""")
        self.assertEqual(scopes, """date: 2021-02-03
rows:
  - ["", "Namespace", "yes"]
  - ["", "Node", "yes"]
  - ["", "*", "no"]
  - ["acme.example", "Box", "no"]
  - ["events.k8s.io", "Event", "no"]
""")

    def test_a_helm_index_gives_the_versions_of_flux2_alone(self):
        self.put("index.yaml", """apiVersion: v1
entries:
  flux2:
  - appVersion: 2.4.0
    version: 2.14.1
  - appVersion: v2.3.0
    dependencies:
    - name: x
      version: 9.9.9
    version: 2.13.0
  other:
  - appVersion: 1.0.0
    version: 3.0.0
""")
        self.assertEqual(refresh.read_charts(self.root / "index.yaml"), {"2.14.1": "2.4.0", "2.13.0": "2.3.0"})

    def test_rows_are_sorted_as_versions_and_none_may_vanish(self):
        self.put("t.yaml", 'date: 2020-01-01\ncolumns: [flux, date]\nrows:\n  - ["2.9.0", null]\n')
        path = str(self.root / "t.yaml")
        refresh.write(path, "2021-02-03", {"2.10.0": "2021-01-01", "2.9.0": None, "2.10.0-rc.1": None})
        self.assertEqual((self.root / "t.yaml").read_text(),
                         'date: 2021-02-03\ncolumns: [flux, date]\nrows:\n  - ["2.9.0", null]\n'
                         '  - ["2.10.0-rc.1", null]\n  - ["2.10.0", "2021-01-01"]\n')
        with self.assertRaises(SystemExit):
            refresh.write(path, "2021-02-03", {"2.10.0": None})


class Embed(InFolder):
    def paths(self):
        return [path.decode() for path, _ in embed.wanted(str(self.root))]

    def test_takes_rules_data_and_fixtures_in_order_and_leaves_the_demo_out(self):
        for path in ("rules/data/t.yaml", "rules/core/b.yaml", "rules/core/README.md",
                     "fixtures/b/bad-1/.lockstep.yaml", "fixtures/demo/x.yaml", "fixtures/b/good/demo/x.yaml"):
            self.put(path)
        (self.root / "fixtures/b/link").symlink_to("bad-1")
        (self.root / "fixtures/b/good/link.yaml").symlink_to("nowhere")
        self.assertEqual(self.paths(), ["fixtures/b/bad-1/.lockstep.yaml", "fixtures/b/good/demo/x.yaml",
                                        "rules/core/b.yaml", "rules/data/t.yaml"])

    def test_output_is_rewritten_only_when_it_differs(self):
        output = self.root / "out.cpp"
        for text, rewritten in (("a", True), ("a", False), ("b", True)):
            os.utime(output, ns=(1, 1)) if output.exists() else None
            embed.write_if_changed(str(output), text)
            self.assertEqual(output.stat().st_mtime_ns != 1, rewritten)
            self.assertEqual(output.read_text(), text)

    def test_compiled_bytes_are_the_files_bytes(self):
        every_byte = bytes(range(256)) + b'1"2\\3??=4\r\n\x0077\n\nno end of line'
        self.put("rules/core/every.yaml", every_byte)
        self.put("fixtures/r/bad-1/empty.yaml")
        self.put("fixtures/r/bad-1/long.yaml", b"# " + b"x" * 100000 + b"\n")
        self.put("main.cpp", '#include "base/embedded.h"\n#include <cstdio>\nint main() {\n'
                 'for (const auto& file : lockstep::embedded_files()) for (auto text : {file.path, file.text}) {\n'
                 'std::printf("%zu:", text.size()); std::fwrite(text.data(), 1, text.size(), stdout); } }\n')
        self.put("embedded.cpp", embed.source(str(self.root)))
        program = self.root / "program"
        subprocess.run([os.environ.get("CXX", "c++"), "-std=c++20", "-Wall", "-Wextra", "-pedantic", "-Werror",
                        f"-I{HERE.parent / 'src'}", self.root / "main.cpp", self.root / "embedded.cpp", "-o", program],
                       check=True)
        expected = b""
        for path, absolute in embed.wanted(str(self.root)):
            for text in (path, pathlib.Path(absolute).read_bytes()):
                expected += b"%d:%s" % (len(text), text)
        self.assertEqual(subprocess.run([program], check=True, stdout=subprocess.PIPE).stdout, expected)

    def test_nothing_to_embed_is_an_empty_list(self):
        self.assertIn("return {};", embed.source(str(self.root)))


class GatherChecks(InFolder):
    def gather(self):
        (self.root / "made").mkdir(exist_ok=True)
        gather.main(str(self.root / "checks"), str(self.root / "made"), ["pins", "scripts"])

    def test_a_new_file_is_in_the_source_of_its_subject_under_the_id_of_its_rule(self):
        self.put("checks/pins/image_floating.cpp")
        self.put("checks/scripts/tool_lost.cpp")
        self.put("checks/words.cpp")
        self.gather()
        before = (self.root / "made/checks_of_pins.cpp").read_text()
        self.put("checks/pins/chart_floating.cpp")
        self.gather()
        after = (self.root / "made/checks_of_pins.cpp").read_text()
        row = '{chart_floating::check.run, chart_floating::check.takes, "chart-floating"},'
        self.assertNotIn(row, before)
        for line in (row, '#include "checks/pins/chart_floating.cpp"', '#include "checks/pins/image_floating.cpp"'):
            self.assertIn(line, after)
        self.assertIn('#include "checks/words.cpp"', (self.root / "made/checks_shared.cpp").read_text())
        self.assertIn("add(checks_of_scripts());", (self.root / "made/checks_table.cpp").read_text())

    def test_a_folder_that_the_build_does_not_name_and_a_name_that_is_no_rule_stop_it(self):
        self.put("checks/pins/a.cpp")
        self.put("checks/scripts/Bad-name.cpp")
        with self.assertRaisesRegex(SystemExit, "Bad-name.cpp: a check's file"):
            self.gather()
        (self.root / "checks/scripts/Bad-name.cpp").unlink()
        self.put("checks/extra/a.cpp")
        with self.assertRaisesRegex(SystemExit, "has the folders extra, pins, scripts"):
            self.gather()


class GatherRelations(InFolder):
    def test_files_with_a_relation_are_listed_and_the_others_only_compiled(self):
        self.put("relations/chart_hooks.cpp", "constexpr Relation relation{\"chart-hooks\", \"chart\", \"\", fill};\n")
        self.put("relations/shared_words.cpp", "int words();\n")
        (self.root / "made").mkdir()
        gather_relations.main(str(self.root / "relations"), str(self.root / "made"))
        made = (self.root / "made/all_relations.cpp").read_text()
        self.assertIn("chart_hooks::relation,", made)
        self.assertNotIn("shared_words::relation", made)
        self.assertIn('#include "relations/shared_words.cpp"', made)
        self.put("relations/Bad-name.cpp", "")
        with self.assertRaisesRegex(SystemExit, "lower case"):
            gather_relations.main(str(self.root / "relations"), str(self.root / "made"))


class Layers(InFolder):
    def problems(self):
        return list(layers.problems(str(self.root)))

    def test_includes_of_earlier_folders_and_one_wrapper_are_fine(self):
        self.put("src/base/a.h", "#include <string>\n")
        self.put("src/yaml/a.cpp", '#include "base/a.h"\n#include <yaml.h>\n// #include "cli/a.h"\n')
        self.put("src/main.cpp", '#include "cli/a.h"\n')
        self.assertEqual(self.problems(), [])

    def test_include_of_a_later_folder_is_named_with_its_line(self):
        self.put("src/yaml/a.cpp", '#include "base/a.h"\n  # include "rules/a.h"\n')
        self.assertEqual(self.problems(), ["src/yaml/a.cpp:2: yaml includes rules/a.h, but rules comes after yaml"])

    def test_second_wrapper_of_a_library_is_found_by_any_of_its_headers(self):
        self.put("src/rules/a.cpp", "#include <re2/re2.h>\n")
        self.put("src/checks/b.cpp", "#include <re2/set.h>\n")
        found = self.problems()
        self.assertEqual([line.split(":")[0] for line in found], ["src/checks/b.cpp", "src/rules/a.cpp"])

    def test_test_libraries_have_no_place_in_src(self):
        self.put("src/yaml/a.cpp", "#include <yaml-cpp/yaml.h>\n")
        self.assertEqual(len(self.problems()), 1)

    def test_unknown_folder_and_relative_include_are_found(self):
        self.put("src/extra/a.h")
        self.put("src/yaml/a.cpp", '#include "../rules/a.h"\n')
        self.assertEqual(len(self.problems()), 2)


class Counting(unittest.TestCase):
    SUMMARY = ("[doctest] test cases:  7 |  5 passed | {} failed | 1 skipped\n"
               "[doctest] assertions: 9 | 9 passed | 0 failed |\n")

    def count(self, result, stdout=None):
        return run_tests.count({"result": result, "stdout": stdout})

    def test_doctest_cases_are_counted_not_programs(self):
        self.assertEqual(self.count("OK", self.SUMMARY.format(0)), (5, 0, 1))
        self.assertEqual(self.count("FAIL", self.SUMMARY.format(2)), (5, 2, 1))

    def test_program_that_fails_without_a_failed_case_counts_as_one_failure(self):
        self.assertEqual(self.count("FAIL", self.SUMMARY.format(0)), (5, 1, 1))
        self.assertEqual(self.count("TIMEOUT", "half of a"), (0, 1, 0))

    def test_other_programs_count_as_one(self):
        self.assertEqual([self.count(result) for result in ("OK", "FAIL", "SKIP")], [(1, 0, 0), (0, 1, 0), (0, 0, 1)])


if __name__ == "__main__":
    unittest.main()
