# SPDX-License-Identifier: Apache-2.0
"""net_test.py PSIM SOURCE PART CHROMIUM: tests `psim net` as its users run it."""
import csv
import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True  # leaves no __pycache__ in the source tree
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from commands import OPEN_MPI, Place, expect

psim, source, part, browser = sys.argv[1:5]
tools = os.path.dirname(psim)
place = Place("net")
at = place.at


def build(path, *options):
    program = at(os.path.splitext(os.path.basename(path))[0])
    wrapper = {".c": "psim-cc", ".cpp": "psim-cxx", ".f90": "psim-f90"}[os.path.splitext(path)[1]]
    subprocess.run([os.path.join(tools, wrapper), "-g", "-O1", *options, "-o", program, os.path.join(source, path)], check=True,
                   cwd=place.name)
    return program


def run(*words, status=0):
    return place.call(psim, "net", *words, status=status, cwd=None)


def result(*words, status=0):
    path = at("result.json")
    run("--json", path, *words, status=status)
    with open(path) as file:
        return json.load(file)


def ring():
    program = build("workloads/mgen/random_ring.c")
    json_ = result("-n", 27, program, 100000, 2)
    # 27 ranks, two messages each per iteration: request, grant, and 49 data packets; three barriers of five
    # rounds.
    expect(json_["messages"] == 27 * 2 * 2 * 3 + 3 * 27 * 5, json_["messages"])
    expect(json_["packets"] == 27 * 2 * 2 * (2 + 49) + 3 * 27 * 5, json_["packets"])
    expect(json_["ranks"] == 27 and json_["topology"]["shape"] == "3x3x3", json_["topology"])
    # No link carries more than its bandwidth, and no rank is faster than the cable.
    expect(0 < json_["links"]["mean_utilization"] < json_["links"]["max_utilization"] <= 1, json_["links"])
    expect(json_["seconds"] >= 2 * 2 * 100000 / 5e9, json_["seconds"])
    # The timeline's totals are the run's: link time over bins is link time over kinds.
    timeline, links = json_["timeline"], json_["links"]
    for name, series in timeline["link_utilization"].items():
        total = sum(series) * timeline["bin_seconds"]
        expect(abs(total - links["kinds"][name]["mean_utilization"] * json_["seconds"]) < 1e-9 + 1e-6 * total, name)
    channels = 2 * links["count"]  # two virtual channels each
    expect(all(sum(sample["channels"]) == channels for sample in timeline["buffer_occupancy"]), "occupancy")
    expect(sum(count for _, count in json_["packet_latency"]["histogram"]) == json_["packets"], "histogram")
    def table(name):
        with open(at("tables/" + name)) as file:
            return list(csv.DictReader(file))

    run("-n", 27, "--csv", at("tables"), program, 100000, 2)
    over_time, links, ranks, latency = (table(name + ".csv") for name in ("time", "links", "ranks", "latency"))
    expect(sum(int(row["packets_received"]) for row in over_time) == json_["packets"], "packets over time")
    expect(sum(int(row["messages_sent"]) for row in over_time) == json_["messages"], "messages over time")
    between = [row for row in links if row["to_router"]]
    expect(sum(int(row["packets"]) for row in between) == json_["packet_hops"] and len(between) == 6 * 27, len(between))
    expect(sum(int(row["bytes"]) for row in between) == json_["links"]["bytes"], json_["links"])
    # Each node's link in both directions: packets leave nodes and reach other nodes, and shares refer to the
    # link's bandwidth.
    for direction, key in (("to-node", "received"), ("from-node", "sent")):
        ends = [row for row in links if row["direction"] == direction]
        expect(len(ends) == 27 and sum(int(row["packets"]) for row in ends) == json_["packets"], direction)
        nodes = {row["node"]: int(row["packets_" + key]) for row in table("nodes.csv")}
        expect(nodes == {row["node"]: int(row["packets"]) for row in ends}, direction)
        expect(all(float(row["bytes_per_s"]) <= 5e9 for row in ends), direction)
    received = json_["nodes"]["packets_received"]
    expect(abs(received["mean"] * 27 - json_["packets"]) < 1e-6 and received["min"] <= received["mean"] <= received["max"], received)
    expect(sum(int(row["packets"]) for row in latency) == json_["packets"], "latency")
    parts = sum(float(row["transfer_s"]) for row in ranks) / 27
    expect(len(ranks) == 27 and abs(parts - json_["per_rank"]["transfer"]["mean"]) < 1e-12, parts)
    expect(all(sum(int(row[f"buffers {10 * c}-{10 * c + 10} %"]) for c in range(10)) == channels for row in over_time),
           over_time[0])
    # Selected routers and links over time: the sum of all is the total, and observing changes nothing.
    observed = ("--observe-routers", "all", "--observe-every", "5 us")
    watched = result("-n", 27, "--csv", at("tables"), *observed, program, 100000, 2)
    expect(watched["result_hash"] == json_["result_hash"], "observation changes the run")
    sums = {}
    for row in table("observed_links.csv"):
        key = row["router"], row["port"], row["direction"]
        sums[key] = sums.get(key, 0) + int(row["bytes"])
        expect(float(row["utilization"]) <= 1 and float(row["bytes_per_s"]) <= 5e9, row)
    whole = {(row["router"], row["port"], row["direction"]): int(row["bytes"]) for row in table("links.csv")}
    expect({key: value for key, value in whole.items() if value} == sums, "bytes")
    expect(sum(int(row["packets"]) for row in table("observed_nodes.csv")) == json_["packets"], "packets")
    buffers = table("observed_buffers.csv")
    expect(buffers and all(0 < float(row["occupancy"]) <= 1 and int(row["packets"]) > 0 for row in buffers), buffers[:3])
    some = ("--observe-links", "5-4,4-5", "--observe-from", "20 us", "--observe-to", "40 us")
    run("-n", 27, "--quiet", "--csv", at("tables"), *some, program, 100000, 2)
    rows = table("observed_links.csv")
    expect({(row["router"], row["to_router"]) for row in rows} == {("5", "4"), ("4", "5")}, rows)
    expect(all(2e-5 <= float(row["begin_s"]) < float(row["end_s"]) <= 4e-5 for row in rows), rows)
    for words, what in ((("--observe-links", "0-13"), "no link leads from router 0 to router 13"),
                        (("--observe-links", "0"), '"0" is not a link'),
                        (("--observe-routers", "27"), '"27" is not a router'),
                        (("--observe-every", "1 us"), "needs --observe-routers or --observe-links"),
                        (("--observe-routers", "1", "--observe-every", "0 us"), "--observe-every 0 us: is nothing")):
        told = run("-n", 27, "--csv", at("tables"), *words, program, 1, 1, status=2).stderr
        expect(what in told, words, told)
    told = run("-n", 27, "--observe-routers", "1", program, 1, 1, status=2).stderr
    expect("--observe-routers 1: needs --csv" in told, told)
    # Networks without any cable between routers.
    for words in (("-n", 4, "--set", "topology.kind=crossbar"), ("-n", 4, "--set", "topology.kind=star"), ("-n", 1)):
        run("--quiet", "--csv", at("tables"), *words, build("tests/net/programs/data.c"))
        expect(all(row["node"] for row in table("links.csv")) and len(table("time.csv")) > 0, words)
    # A prime number of ranks: no ring, but idle nodes.
    prime = result("-n", 13, program, 1000, 1)["topology"]
    expect(prime["shape"] == "5x3x1" and prime["idle_nodes"] == 2, prime)
    alltoall = build("workloads/mgen/alltoall.c")
    for how in ("pairwise", "collective"):
        expect("all-to-all of 16 ranks" in run("-n", 16, alltoall, 4, how).stdout, how)


