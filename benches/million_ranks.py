#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CPU seconds and peak memory of `psim net` with up to a million ranks (benches/million_ranks.c).

  benches/million_ranks.py [--ranks 65536] [--repeat 1] [--against PSIM]

With --against the two builds run in turn, and all results but those of the host must be equal. 1,048,576 ranks take some
four minutes and 12 GB in builds without swapped stacks, for which `--stacks own` stands here.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile

from measure import PSIM, ROOT


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ranks", type=int, default=65536)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--against", help="psim of another build; without it, this build with --stacks own")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:

        def build(psim, name):
            path = os.path.join(folder, name)
            wrapper = pathlib.Path(psim).resolve().parent / "psim-cc"
            subprocess.run([wrapper, "-O2", "-o", path, ROOT / "benches/million_ranks.c"], check=True)
            return path

        def run(psim, program, *more):
            path = os.path.join(folder, "result.json")
            subprocess.run([psim, "net", "-n", str(options.ranks), "--quiet", "--json", path, *more, program], check=True,
                           stdout=subprocess.DEVNULL)
            with open(path, encoding="utf-8") as file:
                result = json.load(file)
            host = result["host"]
            for key in ("host", "inputs", "result_hash"):
                result.pop(key)
            return result, host["cpu_seconds"], host["peak_rss_bytes"]

        kinds = {"this build": (PSIM, build(PSIM, "here"))}
        if options.against:
            kinds["the other"] = (options.against, build(options.against, "there"))
        else:
            kinds["own stacks"] = (*kinds["this build"], "--stacks", "own")
        runs = {kind: [] for kind in kinds}
        for _ in range(options.repeat):
            for kind, how in kinds.items():
                runs[kind].append(run(*how))
        first = runs["this build"][0][0]
        if any(result != first for all_ in runs.values() for result, _, _ in all_):
            raise SystemExit("the results differ")
        print(f"{options.ranks} ranks, {first['packet_hops']} packet-hops, {first['seconds']:.9f} s simulated")
        for kind, all_ in runs.items():
            seconds = statistics.median(cpu for _, cpu, _ in all_)
            memory = max(peak for _, _, peak in all_)
            print(f"{kind:12} {seconds:8.1f} CPU s {first['packet_hops'] / seconds / 1e6:6.2f} M packet-hops/s "
                  f"{memory / 1e9:6.2f} GB {memory / options.ranks / 1024:6.2f} KiB per rank")


if __name__ == "__main__":
    main()
