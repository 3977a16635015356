#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Energies of paper 003 table 2: SIMD over scalar, the paper's beside ours, and how the two predicted ratios move when an
assumed coefficient is doubled or halved and the two fitted ones are fitted again (docs/decisions/0016-energy.md).

  benches/energy_ratios.py [--psim PATH]

Needs sparc64-linux-gnu-gcc; takes half a minute. N = 128; fft 1024 points. Energy is linear in each coefficient, so
nothing is run again for the table.
"""
import argparse
import json
import os
import sys
import tempfile
import shutil
import subprocess

from measure import PSIM, ROOT, compile_kernel

PAPER = {"dgemm": 0.47, "zgemm": 0.37, "fft": 0.54}
FITTED = ("latch.core", "latch.pe")


class Run:
    """Energy, what of it is proportional to each coefficient, and seconds of the one region of a program."""

    def __init__(self, psim, command, machine, *sets):
        options = [word for each in sets for word in ("--set", each)]
        with tempfile.NamedTemporaryFile(suffix=".json") as result:
            subprocess.run([psim, "run", "--quiet", "--energy", "--machine", machine, *options, "--json", result.name, *command],
                           check=True, stdout=subprocess.DEVNULL)
            region = json.load(open(result.name))["regions"][0]
        self.joules, self.parts = region["energy"]["total_joules"], region["energy"]["by_coefficient"]
        self.seconds, self.flops = region["cycles"] / 2e9, region["flops"]

    def changed(self, key, factor, core, pe):
        """Joules with `key` and the two latches multiplied by factors; latch energy is width × latch."""
        more = self.parts.get(key, 0) * (factor - 1)
        of_pe, of_core = key.startswith("bits.pe_"), key.startswith(("bits.", "entry."))
        latches = [self.parts.get(latch, 0) for latch in FITTED]
        return (self.joules - sum(latches) + core * (latches[0] + more * (of_core and not of_pe)) +
                pe * (latches[1] + more * of_pe) + more * (not of_pe and not of_core))


def solve(line, goal):
    """Where a linear function has the value."""
    return (goal - line(0)) / (line(1) - line(0))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--psim", default=PSIM)
    psim = os.path.abspath(parser.parse_args().psim)
    if shutil.which("sparc64-linux-gnu-gcc") is None:
        sys.exit("energy_ratios: needs sparc64-linux-gnu-gcc (Debian: gcc-sparc64-linux-gnu)")
    flags = (ROOT / "workloads/kernels/flags.txt").read_text().split()
    runs = {}
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        compile_kernel("dgemm_blocked", ["-O3", "-mcpu=niagara3"], "dgemm_blocked")
        blocked = Run(psim, ["./dgemm_blocked", "128"], "sparc64v", "l1d.prefetch=perfect", "l1i.prefetch=perfect")
        print(f"dgemm_blocked {blocked.joules / blocked.seconds:.2f} W")
        for name, paper in PAPER.items():
            compile_kernel("paper/" + name, flags, name)
            size = "1024" if name == "fft" else "128"
            for mode, machine in (("scalar", "sparc64v"), ("simd", "simd16")):
                run = runs[name, mode] = Run(psim, ["./" + name, mode, size], machine, "l1d.prefetch=perfect")
                print(f"{name:6} {mode:6} {run.joules:.5g} J {1e3 * run.seconds:.5g} ms {run.joules / run.seconds:.1f} W "
                      f"{1e12 * run.joules / run.flops:.0f} pJ a flop")
            ratio = runs[name, "simd"].joules / runs[name, "scalar"].joules
            print(f"{name:6} ratio {ratio:.4f}, paper {paper} ({100 * (ratio / paper - 1):+.0f} %)", flush=True)

    def refitted(key, factor):
        watts = blocked.joules / blocked.seconds
        core = solve(lambda c: blocked.changed(key, factor, c, 1) / blocked.seconds, watts)
        energy = lambda name, mode, pe: runs[name, mode].changed(key, factor, core, pe)  # noqa: E731
        goal = runs["dgemm", "simd"].joules / runs["dgemm", "scalar"].joules
        pe = solve(lambda p: energy("dgemm", "simd", p) / energy("dgemm", "scalar", 1), goal)
        return [energy(name, "simd", pe) / energy(name, "scalar", 1) for name in ("zgemm", "fft")]

    print("\nboth latches fitted again:      zgemm     fft")
    keys = sorted({key for run in [blocked, *runs.values()] for key in run.parts} - set(FITTED))
    rows = [(key, factor, *refitted(key, factor)) for key in keys for factor in (2, 0.5)]
    usual = [runs[name, "simd"].joules / runs[name, "scalar"].joules for name in ("zgemm", "fft")]
    rows.sort(key=lambda row: -max(abs(row[2] - usual[0]), abs(row[3] - usual[1])))
    for key, factor, zgemm, fft in rows[:20]:
        print(f"{key:24} × {factor:<4} {zgemm - usual[0]:>+8.4f} {fft - usual[1]:>+8.4f}")
    print(f"largest change of zgemm: {max(abs(row[2] - usual[0]) for row in rows):.4f} of {len(keys)} coefficients")


if __name__ == "__main__":
    main()
