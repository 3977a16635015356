// SPDX-License-Identifier: Apache-2.0
// The random ring of workloads/mgen/random_ring.c with MPI and with data: the same permutation and the same messages.
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t mix(uint32_t value, uint32_t round) {
  uint32_t x = value * 0x9e3779b1u + round * 0x85ebca6bu + 0x2545f491u;
  x ^= x >> 15;
  x *= 0x2c1b3c6du;
  x ^= x >> 12;
  return x;
}

static uint32_t permute(uint32_t at, uint32_t n, int back) {
  uint32_t bits = 1;
  while (bits < 16 && (UINT64_C(1) << (2 * bits)) < n) ++bits;
  const uint32_t mask = (1u << bits) - 1;
  do {
    uint32_t left = at >> bits, right = at & mask;
    for (int i = 0; i < 4; ++i) {
      const uint32_t round = (uint32_t)(back ? 3 - i : i);
      const uint32_t old = back ? right : left;
      if (back) {
        right = left;
        left = old ^ (mix(right, round) & mask);
      } else {
        left = right;
        right = old ^ (mix(left, round) & mask);
      }
    }
    at = left << bits | right;
  } while (at >= n);
  return at;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int bytes = atoi(argv[1]), loops = atoi(argv[2]);
  const uint32_t n = (uint32_t)ranks, place = permute((uint32_t)rank, n, 1);
  const int right = (int)permute((place + 1) % n, n, 0), left = (int)permute((place + n - 1) % n, n, 0);
  char* const in = malloc(2ul * bytes);
  char* const out = calloc(2ul, bytes);
  double begin = 0;
  for (int i = -1; i < loops; ++i) {  // the first loop is not timed
    if (i <= 0) {
      MPI_Barrier(MPI_COMM_WORLD);
      begin = MPI_Wtime();
    }
    MPI_Request requests[4];
    MPI_Irecv(in, bytes, MPI_BYTE, left, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(in + bytes, bytes, MPI_BYTE, right, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(out, bytes, MPI_BYTE, right, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(out + bytes, bytes, MPI_BYTE, left, 1, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  }
  const double mine = (MPI_Wtime() - begin) / loops;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("right of 0 is %d: %.3f us per loop on rank 0\n", right, mine * 1e6);
  MPI_Finalize();
  return 0;
}
