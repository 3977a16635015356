#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Curves of latency and accepted load over offered load of HyperX, hypercube, express mesh, fat trees, Slim Fly, dragonfly and dragonfly+
under uniform and adversarial traffic, alone or next to BookSim 2: the tables of docs/records/topologies.md.

    benches/topologies.py build/release/bin/psim                               # all networks
    benches/topologies.py build/release/bin/psim dragonfly                     # one
    benches/topologies.py --booksim booksim2/src/booksim build/release/bin/psim

BookSim 2 is at https://github.com/booksim/booksim2 (commit 28f43299 was measured); `make` in its folder src builds it. Networks that it does not
know are given to it as lists of cables (topology anynet), on which it takes shortest routes.

Packets are one flit of 64 bytes at 5 GB/s, a cycle of 12.8 ns. Times are in cycles.
"""
import argparse
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile

CYCLE = 12.8
BIAS = 90 * 64  # BookSim's threshold of 30 flits at three hops
NETWORKS = {
    # name: kind, shape, virtual channels, flits of a buffer, cable and global cable in cycles, routings with their loads
    "dragonfly": ("dragonfly", "4x2x2x9", 4, 256, 10, 100,
                  {"uniform": {"minimal": (.1, .5, .7, .9), "ugal": (.1, .5, .7), "ugal-g": (.1, .5, .7), "par": (.1, .5, .7)},
                   "adversarial": {"minimal": (.05, .1, .2), "valiant": (.1, .3, .4, .6), "ugal": (.1, .3, .4, .6), "ugal-g": (.1, .3, .4, .6),
                                   "par": (.1, .3, .4, .6)}}),
    "hyperx": ("hyperx", "4x4:4", 4, 64, 1, 1,
               {"uniform": {"dimension-order": (.1, .5, .7, .9), "valiant": (.1, .4), "ugal": (.1, .5, .7, .9), "dal": (.1, .5, .7, .9)},
                "adversarial": {"dimension-order": (.1, .2, .3), "valiant": (.2, .4, .6), "ugal": (.2, .4, .6), "dal": (.2, .4, .6)}}),
    "slim-fly": ("slim-fly", "5:4", 4, 64, 1, 1,
                 {"uniform": {"minimal": (.1, .5, .7), "valiant": (.1, .3), "ugal": (.1, .5, .7), "ugal-g": (.1, .5, .7)},
                  "adversarial": {"minimal": (.1, .2, .3), "valiant": (.2, .3), "ugal": (.2, .3), "ugal-g": (.2, .3)}}),
    "dragonfly+": ("dragonfly+", "4x4x2x2x9", 3, 256, 10, 100,
                   {"uniform": {"minimal": (.1, .5, .7), "ugal": (.1, .5), "par": (.1, .5)},
                    "adversarial": {"minimal": (.05, .1), "valiant": (.1, .3), "ugal": (.1, .3), "par": (.1, .3)}}),
    "fat-tree": ("fat-tree", "4x4x4", 4, 64, 1, 1, {"uniform": {"random": (.1, .5, .7, .9), "adaptive": (.1, .5, .7, .9)}}),
    "hypercube": ("hypercube", "6:1", 4, 64, 1, 1, {"uniform": {"e-cube": (.1, .5, .7, .9)}}),
    # At 0.9 and 1.5 of bounds counted from cables, as Kim et al. (ISCA 2008) and Ahn et al. (SC 2009) derive them.
    "dragonfly-1056": ("dragonfly", "8x4x4x33", 4, 256, 10, 100,
                       {"uniform": {"valiant": (.45, .75)}, "adversarial": {"minimal": (.028, .047), "valiant": (.45, .75), "ugal-g": (.45, .75)}}),
    "hyperx-512": ("hyperx", "8x8:8", 4, 64, 1, 1,
                   {"bit-complement": {"dimension-order": (.1125, .1875), "valiant": (.45, .75), "dal": (.45, .75)}}),
    "hyperx-1024": ("hyperx", "8x8:16", 4, 64, 1, 1, {"bit-complement": {"valiant": (.225,)}}),
    "express-mesh": ("express-mesh", "9x9:4", 4, 64, 1, 1, {"uniform": {"dimension-order": (.1, .3, .4)}}),
}
FREE = {"router.vc_choice": "free"}  # BookSim's rule: a packet takes any free channel
# The bounds take a router for ideal. With these keys few packets wait behind others that go elsewhere.
BOUNDS = ("dragonfly-1056", "hyperx-512", "hyperx-1024")
WIDE = {"router.virtual_channels": 16, "router.input_speedup": 2}
RULED = ("hyperx", "hypercube", "express-mesh", "slim-fly")  # networks whose deterministic routings know it
BOOKSIM = ("wait_for_tail_credit=0 vc_allocator=islip sw_allocator=islip alloc_iters=4 credit_delay=1 routing_delay=0 vc_alloc_delay=1 sw_alloc_delay=1 "
           "st_final_delay=1 input_speedup=1 output_speedup=1 internal_speedup=1.0 use_noc_latency=0 packet_size=1 sim_type=latency warmup_periods=3 "
           "sample_period=1560 max_samples=10 sim_count=1").split()


def slim_fly():
    """The graph of q = 5: two halves of 25 routers, in each of which the differences are squares, or the others."""
    edges = [((half, x, y), (half, x, z)) for half, steps in ((0, (1, 4)), (1, (2, 3))) for x in range(5) for y in range(5) for z in range(y)
             if (y - z) % 5 in steps]
    return 4, edges + [((0, x, (m * x + c) % 5), (1, m, c)) for x in range(5) for m in range(5) for c in range(5)], ()


def dragonfly_plus():
    """9 groups of 4 leaves with 4 nodes each and 4 spines with 2 global cables each."""
    inside = [((g, "leaf", a), (g, "spine", b)) for g in range(9) for a in range(4) for b in range(4)]
    used = [0] * 9
    far = []
    for a, b in itertools.combinations(range(9), 2):
        far.append(((a, "spine", used[a] // 2), (b, "spine", used[b] // 2)))
        used[a] += 1
        used[b] += 1
    return 4, inside, far


def express_mesh():
    """9 x 9 routers of one node; those at 0, 4 and 8 of a line are joined, too."""
    lines = [(a, a + 1) for a in range(8)] + [(0, 4), (4, 8)]
    return 1, [((a, c), (b, c)) for a, b in lines for c in range(9)] + [((c, a), (c, b)) for a, b in lines for c in range(9)], ()


def cables(terminals, near, far, cable, far_cable):
    """A file of BookSim's topology anynet."""
    routers = {}
    for edge in (*near, *far):
        for end in edge:
            routers.setdefault(end, len(routers))
    lines, node = [], 0
    for router, number in routers.items():
        if "spine" in router:
            continue
        lines.append(f"router {number} " + " ".join(f"node {n}" for n in range(node, node + terminals)))
        node += terminals
    for edges, delay in ((near, cable), (far, far_cable)):
        for a, b in edges:  # BookSim takes the delay of one direction from a line
            lines += [f"router {routers[one]} router {routers[other]} {delay}" for one, other in ((a, b), (b, a))]
    return "\n".join(lines) + "\n"


