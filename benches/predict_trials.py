#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""predict_trials.py PSIM ROOT [--lulesh FOLDER] [--comd FOLDER] [--only NAME …]: predicts whole programs on 8 ranks with `psim predict`, from
one node alone and from one of 8 nodes (`--detailed 0`), runs them on 8 cycle-level nodes, and prints the errors of the whole run and of its regions.

FOLDER has the sources of LULESH 2.0 (github.com/LLNL/LULESH) or of CoMD (github.com/ECP-copa/CoMD); this script marks their regions in
copies. Results lie in the folder predict_trials, and finished runs are not repeated."""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("psim", type=pathlib.Path)
parser.add_argument("root", type=pathlib.Path)
parser.add_argument("--lulesh", type=pathlib.Path, help="sources of LULESH 2.0")
parser.add_argument("--comd", type=pathlib.Path, help="sources of CoMD")
parser.add_argument("--only", nargs="*", help="names of trials")
options = parser.parse_args()
psim, root = options.psim.resolve(), options.root.resolve()
tools, place = psim.parent, pathlib.Path("predict_trials")
place.mkdir(exist_ok=True)
RANKS = 8

LULESH = [("CalcForceForNodes(domain);", "force"), ("CalcAccelerationForNodes(domain, domain.numNode());", "acceleration"),
          ("CalcVelocityForNodes( domain, delt, u_cut, domain.numNode()) ;", "velocity"),
          ("CalcPositionForNodes( domain, delt, domain.numNode() );", "position"), ("  CalcLagrangeElements(domain) ;", "kinematics"),
          ("  CalcQForElems(domain) ;", "q"), ("  ApplyMaterialPropertiesForElems(domain) ;", "material"),
          ("CalcTimeConstraintsForElems(domain);", "constraints")]


def run(*words, **more):
    done = subprocess.run([str(word) for word in words], text=True, capture_output=True, stdin=subprocess.DEVNULL, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stdout[-500:]}{done.stderr[-2000:]}")
    return done.stdout


def build(name, language, sources, *flags):
    """Builds a program for the core and for ranks, and returns both."""
    core, ranks = place / f"{name}.sparc", place / name
    if not core.exists():
        run(tools / f"psim-sparc-{language}", "-O2", *flags, "-o", core, *sources, "-lm")
        run(tools / f"psim-{language}", "-O2", *flags, "-o", ranks, *sources, "-lm")
    return core, ranks


def lulesh():
    copy = place / "lulesh"
    shutil.copytree(options.lulesh, copy, dirs_exist_ok=True)
    text = (copy / "lulesh.cc").read_text().replace('#include "lulesh.h"', '#include "lulesh.h"\n#include "psim.h"', 1)
    for call, region in LULESH:
        assert text.count(call) == 1, (call, text.count(call))
        text = text.replace(call, f'PSIM_REGION_BEGIN("{region}", domain.sizeX()); {call} PSIM_REGION_END("{region}");')
    (copy / "lulesh.cc").write_text(text)
    return build("lulesh.ranks", "cxx", sorted(copy.glob("*.cc")), "-DUSE_MPI=1", f"-I{root}/workloads/include")


def comd():
    copy = place / "comd"
    shutil.copytree(options.comd / "src-mpi", copy, dirs_exist_ok=True)
    path = copy / "performanceTimers.h"
    path.write_text(path.read_text() + '\n#include "psim.h"\n#undef startTimer\n#undef stopTimer\n#define startTimer(handle) '
                    'PSIM_REGION_BEGIN(#handle)\n#define stopTimer(handle) PSIM_REGION_END(#handle)\n')
    main = copy / "CoMD.c"  # a timer that runs again inside of itself is no region
    text = main.read_text().replace("startTimer(commReduceTimer);\n      sumAtoms(sim);\n      stopTimer(commReduceTimer);", "sumAtoms(sim);")
    main.write_text(text)
    keys = ("VARIANT", "HOSTNAME", "KERNEL_NAME", "KERNEL_RELEASE", "PROCESSOR", "COMPILER", "COMPILER_VERSION", "CFLAGS", "LDFLAGS")
    (copy / "CoMD_info.h").write_text("".join(f'#define CoMD_{key} "none"\n' for key in keys))
    return build("comd.ranks", "cc", sorted(copy.glob("*.c")), "-std=gnu99", "-DDOUBLE", "-DDO_MPI", f"-I{root}/workloads/include")


# Each trial: its name, its builds, the words on one node, and those on 8 nodes with the same work for each rank.
def workload(name):
    return lambda: build(name, "cc", [root / "workloads" / "predict" / f"{name}.c"])


TRIALS = [("halo", workload("halo"), ["64", "4"]), ("molecules", workload("molecules"), ["4", "2"])]
if options.lulesh:
    TRIALS.append(("lulesh", lulesh, ["-s", "6", "-i", "4", "-r", "1"]))  # one material: every rank has the same work
    TRIALS.append(("lulesh-11", lulesh, ["-s", "6", "-i", "4"]))  # eleven, of which each rank has another share
if options.comd:
    # One rank has a cube of 4^3 cells of the lattice, which `-x -y -z` and `-i -j -k` state for all ranks.
    TRIALS.append(("comd", comd, ["-i", "2", "-j", "2", "-k", "2", "-x", "8", "-y", "8", "-z", "8", "-N", "4", "-n", "2"]))
MEASURED = {"comd": "-x 4 -y 4 -z 4 -N 4 -n 2"}


def show(name, core, ranks, words):
    on_nodes = place / f"{name}.nodes.json"
    if not on_nodes.exists():
        run(psim, "cosim", "-n", RANKS, "--quiet", "--json", on_nodes, core, *words)
    other = ["--nodes", 1, *(["--measure", MEASURED[name]] if name in MEASURED else [])]
    for way, more in (("one node alone", other), (f"one of {RANKS} nodes", ["--nodes", RANKS, "--detailed", 0])):
        predicted = place / f"{name}.{'partners' if '--detailed' in more else 'alone'}.json"
        run(psim, "predict", "--quiet", "--ranks", RANKS, *more, "--into", place / "points", "--core", core, "--json", predicted, ranks, *words)
        compare(f"{name} {' '.join(words)}: {way}", json.loads(on_nodes.read_text()), json.loads(predicted.read_text()))


def compare(title, nodes, result):
    whole = result["predictions"][0]
    rows = [("whole run", nodes["seconds"], whole)]
    there = {row["name"]: row for row in result["regions"]}
    compute = nodes["compute"]
    for region in [*compute["regions"], dict(compute["outside"], name="(outside)")]:
        rows.append((region["name"], region["seconds"] / RANKS, there[region["name"]]))
    print(f"\n{title}\n{'':<20} {'nodes us':>10} {'predicted':>10} {'error':>8} {'share':>7}  inside")
    for row, measured, prediction in rows:
        error = prediction["seconds"] / measured - 1 if measured else 0
        inside = prediction["low_seconds"] <= measured <= prediction["high_seconds"]
        print(f"{row:<20} {measured * 1e6:10.1f} {prediction['seconds'] * 1e6:10.1f} {100 * error:7.1f}% "
              f"{100 * measured / nodes['seconds']:6.1f}%  {'yes' if inside else 'no'}", flush=True)


for name, make, words in TRIALS:
    if not options.only or name in options.only:
        core, ranks = make()
        show(name, core, ranks, words)
