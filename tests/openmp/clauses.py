#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the programs of clauses/ natively and for psim, and runs them on 16 SIMD-PEs. Both must print the same, with and without
PSIM_OMP_VERIFY, and those of CYCLES also under psim run. The code must not depend on -g.

clauses.py PSIM [NAME…]

PSIM_OMP_CC, PSIM_OMP_CXX and PSIM_OMP_FC name other commands than psim-sparc-cc -O3 -fopenmp -fcompare-debug and the like. Loops that run on the
scalar core are messages of the runtime, and counted: clauses/scalar_loops.txt has their number for each program."""
import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

psim = pathlib.Path(sys.argv[1]).resolve()
folder = pathlib.Path(__file__).resolve().parent / "clauses"
COMPILERS = {".c": ("gcc", "PSIM_OMP_CC", "psim-sparc-cc"), ".cpp": ("g++", "PSIM_OMP_CXX", "psim-sparc-cxx"),
             ".f90": ("gfortran", "PSIM_OMP_FC", "psim-sparc-f90")}
CYCLES = ("shapes.c", "sections.f90", "narrow.c", "teams.c")  # run on the cycle-level core, too


def run(command, **environment):
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, env={**os.environ, "OMP_NUM_THREADS": "1", **environment})
    return done.returncode, done.stdout, done.stderr


def check(source, directory):
    """Returns the loops that ran on the scalar core, and what is wrong."""
    native, variable, wrapper = COMPILERS[source.suffix]
    guest = shlex.split(os.environ.get(variable, "")) or [str(psim.parent / wrapper), "-O3", "-fopenmp", "-fcompare-debug"]
    programs = {}
    for build, command in {"native": [native, "-O1", "-fopenmp", "-foffload=disable", "-ffp-contract=off"], "guest": guest}.items():
        modules = pathlib.Path(directory, build, source.stem)
        modules.mkdir(parents=True)
        where = ["-J", modules] if source.suffix == ".f90" else []
        programs[build] = modules / "program"
        status, _, errors = run([*command, "-w", *where, "-o", programs[build], source, "-lm"])
        if status:
            return [], [f"{source.name}, {build}: {errors}"]
    status, expected, errors = run([programs["native"]])
    problems = [f"{source.name}, natively: status {status} {errors}"] if status else []
    for words, verify in [(["exec"], "0"), (["exec"], "1")] + [(["run", "--inherit-env"], "0")] * (source.name in CYCLES):
        status, output, errors = run([psim, *words, "--quiet", "--machine", "simd16", programs["guest"]], PSIM_OMP_VERIFY=verify,
                                     PSIM_OMP_LOOPS="pes")
        if status or output != expected:
            differ = [f"{a} / {b}" for a, b in zip(expected.splitlines(), output.splitlines()) if a != b]
            problems.append(f"{source.name}, {words}, PSIM_OMP_VERIFY={verify}: status {status}, native / psim: {differ}; {errors}")
        loops = [line for line in errors.splitlines() if "runs on the scalar core" in line]
        problems += [f"{source.name}: no line: {line}" for line in loops if "(line 0)" in line]
        problems += [f"{source.name}: unexpected message: {line}" for line in errors.splitlines() if line not in loops]
    return loops, problems


def main():
    sources = sorted(path for path in folder.iterdir() if path.suffix in COMPILERS and (path.stem in sys.argv[2:] or not sys.argv[2:]))
    counts = dict(re.findall(r"^(\S+) (\d+)$", (folder / "scalar_loops.txt").read_text(), re.M))
    problems = []
    with tempfile.TemporaryDirectory() as directory, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for source, (loops, wrong) in zip(sources, pool.map(lambda source: check(source, directory), sources)):
            problems += wrong
            if str(len(loops)) != counts.get(source.name):
                problems.append(f"{source.name} {len(loops)}: scalar_loops.txt has {counts.get(source.name)}:\n" + "\n".join(loops))
    print(*problems, f"{len(sources)} programs, {len(problems)} problems", sep="\n")
    return 1 if problems else 0


sys.exit(main())
