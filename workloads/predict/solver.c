/* SPDX-License-Identifier: Apache-2.0
 * Power iteration with a matrix product per step: solver N STEPS. Each rank has an N x N matrix. Regions: product(n)
 * and scale(n), with an allreduce of the norm between them. docs/predict.md runs it. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "psim.h"

static void product(int n, const double *a, const double *b, double *c) {
  PSIM_REGION_BEGIN("product", n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
  PSIM_REGION_END("product");
}

static void scale(int n, double factor, double *a) {
  PSIM_REGION_BEGIN("scale", n);
  for (int i = 0; i < n * n; ++i) a[i] *= factor;
  PSIM_REGION_END("scale");
}

int main(int count, char **words) {
  MPI_Init(&count, &words);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int n = count > 1 ? atoi(words[1]) : 64, steps = count > 2 ? atoi(words[2]) : 4;
  const size_t elements = (size_t)n * (size_t)n;
  double *a = malloc(elements * sizeof *a), *b = malloc(elements * sizeof *b), *c = malloc(elements * sizeof *c);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) a[i * n + j] = b[i * n + j] = 1.0 / (1 + i + j + rank);
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  double norm = 0;
  for (int step = 0; step < steps; ++step) {
    product(n, a, b, c);
    double mine = 0;
    for (size_t i = 0; i < elements; ++i) mine += c[i] * c[i];
    MPI_Allreduce(&mine, &norm, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    norm = sqrt(norm);
    scale(n, 1 / norm, c);
    double *const old = b;
    b = c;
    c = old;
  }
  if (rank == 0) printf("norm %.6f on %d ranks, %.9f s\n", norm, ranks, MPI_Wtime() - begin);
  free(a);
  free(b);
  free(c);
  MPI_Finalize();
  return 0;
}
