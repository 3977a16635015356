# SPDX-License-Identifier: Apache-2.0
"""cores_test.py PSIM SOURCE PART: cycle-level nodes of several cores and ranks, and waits for a write."""
import os
import shutil

from node_runs import build, expect, part, place, psim, run, same, source, tools


def hybrid():
    """MPI and OpenMP: two nodes of four cores."""
    build("hybrid.c", "-fopenmp")
    expected = run(psim, "net", "--quiet", "-n", 2, "./hybrid.net").stdout
    cores = ("--quiet", "-n", 2, "--set", "node.cores=4")
    results = []
    commands = [[psim], [psim]]
    if shutil.which("mpirun"):
        commands.append(["mpirun", "--oversubscribe", "-n", 2, psim])
    for command in commands:
        expect(run(*command, "cosim", *cores, "--json", "result.json", "./hybrid").stdout == expected, command, expected)
        results.append(place.result("result.json"))
    expect(len({result["result_hash"] for result in results}) == 1, "hashes differ")
    expect("8 threads" in run(psim, "cosim", *cores, "./hybrid", "threads").stdout)
    statistics = results[0]["statistics"]
    expect(statistics["coherence"]["invalidations"] > 0 and statistics["chip"]["idle"] > 0, statistics)


def threads():
    """Threads of a rank call MPI one at a time. Calls at the same time end with a message."""
    for cores in (2, 4):
        got = "".join(sorted(same("threads.c", 3, options=("--set", f"node.cores={cores}"), ordered=False).splitlines(True)))
        expect("rank 0: 1010 1060 1110 1160, main 1 0, serialized 1\n" in got, got)
    done = run(psim, "cosim", "--quiet", "-n", 3, "--set", "node.cores=4", "./threads", "at once", status=1)
    expect("MPI_Sendrecv was called while another thread of the rank was in a call of MPI; expected calls one at a time" in done.stderr,
           done.stderr)


def tests_in_vain():
    """A thread that tests in a loop leaves the library to others, on one core and on two."""
    for cores in (1, 2):
        said = same("tests_in_vain.c", 1, options=("--set", f"node.cores={cores}"))
        expect(said.count(": 1") == 2, said)


def multiple():
    """Threads of a rank call MPI at the same time, on one core and on several: as under psim net, and repeatably."""
    hashes = set()
    launchers = [[]] + ([["mpirun", "--oversubscribe", "-n", 2]] if shutil.which("mpirun") else [])
    for cores in (1, 4):
        same("threads_multiple.c", 2, options=("--set", f"node.cores={cores}"))
    for launcher in launchers:
        run(*launcher, psim, "cosim", "--quiet", "-n", 2, "--set", "node.cores=2", "--json", "multiple.json", "./threads_multiple")
        hashes.add(place.result("multiple.json")["result_hash"])
    expect(len(hashes) == 1, hashes)
    # A rank alone has no interface.
    alone = run(psim, "net", "--quiet", "-n", 1, "./threads_multiple.net").stdout
    expect(run(psim, "run", "--quiet", "./threads_multiple").stdout == alone, alone)
    # The report of a deadlock names the call of each thread.
    done = run(psim, "cosim", "--quiet", "-n", 2, "--set", "node.cores=2", "./threads_multiple", "stuck", status=2)
    for call in ("MPI_Recv(rank 1, tag 1234, MPI_COMM_WORLD)", "MPI_Probe(rank 1, tag 4321, MPI_COMM_WORLD)"):
        expect(f": {call}" in done.stderr and "rank 0 waits in thread" in done.stderr, done.stderr)
    # The programs with threads of psim net, whose ranks print in another order.
    for program in ("threads.c", "threads_cxx.cpp"):
        shutil.copy(os.path.join(source, "../mpi/programs", program), place.name)
        name, ending = os.path.splitext(program)
        for prefix, out in (("psim", ".net"), ("psim-sparc", "")):
            run(os.path.join(tools, prefix + ("-cc" if ending == ".c" else "-cxx")), *(["-std=c++20"] if ending == ".cpp" else []), "-O1",
                "-pthread", "-o", "of_net_" + name + out, program)
        expected = sorted(run(psim, "net", "--quiet", "-n", 2, f"./of_net_{name}.net").stdout.splitlines())
        for cores in (1, 4):
            got = run(psim, "cosim", "--quiet", "-n", 2, "--set", f"node.cores={cores}", f"./of_net_{name}").stdout
            expect(sorted(got.splitlines()) == expected, program, cores, got)


