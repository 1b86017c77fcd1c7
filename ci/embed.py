#!/usr/bin/env python3
"""Turns the rule files, their data and the rules' fixtures into the C++ source behind src/base/embedded.h.

The build runs this every time, so that added and removed files count too; the output is rewritten only when it differs.
"""
import os
import sys

HEAD = """\
// Written by ci/embed.py. What the program knows without reading a file: its rules, their data, their fixtures.
#include "base/embedded.h"

// Pedantic compilers promise 64 KiB per literal only; both of ours take far more.
#pragma GCC diagnostic ignored "-Woverlength-strings"

namespace lockstep {

namespace {

using namespace std::string_view_literals;

"""

TAIL = """\
} // namespace

std::span<const EmbeddedFile> embedded_files() { return %s; }

} // namespace lockstep
"""


def escaped(byte):
    char = chr(byte)
    if char in '"\\?':  # `?` because `??=` was a trigraph
        return "\\" + char
    if char == "\n":
        return "\\n"
    # Always three octal digits: unlike hex escapes they end by themselves.
    return char if 32 <= byte < 127 else f"\\{byte:03o}"


ESCAPED = [escaped(byte) for byte in range(256)]


def literal(data):
    """One C++ literal, broken behind each line of the data so that the output can be read."""
    lines = data.splitlines(keepends=True) or [b""]
    return "\n".join('        "' + "".join(ESCAPED[byte] for byte in line) + '"' for line in lines) + "sv"


def wanted(root):
    """(path, absolute path) of every file to embed, sorted by path. Links are left out: they may point anywhere."""
    found = []
    for top in ("rules", "fixtures"):
        for folder, folders, names in os.walk(os.path.join(root, top)):
            relative = os.path.relpath(folder, root).replace(os.sep, "/")
            if relative == "fixtures" and "demo" in folders:
                folders.remove("demo")
            for name in names:
                path = os.path.join(folder, name)
                if not os.path.islink(path) and (top == "fixtures" or name.endswith(".yaml")):
                    found.append((os.fsencode(f"{relative}/{name}"), path))
    return sorted(found)


def source(root):
    entries = []
    for path, absolute in wanted(root):
        with open(absolute, "rb") as file:
            entries.append(f"    {{\n{literal(path)},\n{literal(file.read())},\n    }},\n")
    if not entries:
        return HEAD + TAIL % "{}"
    return HEAD + "constexpr EmbeddedFile files[] = {\n" + "".join(entries) + "};\n\n" + TAIL % "files"


def write_if_changed(path, text):
    data = text.encode("ascii")
    try:
        with open(path, "rb") as file:
            if file.read() == data:
                return
    except FileNotFoundError:
        pass
    with open(path, "wb") as file:
        file.write(data)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: embed.py <project root> <output.cpp>")
    write_if_changed(sys.argv[2], source(sys.argv[1]))
