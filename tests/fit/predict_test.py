#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""predict_test.py PSIM ROOT: `psim predict` from a source file to times with intervals, compared with cycle-level nodes; a second start takes
up finished points; programs and options that cannot be predicted end with one line.

Exit status 77 (skipped) without the cross compilers."""
import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from commands import Place, expect

psim, root = sys.argv[1:3]
if shutil.which("sparc64-linux-gnu-gcc") is None:
    print("skipped: no sparc64-linux-gnu-gcc")
    sys.exit(77)
place = Place("predict")
at, call = place.at, place.call
halo = os.path.join(root, "workloads", "predict", "halo.c")


def rows(document, ranks):
    return {row["name"]: row for row in document["regions"] if row["ranks"] == ranks}


def refuse(expected, *words):
    done = call(psim, "predict", "--quiet", *words, status=2)
    lines = done.stderr.splitlines()
    expect(len(lines) == 1 and expected in lines[0], words, expected, done.stderr)


def whole_way():
    """The time of the run is within 5 %, and those of regions that only compute on warm data within 2 %; intervals hold them."""
    first = call(psim, "predict", "--ranks", "4,8", "--json", "p.json", halo, "64", "4")
    expect("step 4 of 4" in first.stderr and "8 ranks: " in first.stdout, first.stderr, first.stdout)
    expect("interval of 95 %: that of the models, with an assumed standard error of 1 %" in first.stderr, first.stderr)
    expect("each rank must have the work of a measured one" in first.stderr, first.stderr)
    expect("50 % of the software of MPI calls on other numbers of ranks than measured" in first.stderr, first.stderr)
    expect("on 4 ranks, software of MPI calls has a standard error of 10 %" in first.stderr, first.stderr)
    predicted = place.result("p.json")
    call(psim, "cosim", "-n", "4", "--quiet", "--json", "nodes.json", "predict/halo.sparc", "64", "4")
    nodes = place.result("nodes.json")
    run = predicted["predictions"][0]
    expect(abs(run["seconds"] / nodes["seconds"] - 1) < 0.05, run, nodes["seconds"])
    expect(run["low_seconds"] <= nodes["seconds"] <= run["high_seconds"], run, nodes["seconds"])
    compute, here = nodes["compute"], rows(predicted, 4)
    for region in [*compute["regions"], dict(compute["outside"], name="(outside)")]:
        row = here[region["name"]]
        expect(row["low_seconds"] < row["seconds"] < row["high_seconds"], row)
        if region["name"] in ("product", "smooth"):
            expect(abs(4 * row["seconds"] / region["seconds"] - 1) < 0.02, row, region["seconds"] / 4)
    expect(call(psim, "show", "p.json").stdout.count("(outside)") == 2)

    # A second start runs no point again, and has the same result.
    results = {name: os.stat(at(f"predict/{name}")).st_mtime_ns for name in os.listdir(at("predict")) if name.endswith(".json")}
    call(psim, "predict", "--quiet", "--ranks", "4,8", "--json", "again.json", halo, "64", "4")
    expect(results == {name: os.stat(at(f"predict/{name}")).st_mtime_ns for name in results})
    expect(place.result("again.json")["result_hash"] == predicted["result_hash"])
    # Without one of them, it runs that one.
    os.remove(at(f"predict/{sorted(results)[0]}"))
    call(psim, "predict", "--quiet", "--ranks", "4,8", "--json", "again.json", halo, "64", "4")
    expect(place.result("again.json")["result_hash"] == predicted["result_hash"])


def partners():
    """One of four nodes with functional partners: every region is within 5 %, also exchanges, what differs between ranks,
    and a reduction inside a region that waits for ranks with more work."""
    place.write("uneven.c", """#include <mpi.h>
#include "psim.h"
static volatile double sum;
int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int step = 0; step < 4; ++step) {
    PSIM_REGION_BEGIN("step");
    for (int i = 0; i < 20000; ++i) sum += i;
    PSIM_REGION_BEGIN("uneven");
    for (int i = 0; i < 20000 * (1 + rank % 4); ++i) sum += i;
    PSIM_REGION_END("uneven");
    PSIM_REGION_BEGIN("exchange");
    double there = 0, here = rank;
    if (ranks > 1) MPI_Sendrecv(&here, 1, MPI_DOUBLE, (rank + 1) % ranks, 0, &there, 1, MPI_DOUBLE, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sum += there;
    PSIM_REGION_END("exchange");
    PSIM_REGION_BEGIN("reduction");
    for (int i = 0; i < 10000 * (1 + rank % 4); ++i) sum += i;
    MPI_Allreduce(&here, &there, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < 20000; ++i) sum += i;
    PSIM_REGION_END("reduction");
    PSIM_REGION_END("step");
  }
  MPI_Finalize();
}
""")
    call(psim, "predict", "--quiet", "--ranks", "4", "--json", "alone.json", "--nodes", "1", "uneven.c")
    done = call(psim, "predict", "--ranks", "4,8", "--nodes", "4", "--detailed", "2", "--json", "one.json", "uneven.c")
    expect("region uneven: its 4 ranks compute from 0.4" in done.stderr and "of 4 nodes, 2 ran cycle by cycle" in done.stderr, done.stderr)
    call(psim, "cosim", "-n", "4", "--quiet", "--json", "nodes.json", "predict/uneven.sparc")
    nodes, alone, one = (place.result(f"{name}.json") for name in ("nodes", "alone", "one"))
    expect(one["detailed_nodes"] == "2" and one["measured_nodes"] == 4, one)
    seconds = [document["predictions"][0]["seconds"] / nodes["seconds"] for document in (alone, one)]
    expect(seconds[0] < 0.5 and abs(seconds[1] - 1) < 0.05, seconds)
    expect(one["predictions"][0]["low_seconds"] <= nodes["seconds"] <= one["predictions"][0]["high_seconds"], one["predictions"], nodes["seconds"])
    here = rows(one, 4)
    for region in [*nodes["compute"]["regions"], dict(nodes["compute"]["outside"], name="(outside)")]:
        row = here[region["name"]]
        expect(abs(4 * row["seconds"] / region["seconds"] - 1) < 0.1, row, region["seconds"] / 4)
    # With twice the ranks, the fifth has the work of the first.
    (uneven,) = [row for row in rows(one, 8).values() if row["name"] == "uneven"]
    expect(abs(uneven["seconds"] / here["uneven"]["seconds"] - 1) < 0.02, uneven, here["uneven"])
    refuse("--detailed 4", "--ranks", "4", "--nodes", "4", "--detailed", "4", "uneven.c")
    # Where executions have other numbers of calls, a note says when the time passes.
    place.write("growing.c", """#include <mpi.h>