def results():
    program = build("tests/net/programs/data.c")
    first, second = result("-n", 6, program), result("-n", 6, program)
    expect(first["result_hash"] == second["result_hash"], "the same run twice")
    keys = ("schema version command machine inputs seed result_hash host seconds messages packets packet_hops ranks "
            "per_rank links ending exit_status").split()
    expect(all(key in first for key in keys), [key for key in keys if key not in first])
    times = first["per_rank"]
    expect(set(times) >= {"compute", "wait", "transfer"}, times)
    # Each rank's time is the sum of these parts.
    parts = sum(times[part]["mean"] for part in ("compute", "overhead", "transfer", "wait"))
    expect(abs(parts - times["end"]["mean"]) < 1e-12 and times["transfer"]["min"] > 0, times)
    expect(first["host"]["packet_hops_per_second"] > 0, first["host"])
    # The order of globals in memory does not affect simulated results.
    for mode in ("copies", "swapped", "remapped"):
        other = result("--globals", mode, "-n", 6, program)
        expect(other["result_hash"] == first["result_hash"], mode)
    slower = result("--set", "link.bandwidth=1 GB/s", "-n", 6, program)
    ratio = slower["seconds"] / first["seconds"]  # a fifth of the bandwidth, the same delays
    expect(abs(ratio - 4.942) < 0.001, ratio)


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


def data():
    program = build("tests/net/programs/data.c")
    for ranks in (1, 2, 5, 16):
        out = run("-n", ranks, program).stdout.splitlines()
        expect(sorted(out) == sorted(f"rank {i} of {ranks}: sum {ranks * (ranks - 1) // 2}, 4 exchanges"
                                     for i in range(ranks)), out)
    both = run("-n", 8, "--set", "node.ranks=4", program).stdout
    expect(both.count("sum 28") == 8, both)


def collectives():
    """Collectives in hardware: closed forms of their time after the last entry, in ns."""
    program = build("tests/net/programs/offloaded.c")
    exact = ("--set", "mpi.wtime=0 ns", "--quiet")

    def left(ranks, what, count, *words):
        rows = [line.split() for line in run("-n", ranks, *exact, *words, program, what, count).stdout.splitlines()]
        expect(len(rows) == ranks and all(row[2] == "right" for row in rows), what, rows)
        return [int(row[1]) for row in sorted(rows, key=lambda row: int(row[0]))]

    barrier = ("--set", "collective.hardware=barrier")
    for ranks in (2, 9, 32):  # independent of the number of ranks
        expect(left(ranks, "barrier", 0, *barrier) == [3300] * ranks, ranks)
    short = (*barrier, "--set", "collective.barrier_latency=1.6 us")
    expect(left(8, "barrier", 0, *short) == [1600] * 8, "the other of paper 001")
    left(8, "ibarrier", 0, *short, "--set", "mpi.progress=call")
    # 27 nodes, 3 children each: 3 levels. 4000 bytes at 400 MB/s: 10 us.
    tree = ("--set", "collective.hardware=tree", "--set", "collective.tree_arity=3", "--set", "collective.tree_hop=200 ns",
            "--set", "collective.tree_latency=1 us", "--set", "collective.tree_bandwidth=400 MB/s")
    expect(left(27, "barrier", 0, *tree) == [1000 + 2 * 3 * 200] * 27, "barrier on the tree")
    expect(left(27, "bcast", 1000, *tree) == [1000 + 3 * 200 + 10000] * 26 + [10000], "bcast")
    # Other ranks leave a reduction when their vector is on its way: rank r entered 26 - r us before the last.
    expect(left(27, "reduce", 1000, *tree) == [10000 - (26 - r) * 1000 for r in range(26)] + [1000 + 3 * 200 + 10000], "reduce")
    expect(left(27, "allreduce", 1000, *tree) == [1000 + 2 * 3 * 200 + 10000] * 27, "allreduce")
    # The user's rules take precedence.
    chosen = left(27, "allreduce", 1000, *tree, "--set", "mpi.algorithms=allreduce:bytes<=4000=ring")
    expect(len(set(chosen)) > 1, chosen)
    told = run("-n", 2, "--set", "mpi.algorithms=bcast=hardware", *barrier, program, "barrier", 0, status=2).stderr
    expect("collective.hardware is barrier" in told, told)
    told = run("-n", 2, *barrier, "--set", "collective.barrier_latency=100 ns", program, "barrier", 0, status=2).stderr
    expect("collective.barrier_latency of 2" in told and "or more" in told, told)


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


def write(name, text):
    with open(at(name), "w") as file:
        file.write(text)
    return at(name)


def two_jobs(how="run", more=""):
    return write("jobs.toml", f"""[a]
program = "job"
arguments = "run 20 5000"
ranks = 8
[b]
program = "job"
arguments = "{how} 4 100000"
ranks = 6
{more}
""")


def jobs():
    build("tests/net/programs/job.c")
    shape = ("--set", "topology.shape=4x4")
    done = run(*shape, "--jobs", two_jobs())
    expect(sorted(done.stdout.splitlines()) == ["a: 8 ranks of 8, 20 steps, sum 12", "b: 6 ranks of 6, 4 steps, sum 6"], done.stdout)
    expect("transfer us" in done.stderr and "finished" in done.stderr, done.stderr)
    first = result(*shape, "--jobs", at("jobs.toml"))
    a, b = first["jobs"]
    expect(first["ranks"] == 14 and a["name"] == "a" and (b["first_node"], b["last_node"]) == (8, 13), first["jobs"])
    expect(b["bytes"] == 6 * 4 * 100000 + 176 and a["messages"] + b["messages"] == first["messages"], first["jobs"])
    expect(all(job["ending"] == "finished" and 0 == job["start"] < job["end"] <= first["seconds"] for job in (a, b)), a, b)
    expect(result(*shape, "--jobs", at("jobs.toml"))["result_hash"] == first["result_hash"], "the same twice")
    # A later start, spread over the network, two ranks per node.
    spread = result(*shape, "--set", "node.ranks=2", "--seed", 3, "--jobs",
                    two_jobs(more='arrival = "7 us"\nplacement = "random"\nmapping = "cyclic"'))["jobs"][1]
    expect(spread["nodes"] == 3 and spread["start"] == 7e-6 and spread["last_node"] - spread["first_node"] > 2, spread)

    # The end of one job does not end the other.
    cut = run(*shape, "--jobs", two_jobs("abort"), status=3)
    expect(cut.stdout == "a: 8 ranks of 8, 20 steps, sum 12\n" and "psim: job b: rank 1: MPI_Abort, status 3" in cut.stderr, cut)
    endings = [job["ending"] for job in result(*shape, "--jobs", at("jobs.toml"), status=3)["jobs"]]
    expect(endings == ["finished", "aborted"], endings)
    dead = run(*shape, "--jobs", two_jobs("deadlock"), status=1)
    expect("job b: rank 1: MPI_Recv(rank 0, tag 77" in dead.stderr and "a: 8 ranks" in dead.stdout, dead)
    expect(result(*shape, "--jobs", two_jobs("status"), status=4)["jobs"][1]["exit_status"] == 4, "status")

    # On alternating nodes the jobs share links; a job alone is as fast as possible.
    near = [job["slow_down"] for job in result(*shape, "--compare", "alone", "--jobs", two_jobs())["jobs"]]
    write("odd", "".join(f"{node}\n" for node in range(1, 16, 2)))
    write("even", "# nodes of b\n" + "".join(f"{node}\n" for node in range(0, 12, 2)))
    mixed = at("mixed.toml")
    write("mixed.toml", open(two_jobs()).read().replace("ranks = 8", 'ranks = 8\nplacement = "file"\nnodes = "odd"').replace(
        "ranks = 6", 'ranks = 6\nplacement = "file"\nnodes = "even"'))
    far = [job["slow_down"] for job in result(*shape, "--compare", "alone", "--jobs", mixed)["jobs"]]
    expect(near == [1, 1] and abs(far[0] - 2.319) < 0.001 and abs(far[1] - 1.316) < 0.001, near, far)
    only = write("only.toml", open(two_jobs()).read().split("[b]")[0])
    expect(result(*shape, "--compare", "alone", "--jobs", only)["jobs"][0]["slow_down"] == 1, "alone it is alone")
    run(*shape, "--csv", at("tables"), "--jobs", two_jobs())
    expect(open(at("tables/ranks.csv")).read().splitlines()[9].startswith("b,0,8,"), "ranks.csv")

    def refused(text, *says, words=shape):
        error = run(*words, "--jobs", write("bad.toml", text), status=2).stderr
        expect(error.startswith("psim: ") and all(word in error for word in says), text, error)

    job = '[a]\nprogram = "job"\nranks = 2\n'
    refused(job + 'rank = 3\n', "bad.toml:4: a.rank", "did you mean")
    refused(job + 'placement = "ranom"\n', "bad.toml:4: a.placement", "did you mean", "random")
    refused('[a]\nranks = 2\n', "bad.toml:2: a.program: missing")
    refused('[a]\nprogram = "job"\n', "bad.toml:2: a.ranks: missing")
    refused('ranks = 2\n', "bad.toml:1: ranks = 2: expected a table for each job")
    refused('# none\n', "no jobs")
    refused(job + 'ranks_a_node = 2\n', "bad.toml:4: a.ranks_a_node = 2: expected at most node.ranks = 1")
    refused(job + 'placement = "file"\n', "a.nodes: missing")
    refused(job + 'nodes = "odd"\n', "bad.toml:4: a.nodes", "needs placement")
    refused(job + 'placement = "file"\nnodes = "absent"\n', "bad.toml:4: a.nodes", "cannot be read")
    refused(job + 'arguments = "\'x"\n', "bad.toml:4: a.arguments", "quote")
    refused(job + "data = \"some\"\n", "a.data = some: ")
    refused(job.replace("= 2", "= 17"), "bad.toml:2: job a needs 17 nodes", "16 nodes")
    refused(job + job.replace("[a]", "[b]").replace('"job"', '"absent"'), "absent")
    by_file = job + 'placement = "file"\nnodes = "wrong"\n'
    for lines, says in (("3\n16\n", "wrong:2: node 16: the network has nodes 0 … 15"), ("3\n3\n", "wrong:2: node 3: twice, first in line 1"),
                        ("3\n", "wrong: 1 nodes; job a needs 2"), ("3 4\n", "wrong:1: expected one node per line"), ("x\n", "wrong:1: ")):
        write("wrong", lines)
        refused(by_file, says)
    write("wrong", "3\n4\n")
    refused(by_file + by_file.replace("[a]", "[b]"), "wrong:1: node 3: job a has it")
    mapped = job + 'mapping = "wrong"\n'
    for lines, says in (("0 0\n2 1\n", "wrong:2: rank 2: job a has ranks 0 … 1"), ("0 0\n1 2\n", "wrong:2: node 2: job a has nodes 0 … 1"),
                        ("0 0\n0 1\n", "wrong:2: rank 0: a second time"), ("0 0\n1 0\n", "wrong:2: node 0: more than 1 ranks"),
                        ("0 1\n", "wrong: rank 1 of job a is missing"), ("0\n", "wrong:1: expected a line RANK NODE")):
        write("wrong", lines)
        refused(mapped, says)
    write("wrong", "1 0\n0 1\n")
    run(*shape, "--jobs", write("good.toml", mapped + 'arguments = "run 1 10"\n'))
    expect("--jobs takes no program" in run("--jobs", at("good.toml"), at("job"), status=2).stderr, "a program")
    expect("-n" in run("--jobs", at("good.toml"), "-n", 2, status=2).stderr, "-n")
    expect("--compare" in run("-n", 2, "--compare", "alone", at("job"), status=2).stderr, "--compare")


