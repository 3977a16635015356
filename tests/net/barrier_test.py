# SPDX-License-Identifier: Apache-2.0
"""barrier_test.py PSIM SOURCE PART: the barrier network of paper 001 and the clocks of nodes. PART: times, mistakes, processes or fortran."""
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from commands import OPEN_MPI, Place, expect

psim, source, part = sys.argv[1:4]
tools = os.path.dirname(psim)
place = Place("barrier")
call = place.call


def build(name, text):
    place.write(name + ".c", text)
    call(os.path.join(tools, "psim-cc"), "-O1", "-o", name, name + ".c")


# Rank r enters r us after rank 0. By hand, with a line and a chain of 120 ns, writes of 100 ns and reads of 1500 ns: the last of n
# ranks sets its S-flag at (n - 1) us + 100 ns. Up to 16 nodes the flags clear 240 ns later, with 17 nodes in two micro-clusters
# 120 + 2 * 120 + 240 = 600 ns later. Each rank leaves with the first of its reads that ends then or later.
PROGRAM = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include "mgen.h"
#include "scc.h"
int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  SCC_Init();
  const int fuzzy = argc > 1 && argv[1][0] == 'f', group = argc > 1 && argv[1][0] == 'g';
  if (group) { SCC_Group(rank < 2 ? 3u : ((1u << (ranks - 2)) - 1) << 2); MPI_Barrier(MPI_COMM_WORLD); }
  SCC_StartClock();
  const double zero = MPI_Wtime();
  MGEN_Comp(1e-3 - zero + rank * 1e-6);
  if (fuzzy) { SCC_FuzzyBarrier(); MGEN_Comp(20e-6); SCC_FuzzyWait(); } else SCC_Barrier();
  const double left = MPI_Wtime();
  unsigned count, stamps[4];
  int found;
  SCC_Stamp(); SCC_ReadClock(&count); SCC_Stamp();
  SCC_ReadStamps(stamps, 4, &found);
  printf("%d left %.0f ns, stamps %d, %u %u %u\\n", rank, (left - 1e-3) * 1e9 - 10, found, stamps[0], count, stamps[1]);
  SCC_Finalize();
  MPI_Finalize();
  return 0;
}
"""
sync = ["--set", "barrier.network=sync-comm", "--set", "barrier.line=120 ns"]


def run(ranks, *words, settings=(), before=()):
    done = call(*before, psim, "net", "-n", ranks, "--quiet", *sync, *settings, "--json", "r.json", "./scc", *words)
    return sorted(done.stdout.splitlines(), key=lambda line: int(line.split()[0])), place.result("r.json")


def left(lines):
    return [int(re.search(r"left (-?\d+) ns", line)[1]) for line in lines]


def by_hand(enters, hardware):
    clear = max(enters) + 100 + hardware
    return [100 + at + 1500 * max(1, -(-(clear - at - 100) // 1500)) for at in enters]


if part == "times":
    build("scc", PROGRAM)
    for ranks, hardware in ((2, 240), (16, 240), (17, 600)):
        lines, _ = run(ranks)
        expect(left(lines) == by_hand([1000 * r for r in range(ranks)], hardware), ranks, left(lines))
    # Any participation: ranks 0 and 1 do not wait for the others.
    lines, _ = run(4, "group")
    expect(left(lines)[:2] == by_hand([0, 1000], 240) and left(lines)[2:] == by_hand([2000, 3000], 240), left(lines))
    # Fuzzy: the flag is clear when the rank looks, after one read.
    lines, _ = run(4, "fuzzy")
    expect(left(lines) == [1000 * r + 100 + 20000 + 1500 for r in range(4)], left(lines))
    # Counters: a stamp 100 ns after leaving, a read 1500 ns later, a stamp 100 ns after that; two ticks for phases and rounding.
    for line, at in zip(run(4)[0], by_hand([0, 1000, 2000, 3000], 240)):
        found, first, count, second = map(int, re.search(r"stamps (\d+), (\d+) (\d+) (\d+)", line).groups())
        since = at - (3000 + 100 + 240)
        expect(found == 2 and abs(first * 40 - since - 110) <= 80, line, since)
        expect(abs((count - first) * 40 - 1500) <= 40 and abs((second - count) * 40 - 100) <= 40, line)
    # A clock of the node: it deviates, and intervals are right up to its rate.
    lines, result = run(2, settings=["--set", "clock.wtime=node", "--set", "clock.offset=1 ms", "--set", "clock.drift_ppm=100"])
    expect(result["machine"]["clock"]["wtime"] == "node", result["machine"]["clock"])
    one = [line.split(",")[0] for line in lines]
    lines, _ = run(2, settings=["--seed", 2, "--set", "clock.wtime=node", "--set", "clock.offset=1 ms"])
    expect(one != [line.split(",")[0] for line in lines], lines)
    # Results without the network have none of its keys.
    build("plain", "#include <mpi.h>\nint main(void) { MPI_Init(0, 0); MPI_Finalize(); return 0; }\n")
    call(psim, "net", "-n", 2, "--quiet", "--json", "r.json", "./plain")
    machine = place.result("r.json")["machine"]
    expect("barrier" not in machine and "clock" not in machine and "roofline" not in machine, machine.keys())

elif part == "mistakes":
    build("scc", PROGRAM)
    build("again", PROGRAM.replace("SCC_Init();", "SCC_Init(); SCC_FuzzyBarrier(); SCC_Barrier();"))
    build("none", PROGRAM.replace("SCC_Init();", ""))
    build("full", PROGRAM.replace("SCC_Finalize();", "SCC_Stamp(); SCC_Finalize();"))
    build("missing", PROGRAM.replace("SCC_Init();", "SCC_Init(); if (rank == 1) MPI_Recv(0, 0, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"))
    run_one = [psim, "net", "-n", 2, "--quiet"]
    for words, status, said in (
            ([*run_one, "./scc"], 2, "SCC_Init: barrier.network = none: the machine has no barrier network"),
            ([*run_one, *sync, "--set", "node.ranks=2", "./scc"], 2, "SCC_Init: several ranks are on one node"),
            ([*run_one, *sync, "--set", "barrier.line=50 ns", "./scc"], 2, "barrier.line = 50000 ps: less than the"),
            ([*run_one, *sync, "--set", "barrier.micro_cluster=17", "./scc"], 2, "barrier.micro_cluster"),
            ([*run_one, *sync, "./again"], 2, "SCC_Barrier: the S-flag is set already; expected SCC_FuzzyWait"),
            ([*run_one, *sync, "./none"], 2, "SCC_StartClock: called outside of SCC_Init and SCC_Finalize"),
            ([*run_one, *sync, "--set", "barrier.stamps=1", "./full"], 2, "SCC_Stamp: the time-stamp memory is full"),
            ([*run_one, *sync, "./missing"], None, "SCC_Barrier")):
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=100, cwd=place.name)
        expect(done.returncode != 0 if status is None else done.returncode == status, words, done.returncode, done.stderr)
        expect(said in done.stderr, words, done.stderr)

elif part == "processes":
    if shutil.which("mpirun") is None:
        sys.exit(77)
    os.environ.update(OPEN_MPI)
    build("scc", PROGRAM)
    alone = run(20)
    two = run(20, before=["mpirun", "--oversubscribe", "-n", 2])
    expect(alone[1]["result_hash"] == two[1]["result_hash"] and alone[0] == two[0], alone[0], two[0])
    expect(two[1]["host"]["processes"] == 2, two[1]["host"])

elif part == "fortran":
    if shutil.which("gfortran") is None:
        sys.exit(77)
    place.write("scc.f90", """program main
  use mpi
  use scc
  use psim
  implicit none
  integer :: ierror, rank, found, counts(4)
  double precision :: begin
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  ierror = scc_init()
  ierror = scc_group(3)
  ierror = scc_group(0)
  ierror = scc_start_clock()
  ierror = scc_barrier()
  ierror = scc_barrier()
  begin = MPI_Wtime()
  ierror = scc_barrier()
  call psim_work(10, 20)
  call psim_work(10_8, 20_8)
  if (rank == 0) print '(a,f6.3)', 'barrier', (MPI_Wtime() - begin) * 1d6
  ierror = scc_fuzzy_barrier()
  ierror = scc_fuzzy_wait()
  ierror = scc_stamp()
  ierror = scc_read_clock(counts(1))
  ierror = scc_read_stamps(counts, 4, found)
  if (rank == 0) print '(a,i0,l2)', 'stamps ', found, counts(1) > 0
  ierror = scc_finalize()
  call MPI_Finalize(ierror)
end program
""")
    call(os.path.join(tools, "psim-f90"), "-o", "fortran", "scc.f90")
    done = call(psim, "net", "-n", 2, "--quiet", *sync, "--json", "r.json", "./fortran")
    expect("barrier 1.610" in done.stdout and "stamps 1 T" in done.stdout, done.stdout)
    work = place.result("r.json")["work"]
    expect(work["flops"] == 40 and work["memory_bytes"] == 80, work)
else:
    sys.exit(f"no part {part}")
