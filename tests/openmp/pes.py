#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the kernels of workloads/openmp with psim-sparc-cc and psim-sparc-f90, and runs them on 16 SIMD-PEs at their test sizes.

pes.py PSIM [--renew]

Each must print what its native build prints, without a message but these: the loops that run on the scalar core, with the reason.
scalar_loops.txt holds those lines; --renew writes it. Each runs twice: in the second run the scalar core
computes each loop of the PEs, too, and the results are compared (PSIM_OMP_VERIFY). The kernels of workloads/kernels/polybench must print
the same checksums."""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import native  # noqa: E402
from definitions import CHECKSUMS  # noqa: E402

WRAPPERS = {"c": "psim-sparc-cc", "fortran": "psim-sparc-f90"}
HEADER = """# Loops of target regions of workloads/openmp that run on the scalar core: SOURCE: LOOP: REASON.
# Written by tests/openmp/pes.py PSIM --renew; it compares each run with these lines.
"""

psim = pathlib.Path(sys.argv[1]).resolve()
records = pathlib.Path(__file__).resolve().parent / "scalar_loops.txt"


def check(name, language, _, test, directory):
    """Returns the lines of the loops that ran on the scalar core, and what is wrong."""
    compiler, ending, _ = native.COMPILERS[language]
    source = name + ending
    plain, complaint = native.build(compiler, ["-O1", "-w"], name, language, pathlib.Path(directory, "native"))
    if complaint:
        return [], [f"{source}, natively: {complaint}"]
    guest, complaint = native.build(psim.parent / WRAPPERS[language], ["-O3", "-fopenmp"], name, language, pathlib.Path(directory, "pes"))
    if complaint:
        return [], [f"{source}, {WRAPPERS[language]}: {complaint}"]
    _, expected, _ = native.run(plain, str(test))
    problems = []
    for verify in "0", "1":
        done = subprocess.run([psim, "exec", "--quiet", "--machine", "simd16", guest, str(test)], capture_output=True, text=True,
                              timeout=100, env={**os.environ, "PSIM_OMP_VERIFY": verify})
        if done.returncode or done.stdout != expected:
            problems.append(f"{source}, PSIM_OMP_VERIFY={verify}: status {done.returncode}, printed {done.stdout!r}, natively {expected!r}; "
                            f"{done.stderr}")
        loops = []
        for line in done.stderr.splitlines():
            if found := re.fullmatch(r"psim_omp: (.*) runs on the scalar core: (.*)", line):
                loops.append(f"{source}: {found[1]}: {found[2]}")
            else:
                problems.append(f"{source}, PSIM_OMP_VERIFY={verify}: unexpected message: {line}")
    return loops, problems


def check_by_hand(directory):
    """Returns what is wrong with the kernels whose calls of the PEs are written by hand."""
    problems, size = [], 32
    for source in sorted((native.root.parent / "kernels/polybench").glob("*.c")):
        program = pathlib.Path(directory, source.stem)
        built = subprocess.run([psim.parent / WRAPPERS["c"], "-O3", "-Wall", "-Wextra", "-Werror", "-o", program, source],
                               capture_output=True, text=True)
        done = subprocess.run([psim, "exec", "--quiet", program, str(size)], capture_output=True, text=True) if not built.returncode else built
        expected = f"{source.stem} n={size} checksum={CHECKSUMS[source.stem](size)}\n"
        if (done.returncode, done.stdout, done.stderr) != (0, expected, ""):
            problems.append(f"by hand, {source.name}: expected {expected!r}: {done}")
    return problems


def main():
    rows = list(native.kernels())
    problems, loops = [], []
    with tempfile.TemporaryDirectory() as directory, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for found, wrong in pool.map(lambda row: check(*row, directory), rows):
            loops += found
            problems += wrong
        problems += check_by_hand(directory)
    if "--renew" in sys.argv:
        records.write_text(HEADER + "".join(f"{line}\n" for line in loops))
    expected = [line for line in records.read_text().splitlines() if not line.startswith("#")]
    problems += [f"{records.name}: runs on the scalar core, and is not listed: {line}" for line in loops if line not in expected]
    problems += [f"{records.name}: does not run on the scalar core: {line}" for line in expected if line not in loops]
    print(*problems, f"{len(rows)} kernels, {len(loops)} loops on the scalar core, {len(problems)} problems", sep="\n")
    return 1 if problems else 0


sys.exit(main())
