#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cycles of target loops on 16 SIMD-PEs, on the scalar core, and where the runtime chooses, as a Markdown table.

  benches/openmp_choice.py [--psim PATH] [--set KEY=VALUE]… [--brief] [--jobs N] [SOURCE…]

Without SOURCE: the programs of workloads/openmp, tests/openmp/clauses (but edges.c) and benches/openmp_loops.c. Each is built once and runs three times
on machine simd16, with PSIM_OMP_LOOPS=pes, scalar and auto; the times are the cycles of its regions. Loops that cannot run on the PEs
are counted and left out. A loop that runs several times is one row, with the sum. The first lines below the table have, over its rows, the
median and geometric mean of the scalar core's time by that of the choice, and the share of loops below 0.95 of the scalar core's speed; then
the same with each number of iterations of a loop by itself. --brief prints only the rows below 0.95 and these lines. --jobs: programs at once;
one for each processor without it. Needs the cross compilers for sparc64.
"""
import argparse
import collections
import concurrent.futures
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

from measure import PSIM, ROOT

WRAPPERS = {".c": "psim-sparc-cc", ".cpp": "psim-sparc-cxx", ".f90": "psim-sparc-f90"}
PLACES = ("pes", "scalar", "auto")
SLOWER = 0.95
LONG = "edges.c"  # its loops of 100,000 iterations take longer than those of all other tests


def run(command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(str(word) for word in command)}: status {done.returncode}\n{done.stderr}")
    return done.stdout, done.stderr


def sources():
    folders = ROOT / "workloads/openmp", ROOT / "workloads/openmp/polybench", ROOT / "tests/openmp/clauses"
    found = [path for folder in folders for path in sorted(folder.iterdir()) if path.suffix in WRAPPERS and path.name != LONG]
    return [*found, ROOT / "benches/openmp_loops.c"]


def measured(psim, settings, source, directory):
    """Returns a row (loop, cycles by place, times on the PEs and on the scalar core of the choice) for each loop, the cycles by place of each
    loop and number of iterations, and the loops left out."""
    own = directory / (source.parent.name + source.name)
    own.mkdir()
    modules = ["-J", own] if source.suffix == ".f90" else []
    run([psim.parent / WRAPPERS[source.suffix], "-O3", "-fopenmp", "-w", *modules, "-o", own / "program", source, "-lm"])
    by_size, cycles, outputs, left_out, chosen = {}, {}, {}, set(), {}
    for place in PLACES:
        result = own / f"{place}.json"
        outputs[place], messages = run([psim, "run", "--quiet", "--machine", "simd16", *settings, "--env", f"PSIM_OMP_LOOPS={place}", "--env",
                                        "PSIM_OMP_REPORT=1", "--json", result, own / "program"])
        by_size[place] = {(region["name"], *region["args"]): region["cycles"] for region in json.loads(result.read_text())["regions"]}
        cycles[place] = collections.Counter()
        for (name, *_), taken in by_size[place].items():
            cycles[place][name] += taken
        counts = re.findall(r"^psim_omp: report: (.*): (\d+) times on the PEs, (\d+) on", messages, re.M)
        if place == "pes":
            left_out = {name for name, on_pes, on_scalar in counts if int(on_scalar)} | (set(cycles[place]) - {name for name, *_ in counts})
        if place == "auto":
            chosen = {name: (int(on_pes), int(on_scalar)) for name, on_pes, on_scalar in counts}
    if outputs["auto"] != outputs["pes"] and outputs["auto"] != outputs["scalar"]:
        print(f"openmp_choice: {source.name}: prints different results by place", file=sys.stderr)
    rows = [(name, {place: cycles[place][name] for place in PLACES}, chosen[name]) for name in cycles["scalar"] if name not in left_out]
    sizes = [(size, {place: by_size[place][size] for place in PLACES}, None) for size in by_size["scalar"] if size[0] not in left_out]
    return rows, sizes, sorted(left_out)


def summary(rows, place):
    ratios = [times["scalar"] / times[place] for _, times, _ in rows if times[place]]
    slower = sum(ratio < SLOWER for ratio in ratios)
    mean = math.exp(statistics.fmean(math.log(ratio) for ratio in ratios))
    return (f"median {statistics.median(ratios):.2f}, geometric mean {mean:.2f}, least {min(ratios):.2f}, {slower} of {len(ratios)} "
            f"({100 * slower / len(ratios):.1f} %) below {SLOWER}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--psim", default=PSIM)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--brief", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N")
    parser.add_argument("sources", nargs="*", metavar="SOURCE", type=pathlib.Path)
    options = parser.parse_args()
    settings = [word for value in options.set for word in ("--set", value)]
    rows, sizes, left_out = [], [], 0
    print("| loop | on PEs | on the scalar core | as chosen | scalar / chosen | choice |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        jobs = [pool.submit(measured, pathlib.Path(options.psim).resolve(), settings, source.resolve(), pathlib.Path(scratch))
                for source in options.sources or sources()]
        for job in jobs:
            found, found_sizes, missing = job.result()
            left_out += len(missing)
            sizes += found_sizes
            for name, times, (on_pes, on_scalar) in found:
                rows.append((name, times, (on_pes, on_scalar)))
                ratio = times["scalar"] / max(times["auto"], 1)
                choice = "both" if on_pes and on_scalar else "PEs" if on_pes else "scalar core"
                if not options.brief or ratio < SLOWER:
                    print(f"| {name} | {times['pes']} | {times['scalar']} | {times['auto']} | {ratio:.2f} | {choice} |", flush=True)
    if not rows:
        sys.exit("openmp_choice: no loop can run on the PEs")
    cold = sum(times["scalar"] < SLOWER * times["auto"] and not on_pes for _, times, (on_pes, _) in rows)
    better = sum(times["auto"] > min(times["pes"], times["scalar"]) / SLOWER for _, times, _ in rows)
    print(f"\n{len(rows)} loops, and {left_out} that cannot run on the PEs. Time on the scalar core by that of the choice: {summary(rows, 'auto')}.")
    print(f"Each number of iterations by itself: {summary(sizes, 'auto')}.")
    print(f"{cold} of the slower ones ran on the scalar core in both runs. Their caches differ: PEs write to memory.")
    print(f"If all of them ran on the PEs: {summary(rows, 'pes')}.")
    print(f"{better} of {len(rows)} would be faster elsewhere by more than 5 %.")


if __name__ == "__main__":
    main()
