/* SPDX-License-Identifier: Apache-2.0
 * What the expert kernels share: operations in exactly the order in which they are written, arguments,
 * arrays.
 *
 * A compiler schedules for the machine of its -mtune option. These macros are volatile, so that it only
 * chooses registers and addresses; the order of loads and arithmetic is the source's. In SIMD state every PE
 * does them. */
#ifndef PSIM_EXPERT_H
#define PSIM_EXPERT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "psim.h"
#include "psim_simd.h"

#define LOAD(R, AT) __asm__ volatile("ldd %1, %0" : "=e"(R) : "m"(AT))
#define STORE(R, AT) __asm__ volatile("std %1, %0" : "=m"(AT) : "e"(R))
#define ADD(R, A, B) __asm__ volatile("faddd %1, %2, %0" : "=e"(R) : "e"(A), "e"(B))
#define SUB(R, A, B) __asm__ volatile("fsubd %1, %2, %0" : "=e"(R) : "e"(A), "e"(B))
#define MUL(R, A, B) __asm__ volatile("fmuld %1, %2, %0" : "=e"(R) : "e"(A), "e"(B))
/* R += A * B, R -= A * B: rounded once where multiply-adds are fused. */
#define FMA(R, A, B) __asm__ volatile("fmaddd %1, %2, %0, %0" : "+e"(R) : "e"(A), "e"(B))
#define FNMA(R, A, B) __asm__ volatile("fnmsubd %1, %2, %0, %0" : "+e"(R) : "e"(A), "e"(B))
/* R = A * B + C. */
#define MADD(R, A, B, C) __asm__ volatile("fmaddd %1, %2, %3, %0" : "=e"(R) : "e"(A), "e"(B), "e"(C))
/* Hides the origin of a pointer from the compiler, which then keeps one register instead of many sums. */
#define OPAQUE(P) __asm__ volatile("" : "+r"(P))
/* The line that AT lies in, to the first-level cache. */
#define PREFETCH(AT) __asm__ volatile("prefetch %0, 0" : : "m"(AT))
#define PREFETCH_WRITE(AT) __asm__ volatile("prefetch %0, 2" : : "m"(AT))

/* In SIMD state, with the real part of a number in the even PE and the imaginary part in the odd one:
 * R += i A B, R = C + i B, R = C - i B. A, which each PE has, is a factor of both parts. */
#define CROSS_FMA(R, A, B) \
  __asm__ volatile("psim_word_ 0xc1400060, %0, %1, %2, %0" : "+e"(R) : "e"(A), "e"(B))
#define CROSS_ADD(R, C, B) \
  __asm__ volatile("psim_word_ 0x81b01e40, %0, %1, %2, %%f0" : "=e"(R) : "e"(C), "e"(B))
#define CROSS_SUB(R, C, B) \
  __asm__ volatile("psim_word_ 0x81b01ec0, %0, %1, %2, %%f0" : "=e"(R) : "e"(C), "e"(B))

/* `PROGRAM scalar|simd [N]`: whether it is simd; N, a multiple of `step` that is `most` at most. */
static inline int want_simd(int argc, char** argv) {
  if (argc > 1 && argc < 4 && (!strcmp(argv[1], "scalar") || !strcmp(argv[1], "simd")))
    return argv[1][1] == 'i';
  fprintf(stderr, "usage: %s scalar|simd [N]\n", argv[0]);
  exit(2);
}
static inline long size_argument(int argc, char** argv, long otherwise, long step, long most) {
  const long n = argc > 2 ? atol(argv[2]) : otherwise;
  if (n > 0 && n <= most && n % step == 0) return n;
  fprintf(stderr, "%s: N = %s: expected a multiple of %ld up to %ld\n", argv[0], argc > 2 ? argv[2] : "",
          step, most);
  exit(2);
}

/* `count` doubles from the beginning of a cache line on. */
static inline double* new_array(long count) {
  double* const array = aligned_alloc(64, (8 * count + 63) & ~63l);
  if (array) return array;
  fprintf(stderr, "no memory for %ld doubles\n", count);
  exit(1);
}
static inline void fill(double* x, long count, int period) {
  for (long i = 0; i < count; ++i) x[i] = (double)(i % period) - period / 2 + 0.125 * (i % 3);
}

#endif
