# SPDX-License-Identifier: Apache-2.0
"""efficiency_test.py PSIM SOURCE PART: psim cosim --efficiency against closed forms and psim net --efficiency."""
import json
import os
import signal
import subprocess
import time

from node_runs import expect, near, part, place, psim, run, source, tools

US = 1e-6
FACTORS = ("load_balance", "serialisation", "transfer")


def build(name, text):
    """Builds a program for nodes from a text, or from a file in the source tree."""
    file = place.write(name + ".c", text) if "\n" in text else os.path.join(source, "../..", text)
    run(os.path.join(tools, "psim-sparc-cc"), "-O2", "-o", name, file)
    return file


def explained(ranks, *words, options=()):
    run(psim, "cosim", "--quiet", "--efficiency", "--json", "explained.json", "-n", ranks, *options, *words)
    result = place.result("explained.json")
    (job,) = result["efficiency"]["jobs"]
    path = job["critical_path"]
    # The factors multiply, and are those of POP; the causes of the path sum to the time of the run.
    if "parallel" in job:
        expect(near(job["parallel"], job["load_balance"] * job["serialisation"] * job["transfer"], 1e-12), job)
        expect(near(job["load_balance"], job["compute_mean"] / job["compute_max"], 1e-12), job)
        expect(near(job["serialisation"], job["compute_max"] / job["ideal_seconds"], 1e-12), job)
        expect(near(job["transfer"], job["ideal_seconds"] / job["seconds"], 1e-12), job)
    expect(job["seconds"] == result["seconds"] and near(sum(cause["seconds"] for cause in path["causes"]), job["seconds"], 1e-9), path)
    steps = result["page"]["critical_paths"][0]
    if len(steps) < 2000:
        expect(steps[0][0] == 0 and all(abs(a[1] - b[0]) < 1e-15 for a, b in zip(steps, steps[1:])), "without gaps", steps[:20])
        expect(near(steps[-1][1], job["seconds"], 1e-9), steps[-1], job["seconds"])
        # A step leads on from the rank at which the one before it ended.
        expect(all(a[3] == b[2] for a, b in zip(steps, steps[1:])), "through ranks", steps[:20])
    return result, job


def causes(job):
    return {cause["cause"] + (" " + cause["region"] if "region" in cause else ""): cause["seconds"] for cause in job["critical_path"]["causes"]}


def with_change(job, change):
    return next(row for row in job["what_if"] if row["change"] == change)


