// SPDX-License-Identifier: Apache-2.0
// Barriers of the SCC board (scc.h): no rank leaves before the last has come, groups, fuzzy barriers and the pseudo-global clock. The output
// is the same under psim net and on cycle-level nodes.
#include <mpi.h>
#include <scc.h>
#include <stdio.h>

static int rank, ranks;

static void wait_until(double time) {
  while (MPI_Wtime() < time) {
  }
}
/// Prints on rank 0 whether all ranks agree that it is good.
static void judge(const char* what, int good) {
  int all;
  MPI_Reduce(&good, &all, 1, MPI_INT, MPI_MIN, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%s: %s\n", what, all ? "good" : "wrong");
}
/// Returns the latest of the times.
static double latest(double time, MPI_Comm comm) {
  double last;
  MPI_Allreduce(&time, &last, 1, MPI_DOUBLE, MPI_MAX, comm);
  return last;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  SCC_Init();
  SCC_Barrier();
  // The last comes 8 us after the first.
  double begin = MPI_Wtime();
  wait_until(begin + 1e-6 * (rank * 8.0 / (ranks - 1)));
  double entered = MPI_Wtime();
  SCC_Barrier();
  double left = MPI_Wtime(), last = latest(entered, MPI_COMM_WORLD);
  judge("barrier after the last", left > last && left < last + 6e-6);
  // Barriers one after the other: a read of the S-flag takes 1.5 us; with little software, two reads at most.
  SCC_Barrier();
  begin = MPI_Wtime();
  for (int i = 0; i < 10; ++i) SCC_Barrier();
  const double each = (MPI_Wtime() - begin) / 10;
  judge("1.6 to 3.5 us each", each > 1.59e-6 && each < 3.5e-6);
  // Fuzzy: the work between costs nothing more.
  SCC_Barrier();
  begin = MPI_Wtime();
  SCC_FuzzyBarrier();
  wait_until(begin + 10e-6);
  SCC_FuzzyWait();
  const double fuzzy = MPI_Wtime() - begin;
  judge("fuzzy barrier", fuzzy >= 10e-6 && fuzzy < 13e-6);
  // Two groups of one micro-cluster; the second begins later, and the first does not wait for it.
  MPI_Comm half;
  const int second = rank >= ranks / 2;
  MPI_Comm_split(MPI_COMM_WORLD, second, rank, &half);
  const unsigned low = (1u << ranks / 2) - 1;
  SCC_Group(second ? ((1u << ranks) - 1) & ~low : low);
  SCC_Barrier();
  MPI_Barrier(MPI_COMM_WORLD);
  begin = MPI_Wtime();
  if (second) wait_until(begin + 50e-6);
  entered = MPI_Wtime();
  SCC_Barrier();
  left = MPI_Wtime();
  last = latest(entered, half);
  judge("groups", left > last && left < last + 6e-6 && (second || left < begin + 40e-6));
  SCC_Group(0);
  MPI_Comm_free(&half);
  // The clock starts on all nodes at the end of a barrier.
  SCC_StartClock();
  SCC_Barrier();
  begin = MPI_Wtime();
  wait_until(begin + 20e-6);
  unsigned count, stamp;
  int found;
  SCC_ReadClock(&count);
  SCC_Stamp();
  SCC_ReadStamps(&stamp, 1, &found);
  judge("clock", count >= 500 && count < 650 && found == 1 && stamp >= count && stamp < count + 100);
  SCC_Finalize();
  MPI_Finalize();
  return 0;
}
