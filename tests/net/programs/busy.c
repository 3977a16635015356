/* SPDX-License-Identifier: Apache-2.0
   Computes for 5 ms of the host's processor time, which it queries from the kernel directly, and prints the simulated
   time that passed. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static double processor_time(void) {
  struct timespec time;
  syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const double begin = MPI_Wtime();
  const double host = processor_time();
  while (processor_time() < host + 0.005) {
  }
  const double end = MPI_Wtime();
  MPI_Barrier(MPI_COMM_WORLD);
  printf("%.9f\n", end - begin);
  MPI_Finalize();
  return 0;
}
