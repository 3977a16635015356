#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Guest instructions per CPU second of `psim exec`, beside qemu-sparc64 on the same binary in the same run.

Usage: benches/functional_speed.py [--psim build/release/bin/psim] [--repeat 3]

Needs sparc64-linux-gnu-gcc; without qemu-sparc64 its columns stay empty. qemu does not count instructions:
its rate is psim's count over its CPU time. The best of the repetitions is printed, so that other load on the
machine disturbs least.
"""
import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile

KERNELS = [  # name, compiler flags, arguments
    ("dgemm", ["-O3", "-mcpu=v9"], ["256", "4"]),
    ("sieve", ["-O2"], ["4000000", "10"]),
    ("pointer_chase", ["-O2"], ["65536", "20000000"]),
]


def cpu_seconds(command):
    """CPU time of one run of `command`, whose output is dropped."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--psim", default=os.path.join(root, "build/release/bin/psim"))
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    compiler, qemu = shutil.which("sparc64-linux-gnu-gcc"), shutil.which("qemu-sparc64")
    if compiler is None:
        sys.exit("functional_speed: no sparc64-linux-gnu-gcc (Debian: gcc-sparc64-linux-gnu)")
    print(f"{'kernel':15} {'M instructions':>15} {'psim s':>8} {'psim M/s':>9} {'qemu s':>8} {'qemu M/s':>9}")
    with tempfile.TemporaryDirectory() as scratch:
        result = os.path.join(scratch, "result.json")
        for name, flags, arguments in KERNELS:
            binary = os.path.join(scratch, name)
            source = os.path.join(root, "workloads/kernels", name + ".c")
            subprocess.run([compiler, *flags, "-static", "-o", binary, source], check=True)
            psim = min(cpu_seconds([options.psim, "exec", "--json", result, binary, *arguments])
                       for _ in range(options.repeat))
            with open(result, encoding="utf-8") as file:
                millions = json.load(file)["instructions"] / 1e6
            line = f"{name:15} {millions:15.1f} {psim:8.3f} {millions / psim:9.1f}"
            if qemu is not None:
                other = min(cpu_seconds([qemu, binary, *arguments]) for _ in range(options.repeat))
                line += f" {other:8.3f} {millions / other:9.1f}"
            print(line, flush=True)


if __name__ == "__main__":
    main()
