# SPDX-License-Identifier: Apache-2.0
"""programs_test.py PSIM SOURCE PART: programs under `psim net`: compiler wrappers, languages, calls of MPI, and how programs end."""
import json
import os
import re
import subprocess

from runs import at, build, expect, part, psim, result, run, source, tools, write


def last(*words):
    """Returns the largest of the times that the ranks print, in us."""
    return max(float(line.split()[0]) for line in run(*words).stdout.splitlines())


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
    # Trees on a torus: every segment comes to each rank but the root once, from a neighbour. A segment is a packet.
    trees = build("workloads/mgen/torus_trees.c")
    for number, shape, ranks in ((6, "3x3x3", 27), (3, "4x3x2", 24), (6, "4x4", 16)):
        few, many = (result("-n", ranks, "--data", "none", "--set", f"topology.shape={shape}", trees, 1024 * segments, shape, number, 1024)
                     for segments in (24, 60))
        for key in ("messages", "packet_hops"):
            expect(many[key] - few[key] == 36 * (ranks - 1), number, shape, key, few[key], many[key])
    # A reduction goes the same ways back; the two ranks of a node make no hops. An allreduce is both.
    for operation, shape, nodes, node_ranks, passes in (("reduce", "3x3x3", 27, 1, 1), ("allreduce", "4x3x2:2", 24, 2, 2)):
        options = ("-n", nodes * node_ranks, "--data", "none", "--set", f"node.ranks={node_ranks}", "--set", f"topology.shape={shape.split(':')[0]}")
        few, many = (result(*options, trees, 1024 * segments, shape, 3, 1024, operation) for segments in (24, 60))
        for key, ranks in (("messages", nodes * node_ranks), ("packet_hops", nodes)):
            expect(many[key] - few[key] == 36 * passes * (ranks - 1), operation, shape, key, few[key], many[key])
    # One segment on a chain of three ranks: rank 1 and then rank 0 reduce 1,024 bytes at 1 GB/s.
    chain = ("-n", 3, "--quiet", "--data", "none", "--set", "topology.shape=3", trees, 1024, "3", 1, 1024, "reduce")
    expect(abs(last(*chain, 1) - last(*chain) - 2 * 1.024) < 0.011, last(*chain, 1), last(*chain))
    expect("a shape with one node per rank" in run("-n", 4, "--data", "none", trees, 1024, "3x3", 6, 1024, status=2).stderr, "shape")
    expect("expected BYTES SHAPE" in run("-n", 4, "--data", "none", trees, 1024, "4", 3, 1024, "sum", status=2).stderr, "operation")
    # Linear collectives: requests and answers are messages. Between two ranks a block crosses after both.
    linear = build("workloads/mgen/linear_collectives.c")
    for collective, blocks in (("gather", 7), ("scatter", 7), ("reduce", 7), ("alltoall", 56)):
        at_once, asks = (result("-n", 8, "--data", "none", linear, collective, 1024, limit)["messages"] for limit in (1024, 1023))
        expect(asks - at_once == 2 * blocks, collective, at_once, asks)
    pair = ("-n", 2, "--quiet", "--data", "none", linear, "gather", 1024)
    expect(abs(last(*pair, 512) - (3 * 0.205 + (8 + 8 + 1024) / 5000 + 0.01)) < 0.006, last(*pair, 512))
    expect(abs(last("-n", 2, "--quiet", "--data", "none", linear, "reduce", 1024, 1024, 1) - last(*pair) - 1.024) < 0.011, last(*pair))
    expect("expected gather" in run("-n", 2, "--data", "none", linear, "sum", 8, status=2).stderr, "collective")
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
    # CMake takes the version of the library from both outputs of a program that it starts without a launcher.
    version = build("tests/net/programs/version.c")
    alone, ranks = (subprocess.run([version], env=dict(os.environ, PSIM=psim, **more), capture_output=True, text=True, check=True)
                    for more in ({}, {"PSIM_RANKS": "1"}))
    expect(alone.stdout == ranks.stdout and alone.stdout.startswith("psim, MPI 4.1"), alone.stdout, ranks.stdout)
    expect(alone.stderr == "" and "s simulated" in ranks.stderr, alone.stderr, ranks.stderr)
    started = subprocess.run([at("halo_exchange"), "3", "16", "4", "1"], env=dict(os.environ, PSIM=psim), capture_output=True, text=True, check=True)
    expect("s simulated" in started.stderr, started.stderr)


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
    expect(result("-n", 2, program, "abort-0")["ending"] == "aborted", "status of MPI_Abort")
    crash = run("-n", 2, program, "crash", status=1).stderr
    expect("rank 1" in crash and "SIGSEGV" in crash and "endings.c:" in crash, crash)
    crash = run("-n", 2, program, "crash-of-polls", status=1).stderr
    expect("SIGSEGV at 0x10 in main (endings.c:" in crash, crash)
    said = run("-n", 2, program, "assert", status=1).stderr.splitlines()
    expect(re.match(r"endings: .*endings.c:\d+: main: Assertion", said[0]) and said[1].startswith("psim: rank 1: SIGABRT"), said)
    heap = run("-n", 2, program, "heap", status=1).stderr
    expect("psim: rank 1: SIGABRT in libc.so.6, called from main (endings.c:" in heap and "a buffer or window" not in heap, heap)
    beyond = run("-n", 2, program, "beyond", status=54).stderr
    expect("outside the window of rank 1: bytes 100 " in beyond, beyond)
    nowhere = run("-n", 2, program, "nowhere", status=1).stderr
    expect("no memory at 0x1000: " in nowhere, nowhere)
    apart = run("-n", 2, program, "apart", status=57).stderr
    expect("MPI_Win_allocate_shared" in apart and "several nodes" in apart and "node.ranks" in apart, apart)
    run("-n", 2, "--set", "node.ranks=2", program, "apart")
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
    other = run("--quiet", "-n", 2, program, "exec", status=127).stderr
    expect(other.startswith("psim: rank 1: execlp(true): a rank cannot execute another program in its place; expected fork"), other)
    run("-n", 2, program, "exec-child", status=9)
    # The end of a thread's timed wait that came to nothing is not the end of the run.
    waited = result("-n", 2, build("tests/net/programs/timed_wait.c", "-pthread"))
    expect(waited["seconds"] < 1e-3 and waited["per_rank"]["end"]["max"] == waited["seconds"], waited["seconds"])


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


globals()[part]()
