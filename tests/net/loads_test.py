# SPDX-License-Identifier: Apache-2.0
"""loads_test.py PSIM SOURCE PART: traffic, jitter, overheads, measured computing, polling and sleeping links of `psim net`."""
import csv
import re

from runs import at, build, expect, part, result, run, two_jobs


def traffic():
    json_ = result("--traffic", "uniform", "-n", 64, "--load", "0.2,0.6", "--csv", at("curve.csv"))
    low, high = json_["points"]
    expect(abs(low["accepted"] - 0.1976) < 1e-4 and not low["saturated"], low)
    expect(abs(low["latency"]["mean"] - 963e-9) < 1e-9 and abs(high["latency"]["mean"] - 1765e-9) < 1e-9, low, high)
    # At least one hop: two routers, three cables and the packet's length.
    expect(abs(low["latency"]["min"] - (2048 / 5e9 + 2 * 95e-9 + 3 * 5e-9)) < 1e-15, low)
    rows = open(at("curve.csv")).read().splitlines()
    expect(len(rows) == 3 and rows[0].startswith("load,offered,accepted"), rows)
    again = result("--traffic", "uniform", "-n", 64, "--load", "0.2,0.6", "--csv", at("curve.csv"), "--statistics", at("loads.csv"))
    head, *values = [line.split(",") for line in open(at("loads.csv")).read().splitlines()]
    loads = [dict(zip(head, row)) for row in values]
    expect([row["load"] for row in loads] == ["0.2", "0.6"] and all(int(row["interfaces.packets"]) == point["packets"] if "packets" in point
           else int(row["interfaces.packets"]) >= point["messages"] > 0 for row, point in zip(loads, json_["points"])), loads)
    run("--traffic", "uniform", "-n", 64, "--load", "0.2,0.6", "--quiet", "--statistics", at("loads.txt"))
    text = open(at("loads.txt")).read()
    expect(text.startswith("load 0.2\n") and "\n\nload 0.6\n" in text and "messages handed to network interfaces" in text, text)
    expect(again["result_hash"] == json_["result_hash"], "the same twice")
    found = result("--traffic", "tornado", "--set", "topology.shape=8", "--saturation", "--tolerance", 0.05, "--measure",
                   "20 us")["saturation"]
    # Three hops on each of eight links in a ring: at most a third of a link's bandwidth each, and less with
    # datelines.
    expect((found["load"], found["first_refused"]) == (0.25, 0.28125), found)
    # BookSim's rules: ties drawn by packets, free channels, Bernoulli arrivals. Near saturation they decide the latency.
    torus = ["--traffic", "transpose", "--set", "topology.shape=8x8", "--set", "router.virtual_channels=4", "--set", "nic.payload=64 B", "--set",
             "router.buffer=512 B", "--message", "64 B", "--load", "0.2", "--measure", "50 us"]
    rules = ["--set", "topology.routing=random-ties", "--set", "router.vc_choice=free", "--arrivals", "bernoulli"]
    own, free = result(*torus), result(*torus, *rules)
    expect((own["arrivals"], free["arrivals"], free["topology"]["routing"]) == ("poisson", "bernoulli", "random-ties"), own, free)
    expect(free["points"][0]["accepted"] > 0.19 and free["result_hash"] == result(*torus, *rules)["result_hash"], free)
    for words, said in ((["--arrivals", "bernouli"], "--arrivals bernouli: unknown; did you mean bernoulli?"),
                        (["--arrivals", "bernoulli", "--load", "1.2"], "--load 1.2: 1.2 messages in each period; expected at most 1"),
                        (["--arrivals", "bernoulli", "--bursts", "5us:15us"], "--bursts 5us:15us: not with --arrivals bernoulli"),
                        (["--set", "router.vc_choice=free", "--set", "topology.routing=adaptive"], "not with routing adaptive of a torus")):
        refused = run(*torus[:6], *words, status=2)
        expect(said in refused.stderr and refused.stderr.count("\n") == 1, words, refused.stderr)
    other = result("--seed", 2, "--traffic", "uniform", "-n", 64, "--load", "0.2,0.6")
    expect(other["result_hash"] != json_["result_hash"], "another seed")


    points = lambda *words: result("--quiet", "--traffic", *words)["points"]
    loads = [point["load"] for point in points("uniform", "-n", 8, "--load", "0.1:0.5:0.1", "--measure", "50 us")]
    expect(loads == [0.1, 0.2, 0.3, 0.4, 0.5], loads)
    # Seven sources of a row share the channel along the diagonal: 1/7 each, in the curve and in the search.
    mesh = ("--set", "topology.kind=mesh", "--set", "topology.shape=8x8")
    found = result("--traffic", "transpose", *mesh, "--saturation", "--measure", "20 us", "--tolerance", 0.01)
    expect(found["saturation"]["load"] < 1 / 7 < found["saturation"]["first_refused"], found["saturation"])
    expect(found["saturation"]["first_refused"] - found["saturation"]["load"] <= 0.01, found["saturation"])
    refused = [point["load"] for point in found["points"] if point["saturated"]]
    expect(min(refused) == found["saturation"]["first_refused"], refused)
    # A message longer than the default measurement, and one longer than the measurement requested.
    long = points("uniform", "-n", 8, "--load", "0.3", "--message", "1 MiB")[0]
    expect(long["messages"] == 3969 and abs(long["accepted"] - 0.298) < 1e-4, long)
    told = run("--traffic", "uniform", "-n", 8, "--load", "0.1,0.3", "--message", "1 MiB", "--measure", "50 us", status=2).stderr
    expect("--measure 50 us: at load 0.1 a node makes a message of 1 MiB every 2097 us" in told, told)
    told = run("--traffic", "uniform", "-n", 101, status=2).stderr
    expect("7x5x3 has 105 instead of 101; expected -n 105" in told, told)