def ranks():
    """Several ranks for each node: the output is that of psim net, also with several host processes."""
    expect("--set node.cores=4 --set node.ranks=2 ./app" in run(psim, "cosim", "--help").stdout)
    net, node = build("collectives.c")
    expected = run(psim, "net", "--quiet", "-n", 4, "--set", "node.ranks=2", net).stdout
    options = ("--quiet", "-n", 2, "--set", "node.cores=2", "--set", "node.ranks=2")
    hashes = set()
    for launcher in [[]] + ([["mpirun", "--oversubscribe", "-n", 2]] if shutil.which("mpirun") else []):
        expect(run(*launcher, psim, "cosim", *options, "--json", "ranks.json", node).stdout == expected, expected)
        result = place.result("ranks.json")
        hashes.add(result["result_hash"])
        expect([rank["exit_status"] for entry in result["nodes"] for rank in entry["ranks"]] == [0, 0, 0, 0], result["nodes"])
    expect(len(hashes) == 1, hashes)
    # Messages inside a node do not enter the network; with nic.loopback they take the time of the channel in addition.
    build("ping_pong.c")
    cycles = []
    for loopback in ("false", "true"):
        options = ("-n", 1, "--set", "node.cores=2", "--set", "node.ranks=2", "--set", f"nic.loopback={loopback}")
        said = run(psim, "cosim", "--quiet", *options, "--json", "ranks.json", "./ping_pong", 0, 5000, 20000).stdout
        expect(said.count("good") == 3, said)
        result = place.result("ranks.json")
        expect(result["messages"] == 0, result["messages"])
        cycles.append(result["nodes"][0]["cycles"])
    expect(cycles[0] < cycles[1], cycles)
    # Several ranks with threads on each node.
    net, node = build("hybrid.c", "-fopenmp")
    expected = run(psim, "net", "--quiet", "-n", 4, net).stdout
    options = ("--quiet", "-n", 2, "--set", "node.cores=4", "--set", "node.ranks=2", "--env", "OMP_WAIT_POLICY=passive")
    expect(run(psim, "cosim", *options, node).stdout == expected, expected)
    file = os.path.join(source, "programs/bad.c")
    run(os.path.join(tools, "psim-sparc-cc"), "-O1", "-g", "-o", "bad", file)
    said = run(psim, "cosim", "--quiet", "-n", 1, "--set", "node.cores=2", "--set", "node.ranks=2", "./bad", "deadlock", status=2).stderr
    for words in ("psim: node 0, rank 1: waits at PC ", ", on core 1; network interface: ", "rank 0 waits in MPI_Recv(rank 1, tag 7, MPI_COMM_WORLD)"):
        expect(words in said, words, said)
    said = run(psim, "cosim", "-n", 2, "--set", "node.cores=4", "--set", "node.ranks=3", "./bad", status=2).stderr
    expect("node.ranks = 3: the 4 cores of a node cannot be divided among them; expected a divisor of node.cores = 4" in said, said)


def wait_for_write():
    """Waits for writes to a line: none is lost, and results do not depend on repeated stretches and the number of host processes."""
    run(os.path.join(tools, "psim-sparc-cc"), "-O1", "-pthread", "-o", "wait", os.path.join(source, "programs/wait_for_write.c"))
    cores = ("--quiet", "-n", 1, "--set", "node.cores=2")
    expect(run(psim, "cosim", *cores, "./wait", "threads").stdout == "threads: 400 and 400 turns\n")
    expect(run(psim, "cosim", *cores, "./wait", "kernel").stdout == "kernel: 1\n")
    said = run(psim, "cosim", "--quiet", "-n", 1, "./wait", "timeout").stdout
    expect(said.count("good") == 3, said)
    hashes = set()
    two = [["mpirun", "--oversubscribe", "-n", 2, psim, "cosim"]] if shutil.which("mpirun") else []
    for command in ([psim, "cosim"], [psim, "cosim", "--no-memoize"], *two):
        said = run(*command, "--quiet", "-n", 2, "--json", "wait.json", "./wait", "dma").stdout
        for node in (0, 1):
            expect(f"dma: node {node}: 40 turns\n" in said, said)
        hashes.add(place.result("wait.json")["result_hash"])
    expect(len(hashes) == 1, hashes)
    # A core that sleeps has no dynamic energy: 100 times the wait costs only static energy.
    nodes, cores = [], []
    for cycles in ("0010000", "1000000"):
        run(psim, "cosim", "--quiet", "-n", 1, "--energy", "--json", "wait.json", "./wait", "sleep", cycles)
        result = place.result("wait.json")
        nodes.append(result["nodes"][0])
        cores.append(result["energy"]["parts"]["cores"])
    expect(nodes[0]["instructions"] == nodes[1]["instructions"], nodes)
    expect(abs(nodes[1]["cycles"] - nodes[0]["cycles"] - 990_000) < 100, nodes)
    expect(abs(cores[1]["dynamic_joules"] / cores[0]["dynamic_joules"] - 1) < 0.01, cores)
    # In other runs the wait ends at once.
    for command in ("exec", "run"):
        said = run(psim, command, "./wait", "timeout").stdout
        expect("a wait that times out: good" not in said and said.count("good") == 2, said)


globals()[part]()
