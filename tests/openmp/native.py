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


def build(compiler, options, name, language, directory):
    """Compiles the kernel in `directory`. Returns the program and the compiler's complaint, which is empty if it is built."""
    _, ending, flags = COMPILERS[language]
    program = pathlib.Path(directory, language, name)
    modules = program.with_name(program.name + ".modules")
    modules.mkdir(parents=True, exist_ok=True)
    where = ["-J", modules] if language == "fortran" else []
    done = subprocess.run([compiler, *options, *flags, *where, "-o", program, root / (name + ending), "-lm"],
                          capture_output=True, text=True)
    return program, done.stderr if done.returncode else ""


def run(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "OMP_NUM_THREADS": THREADS})
    return done.returncode, done.stdout, done.stderr


def check(name, language, default, test, directory):
    """Returns the line that the kernel prints at its test size, and what is wrong."""
    compiler, ending, _ = COMPILERS[language]
    lines, problems = {}, []
    for kind, options in (("openmp", ["-fopenmp", "-foffload=disable", "-Wall", "-Wextra", "-Werror"]), ("plain", ["-w"])):
        program, complaint = build(compiler, ["-O2", *options], name, language, pathlib.Path(directory, kind))
        if complaint:
            return "", [f"{name}{ending}, {kind}: {complaint}"]
        status, lines[kind], errors = run(program, str(test))
        start = f"{pathlib.Path(name).name} n={test} "
        if status or not lines[kind].startswith(start):
            problems.append(f"{name}{ending}, {kind}: status {status}, printed {lines[kind]!r}, expected {start!r}; {errors}")
        folder, _, kernel = name.rpartition("/")
        expected = f" checksum={CHECKSUMS[kernel](test)}\n" if folder else " wrong=0 "
        if expected not in lines[kind]:
            problems.append(f"{name}{ending}, {kind}: printed {lines[kind]!r}, expected {expected!r}")
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


if __name__ == "__main__":
    sys.exit(main())
