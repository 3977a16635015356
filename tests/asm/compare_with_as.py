#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Output of gcc, g++ and gfortran, assembled by psim and by GNU as: contents of loaded sections, relocations and
hardware capabilities are the same, byte for byte.

compare_with_as.py PSIM SOURCE_DIR [--all]       --all: every program with every set of flags, else a sample

Left out: .gcc_except_table, whose numbers take four bytes where labels ahead make them, and places in it; what fills the end
of a section of code. The table of offsets is found by its distance, as GNU as does
with -KPIC.
Status 77: the cross tools are not installed.
"""
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

psim, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
TOOLS = {".c": "sparc64-linux-gnu-gcc", ".cpp": "sparc64-linux-gnu-g++", ".f90": "sparc64-linux-gnu-gfortran"}
FLAGS = ["-O0", "-O1", "-O2", "-O3 -funroll-loops", "-Os", "-O2 -fno-pie", "-O2 -fPIC", "-O2 -mcpu=ultrasparc3",
         "-O3 -mcpu=niagara3", "-O3 -mcpu=niagara4", "-O2 -fno-pie -mcmodel=medmid", "-O2 -fno-pie -mcmodel=medany",
         "-O2 -ffunction-sections -fdata-sections"]
PROGRAMS = ["tests/exec/programs/exceptions.cpp", "tests/exec/programs/numbers.f90", "tests/simd/programs/locals.c",
            "workloads/kernels/paper/zgemm.c", "tests/asm/thread_local.cpp", "tests/exec/programs/signals.c"]
HI22, LO10, PC10, PC22 = 9, 12, 16, 17  # R_SPARC_…
LEFT_OUT = (".gcc_except_table",)
SAMPLE = [(1, 3), (1, 6), (2, 8), (3, 2), (3, 9), (3, 0)]  # program, flags


def parse(path):
    """Contents of loaded sections and attributes by name, and the relocations, by name of section."""
    data = path.read_bytes()
    offset, = struct.unpack_from(">Q", data, 40)
    count, names = struct.unpack_from(">HH", data, 60)
    headers = [struct.unpack_from(">IIQQQQIIQQ", data, offset + 64 * i) for i in range(count)]

    def text(table, at):
        begin = headers[table][4] + at
        return data[begin:data.index(b"\0", begin)].decode()

    def name_of(section):
        return text(names, headers[section][0])

    # Sections of a group have one name: their contents in order.
    contents, relocations = {}, []
    for i, (_, kind, flags, _, at, size, link, info, _, _) in enumerate(headers):
        if size and kind != 8 and (flags & 2 or kind == 0x6FFFFFF5):
            contents.setdefault(name_of(i), []).append(data[at:at + size])
        if kind != 4:
            continue
        symbols, strings = headers[link], headers[link][6]
        for entry in range(at, at + size, 24):
            place, what, addend = struct.unpack_from(">QQq", data, entry)
            name, what_it_is, _, section, value, _ = struct.unpack_from(">IBBHQQ", data, symbols[4] + 24 * (what >> 32))
            shown = name_of(section) if what_it_is & 15 == 3 else text(strings, name)
            number = what & 0xFFFFFFFF
            if shown == "_GLOBAL_OFFSET_TABLE_":
                number = {HI22: PC22, LO10: PC10}.get(number, number)
            if shown.startswith(LEFT_OUT):
                addend = 0
            relocations.append((name_of(info), place, number, shown, addend))
    return contents, sorted(relocations)


def difference(ours, theirs):
    (mine, my_relocations), (other, other_relocations) = ours, theirs
    mine, other = ({name: parts for name, parts in all_of.items() if not name.startswith(LEFT_OUT)} for all_of in (mine, other))
    for name in sorted(mine.keys() | other.keys()):
        a, b = mine.get(name, []), other.get(name, [])
        if len(a) != len(b):
            return f"{name}: {len(a)} and {len(b)} sections"
        for x, y in zip(a, b):
            rest = y[len(x):]
            if y[:len(x)] != x or len(rest) > 32 or any(rest[i] not in (0x01, 0x30) for i in range(0, len(rest), 4)):
                at = next((i for i in range(min(len(x), len(y))) if x[i] != y[i]), len(x))
                return f"{name} from {at:#x} on: {x[at:at + 8].hex()} and {y[at:at + 8].hex()} ({len(x)}, {len(y)} bytes)"
    mine, other = ([r for r in all_of if not r[0].startswith(LEFT_OUT)] for all_of in (my_relocations, other_relocations))
    missing, extra = [r for r in other if r not in mine][:3], [r for r in mine if r not in other][:3]
    return f"relocations: only ours {extra}, only theirs {missing}" if missing or extra else None


def compare(source, flags):
    source = root / source
    tool = TOOLS[source.suffix]
    subprocess.run([tool, "-w", *flags.split(), "-I", str(root / "workloads/include"), "-S", "-o", "a.s", str(source)], check=True)
    subprocess.run(["sparc64-linux-gnu-as", "-Av9m", "-o", "theirs.o", "a.s"], check=True)
    done = subprocess.run([str(psim), "asm", "-c", "-o", "ours.o", "a.s"], capture_output=True, text=True)
    if done.returncode:
        return done.stderr.splitlines()[0]
    return difference(parse(pathlib.Path("ours.o")), parse(pathlib.Path("theirs.o")))


def main():
    if not all(map(shutil.which, TOOLS.values())):
        return 77
    whole = "--all" in sys.argv
    pairs = [(p, f) for p in range(len(PROGRAMS)) for f in range(len(FLAGS))] if whole else SAMPLE
    different = 0
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        for program, flags in pairs:
            if found := compare(PROGRAMS[program], FLAGS[flags]):
                different += 1
                print(f"{PROGRAMS[program]} {FLAGS[flags]}: {found}", flush=True)
        os.chdir("/")
    print(f"{len(pairs)} compared, {different} differ")
    return different != 0


sys.exit(main())
