#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""predict_trials.py PSIM ROOT [--lulesh FOLDER] [--comd FOLDER] [--minife FOLDER] [--npb FOLDER] [--only NAME …] [--detailed LIST]:
predicts whole programs on 8 ranks with `psim predict`, from one node alone and from the nodes of LIST among 8, runs them on 8 cycle-level
nodes, and prints the errors of the whole run and of its regions.

FOLDER has the sources of LULESH 2.0 (github.com/LLNL/LULESH), CoMD (github.com/ECP-copa/CoMD), miniFE (github.com/Mantevo/miniFE) or of the NAS
parallel benchmarks (NPB3.4-MPI); this script marks their regions in copies. Results lie in the folder predict_trials, and finished runs are not
repeated."""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("psim", type=pathlib.Path)
parser.add_argument("root", type=pathlib.Path)
parser.add_argument("--lulesh", type=pathlib.Path, help="sources of LULESH 2.0")
parser.add_argument("--comd", type=pathlib.Path, help="sources of CoMD")
parser.add_argument("--minife", type=pathlib.Path, help="sources of miniFE")
parser.add_argument("--npb", type=pathlib.Path, help="folder NPB3.4-MPI of the NAS parallel benchmarks")
parser.add_argument("--only", nargs="*", help="names of trials")
parser.add_argument("--detailed", default="0,4", help="the cycle-level nodes of 8 (default: 0,4, as psim predict chooses)")
options = parser.parse_args()
psim, root = options.psim.resolve(), options.root.resolve()
tools, place = psim.parent, pathlib.Path("predict_trials").resolve()
place.mkdir(exist_ok=True)
RANKS = 8

LULESH = [("CalcForceForNodes(domain);", "force"), ("CalcAccelerationForNodes(domain, domain.numNode());", "acceleration"),
          ("CalcVelocityForNodes( domain, delt, u_cut, domain.numNode()) ;", "velocity"),
          ("CalcPositionForNodes( domain, delt, domain.numNode() );", "position"), ("  CalcLagrangeElements(domain) ;", "kinematics"),
          ("  CalcQForElems(domain) ;", "q"), ("  ApplyMaterialPropertiesForElems(domain) ;", "material"),
          ("CalcTimeConstraintsForElems(domain);", "constraints")]


def run(*words, **more):
    done = subprocess.run([str(word) for word in words], text=True, capture_output=True, stdin=subprocess.DEVNULL, **{"cwd": place, **more})
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


def mark(text, pattern, replacement, times):
    text, done = re.subn(pattern, replacement, text, flags=re.DOTALL)
    assert done == times, (pattern, done)
    return text


def minife(name="minife"):
    """minife-split ends the region `structure` before its reduction, and `local_matrix` begins after its first one."""
    copy = place / name
    shutil.copytree(options.minife / "ref", copy, dirs_exist_ok=True)
    begin, end = 'PSIM_REGION_BEGIN("{}");', 'PSIM_REGION_END("{}");'
    path = copy / "src" / "driver.hpp"
    text = path.read_text()
    for call, region in (("generate_matrix_structure(mesh, A)", "structure"), ("assemble_FE_data(mesh, A, b, params)", "assembly"),
                         ("make_local_matrix(A)", "local_matrix")):
        text = mark(text, re.escape(call) + ",", f"{begin.format(region)} {call}; {end.format(region)},", 1)
    if name == "minife-split":
        text = mark(text, r" PSIM_REGION_END\(.structure.\);", "", 1)
        text = mark(text, r"PSIM_REGION_BEGIN\(.local_matrix.\);", "", 1)
        for file, call, inserted in (("generate_matrix_structure", "MPI_Allreduce(&threw_exc,", end.format("structure") + "MPI_Allreduce(&threw_exc,"),
                                     ("make_local_matrix", "MPI_SUM, MPI_COMM_WORLD);", "MPI_SUM, MPI_COMM_WORLD);" + begin.format("local_matrix"))):
            other = copy / "src" / f"{file}.hpp"
            other.write_text(other.read_text().replace(call, inserted, 1))
    path.write_text(text)
    path = copy / "src" / "cg_solve.hpp"
    text = path.read_text()
    text = mark(text, r"TICK\(\);([^;]*waxpby\(.*?)TOCK\(tWAXPY\);", begin.format("waxpby") + r"\1" + end.format("waxpby"), 6)
    text = mark(text, r"TICK\(\);([^;]*dot\([^;]*;) TOCK\(tDOT\);", begin.format("dot") + r"\1" + end.format("dot"), 3)
    path.write_text(text)
    path = copy / "src" / "SparseMatrix_functions.hpp"  # of the first matvec_std, for CSR matrices
    whole = path.read_text()
    before, after = whole[:whole.index("struct matvec_std {")], whole[whole.index("struct matvec_std {"):]
    after = after.replace("exchange_externals(A, x);", begin.format("exchange") + "exchange_externals(A, x);" + end.format("exchange")
                          + begin.format("matvec"), 1).replace("}\n};", end.format("matvec") + "}\n};", 1)
    path.write_text('#include "psim.h"\n' + before + after)
    types = ("-DMINIFE_SCALAR=double", "-DMINIFE_LOCAL_ORDINAL=int", "-DMINIFE_GLOBAL_ORDINAL=int", "-DMINIFE_CSR_MATRIX", "-DMINIFE_INFO=0",
             "-DMINIFE_KERNELS=0", "-DHAVE_MPI")
    return build(f"{name}.ranks", "cxx", [*sorted((copy / "src").glob("*.cpp")), *sorted((copy / "utils").glob("*.cpp"))], *types,
                 *(f"-I{copy / part}" for part in ("src", "utils", "fem")), f"-I{root}/workloads/include")


MARKS = """      subroutine region_begin(name)
      use psim
      character(*) name
      call psim_region_begin(name)
      end
      subroutine region_end(name)
      use psim
      character(*) name
      call psim_region_end(name)
      end