def patterns():
    """Patterns and networks of present papers."""
    points = lambda *words: result("--quiet", "--measure", "20 us", "--traffic", *words)["points"]
    for kind, shape, routing in (("hyperx", "4x4:2", "dal"), ("hypercube", "4:2", "adaptive"), ("slim-fly", "3:2", "ugal"), ("dragonfly+", "2x2x2x1", "par"),
                                 ("express-mesh", "6x6:2", "valiant"), ("dragonfly", "4x2x2x9", "ugal-g")):
        network = ("--set", f"topology.kind={kind}", "--set", f"topology.shape={shape}", "--set", f"topology.routing={routing}", "--set",
                   "router.virtual_channels=4")
        low, = points("uniform", *network, "--load", 0.1)
        expect(abs(low["accepted"] - 0.1) < 0.02 and not low["saturated"], kind, low)
    # A group of eight nodes shares a cable to the next group: the search ends at 1/8, and with par beyond it.
    groups = ("--set", "topology.kind=dragonfly", "--set", "topology.shape=4x2x2x9", "--set", "router.virtual_channels=4")
    found = result("--traffic", "adversarial", *groups, "--saturation", "--tolerance", 0.02)["saturation"]
    expect(found["load"] <= 1 / 8 < found["first_refused"] + 0.02, found)
    par = ("--set", "topology.routing=par", "--set", "routing.candidates=2")
    expect(points("adversarial", *groups, *par, "--load", 0.3)[0]["accepted"] > 0.28, "par goes around")
    bias = ("--set", "routing.bias=1 MiB")
    expect(points("adversarial", *groups, *par, *bias, "--load", 0.3)[0]["accepted"] < 0.14, "not with a bias")
    box = ("--set", "topology.kind=hyperx", "--set", "topology.shape=4x4:4")
    expect(points("adversarial", *box, "--load", 0.5)[0]["accepted"] < 0.26, "the next router, over one cable")
    expect(points("adversarial", *box, "--group", 16, "--shift", 2, "--load", 0.2)[0]["accepted"] > 0.19, "the row behind the next")
    for pattern in ("permutation", "all-to-all", "stencil-2d", "stencil-3d"):
        point, = points(pattern, "-n", 64, "--load", 0.1)
        expect(abs(point["accepted"] / point["offered"] - 1) < 0.05 and 0.08 < point["accepted"] < 0.12, pattern, point)
    expect(points("stencil-2d", "-n", 64, "--grid", "16x4", "--load", 0.1)[0]["accepted"] > 0.09, "a grid")
    open(at("matrix.txt"), "w").write("0 1 3\n# half of it\n1,2,1.5\n")
    matrix = result("--traffic", "matrix", "--matrix", at("matrix.txt"), "-n", 4, "--load", 0.5)
    expect(abs(matrix["points"][0]["accepted"] - 0.5) < 0.03 and "matrix" in matrix["inputs"], matrix)
    even, bursts = points("uniform", "-n", 64, "--load", 0.3)[0], points("uniform", "-n", 64, "--load", 0.3, "--bursts", "2us:2us")[0]
    expect(bursts["latency"]["mean"] > 1.1 * even["latency"]["mean"], even, bursts)
    for words, says in ((("matrix", "-n", 4), "add --matrix FILE"), (("matrix", "--matrix", at("none.txt"), "-n", 4), "No such file"),
                        (("matrix", "--matrix", at("matrix.txt"), "-n", 2), "matrix.txt:3: '2' is not a node; expected 0 … 1"),
                        (("uniform", "-n", 4, "--group", 2), "--group: not with --traffic uniform; expected adversarial"),
                        (("uniform", "-n", 4, "--bursts", "2us"), "--bursts 2us: expected two times"),
                        (("stencil-2d", "-n", 4, "--grid", "2xa"), "--grid 2xa: 'a' is not a size"),
                        (("adversarial", "-n", 4, "--shift", 4), "--shift 4: leads to the same group of 4"),
                        (("uniform", "-n", 4, "--set", "routing.bias=1 KiB"), "routing.bias: routing dimension-order does not choose"),
                        (("uniform", "--set", "topology.kind=slim-fly", "--set", "topology.shape=6"), "such as 5 or 7"),
                        (("uniform", "--set", "topology.kind=hyperx", "--set", "topology.shape=4x4", "--set", "topology.routing=ugal-l"),
                         "unknown routing of a hyperx; did you mean ugal"),
                        (("uniform", "--set", "topology.kind=express-mesh", "--set", "topology.shape=4x4"), "a colon and the interval")):
        told = run("--traffic", *words, status=2).stderr
        expect(says in told and told.count("\n") == 1, says, told)


