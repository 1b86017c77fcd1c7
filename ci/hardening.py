#!/usr/bin/env python3
"""Reads an ELF program and names what it lacks of: PIE, full RELRO, BIND_NOW, no executable stack, stack protector, FORTIFY.
`ci/hardening.py PROGRAM...` fails when something is missing; ci/make-dist asks before it packs, a test after each build."""
import pathlib
import struct
import sys

PT_DYNAMIC, PT_INTERP, PT_GNU_STACK, PT_GNU_RELRO = 2, 3, 0x6474E551, 0x6474E552
DT_FLAGS, DT_BIND_NOW, DT_FLAGS_1 = 30, 24, 0x6FFFFFFB
DF_BIND_NOW, DF_1_NOW, DF_1_PIE = 8, 1, 0x08000000
SHT_SYMTAB, SHT_DYNSYM = 2, 11
ET_DYN, PF_X = 3, 1


def names(data, order):
    """All names in its symbol tables."""
    start, = struct.unpack_from(order + "Q", data, 40)
    size, count = struct.unpack_from(order + "HH", data, 58)
    sections = [struct.unpack_from(order + "IIQQQQIIQQ", data, start + i * size) for i in range(count)]
    for _, kind, _, _, at, length, link, _, _, entry in sections:
        if kind in (SHT_SYMTAB, SHT_DYNSYM):
            texts = sections[link][4]
            for symbol in range(at, at + length, entry):
                begin = texts + struct.unpack_from(order + "I", data, symbol)[0]
                yield data[begin:data.index(b"\0", begin)]


def missing(path):
    """What the program lacks, in words; an empty list is good."""
    data = pathlib.Path(path).read_bytes()
    if data[:5] != b"\x7fELF\x02":
        return ["it is no 64-bit ELF file"]
    order = "<" if data[5] == 1 else ">"
    kind, = struct.unpack_from(order + "H", data, 16)
    start, = struct.unpack_from(order + "Q", data, 32)
    size, count = struct.unpack_from(order + "HH", data, 54)
    headers = [struct.unpack_from(order + "IIQQQQQQ", data, start + i * size) for i in range(count)]
    dynamic = {}
    for header in headers:
        if header[0] == PT_DYNAMIC:
            for at in range(header[2], header[2] + header[5], 16):
                tag, value = struct.unpack_from(order + "QQ", data, at)
                if tag == 0:
                    break
                dynamic[tag] = value
    symbols = set(names(data, order))
    flags, flags_1 = dynamic.get(DT_FLAGS, 0), dynamic.get(DT_FLAGS_1, 0)
    now = flags & DF_BIND_NOW or flags_1 & DF_1_NOW or DT_BIND_NOW in dynamic
    stack = [header for header in headers if header[0] == PT_GNU_STACK]
    has = {
        "PIE": kind == ET_DYN and flags_1 & DF_1_PIE,
        "RELRO": any(header[0] == PT_GNU_RELRO for header in headers),
        "BIND_NOW (full RELRO)": now,
        "a stack that is not executable": stack and not stack[0][1] & PF_X,
        "stack protector": b"__stack_chk_fail" in symbols or any(name.startswith(b"__stack_chk_fail@") for name in symbols),
        "FORTIFY": any(name.split(b"@")[0].endswith(b"_chk") and name.startswith(b"__") for name in symbols),
    }
    return [name for name, there in has.items() if not there]


if __name__ == "__main__":
    lacking = {path: missing(path) for path in sys.argv[1:]}
    for path, words in lacking.items():
        print(f"{path}: " + ("lacks " + ", ".join(words) if words else "hardened"))
    sys.exit(1 if not lacking or any(lacking.values()) else 0)