def together():
    """Interactions of jobs in one run: names, shared nodes, traces next to programs, crashes."""
    build("tests/net/programs/job.c")
    shape = ("--set", "topology.shape=4x4")

    # Timelines name ranks by their jobs and show the nodes on which they ran.
    write("spread", "9\n2\n14\n5\n0\n7\n")
    named = two_jobs(more='placement = "file"\nnodes = "spread"')
    run(*shape, "--timeline", at("jobs.json"), "--jobs", named)
    trace = json.load(open(at("jobs.json")))["traceEvents"]
    names = {e["pid"]: e["args"]["name"] for e in trace if e["name"] == "process_name"}
    threads = {e["tid"]: (e["pid"], e["args"]["name"]) for e in trace if e["name"] == "thread_name"}
    expect(names == {0: "a", 1: "b"} and threads[7] == (0, "rank 7") and threads[8] == (1, "rank 0"), names, threads)
    expect(all(threads[e["tid"]][0] == e["pid"] for e in trace if e["ph"] in "Xsf"), "ranks in their jobs")
    told = {e["args"].get("to", "") for e in trace if e["ph"] == "X" and e["tid"] == 8}
    expect(any(text.startswith("rank 1, tag 1, 100000 bytes") for text in told), told)
    events(at("jobs.json"))
    run(*shape, "--timeline", at("jobs.otf2"), "--jobs", named)
    printed = subprocess.run(["otf2-print", "-G", at("jobs.otf2/traces.otf2")], capture_output=True, text=True, timeout=60)
    groups = dict(re.findall(r'LOCATION_GROUP .*Name: "([^"]*)".*Parent: "([^"]*)"', printed.stdout))
    expect(printed.returncode == 0 and groups["b: MPI Rank 0"] == "node::node 9" and groups["b: MPI Rank 4"] == "node::node 0", groups)
    expect(len(groups) == 14 and groups["a: MPI Rank 2"] == "node::node 4", groups)  # nodes 0 and 2 are b's
    expect('"b: MPI_COMM_WORLD"' in printed.stdout and '"a: MPI_COMM_WORLD"' in printed.stdout, printed.stdout)

    # Two of four slots of each node: half the nodes, and the other job's messages in the interface.
    four = ("--set", "topology.kind=crossbar", "--set", "node.ranks=4")
    share = "ranks_a_node = 2\nshared = true"
    own = result(*four, "--set", "topology.shape=8", "--jobs", two_jobs())["jobs"]
    expect([job["nodes"] for job in own] == [2, 2] and not own[0]["shared"], own)
    text = open(two_jobs(more=share)).read().replace("ranks = 8", "ranks = 8\n" + share)
    mixed = result(*four, "--compare", "alone", "--jobs", write("shared.toml", text))
    a, b = mixed["jobs"]
    expect(mixed["topology"]["nodes"] == 4 and (a["first_node"], a["last_node"], b["first_node"], b["last_node"]) == (0, 3, 0, 2), mixed["jobs"])
    expect(a["shared"] and abs(a["slow_down"] - 2.748) < 0.001 and abs(b["slow_down"] - 1.608) < 0.001, a, b)
    expect(result(*four, "--compare", "alone", "--jobs", at("shared.toml"))["result_hash"] == mixed["result_hash"], "the same twice")

    def refused(text, *says, words=shape):
        error = run(*words, "--jobs", write("bad.toml", text), status=2).stderr
        expect(error.startswith("psim: ") and all(word in error for word in says), text, error)

    job = '[a]\nprogram = "job"\nranks = 4\nplacement = "file"\nnodes = "zero"\n'
    write("zero", "0\n1\n")
    other = job.replace("[a]", "[b]")
    refused(job + share + "\n" + other, "zero:1: node 0: shared jobs have it; b is not shared", words=four)
    three = share.replace("2", "3")
    refused(job + share + "\n" + other + three, "zero:1: node 0: other jobs leave 2 of its ranks; b needs 3", words=four)

    # A trace next to programs: on the same nodes of the empty network it takes its recorded time.
    run(*shape, "-n", 6, "--timeline", at("six.otf2"), at("job"), "run", 4, 100000)
    alone = result(*shape, "--replay", at("six.otf2"))["seconds"]
    replayed = lambda more="": write("replay.toml", f'[r]\nreplay = "six.otf2"\n{more}[a]\nprogram = "job"\narguments = "run 20 5000"\nranks = 8\n')
    both = result(*shape, "--compare", "alone", "--jobs", replayed())
    r = both["jobs"][0]
    expect(abs(r["alone_seconds"] - alone) < 1e-15 and r["ranks"] == 6 and r["replay"]["operations"] == 102, r, alone)
    expect("arguments" not in r and "trace of r" in both["inputs"], r)
    expect(result(*shape, "--compare", "alone", "--jobs", replayed())["result_hash"] == both["result_hash"], "the same twice")
    longer = result(*shape, "--jobs", replayed("message_scale = 3.0\n"))["jobs"][0]
    expect(longer["bytes"] == 3 * r["bytes"] and abs(longer["seconds"] / r["seconds"] - 2.871) < 0.001, longer, r)
    for more, says in (("ranks = 5\n", "r.ranks = 5: "), ('program = "job"\n', "r.replay"), ('arguments = "1"\n', "a replay has no arguments")):
        error = run(*shape, "--jobs", replayed(more), status=2).stderr
        expect(says in error, more, error)
    refused('[a]\nreplay = "absent"\n', "a.replay =", "absent: No such file")
    refused('[a]\nprogram = "job"\nranks = 2\ncompute_scale = 2.0\n', "bad.toml:4: a.compute_scale: the job is not a replay; expected no such key")

    # A crash in a job's own code ends that job only; in the C library the job may hold a lock that all need.
    for how, signal_ in (("crash", "SIGSEGV at 0x8 in main (job.c:"), ("assert", "SIGABRT in ")):
        cut = run(*shape, "--jobs", two_jobs(how), status=1)
        expect(cut.stdout.startswith("a: 8 ranks of 8") and f"psim: job b: rank 1: {signal_}" in cut.stderr, cut)
        json_ = result(*shape, "--jobs", at("jobs.toml"), status=1)
        expect([job["ending"] for job in json_["jobs"]] == ["finished", "failed"] and "partial" not in json_, json_["jobs"])
    both_crash = open(two_jobs("crash")).read().replace("run 20", "crash 20")
    json_ = result(*shape, "--jobs", write("both.toml", both_crash), status=1)
    expect([job["ending"] for job in json_["jobs"]] == ["failed", "failed"], json_["jobs"])
    json_ = result(*shape, "--jobs", two_jobs("crash-in-libc"), status=1)
    expect([job["ending"] for job in json_["jobs"]] == ["interrupted", "failed"] and json_["partial"] == "failed", json_["jobs"])


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


