#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CPU seconds of the HPL skeleton on the analytic network, beside SimGrid's SMPI on the same source.

  benches/skeleton_speed.py [--ranks 256] [--n 32768] [--nb 128] [--repeat 3]

The program is workloads/skeletons/hpl.c with the models of example.toml. For SMPI its LMPI_ functions become those of MPI, its
models the same expressions as smpi_execute(), and its null buffers one buffer that all ranks share. Both networks take 1 us and
5 GB/s for each message; SMPI's is a cluster with a backbone of no limit. The two run in turn. A rank operation is a call of MPI or
of a model. Needs smpicc and smpirun (Debian: libsimgrid-dev); without them psim alone is measured.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

from measure import PSIM, ROOT, cpu_seconds

sys.path.insert(0, str(ROOT / "mpi/fortran"))
import mpi_table  # noqa: E402


def with_headers(path, seen):
    """The text of a source with the headers of its own folders in their places, each once."""
    seen.add(path)
    def header(found):
        inner = (path.parent / found[1]).resolve()
        if inner in seen:
            return ""
        return with_headers(inner, seen) if inner.exists() else found[0]
    return re.sub(r'^#include "(.*)"$|^#pragma once$', lambda found: header(found) if found[1] else "", path.read_text(), flags=re.M)


def smpi_source():
    """The skeleton for SMPI, with the models as C expressions."""
    names = [name for _, name, _, _ in mpi_table.functions(ROOT / "mpi/include/mpi_functions.h")]
    models = re.findall(r'^\[region\.(\w+)\].*?^parameters = "(.*?)"\nseconds = "(.*?)"$', (ROOT / "workloads/skeletons/example.toml").read_text(),
                        re.M | re.S)
    cases = []
    for name, parameters, seconds in models:
        for place, parameter in enumerate(parameters.split()):
            seconds = re.sub(rf"\b{parameter}\b(\^2)?", lambda m, at=place: f"a[{at}]" + (f" * a[{at}]" if m[1] else ""), seconds)
        cases.append(f'  if (strcmp(name, "{name}") == 0) return smpi_execute({seconds});\n')
    head = "#include <mpi.h>\n#include <smpi/smpi.h>\n#include <string.h>\n" + "".join(f"#define LMPI_{name} MPI_{name}\n" for name in names)
    head += "static void* shared;\nstatic void add(const char* name, const double* a) {\n" + "".join(cases) + "}\n"
    head += "#define BSIM_Add_model(name, ...) add(name, (const double[]){__VA_ARGS__})\n#define BSIM_Add_time(seconds) smpi_execute(seconds)\n"
    text = with_headers((ROOT / "workloads/skeletons/hpl.c").resolve(), set()).replace('#include "lmpi.h"\n', head)
    text = re.sub(r"(LMPI_(?:Send|Recv|Irecv|Allgather|Scatter)\()NULL,", r"\1shared,", text).replace("MPI_DOUBLE, NULL,", "MPI_DOUBLE, shared,")
    return text.replace("  take_words(argc, argv);", "  take_words(argc, argv);\n  shared = SMPI_SHARED_MALLOC((size_t)(16 * o.nb * (o.n / o.p + o.n / o.q + 2 * o.nb)));")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ranks", type=int, default=256, help="a square number")
    parser.add_argument("--n", type=int, default=32768)
    parser.add_argument("--nb", type=int, default=128)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--psim", default=PSIM)
    options = parser.parse_args()
    side = int(options.ranks ** 0.5)
    words = [f"n={options.n}", f"nb={options.nb}", f"p={side}", f"q={options.ranks // side}"]
    with tempfile.TemporaryDirectory() as directory:
        scratch = pathlib.Path(directory)
        result = scratch / "result.json"
        subprocess.run([os.path.join(os.path.dirname(options.psim), "psim-cc"), "-O2", "-o", scratch / "hpl",
                        ROOT / "workloads/skeletons/hpl.c"], check=True)
        psim = [options.psim, "net", "-n", str(options.ranks), "--network", "analytic", "--set", "analytic.latency=1 us", "--set",
                "analytic.bandwidth=5 GB/s", "--set", "mpi.eager=1 GiB", "--compute", f"model:{ROOT}/workloads/skeletons/example.toml",
                "--json", result, scratch / "hpl", *words]
        smpi = None
        if shutil.which("smpicc") and shutil.which("smpirun"):
            (scratch / "smpi.c").write_text(smpi_source())
            subprocess.run(["smpicc", "-O2", "-w", "-o", scratch / "hpl_smpi", scratch / "smpi.c"], check=True)
            (scratch / "cluster.xml").write_text(f"""<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="all" prefix="n" suffix="" radical="0-{options.ranks - 1}" speed="1Gf" bw="5GBps" lat="500ns"/>
</platform>
""")
            (scratch / "hosts").write_text("".join(f"n{rank}\n" for rank in range(options.ranks)))
            smpi = ["smpirun", "-np", str(options.ranks), "-platform", scratch / "cluster.xml", "-hostfile", scratch / "hosts",
                    "--cfg=smpi/simulate-computation:no", "--cfg=smpi/privatization:dlopen", "--log=root.thres:error", scratch / "hpl_smpi", *words]
        ours, theirs = [], []
        for _ in range(options.repeat):
            ours.append(cpu_seconds(psim))
            if smpi:
                theirs.append(cpu_seconds(smpi))
        found = json.loads(result.read_text())
        operations = sum(found["statistics"]["mpi_calls"].values()) + sum(one["count"] for one in found["compute"]["regions"])
        print(f"{options.ranks} ranks, {' '.join(words)}: {found['seconds']:.6f} s simulated, {operations / 1e6:.2f} M rank operations")
        print(f"psim {min(ours):.2f} s of CPU time, {operations / min(ours) / 1e6:.2f} M rank operations per second")
        if theirs:
            print(f"SMPI {min(theirs):.2f} s; psim/SMPI {statistics.median(a / b for a, b in zip(ours, theirs)):.2f}")


if __name__ == "__main__":
    main()
