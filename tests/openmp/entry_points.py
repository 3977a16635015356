#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks docs/openmp-entry-points.md, which has every function that gcc's OpenMP code calls, and where its code runs.

entry_points.py PSIM [--renew]

entry_points.c has a function for each construct. It is built natively and for psim; both must print the same. The functions that a
construct calls are those of its object code. Loops that run on the PEs are regions of the result of psim run; for all others,
compiler and runtime must warn with the reason that entry_points.c gives. The functions of libgomp come from gcc's list
(omp-builtins.def) and from its library. --renew writes the page."""
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

psim = pathlib.Path(sys.argv[1]).resolve()
here = pathlib.Path(__file__).resolve().parent
source = here / "entry_points.c"
page = here.parents[1] / "docs/openmp-entry-points.md"
GCC = "sparc64-linux-gnu-gcc"
WARNING = "runs on the scalar core: "

NOT_EMITTED = {  # in gcc's list or library; no code that gcc 12 makes for sparc64 calls them
    "GOMP_loop_static_start": "gcc computes static shares itself",
    "GOMP_loop_ull_static_start": "gcc computes static shares itself",
    "GOMP_parallel_loop_static": "gcc computes static shares itself",
    "GOMP_offload_register_ver": "registers code for another device; there is none",
    "GOMP_offload_unregister_ver": "registers code for another device; there is none",
    "GOMP_offload_register": "of gcc before 6",
    "GOMP_offload_unregister": "of gcc before 6",
    "GOMP_parallel_end": "of gcc before 4.9",
    "GOMP_parallel_loop_dynamic_start": "of gcc before 4.9",
    "GOMP_parallel_loop_guided_start": "of gcc before 4.9",
    "GOMP_parallel_loop_runtime_start": "of gcc before 4.9",
    "GOMP_parallel_loop_static_start": "of gcc before 4.9",
    "GOMP_parallel_sections_start": "of gcc before 4.9",
    "GOMP_parallel_start": "of gcc before 4.9",
    "GOMP_target": "of gcc before 6",
    "GOMP_target_data": "of gcc before 6",
    "GOMP_target_update": "of gcc before 6",
    "GOMP_teams": "of gcc before 12",
}
HEADER = """# OpenMP's constructs and libgomp's entry points

Code for OpenMP calls functions of libgomp. This page has all of them that gcc 12 knows, by the constructs whose code calls them, and the
place where that code runs: on the PEs; on the scalar core, of which compiler and runtime warn with file, line and this reason; or in
libgomp as in any program. `tests/openmp/entry_points.py PSIM --renew` writes the page from `tests/openmp/entry_points.c`, which has a
function for each row; the test builds and runs them, and compares the lists with gcc's and libgomp's.

%s

| construct | code runs on | entry points that no earlier row has |
|---|---|---|
"""


def fill(text):
    return textwrap.fill(text, 140, break_long_words=False, break_on_hyphens=False)


def run(command, status=0, **environment):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=100,
                          env={**os.environ, "LC_ALL": "C", "OMP_NUM_THREADS": "1", "OMP_CANCELLATION": "true", **environment})
    if done.returncode != status:
        sys.exit(f"{' '.join(str(word) for word in command)}: status {done.returncode}, expected {status}: {done.stdout}{done.stderr}")
    return done.stdout, done.stderr


def constructs():
    """Yields the construct, where it runs, and its functions."""
    lines = source.read_text().splitlines()
    for line, following in zip(lines, lines[1:]):
        if line.startswith("//: "):
            construct, where = line.removeprefix("//: ").split(" | ")
            kind, name = re.match(r"(void |BOTH\(\w+, |COMBINED\()(\w+)", following).groups()
            yield construct, where, [name, name + "_ull"] if kind.startswith("BOTH") else [name]


def libraries():
    """The functions of gcc's list and of libgomp, without those of OpenACC and of plug-ins."""
    include = pathlib.Path(run([GCC, "-print-file-name=plugin"])[0].strip(), "include")
    names = set(re.findall(r'"((?:GOMP|omp)_\w+)"', (include / "omp-builtins.def").read_text()))
    archive = run([GCC, "-print-file-name=libgomp.a"])[0].strip()
    symbols = re.findall(r"^\w+ [TW] (\w+)$", run(["sparc64-linux-gnu-nm", "--defined-only", archive])[0], re.M)
    return names | {name for name in symbols if re.match(r"(GOMP_(?!PLUGIN_)|omp_)", name) and not name.endswith("_")}


def calls(program):
    """The functions that each function's code calls, with the code that gcc outlines from it."""
    called = collections.defaultdict(set)
    for line in run(["sparc64-linux-gnu-objdump", "-r", program])[0].splitlines():
        if section := re.search(r"\[\.text\.(?:unlikely\.)?(\w+)(\._omp_(?:fn|cpyfn)\.\d+)?\]", line):
            function = section[1]
        elif name := re.search(r" ((?:GOMP|omp)_\w+)", line):
            called[function].add(name[1])
    return called


