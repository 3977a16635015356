/* SPDX-License-Identifier: Apache-2.0
 * What these kernels share: kernels of workloads/openmp/polybench, with transfers and calls of the PEs written by hand and the loops
 * unchanged. `psim run` shows their cycles next to those of the OpenMP forms (benches/openmp_times.py). N is a multiple of the number
 * of PEs, and small enough for all data of a PE to fit into its SBM. */
#ifndef PSIM_POLYBENCH_BY_HAND_H
#define PSIM_POLYBENCH_BY_HAND_H

#include "../../openmp/polybench/polybench.h"
#include "psim.h"
#include "psim_simd.h"

/* Returns N from the command line. */
static inline long order(int argc, char** argv, long otherwise, long matrices) {
  const long n = size_argument(argc, argv, otherwise, psim_simd_pes());
  if ((matrices * n + 4 * psim_simd_pes()) * (n / psim_simd_pes()) * 8 <= 56 << 10) return n;
  fprintf(stderr, "%s: N = %ld: too large for an SBM\n", argv[0], n);
  exit(2);
}

/* Moves each PE's block of consecutive bytes between memory and `offset` of its SBM. */
static inline void get_block(void* memory, unsigned long offset, long bytes) {
  psim_simd_get((unsigned)offset, memory, (unsigned)bytes, bytes, 0);
}
static inline void put_block(void* memory, unsigned long offset, long bytes) {
  psim_simd_put((unsigned)offset, memory, (unsigned)bytes, bytes, 0);
}
static inline void wait(void) { psim_simd_sync(1u << 0); }

#endif
