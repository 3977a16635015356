/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix products with independent messages at the same time (paper 004, 4.2). Both amounts are free:
 *
 *     products N COUNT BYTES ROUNDS [DISTANCE]
 *
 * In each round every rank multiplies COUNT pairs of matrices of order N while it sends BYTES bytes to the rank DISTANCE
 * (default 1) after it and receives the same number from the rank as far before it, so that no two messages of a round have a
 * common sender or receiver. COUNT 0 only communicates, BYTES 0 only computes.
 *
 * psim net --skeleton leaves out the products, whose time comes from --compute model:FILE. It prints the time of the slowest
 * rank and its flop/s. The marks give psim roofline its counts. The memory traffic is that of products whose operands are read
 * and whose result is written once, 4 N^2 elements; a sparc64 core counts its own. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "psim.h"

static void multiply(int n, const double *a, const double *b, double *c) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k) {
      const double factor = a[i * n + k];
      for (int j = 0; j < n; ++j) c[i * n + j] += factor * b[k * n + j];
    }
}

int main(int argc, char **argv) {
  if (argc < 5) {
    fprintf(stderr, "usage: products N COUNT BYTES ROUNDS [DISTANCE]\n");
    return 2;
  }
  const int n = atoi(argv[1]), count = atoi(argv[2]), bytes = atoi(argv[3]), rounds = atoi(argv[4]);
  const int distance = argc > 5 ? atoi(argv[5]) : 1;
  if (n < 1 || count < 0 || bytes < 0 || rounds < 1 || distance < 1) {
    fprintf(stderr, "products: expected N, ROUNDS and DISTANCE from 1, COUNT and BYTES from 0\n");
    return 2;
  }
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int to = (rank + distance) % ranks, from = (rank + ranks - distance % ranks) % ranks;
  const size_t elements = (size_t)n * n;
  double *a = malloc(elements * sizeof *a), *b = malloc(elements * sizeof *b), *c = calloc(elements, sizeof *c);
  char *out = calloc(bytes > 0 ? bytes : 1, 1), *in = malloc(bytes > 0 ? bytes : 1);
  if (a == NULL || b == NULL || c == NULL || out == NULL || in == NULL) {
    fprintf(stderr, "products: no memory for matrices of order %d and messages of %d bytes\n", n, bytes);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  for (size_t i = 0; i < elements; ++i) a[i] = 1.0 / (double)(i + 1), b[i] = (double)(i % 7);

  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  PSIM_REGION_BEGIN("round", n, count, bytes);
  for (int round = 0; round < rounds; ++round) {
    MPI_Request requests[2];
    int pending = 0;
    if (bytes > 0) {
      MPI_Irecv(in, bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD, &requests[pending++]);
      MPI_Isend(out, bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD, &requests[pending++]);
    }
    for (int i = 0; i < count; ++i)
      PSIM_REGION_SKIP("product", n) multiply(n, a, b, c);
    PSIM_WORK(2ll * count * n * n * n, 4ll * count * n * n * sizeof(double));
    MPI_Waitall(pending, requests, MPI_STATUSES_IGNORE);
  }
  PSIM_REGION_END("round");
  double took = MPI_Wtime() - begin, slowest;
  MPI_Reduce(&took, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  const double flops = 2.0 * count * n * n * n * rounds;
  if (rank == 0)
    printf("%d ranks: %.9g s, %.6g GFlop/s and %.6g GB/s per rank\n", ranks, slowest, flops / slowest * 1e-9,
           (double)bytes * rounds / slowest * 1e-9);
  free(a), free(b), free(c), free(out), free(in);
  MPI_Finalize();
  return 0;
}