def measure(directory):
    """Returns the calls, warnings, messages and regions of each function, and what is wrong."""
    names = [name for _, _, functions in constructs() for name in functions]
    every = "-DCONSTRUCTS=" + " ".join(f"CALL({name})" for name in names)
    native, built, program, result = (pathlib.Path(directory, name) for name in ("native", "o.o", "program", "result"))
    run(["gcc", "-O1", "-w", "-fopenmp", "-foffload=disable", every, "-o", native, source])
    expected, _ = run([native])
    tool = psim.parent / "psim-sparc-cc"
    _, warned = run([tool, "-O3", "-fopenmp", "-ffunction-sections", every, "-c", "-o", built, source])
    run([tool, "-fopenmp", "-o", program, built])
    warnings, function = collections.defaultdict(list), ""
    for line in warned.splitlines():
        if found := re.search(r"In function '(\w+)\.", line):
            function = found[1]
        elif WARNING in line:
            if not re.match(rf"{re.escape(str(source))}:\d+:", line):
                function = f"{line}: no file and line"
            warnings[function].append(line.split(WARNING)[1])
    problems, messages = [], collections.defaultdict(list)
    for command in ["exec"], ["run", "--inherit-env", "--env", "PSIM_OMP_LOOPS=pes", "--machine", "simd16", "--json", result]:
        output, errors = run([psim, command[0], "--quiet", *command[1:], program])
        messages.clear()
        for line in errors.splitlines():
            if found := re.fullmatch(rf"psim_omp: (\w+) at entry_points.c:(\d+) {WARNING}(.*?)(?: \(line \d+\))?", line):
                messages[found[1]].append(found[3])
            elif line and line != "libgomp: error directive encountered: a warning of the program":
                problems.append(f"{command[0]}: unexpected message: {line}")
        problems += [f"{command[0]}: natively {a!r}, here {b!r}" for a, b in
                     zip(expected.splitlines(), output.splitlines()) if a != b]
        if len(output.splitlines()) != len(names):
            problems.append(f"{command[0]}: {len(output.splitlines())} constructs of {len(names)}")
    _, errors = run([psim, "exec", "--quiet", program, "error"], status=1)
    if "libgomp: fatal error: error directive encountered: an error of the program" not in errors:
        problems.append(f"the program's error: {errors}")
    regions = {region["name"].split(" at ")[0] for region in json.loads(result.read_text())["regions"]}
    return calls(built), warnings, messages, regions, problems


def main():
    with tempfile.TemporaryDirectory() as directory:
        called, warnings, messages, regions, problems = measure(directory)
    every, seen, rows = libraries(), set(), []
    for construct, where, functions in constructs():
        kind, _, reason = where.partition(": ")
        for name in functions:
            facts = f"{name}: {construct}: warnings {warnings[name]}, messages {messages[name]}, a region of the PEs: {name in regions}"
            good = {"PEs": name in regions and not warnings[name] and not messages[name],
                    "scalar": reason in messages[name] and (reason in warnings[name] or reason.startswith("it is in")),
                    "libgomp": name not in regions and not warnings[name] and not messages[name]}
            if not good.get(kind):
                problems.append(f"{facts}; expected {where}")
        new = {name for function in functions for name in called[function]} - seen
        seen |= new
        problems += [f"{construct}: {name} is neither in gcc's list nor in libgomp" for name in sorted(new - every)]
        place = f"scalar core: {reason}" if reason else "the PEs" if kind == "PEs" else kind
        rows.append(f"| {construct} | {place} | {' '.join(f'`{name}`' for name in sorted(new))} |")
    entry = {name for name in every if name.startswith("GOMP_")}
    problems += [f"{name}: no construct of {source.name} calls it, nor does {pathlib.Path(__file__).name} explain it"
                 for name in sorted(entry - seen - NOT_EMITTED.keys())]
    problems += [f"{name}: is explained as not called, but a construct calls it" for name in sorted(seen & NOT_EMITTED.keys())]
    problems += [f"{name}: is explained, but neither in gcc's list nor in libgomp" for name in sorted(NOT_EMITTED.keys() - every)]
    runtime = (here.parents[1] / "omp/runtime").glob("*.c")
    replaced = sorted({name for path in runtime for name in re.findall(r"__wrap_(GOMP_\w+)", path.read_text())})
    problems += [f"{name}: the runtime replaces it, and no construct calls it" for name in replaced if name not in seen]
    runtimes = fill("The runtime replaces these functions: " + ", ".join(f"`{name}`" for name in replaced) + ". All others are libgomp's, "
                    "for its device \"host\": the memory of the device is the program's own, and the team of a target region has one "
                    "thread. Regions of OpenACC (`-fopenacc`) run on the scalar core, without a warning.")
    rest = fill("Functions of the library that no row names are libgomp's, too. A loop that calls one runs on the scalar core: " +
                ", ".join(f"`{name}`" for name in sorted(every - entry - seen)) + ".")
    text = (HEADER % runtimes + "\n".join(rows) + f"""

{rest}

No code that gcc 12 makes for these programs calls the entry points below. Objects of older compilers may; their regions run in libgomp.

| entry point | reason |
|---|---|
""" + "".join(f"| `{name}` | {reason} |\n" for name, reason in NOT_EMITTED.items()))
    if "--renew" in sys.argv:
        page.write_text(text)
    if not page.exists() or page.read_text() != text:
        problems.append(f"{page.name}: differs; renew it with --renew")
    print(*problems, f"{len(rows)} constructs, {len(entry)} entry points, {len(problems)} problems", sep="\n")
    return 1 if problems else 0


sys.exit(main())