def endings():
    program = build("tests/net/programs/endings.c")
    dead = run("-n", 2, program, "deadlock", status=1).stderr
    expect("deadlock" in dead and "rank 0: MPI_Recv" in dead and "rank 1: MPI_Recv" in dead and "tag" in dead, dead)
    left = run("-n", 2, program, "leave", status=1).stderr.splitlines()
    expect(left[0] == "psim: rank 1 ended with status 0 without MPI_Finalize" and "deadlock" in left[1] and "MPI_Barrier" in left[2], left)
    left = run("--quiet", "-n", 3, program, "leave-6", status=6).stderr
    expect(left == "psim: rank 1 ended with status 6 without MPI_Finalize\n", left)
    left = run("-n", 14, program, "leave", status=1).stderr
    expect(left.count("ended with") == 8 and "… and 5 more without MPI_Finalize" in left, left)
    run("-n", 2, program, "abort", status=3)
    crash = run("-n", 2, program, "crash", status=1).stderr
    expect("rank 1" in crash and "SIGSEGV" in crash and "endings.c:" in crash, crash)
    heap = run("-n", 2, program, "heap", status=1).stderr
    expect("psim: rank 1: SIGABRT in libc.so.6, called from main (endings.c:" in heap and "a buffer or window" not in heap, heap)
    beyond = run("-n", 2, program, "beyond", status=54).stderr
    expect("outside the window of rank 1: bytes 100 " in beyond, beyond)
    nowhere = run("-n", 2, program, "nowhere", status=1).stderr
    expect("no memory at 0x1000: " in nowhere, nowhere)
    crash = run("-n", 2, program, "reduce-crash", status=1).stderr
    expect("SIGSEGV" in crash and "strange (endings.c:" in crash, crash)
    run("-n", 2, program, "reduce-abort", status=7)
    waits = run("-n", 2, program, "reduce-wait", status=1).stderr
    expect("reduction" in waits, waits)
    run("-n", 2, program, "reduce-exit", status=4)
    run("-n", 2, program, "status", status=5)
    thread = run("-n", 2, build("tests/net/programs/threads.c", "-fopenmp"), status=1).stderr
    expect("MPI_Barrier was called by a thread" in thread, thread)
    expect(result("-n", 2, program, "deadlock", status=1)["ending"] == "deadlocked", "ending")


def polling():
    program = build("tests/net/programs/polling.c")

    # With a timeline each poll has an event of its own; skipped polls must not change any result.
    def same(*words, status=0):
        skipped = result(*words, status=status)
        each = result("--timeline", at("polls.json"), *words, status=status)
        for document in skipped, each:
            document.pop("host")
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

    # A rank that waits for a variable lets other ranks of its node run.
    node = ("-n", 8, "--set", "node.ranks=4")
    shared = run(*node, "--quiet", program, "shared").stdout
    expect(shared.count("saw turn 12 at ") == 8, shared)
    expect(result(*node, program, "shared")["result_hash"] == result(*node, program, "shared")["result_hash"], "repeatable")
    threads = build("tests/net/programs/spinning_threads.c", "-fopenmp")
    for how in ("posix", "openmp"):
        expect(run("--quiet", "-n", 2, threads, how).stdout == "changed\n", how)
    waits = dead(*node, program, "shared-0")
    expect("rank 0: waits for a variable" in waits[1] and "in shared (polling.c:" in waits[1], waits)


def calls():
    """Calls, bytes, algorithms, polls and queues of MPI are counted: tests/net/programs/counted_calls.c."""
    program = build("tests/net/programs/counted_calls.c")
    json_ = result("-n", 4, program)
    found = json_["statistics"]
    polls = json_["polls"]["count"]
    expect(400 < polls < 600, polls)  # 50 us of 100 ns each
    # Rank 1 tests each of five messages once, then until the sixth is there.
    expect(found["mpi_calls"] == {"mgen_comp": 2, "allreduce": 12, "comm_rank": 4, "finalize": 4, "init": 4, "irecv": 5 + 3 + 1, "send": 5 + 1 + 3,
                                  "test": 5 + polls + 1, "waitall": 1}, found["mpi_calls"])
    expect(found["mpi_bytes"] == {"allreduce": 12 * 8, "send": 500 + 3 * 7}, found["mpi_bytes"])
    expect(found["mpi_collectives"] == {"allreduce_recursive_doubling": 12, "barrier_dissemination": 4}, found["mpi_collectives"])
    mpi = found["mpi"]
    expect(mpi["polls"] == polls and mpi["longest_unexpected"] == 5 and mpi["longest_posted"] == 4, mpi)
    expect(mpi["expected"] + mpi["unexpected"] == json_["messages"] and mpi["unexpected"] >= 5, mpi, json_["messages"])
    chosen = result("-n", 4, "--set", "mpi.algorithms=allreduce=reduce-bcast; reduce=linear", program)["statistics"]["mpi_collectives"]
    expect(chosen == {"allreduce_reduce_bcast": 12, "barrier_dissemination": 4, "bcast_binomial": 12, "reduce_linear": 12}, chosen)
    # Single polls, with a timeline, count as skipped ones.
    expect(result("-n", 4, "--timeline", at("calls.json"), program)["statistics"] == found, "with a timeline")
    # By job: b alone sends 21 messages less than both.
    a_job = f'program = "{program}"\nranks = '
    both = result("--set", "topology.shape=4x2", "--jobs", write("calls.toml", f"[a]\n{a_job}4\n[b]\n{a_job}2\n"))
    a, b = (job["statistics"] for job in both["jobs"])
    expect(a == {name: found[name] for name in a} and b["mpi_calls"]["allreduce"] == 6 and b["mpi_bytes"]["send"] == 521, a, b)
    expect(both["statistics"]["mpi_calls"]["send"] == 18 and both["statistics"]["mpi"]["longest_unexpected"] == 5, both["statistics"])


