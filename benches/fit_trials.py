#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Accuracy of fitted models: twelve kernels (fit_programs.c) are fitted from small sizes, whose data lie in the first or second cache, and predict
four times the largest size that was given, or that psim has added. A run in all cycles of that size gives the error.

  benches/fit_trials.py [--psim PATH] [--only NAME …] [--into FOLDER]

Prints, for each kernel, the sizes given and added, the predicted size, the error of the prediction, the interval relative to it, and whether
it holds the run. The goal is a median error of at most 5 %, none above 15 %, 95 % of the intervals, and intervals narrower than 15 %.
"""
import argparse
import json
import statistics
import subprocess
import tempfile
from pathlib import Path

from measure import PSIM, ROOT

# Kernel, sizes, and the largest size that a prediction may have for the run in all cycles to take minutes.
KERNELS = {
    "stencil": "32 48 64 80 96 112 128",
    "spmv": "500 1000 1500 2000 3000 4000",
    "fft": "256 512 1024 2048 4096 8192",
    "lu": "24 32 48 64 80 96 112",
    "cholesky": "24 32 48 64 80 96 112",
    "quicksort": "1000 2000 3000 4000 6000 8000 12000",
    "bfs": "1000 2000 3000 4000 6000 8000",
    "hashjoin": "1000 2000 3000 4000 6000 8000",
    "nbody": "64 96 128 192 256",
    "montecarlo": "1000 2000 4000 8000 16000",
    "histogram": "2000 4000 6000 8000 12000 16000",
    "transpose": "32 48 64 80 96 112 128",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--psim", default=PSIM)
    parser.add_argument("--only", nargs="*", default=list(KERNELS))
    parser.add_argument("--into", help="keep the points in this folder")
    options = parser.parse_args()
    errors, widths, held = [], [], 0
    print(f"{'kernel':12}{'given':>14}{'added':>30}{'predicted':>11}{'pieces':>8}{'error':>9}{'interval':>19}{'held':>6}")
    with tempfile.TemporaryDirectory(prefix="psim-fit-") as folder:
        program = Path(folder, "fit_programs")
        points = options.into or folder + "/points"
        subprocess.run(["sparc64-linux-gnu-gcc", "-O2", "-static", "-I", ROOT / "workloads/include", ROOT / "benches/fit_programs.c", "-o", program,
                        "-lm"], check=True)
        for kernel in options.only:
            given = [int(word) for word in KERNELS[kernel].split()]
            result = Path(folder, "result.json")
            target = 4 * given[-1]
            subprocess.run([options.psim, "fit", "--quiet", "--into", points, "--region", kernel, "--args", KERNELS[kernel], "--predict", str(target),
                            "--json", result, program, kernel, "{}"], check=True)
            region = json.loads(result.read_text())["regions"][0]
            added = [point["args"][0] for point in region["points"] if point.get("added")]
            predicted = region["predictions"][0]["cycles"]
            subprocess.run([options.psim, "run", "--quiet", "--json", result, program, kernel, str(target)], check=True, stdout=subprocess.DEVNULL)
            cycles = next(row["cycles"] / row["executions"] for row in json.loads(result.read_text())["regions"])
            low, high = predicted["interval"]
            errors.append(predicted["value"] / cycles - 1)
            widths.append((high - low) / 2 / predicted["value"])
            held += low <= cycles <= high
            print(f"{kernel:12}{f'{given[0]}…{given[-1]}':>14}{' '.join(map(str, added)):>30}{target:>11}{region['pieces']:>8}{100 * errors[-1]:>8.1f}%"
                  f"{100 * (low / cycles - 1):>8.1f} …{100 * (high / cycles - 1):>7.1f}%{'yes' if low <= cycles <= high else 'no':>6}", flush=True)
    sizes = [abs(error) for error in errors]
    print(f"median |error| {100 * statistics.median(sizes):.1f} %, largest {100 * max(sizes):.1f} %; {held} of {len(errors)} intervals hold; "
          f"median half width {100 * statistics.median(widths):.1f} %, largest {100 * max(widths):.1f} %")


if __name__ == "__main__":
    main()
