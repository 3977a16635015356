#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CPU seconds of psim net, packet by packet, beside SimGrid's SMPI, a flow model, on the same program and torus.

  benches/network_speed.py [--ranks 1024] [--bytes 1048576] [--loops 1] [--repeat 3]

The programs are workloads/mgen/random_ring.c and alltoall.c (4 bytes); for SMPI their MGEN_ functions become those of
MPI, with one buffer that all ranks share. The two run in turn, and the median of the pairs' ratios is printed. Needs
smpicc and smpirun (Debian: libsimgrid-dev); without them psim alone is measured.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile

from measure import PSIM, ROOT, cpu_seconds


def torus(ranks):
    """A 3D shape of `ranks` nodes, as near cubic as it goes."""
    best = None
    for x in range(1, ranks + 1):
        for y in range(1, x + 1):
            if ranks % (x * y) == 0 and ranks // (x * y) <= y and (best is None or x < best[0]):
                best = (x, y, ranks // (x * y))
    return best


def mpi_source(name):
    """The MGEN program as an MPI one that sends from memory."""
    text = (ROOT / "workloads/mgen" / f"{name}.c").read_text()
    for old, new in (("MGEN_Main", "main"), ("mgen.h", "mpi.h"), ("MGEN_", "MPI_"), ("(NULL, bytes", "(buffer, bytes"),
                     (" NULL, bytes", " buffer, bytes")):
        text = text.replace(old, new)
    return text.replace("  MPI_Barrier", "  void* const buffer = SMPI_SHARED_MALLOC((size_t)bytes);\n  MPI_Barrier", 1)


def smpi_command(scratch, ranks, shape):
    """smpirun for a torus of psim's torus3d: 5 GB/s and 100 ns per hop."""
    platform, hosts = scratch / "torus.xml", scratch / "hosts"
    platform.write_text(f"""<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="torus" prefix="n" suffix="" radical="0-{ranks - 1}" speed="1Gf" bw="5GBps" lat="100ns" topology="TORUS"
           topo_parameters="{','.join(map(str, shape))}"/>
</platform>
""")
    hosts.write_text("".join(f"n{rank}\n" for rank in range(ranks)))
    return ["smpirun", "-np", str(ranks), "-platform", platform, "-hostfile", hosts, "--cfg=smpi/simulate-computation:no",
            "--cfg=smpi/privatization:no", "--log=root.thres:error"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ranks", type=int, default=1024)
    parser.add_argument("--bytes", type=int, default=1 << 20)
    parser.add_argument("--loops", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--psim", default=PSIM)
    options = parser.parse_args()
    shape = torus(options.ranks)
    with_smpi = shutil.which("smpicc") is not None and shutil.which("smpirun") is not None
    print(f"{options.ranks} ranks, torus {'x'.join(map(str, shape))}")
    print(f"{'program':12} {'psim s':>8} {'M hops/s':>9} {'SMPI s':>8} {'psim/SMPI':>10}")
    with tempfile.TemporaryDirectory() as directory:
        scratch = pathlib.Path(directory)
        result = scratch / "result.json"
        for name, arguments in (("random_ring", [str(options.bytes), str(options.loops)]), ("alltoall", ["4"])):
            program = scratch / name
            subprocess.run([os.path.join(os.path.dirname(options.psim), "psim-cc"), "-O2", "-o", program,
                            ROOT / f"workloads/mgen/{name}.c"], check=True)
            psim = [options.psim, "net", "-n", str(options.ranks), "--set", f"topology.shape={'x'.join(map(str, shape))}",
                    "--json", result, program, *arguments]
            smpi = None
            if with_smpi:
                source = scratch / f"{name}_mpi.c"
                source.write_text(mpi_source(name))
                subprocess.run(["smpicc", "-O2", "-o", scratch / f"{name}_mpi", source], check=True)
                smpi = [*smpi_command(scratch, options.ranks, shape), scratch / f"{name}_mpi", *arguments]
            ours, theirs = [], []
            for _ in range(options.repeat):
                ours.append(cpu_seconds(psim))
                if smpi:
                    theirs.append(cpu_seconds(smpi))
            with open(result, encoding="utf-8") as file:
                hops = json.load(file)["packet_hops"]
            line = f"{name:12} {min(ours):8.2f} {hops / min(ours) / 1e6:9.2f}"
            if theirs:
                line += f" {min(theirs):8.2f} {statistics.median(a / b for a, b in zip(ours, theirs)):10.2f}"
            print(line, flush=True)


if __name__ == "__main__":
    main()