#include "psim.h"
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int step = 0; step < 3; ++step) {
    PSIM_REGION_BEGIN("growing");
    for (int i = 0; i <= step; ++i) MPI_Barrier(MPI_COMM_WORLD);
    PSIM_REGION_END("growing");
  }
  MPI_Finalize();
}
""")
    done = call(psim, "predict", "--ranks", "2", "--nodes", "1", "--json", "growing.json", "growing.c")
    expect("region growing: its executions make different numbers of MPI calls" in done.stderr, done.stderr)
    expect("different numbers of MPI calls" not in call(psim, "predict", "--ranks", "4", "--nodes", "1", "uneven.c").stderr)


def mistakes():
    ring = """#include <mpi.h>
#include "psim.h"
int main(int argc, char **argv) {
  int ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  %s
  MPI_Finalize();
}
"""
    for name, body in [("changes", 'PSIM_REGION_BEGIN("part", 64 / ranks); PSIM_REGION_END("part");'),
                       ("fails", "MPI_Finalize(); return 3;"),
                       ("further", 'if (ranks > 1) { PSIM_REGION_BEGIN("more", 1); PSIM_REGION_END("more"); }'),
                       ("aborts", "if (ranks > 1) MPI_Abort(MPI_COMM_WORLD, 0);"), ("plain", ""), ("broken", "no such statement;")]:
        place.write(f"{name}.c", ring % body)
    flags = ("--flags", f"-O1 -I{root}/workloads/include")
    refuse("region part: argument 1 is 16 on 4 ranks, and 64 on one node", "--ranks", "4", "--nodes", "1", *flags, "changes.c")
    refuse("region more: 4 ranks execute it, and one node did not", "--ranks", "4", "--nodes", "1", *flags, "further.c")
    refuse("MPI_Abort, status 0", "--ranks", "4", "--nodes", "1", *flags, "aborts.c")
    refuse("region part: argument 1 is 8 on 8 ranks, and 16 on 4 nodes", "--ranks", "4,8", *flags, "changes.c")
    call(psim, "predict", "--quiet", "--ranks", "4", "--json", "chosen.json", *flags, "further.c")
    chosen = place.result("chosen.json")
    expect(chosen["measured_nodes"] == 4 and chosen["detailed_nodes"] == "0,2" and "more" in rows(chosen, 4), chosen)
    for words in (("--ranks", "16,9"), ("--ranks", "4", "--nodes", "1"), ("--ranks", "4", "--measure", "1")):
        call(psim, "predict", "--quiet", *words, "--json", "alone.json", *flags, "plain.c")
        expect(place.result("alone.json")["measured_nodes"] == 1, words)
    refuse("all messages are in", "--ranks", "4", *flags, "broken.c")
    refuse("expected fewer steps of the program, or --budget", "--ranks", "4", "--budget", "1000", *flags, "plain.c")
    refuse("such as 8,64,512", "--ranks", "4,", "plain.c")
    refuse("the program returned status 3; expected 0, or --allow-status 3; its output is in predict/", "--ranks", "4", *flags, "fails.c")
    done = call(psim, "predict", "--ranks", "4,16", "--allow-status", "3", "--json", "fails.json", *flags, "fails.c")
    expect("the program returned status 3, which is allowed" in done.stderr, done.stderr)
    expect([run["ranks"] for run in place.result("fails.json")["predictions"]] == [4, 16])
    refuse("MPI_Abort, status 0", "--ranks", "4", "--nodes", "1", "--allow-status", "3", *flags, "aborts.c")
    refuse("expected --core FILE", "--ranks", "4", "predict/plain.net")
    refuse("needs --at VALUE", "--ranks", "4", "--args", "1 2 3 4", "plain.c", "{}")
    done = call(psim, "predict", "--ranks", "4", "--json", "plain.json", *flags, "plain.c")
    expect("no region is marked" in done.stderr, done.stderr)
    (row,) = place.result("plain.json")["regions"]
    expect(row["name"] == "(outside)" and row["low_seconds"] < row["seconds"] < row["high_seconds"], row)


{"whole": whole_way, "partners": partners, "mistakes": mistakes}[sys.argv[3]]()
