# SPDX-License-Identifier: Apache-2.0
"""memoize_test.py PSIM SOURCE PART: nodes that repeat remembered stretches have the result of nodes that simulate every cycle."""
import os
import shutil

from node_runs import expect, part, place, psim, run, source, tools

root = os.path.join(source, "../..")


def build(file, *options):
    name, ending = os.path.splitext(os.path.basename(file))
    kind = {".c": "cc", ".f90": "f90"}[ending]
    run(os.path.join(tools, f"psim-sparc-{kind}"), "-O2", "-I", os.path.join(root, "workloads/include"), *options, "-o", name,
        os.path.join(source, file))
    return "./" + name


def equal(*words, launcher=()):
    """Compares runs of a command with and without repeated stretches."""
    results = []
    for more in ((), ("--no-memoize",)):
        run(*launcher, psim, "cosim", "--quiet", "--json", "result.json", *more, *words)
        results.append(place.result("result.json"))
    cycles = [[node["cycles"] for node in one["nodes"]] for one in results]
    expect(results[0]["result_hash"] == results[1]["result_hash"], words, cycles)


def programs():
    """Messages, collectives, one-sided communication, queues by hand, waits for writes, regions, and much computing."""
    for file, nodes, words, options in (
            ("programs/ping_pong.c", 2, (0, 100, 5000, 20000), ()),
            ("programs/collectives.c", 5, (), ()),
            ("programs/one_sided.c", 3, (), ()),
            ("programs/cg.c", 4, (32, 5), ()),
            ("programs/cg.c", 2, (32, 3), ("--machine", "simd16", "--network", "tofu")),
            ("programs/random_ring.c", 4, (65536, 1), ()),
            ("programs/barrier.c", 4, (), ("--network", "sccb", "--set", "barrier.line=200 ns")),
            ("programs/queues.c", 2, (), ()),
            ("programs/message.c", 3, (8, 3000, 40000), ()),
            ("../../benches/nodes.c", 1, ("halo", 32, 2), ()),
            ("../../benches/nodes.c", 3, ("halo", 32, 3), ()),
            ("../../benches/nodes.c", 2, ("poll", 32), ()),
            ("../../benches/nodes.c", 2, ("monitor", 32), ())):
        equal("-n", nodes, *options, build(file), *words)


def options():
    """Energy, small caches, threads that share a core, other lengths of turns, and several host processes."""
    node = build("../../benches/nodes.c")
    halo = (node, "halo", 24, 3)
    equal("-n", 2, "--energy", *halo)
    equal("-n", 2, "--set", "l1d.bytes=8 KB", "--set", "l1d.ways=1", "--set", "core.window.commit_stack=24", *halo)
    for setup in ("100 ns", "5 us"):
        equal("-n", 3, "--set", f"interface.setup={setup}", *halo)
    threads = build("programs/threads.c", "-pthread")
    equal("-n", 2, threads)
    equal("-n", 2, "--set", "node.time_slice=3000 cycles", threads)
    equal("-n", 2, "--energy", "--set", "node.cores=2", "--set", "node.ranks=2", *halo)  # never repeated
    if shutil.which("mpirun"):
        equal("-n", 4, *halo, launcher=("mpirun", "--oversubscribe", "-n", 2))


globals()[part]()
