# SPDX-License-Identifier: Apache-2.0
"""efficiency_test.py PSIM SOURCE PART: psim net --efficiency against closed forms: efficiencies, critical paths, what if."""
import json
import os

from runs import at, build, expect, part, place, psim, result, run, source, write

US = 1e-6
# MPI_Finalize is a barrier: two ranks end with one more message of no bytes, which counts as one byte.
LATENCY = 0.205 * US  # torus3d, neighbours: 2 x 5 ns to and from the routers, 95 ns in each of two, 5 ns of cable
BYTE = 0.2e-9         # 5 GB/s


def close(value, wanted, *what):
    expect(abs(value - wanted) < 2e-12, value, wanted, *what)


def near(value, wanted, *what):
    expect(abs(value - wanted) < 1e-9, value, wanted, *what)


def explained(program, ranks, *words, options=()):
    document = result("-n", ranks, "--quiet", "--efficiency", *options, program, *words)
    return document, document["efficiency"]["jobs"][0]


def causes(job):
    """The critical path by cause; its parts sum to the time of the job."""
    rows = job["critical_path"]["causes"]
    close(sum(row["seconds"] for row in rows), job["seconds"], rows)
    near(sum(row["share"] for row in rows), 1, rows)
    expect([row["seconds"] for row in rows] == sorted((row["seconds"] for row in rows), reverse=True), "the largest first", rows)
    return {row["cause"] + (" " + row["region"] if "region" in row else ""): row["seconds"] for row in rows}


def product(job):
    """The efficiencies multiply."""
    near(job["parallel"], job["load_balance"] * job["serialisation"] * job["transfer"], job)
    near(job["communication"], job["serialisation"] * job["transfer"], job)
    expect(all(0 < job[key] <= 1 + 1e-12 for key in ("parallel", "load_balance", "serialisation", "transfer")), job)


def with_change(job, change):
    return next(row for row in job["what_if"] if row["change"] == change)


def closed_forms():
    program = build("tests/net/programs/efficiency.c")
    for ranks in (1, 2, 5, 8):
        # The mean of 10, 20 … n x 10 us is (n + 1) / 2 x 10 us. On the ideal network a barrier takes no time.
        document, job = explained(program, ranks, "imbalance")
        product(job)
        near(job["load_balance"], (ranks + 1) / 2 / ranks, ranks)
        near(job["serialisation"], 1, ranks)
        close(job["ideal_seconds"], 10 * ranks * US, ranks)
        path = causes(job)
        close(path["computing uneven"], 10 * ranks * US, path)
        if ranks > 1:
            expect(path["latency"] > 0 and set(path) <= {"computing uneven", "latency", "bandwidth", "contention"}, path)
            expect(job["critical_path"]["ranks"][0]["rank"] == ranks - 1, "the slowest rank", job["critical_path"])
        expect(document["seconds"] >= job["seconds"], document["seconds"])

        # One rank after the other: of n stages one computes at a time.
        _, job = explained(program, ranks, "pipeline", 1000)
        product(job)
        near(job["load_balance"], 1, ranks)
        near(job["serialisation"], 1 / ranks, ranks)
        close(job["ideal_seconds"], 10 * ranks * US, ranks)
        close(causes(job)["computing stage"], 10 * ranks * US, ranks)
        expect(job["critical_path"]["messages"] >= ranks - 1, job["critical_path"])
        half = with_change(job, "region stage twice as fast")
        close(half["seconds"], job["seconds"] - 5 * ranks * US, half)
        near(half["speedup"], job["seconds"] / half["seconds"], half)

    # An eager message of 50,000 bytes both ways: 25 packets, each way on its own cable.
    _, job = explained(program, 2, "exchange", 50000)
    product(job)
    close(job["seconds"], 10 * US + 2 * LATENCY + 50001 * BYTE, job)
    close(job["ideal_seconds"], 10 * US, job)
    near(job["serialisation"], 1, job)
    near(job["transfer"], job["ideal_seconds"] / job["seconds"], job)
    path = causes(job)
    close(path["bandwidth"], 50001 * BYTE, path)
    close(path["latency"], 2 * LATENCY, path)
    expect("contention" not in path, path)
    # Twice as fast: half of the latency (2 x 2 ns, 46 ns in a router, 2 ns of cable, rounded down) and of the bytes' time.
    twice = with_change(job, "network twice as fast")
    expect(abs(twice["seconds"] - (10 * US + (2 * LATENCY + 50001 * BYTE) / 2)) < 20e-9, twice)
    near(with_change(job, "no contention")["seconds"], job["seconds"], "but for the byte of the last message", job)

    # Rendezvous: request and answer cross first.
    _, job = explained(program, 2, "exchange", 1000000)
    close(job["ideal_seconds"], 10 * US, job)
    path = causes(job)
    close(path["bandwidth"], 1000000 * BYTE + 3 * BYTE, path)
    close(path["latency"], 4 * LATENCY, path)
    expect(job["critical_path"]["messages"] == 4, job["critical_path"])


