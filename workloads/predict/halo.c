/* SPDX-License-Identifier: Apache-2.0
 * A halo exchange with computing between: halo N STEPS. Each rank of a ring smooths an N x N tile, whose first and
 * last rows it exchanges with its neighbours, and multiplies two matrices of order N / 2. Regions: prepare(n),
 * exchange(n), smooth(n), product(m). docs/predict.md compares ranks that compute by models with cycle-level nodes. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "psim.h"

static void product(int m, const double *a, const double *b, double *c) {
  PSIM_REGION_BEGIN("product", m);
  for (int i = 0; i < m; ++i)
    for (int k = 0; k < m; ++k) {
      const double factor = a[i * m + k];
      for (int j = 0; j < m; ++j) c[i * m + j] += factor * b[k * m + j];
    }
  PSIM_REGION_END("product");
}

static void smooth(int n, const double *from, double *to) {
  PSIM_REGION_BEGIN("smooth", n);
  for (int i = 1; i + 1 < n; ++i)
    for (int j = 1; j + 1 < n; ++j)
      to[i * n + j] = 0.25 * (from[(i - 1) * n + j] + from[(i + 1) * n + j] + from[i * n + j - 1] + from[i * n + j + 1]);
  PSIM_REGION_END("smooth");
}

/* Gives the second and the last but one row to the neighbours, and takes theirs as the first and the last. */
static void exchange(int n, double *tile, int before, int after) {
  PSIM_REGION_BEGIN("exchange", n);
  MPI_Request requests[4];
  MPI_Irecv(tile, n, MPI_DOUBLE, before, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(tile + (n - 1) * n, n, MPI_DOUBLE, after, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(tile + n, n, MPI_DOUBLE, before, 1, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(tile + (n - 2) * n, n, MPI_DOUBLE, after, 0, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  PSIM_REGION_END("exchange");
}

int main(int count, char **words) {
  MPI_Init(&count, &words);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int n = count > 1 ? atoi(words[1]) : 64, steps = count > 2 ? atoi(words[2]) : 4, m = n / 2;
  if (n < 4 || steps < 1) {
    if (rank == 0) fprintf(stderr, "halo: expected N of at least 4 and STEPS of at least 1\n");
    MPI_Finalize();
    return 2;
  }
  PSIM_REGION_BEGIN("prepare", n);
  const size_t elements = (size_t)n * (size_t)n, order = (size_t)m * (size_t)m;
  double *tile = calloc(elements, sizeof *tile), *next = calloc(elements, sizeof *next);
  double *a = malloc(order * sizeof *a), *b = malloc(order * sizeof *b), *c = calloc(order, sizeof *c);
  for (size_t i = 0; i < elements; ++i) tile[i] = next[i] = rank + 1;
  for (size_t i = 0; i < order; ++i) a[i] = b[i] = 1.0 / (double)(i + 1);
  PSIM_REGION_END("prepare");
  const int before = (rank + ranks - 1) % ranks, after = (rank + 1) % ranks;
  double sum = 0, all = 0;
  for (int step = 0; step < steps; ++step) {
    exchange(n, tile, before, after);
    smooth(n, tile, next);
    product(m, a, b, c);
    double *const old = tile;
    tile = next;
    next = old;
  }
  for (size_t i = 0; i < elements; ++i) sum += tile[i];
  for (size_t i = 0; i < order; ++i) sum += c[i];
  MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%d ranks, %d steps: sum %.6f\n", ranks, steps, all);
  free(tile);
  free(next);
  free(a);
  free(b);
  free(c);
  MPI_Finalize();
  return 0;
}