"""


def nas(kernel, edit, own=""):
    """A kernel of the NAS benchmarks, class S, whose timers become regions, and whose source and parameters `edit` changes."""
    copy = place / f"npb.{kernel}{own}"
    shutil.copytree(options.npb, copy, dirs_exist_ok=True)
    shutil.copy(copy / "config" / "make.def.template", copy / "config" / "make.def")
    run("cc", "-w", "-o", "setparams", "setparams.c", cwd=copy / "sys")
    here = copy / kernel.upper()
    (here / "npbparams.h").unlink(missing_ok=True)  # setparams keeps a file of the same class
    run("../sys/setparams", kernel, "S", cwd=here)
    source, parameters = here / f"{kernel}.f", here / "npbparams.h"
    text, numbers = edit(source.read_text(), parameters.read_text())
    text, starts = re.subn(r"if *\(timeron\) *call timer_start\(t_(\w+)\)", r'call region_begin("\1")', text)
    text, stops = re.subn(r"if *\(timeron\) *call timer_stop\(t_(\w+)\)", r'call region_end("\1")', text)
    assert starts == stops > 0, (starts, stops)
    source.write_text(text + MARKS)
    parameters.write_text(numbers)
    common = [copy / "common" / f"{name}.f" for name in ("print_results", "randi8", "timers")]
    return build(f"npb.{kernel}{own}.ranks", "f90", [here / "mpinpb.f", here / f"{kernel}_data.f", source, *common],
                 "-w", "-fallow-argument-mismatch", "-fallow-invalid-boz", f"-I{here}", f"-J{here}")


def cg(own=""):
    """cg.split has a region for each product, inside of conj_grad."""
    def edit(text, numbers):
        def around(pattern, region, times):
            return mark(text, pattern, rf'\n      call region_begin("{region}")\1\n      call region_end("{region}")', times)
        text = around(r"(\n      call makea\([^)]*\))", "makea", 1)
        if own:
            text = around(r"(\n +do j=1,lastrow-firstrow\+1\n +sum = 0.d0\n.*?w\(j\) = sum\n +enddo)", "product", 2)
        return text, numbers
    return nas("cg", edit, own)


def mg(edge=32, levels=5):
    def edit(text, numbers):
        text = re.sub(r"\n[^\n]*timer_st(art|op)\(t_comm3\)", "", text)  # the exchanges of faces are regions as a whole
        text, done = re.subn(r"\n( +)(call comm3(_ex)?\([^)]*\))", r'\n\1call region_begin("exchange")\n\1\2\n\1call region_end("exchange")', text)
        assert done > 0
        numbers = mark(numbers, r"_default=32", f"_default={edge}", 3)
        return text, mark(numbers, r"lt_default=5", f"lt_default={levels}", 1)
    return nas("mg", edit, "" if edge == 32 else f".{edge}")


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
if options.minife:
    grid = ["-nx", "12", "-ny", "12", "-nz", "12"]
    TRIALS += [("minife", minife, grid), ("minife-split", lambda: minife("minife-split"), grid)]
if options.npb:
    TRIALS += [("mg", mg, []), ("cg", cg, []), ("cg.split", lambda: cg(".split"), [])]  # class S
# What one node alone executes to have the work of a rank: other arguments, or another build. A rank of cg has a part of a matrix that is no matrix
# of a smaller cg, so it has no such run; one node executes no local_matrix of minife-split.
MEASURED = {"comd": "-x 4 -y 4 -z 4 -N 4 -n 2", "minife": "-nx 6 -ny 6 -nz 6"}
BUILT = {"mg": lambda: mg(16, 4)[0]}
NOT_ALONE = ("cg", "cg.split", "minife-split")


def show(name, core, ranks, words):
    on_nodes = place / f"{name}.nodes.json"
    if not on_nodes.exists():
        run(psim, "cosim", "-n", RANKS, "--quiet", "--json", on_nodes, core, *words)
    other = ["--nodes", 1, *(["--measure", MEASURED[name]] if name in MEASURED else [])]
    alone = BUILT[name]() if name in BUILT else core
    ways = [] if name in NOT_ALONE or options.detailed != "0,4" else [("one node alone", alone, other)]
    for way, measured, more in [*ways, (f"{options.detailed} of {RANKS} nodes", core, ["--nodes", RANKS, "--detailed", options.detailed])]:
        predicted = place / f"{name}.{'partners' if '--detailed' in more else 'alone'}.json"
        run(psim, "predict", "--quiet", "--ranks", RANKS, *more, "--into", place / "points", "--core", measured, "--json", predicted, ranks, *words)
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