def jitter():
    program = build("tests/net/programs/compute.c")
    exact = ("--set", "mpi.wtime=0 ns")
    lines = lambda *words: run("--quiet", *exact, *words, program).stdout.splitlines()
    computed = lambda line: float(line.split()[2])
    expect(lines("-n", 2)[0] == "computed for 0.010000000 s", lines("-n", 2))
    # 100 us of every ms are lost, from time 0 on: 12 losses during 10 ms of work.
    fixed = ("--set", "jitter.period=1 ms", "--set", "jitter.duration=100 us", "--set", "jitter.aligned=true")
    first, second = lines("-n", 2, *fixed)
    expect(first == "computed for 0.011200000 s", first)
    expect(second.startswith("came at 0.011200"), second)  # sent and received between two losses
    # Sent at the start of a loss: the receiver continues at its end.
    late = lines("-n", 2, "--set", "jitter.period=10.1 ms", "--set", "jitter.duration=100 us", "--set", "jitter.aligned=true")
    expect(late == ["computed for 0.010100000 s", "came at 0.010200000 s"], late)
    # Separate phases, drawn from the seed: repeatable, and different for another seed.
    drawn = ("--set", "jitter.period=1 ms", "--set", "jitter.duration=50 us", "--set", "jitter.distribution=exponential")
    one = result("-n", 2, *exact, *drawn, program)
    expect(one["result_hash"] == result("-n", 2, *exact, *drawn, program)["result_hash"], "twice the same")
    expect(one["seconds"] != result("-n", 2, *exact, *drawn, "--seed", 2, program)["seconds"], "another seed")
    once = computed(lines("-n", 2, *drawn)[0])  # ten losses with a mean of 50 us; 34.6 us for this seed
    expect(abs(once - 0.010346398) < 2e-9, once)
    told = run("-n", 2, "--set", "jitter.period=1 ms", "--set", "jitter.duration=1 ms", program, status=2).stderr
    expect("jitter.duration must be shorter than jitter.period" in told, told)


def overheads():
    """Every algorithm of every collective takes the same time as with MPI_Isend and MPI_Recv, on each rank."""
    program = build("tests/net/programs/overheads.c")
    table = {"barrier": ("dissemination", "tree", "two-level"), "bcast": ("binomial", "linear", "chain", "scatter-ring", "two-level"),
             "reduce": ("binomial", "linear", "rabenseifner", "two-level"),
             "allreduce": ("recursive-doubling", "reduce-bcast", "ring", "rabenseifner", "two-level"),
             "gather": ("binomial", "linear"), "scatter": ("binomial", "linear"),
             "allgather": ("bruck", "ring", "recursive-doubling", "gather-bcast", "two-level"),
             "alltoall": ("pairwise", "bruck", "linear"), "reduce-scatter": ("pairwise", "reduce-scatter"),
             "scan": ("recursive-doubling", "linear")}
    known = run("--collectives").stdout
    for what, algorithms in table.items():
        line = re.search(rf"^\[{what}\] *# (.*)$", known, re.M).group(1)
        expect(set(algorithms) == set(line.split(", ")) - {"hardware", "table"}, what, line)
        for how in algorithms:
            for ranks, block in ((8, 40), (5, 40), (8, 8000)):  # 32 kB: by rendezvous
                rules = ";".join(f"{name}:ranks<={ranks}={how if name == what else first[0]};{name}:ranks<={ranks}={first[0]}"
                                 for name, first in table.items())
                words = ("-n", ranks + 1, "--quiet", "--set", f"node.ranks={4 if how == 'two-level' else 1}", "--set", "topology.kind=crossbar", "--set", "mpi.wtime=0 ns", "--set",
                         "mpi.send_overhead=700 ns", "--set", "mpi.recv_overhead=1100 ns", "--set", "mpi.eager=16 KiB",
                         "--set", "collective.hardware=barrier", "--set", f"mpi.algorithms={rules}", program, what, how, block)
                library, hand, waitall = (run(*words, who).stdout.splitlines() for who in ("library", "hand", "waitall"))
                expect(len(library) == ranks and library == hand, what, how, ranks, block, library, hand)
                expect(waitall == hand, "MPI_Waitall takes messages as they come", what, how, ranks, block, waitall, hand)


