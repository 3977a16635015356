// SPDX-License-Identifier: Apache-2.0
// Conjugate gradients on the five-point Laplacian of an n × n grid, split by rows: halo exchanges and dot products,
// as in NPB's CG and HPCG. Prints the square of the residual in each step, in digits that do not depend on the order of sums.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, ranks, n, rows;

static double dot(const double* a, const double* b) {
  double sum = 0, all;
  for (int i = 0; i < rows * n; ++i) sum += a[i] * b[i];
  MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

/// q = A p. p has a row of halo before and after its own.
static void multiply(double* p, double* q) {
  const int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
  MPI_Sendrecv(p + n, n, MPI_DOUBLE, up, 1, p + (rows + 1) * n, n, MPI_DOUBLE, down, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(p + rows * n, n, MPI_DOUBLE, down, 2, p, n, MPI_DOUBLE, up, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < n; ++j) {
      const double* c = p + (i + 1) * n + j;
      q[i * n + j] = 4 * c[0] - c[-n] - c[n] - (j > 0 ? c[-1] : 0) - (j < n - 1 ? c[1] : 0);
    }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  n = atoi(argv[1]);
  rows = n / ranks;
  double *x = calloc(rows * n, 8), *r = calloc(rows * n, 8), *q = calloc(rows * n, 8), *p = calloc((rows + 2) * n, 8);
  for (int i = 0; i < rows * n; ++i) r[i] = p[n + i] = 1 + (i + rank * rows * n) % 7;
  double rr = dot(r, r);
  for (int step = 0; step < atoi(argv[2]); ++step) {
    multiply(p, q);
    const double alpha = rr / dot(p + n, q);
    for (int i = 0; i < rows * n; ++i) x[i] += alpha * p[n + i], r[i] -= alpha * q[i];
    const double before = rr;
    rr = dot(r, r);
    for (int i = 0; i < rows * n; ++i) p[n + i] = r[i] + rr / before * p[n + i];
    if (rank == 0) printf("step %d: residual %.8e\n", step, rr);
  }
  MPI_Finalize();
  return 0;
}
