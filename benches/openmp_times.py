#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cycles and energy of the target regions of workloads/openmp, on 16 SIMD-PEs and on the scalar core, as a Markdown table.

  benches/openmp_times.py [--psim PATH] [KERNEL…]

Needs sparc64-linux-gnu-gcc and -gfortran. KERNEL is a name of workloads/openmp/kernels.txt, for example polybench/gemm; without one,
all of Polybench run. Both columns come from one binary: machine simd16 executes the loops on its PEs, machine sparc64v, which has
none, on the scalar core; both with an L1 cache without misses (l1d.prefetch=perfect). "by hand" is the kernel of
workloads/kernels/polybench with the same loops, whose transfers and calls of the PEs are written by hand.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from measure import PSIM, ROOT

WRAPPERS = {"c": ("psim-sparc-cc", ".c"), "fortran": ("psim-sparc-f90", ".f90")}


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(str(word) for word in command)}: status {done.returncode}\n{done.stderr}")
    return done.stdout, done.stderr


def build(tool, options, source, directory):
    directory.mkdir(parents=True)
    modules = ["-J", directory] if source.suffix == ".f90" else []
    run(tool, "-O3", *options, "-w", *modules, "-o", directory / "program", source)
    return directory / "program"


def measure(psim, machine, program):
    """Returns the program's output and, over all regions, cycles, joules, loops, and those loops of them that the scalar core executes."""
    result = program.with_name(machine + ".json")
    output, messages = run(psim, "run", "--quiet", "--energy", "--machine", machine, "--set", "l1d.prefetch=perfect", "--env", "PSIM_OMP_LOOPS=pes", "--json", result, program)
    regions = json.loads(result.read_text())["regions"]
    return (output, sum(region["cycles"] for region in regions), sum(region["energy_joules"] for region in regions),
            len({region["name"] for region in regions}), messages.count("runs on the scalar core"))


def row(psim, name, language, directory):
    tool, ending = WRAPPERS[language]
    source = ROOT / "workloads/openmp" / (name + ending)
    program = build(psim.parent / tool, ["-fopenmp"], source, directory / language / name)
    output, cycles, joules, loops, scalar_loops = measure(psim, "simd16", program)
    same, scalar, scalar_joules, _, _ = measure(psim, "sparc64v", program)
    if output != same:
        sys.exit(f"{name}: printed {output} on simd16, {same} on sparc64v")
    hand = ROOT / "workloads/kernels" / (name + ".c")
    by_hand = ""
    if hand.parent.name == "polybench" and hand.exists():
        other, by_hand, _, _, _ = measure(psim, "simd16", build(psim.parent / "psim-sparc-cc", [], hand, directory / "hand" / name))
        if other != output:
            sys.exit(f"{name}: printed {output}, by hand {other}")
    size = output.split("n=")[1].split()[0]
    return (f"| {pathlib.Path(name).name}{ending if language == 'fortran' else ''}, {size} | {loops - scalar_loops} of {loops} | {cycles} | {by_hand} "
            f"| {scalar} | {scalar / cycles:.1f} | {1e6 * joules:.1f} | {1e6 * scalar_joules:.1f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--psim", default=PSIM)
    parser.add_argument("kernels", nargs="*", metavar="KERNEL")
    options = parser.parse_args()
    lines = [line.split()[:2] for line in (ROOT / "workloads/openmp/kernels.txt").read_text().splitlines() if line and line[0] != "#"]
    names = {name for name, _ in lines}
    for name in options.kernels:
        if name not in names:
            sys.exit(f"openmp_times: {name}: expected one of {', '.join(sorted(names))}")
    chosen = [line for line in lines if (line[0] in options.kernels if options.kernels else line[0].startswith("polybench/"))]
    print("| kernel, N | loops on PEs | cycles, 16 PEs | by hand | cycles, scalar | ratio | µJ, 16 PEs | µJ, scalar |\n|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for line in pool.map(lambda one: row(pathlib.Path(options.psim).resolve(), *one, pathlib.Path(scratch)), chosen):
            print(line, flush=True)


if __name__ == "__main__":
    main()
