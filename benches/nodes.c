// SPDX-License-Identifier: Apache-2.0
// Programs for benches/table.py. Usage: nodes halo ORDER STEPS | nodes wait | poll | monitor ORDER
// halo: in each step, every rank multiplies matrices and exchanges a row with both neighbours in a ring.
// wait: rank 0 multiplies once, the others wait for its message.
// poll, monitor: node 0 multiplies once and puts a flag to node 1, which polls it, or sleeps until it is written; without MPI.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "psim_nic.h"
#include "psim_wait.h"

static volatile unsigned long data[1], arrived_flag, done_flag;

static void multiply(int n, const double* restrict a, const double* restrict b, double* restrict c) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = c[i * n + j];
      for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

static int flag(int n, int polls) {
  if (psim_nic_nodes() > 1 && psim_nic_node() == 1) {
    if (polls)
      psim_nic_wait(&arrived_flag);
    else
      while (psim_load_monitored(&arrived_flag) == 0) psim_wait_for_write(PSIM_FOR_EVER);
    return 0;
  }
  double* const a = calloc(3 * (size_t)n * n, sizeof *a);
  multiply(n, a, a + n * n, a + 2 * n * n);
  if (psim_nic_nodes() == 1) return 0;
  psim_nic_put(1, data, data, sizeof data, &arrived_flag, &done_flag);
  psim_nic_wait(&done_flag);
  return 0;
}

int main(int argc, char** argv) {
  if (argc == 3 && strcmp(argv[1], "wait") != 0) return flag(atoi(argv[2]), strcmp(argv[1], "poll") == 0);
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc < 3) return 2;
  const int n = atoi(argv[2]), steps = argc > 3 ? atoi(argv[3]) : 1;
  double* const a = malloc(sizeof(double) * n * n);
  double* const b = malloc(sizeof(double) * n * n);
  double* const c = calloc((size_t)n * n, sizeof(double));
  double* const halo = calloc(2 * (size_t)n, sizeof(double));
  for (int i = 0; i < n * n; ++i) a[i] = i % 7 - 3, b[i] = i % 5 - 2;
  double arrived = 0;
  if (strcmp(argv[1], "halo") == 0) {
    const int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
    for (int step = 0; step < steps; ++step) {
      multiply(n, a, b, c);
      MPI_Sendrecv(c, n, MPI_DOUBLE, left, 0, halo, n, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Sendrecv(c + (n - 1) * n, n, MPI_DOUBLE, right, 1, halo + n, n, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  } else if (strcmp(argv[1], "wait") == 0) {
    if (rank == 0) multiply(n, a, b, c), arrived = c[0];
    MPI_Bcast(&arrived, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  }
  double trace = 0;
  for (int i = 0; i < n; ++i) trace += c[i * n + i];
  if (rank == 0) printf("%d ranks: trace %.1f\n", ranks, trace);
  MPI_Finalize();
  return 0;
}
