#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CPU time and memory of `psim cosim` (benches/nodes.c): one node and `psim run`, two nodes and one, a core that waits, many nodes.

  benches/nodes.py [--psim PSIM] [--repeat 5] [--nodes 64]

The runs of a ratio alternate; the medians of the pairs' ratios are printed. The last rows have the CPU time for a simulated second, and
the largest resident size, of nodes that multiply matrices and exchange rows.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile

from measure import PSIM, ROOT, cpu_seconds

CLOCK = 2e9  # of machines/sparc64v.toml


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--psim", default=PSIM)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--nodes", type=int, default=64)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "nodes")
        compiler = pathlib.Path(options.psim).resolve().parent / "psim-sparc-cc"
        subprocess.run([compiler, "-O3", "-I", ROOT / "workloads/include", "-o", program, ROOT / "benches/nodes.c"], check=True)

        def command(nodes, *words):
            return [options.psim, "cosim", "--quiet", "-n", str(nodes), program, *words]

        def compare(name, what, than, factor=1):
            """Prints the CPU times of two commands, and the median ratio of the first to `factor` times the second."""
            pairs = [(cpu_seconds(what), cpu_seconds(than)) for _ in range(options.repeat)]
            first, second = (statistics.median(column) for column in zip(*pairs))
            ratio = statistics.median(a / b for a, b in pairs) / factor
            print(f"{name:48} {first:7.3f} s {second:7.3f} s  {ratio:6.3f}", flush=True)

        def result(nodes, *words):
            path = os.path.join(folder, "result.json")
            line = command(nodes, *words)
            subprocess.run([*line[:2], "--json", path, *line[2:]], check=True, stdout=subprocess.DEVNULL)
            with open(path) as file:
                return json.load(file)

        halo = ("halo", "64", "4")
        compare("one node / psim run", command(1, *halo), [options.psim, "run", "--quiet", program, *halo])
        compare("two nodes / (2 x one node)", command(2, *halo), command(1, *halo), 2)
        compare("one of two nodes waits in MPI / one node", command(2, "wait", "128"), command(1, "wait", "128"))
        compare("one of two nodes polls a flag / one node", command(2, "poll", "128"), command(1, "poll", "128"))
        compare("one of two nodes monitors a flag / one node", command(2, "monitor", "128"), command(1, "monitor", "128"))
        for nodes in (1, 2, 16, options.nodes):
            run = result(nodes, "halo", "32", "2")
            seconds = max(node["cycles"] for node in run["nodes"]) / CLOCK
            host = run["host"]
            print(f"{nodes} nodes: {seconds * 1e3:.3f} ms simulated in {host['cpu_seconds']:.2f} s of CPU time, "
                  f"{host['cpu_seconds'] / seconds:.0f} s for a second; peak {host['peak_rss_bytes'] / 2**20:.0f} MiB", flush=True)


if __name__ == "__main__":
    main()
