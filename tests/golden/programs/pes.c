// SPDX-License-Identifier: Apache-2.0
// SIMD-PEs: blocks of a long vector that are fetched while the block before is worked on, sums over all PEs, and complex products
// by pairs of PEs. All values are small integers, so that sums are exact.
#include <stdio.h>

#include "psim.h"
#include "psim_simd.h"

enum { PES = 16, BLOCK = 64, BLOCKS = 8 };
static double vector[BLOCKS][PES][BLOCK], squares[BLOCKS][PES][BLOCK], numbers[PES][2 * BLOCK];

// Squares a block, and returns its sum over all PEs.
__attribute__((noinline)) static double square(const double* restrict from, double* restrict to, long n) {
  double sum = 0;
  for (long i = 0; i < n; ++i) {
    to[i] = from[i] * from[i];
    sum += from[i];
  }
  return psim_fsumd(sum);
}

// Products of complex numbers, whose real parts are in even PEs and whose imaginary parts are in odd ones.
__attribute__((noinline)) static void multiply(const double* restrict a, double* restrict b, long n) {
  for (long i = 0; i < n; ++i) {
    const double real = psim_fxmovd(a[i]), imaginary = psim_fxemovd(a[i]);
    b[i] = psim_fxcmaddd(imaginary, b[i], real * b[i]);
  }
}

int main(void) {
  long expected = 0, wrong = 0;
  for (int block = 0; block < BLOCKS; ++block)
    for (int pe = 0; pe < PES; ++pe)
      for (int i = 0; i < BLOCK; ++i) expected += (long)(vector[block][pe][i] = (block * 5 + pe * 3 + i) % 19 - 9);
  for (int pe = 0; pe < PES; ++pe)
    for (int i = 0; i < 2 * BLOCK; ++i) numbers[pe][i] = (pe + i) % 7 - 3;

  const unsigned bytes = sizeof vector[0][0];
  PSIM_REGION_BEGIN("squares", BLOCKS * PES * BLOCK);
  double sum = 0;
  psim_simd_get(0, vector[0], bytes, bytes, 0);
  for (unsigned block = 0; block < BLOCKS; ++block) {
    const unsigned here = block % 2, next = 1 - here;
    if (block + 1 < BLOCKS) psim_simd_get(next * bytes, vector[block + 1], bytes, bytes, next);
    psim_simd_sync(1u << here | 4u << here);  // its data have come, and what is to be overwritten has gone
    sum += psim_simd_call(square, (const double*)psim_simd_data(here * bytes),
                          (double*)psim_simd_data((2 + here) * bytes), (long)BLOCK);
    psim_simd_put((2 + here) * bytes, squares[block], bytes, bytes, 2 + here);
  }
  psim_simd_sync(12);
  PSIM_REGION_END("squares");

  PSIM_REGION_BEGIN("products", PES / 2 * BLOCK);
  psim_simd_get(0, numbers, 2 * bytes, 2 * bytes, 0);
  psim_simd_sync(1);
  psim_simd_call(multiply, (const double*)psim_simd_data(0), (double*)psim_simd_data(bytes), (long)BLOCK);
  PSIM_REGION_END("products");

  wrong += sum != (double)expected;
  for (int block = 0; block < BLOCKS; ++block)
    for (int pe = 0; pe < PES; ++pe)
      for (int i = 0; i < BLOCK; ++i) wrong += squares[block][pe][i] != vector[block][pe][i] * vector[block][pe][i];
  for (unsigned pair = 0; pair < PES; pair += 2)
    for (int i = 0; i < BLOCK; ++i) {
      const double *re = numbers[pair], *im = numbers[pair + 1];
      wrong += psim_sbm_read(pair, bytes + 8 * i) != re[i] * re[BLOCK + i] - im[i] * im[BLOCK + i];
      wrong += psim_sbm_read(pair + 1, bytes + 8 * i) != re[i] * im[BLOCK + i] + im[i] * re[BLOCK + i];
    }
  printf("pes: sum %.0f, wrong=%ld\n", sum, wrong);
  return wrong != 0;
}