def measured():
    """Code between calls takes the host's time, which is unknown here but at least the time it computes for."""
    program = build("tests/net/programs/busy.c")
    took = lambda *words: [float(line) for line in run("-n", 2, "--quiet", *words, program).stdout.split()]
    expect(all(time < 1e-6 for time in took()), "computing takes no time unless it is measured")
    expect(all(time >= 0.00499 for time in took("--compute", "measured")), "what the host gave")
    expect(all(time >= 0.0499 for time in took("--compute", "measured*10")), "ten times that")
    json_ = result("-n", 2, "--compute", "measured*0.5", program)
    expect("measured" in json_["not_repeatable"] and json_["compute"]["mode"] == "measured*0.5", json_.get("compute"))
    expect(json_["per_rank"]["compute"]["min"] >= 0.00249, json_["per_rank"])
    told = run("-n", 2, "--compute", "measured*2", program).stderr
    expect("not repeatable" in told, told)
    expect("not_repeatable" not in result("-n", 2, "--compute", "stated", program), "stated")
    for wrong in ("measured*0", "measured*", "measured*x", "fast"):
        expect("--compute" in run("-n", 2, "--compute", wrong, program, status=2).stderr, wrong)


def polling():
    program = build("tests/net/programs/polling.c")

    # With a timeline each poll has an event of its own; skipped polls must not change any result.
    def same(*words, status=0):
        skipped = result(*words, status=status)
        each = result("--timeline", at("polls.json"), *words, status=status)
        for document in skipped, each:
            document.pop("host"), document.pop("page")
        expect(skipped == each, words, *(key for key in skipped if skipped[key] != each.get(key)))
        return skipped

    sleeping = ("--set", "link.sleep.policy=fixed", "--set", "link.sleep.after=1 us")
    for words in ((), sleeping, ("--set", "mpi.progress=call"), ("--set", "mpi.poll=37 ns"), ("--set", "mpi.eager=0 B"),
                  ("--set", "node.ranks=3"), ("--globals", "swapped"), ("--globals", "remapped")):
        json_ = same("-n", 6, *words, program, "tests")
        expect(json_["polls"]["count"] > 10000 and len(json_["assumptions"]) == 1, json_["polls"])
    expect("at mpi.poll = 37 ns each" in result("-n", 6, "--set", "mpi.poll=37 ns", program, "tests")["assumptions"][0], "cost")
    same("-n", 5, program, "abort", status=3)
    expect("polls" not in result("-n", 2, build("workloads/mgen/random_ring.c"), 100, 1), "polls of a program that does not")

    # A run that never ends is reported, with the position of each rank.
    def dead(*words):
        return run("--quiet", *words, status=1).stderr.splitlines()

    waits = dead("-n", 3, program, "live-lock")
    expect("deadlock" in waits[0] and "3 of 3 ranks" in waits[0], waits)
    for rank, line in enumerate(waits[1:]):
        expect(re.fullmatch(rf"psim: rank {rank}: MPI_Iprobe\(any source, tag 9, MPI_COMM_WORLD\), repeatedly, "
                            r"in ask_for_nothing \(polling.c:\d+\)", line), line)
    waits = dead("-n", 2, "--set", "mpi.poll_limit=10000", program, "count")
    expect("deadlock" in waits[0] and "rank 1: MPI_Iprobe" in waits[2] and "in ask_for_nothing (polling.c:" in waits[2], waits)
    waits = dead("-n", 3, program, "one")
    expect("rank 0: MPI_Iprobe" in waits[1] and "rank 1: MPI_Barrier(MPI_COMM_WORLD) in main (polling.c:" in waits[2], waits)
    waits = dead("-n", 2, program, "spin")
    expect(re.fullmatch(r"psim: rank 0: waits for a variable to change, without a call, in spin \(polling.c:\d+\)", waits[1])
           and "rank 1: MPI_Finalize" in waits[2], waits)

    # A thread that sleeps may complete the request, after any time.
    grequest = build("tests/net/programs/grequest.c")
    after = run("--quiet", "-n", 2, grequest, 3000000).stdout.splitlines()
    expect([line.split()[0] for line in after] == ["0", "1", "2", "3", "4"], after)
    expect(all(3 <= float(line.split()[3]) < 3.000002 for line in after), after)
    same("-n", 3, grequest, 100)
    waits = dead("-n", 1, grequest, "never")
    expect(waits[1] == "psim: rank 0: MPI_Test(rank 0, tag 5, MPI_COMM_WORLD), repeatedly; thread 1: pthread_mutex_lock", waits)

    # A rank that waits for a variable lets other ranks of its node run.
    node = ("-n", 8, "--set", "node.ranks=4")
    shared = run(*node, "--quiet", program, "shared").stdout
    expect(shared.count("saw turn 12 at ") == 8, shared)
    expect(result(*node, program, "shared")["result_hash"] == result(*node, program, "shared")["result_hash"], "repeatable")
    threads = build("tests/net/programs/spinning_threads.c", "-fopenmp")
    for how in ("posix", "openmp"):
        expect(run("--quiet", "-n", 2, threads, how).stdout == "changed\n", how)
    # Threads that sleep or wait for a message continue at their time, within a round of the threads.
    for how in ("sleep", "message"):
        expect(0.02 <= result("-n", 2, threads, how)["seconds"] < 0.020003, how)
    waits = dead("-n", 1, threads, "never")
    expect("waits for a variable to change, without a call; thread 1: pthread_cond_wait" in waits[1], waits)
    waits = dead(*node, program, "shared-0")
    expect("rank 0: waits for a variable" in waits[1] and "in shared (polling.c:" in waits[1], waits)


