#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""host_processes.py PSIM [RANKS [BYTES [PAIRS [LOOPS]]]]: wall time of one network on two host processes against one.

Runs the random ring on 8,192 ranks, 64 KiB, one loop, alternately on one and on two, and prints the median of the
pairs' ratios and the ratio of the least times, with what the windows said. LOOPS endless loops of the shell run
meanwhile: with 0, it needs two idle cores, so look at the load first; with 2, both cores of a pair are busy.
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile

psim = os.path.abspath(sys.argv[1])
ranks, size, pairs, loops = (int(word) for word in (sys.argv[2:] + ["8192", "65536", "5", "0"][len(sys.argv) - 2:])[:4])
source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "workloads", "mgen", "random_ring.c")
environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", UCX_LOG_LEVEL="fatal")

with tempfile.TemporaryDirectory() as place:
    program, path = os.path.join(place, "ring"), os.path.join(place, "result.json")
    subprocess.run([os.path.join(os.path.dirname(psim), "psim-cc"), "-O2", "-o", program, source], check=True)

    def run(processes):
        launcher = ["mpirun", "-n", str(processes)] if processes > 1 else []
        subprocess.run([*launcher, psim, "net", "--quiet", "--json", path, "-n", str(ranks), program, str(size), "1"],
                       check=True, env=environment, stdout=subprocess.DEVNULL)
        with open(path) as file:
            return json.load(file)

    print(f"load {os.getloadavg()[0]:.1f}; random ring of {ranks} ranks, {size} bytes, next to {loops} loops")
    beside = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(loops)]
    try:
        times = []
        for pair in range(pairs):
            one, two = run(1), run(2)
            assert one["result_hash"] == two["result_hash"]
            times.append((one["host"]["wall_seconds"], two["host"]["wall_seconds"]))
            windows = two["host"]["windows"]
            print(f"one {times[-1][0]:.2f} s, two {times[-1][1]:.2f} s: {times[-1][0] / times[-1][1]:.2f}; "
                  f"{windows['count']} windows, waiting {100 * windows['wait_share']:.1f} %, "
                  f"imbalance {100 * windows['imbalance']:.1f} %", flush=True)
    finally:
        for loop in beside:
            loop.kill()
    least = [min(column) for column in zip(*times)]
    print(f"median {statistics.median(one / two for one, two in times):.2f}; "
          f"least times {least[0]:.2f} s and {least[1]:.2f} s: {least[0] / least[1]:.2f}")
