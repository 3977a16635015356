// SPDX-License-Identifier: Apache-2.0
// MPI between nodes and OpenMP within: a matrix-vector product whose rows are divided over ranks, and those of a rank over threads; the
// vector goes around by MPI. The output depends neither on ranks nor on threads.
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { kSize = 96, kSteps = 4 };
static double matrix[kSize][kSize], x[kSize], y[kSize];

int main(int argc, char** argv) {
  int rank, ranks, provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int rows = kSize / ranks, first = rank * rows;
#pragma omp parallel for
  for (int i = first; i < first + rows; i++)
    for (int j = 0; j < kSize; j++) matrix[i][j] = (i * 7 + j * 3) % 11 - 5;
  for (int i = 0; i < kSize; i++) x[i] = i % 5;
  for (int step = 0; step < kSteps; step++) {
    double most = 0, all;
#pragma omp parallel for schedule(static) reduction(max : most)
    for (int i = first; i < first + rows; i++) {
      double sum = 0;
      for (int j = 0; j < kSize; j++) sum += matrix[i][j] * x[j];
      y[i] = sum;
      if (sum > most) most = sum;
    }
    MPI_Allreduce(&most, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    for (int i = first; i < first + rows; i++) y[i] /= all;
    MPI_Allgather(&y[first], rows, MPI_DOUBLE, x, rows, MPI_DOUBLE, MPI_COMM_WORLD);
    if (rank == 0) printf("step %d: %.6f\n", step, all);
  }
  int threads = 0, sum = 0;
#pragma omp parallel
#pragma omp atomic
  threads++;
  MPI_Reduce(&threads, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%d good\n", sum > 0 && provided >= MPI_THREAD_FUNNELED);
  if (rank == 0 && argc > 1) printf("%d threads\n", sum);
  MPI_Finalize();
}