# Of (network, traffic, routing): words of BookSim's configuration, or the graph. The speed-up within routers is 1, as psim's, but for dragonflies that of
# BookSim's own dragonflyconfig: without it they carry half as much.
PEERS = {
    ("dragonfly", "uniform", "minimal"): "topology=dragonflynew k=2 n=1 routing_function=min num_vcs=3 internal_speedup=1.7 traffic=uniform",
    ("dragonfly", "uniform", "ugal"): "topology=dragonflynew k=2 n=1 routing_function=ugal num_vcs=3 internal_speedup=1.7 traffic=uniform",
    ("dragonfly", "adversarial", "minimal"): "topology=dragonflynew k=2 n=1 routing_function=min num_vcs=3 internal_speedup=1.7 traffic=bad_dragon",
    ("dragonfly", "adversarial", "ugal"): "topology=dragonflynew k=2 n=1 routing_function=ugal num_vcs=3 internal_speedup=1.7 traffic=bad_dragon",
    ("hyperx", "uniform", "dimension-order"): "topology=flatfly k=4 n=2 c=4 x=4 y=4 xr=2 yr=2 routing_function=ran_min traffic=uniform",
    ("hyperx", "uniform", "valiant"): "topology=flatfly k=4 n=2 c=4 x=4 y=4 xr=2 yr=2 routing_function=valiant traffic=uniform",
    ("hyperx", "uniform", "ugal"): "topology=flatfly k=4 n=2 c=4 x=4 y=4 xr=2 yr=2 routing_function=ugal traffic=uniform",
    ("hyperx-1024", "bit-complement", "valiant"): "topology=flatfly k=8 n=2 c=16 x=8 y=8 xr=4 yr=4 routing_function=valiant traffic=bitcomp sim_type=throughput",
    ("fat-tree", "uniform", "random"): "topology=fattree k=4 n=3 routing_function=nca traffic=uniform",
    ("fat-tree", "uniform", "adaptive"): "topology=fattree k=4 n=3 routing_function=anca traffic=uniform",
    ("hypercube", "uniform", "e-cube"): "topology=mesh k=2 n=6 routing_function=dor traffic=uniform",
    ("slim-fly", "uniform", "minimal"): slim_fly,
    ("dragonfly+", "uniform", "minimal"): dragonfly_plus,
    ("express-mesh", "uniform", "dimension-order"): express_mesh,
}