def paths():
    program = build("tests/net/programs/efficiency.c")
    # By hand: everything that happens is on the path.
    document, job = explained(program, 2, "ping-pong", 4096)
    path = causes(job)
    expect(set(path) == {"computing think", "computing", "latency", "bandwidth"}, path)
    for cause, seconds in (("computing think", 10 * US), ("computing", 20 * US), ("latency", 21 * LATENCY),
                           ("bandwidth", (20 * 4096 + 1) * BYTE)):
        close(path[cause], seconds, cause, path)
    close(job["seconds"], sum(path.values()), path)
    expect(job["critical_path"]["messages"] == 21, job["critical_path"])
    for rank, seconds, row in zip((1, 0), (20 * US, 10 * US), job["critical_path"]["ranks"]):
        expect(row["rank"] == rank, job["critical_path"])
        close(row["seconds"], seconds, row)
        close(row["compute_seconds"], seconds, row)
    pairs = {(pair["from"], pair["to"]): pair["messages"] for pair in job["critical_path"]["pairs"]}
    expect(pairs in ({(0, 1): 10, (1, 0): 11}, {(0, 1): 11, (1, 0): 10}), pairs)
    near(job["load_balance"], 0.75, job)
    near(job["serialisation"], 20 / 30, job)
    steps = document["page"]["critical_paths"][0]
    expect(steps[0][0] == 0 and all(abs(a[1] - b[0]) < 1e-15 for a, b in zip(steps, steps[1:])), "without gaps", steps)
    close(steps[-1][1], job["seconds"], steps[-1])

    # Overheads of the processor are on it, too.
    _, job = explained(program, 2, "ping-pong", 4096, options=("--set", "mpi.send_overhead=300 ns", "--set", "mpi.recv_overhead=200 ns"))
    path = causes(job)
    close(path["send overhead"], 20 * 0.3 * US, path)
    close(path["receive overhead"], 20 * 0.2 * US, path)
    close(path["work of collectives"], 0.5 * US, "MPI_Finalize", path)
    close(job["ideal_seconds"], 30 * US, "without overheads", job)

    # Rank 0 of 5 waits for the slowest, whatever the order in which messages were received.
    _, job = explained(program, 5, "wildcards", 100)
    product(job)
    path = causes(job)
    close(path["computing ask"], 80 * US, path)
    close(path["computing serve"], 1 * US, path)
    close(job["ideal_seconds"], 81 * US, job)
    near(job["load_balance"], (4 + 20 + 40 + 60 + 80) / 5 / 80, job)

    # A rank that polls waits for the message: not its own polls are on the path, but the sender's computing.
    _, job = explained(program, 2, "polls", 100)
    path = causes(job)
    close(path["computing before"], 50 * US, path)
    close(path["computing after"], 5 * US, path)
    expect(path.get("polling", 0) < 0.1 * US + 1e-12, path)

    # Three messages of 32 packets reach one node: two wait for the others' bytes.
    _, job = explained(program, 4, "contention", 60000, options=("--set", "topology.kind=crossbar"))
    path = causes(job)
    expect(abs(path["contention"] - 2 * 60000 * BYTE) < 1.5 * US, "two other messages", path)
    clear = with_change(job, "no contention")
    near(clear["seconds"], job["seconds"] - path["contention"], clear, path)
    expect(not any(row["change"] == "no contention" for row in
                   explained(program, 4, "contention", 60000, options=("--network", "analytic"))[1]["what_if"]), "it has none")

    # Prime numbers of ranks, collectives with overheads in their timers, nested regions, two ranks per node, sleeping links, jitter.
    for ranks, options in ((7, ()), (13, ("--set", "mpi.send_overhead=300 ns", "--set", "mpi.recv_overhead=200 ns")),
                           (6, ("--set", "node.ranks=2")), (8, ("--set", "link.sleep.policy=fixed", "--set", "link.sleep.after=1 us")),
                           (5, ("--set", "jitter.period=20 us", "--set", "jitter.duration=1 us")),
                           (8, ("--set", "collective.hardware=barrier")),
                           (8, ("--set", "collective.hardware=tree", "--set", "mpi.algorithms=allreduce=hardware"))):
        _, job = explained(program, ranks, "collectives", 3000, options=options)
        product(job)
        causes(job)
        # Each rank computes at least 4 x 5, at most 6 x 5; a faster region takes half of the inner 3, 4 or 5.
        expect(job["compute_max"] <= 30 * US and job["ideal_seconds"] >= job["compute_max"] - 1e-12, job)
        expect(job["what_if"][-1]["change"] == "region inner twice as fast" and job["what_if"][-1]["speedup"] > 1, job["what_if"])
    # The outer region contains the inner one.
    _, job = explained(program, 1, "collectives", options=("--faster", "outer"))
    close(job["seconds"], (3 + 4 + 5 + 3 + 4 + 5 * 1) * US, job)
    close(with_change(job, "region outer twice as fast")["seconds"], 12 * US, job)

    # The same run gives the same numbers, and --efficiency changes no other.
    first = result("-n", 7, "--quiet", "--efficiency", program, "collectives", 3000)
    again = result("-n", 7, "--quiet", "--efficiency", program, "collectives", 3000)
    plain = result("-n", 7, "--quiet", program, "collectives", 3000)
    expect(first["result_hash"] == again["result_hash"], "repeats")
    for key in ("seconds", "messages", "packets", "per_rank", "statistics", "compute"):
        expect(first[key] == plain[key], key)


