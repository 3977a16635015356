#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CPU time of `psim run --energy` over that of `psim run` on the same binary, in the same run.

  benches/energy_cost.py [--psim PATH] [--repeat N]

Needs sparc64-linux-gnu-gcc. The two are run by turns and the best of each is taken, so that other load on the machine
disturbs least. The goal is at most 1.5.
"""
import argparse
import os
import shutil
import sys
import tempfile

from measure import PSIM, ROOT, compile_kernel, cpu_seconds

KERNELS = [
    ("dgemm_blocked", ["-O3", "-mcpu=niagara3"], [], ["128"]),
    ("dgemm", ["-O3", "-mcpu=v9"], [], ["128"]),
    ("sieve", ["-O2"], [], ["1000000"]),
    ("pointer_chase", ["-O2"], [], ["1000000", "500000"]),
    ("paper/dgemm", (ROOT / "workloads/kernels/flags.txt").read_text().split(), ["--machine", "simd16"], ["simd", "128"]),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--psim", default=PSIM)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    if shutil.which("sparc64-linux-gnu-gcc") is None:
        sys.exit("energy_cost: needs sparc64-linux-gnu-gcc (Debian: gcc-sparc64-linux-gnu)")
    print(f"{'kernel':14} {'without s':>10} {'with s':>10} {'ratio':>7}")
    with tempfile.TemporaryDirectory() as scratch:
        for name, flags, machine, arguments in KERNELS:
            binary = os.path.join(scratch, os.path.basename(name))
            compile_kernel(name, flags, binary)
            without, measured = [], []
            for _ in range(options.repeat):
                without.append(cpu_seconds([options.psim, "run", *machine, binary, *arguments]))
                measured.append(cpu_seconds([options.psim, "run", "--energy", *machine, binary, *arguments]))
            print(f"{name:14} {min(without):10.3f} {min(measured):10.3f} {min(measured) / min(without):7.2f}", flush=True)


if __name__ == "__main__":
    main()