def booksim(program, network, peer, load):
    """The mean latency, or None if it does not settle, and the accepted load."""
    _, _, channels, flits, cable, far_cable, _ = NETWORKS[network]
    with tempfile.TemporaryDirectory() as folder:
        words = [f"num_vcs={channels}", f"vc_buf_size={flits}", f"injection_rate={load}"]
        if callable(peer):
            with open(os.path.join(folder, "cables"), "w") as file:
                file.write(cables(*peer(), cable, far_cable))
            words += ["topology=anynet", "routing_function=min", "network_file=cables", "traffic=uniform"]
        else:
            words += peer.split()
        with open(os.path.join(folder, "base"), "w") as file:
            file.write("seed = 1;\n")
        try:
            text = subprocess.run([os.path.abspath(program), "base", *BOOKSIM, *words], cwd=folder, capture_output=True, text=True, timeout=300).stdout
        except subprocess.TimeoutExpired:
            return None, None
    accepted, latency = (re.findall(rf"{name} average = ([0-9.]+)", text) for name in ("Accepted packet rate", "Packet latency"))
    if not accepted or not latency:
        sys.exit(f"{' '.join([program, *BOOKSIM, *words])}\n{text[-2000:]}")
    return None if "unstable" in text else float(latency[-1]), float(accepted[-1])


def points(psim, network, traffic, routing, loads, bias=0, rules=()):
    kind, shape, channels, flits, cable, far, _ = NETWORKS[network]
    keys = {"topology.kind": kind, "topology.shape": shape, "topology.routing": routing, "router.virtual_channels": channels,
            "router.buffer": f"{64 * flits} B", "router.routing": "12.8 ns", "router.vc_allocation": "25.6 ns", "router.switch_allocation": "0 ns",
            "router.traversal": "0 ns", "link.delay": f"{CYCLE * cable} ns", "link.global.delay": f"{CYCLE * far} ns", "nic.delay": "12.8 ns",
            "nic.payload": "64 B"}
    keys.update(rules)
    if bias:
        keys["routing.bias"] = f"{bias} B"
    words = [psim, "net", "--quiet", "--json", "/dev/stdout", "--traffic", traffic, "--message", "64 B", "--load", ",".join(map(str, loads)),
             "--warm-up", "20 us", "--measure", "20 us"]
    for key, value in keys.items():
        words += ["--set", f"{key}={value}"]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(words)}\n{done.stderr}")
    return json.loads(done.stdout)["points"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--booksim", help="its program, to run beside")
    parser.add_argument("psim")
    parser.add_argument("networks", nargs="*", metavar="NETWORK", help=", ".join(NETWORKS))
    words = parser.parse_args()
    for name in words.networks or NETWORKS:
        for traffic, routings in NETWORKS[name][-1].items():
            print(f"\n{name} {NETWORKS[name][1]}, {traffic}: offered load: mean latency in cycles, accepted load\n")
            for routing, loads in routings.items():
                peer = PEERS.get((name, traffic, routing)) if words.booksim else None
                cases = [(routing, 0, {})]
                if name == "dragonfly" and routing in ("ugal", "par"):
                    cases.append((f"{routing}, bias", BIAS, {}))
                if peer and NETWORKS[name][0] in RULED:
                    cases.append((f"{routing}, any channel", 0, FREE))
                if name in BOUNDS and routing not in ("minimal", "dimension-order"):
                    cases.append((f"{routing}, wide", 0, {**WIDE, **(FREE if NETWORKS[name][0] in RULED and routing == "valiant" else {})}))
                rows = [(title, [(point["latency"]["mean"] * 1e9 / CYCLE, point["accepted"])
                                 for point in points(words.psim, name, traffic, routing, loads, bias, rules)]) for title, bias, rules in cases]
                if peer:
                    rows.append(("BookSim 2", [booksim(words.booksim, name, peer, load) for load in loads]))
                    if name in BOUNDS:
                        rows.append(("BookSim 2, speed-up 2", [booksim(words.booksim, name, peer + " internal_speedup=2.0", load) for load in loads]))
                for title, row in rows:
                    print(f"| {title} | " + " | ".join(f"{load}: {'-' if mean is None else f'{mean:.1f}'}, {'-' if accepted is None else f'{accepted:.3f}'}"
                                                         for load, (mean, accepted) in zip(loads, row)) + " |", flush=True)


if __name__ == "__main__":
    main()
