#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CPU seconds of `psim net` on programs that ask again and again whether a message has come (benches/polling.c).

  benches/polling.py [--ranks 256,1024] [--repeat 3] [--against PSIM]

The baseline takes an event for every poll: another build (--against), or this one with OS jitter of 1 ps in a second, which
nothing else slows down. The two run in turn; the median of the pairs' ratios is printed. Against another build the
simulated times must be equal.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile

from measure import PSIM, ROOT, cpu_seconds

JITTER = ["--set", "jitter.period=1 s", "--set", "jitter.duration=1 ps"]


def grid(ranks):
    """P times Q, as near square as it goes."""
    p = max(p for p in range(1, int(ranks**0.5) + 1) if ranks % p == 0)
    return [str(p), str(ranks // p)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ranks", default="256,1024")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--against", help="psim of another build")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:

        def build(psim, name):
            path = os.path.join(folder, name)
            wrapper = pathlib.Path(psim).resolve().parent / "psim-cc"
            subprocess.run([wrapper, "-O2", "-o", path, ROOT / "benches/polling.c"], check=True)
            return path

        def command(psim, program, ranks, words, more=()):
            return [psim, "net", "-n", str(ranks), "--quiet", *more, program, *words]

        def simulated(command_):
            path = os.path.join(folder, "result.json")
            subprocess.run([*command_[:2], "--json", path, *command_[2:]], check=True, stdout=subprocess.DEVNULL)
            with open(path) as file:
                return json.load(file)

        program = build(PSIM, "polling")
        base = (options.against, build(options.against, "base")) if options.against else (PSIM, program)
        print(f"{'program':8} {'ranks':>6} {'simulated s':>12} {'polls':>10} {'CPU s':>8} {'baseline':>8} {'ratio':>6}")
        for ranks in map(int, options.ranks.split(",")):
            p, q = grid(ranks)
            for words in (["panel", p, q, "8", "64"], ["sweep", p, q, "16", "4096"]):
                here = command(PSIM, program, ranks, words)
                there = command(*base, ranks, words, () if options.against else JITTER)
                result = simulated(here)
                if options.against and simulated(there)["seconds"] != result["seconds"]:
                    raise SystemExit(f"{words}: the simulated times differ")
                pairs = [(cpu_seconds(here), cpu_seconds(there)) for _ in range(options.repeat)]
                own, other = (statistics.median(column) for column in zip(*pairs))
                ratio = statistics.median(b / a for a, b in pairs)
                print(f"{words[0]:8} {ranks:6} {result['seconds']:12.9f} {result['polls']['count']:10} {own:8.2f} {other:8.2f} "
                      f"{ratio:6.1f}", flush=True)


if __name__ == "__main__":
    main()
