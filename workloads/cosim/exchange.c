// SPDX-License-Identifier: Apache-2.0
// Ranks in a ring compute and exchange a part of their data with both neighbours, for cycle-level nodes.
// Usage: exchange [STEPS = 4 [ELEMENTS = 4096 [SENT = 256]]]. Regions: compute.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "psim.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int steps = argc > 1 ? atoi(argv[1]) : 4, elements = argc > 2 ? atoi(argv[2]) : 4096, sent = argc > 3 ? atoi(argv[3]) : 256;
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (steps < 1 || sent < 1 || elements < 2 * sent) {
    if (rank == 0) fprintf(stderr, "exchange: expected STEPS and SENT of at least 1, and ELEMENTS of at least twice SENT\n");
    MPI_Finalize();
    return 2;
  }
  double* const a = calloc((size_t)elements, sizeof *a);
  double *const left = malloc((size_t)sent * sizeof *left), *const right = malloc((size_t)sent * sizeof *right);
  for (int i = 0; i < elements; ++i) a[i] = rank + 1;
  const int before = (rank + ranks - 1) % ranks, after = (rank + 1) % ranks;
  double sum = 0, all = 0;
  for (int step = 0; step < steps; ++step) {
    PSIM_REGION_BEGIN("compute", elements);
    for (int i = 1; i + 1 < elements; ++i) a[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1];
    PSIM_REGION_END("compute");
    MPI_Sendrecv(a, sent, MPI_DOUBLE, before, 0, right, sent, MPI_DOUBLE, after, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(a + elements - sent, sent, MPI_DOUBLE, after, 1, left, sent, MPI_DOUBLE, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    a[0] = left[sent - 1];
    a[elements - 1] = right[0];
  }
  for (int i = 0; i < elements; ++i) sum += a[i];
  MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%d ranks, %d steps: sum %.6f\n", ranks, steps, all);
  MPI_Finalize();
  return 0;
}
