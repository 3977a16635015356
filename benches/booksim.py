#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""booksim.py PSIM BOOKSIM [--svg FILE]: latency over load near saturation, of psim and of BookSim 2 with the same router.

BookSim 2 is at https://github.com/booksim/booksim2 (commit 28f43299 was measured); `make` in its folder src builds it. The network: 8x8, four virtual
channels of 8 flits, packets of one flit, a router's pass of 3 cycles and 1 cycle of cable. psim runs with its own rules, and with BookSim's:
router.vc_choice = free, on a torus routing random-ties, and --arrivals bernoulli. Latencies are cycles; a cycle of psim is 1 ns and a flit 64 bytes.

BookSim's transpose includes the 8 nodes whose destination is themselves; psim's nodes of this kind are silent. The table has BookSim's mean without them.
"""
import argparse
import json
import os
import re
import subprocess
import tempfile

CASES = (("bit-complement on a mesh", "mesh", "dor", "bit-complement", "bitcomp", (0.1, 0.2, 0.23, 0.25)),
         ("transpose on a torus", "torus", "dim_order", "transpose", "transpose", (0.1, 0.2, 0.24, 0.26)),
         ("tornado on a torus", "torus", "dim_order", "tornado", "tornado", (0.1, 0.2, 0.3)))
BOOKSIM = ("k=8 n=2 num_vcs=4 vc_buf_size=8 wait_for_tail_credit=0 vc_allocator=islip sw_allocator=islip alloc_iters=1 credit_delay=1 routing_delay=0 "
           "vc_alloc_delay=1 sw_alloc_delay=1 st_final_delay=1 input_speedup=1 output_speedup=1 internal_speedup=1.0 use_noc_latency=0 packet_size=1 "
           "sim_type=latency warmup_periods=3 sample_period=5000 max_samples=4 sim_count=1").split()
PSIM = {"topology.shape": "8x8", "router.virtual_channels": "4", "router.buffer": "512 B", "router.routing": "0 ns", "router.vc_allocation": "1 ns",
        "router.switch_allocation": "1 ns", "router.traversal": "1 ns", "link.delay": "1 ns", "link.bandwidth": "64 GB/s", "nic.bandwidth": "64 GB/s",
        "nic.delay": "1 ns", "nic.payload": "64 B"}
# BookSim's credit leaves with the flit and arrives two cycles after it has left the buffer.
RULES = {"router.credit_delay": "2 ns", "router.vc_choice": "free"}
MOST = 200  # cycles, of the picture
SELF = 6    # cycles of a packet to its own node in BookSim, of which the diagonal has an eighth


def booksim(path, topology, routing, traffic, load):
    """Mean latency, or None if it does not settle, and the accepted load."""
    with tempfile.NamedTemporaryFile("w", suffix=".cfg") as file:
        file.write(f"topology = {topology};\n")
        file.flush()
        words = [*BOOKSIM, f"routing_function={routing}", f"traffic={traffic}", f"injection_rate={load}"]
        try:
            text = subprocess.run([path, file.name, *words], capture_output=True, text=True, timeout=300).stdout
        except subprocess.TimeoutExpired:
            return None, None
    accepted = re.findall(r"Accepted packet rate average = ([0-9.]+)", text)
    latency = re.findall(r"Packet latency average = ([0-9.]+)", text)
    if "unstable" in text or not latency:
        return None, float(accepted[-1]) if accepted else None
    mean = float(latency[-1])
    return (mean - SELF / 8) * 8 / 7 if traffic == "transpose" else mean, float(accepted[-1])


def psim(path, topology, pattern, loads, rules):
    settings = dict(PSIM, **{"topology.kind": topology}, **(RULES if rules else {}))
    if rules and topology == "torus":
        settings["topology.routing"] = "random-ties"
    words = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    with tempfile.TemporaryDirectory() as folder:
        result = os.path.join(folder, "r.json")
        subprocess.run([path, "net", "--quiet", "--json", result, "--traffic", pattern, "--message", "64 B", "--load", ",".join(map(str, loads)), "--warm-up",
                        "10 us", "--measure", "30 us", *(["--arrivals", "bernoulli"] if rules else []), *words], check=True, stdout=subprocess.DEVNULL)
        with open(result) as file:
            points = json.load(file)["points"]
    return [(None if point["saturated"] else point["latency"]["mean"] * 1e9, point["accepted"]) for point in points]


def curve(points, loads, place, colour, dash):
    kept = [place(load, mean) for load, (mean, _) in zip(loads, points) if mean is not None and mean <= MOST]
    return f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in kept)}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>\n' + "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>\n' for x, y in kept)


def picture(cases):
    wide, high, left, top = 300, 220, 50, 40
    text = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{len(cases) * (wide + left) + 20}" height="{high + 100}" font-family="sans-serif" '
            'font-size="12">\n<rect width="100%" height="100%" fill="white"/>\n')
    for number, (name, loads, series) in enumerate(cases):
        x0 = left + number * (wide + left)
        place = lambda load, mean: (x0 + (wide - 20) * load / 0.32, top + high * (1 - mean / MOST))
        text += f'<text x="{x0}" y="{top - 15}" font-size="14">{name}</text>\n<path d="M{x0},{top} V{top + high} H{x0 + wide - 20}" fill="none" stroke="black"/>\n'
        for mean in range(0, MOST + 1, 50):
            text += f'<text x="{x0 - 6}" y="{place(0, mean)[1] + 4:.1f}" text-anchor="end">{mean}</text>\n'
        for load in (0, 0.1, 0.2, 0.3):
            text += f'<text x="{place(load, 0)[0]:.1f}" y="{top + high + 16}" text-anchor="middle">{load:g}</text>\n'
        for points, colour, dash in zip(series, ("#555555", "#c0392b", "#2471a3"), ("", ' stroke-dasharray="5,4"', "")):
            text += curve(points, loads, place, colour, dash)
    y = top + high + 44
    for number, (name, colour) in enumerate((("BookSim 2", "#555555"), ("psim, own rules", "#c0392b"), ("psim, BookSim's rules", "#2471a3"))):
        text += f'<circle cx="{left + 10 + 170 * number}" cy="{y - 4}" r="4" fill="{colour}"/><text x="{left + 20 + 170 * number}" y="{y}">{name}</text>\n'
    return text + f'<text x="{left + 560}" y="{y}">mean latency, cycles, over the load, flits per node and cycle</text>\n</svg>\n'


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("psim")
    options.add_argument("booksim")
    options.add_argument("--svg")
    given = options.parse_args()
    shown = lambda point: f"{'-' if point[0] is None else f'{point[0]:.1f}'} | {'-' if point[1] is None else f'{point[1]:.4f}'}"
    cases = []
    print("| case | load | BookSim: latency | accepted | psim: latency | accepted | BookSim's rules: latency | accepted |\n|---|---|---|---|---|---|---|---|")
    for name, topology, routing, pattern, traffic, loads in CASES:
        series = [[booksim(given.booksim, topology, routing, traffic, load) for load in loads]]
        series += [psim(given.psim, topology, pattern, loads, rules) for rules in (False, True)]
        cases.append((name, loads, series))
        for load, *points in zip(loads, *series):
            print(f"| {name} | {load:g} | {' | '.join(map(shown, points))} |", flush=True)
    if given.svg:
        with open(given.svg, "w") as file:
            file.write(picture(cases))


if __name__ == "__main__":
    main()
