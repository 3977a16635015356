# SPDX-License-Identifier: Apache-2.0
"""calibrate_test.py PSIM SOURCE: psim calibrate finds the machine whose benchmarks it reads, and refuses what it cannot use."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from commands import Place, expect

psim, source = sys.argv[1:3]
tools = os.path.dirname(psim)
place = Place("calibrate")
at, call = place.at, place.call


def measure(what, *machine):
    name = f"{what}.txt"
    place.write(name, call(psim, "net", "-n", 2, "--quiet", *machine, "./benchmark", what).stdout)
    return name


def rows(name):
    with open(at(name)) as file:
        return [list(map(float, line.split())) for line in file if not line.startswith("#")]


def calibrated(*words):
    call(psim, "calibrate", "--quiet", "--json", "result.json", *words)
    return place.result("result.json")


call(os.path.join(tools, "psim-cc"), "-O2", "-o", at("benchmark"), os.path.join(source, "workloads/mgen/latency_bandwidth.c"))

# A machine with DMA engines, overheads and an eager limit, and the default one, are found again.
for base, keys in (("infiniband_qdr", ("mpi.send_overhead=300 ns", "mpi.recv_overhead=300 ns", "nic.delay=50 ns")),
                   ("torus3d", ("mpi.send_overhead=400 ns", "mpi.recv_overhead=400 ns"))):
    chosen = ["--machine", base] + [word for key in keys for word in ("--set", key)]
    files = [measure("latency", *chosen), measure("bandwidth", *chosen)]
    result = calibrated("--base", base, "-o", "cluster.toml", *files)
    expect(result["mean_error"] < 0.01, base, result["mean_error"])
    expect(result["result_hash"] == calibrated("--base", base, *files)["result_hash"], "hash")
    overhead = float(result["machine"]["mpi.send_overhead"]["value"].split()[0])
    expect(abs(overhead / float(keys[0].split("=")[1].split()[0]) - 1) < 0.02, base, overhead)
    expect(call(psim, "config", "check", "cluster.toml").stdout == "cluster.toml: good\n", base)
    before = rows("latency.txt")
    after = rows(measure("latency", "--machine", "cluster.toml"))
    for (size, one), (_, other) in zip(before, after):
        expect(abs(other / one - 1) < 0.02, base, size, one, other)
    bandwidth = rows("bandwidth.txt")
    for (size, one), (_, other) in zip(bandwidth, rows(measure("bandwidth", "--machine", "cluster.toml"))):
        expect(abs(other / one - 1) < 0.02, base, size, one, other)

# From standard input; a base in a file is named relative to the machine's file.
place.write("mine.toml", 'base = "torus3d"\n')
os.mkdir(at("machines"))
shown = call(psim, "calibrate", "--base", "mine.toml", "-o", "machines/c.toml", "-", input=place.read("latency.txt")).stdout
for text in ("nic.bandwidth", "open: the bandwidth is that of one message at a time", "osu_latency", "mean error"):
    expect(text in shown, text, shown)
call(psim, "config", "check", "machines/c.toml")

# Each port of a node has the engines that the messages of one port need: pairs on several ports do not take turns.
call(psim, "calibrate", "--quiet", "--json", "one.json", "--base", "infiniband_qdr", "latency.txt")
engines = int(place.result("one.json")["machine"]["nic.dma_engines"]["value"])
place.write("ports.toml", 'base = "infiniband_qdr"\n[nic]\nports = 4\n')
result = calibrated("--base", "ports.toml", "-o", "ports-of-node.toml", "latency.txt")["machine"]
expect(int(result["nic.dma_engines"]["value"]) == (4 * engines if result["nic.dma_bandwidth"]["value"] != "0 GB/s" else 1), result)
expect("for each port" in result["nic.dma_engines"]["source"], result)

# Refusals write nothing.
for words, said in ((["absent.txt"], "absent.txt: cannot be read: No such file"),
                    (["mine.toml"], "mine.toml: has no table of osu_latency"),
                    (["bandwidth.txt"], "no latency among the benchmarks"),
                    (["--routers", "50", "latency.txt"], "below the"),
                    (["--base", "torus3", "latency.txt"], "did you mean torus3d?"),
                    (["--base", "simd16", "latency.txt"], "simd16")):
    refused = call(psim, "calibrate", "-o", "refused.toml", "--json", "refused.json", *words, status=2)
    expect(said in refused.stderr and refused.stderr.count("\n") == 1, words, refused.stderr)
    expect(not os.path.exists(at("refused.toml")) and not os.path.exists(at("refused.json")), words)
