#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""programs_test.py PSIM ROOT: from marked programs to a predicted run of ranks: a mini application in C, a Fortran program with three
regions, and a shipped kernel. Predicted cycles are compared with runs on the core; models of another machine are refused.

Exit status 77 (skipped) without the cross compilers."""
import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from commands import Place, expect

psim, root = sys.argv[1:3]
tools = os.path.dirname(psim)
workloads = os.path.join(root, "workloads")
place = Place("programs")
at, call = place.at, place.call


def result(*words):
    call(psim, *words[:1], "--quiet", "--json", "result.json", *words[1:])
    return place.result("result.json")


def regions(document):
    return {row["name"]: row for row in document["regions"]}


def compare(fit, direct, names):
    """The core's cycles of one execution are inside of the intervals, which are no wider than twice the value."""
    for name in names:
        row, measured = regions(fit)[name], regions(direct)[name]
        (predicted,) = row["predictions"]
        low, high = predicted["cycles"]["interval"]
        cycles = measured["cycles"] / measured["executions"]
        expect(low <= cycles <= high and high < 2 * predicted["cycles"]["value"], name, low, cycles, high)
        print(f"{name}: predicted {predicted['cycles']['value']:.0f}, measured {cycles:.0f}")


def check_ranks(run, fit, steps, ranks):
    """Each region of a predicted run computes for its model's time."""
    for region in run["compute"]["regions"]:
        (predicted,) = regions(fit)[region["name"]]["predictions"]
        wanted = steps * ranks * predicted["seconds"]["value"]
        expect(region["count"] == region["modelled"] == steps * ranks, region)
        expect(abs(region["compute"] - wanted) < 1e-12 * steps * ranks + 1e-9 * wanted, region, wanted)
    low, high = run["seconds_interval"]
    expect(low < run["seconds"] < high, run["seconds_interval"])


if shutil.which("sparc64-linux-gnu-gcc") is None or shutil.which("sparc64-linux-gnu-gfortran") is None:
    print("no cross compilers")
    sys.exit(77)

# A mini application: per-region cycles of one rank.
source = os.path.join(workloads, "predict/molecules.c")
call("sparc64-linux-gnu-gcc", "-O2", "-static", "-DSERIAL", "-I", os.path.join(workloads, "include"), "-o", "core", source)
call(os.path.join(tools, "psim-cc"), "-O2", "-o", "ranks", source)
fit = result("fit", "--args", "2 3 4 5", "--predict", "6", "-o", "molecules.toml", "./core", "{}", "1")
compare(fit, result("run", "./core", "6", "1"), ["halo", "force", "advance", "energy"])
run = result("net", "-n", "4", "--set", "node.core=sparc64v", "--compute", "model:molecules.toml", "./ranks", "6", "2")
check_ranks(run, fit, 2, 4)
alone = call(psim, "run", "--quiet", "./core", "3", "3").stdout
expect(alone == call(psim, "net", "-n", "1", "--quiet", "./ranks", "3", "3").stdout, "both builds compute the same", alone)
for row in run["compute"]["regions"]:
    expect((row["transfer"] > 0) == (row["name"] in ("halo", "energy")), "MPI calls in regions", row)

# Models of another machine are refused, also of another version of the same machine.
for core, said in (("simd16", 'machine = "sparc64v": the model was made on another machine than node.core = "simd16"'),
                   ("other.toml", "the model was made on another machine than node.core"),
                   ("sparc64", 'node.core = "sparc64": ')):
    place.write("other.toml", 'base = "sparc64v"\nl2.latency = "23 cycles"\n')
    words = ("net", "-n", "2", "--quiet", "--set", f"node.core={core}", "--compute", "model:molecules.toml")
    done = call(psim, *words, "./ranks", "3", "1", status=2)
    expect(done.stderr.startswith("psim: ") and said in done.stderr, said, done.stderr)
forced = result("net", "-n", "2", "--set", "node.core=simd16", "--force-model", "--compute", "model:molecules.toml", "./ranks", "3", "1")
expect(any("(--force-model)" in line for line in forced["assumptions"]), forced["assumptions"])
free = result("net", "-n", "2", "--compute", "model:molecules.toml", "./ranks", "3", "1")
expect(any("names no core (node.core)" in line for line in free["assumptions"]) and free["seconds"] == forced["seconds"], free["assumptions"])
plain = result("net", "-n", "2", "--set", "node.core=simd16", "./ranks", "3", "1")
expect("core" not in plain["machine"]["node"], "a key without influence", plain["machine"]["node"])
text = place.read("molecules.toml")
halo, others = text.split("[region.force]")
place.write("mixed.toml", halo.replace('machine_sha256 = "', 'machine_sha256 = "0') + "[region.force]" + others)
done = call(psim, "net", "-n", "2", "--compute", "model:mixed.toml", "./ranks", "3", "1", status=2)
expect("mixed.toml: region force: machine = " in done.stderr and "expected one machine, or --force-model" in done.stderr, done.stderr)

# Fortran: three regions, measured, fitted, compared, and used by ranks.
source = os.path.join(workloads, "predict/heat.F90")
call("sparc64-linux-gnu-gcc", "-O2", "-c", os.path.join(workloads, "include/psim_fortran.c"))
call("sparc64-linux-gnu-gfortran", "-O2", "-static", "-DSERIAL", "-J", place.name, "-o", "heat_core",
     os.path.join(workloads, "include/psim.f90"), source, "psim_fortran.o")
call(os.path.join(tools, "psim-f90"), "-O2", "-J", place.name, "-o", "heat", source)
fit = result("fit", "--args", "16 24 32 40 48", "--predict", "64", "-o", "heat.toml", "./heat_core", "{}", "2")
compare(fit, result("run", "./heat_core", "64", "2"), ["boundary", "relax", "norm"])
run = result("net", "-n", "3", "--compute", "model:heat.toml", "./heat", "64", "5")
check_ranks(run, fit, 5, 3)

# The shipped kernel fft, as in docs/records/fits.md.
kernels = os.path.join(os.path.dirname(tools), "share/psim/kernels/paper")
if os.path.exists(os.path.join(kernels, "fft")):
    for machine, form in (("sparc64v", "scalar"), ("simd16", "simd")):
        fit = result("fit", "--machine", machine, "--args", "8 16 32 64 128", "--predict", "256", os.path.join(kernels, "fft"), form, "{}")
        compare(fit, result("run", "--machine", machine, os.path.join(kernels, "fft"), form, "256"), ["fft"])
print("programs, machines")
