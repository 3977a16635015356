#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Guest instructions per CPU second of psim, beside qemu-sparc64 on the same binary in the same run.

  benches/speed.py [functional] [cycle] [dump]     all three without an argument

functional: `psim exec`; cycle: `psim run`; dump: `psim run --kanata` of the whole run. Needs sparc64-linux-gnu-gcc and
qemu-sparc64. qemu does not count instructions: its rate is psim's count over its CPU time. The best of the
repetitions is printed, so that other load on the machine disturbs least.
"""
import argparse
import json
import os
import shutil
import sys
import tempfile

from measure import PSIM, compile_kernel, cpu_seconds

# name, compiler flags, arguments by mode
KERNELS = [
    ("dgemm", ["-O3", "-mcpu=v9"], {"functional": ["256", "4"], "cycle": ["256"], "dump": ["64"]}),
    ("sieve", ["-O2"], {"functional": ["4000000", "10"], "cycle": ["2000000"], "dump": ["100000"]}),
    ("pointer_chase", ["-O2"], {"functional": ["65536", "20000000"], "cycle": ["1000000", "2000000"], "dump": ["4096", "100000"]}),
]
COMMANDS = {"functional": ["exec"], "cycle": ["run"], "dump": ["run", "--kanata"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modes", nargs="*", help="functional, cycle, dump")
    parser.add_argument("--psim", default=PSIM)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    unknown = set(options.modes) - set(COMMANDS)
    if unknown:
        parser.error(f"unknown mode {sorted(unknown)[0]}; expected one of {', '.join(COMMANDS)}")
    qemu = shutil.which("qemu-sparc64")
    if shutil.which("sparc64-linux-gnu-gcc") is None or qemu is None:
        sys.exit("speed: needs sparc64-linux-gnu-gcc and qemu-sparc64 (Debian: gcc-sparc64-linux-gnu, qemu-user)")
    print(f"{'mode':11} {'kernel':14} {'M instr':>8} {'psim s':>8} {'psim M/s':>9} {'qemu s':>8} {'qemu M/s':>9} {'psim/qemu':>9}")
    with tempfile.TemporaryDirectory() as scratch:
        result = os.path.join(scratch, "result.json")
        for mode in options.modes or COMMANDS:
            for name, flags, arguments in KERNELS:
                binary = os.path.join(scratch, name)
                compile_kernel(name, flags, binary)
                command = [options.psim, *COMMANDS[mode]]
                if mode == "dump":
                    command.append(os.path.join(scratch, "dump.kanata"))
                command += ["--json", result, binary, *arguments[mode]]
                psim = min(cpu_seconds(command) for _ in range(options.repeat))
                with open(result, encoding="utf-8") as file:
                    millions = json.load(file)["instructions"] / 1e6
                other = min(cpu_seconds([qemu, binary, *arguments[mode]]) for _ in range(options.repeat))
                print(f"{mode:11} {name:14} {millions:8.1f} {psim:8.3f} {millions / psim:9.2f} {other:8.3f} "
                      f"{millions / other:9.1f} {psim / other:9.1f}", flush=True)


if __name__ == "__main__":
    main()
