/* SPDX-License-Identifier: Apache-2.0 */
/* Times of collectives from a barrier (paper 001, section 6):
 *
 *     collectives scc|mpi [BYTES [REPEATS [slowest|root|mean]]]
 *
 * Each repetition begins with SCC_Barrier or MPI_Barrier, then every rank reads its node's clock, calls the collective and reads the
 * clock again. A line has the name of the collective and the mean over the repetitions of the slowest rank's time, of rank 0's or of
 * the mean over the ranks, in us. The first line is the barrier itself, the mean time of calls that follow each other. The last line,
 * with scc, is the error of the pseudo-global clock: the largest difference between nodes of the times that their counters show right
 * after the barrier that starts them, in ns. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scc.h"

static int scc, rank, ranks, repeats;
static const char *whose = "slowest";

static void start(void) {
  if (scc)
    SCC_Barrier();
  else
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Prints the mean of the times. */
static void report(const char *name, const double *times) {
  double *all = malloc(repeats * sizeof *all), sum = 0;
  const int mean = strcmp(whose, "mean") == 0, root = strcmp(whose, "root") == 0;
  MPI_Reduce(times, all, repeats, MPI_DOUBLE, mean ? MPI_SUM : MPI_MAX, 0, MPI_COMM_WORLD);
  for (int i = 0; i < repeats; ++i) sum += root ? times[i] : mean ? all[i] / ranks : all[i];
  if (rank == 0) printf("%s %.4f us\n", name, sum / repeats * 1e6);
  free(all);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc < 2 || (strcmp(argv[1], "scc") != 0 && strcmp(argv[1], "mpi") != 0)) {
    if (rank == 0) fprintf(stderr, "usage: collectives scc|mpi [BYTES [REPEATS [slowest|root|mean]]]\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  scc = strcmp(argv[1], "scc") == 0;
  const int bytes = argc > 2 ? atoi(argv[2]) : 4;
  repeats = argc > 3 ? atoi(argv[3]) : 10;
  if (argc > 4) whose = argv[4];
  if (bytes < 4 || repeats < 1 || (strcmp(whose, "slowest") && strcmp(whose, "root") && strcmp(whose, "mean"))) {
    if (rank == 0) fprintf(stderr, "collectives: expected BYTES from 4, REPEATS from 1, and slowest, root or mean\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const int count = bytes / 4;
  int *in = calloc(count, sizeof *in), *out = calloc(count, sizeof *out);
  double *times = malloc(repeats * sizeof *times);
  if (scc) SCC_Init();

  start();
  start();
  const double begin = MPI_Wtime();
  for (int i = 0; i < repeats; ++i) start();
  times[0] = (MPI_Wtime() - begin) / repeats;
  for (int i = 1; i < repeats; ++i) times[i] = times[0];
  report("barrier", times);

  for (int which = 0; which < 4; ++which) {
    static const char *const names[] = {"MPI_Barrier", "MPI_Bcast", "MPI_Reduce", "MPI_Allreduce"};
    for (int i = 0; i < repeats; ++i) {
      start();
      const double from = MPI_Wtime();
      if (which == 0) MPI_Barrier(MPI_COMM_WORLD);
      if (which == 1) MPI_Bcast(in, count, MPI_INT, 0, MPI_COMM_WORLD);
      if (which == 2) MPI_Reduce(in, out, count, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
      if (which == 3) MPI_Allreduce(in, out, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      times[i] = MPI_Wtime() - from;
      MPI_Barrier(MPI_COMM_WORLD); /* no rank begins the next one while another is in this one */
    }
    report(names[which], times);
  }

  if (scc) {
    /* Each board stores its counter, and MPI_Wtime has the simulated time of that a fixed time later: the counters show the same
     * time on all nodes up to the error. Needs clock.wtime = global. */
    unsigned stamp = 0;
    int found;
    double least, most;
    SCC_StartClock();
    SCC_Barrier();
    SCC_Stamp();
    const double now = MPI_Wtime();
    SCC_ReadStamps(&stamp, 1, &found);
    const double shown = stamp * 40e-9 - now;
    MPI_Reduce(&shown, &least, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
    MPI_Reduce(&shown, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("clock %.2f ns\n", (most - least) * 1e9);
    SCC_Finalize();
  }
  free(in), free(out), free(times);
  MPI_Finalize();
  return 0;
}
