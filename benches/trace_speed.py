#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The time of recording a trace, compared with `psim exec` of the same program in the same run, and the size of traces.

  benches/trace_speed.py [--psim PSIM] [--repeat N]

CPU time of the whole process, kernel included, the best of the repetitions. Needs sparc64-linux-gnu-gcc and g++.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

from measure import PSIM, compile_kernel, cpu_seconds

SIMD = ("-O3 -mcpu=niagara3 -funroll-loops -fno-tree-vectorize -fno-tree-loop-distribute-patterns "
        "-fcx-limited-range").split()

# name, source, compiler, flags, arguments
PROGRAMS = [
    ("dgemm", "workloads/kernels/dgemm.c", "gcc", ["-O3", "-mcpu=v9"], ["256", "4"]),
    ("sieve", "workloads/kernels/sieve.c", "gcc", ["-O2"], ["4000000", "10"]),
    ("pointer_chase", "workloads/kernels/pointer_chase.c", "gcc", ["-O2"], ["65536", "20000000"]),
    ("recursion", "benches/recursion.c", "gcc", ["-O2"], ["34"]),
    ("exceptions", "tests/exec/programs/exceptions.cpp", "g++", ["-O2"], []),
    ("SIMD dgemm", "workloads/kernels/paper/dgemm.c", "gcc", SIMD, ["simd", "1024"]),
    ("SIMD fft", "workloads/kernels/paper/fft.c", "gcc", SIMD, ["simd"]),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--psim", default=PSIM)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    if shutil.which("sparc64-linux-gnu-g++") is None:
        sys.exit("trace_speed: needs sparc64-linux-gnu-gcc and g++ (Debian: gcc-sparc64-linux-gnu, g++-sparc64-linux-gnu)")
    print(f"{'program':14} {'M instr':>8} {'exec M/s':>9} {'record M/s':>10} {'record/exec':>11} {'verify M/s':>10} "
          f"{'bytes/instr':>11} {'without text':>12}")
    with tempfile.TemporaryDirectory() as scratch:
        trace, result = os.path.join(scratch, "a.trace"), os.path.join(scratch, "result.json")
        for name, source, compiler, flags, arguments in PROGRAMS:
            binary = os.path.join(scratch, name)
            compile_kernel(name, flags, binary, source, compiler)
            pairs = []  # both in turn, so that other load on the machine meets both
            for _ in range(options.repeat):
                pairs.append((cpu_seconds([options.psim, "exec", binary, *arguments], check=False),
                              cpu_seconds([options.psim, "trace", "record", "--json", result, "-o", trace, binary, *arguments],
                                          check=False)))
            executed, recorded = min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)
            verified = cpu_seconds([options.psim, "trace", "verify", trace])
            with open(result, encoding="utf-8") as file:
                body = json.load(file)
            count = body["instructions"]
            info = subprocess.run([options.psim, "trace", "info", trace], capture_output=True, text=True, check=True).stdout
            text = int(next(line.split()[1] for line in info.splitlines() if line.startswith("text_bytes")))
            print(f"{name:14} {count / 1e6:8.1f} {count / 1e6 / executed:9.0f} {count / 1e6 / recorded:10.0f} "
                  f"{executed / recorded:11.2f} {count / 1e6 / verified:10.0f} {body['trace_bytes'] / count:11.4f} "
                  f"{(body['trace_bytes'] - text) / count:12.4f}", flush=True)


if __name__ == "__main__":
    main()
