// SPDX-License-Identifier: Apache-2.0
// Regions of ranks with threads: regions MODE. A team of threads multiplies and adds 4,000 times in the region work, which is
// 8,000 operations in all. Mode stray: each thread marks, and marks that do not fit.
#include <mpi.h>
#include <string.h>

#include "psim.h"

static volatile double x[4000];

static __attribute__((noinline)) void mark_team(void) {
  PSIM_REGION_BEGIN("team");
  PSIM_REGION_END("team");
}

int main(int count, char** words) {
  int provided, rank;
  MPI_Init_thread(&count, &words, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel for
  for (int i = 0; i < 4000; ++i) x[i] = i;  // the team starts here
  PSIM_REGION_BEGIN("work", rank);
#pragma omp parallel for
  for (int i = 0; i < 4000; ++i) x[i] = x[i] * 0.5 + 1;
  PSIM_REGION_END("work");
  PSIM_REGION_BEGIN("barrier");
  MPI_Barrier(MPI_COMM_WORLD);
  PSIM_REGION_END("barrier");
  if (count > 1 && strcmp(words[1], "stray") == 0 && rank == 1) {
    PSIM_REGION_END("lost");
#pragma omp parallel
    mark_team();
    PSIM_REGION_BEGIN("endless");
  }
  MPI_Finalize();
  return 0;
}
