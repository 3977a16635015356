/* SPDX-License-Identifier: Apache-2.0
   What the five programs are called with: PROGRAM [ITERATIONS [BYTES [GAP]]], GAP in microseconds of computing. A number
   that begins with x multiplies the program's own: x1 leaves it. */
#ifndef PSIM_TRACERP_OPTIONS_H
#define PSIM_TRACERP_OPTIONS_H

#include <mgen.h>
#include <stdio.h>
#include <stdlib.h>

struct options {
  int iterations, bytes;
  double gap; /* seconds */
  int rank, ranks;
  double begin;
};

static double argument(int argc, char **argv, int number, double own) {
  if (number >= argc) return own;
  return argv[number][0] == 'x' ? own * atof(argv[number] + 1) : atof(argv[number]);
}

static struct options begin(int argc, char **argv, int iterations, int bytes, double gap_us) {
  struct options o;
  MGEN_Init(&argc, &argv);
  MGEN_Comm_rank(MGEN_COMM_WORLD, &o.rank);
  MGEN_Comm_size(MGEN_COMM_WORLD, &o.ranks);
  o.iterations = (int)argument(argc, argv, 1, iterations);
  o.bytes = (int)argument(argc, argv, 2, bytes);
  o.gap = argument(argc, argv, 3, gap_us) * 1e-6;
  MGEN_Barrier(MGEN_COMM_WORLD);
  o.begin = MGEN_Wtime();
  return o;
}

static int end(const struct options *o, const char *name) {
  MGEN_Barrier(MGEN_COMM_WORLD);
  if (o->rank == 0)
    printf("%s: %d ranks, %d iterations of %d B and %.0f us: %.6f s\n", name, o->ranks, o->iterations, o->bytes,
           o->gap * 1e6, MGEN_Wtime() - o->begin);
  MGEN_Finalize();
  return 0;
}

/* Factors of n as equal as possible, the largest last. */
static void shape(int n, int dimensions, int *sizes) {
  for (int d = 0; d < dimensions; ++d) sizes[d] = 0;
  MGEN_Dims_create(n, dimensions, sizes);
}

/* A number that depends on both and looks random. */
static unsigned mix(unsigned a, unsigned b) {
  unsigned x = a * 0x9e3779b1u ^ (b * 0x85ebca6bu + 0x2545f491u);
  x ^= x >> 15;
  x *= 0x2c1b3c6du;
  x ^= x >> 12;
  x *= 0x297a2d39u;
  return x ^ x >> 15;
}

#endif
