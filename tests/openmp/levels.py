#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds kernels of workloads/openmp at each optimisation level. Each must print what its native build prints. With -O0 and -Og all
loops must run on the scalar core, and compiler and runtime must name the level that is needed. The same holds for Fortran with -O1.
With all other levels, they run on the PEs.

levels.py PSIM"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import native  # noqa: E402

psim = pathlib.Path(sys.argv[1]).resolve()
WRAPPERS = {"c": "psim-sparc-cc", "fortran": "psim-sparc-f90"}
KERNELS = {("dgemm", "c"), ("dot", "c"), ("select", "c"), ("stencil", "c"), ("dgemm", "fortran"), ("select", "fortran")}
LEVELS = ["-O0"], ["-Og"], ["-g"], ["-O1"], ["-O2"], ["-Os"], ["-Ofast", "-g"], ["-O3", "-flto"]
SCALAR = (["-O0"], ["-Og"])
NEEDED = "it is compiled with -O0 or -Og; expected -O2 or -O3"
FORTRAN_O1 = "; it is compiled with -O1, and -O2 may help"  # arrays of Fortran need the optimisations of -O2
MESSAGE = re.compile(r"psim_omp: \S+ at \S+:\d+ runs on the scalar core: (.*)")


def check(name, language, options, expected, test, directory):
    """Returns what is wrong."""
    _, ending, _ = native.COMPILERS[language]
    what = f"{name}{ending} {' '.join(options)}"
    source, own = native.root / (name + ending), directory / (name + language + "".join(options))
    own.mkdir()
    program, modules = own / "program", ["-J", own] if language == "fortran" else []
    built = subprocess.run([psim.parent / WRAPPERS[language], *options, "-fopenmp", *modules, "-o", program, source], capture_output=True,
                           text=True)
    if built.returncode:
        return [f"{what}: {built.stderr}"]
    ran = subprocess.run([psim, "exec", "--quiet", program, str(test)], capture_output=True, text=True, timeout=100,
                         env={**os.environ, "PSIM_OMP_VERIFY": "1"})
    problems = [] if (ran.returncode, ran.stdout) == (0, expected) else [f"{what}: status {ran.returncode}, printed {ran.stdout!r}, "
                                                                       f"natively {expected!r}; {ran.stderr}"]
    reason = NEEDED if options in SCALAR else FORTRAN_O1 if (language, options) == ("fortran", ["-O1"]) else None
    messages = [found[1] for line in ran.stderr.splitlines() if (found := MESSAGE.fullmatch(line))]
    warned = re.findall("runs on the scalar core: (.*)", built.stderr)
    regions = len(re.findall("target.*parallel (?:do|for)", source.read_text()))
    if len(messages) != len(ran.stderr.splitlines()) or any(reason is None or reason not in line for line in messages + warned):
        problems.append(f"{what}: expected {reason or 'no messages'}: {built.stderr}{ran.stderr}")
    if reason and (len(messages), len(warned)) != (regions, regions):
        problems.append(f"{what}: {len(warned)} warnings and {len(messages)} messages, expected {regions} each")
    return problems


def main():
    problems = []
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        directory = pathlib.Path(scratch)
        jobs = []
        for name, language, _, test in native.kernels():
            if (name, language) not in KERNELS:
                continue
            program, complaint = native.build(native.COMPILERS[language][0], ["-O1", "-w"], name, language, directory / "native")
            _, expected, errors = native.run(program, str(test)) if not complaint else (1, "", complaint)
            problems += [f"{name}, natively: {errors}"] if not expected else []
            jobs += [pool.submit(check, name, language, options, expected, test, directory) for options in LEVELS]
        problems += [line for job in jobs for line in job.result()]
    print(*problems, f"{len(jobs)} builds, {len(problems)} problems", sep="\n")
    return 1 if problems or len(jobs) != len(KERNELS) * len(LEVELS) else 0


sys.exit(main())
