# SPDX-License-Identifier: Apache-2.0
"""net_test.py PSIM SOURCE PART: `psim net` as its users run it: a ring, its result, mistakes, interruption, several host processes."""
import csv
import json
import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import time

from runs import at, build, expect, OPEN_MPI, part, place, psim, result, run, source, two_jobs


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
        other = result("--globals", mode, "--stacks", "swapped", "--memory", "-n", 6, program)
        expect(other["result_hash"] == first["result_hash"], mode, "swapped stacks")
        expect(other["host"]["memory"]["stacks"] > 0, other["host"])
    slower = result("--set", "link.bandwidth=1 GB/s", "-n", 6, program)
    ratio = slower["seconds"] / first["seconds"]  # a fifth of the bandwidth, the same delays
    expect(abs(ratio - 4.942) < 0.001, ratio)


def bad_input():
    program = build("tests/net/programs/endings.c")

    def refused(*words, says):
        error = run(*words, status=2).stderr
        expect(says in error and error.startswith("psim: ") and "Traceback" not in error, words, error)

    refused(program, says="-n")
    refused("-n", 0, program, says="ranks")
    refused("-n", "x", program, says="ranks: x: expected a whole number from 1 to 16777216")
    with open(at("rank.py"), "w") as script:
        script.write("#!/usr/bin/env python3\nfrom mpi4py import MPI\n")
    os.chmod(at("rank.py"), 0o755)
    refused("-n", 2, at("rank.py"), says="uses mpi4py, and Python cannot be a rank")
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
    refused("-n", 2, "--csv", program, program, says="is a file that this command reads")
    open(at("no_folder"), "w").close()
    refused("-n", 2, "--csv", at("no_folder"), program, says="Not a directory")
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
    program = build("tests/net/programs/stuck.c")
    for ranks, stays in (("1", 0), ("3", 1)):
        stuck = [psim, "net", "--quiet", "-n", ranks, "--json", path, program]
        running = subprocess.Popen(stuck, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if ranks != "1":  # its output comes with its next call
            running.stdout.readline()
        time.sleep(1)
        running.send_signal(signal.SIGTERM)
        time.sleep(0.1)
        running.send_signal(signal.SIGTERM)  # within this time it is the same signal: coreutils' timeout sends it
                                             # twice
        errors = running.communicate(timeout=60)[1]
        expect(running.returncode == 128 + signal.SIGTERM and f"rank {stays} does not react" in errors, running.returncode, errors)
        with open(path) as file:
            json_ = json.load(file)
        expect(json_["partial"] == json_["ending"] == "interrupted", json_.get("partial"), json_["ending"])
    # A second, later signal ends the run at once.
    running = subprocess.Popen(stuck, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    running.stdout.readline()
    time.sleep(1)
    running.send_signal(signal.SIGTERM)
    time.sleep(0.8)
    running.send_signal(signal.SIGTERM)
    running.communicate(timeout=60)
    expect(running.returncode == -signal.SIGTERM, running.returncode)


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
    expect(same((3,), "-n", 6, build("tests/net/programs/acp.c"))[0] == 0, "acp")
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
    same((3,), "-n", 6, build("tests/net/programs/counted_calls.c"))
    polling = build("tests/net/programs/polling.c")
    sleeping = ("--set", "link.sleep.policy=fixed", "--set", "link.sleep.after=1 us")
    expect(same((4,), "-n", 6, *sleeping, polling, "tests")[0] == 0, "polling")
    for how in ("live-lock", "one", "spin", "abort"):
        same((2,), "-n", 4, polling, how)
    same((2,), *ranks_a_node, polling, "shared")
    same((2,), "--traffic", "uniform", "-n", 64, "--load", "0.3,0.9")
    # Long cables between groups: processes exchange events once in ten windows.
    groups = ("--set", "topology.kind=dragonfly", "--set", "topology.shape=4x2x2x9", "--set", "link.global.delay=1 us")
    same((3,), *groups, "-n", 72, at("random_ring"), 65536, 2)
    same((3,), *groups, "-n", 40, at("collectives"))
    same((2,), *groups, "--traffic", "uniform", "--load", "0.5")
    for program, how in ((endings, "abort"), (endings, "leave-6"), (polling, "live-lock"), (polling, "spin"), (polling, "abort")):
        same((2,), *groups, "--set", "node.ranks=1", "-n", 64, program, how)
    build("tests/net/programs/job.c")
    spread = 'arrival = "7 us"\nplacement = "random"\nmapping = "cyclic"'
    for how, more in (("run", ""), ("abort", spread), ("deadlock", spread), ("crash", spread), ("run", spread)):
        shared = ("--set", "link.sleep.policy=fixed", "--set", "link.sleep.after=1 us", "--set", "topology.shape=4x2", "--set", "node.ranks=2", "--compare", "alone", "--jobs", two_jobs(how, more))
        same((4,), *shared)
    offloaded = build("tests/net/programs/offloaded.c")
    for what in ("barrier", "bcast", "reduce", "allreduce"):
        same((3,), "-n", 8, "--set", "collective.hardware=tree", "--set", "mpi.wtime=0 ns", offloaded, what, 1000)
        same((3,), "-n", 8, "--set", "collective.hardware=switches", "--set", "mpi.algorithms=reduce=hardware", "--set", "mpi.matching=nic", offloaded, what, 1000)
    limits = ("nic.ports=2", "nic.stripe=4 KiB", "nic.send_interval=100 ns", "nic.receive_interval=100 ns", "nic.placement=ordered", "link.bit_error_rate=1e-7",
              "congestion.control=dcqcn", "congestion.mark_all=8 KiB", "congestion.interval=1 us", "topology.routing=adaptive", "router.virtual_channels=3")
    same((3,), "-n", 16, *[word for key in limits for word in ("--set", key)], build("tests/net/programs/interfaces.c"), "incast", 20000, 4)
    expect(same((2,), "-n", 2, at("absent"))[0] == 2, "bad input")
    expect("5 host processes" in str(outcome(5, "-n", 4, at("collectives"))[4]), "more than routers")
    program = build("tests/net/programs/calls.c")
    seen = []
    for count in (1, 3):
        outcome(count, "-n", 4, "--timeline", at(f"{count}.json"), "--csv", at(f"tables{count}"), program)
        seen.append([open(at(f"{count}.json")).read()] +
                    [open(at(f"tables{count}/{name}.csv")).read() for name in ("time", "links", "ranks", "latency")])
    expect(seen[0] == seen[1], "timelines and tables")


globals()[part]()
