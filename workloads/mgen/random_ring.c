/* SPDX-License-Identifier: Apache-2.0
   The randomly ordered ring of the HPC Challenge as an MGEN program: in every loop each rank exchanges messages with
   its two neighbours in a random order of the ranks. Sizes only; no data.

       psim-cc -O2 -o random_ring random_ring.c
       psim net -n 1024 ./random_ring 1048576 5        # bytes of a message, loops
*/
#include <mgen.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* A permutation of 0 … n - 1 that is its own description: a Feistel network over the next even number of bits,
   walked until it falls inside. No rank holds the whole of it. */
static uint32_t half_bits(uint32_t n) {
  uint32_t bits = 1;
  while (bits < 16 && (UINT64_C(1) << (2 * bits)) < n) ++bits;
  return bits;
}

static uint32_t mix(uint32_t value, uint32_t round) {
  uint32_t x = value * 0x9e3779b1u + round * 0x85ebca6bu + 0x2545f491u;
  x ^= x >> 15;
  x *= 0x2c1b3c6du;
  x ^= x >> 12;
  return x;
}

static uint32_t permute(uint32_t at, uint32_t n, int back) {
  const uint32_t bits = half_bits(n), mask = (1u << bits) - 1;
  do {
    uint32_t left = at >> bits, right = at & mask;
    for (int i = 0; i < 4; ++i) {
      const uint32_t round = (uint32_t)(back ? 3 - i : i);
      if (back) {
        const uint32_t old = left;
        left = right ^ (mix(left, round) & mask);
        right = old;
      } else {
        const uint32_t old = right;
        right = left ^ (mix(right, round) & mask);
        left = old;
      }
    }
    at = left << bits | right;
  } while (at >= n);
  return at;
}

int MGEN_Main(int argc, char** argv) {
  MGEN_Init(&argc, &argv);
  int rank, ranks;
  MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
  MGEN_Comm_size(MGEN_COMM_WORLD, &ranks);
  const int bytes = argc > 1 ? atoi(argv[1]) : 1 << 20;
  const int loops = argc > 2 ? atoi(argv[2]) : 5;
  const uint32_t n = (uint32_t)ranks, place = permute((uint32_t)rank, n, 1);
  const int right = (int)permute((place + 1) % n, n, 0), left = (int)permute((place + n - 1) % n, n, 0);

  MGEN_Barrier(MGEN_COMM_WORLD);
  const double begin = MGEN_Wtime();
  for (int i = 0; i < loops; ++i) {
    MGEN_Request requests[4];
    MGEN_Irecv(NULL, bytes, MGEN_BYTE, left, 0, MGEN_COMM_WORLD, &requests[0]);
    MGEN_Irecv(NULL, bytes, MGEN_BYTE, right, 1, MGEN_COMM_WORLD, &requests[1]);
    MGEN_Isend(NULL, bytes, MGEN_BYTE, right, 0, MGEN_COMM_WORLD, &requests[2]);
    MGEN_Isend(NULL, bytes, MGEN_BYTE, left, 1, MGEN_COMM_WORLD, &requests[3]);
    MGEN_Waitall(4, requests, MGEN_STATUSES_IGNORE);
  }
  double mine = MGEN_Wtime() - begin, longest = mine;
  MGEN_Barrier(MGEN_COMM_WORLD);
  if (rank == 0)
    printf("random ring of %d ranks, %d bytes, %d loops: %.3f us per loop on rank 0, %.1f MB/s per rank\n", ranks, bytes, loops,
           longest * 1e6 / loops, 2.0 * bytes * loops / longest * 1e-6);
  MGEN_Finalize();
  return 0;
}
