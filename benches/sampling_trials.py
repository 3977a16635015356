#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Accuracy of sampled runs: for each program one run in all cycles, and sampled runs with several seeds.

  benches/sampling_trials.py [--psim PATH] [--seeds N] [--first-seed N] [--only NAME …] [--energy] [--long] [--expert] [--pes]
                           [--plain] [--programs FOLDER] [--limit N]

Prints, for each program, instructions, the mean and the largest error of the cycles, the intervals that hold the true cycles, the CPU times,
and how many times as fast the sampled run is, in CPU time and on the wall clock. With --energy the same for the joules. The goal is at least 90 of 100 intervals, and a mean error below 2 %. --long adds a program
of 10^9 instructions, whose run in all cycles takes minutes. --expert runs the kernels of workloads/kernels/expert instead, and --pes all programs
on SIMD-PEs, with a full run before each sampled one, so that their CPU times are comparable on a busy machine. --plain makes full runs
step each cycle (--no-memoize), as sampled ones do in their windows. --programs runs all static programs of a folder, such as those
of another suite, without arguments, and leaves out those of less than 2 million instructions; --limit ends each after N instructions. Needs sparc64-linux-gnu-gcc.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from measure import PSIM, ROOT

SIMD = ["--machine", "simd16"]
# Name, source (or built kernel), options of psim, arguments.
PROGRAMS = [
    ("dgemm", "workloads/kernels/dgemm.c", [], ["120"]),
    ("dgemm_blocked", "workloads/kernels/dgemm_blocked.c", [], ["176"]),
    ("sieve", "workloads/kernels/sieve.c", [], ["400000"]),
    ("pointer_chase", "workloads/kernels/pointer_chase.c", [], ["60000", "400000"]),
    ("filter", "tests/golden/programs/filter.c", [], []),
    ("containers of pointers", "tests/golden/programs/pointers.c", [], []),
    ("sort of integers", "tests/golden/programs/sort.c", [], []),
    ("text", "tests/golden/programs/text.c", [], []),
    *((name, "benches/trial_programs.c", [], [name, repetitions]) for name, repetitions in (
        ("crc", "60"), ("words", "4"), ("matrix", "10"), ("states", "90"), ("bodies", "90"), ("pairs", "30"), ("sort", "6"),
        ("gradient", "12"), ("stencil", "10"))),
    ("bursts", "tests/sample/bursts.c", [], ["120"]),
    ("target loops, 16 PEs", "tests/sample/loops.c", SIMD, ["200"]),
    ("paper dgemm, 16 PEs", "paper/dgemm", SIMD, ["simd", "256"]),
    ("paper zgemm, 16 PEs", "paper/zgemm", SIMD, ["simd", "192"]),
    ("paper dgemm, scalar", "paper/dgemm", ["--set", "l1d.prefetch=perfect"], ["scalar", "128"]),
]
# Kernels written by hand for the core, whose loops have few causes of variation.
EXPERT = [
    ("expert dgemm, scalar", "expert/dgemm", [], ["scalar", "128"]),
    ("expert zgemm, scalar", "expert/zgemm", [], ["scalar", "128"]),
    ("expert fft, scalar", "expert/fft", [], ["scalar", "1024"]),
    ("expert stencil, scalar", "expert/stencil", [], ["scalar", "64"]),
    ("expert daxpy, scalar", "expert/daxpy", [], ["scalar", "262144"]),
    ("expert triad, scalar", "expert/triad", [], ["scalar", "262144"]),
    ("expert dgemm, 16 PEs", "expert/dgemm", SIMD, ["simd", "256"]),
    ("expert zgemm, 16 PEs", "expert/zgemm", SIMD, ["simd", "192"]),
    ("expert fft, 16 PEs", "expert/fft", SIMD, ["simd", "1024"]),
    ("expert stencil, 16 PEs", "expert/stencil", SIMD, ["simd", "64"]),
    ("expert daxpy, 16 PEs", "expert/daxpy", [*SIMD, "--set", "l1d.prefetch=perfect"], ["simd", "524288"]),
    ("expert triad, 16 PEs", "expert/triad", SIMD, ["simd", "262144"]),
]
LONG = ("sieve, long", "workloads/kernels/sieve.c", [], ["66000000"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--psim", default=PSIM)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--energy", action="store_true")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--expert", action="store_true")
    parser.add_argument("--pes", action="store_true")
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--programs")
    parser.add_argument("--limit")
    options = parser.parse_args()
    options.psim = os.path.abspath(options.psim)
    rows = EXPERT if options.expert else PROGRAMS + ([LONG] if options.long else [])
    if options.pes:
        rows = [row for row in PROGRAMS + EXPERT if row[2][:2] == SIMD]
    if options.programs:
        rows = [(name, os.path.abspath(os.path.join(options.programs, name)), [], []) for name in sorted(os.listdir(options.programs))]
    programs = [row for row in rows if not options.only or row[0] in options.only]
    extra = (["--energy"] if options.energy else []) + (["--max-instructions", options.limit] if options.limit else [])
    plain = ["--no-memoize"] if options.plain else []
    kernels = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(options.psim))), "share/psim/kernels")
    held, errors, joules_held, joules_errors, ratios = [], [], [], [], []
    print(f"{'program':24}{'instructions':>14}{'mean error':>12}{'largest':>10}{'held':>8}{'full, s':>9}{'sampled, s':>12}{'ratio':>7}{'wall':>7}")
    with tempfile.TemporaryDirectory(prefix="psim-trials-") as folder:
        def run(name, source, machine, arguments, *sample):
            program = os.path.join(folder, os.path.basename(source).removesuffix(".c"))
            if not source.endswith(".c"):
                program = os.path.join(kernels, source)
            elif not os.path.exists(program):
                compiler = [os.path.join(os.path.dirname(options.psim), "psim-sparc-cc"), "-fopenmp"] if "loops" in source else ["sparc64-linux-gnu-gcc"]
                subprocess.run([*compiler, "-O2", "-static", "-I", str(ROOT / "workloads/include"), str(ROOT / source), "-o",
                                program, "-lm"], check=True)
            result = os.path.join(folder, "result.json")
            pathlib.Path(result).unlink(missing_ok=True)
            done = subprocess.run([options.psim, "run", "--quiet", *machine, *extra, *sample, "--json", result, program, *arguments],
                                  capture_output=True, cwd=folder, stdin=subprocess.DEVNULL, check=False)
            if not os.path.exists(result) or (done.returncode not in (0, 3, 124) and not options.programs):
                sys.exit(f"{name}: {done.stderr.decode()}")
            with open(result, encoding="utf-8") as file:
                return json.load(file)

        for row in programs:
            fulls = [run(*row, *plain)]
            full = fulls[0]
            if options.programs and full["instructions"] < 2_000_000:
                continue
            mine, mine_held, seconds, wall = [], [], 0, 0
            for seed in range(options.first_seed, options.first_seed + options.seeds):
                if options.pes and seed != options.first_seed:
                    fulls.append(run(*row, *plain))
                sampled = run(*row, "--sample", "--sample-seed", str(seed))
                low, high = sampled["cycles_interval"]
                mine.append(sampled["cycles"] / full["cycles"] - 1)
                mine_held.append(low <= full["cycles"] <= high)
                seconds += sampled["host"]["cpu_seconds"] / options.seeds
                wall += sampled["host"]["wall_seconds"] / options.seeds
                if options.energy:
                    low, high = sampled["energy"]["total_joules_interval"]
                    truth = full["energy"]["total_joules"]
                    joules_errors.append(abs(sampled["energy"]["total_joules"] / truth - 1))
                    joules_held.append(low * (1 - 1e-9) <= truth <= high * (1 + 1e-9))
            held += mine_held
            full_seconds, full_wall = (statistics.mean(one["host"][key] for one in fulls) for key in ("cpu_seconds", "wall_seconds"))
            ratios.append(full_seconds / seconds)
            errors += [abs(error) for error in mine]
            print(f"{row[0]:24}{full['instructions']:>14}{100 * sum(mine) / len(mine):>11.2f} %{100 * max(map(abs, mine)):>8.2f} %"
                  f"{sum(mine_held):>5}/{len(mine_held)}{full_seconds:>9.2f}{seconds:>12.2f}"
                  f"{full_seconds / seconds:>7.1f}{full_wall / wall:>7.1f}", flush=True)
    print(f"{len(held)} trials: {sum(held)} intervals hold the true cycles; mean error {100 * sum(errors) / len(errors):.2f} %; "
          f"median ratio {statistics.median(ratios):.1f}")
    if options.energy:
        print(f"energy: {sum(joules_held)} of {len(joules_held)}; mean error {100 * sum(joules_errors) / len(joules_errors):.2f} %")


if __name__ == "__main__":
    main()
