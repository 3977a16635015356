#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times of paper 003 table 2 beside ours: the kernels of workloads/kernels/paper on sparc64v and simd16, with the
paper's assumption that every scalar access hits the first-level cache.

  benches/table2.py [--psim PROGRAM]      N = 1024 by fit from N = 64, 128, 256 (a minute)
  benches/table2.py --full                … and by running it (half an hour)

The fit is a n³ + b n² + c n through the three sizes. Nothing is decided here: tiles,
unrolling and flags are in docs/decisions/0018, parameters in the machine files.
"""
import argparse
import json
import os
import pathlib
import subprocess
import tempfile

from measure import PSIM, compile_kernel

FLAGS = ["-O3", "-mcpu=niagara3", "-funroll-loops", "-fno-tree-vectorize",
         "-fno-tree-loop-distribute-patterns", "-fcx-limited-range"]
# name: scalar ms, SIMD ms, ratio
PAPER = {"dgemm": (368.9, 53.12, 6.9), "zgemm": (1114.6, 185.82, 6.0), "fft": (0.1764, 0.0668, 2.6)}
SIZES = (64, 128, 256)


def milliseconds(psim, program, mode, order):
    machine = "simd16" if mode == "simd" else "sparc64v"
    with tempfile.NamedTemporaryFile(suffix=".json") as result:
        subprocess.run([psim, "run", "--quiet", "--machine", machine, "--set", "l1d.prefetch=perfect", "--json", result.name,
                        program, mode, str(order)], check=True, stdout=subprocess.DEVNULL)
        region = json.load(open(result.name))["regions"][0]
    return region["cycles"] / 2e6


def fitted(points, order):
    """a n³ + b n² + c n through three points (n, t), at `order`."""
    total = 0.0
    for n, t in points:  # Lagrange, of t / n, which is a parabola
        term = t / n
        for m, _ in points:
            if m != n:
                term *= (order - m) / (n - m)
        total += term
    return total * order


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--psim", default=PSIM, type=pathlib.Path)
    parser.add_argument("--full", action="store_true", help="run N = 1024 too")
    options = parser.parse_args()
    psim = options.psim.resolve()
    print(f"{'kernel':<8}{'mode':<9}{'paper ms':>10}{'fit ms':>10}{'error':>8}" + (f"{'run ms':>10}{'error':>8}" if options.full else ""))
    with tempfile.TemporaryDirectory(prefix="psim-table2-") as scratch:
        os.chdir(scratch)
        for name, (scalar, simd, ratio) in PAPER.items():
            compile_kernel("paper/" + name, FLAGS, name)
            ours = {}
            for mode, paper in (("scalar", scalar), ("simd", simd)):
                if name == "fft":
                    fit = milliseconds(psim, "./fft", mode, 1024)  # small enough to run
                else:
                    fit = fitted([(n, milliseconds(psim, f"./{name}", mode, n)) for n in SIZES], 1024)
                line = f"{name:<8}{mode:<9}{paper:>10.5g}{fit:>10.5g}{100 * (fit / paper - 1):>+7.1f}%"
                ours[mode] = fit
                if options.full:
                    run = milliseconds(psim, f"./{name}", mode, 1024)
                    line += f"{run:>10.5g}{100 * (run / paper - 1):>+7.1f}%"
                    ours[mode] = run
                print(line, flush=True)
            mine = ours["scalar"] / ours["simd"]
            print(f"{name:<8}{'ratio':<9}{ratio:>10}{mine:>10.3g}{100 * (mine / ratio - 1):>+7.1f}%", flush=True)


if __name__ == "__main__":
    main()