def compute():
    """Times of computing are the same in all runs: measured once, by models, and recorded in a trace."""
    regions = build("tests/net/programs/regions.c")
    measured, job = explained(regions, 2, "plain", options=("--compute", "measured"))
    expect(not any("another course" in one for one in measured.get("assumptions", [])), measured.get("assumptions"))
    expect(job["ideal_seconds"] >= job["compute_max"] - 1e-12 and job["ideal_seconds"] <= job["seconds"], job)
    product(job)
    causes(job)
    write("fits.toml", 'format = 1\n[region.product]\nparameters = "n m"\nseconds = "1e-9 * n^2"\n[region.solve]\nparameters = "n"\nseconds = "1e-6 * n^2"\n')
    models = ("--compute", f"model:{at('fits.toml')}")
    _, job = explained(regions, 2, "plain", options=models)
    computed = (2 * 64**2 + 100**2) * 1e-9
    close(causes(job)["computing product"], computed, job)
    close(with_change(job, "region product twice as fast")["seconds"], job["seconds"] - computed / 2, job)
    # An inner region that becomes faster makes the outer one, whose model includes it, faster by the same time.
    _, job = explained(regions, 2, "nested", options=(*models, "--faster", "product"))
    inner = causes(job)["computing product"]
    expect(inner > 0, job)
    close(with_change(job, "region product twice as fast")["seconds"], job["seconds"] - inner / 2, job)
    program = build("tests/net/programs/efficiency.c")
    result("-n", 5, "--quiet", "--timeline", at("five.otf2"), program, "pipeline", 1000)
    job = result("--quiet", "--efficiency", "--replay", at("five.otf2"))["efficiency"]["jobs"][0]
    near(job["serialisation"], 0.2, job)
    close(with_change(job, "computing twice as fast")["seconds"], job["seconds"] - 25 * US, job)


