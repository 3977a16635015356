#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Speed and memory of psim compared with its peers, as the Markdown table of docs/performance.md.

  benches/table.py [--psim PSIM] [--repeat 3] [GROUP...]

Each row runs two commands in turn. Times are CPU seconds, user and system, the least of the runs; the ratio is
the median of the pairs' ratios. Rates are millions of instructions, or of packets over a channel, per CPU second. A peer that is not
installed leaves its columns empty (Debian: qemu-user, libsimgrid-dev).
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

from measure import FLAGS, PSIM, ROOT, compile_kernel, cpu_seconds

# Programs for the core: name, source below the root, compiler, flags.
CORE_PROGRAMS = {
    "dgemm": ("workloads/kernels/dgemm.c", "gcc", ["-O3", "-mcpu=v9"]),
    "sieve": ("workloads/kernels/sieve.c", "gcc", ["-O2"]),
    "pointer_chase": ("workloads/kernels/pointer_chase.c", "gcc", ["-O2"]),
    "recursion": ("benches/recursion.c", "gcc", ["-O2"]),
    "exceptions": ("tests/exec/programs/exceptions.cpp", "g++", ["-O2"]),
    "paper_dgemm": ("workloads/kernels/paper/dgemm.c", "gcc", FLAGS),
}
# Programs for ranks and nodes: name, source, wrapper.
MPI_PROGRAMS = {
    "random_ring": ("workloads/mgen/random_ring.c", "psim-cc"),
    "alltoall": ("workloads/mgen/alltoall.c", "psim-cc"),
    "million_ranks": ("benches/million_ranks.c", "psim-cc"),
    "nodes": ("benches/nodes.c", "psim-sparc-cc"),
}
TORUS = "--set topology.shape=16x8x8"
# By group: the measurement, its command, the command that it is compared with, and how often that one is counted. `smpi` is
# the same MPI program in SimGrid.
ROWS = {
    "functional": [
        ("dgemm of order 256", "psim exec dgemm 256 4", "qemu-sparc64 dgemm 256 4", 1),
        ("sieve to 4 million", "psim exec sieve 4000000 10", "qemu-sparc64 sieve 4000000 10", 1),
        ("pointers over 4 MiB", "psim exec pointer_chase 65536 20000000", "qemu-sparc64 pointer_chase 65536 20000000", 1),
        ("recursion", "psim exec recursion 34", "qemu-sparc64 recursion 34", 1),
    ],
    "core": [
        ("dgemm, cycle by cycle", "psim run dgemm 96", "qemu-sparc64 dgemm 96", 1),
        ("sieve", "psim run sieve 600000", "qemu-sparc64 sieve 600000", 1),
        ("pointers over 6 MiB", "psim run pointer_chase 100000 200000", "qemu-sparc64 pointer_chase 100000 200000", 1),
        ("dgemm without repeated stretches", "psim run --no-memoize dgemm 96", "psim run dgemm 96", 1),
        ("sieve without repeated stretches", "psim run --no-memoize sieve 600000", "psim run sieve 600000", 1),
        ("dgemm on 16 PEs", "psim run --machine simd16 --set l1d.prefetch=perfect paper_dgemm simd 192", "", 1),
        ("energy of dgemm", "psim run --energy dgemm 96", "psim run dgemm 96", 1),
        ("profile of sieve", "psim run --profile sieve 600000", "psim run sieve 600000", 1),
        ("every stage of a run as a dump", "psim run --kanata /dev/null sieve 60000", "psim run sieve 60000", 1),
    ],
    "sampled": [
        ("dgemm, sampled", "psim run --sample dgemm 200 4", "psim run dgemm 200 4", 1),
        ("sieve, sampled", "psim run --sample sieve 8000000", "psim run sieve 8000000", 1),
        ("pointers, sampled", "psim run --sample pointer_chase 200000 1000000", "psim run pointer_chase 200000 1000000", 1),
    ],
    "traces": [
        ("a trace of dgemm", "psim trace record -o TRACE dgemm 256 4", "psim exec dgemm 256 4", 1),
        ("a trace of pointers over 4 MiB", "psim trace record -o TRACE pointer_chase 65536 20000000", "psim exec pointer_chase 65536 20000000", 1),
        ("a trace of exceptions in C++", "psim trace record -o TRACE exceptions", "psim exec exceptions", 1),
    ],
    "network": [
        ("random ring of 1 MiB, 1,024 ranks", f"psim net -n 1024 {TORUS} random_ring 1048576 1", "smpi random_ring 1048576 1", 1),
        ("all-to-all of 4 bytes, 1,024 ranks", f"psim net -n 1024 {TORUS} alltoall 4", "smpi alltoall 4", 1),
        ("random ring of 64 KiB, 32,768 ranks", "psim net -n 32768 random_ring 65536 1", "", 1),
        ("barrier, ring, allreduce of 65,536 ranks", "psim net -n 65536 million_ranks", "", 1),
        ("the ring with links that sleep", f"psim net -n 1024 {TORUS} --set link.sleep.policy=fixed random_ring 262144 1",
         f"psim net -n 1024 {TORUS} random_ring 262144 1", 1),
    ],
    "nodes": [
        ("one node", "psim cosim -n 1 nodes halo 48 4", "psim run nodes halo 48 4", 1),
        ("two nodes, and twice one", "psim cosim -n 2 nodes halo 48 4", "psim cosim -n 1 nodes halo 48 4", 2),
        ("one of two nodes waits in MPI", "psim cosim -n 2 nodes wait 128", "psim cosim -n 1 nodes wait 128", 1),
        ("one of two nodes polls a flag", "psim cosim -n 2 nodes poll 128", "psim cosim -n 1 nodes poll 128", 1),
        ("16 nodes exchange rows", "psim cosim -n 16 nodes halo 32 2", "", 1),
    ],
}


