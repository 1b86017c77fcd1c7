#!/usr/bin/env python3
"""A comment above the first line of every file changes no finding: all fixtures once more, each YAML file with one."""
import os
import shutil
import subprocess
import sys
import tempfile

COMMENT = b"# a word about this file\n"


def may_begin_with_a_comment(folder, name):
    """Not what is empty on purpose, not lockstep's own files, not what YAML would read otherwise, nothing encrypted."""
    path = os.path.join(folder, name)
    if not name.endswith((".yaml", ".yml")) or name == ".lockstep.yaml" or os.path.islink(path):
        return False
    if ".lockstep" in folder.split(os.sep):
        return False
    with open(path, "rb") as file:
        text = file.read()
    says_something = any(line.strip() not in (b"", b"---", b"...", b"{}", b"[]") for line in text.splitlines())
    return says_something and not text.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"%", b"\0"))


def main(lockstep, source):
    with tempfile.TemporaryDirectory() as scratch:
        copy = os.path.join(scratch, "fixtures")
        shutil.copytree(os.path.join(source, "fixtures"), copy, symlinks=True)
        changed = 0
        for folder, _, names in os.walk(copy):
            for name in names:
                if not may_begin_with_a_comment(folder, name):
                    continue
                path = os.path.join(folder, name)
                with open(path, "rb") as file:
                    text = file.read()
                with open(path, "wb") as file:
                    file.write(COMMENT + text)
                changed += 1
        run = subprocess.run([lockstep, "test", copy], capture_output=True, text=True, errors="replace")
        print(run.stdout[-4000:], run.stderr[-2000:])
        assert changed > 2000, f"only {changed} files were changed"
        assert run.returncode == 0, "a comment changed what is found"


if __name__ == "__main__":
    main(*sys.argv[1:])