def bad_input():
    program = build("tests/net/programs/endings.c")

    def refused(*words, says):
        error = run(*words, status=2).stderr
        expect(says in error and error.startswith("psim: ") and "Traceback" not in error, words, error)

    refused(program, says="-n")
    refused("-n", 0, program, says="ranks")
    refused("-n", "x", program, says="ranks")
    refused("-n", 2, at("absent"), says="absent")
    refused("-n", 2, place.name, says="is a directory")
    refused("--jobs", place.name, says="is a directory")
    refused("-n", 2, "--set", f"mpi.collectives={place.name}", program, says="is a directory")
    refused("-n", 2, "--set", "topology.kind=file", "--set", f"topology.shape={place.name}", program, says="is a directory")
    refused("-n", 2, os.path.join(source, "README.md"), says="README.md")
    refused("-n", 2, "--set", "link.bandwith=1 GB/s", program, says="did you mean link.bandwidth")
    refused("-n", 2, "--set", "link.bandwidth=5 ns", program, says="link.bandwidth")
    refused("-n", 2, "--set", "topology.kind=tours", program, says="torus")
    refused("-n", 9, "--set", "topology.shape=2x4", program, says="topology.shape")
    refused("-n", 2, "--set", "router.buffer=100 B", program, says="router.buffer")
    refused("-n", 2, "--set", "router.virtual_channels=0", program, says="router.virtual_channels")
    refused("-n", 2, "--machine", "torus3", program, says="torus3d")
    refused("-n", 2, "--data", "some", program, says="--data")
    refused("-n", 16000000, program, says="16000000 ranks need at least")
    refused("-n", 2, "--csv", program, program, says="Not a directory")
    refused("--saturation", "-n", 2, program, says="--traffic")
    refused("-n", 2, "--timeline", at("x.txt"), program, says=".otf2")
    refused("-n", 2, "--timeline", at("."), program, says="--timeline")
    os.mkdir(at("folder.otf2"))
    refused("-n", 2, "--timeline", at("folder.otf2"), program, says="not replaced")
    refused("-n", 2, "--timeline", at("x.json"), "--observe-ranks", "0:2", program, says="0 … 1")
    refused("-n", 2, "--timeline", at("x.json"), "--observe-from", "2 us", "--observe-to", "1 us", program, says="--observe-to")
    refused("-n", 2, "--observe-to", "1 us", program, says="--timeline")
    refused("--traffic", "uniform", "-n", 4, "--timeline", at("x.json"), says="--timeline")
    refused("--traffic", "unifrom", "-n", 4, says="uniform")
    refused("--traffic", "uniform", "-n", 1, says="2 nodes")
    refused("--traffic", "uniform", "-n", 4, "--load", "0.5:0.1:0.1", says="--load")
    refused("--traffic", "uniform", "-n", 4, "--load", "-1", says="--load")
    refused("--traffic", "transpose", "-n", 8, says="power of four")
    refused("--traffic", "uniform", "-n", 4, program, says="takes no program")
    expect(not os.path.exists(at("x.json")), "no file")
    run("--json", at("x.json"), "-n", 0, program, status=2)
    expect(not os.path.exists(at("x.json")), "a half-written file")


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


def overheads():
    """Every algorithm of every collective takes the same time as with MPI_Isend and MPI_Recv, on each rank."""
    program = build("tests/net/programs/overheads.c")
    table = {"barrier": ("dissemination", "tree"), "bcast": ("binomial", "linear", "chain", "scatter-ring"),
             "reduce": ("binomial", "linear", "rabenseifner"),
             "allreduce": ("recursive-doubling", "reduce-bcast", "ring", "rabenseifner"),
             "gather": ("binomial", "linear"), "scatter": ("binomial", "linear"),
             "allgather": ("bruck", "ring", "recursive-doubling", "gather-bcast"),
             "alltoall": ("pairwise", "bruck", "linear"), "reduce-scatter": ("pairwise", "reduce-scatter"),
             "scan": ("recursive-doubling", "linear")}
    known = run("--collectives").stdout
    for what, algorithms in table.items():
        line = re.search(rf"^\[{what}\] *# (.*)$", known, re.M).group(1)
        expect(set(algorithms) == set(line.split(", ")) - {"hardware", "table"}, what, line)
        for how in algorithms:
            for ranks, block in ((8, 40), (5, 40), (8, 8000)):  # 32 kB: by rendezvous
                rules = ";".join(f"{name}:ranks<={ranks}={how if name == what else first[0]}" for name, first in table.items())
                words = ("-n", ranks + 1, "--quiet", "--set", "topology.kind=crossbar", "--set", "mpi.wtime=0 ns", "--set",
                         "mpi.send_overhead=700 ns", "--set", "mpi.recv_overhead=1100 ns", "--set", "mpi.eager=16 KiB",
                         "--set", "collective.hardware=barrier", "--set", f"mpi.algorithms={rules}", program, what, how, block)
                library, hand, waitall = (run(*words, who).stdout.splitlines() for who in ("library", "hand", "waitall"))
                expect(len(library) == ranks and library == hand, what, how, ranks, block, library, hand)
                expect(waitall == hand, "MPI_Waitall takes messages as they come", what, how, ranks, block, waitall, hand)