def jobs():
    build("tests/net/programs/efficiency.c")
    write("two.toml", """[uneven]
program = "efficiency"
arguments = "imbalance"
ranks = 3
[stages]
program = "efficiency"
arguments = "pipeline 1000"
ranks = 4
arrival = "7 us"
""")
    document = result("--quiet", "--efficiency", "--report", at("two.html"), "--jobs", at("two.toml"))
    uneven, stages = document["efficiency"]["jobs"]
    expect(uneven["name"] == "uneven" and stages["name"] == "stages", document["efficiency"])
    near(uneven["load_balance"], 2 / 3, uneven)
    near(stages["serialisation"], 1 / 4, stages)
    close(stages["ideal_seconds"], 40 * US, "from its arrival", stages)
    for job in (uneven, stages):
        product(job)
        causes(job)
    shown = place.call(psim, "show", at("result.json"), cwd=None).stdout
    for words in ("Why it takes this long", "The path of job uneven leads to the end of rank", "Load balance", "network twice as fast", "computing in stage"):
        expect(words in shown, words, shown)


def terminal():
    """Lines for people; bad input: one clear line each."""
    program = build("tests/net/programs/efficiency.c")
    lines = run("-n", 4, "--efficiency", program, "pipeline", 1000).stderr
    for line in ("efficiency\n", "  parallel      0.2391  load balance x serialisation x transfer\n",
                 "  load balance  1.0000  mean computing 10.000 µs / most 10.000 µs\n",
                 "  serialisation 0.2500  most computing / 40.000 µs on an ideal network\n",
                 "critical path to the end of rank 2, over 5 messages: computing in stage ",
                 "what if: network twice as fast: ", "what if: no contention (analytic network): ", "what if: region stage twice as fast: "):
        expect(line in lines, line, lines)
    expect("no efficiencies" in run("-n", 4, "--efficiency", program, "nothing").stderr, "no computing")
    expect("efficiency" not in run("-n", 2, "--efficiency", program, "fails", status=3).stderr, "it has not finished")
    for words, said in ((["-n", 2, "--efficiency"], "net: "),
                        (["--traffic", "uniform", "--efficiency"], "--efficiency: not with --traffic"),
                        (["-n", 2, "--efficiency", "--table", at("t.toml")], "--efficiency: not with --table"),
                        (["--efficiency", "--compute", "measured", "--replay", os.path.join(source, "tests/net/programs/two.goal")],
                         "--compute measured: not with --replay"),
                        (["-n", 2, "--faster", "stage", program, "pipeline"], "--faster")):
        refused = run("--json", at("refused.json"), *words, status=2)
        expect(said in refused.stderr and refused.stderr.count("\n") <= 2, words, refused.stderr)
        expect(not os.path.exists(at("refused.json")), words)
    # A mistake that is found only after the run does not lose its result.
    for words, said in ((["--faster", "stages", program, "pipeline"],
                         "--faster stages: the program marks no such region; expected one of stage"),
                        (["--faster", "x", program, "contention"], "PSIM_REGION_BEGIN")):
        kept = run("--quiet", "--json", at("kept.json"), "-n", 2, "--efficiency", *words, status=2)
        expect(said in kept.stderr and kept.stderr.count("\n") <= 2, words, kept.stderr)
        document = json.load(open(at("kept.json"), encoding="utf-8"))
        expect(document["ending"] == "finished" and "efficiency" not in document, words, document)


{"closed_forms": closed_forms, "paths": paths, "compute": compute, "jobs": jobs, "terminal": terminal}[part]()
