#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Curves of latency and accepted load over offered load of HyperX, Slim Fly, dragonfly and dragonfly+ under uniform and adversarial
traffic: the tables of docs/records/topologies.md.

    benches/topologies.py build/release/bin/psim            # all networks
    benches/topologies.py build/release/bin/psim dragonfly  # one

Packets are one flit of 64 bytes at 5 GB/s, a cycle of 12.8 ns. Times are in cycles.
"""
import json
import subprocess
import sys

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
                   {"uniform": {"minimal": (.1, .5), "ugal": (.1, .5), "par": (.1, .5)},
                    "adversarial": {"minimal": (.05, .1), "valiant": (.1, .3), "ugal": (.1, .3), "par": (.1, .3)}}),
}


def points(psim, network, traffic, routing, loads, bias=0):
    kind, shape, channels, flits, cable, far, _ = NETWORKS[network]
    keys = {"topology.kind": kind, "topology.shape": shape, "topology.routing": routing, "router.virtual_channels": channels,
            "router.buffer": f"{64 * flits} B", "router.routing": "12.8 ns", "router.vc_allocation": "25.6 ns", "router.switch_allocation": "0 ns",
            "router.traversal": "0 ns", "link.delay": f"{CYCLE * cable} ns", "link.global.delay": f"{CYCLE * far} ns", "nic.delay": "12.8 ns",
            "nic.payload": "64 B"}
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
    psim, names = sys.argv[1], sys.argv[2:] or list(NETWORKS)
    for name in names:
        for traffic, routings in NETWORKS[name][-1].items():
            print(f"\n{name} {NETWORKS[name][1]}, {traffic}: offered load: mean latency in cycles, accepted load\n")
            for routing, loads in routings.items():
                for bias in (0, BIAS) if name == "dragonfly" and routing in ("ugal", "par") else (0,):
                    row = [f"{load}: {point['latency']['mean'] * 1e9 / CYCLE:.1f}, {point['accepted']:.3f}"
                           for load, point in zip(loads, points(psim, name, traffic, routing, loads, bias))]
                    print(f"| {routing}{', bias' if bias else ''} | " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