def closed_forms():
    # A program that only computes: all factors are 1, and nothing else is on the path.
    build("balanced", "#include <psim.h>\nvolatile double x;\nint main(void) { PSIM_REGION_BEGIN(\"work\"); "
          "for (int i = 0; i < 3000; ++i) x += i; PSIM_REGION_END(\"work\"); }\n")
    result, job = explained(3, "./balanced")
    expect(all(near(job[factor], 1, 1e-12) for factor in (*FACTORS, "parallel")), job)
    expect(set(causes(job)) == {"computing", "computing work"} and job["critical_path"]["messages"] == 0, causes(job))
    expect(all(row["seconds"] == job["seconds"] for row in job["what_if"]), job["what_if"])

    # One rank of four computes 4 ms, the others 1 ms: load balance 7 / 16, but for some instructions.
    build("late", """#include <mgen.h>
#include <psim.h>
int MGEN_Main(int argc, char** argv) {
  int rank;
  MGEN_Init(&argc, &argv);
  MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
  PSIM_REGION_BEGIN("late");
  MGEN_Comp(rank == 2 ? 4e-3 : 1e-3);
  PSIM_REGION_END("late");
  MGEN_Barrier(MGEN_COMM_WORLD);
  MGEN_Finalize();
  return 0;
}
""")
    result, job = explained(4, "./late")
    start = job["compute_max"] - 4e-3  # of the program, some 97 us on each rank
    expect(0 < start < 2e-4 and near(job["load_balance"], (7e-3 / 4 + start) / (4e-3 + start), 1e-3) and job["serialisation"] > 0.95, job)
    expect(near(causes(job)["computing late"], 4e-3, 1e-3) and job["critical_path"]["ranks"][0]["rank"] == 2, job["critical_path"])

    # Messages of 128 KiB: transfer is below 1, and a faster network brings it nearer to 1.
    build("ring", """#include <mgen.h>
int MGEN_Main(int argc, char** argv) {
  int rank, ranks;
  MGEN_Init(&argc, &argv);
  MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
  MGEN_Comm_size(MGEN_COMM_WORLD, &ranks);
  for (int i = 0; i < 3; ++i)
    MGEN_Sendrecv(0, 1 << 17, MGEN_BYTE, (rank + 1) % ranks, 0, 0, 1 << 17, MGEN_BYTE, (rank + ranks - 1) % ranks, 0, MGEN_COMM_WORLD,
                  MGEN_STATUS_IGNORE);
  MGEN_Finalize();
  return 0;
}
""")
    slow = ("--set", "link.bandwidth=1 GB/s", "--set", "nic.bandwidth=1 GB/s")
    result, job = explained(4, "./ring", options=slow)
    _, fast = explained(4, "./ring", options=("--set", "link.bandwidth=8 GB/s", "--set", "nic.bandwidth=8 GB/s"))
    expect(job["transfer"] < 0.5 < fast["transfer"] < 1, job["transfer"], fast["transfer"])
    # Three messages of 128 KiB at 1 GB/s, with 64 + 16 bytes of header for each packet of 2 KiB; what remains is that of the nodes.
    bandwidth = causes(job)["bandwidth"]
    expect(near(bandwidth, 3 * (1 << 17) * 1e-9, 0.06), causes(job))
    twice = with_change(job, "network twice as fast")
    expect(near(job["seconds"] - twice["seconds"], bandwidth / 2, 0.1), job["seconds"], twice, bandwidth)
    expect(job["ideal_seconds"] < twice["seconds"] < job["seconds"], job)
    # The what-if run is the run with these values.
    run(psim, "cosim", "--quiet", "--network", "torus3d", "-n", 4, "--json", "same.json", "--set", "network.model=analytic", *slow, "./ring")
    expect(place.result("same.json")["seconds"] == with_change(job, "no contention")["seconds"], with_change(job, "no contention"))
    # --efficiency changes no other number, and the path is the same without repeated stretches.
    run(psim, "cosim", "--quiet", "-n", 4, "--json", "plain.json", *slow, "./ring")
    plain = place.result("plain.json")
    for key in ("seconds", "nodes", "compute", "messages", "packets", "statistics"):
        expect(plain[key] == result[key], key)
    expect(explained(4, "./ring", options=(*slow, "--no-memoize"))[1]["critical_path"] == job["critical_path"], "--no-memoize")