def mpi_source(name):
    """The MGEN program as an MPI one that sends from memory that all its ranks share."""
    text = (ROOT / "workloads/mgen" / f"{name}.c").read_text()
    for old, new in (("MGEN_Main", "main"), ("mgen.h", "mpi.h"), ("MGEN_", "MPI_"), ("(NULL, bytes", "(buffer, bytes"),
                     (" NULL, bytes", " buffer, bytes")):
        text = text.replace(old, new)
    return text.replace("  MPI_Barrier", "  void* const buffer = SMPI_SHARED_MALLOC((size_t)bytes);\n  MPI_Barrier", 1)


class Commands:
    """Turns the commands of ROWS into ones that run; programs are compiled when a row first needs them."""

    def __init__(self, psim, folder):
        self.psim, self.folder, self.built = pathlib.Path(psim).resolve(), pathlib.Path(folder), set()

    def program(self, name):
        path = self.folder / name
        if name not in self.built:
            if name in CORE_PROGRAMS:
                source, compiler, flags = CORE_PROGRAMS[name]
                compile_kernel(name, flags, path, source, compiler)
            else:
                source, wrapper = MPI_PROGRAMS[name]
                subprocess.run([self.psim.parent / wrapper, "-O3", "-I", ROOT / "workloads/include", "-o", path, ROOT / source], check=True)
            self.built.add(name)
        return path

    def smpi(self, name, words):
        """smpirun on a torus of 16 x 8 x 8 with psim's rate and delay per hop; None if SimGrid is not installed."""
        if shutil.which("smpicc") is None or shutil.which("smpirun") is None:
            return None
        platform, hosts, source = (self.folder / file for file in ("torus.xml", "hosts", f"{name}_mpi.c"))
        platform.write_text("<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                            "<platform version=\"4.1\"><cluster id=\"torus\" prefix=\"n\" suffix=\"\" radical=\"0-1023\" speed=\"1Gf\" "
                            "bw=\"5GBps\" lat=\"100ns\" topology=\"TORUS\" topo_parameters=\"16,8,8\"/></platform>\n")
        hosts.write_text("".join(f"n{rank}\n" for rank in range(1024)))
        source.write_text(mpi_source(name))
        subprocess.run(["smpicc", "-O2", "-o", source.with_suffix(""), source], check=True)
        return ["smpirun", "-np", "1024", "-platform", platform, "-hostfile", hosts, "--cfg=smpi/simulate-computation:no",
                "--cfg=smpi/privatization:no", "--log=root.thres:error", source.with_suffix(""), *words]

    def command(self, text):
        """The words to run for a command of ROWS; None if there is none, or its program is not installed."""
        first, *words = text.split() or [""]
        if first == "smpi":
            return self.smpi(words[0], words[1:])
        if first != "psim" and shutil.which(first) is None:
            return None
        words = [self.folder / "trace" if word == "TRACE" else self.program(word) if word in CORE_PROGRAMS or word in MPI_PROGRAMS else word
                 for word in words]
        if first != "psim":
            return [first, *words]
        at = 2 if words[0] == "trace" else 1
        return [self.psim, *words[:at], "--quiet", "--json", self.folder / "result.json", *words[at:]]


def row(commands, repeat, what, text, than, times):
    ours, theirs = commands.command(text), commands.command(than)
    pairs, result = [], {}
    for _ in range(repeat):
        mine = cpu_seconds(ours, check=False)
        result = json.loads((commands.folder / "result.json").read_text())
        pairs.append((mine, cpu_seconds(theirs, check=False) * times if theirs else None))
    least = min(pair[0] for pair in pairs)
    work = result.get("packet_hops") or result.get("instructions") or sum(node["instructions"] for node in result.get("nodes", []))
    other = ratio = ""
    if theirs:
        other = f"{min(pair[1] for pair in pairs):.2f}"
        ratio = f"{statistics.median(a / b for a, b in pairs):.2f}"
    memory = result["host"]["peak_rss_bytes"] / 2**20
    than = (f"{times} × " if times > 1 else "") + f"`{than}`" if than else ""
    return f"| {what} | `{text}` | {least:.2f} | {work / least / 1e6:.1f} | {memory:.0f} | {than} | {other} | {ratio} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--psim", default=PSIM)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=", ".join(ROWS))
    options = parser.parse_args()
    unknown = [group for group in options.groups if group not in ROWS]
    if unknown:
        sys.exit(f"table: {unknown[0]}: expected one of {', '.join(ROWS)}")
    print("| what | command | CPU s | M/s | MiB | compared with | CPU s | ratio |\n|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        commands = Commands(options.psim, folder)
        os.chdir(folder)  # one of the programs writes a file where it runs
        for group in options.groups or ROWS:
            for line in ROWS[group]:
                print(row(commands, options.repeat, *line), flush=True)


if __name__ == "__main__":
    main()
