#!/usr/bin/env python3
"""A healthy repository gets silence: no error and no warning from any of the fleets, and one step away from each there is
a finding, so that the silence is not blindness."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import fleets  # noqa: E402

LOCKSTEP = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "lockstep"

# fleet, file, what is there, what somebody writes instead, the rule that says so
FAULTS = [
    ("bootstrap-2.6.4", "clusters/prod/flux-system/kustomization.yaml", "gotk-sync.yaml", "gotk-synk.yaml",
     "missing-resource"),
    ("bootstrap-2.8.8", "clusters/prod/flux-system/gotk-components.yaml", "scrape: \"true\"", "scrape: true",
     "metadata-value-not-string"),
    ("staging-and-production", "clusters/staging/apps.yaml", "path: ./apps/staging", "path: ./apps/stagging",
     "flux-path-missing"),
    ("staging-and-production", "clusters/production/apps.yaml", "- name: infra-configs", "- name: infra-config",
     "depends-on-missing"),
    ("tenants", "tenants/base/dev-team/kustomization.yaml", "- rbac.yaml", "- roles.yaml", "missing-resource"),
    ("home-lab", "kubernetes/apps/default/echo/app/helmrelease.yaml", "values:", "values: {", "yaml-syntax"),
    ("chart-monorepo", "charts/web/Chart.lock", "version: 1.0.0", "version: 0.9.0", "vendored-dependency-drift"),
    ("terraform-and-cloud-init", "infra/cloud-init.yaml.tftpl", "download/v2.4.0", "download/v2.3.0",
     "flux-version-split"),
    ("terraform-and-cloud-init", "infra/cloud-init.yaml.tftpl", "INSTALL_K3S_VERSION=v1.31.4+k3s1", "",
     "bootstrap-pin-floating"),
    ("terraform-and-cloud-init", "infra/cloud-init.yaml.tftpl", "token: ${token}", "token: ${tokens}",
     "tftpl-variable-unset"),
    ("blueprint-platform", "platform/mail/blueprint.yaml", "version: 0.4.0", "version: 0.3.0", "blueprint-chart-drift"),
    ("blueprint-platform", "platform/backup/chart/values.yaml", "version: 8.1.0", "version: 8.0.0",
     "upstream-mirror-drift"),
]
# Fleets that still say something they should not: what, and until when.
OPEN = {}


def loud(files):
    with tempfile.TemporaryDirectory() as folder:
        fleets.write(files, folder)
        run = subprocess.run([LOCKSTEP, "check", folder, "--format", "json"], capture_output=True, timeout=120, check=False)
        if run.returncode not in (0, 1):
            raise AssertionError(run.stderr.decode())
        report = json.loads(run.stdout)
        return [f"{one['severity']}: {one['path']}:{one['line']}: {one['message']} [{one['rule']}]"
                for one in report["findings"] if one["severity"] != "note"]


class Silence(unittest.TestCase):
    def test_a_healthy_repository_gets_silence(self):
        for name, files in fleets.fleets().items():
            with self.subTest(name):
                found = loud(files)
                if name in OPEN:
                    self.assertTrue(found, f"{name} is silent: take it off the list")
                else:
                    self.assertEqual(found, [])

    def test_one_step_away_there_is_a_finding(self):
        made = fleets.fleets()
        for name, path, right, wrong, rule in FAULTS:
            with self.subTest(f"{name}: {rule}"):
                files = dict(made[name])
                self.assertIn(right, files[path])
                files[path] = files[path].replace(right, wrong)
                self.assertTrue(any(line.endswith(f"[{rule}]") for line in loud(files)), loud(files))


if __name__ == "__main__":
    unittest.main()