def energy():
    """Energy of links: by job, and with synthetic traffic."""
    build("tests/net/programs/job.c")
    shape = ("--set", "topology.shape=4x4")
    fixed = ("--set", "link.sleep.policy=fixed", "--set", "link.sleep.after=2 us", "--set", "link.sleep.wake=200 ns")
    json_ = result(*shape, *fixed, "--jobs", two_jobs(more='arrival = "30 us"\nplacement = "random"'))
    links = json_["link_energy"]
    a, b = links["jobs"]
    total = a["joules"] + b["joules"] + links["nobody"]["joules"]
    expect(abs(total - links["joules"]) < 1e-12 * total and min(a["joules"], b["joules"]) > 0, links)
    expect([a["name"], b["name"]] == ["a", "b"] and a["wakes"] + b["wakes"] == links["wakes"] > 0, links)
    awake = a["awake_seconds"] + b["awake_seconds"] + links["nobody"]["awake_seconds"]
    expect(abs(awake - links["directions"] * json_["seconds"] * (1 - links["low_share"])) < 1e-12, awake)
    told = run(*shape, *fixed, "--jobs", at("jobs.toml")).stderr
    expect("awake for a: " in told and "no job, or in low power: " in told, told)
    expect("jobs" not in result(*shape, *fixed, "-n", 4, at("job"), "run", 1, 10)["link_energy"], "one program")

    sparse = ("--traffic", "uniform", "-n", 16, "--load", "0.01,0.3")
    csv_path = at("sparse.csv")
    low, high = result(*sparse, *fixed, "--csv", csv_path)["points"]
    expect([round(point["link_energy"]["watts"], 2) for point in (low, high)] == [271.81, 362.29], low, high)
    expect(high["link_energy"]["always_on_watts"] == 440.32, high)  # 128 directions of 2.08 + 1.36 W
    expect([round(point["link_energy"]["low_share"], 4) for point in (low, high)] == [0.968, 0.4482], low, high)
    expect([point["link_energy"]["wakes"] for point in (low, high)] == [44063, 14662], low, high)
    with open(csv_path) as file:
        rows = list(csv.DictReader(file))
    expect(float(rows[0]["links_w"]) == low["link_energy"]["watts"] and rows[1]["links_wakes"] == str(high["link_energy"]["wakes"]), rows)
    expect("links W" in run(*sparse, *fixed).stdout and "links W" not in run(*sparse).stdout, "columns")
    expect("link_energy" not in result(*sparse)["points"][0], "links that never sleep")
    expect("--compare" in run(*sparse, "--compare", "always-on", status=2).stderr, "--compare")


globals()[part]()