def paths():
    """As psim net: by hand what is on the path."""
    file = build("efficiency", "tests/net/programs/efficiency.c")
    run(os.path.join(tools, "psim-cc"), "-O2", "-o", "efficiency.net", file)

    def both(ranks, *words):
        run(psim, "net", "--quiet", "--efficiency", "--json", "net.json", "-n", ranks, "./efficiency.net", *words)
        return explained(ranks, "./efficiency", *words)[1], place.result("net.json")["efficiency"]["jobs"][0]
    # On nodes, the instructions of a call of MGEN_Comp add some 0.5 us to the time that it computes.
    for ranks, words, regions in ((4, ("imbalance",), {"uneven": 40 * US}), (3, ("pipeline", "1000"), {"stage": 30 * US}),
                                  (2, ("ping-pong", "4096"), {"think": 10 * US}), (3, ("wildcards", "100"), {"ask": 40 * US})):
        nodes, net = both(ranks, *words)
        expect(set(nodes) == set(net) and set(nodes["critical_path"]) == set(net["critical_path"]), nodes, net)
        for region, seconds in regions.items():
            expect(near(causes(nodes)["computing " + region], seconds, 0.08) and near(causes(net)["computing " + region], seconds, 1e-9), words, causes(nodes))
        if words[0] == "pipeline":
            expect({(0, 1), (1, 2)} <= {(row["from"], row["to"]) for row in nodes["critical_path"]["pairs"]}, nodes["critical_path"])
    nodes, net = both(2, "ping-pong", "4096")
    # The rank that starts last decides whether the first message is on the path.
    messages = nodes["critical_path"]["messages"] / net["critical_path"]["messages"]
    expect(0.9 < messages <= 1, nodes["critical_path"], net["critical_path"])
    # Twenty messages of 4 KiB at 5 GB/s, with at most 10 % of headers; the empty network's latency is that of psim net.
    of_nodes, of_net = causes(nodes), causes(net)
    expect(0.999 < of_nodes["bandwidth"] / of_net["bandwidth"] / messages < 1.15 and 0.999 < of_nodes["latency"] / of_net["latency"] / messages < 1.3, of_nodes, of_net)
    expect(of_nodes["interfaces"] > 0 and of_nodes["MPI library"] > 0 and "contention" not in of_net, of_nodes)
    # Three messages reach one node at once: two wait for the others' bytes.
    job = explained(4, "./efficiency", "contention", "16000", options=("--set", "topology.kind=crossbar"))[1]
    expect(causes(job)["contention"] > 16000 / 5e9, causes(job))
    expect(with_change(job, "no contention")["seconds"] < job["seconds"] - 0.5 * causes(job)["contention"], job)
    # Several ranks for each node, and the barrier network.
    job = explained(2, "./efficiency", "imbalance", options=("--set", "node.cores=2", "--set", "node.ranks=2"))[1]
    expect(job["ranks"] == 4 and near(causes(job)["computing uneven"], 40 * US, 0.02), job)
    build("barrier", "tests/nodes/programs/barrier.c")
    job = explained(4, "./barrier", options=("--set", "barrier.network=sync-comm", "--set", "barrier.line=250 ns"))[1]
    expect(causes(job).get("collective network", 0) > 0, causes(job))


def refused():
    """Bad input, interruptions and failed further runs."""
    root = os.path.join(source, "../..")
    build("efficiency", "tests/net/programs/efficiency.c")
    for words, said in ((("--set", "traffic.pattern=uniform", "workloads/cosim/ring.toml"), "--efficiency: not with background traffic in "),
                        (("--set", "at=0:3", "workloads/cosim/ring.toml"), "--efficiency: not with nodes at chosen places (at) in "),
                        (("workloads/cosim/mixed.toml",), "--efficiency: not with jobs in ")):
        words = [os.path.join(root, word) if word.endswith(".toml") else word for word in words]
        answer = run(psim, "cosim", "--efficiency", "--json", "refused.json", *words, status=2).stderr
        expect(said in answer and answer.count("\n") == 1 and not os.path.exists(place.at("refused.json")), words, answer)
    # A program that does not end with status 0 is not explained.
    run(psim, "cosim", "--quiet", "--efficiency", "--json", "fails.json", "-n", 2, "./efficiency", "fails", status=3)
    expect("efficiency" not in place.result("fails.json"), "fails")
    # Killed during a further run, it leaves nothing.
    build("long", "int main(void) { for (volatile int i = 0; i < 100000; ++i) {} }\n")
    before = set(os.listdir(place.name))
    running = subprocess.Popen([psim, "cosim", "--quiet", "--no-memoize", "--efficiency", "--json", "killed.json", "--report", "killed.html", "-n", "1",
                                "./long"], cwd=place.name)
    ticks = lambda process: int(open(f"/proc/{process}/stat", encoding="ascii").read().rsplit(")", 1)[1].split()[11])
    copies, deadline = [], time.monotonic() + 60
    while time.monotonic() < deadline and not any(ticks(copy) >= 5 for copy in copies):
        with open(f"/proc/{running.pid}/task/{running.pid}/children", encoding="ascii") as file:
            copies = file.read().split()
        time.sleep(0.01)
    expect(running.poll() is None and 1 <= len(copies) <= 3, "it has ended", copies)
    running.send_signal(signal.SIGKILL)
    running.wait()
    expect(set(os.listdir(place.name)) == before, set(os.listdir(place.name)) - before)


{"closed_forms": closed_forms, "paths": paths, "refused": refused}[part]()
