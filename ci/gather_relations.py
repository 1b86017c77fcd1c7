#!/usr/bin/env python3
"""Finds the relations, src/relations/<name>.cpp with a `constexpr Relation relation`, and writes the source that compiles
and lists them. So a new relation is its own file and nothing else.
"""
import os
import re
import sys

from embed import write_if_changed

HEAD = "// Written by ci/gather_relations.py.\n"


def main(folder, made):
    names = sorted(name[: -len(".cpp")] for name in os.listdir(folder) if name.endswith(".cpp"))
    listed = []
    for name in names:
        if not re.match(r"^[a-z][a-z0-9_]*$", name):
            sys.exit(f"src/relations/{name}.cpp: lower case with underscores")
        with open(os.path.join(folder, name + ".cpp"), encoding="utf-8") as source:
            if "constexpr Relation relation{" in source.read():
                listed.append(name)
    lines = [HEAD] + [f'#include "relations/{name}.cpp"\n' for name in names]
    lines.append("\nnamespace lockstep {\n\nstd::span<const Relation> relations() {\n    static constexpr Relation all[] = {\n")
    lines += [f"        {name}::relation,\n" for name in listed]
    lines.append("    };\n    return all;\n}\n\n} // namespace lockstep\n")
    write_if_changed(os.path.join(made, "all_relations.cpp"), "".join(lines))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: gather_relations.py <src/relations> <output folder>")
    main(sys.argv[1], sys.argv[2])
