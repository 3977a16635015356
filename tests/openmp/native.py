#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles the kernels of workloads/openmp with the host's gcc and gfortran, with and without -fopenmp, and runs them at their
test sizes. Both builds, and both languages, must print the same line; those of Polybench the checksum of definitions.py."""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # leaves no __pycache__ in the source tree
from definitions import CHECKSUMS  # noqa: E402

SKIPPED = 77
COMPILERS = {"c": ("gcc", ".c", []), "fortran": ("gfortran", ".f90", ["-Wno-compare-reals"])}
THREADS = "3"  # unequal shares of most loops

root = pathlib.Path(__file__).resolve().parents[2] / "workloads/openmp"


def kernels():
    for line in (root / "kernels.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, language, default, test = line.split()
            yield name, language, int(default), int(test)


def run(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "OMP_NUM_THREADS": THREADS})
    return done.returncode, done.stdout, done.stderr


def check(name, language, default, test, directory):
    """Returns the line that the kernel prints at its test size, and what is wrong."""
    compiler, ending, flags = COMPILERS[language]
    lines, problems = {}, []
    for build, options in (("openmp", ["-fopenmp", "-foffload=disable", "-Wall", "-Wextra", "-Werror"]), ("plain", ["-w"])):
        program = pathlib.Path(directory, build, language, name)
        program.parent.mkdir(parents=True, exist_ok=True)
        modules = tempfile.mkdtemp(dir=directory)
        where = ["-J", modules] if language == "fortran" else []
        command = [compiler, "-O2", *options, *flags, *where, "-o", program, root / (name + ending), "-lm"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            return "", [f"{name}{ending}, {build}: {done.stderr}"]
        status, lines[build], errors = run(program, str(test))
        start = f"{pathlib.Path(name).name} n={test} "
        if status or not lines[build].startswith(start):
            problems.append(f"{name}{ending}, {build}: status {status}, printed {lines[build]!r}, expected {start!r}; {errors}")
        folder, _, kernel = name.rpartition("/")
        expected = f" checksum={CHECKSUMS[kernel](test)}\n" if folder else " wrong=0 "
        if expected not in lines[build]:
            problems.append(f"{name}{ending}, {build}: printed {lines[build]!r}, expected {expected!r}")
    for words in (["0"], ["x"], [str(test), "1"]):
        status, output, errors = run(program, *words)
        if status != 2 or output or f"[N = {default}]" not in errors:
            problems.append(f"{name}{ending} {words}: status {status}, printed {output!r} {errors!r}, expected the usage")
    if lines["openmp"] != lines["plain"]:
        problems.append(f"{name}{ending}: with OpenMP {lines['openmp']!r}, without {lines['plain']!r}")
    return lines["openmp"], problems


def main():
    for compiler, _, _ in COMPILERS.values():
        if not shutil.which(compiler):
            print(f"no {compiler}")
            return SKIPPED
    rows = list(kernels())
    listed = {name + COMPILERS[language][1] for name, language, _, _ in rows}
    sources = {str(path.relative_to(root)) for ending in ("*.c", "*.f90") for path in root.rglob(ending)}
    problems = [f"{name}: is not in kernels.txt" for name in sorted(sources - listed)]
    results = {}
    with tempfile.TemporaryDirectory() as directory, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for row, (line, wrong) in zip(rows, pool.map(lambda row: check(*row, directory), rows)):
            name, language, _, _ = row
            problems += wrong
            if results.setdefault(name, line) != line:
                problems.append(f"{name}: {language} printed {line!r}, the other language {results[name]!r}")
    print(*problems, f"{len(rows)} kernels, {len(problems)} problems", sep="\n")
    return 1 if problems else 0


sys.exit(main())
