#!/usr/bin/env python3
"""Finds the native checks, src/checks/<subject>/<rule_id>.cpp, and writes what compiles them: one source per subject that
includes its files and lists their checks, and the table of all. So a new check is its own file and nothing else.

The build runs this every time, so that added and removed files count too; an output is rewritten only when it differs.
"""
import os
import re
import sys

from embed import write_if_changed

HEAD = "// Written by ci/gather_checks.py.\n"
NAME = re.compile(r"^[a-z][a-z0-9_]*\.cpp$")


def sources(folder):
    return sorted(name for name in os.listdir(folder) if name.endswith(".cpp"))


def of_subject(folder, subject):
    lines = [HEAD]
    rows = []
    for name in sources(os.path.join(folder, subject)):
        if not NAME.match(name):
            sys.exit(f"src/checks/{subject}/{name}: a check's file is named after its rule, in lower case with underscores")
        check = name[: -len(".cpp")]
        rule = check.replace("_", "-")
        lines.append(f'#include "checks/{subject}/{name}"\n')
        rows.append(f'        {{{check}::check.run, {check}::check.takes, "{rule}"}},\n')
    return "".join(lines + [f"\nnamespace lockstep {{\n\nstd::vector<NativeCheck> checks_of_{subject}() {{\n    return {{\n",
                            *rows, "    };\n}\n\n} // namespace lockstep\n"])


def shared(folder):
    return HEAD + "".join(f'#include "checks/{name}"\n' for name in sources(folder))


def table(subjects):
    declared = "".join(f"std::vector<NativeCheck> checks_of_{subject}();\n" for subject in subjects)
    taken = "".join(f"    add(checks_of_{subject}());\n" for subject in subjects)
    return f"""{HEAD}#include "checks/checks.h"

namespace lockstep {{

{declared}
static std::vector<NativeCheck> all_checks() {{
    std::vector<NativeCheck> all;
    auto add = [&](const std::vector<NativeCheck>& some) {{ all.insert(all.end(), some.begin(), some.end()); }};
{taken}    return all;
}}

std::span<const NativeCheck> native_checks() {{
    static const std::vector<NativeCheck> all = all_checks();
    return all;
}}

}} // namespace lockstep
"""


def main(folder, made, subjects):
    here = sorted(name for name in os.listdir(folder) if os.path.isdir(os.path.join(folder, name)))
    if here != sorted(subjects):
        sys.exit(f"src/checks has the folders {', '.join(here)}; its meson.build names {', '.join(sorted(subjects))}")
    for subject in subjects:
        write_if_changed(os.path.join(made, f"checks_of_{subject}.cpp"), of_subject(folder, subject))
    write_if_changed(os.path.join(made, "checks_shared.cpp"), shared(folder))
    write_if_changed(os.path.join(made, "checks_table.cpp"), table(subjects))


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit("usage: gather_checks.py <src/checks> <output folder> <subject>...")
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