def interruption():
    program = build("tests/net/programs/endings.c")
    path = at("cut.json")
    try:
        ours, theirs = pty.openpty()  # a terminal for standard error only
    except OSError:  # no /dev/pts, as in some containers: no progress line to test
        ours, theirs = os.pipe()
    running = subprocess.Popen([psim, "net", "-n", "8", "--json", path, program, "forever"], stdout=subprocess.PIPE,
                               stderr=theirs)
    os.close(theirs)
    if os.isatty(ours):
        line = ""
        while "time left unknown" not in line and select.select([ours], [], [], 60)[0]:
            line += os.read(ours, 1 << 16).decode()
        expect("ms simulated" in line and "M packet-hops" in line and "time left unknown" in line, line)
    else:
        time.sleep(2)
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=60)
    expect(running.returncode == 128 + signal.SIGINT, running.returncode)
    with open(path) as file:
        json_ = json.load(file)
    expect(json_["partial"] == "interrupted" and json_["packets"] > 0, json_.get("partial"))
    # A rank that makes no call is interrupted within its code.
    stuck = [psim, "net", "--quiet", "-n", "3", "--json", path, build("tests/net/programs/stuck.c")]
    running = subprocess.Popen(stuck, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    running.stdout.readline()
    time.sleep(1)
    running.send_signal(signal.SIGTERM)
    time.sleep(0.1)
    running.send_signal(signal.SIGTERM)  # within this time it is the same signal: coreutils' timeout sends it
                                         # twice
    errors = running.communicate(timeout=60)[1]
    expect(running.returncode == 128 + signal.SIGTERM and "rank 1 does not react" in errors, running.returncode, errors)
    with open(path) as file:
        expect(json.load(file)["partial"] == "interrupted")
    # A second, later signal ends the run at once.
    running = subprocess.Popen(stuck, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    running.stdout.readline()
    time.sleep(1)
    running.send_signal(signal.SIGTERM)
    time.sleep(0.8)
    running.send_signal(signal.SIGTERM)
    running.communicate(timeout=60)
    expect(running.returncode == -signal.SIGTERM, running.returncode)


def sanitizers():
    """Programs of ranks may have sanitizers of their own."""
    program = at("sanitized")
    subprocess.run([os.path.join(tools, "psim-cxx"), "-g", "-fsanitize=address,undefined", "-o", program,
                    os.path.join(source, "tests/net/programs/sanitized.cpp")], check=True)
    expect(run("--quiet", "-n", 4, program).stdout.splitlines() == ["4 ranks, 60 exceptions"])
    overrun = run("--quiet", "-n", 4, program, "overrun", status=1).stderr
    expect("heap-buffer-overflow" in overrun and "psim: rank 2: the sanitizer ends the run" in overrun, overrun)
    shift = run("--quiet", "-n", 4, program, "shift").stderr
    expect("runtime error: shift exponent" in shift, shift)
    expect("at most 512 ranks" in run("-n", 513, program, status=2).stderr)


def processes():
    """Output, status and hash are the same on one host process and on several (docs/decisions/0023)."""
    if not shutil.which("mpirun"):
        sys.exit(77)
    os.environ.update(OPEN_MPI)

    def outcome(count, *words):
        path = at("shared.json")
        if os.path.exists(path):
            os.remove(path)
        launcher = ["mpirun", "--oversubscribe", "-n", str(count)] if count > 1 else []
        done = subprocess.run([*launcher, psim, "net", "--quiet", "--json", path, *map(str, words)],
                              capture_output=True, text=True, timeout=250, stdin=subprocess.DEVNULL)
        json_ = json.load(open(path)) if os.path.exists(path) else {}
        if json_:
            expect(json_["host"]["processes"] == count, json_["host"])
        messages = [line[line.index("psim: "):] for line in done.stderr.splitlines() if "psim: " in line]
        return done.returncode, done.stdout, json_.get("result_hash"), json_.get("ending"), messages

    def same(counts, *words, hash_too=True):
        alone = outcome(1, *words)
        for count in counts:
            shared = outcome(count, *words)
            for i, what in enumerate(("status", "output", "result_hash", "ending", "messages")):
                if what != "result_hash" or hash_too:
                    expect(shared[i] == alone[i], words, count, what, alone[i], shared[i])
        return alone

    same((2, 3, 4), "-n", 27, build("workloads/mgen/random_ring.c"), 65536, 2)
    same((3,), "-n", 16, build("workloads/mgen/alltoall.c"), 4, "pairwise")
    programs = ["basics.c", "requests.c", "communicators.c", "collectives.c", "datatypes.c", "topologies.c",
                "onesided.c", "interposed.cpp"]
    if shutil.which("gfortran"):
        programs += ["fortran.f90", "fortran08.f90"]
    for i, name in enumerate(programs):
        expect(same((2 + i % 3,), "-n", 6, build("tests/mpi/programs/" + name))[0] == 0, name)
    expect(same((2, 3, 4), "-n", 6, build("tests/net/programs/acp.c"))[0] == 0, "acp")
    same((2,), "-n", 2, at("acp"), "beyond")
    same((2, 4), "-n", 6, "--data", "none", build("workloads/mgen/nsim_ace_sample.c"), 5000)
    same((3,), "-n", 6, "--set", "rdma.put_ack=program", "--set", "rdma.outstanding=2", at("nsim_ace_sample"), 5000)
    ranks_a_node = ("--set", "node.ranks=3", "-n", 8)
    same((2,), *ranks_a_node, at("collectives"))
    same((4,), "--set", "topology.kind=fat-tree", "--set", "topology.shape=4x4", "-n", 16, at("collectives"))
    endings = build("tests/net/programs/endings.c")
    for how in ("deadlock", "abort", "beyond", "status", "leave", "leave-6"):
        same((2,), "-n", 2, endings, how)
    expect(same((2,), "-n", 2, endings, "crash", hash_too=False)[0] == 1, "crash")
    same((2, 3), "-n", 6, build("tests/net/programs/counted_calls.c"))
    polling = build("tests/net/programs/polling.c")
    sleeping = ("--set", "link.sleep.policy=fixed", "--set", "link.sleep.after=1 us")
    expect(same((2, 3, 4), "-n", 6, *sleeping, polling, "tests")[0] == 0, "polling")
    for how in ("live-lock", "one", "spin", "abort"):
        same((2,), "-n", 4, polling, how)
    same((2,), *ranks_a_node, polling, "shared")
    same((2,), "--traffic", "uniform", "-n", 64, "--load", "0.3,0.9")
    build("tests/net/programs/job.c")
    spread = 'arrival = "7 us"\nplacement = "random"\nmapping = "cyclic"'
    for how, more in (("run", ""), ("abort", spread), ("deadlock", spread), ("crash", spread), ("run", spread)):
        shared = ("--set", "link.sleep.policy=fixed", "--set", "link.sleep.after=1 us", "--set", "topology.shape=4x2", "--set", "node.ranks=2", "--compare", "alone", "--jobs", two_jobs(how, more))
        same((2, 4), *shared)
    offloaded = build("tests/net/programs/offloaded.c")
    for what in ("barrier", "bcast", "reduce", "allreduce"):
        same((3,), "-n", 8, "--set", "collective.hardware=tree", "--set", "mpi.wtime=0 ns", offloaded, what, 1000)
    expect(same((2,), "-n", 2, at("absent"))[0] == 2, "bad input")
    expect("5 host processes" in str(outcome(5, "-n", 4, at("collectives"))[4]), "more than routers")
    program = build("tests/net/programs/calls.c")
    seen = []
    for count in (1, 3):
        outcome(count, "-n", 4, "--timeline", at(f"{count}.json"), "--csv", at(f"tables{count}"), program)
        seen.append([open(at(f"{count}.json")).read()] +
                    [open(at(f"tables{count}/{name}.csv")).read() for name in ("time", "links", "ranks", "latency")])
    expect(seen[0] == seen[1], "timelines and tables")


def events(path):
    """Returns slices and arrows of an event trace; checks that every arrow begins in a slice before it ends."""
    with open(path) as file:
        trace = json.load(file)
    slices = [e for e in trace["traceEvents"] if e["ph"] == "X"]
    arrows = {kind: {e["id"]: e for e in trace["traceEvents"] if e["ph"] == kind} for kind in "sf"}
    for event in [*arrows["s"].values(), *arrows["f"].values()]:
        expect(any(s["tid"] == event["tid"] and s["ts"] <= event["ts"] <= s["ts"] + s["dur"] + 1e-9 for s in slices), event)
    return slices, arrows


def timeline():
    program = build("tests/net/programs/calls.c")
    path, archive = at("calls.json"), at("calls.otf2")
    seconds = result("-n", 4, "--timeline", path, program)["seconds"]
    slices, arrows = events(path)
    names = [s["name"] for s in slices if s["tid"] == 1]
    expect(names[0] == "MPI_Init" and names[-1] == "MPI_Finalize" and names.count("MPI_Recv") == 2, names)
    expect(all(a["ts"] + a["dur"] <= b["ts"] + 1e-9 for rank in range(4) for own in [[s for s in slices if s["tid"] == rank]]
               for a, b in zip(own, own[1:])), "calls of a rank follow each other")
    expect(abs(max(s["ts"] + s["dur"] for s in slices) - seconds * 1e6) < 1e-3, "the last call ends with the run")
    big = [s["args"]["from"] for s in slices if "1048576" in s["args"].get("from", "")]
    expect(big == ["rank 0, tag 12, 1048576 bytes, communicator 0"], big)
    expect(arrows["s"].keys() == arrows["f"].keys() and len(arrows["s"]) == 2 + 4, arrows)
    expect(all(arrows["s"][i]["ts"] < arrows["f"][i]["ts"] for i in arrows["s"]), "messages take time")

    run("-n", 4, "--timeline", archive, program)
    anchor = os.path.join(archive, "traces.otf2")
    printed = subprocess.run(["otf2-print", anchor], capture_output=True, text=True, timeout=60)
    expect(printed.returncode == 0 and not printed.stderr, printed.stderr)
    rows = [line.split(None, 3) for line in printed.stdout.splitlines() if line[:1].isupper() and len(line.split()) > 2]
    kinds = [row[0] for row in rows]
    expect(kinds.count("ENTER") == kinds.count("LEAVE") == len(slices), kinds.count("ENTER"), len(slices))
    for kind, count in (("MPI_SEND", 2), ("MPI_RECV", 2), ("MPI_ISEND", 4), ("MPI_ISEND_COMPLETE", 4), ("MPI_IRECV", 4),
                        ("MPI_IRECV_REQUEST", 8), ("MPI_REQUEST_CANCELLED", 4), ("MPI_COLLECTIVE_BEGIN", 8),
                        ("MPI_COLLECTIVE_END", 8), ("NON_BLOCKING_COLLECTIVE_COMPLETE", 4)):
        expect(kinds.count(kind) == count, kind, kinds.count(kind), count)
    sends = [row for row in rows if row[0] == "MPI_SEND"]
    expect("Tag: 12" in sends[1][3] and "Length: 1048576" in sends[1][3] and "MPI_COMM_WORLD" in sends[1][3], sends)
    # Rank 1 sends to rank 2, which is rank 1 of the reversed communicator.
    turned = [row[3] for row in rows if row[0] == "MPI_ISEND" and row[1] == "1"]
    expect("Receiver: 1" in turned[0] and "Tag: 21" in turned[0], turned)
    ends = [row[3] for row in rows if row[0] == "MPI_COLLECTIVE_END" and "BCAST" in row[3]]
    expect(len(ends) == 4 and all("Root: 2" in end for end in ends), ends)

    # A window of time and of ranks, and another run in the same file.
    third = f"{seconds / 3 * 1e6:.3f} us"
    run("-n", 4, "--timeline", path, "--observe-ranks", "1:2", "--observe-from", third, program)
    fewer = [s for s in json.load(open(path))["traceEvents"] if s["ph"] == "X"]
    expect({s["tid"] for s in fewer} == {1, 2} and min(s["ts"] for s in fewer) >= seconds / 3 * 1e6 - 1e-3, fewer[:3])
    run("-n", 4, "--timeline", archive, "--observe-ranks", 3, program)
    again = subprocess.run(["otf2-print", anchor], capture_output=True, text=True, timeout=60)
    expect(again.returncode == 0 and {line.split()[1] for line in again.stdout.splitlines() if line.startswith("ENTER")} == {"3"},
           again.stderr)
    # Operations cut by the window are complete.
    endless = build("tests/net/programs/endings.c")
    running = subprocess.Popen([psim, "net", "-n", "2", "--timeline", path, "--observe-to", "1 ms", endless, "forever"],
                               stderr=subprocess.PIPE)
    time.sleep(2)
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=60)
    expect(running.returncode == 128 + signal.SIGINT and len(json.load(open(path))["traceEvents"]) > 100, running.returncode)


def programs():
    # Two neighbours of torus3d, in us: two routers of 95 ns and three cables of 5 ns, then the bytes at 5
    # GB/s. 20 messages share a call of MPI_Wtime (10 ns); a rendezvous has a request and a grant, with
    # headers of one byte.
    lines = run("-n", 2, build("workloads/mgen/ping_pong.c"), 1, 1 << 20, 10).stdout.splitlines()
    measured = {int(line.split()[0]): float(line.split()[1]) for line in lines[2:]}
    expect(len(measured) == 21, lines)
    for size, one_way in measured.items():
        latency, crossings = 0.205, 1 if size <= 65536 else 3
        form = latency * crossings + size / 5000 + (crossings - 1) / 5000 + 0.0005
        expect(abs(one_way - form) < 1e-5, size, one_way, form)
    # Faces of 16 x 16 cells of 8 bytes, computing 4096 ns per step. In step with its neighbours, a rank waits
    # only for the sum of 8 bytes in three rounds. Four steps share a call of MPI_Wtime.
    words = run("-n", 8, build("workloads/mgen/halo_exchange.c"), 3, 16, 4, 1).stdout.split()
    expect("2x2x2" in words and "2048" in words, words)
    step = float(words[words.index("us") - 1])
    expect(abs(step - (4.096 + 3 * (0.205 + 8 / 5000) + 0.010 / 4)) < 0.0006, step)
    expect("needs two ranks" in run("-n", 1, at("ping_pong"), status=2).stderr, "one rank")
    # Reads of the clock pass together unless a timeline shows each; their results are the same.
    looks = ("-n", 3, build("tests/net/programs/looks.c"))
    together, each = run("--json", at("together.json"), *looks), run("--json", at("each.json"), "--timeline", at("looks.otf2"), *looks)
    expect(together.stdout == each.stdout and "rank 2: 117 looks, 1170 ns" in each.stdout, together.stdout, each.stdout)
    both = []
    for name in ("together.json", "each.json"):
        with open(at(name)) as file:
            both.append(json.load(file))
    expect(all(both[0][key] == both[1][key] for key in ("seconds", "per_rank", "packets")), "looks")
    # Two ranks, which many benchmarks need, on a machine of units of 12 nodes.
    expect(result("-n", 2, "--machine", "tofu", at("ping_pong"), 1, 8, 1)["topology"]["nodes"] == 12, "tofu")
    # A script that starts a program, as libtool makes them, uses the same options.
    with open(at("script"), "w") as file:
        file.write(f"#!/bin/sh\nexec '{at('ping_pong')}' \"$@\"\n")
    os.chmod(at("script"), 0o755)
    words = ("-n", 2, "--quiet", "--set", "link.bandwidth=1 GB/s")
    direct, by_script = (run(*words, at(name), 1, 65536, 3).stdout for name in ("ping_pong", "script"))
    expect(direct == by_script != run("-n", 2, "--quiet", at("ping_pong"), 1, 65536, 3).stdout, direct, by_script)


def rdma():
    """Paper 000, section 3.1, on two nodes of its table 1: closed forms to the picosecond."""
    qdr = ("--machine", "infiniband_qdr", "--quiet", "--set", "mpi.wtime=0 ns")
    program = build("tests/net/programs/rdma.c")
    printed = lambda *words: run(*qdr, *words).stdout.split()
    dma = lambda size: -(-size * 10**12 // 2_800_000_000)  # ps, of the first bytes of a message
    head = 600 + (4 + 4 + 4 + 128) * 1000 + 600            # cables, one router
    control = head + 250                                   # a control packet counts as a byte, at 4 GB/s

    def data(size, copies=1):
        """Time until the last byte is in memory: DMA at the source, packets of 2 KiB, DMA at the destination."""
        written = 0
        ends = [min(size, end) for end in range(2048, size + 2048, 2048)] or [0]
        for begin, end in zip([0, *ends], ends):
            arrival = dma(end) + head + 250 * max(1, end - begin)
            written = max(written, arrival) + dma(end) - dma(begin)
        return written

    expect(data(4) == 2 * 1429 + 141200 + 1000 and data(2048) == 2 * 731429 + 141200 + 512000, "the form itself")
    own = lambda size: 500_000 + -(-size * 10**12 // 10**10)  # through memory
    forms = {"put": lambda size: data(size) + control, "get": lambda size: control + data(size),
             "third": lambda size: control + data(size) + control, "own": own}
    counted = result(*qdr, "-n", 2, program, "two", 2048)
    expect(counted["rdma"]["puts"] == 2 and counted["rdma"]["control_packets"] == 2 and counted["rdma"]["most_under_way"] == 2 and
           counted["rdma"]["data_bytes"] == 4096, counted["rdma"])
    lines = [line.split() for line in run(*qdr, "-n", 3, program, "times").stdout.splitlines()]
    expect(len(lines) == 28, lines)
    for what, size, took in lines:
        expect(int(took) == forms[what](int(size)), what, size, took, forms[what](int(size)))

    # Between ranks of one node, data and control packets pass through its memory.
    inside = {"put": lambda size: own(size) + 500_000, "get": lambda size: 500_000 + own(size),
              "third": lambda size: own(size) + 1_000_000, "own": own}
    for line in run(*qdr, "--set", "node.ranks=3", "-n", 3, program, "times").stdout.splitlines():
        what, size, took = line.split()
        expect(int(took) == inside[what](int(size)), what, size, took, inside[what](int(size)))

    # The costs of the processor, and of control packets.
    costs = ("--set", "rdma.post=300 ns", "--set", "rdma.completion=70 ns", "--set", "rdma.control=30 B")
    third = next(line for line in run(*qdr, *costs, "-n", 3, program, "times").stdout.splitlines() if line.startswith("third 4 "))
    expect(int(third.split()[2]) == 370_000 + data(4) + 2 * (head + 30 * 250), third)
    # Two puts: their data follow each other without a gap, or the second waits until the first is complete.
    two = lambda *words: [int(word) for word in printed(*words, "-n", 2, program, "two", 2048)]
    expect(two() == [data(2048) + control, data(2048) + control + 731_429], two())
    expect(two("--set", "rdma.outstanding=1")[1] == 2 * (data(2048) + control), two("--set", "rdma.outstanding=1"))
    engines = two("--set", "nic.dma_engines=2")  # the second waits for the channel only
    expect(engines[1] == data(2048) + control + 512_000, engines)
    behind, apart = data(2048) + control + 731_429, 2 * (data(2048) + control)
    expect([int(word) for word in printed("-n", 2, program, "ordered")] == [apart, behind, apart], "order handles")
    cost = ("--set", "rdma.registration=2 us", "--set", "rdma.registration_page=1 ns")
    expect(printed(*cost, "-n", 1, program, "registered") == ["2003000"], printed(*cost, "-n", 1, program, "registered"))
    # The control packet of a put is sent once: by the interface, or by the program when it is ready.
    ack = lambda *words: int(printed(*words, "-n", 2, program, "acknowledged", 5000)[0])
    expect(ack() == data(5000) + control, ack())
    by_program = ("--set", "rdma.put_ack=program")
    expect(ack(*by_program) == data(5000) + 5_000_000 + control, ack(*by_program))
    path = at("packets.json")
    packets = []
    for words in ((), by_program):
        run(*qdr, *words, "-n", 2, "--json", path, program, "acknowledged", 5000)
        packets.append(json.load(open(path))["packets"])
    expect(packets == [4, 4], packets)
    # The first arrival is served first; the other waits until the memory has been read.
    for first, second in ((1, 2), (2, 1)):
        took = dict(line.split() for line in run(*qdr, "-n", 3, program, "order", 1 << 20, first).stdout.splitlines())
        expect(int(took[str(first)]) == control + data(1 << 20), took)
        expect(abs(int(took[str(second)]) - int(took[str(first)]) - (1 << 20) / 2.8e-3) < 2_000, took)  # ps; 2.8 GB/s
    expect(printed("-n", 4, program, "notices") == ["noticed"], "notices")
    expect(printed("-n", 4, "--set", "rdma.put_ack=program", build("workloads/mgen/nsim_ace_sample.c"), 4)[0] == "4", "sample")
    build("workloads/mgen/nsim_ace_printed.c")
    # Errors are reported.
    for how, words, text in (("beyond", (), "MGEN_acp_copy: dest_rank 2; expected a rank from 0 to 1"),
                             ("negative", (), "MGEN_acp_copy: data_size -1; expected 0 bytes or more"),
                             ("no-handle", (), "MGEN_acp_complete: handle 17; expected one"),
                             ("unasked", by_program, "rank 1 acknowledges a put of rank 0 that is not under way"),
                             ("nothing", (), "rank 1: MPI_Recv(rank 0, ACP_PUT_TAG, MPI_COMM_WORLD)"),
                             ("unacknowledged", by_program, "rank 0: MGEN_acp_complete(handle 1: a copy of 4 bytes from "
                              "rank 0 to rank 1, which that rank's program has to acknowledge")):
        told = run(*qdr, *words, "-n", 2, program, how, status=1).stderr
        expect(text in told, how, told)


def acp():
    program = build("tests/net/programs/acp.c")
    for words in (("-n", 1), ("-n", 2), ("-n", 5), ("-n", 8, "--set", "node.ranks=2", "--globals", "swapped"),
                  ("-n", 6, "--globals", "remapped", "--set", "rdma.outstanding=1"),
                  ("-n", 12, "--machine", "tofu"), ("-n", 9, "--machine", "bluegene_l", "--set", "nic.interleave=true"),
                  ("-n", 4, "--machine", "infiniband_qdr", "--timeline", at("acp.json"))):
        expect(run("--quiet", *words, program).stdout == f"all of ACP on {words[1]} ranks\n", words)
    names = {s["name"] for s in events(at("acp.json"))[0]}
    expect(names >= {"acp_init", "acp_copy", "acp_complete", "acp_sync", "acp_add8"}, names)
    for how, text in (("abort", "acp_abort: on request"), ("ranks", "acp_reset: rank 0 of rank 1; expected a permutation"),
                      ("beyond", "has not registered 8 bytes at global address 0x")):
        told = run("-n", 2, program, how, status=1).stderr
        expect(text in told, how, told)
    told = run("-n", 1, "--set", "rdma.starter_memory=1 B", program, status=2).stderr
    expect("rdma.starter_memory" in told and "8 B" in told, told)


def report():
    if not os.path.exists(browser):
        print("skipped: chromium is not installed")
        sys.exit(77)
    program = build("workloads/mgen/random_ring.c")
    page = at("report.html")
    run("-n", 64, "--report", page, program, 100000, 2)
    text = open(page).read()
    expect("http://" not in text.replace("http://www.w3.org", "") and "<script src" not in text, "the page stands alone")
    # Scripts draw the charts: each leaves a canvas, and the map of links has its pixels.
    done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={at('profile')}",
                           "--virtual-time-budget=3000", "--dump-dom", "file://" + page], capture_output=True, text=True,
                          timeout=120)
    dom = done.stdout
    for title in ("Links busy, by direction", "Buffers of virtual channels", "Share of packets by latency"):
        expect(f"{title}" in dom, title)
    expect(dom.count("<canvas") >= 4 and "+X" in dom and "height: 108px" in dom, dom.count("<canvas"))
    expect("Ranks over time" in dom and 'data-rows="64"' in dom and "receiving" in dom, "the rows of ranks")
    picture = subprocess.run([sys.executable, os.path.join(source, "report/browser_check.py"), browser, page,
                              at("report.png"), "4x4x4"], capture_output=True, text=True, timeout=120)
    expect(picture.returncode == 0, picture.stdout)
    # The scale ends at the largest share, rounded up; the list begins with it.
    ranked = re.findall(r'<td class="n">([\d.]+) %</td>', dom[dom.index("The most used links"):])
    scale = [float(number) for number in re.findall(r"<span>([\d.]+) %</span>", dom[dom.index('class="numbers"'):])[:5]]
    busiest = float(ranked[0])
    expect(ranked == sorted(ranked, key=float, reverse=True) and len(ranked) == 20, ranked)
    expect(scale[0] == 0 and busiest <= scale[4] <= max(2.5 * busiest, busiest + 0.01) and scale[4] <= 100, scale, busiest)

    # Jobs with sleeping links: the tables are text, the charts are drawn, and no script fails.
    sys.dont_write_bytecode = True  # leaves no __pycache__ in the source tree
    sys.path.insert(0, os.path.join(source, "tests/view"))
    from browser import Browser
    chromium = Browser(browser)
    build("tests/net/programs/job.c")
    sleeping = ("--set", "link.sleep.policy=fixed", "--set", "link.sleep.after=2 us", "--set", "link.sleep.wake=200 ns")
    run("--set", "topology.shape=4x4", *sleeping, "--compare", "always-on", "--compare", "alone", "--report", page, "--jobs",
        two_jobs())
    chromium.open(page)
    text = chromium.run("document.body.innerText")
    for words in ("Energy of links", "if always on", "Against the same run with links always on", "Links kept awake, by job",
                  "no job, or in low power", "In low power", "Slow-down", "Power of links", "Links busy, by direction"):
        expect(words in text, words, text)
    rows = lambda section: chromium.run(f"document.querySelectorAll('section[aria-labelledby={section}] .scroll tbody tr').length")
    expect(rows("jobs") == 2 and rows("link-energy") == 4 + 2 + 1 + 3, rows("jobs"), rows("link-energy"))
    expect(chromium.run("document.getElementById('ranks-box').dataset.names") == "a: rank 0, b: rank 5", "names of ranks")
    expect(chromium.run("[...document.querySelectorAll('.chart h3')].map((h) => h.textContent).includes('Power of links')"), "chart")

    # Traffic: curves over the load, and the links at the selected load.
    run("--traffic", "uniform", "-n", 16, "--load", "0.05,0.2,0.9", *sleeping, "--report", page)
    chromium.open(page)
    titles = chromium.run("[...document.querySelectorAll('.chart h3')].map((h) => h.textContent)")
    expect(titles == ["Latency of messages", "Throughput, as a share of nic.bandwidth", "Power of links"], titles)
    expect(chromium.run("window.psim.axes('load', ' W')[1].values(null, [null, 1500])") == ["", "1,500 W"], "labels of an axis")
    expect(rows("load") == 3 and chromium.run("document.getElementById('map-load').options.length") == 3, "points")
    shown = lambda: chromium.run("document.getElementById('link-map').toDataURL()")
    first = shown()
    chromium.run("(() => { const s = document.getElementById('map-load'); s.selectedIndex = 2; s.dispatchEvent(new Event('change')); })()")
    expect(len(first) > 1000 and shown() != first, "the map of another load")
    tables = chromium.run("[...document.querySelectorAll('.ranked')].map((table) => table.hidden)")
    expect(tables == [True, True, False], "the links of that load", tables)
    numbers = chromium.run("[80, 1234567, 0.5, 1.2e-5, 0].map((n) => window.psim.si(n, 'W'))")
    expect(numbers == ["80 W", "1.235 MW", "500 mW", "12 µW", "0 W"], numbers)
    chromium.picture(at("traffic.png"))
    expect(not chromium.errors, chromium.errors)
    chromium.close()


globals()[part]()
