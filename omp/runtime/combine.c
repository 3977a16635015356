/* SPDX-License-Identifier: Apache-2.0
 * Reductions over the PEs, and stores of their results. In scalar state a value is its own sum.
 * The order is fixed: sums are those of fsumbd (docs/isa.md), the others go from PE to PE. */
#include "psim_simd.h"
#include "runtime.h"

#define loop psim_omp_loop

/* The first doubleword of every SBM is scratch. */
#define SCRATCH_D (*(volatile double *)PSIM_SIMD_DATA_WINDOW)
#define SCRATCH_S (*(volatile float *)PSIM_SIMD_DATA_WINDOW)

double __psim_omp_sum_d(double x) { return loop.state == PES ? psim_fsumd(x) : x; }
float __psim_omp_sum_s(float x) { return loop.state == PES ? psim_fsums(x) : x; }

long __psim_omp_any_active(double active) { return (loop.state == PES ? psim_fsumd(active) : active) != 0; }

/* Returns what PE `pe` has in scratch, to every PE. */
static inline double of_pe_d(unsigned pe) { return psim_sbm_read(pe, 0); }
static inline float of_pe_s(unsigned pe) {
  float value;
  __asm__ __volatile__("lda [%1] 0xb8, %0" : "=f"(value) : "r"((unsigned long)pe << 20) : "memory");
  return value;
}
static inline double times_d(double a, double b) { return a * b; }
static inline float times_s(float a, float b) { return a * b; }
#define SELECT(NAME, TYPE, COMPARE, MOVE)                                                                    \
  static inline TYPE NAME(TYPE a, TYPE b) { /* b if it is beyond a, else a */                                \
    __asm__(COMPARE " %%fcc3, %1, %0\n\t" MOVE " %%fcc3, %1, %0" : "+e"(a) : "e"(b) : "fcc3");               \
    return a;                                                                                                \
  }
SELECT(larger_d, double, "fcmpd", "fmovdg")
SELECT(smaller_d, double, "fcmpd", "fmovdl")
#undef SELECT
#define SELECT(NAME, COMPARE, MOVE)                                                                          \
  static inline float NAME(float a, float b) {                                                               \
    __asm__(COMPARE " %%fcc3, %1, %0\n\t" MOVE " %%fcc3, %1, %0" : "+f"(a) : "f"(b) : "fcc3");               \
    return a;                                                                                                \
  }
SELECT(larger_s, "fcmps", "fmovsg")
SELECT(smaller_s, "fcmps", "fmovsl")

#define COMBINE(NAME, TYPE, SCRATCH, OF_PE, OPERATION)                      \
  TYPE NAME(TYPE x) {                                                       \
    if (loop.state != PES) return x;                                        \
    SCRATCH = x;                                                            \
    const unsigned mask = psim_simd_mask();                                 \
    unsigned pe = (unsigned)__builtin_ctz(mask);                            \
    TYPE all = OF_PE(pe);                                                   \
    while (++pe < 32)                                                       \
      if (mask >> pe & 1) all = OPERATION(all, OF_PE(pe));                  \
    return all;                                                             \
  }
COMBINE(__psim_omp_product_d, double, SCRATCH_D, of_pe_d, times_d)
COMBINE(__psim_omp_product_s, float, SCRATCH_S, of_pe_s, times_s)
COMBINE(__psim_omp_minimum_d, double, SCRATCH_D, of_pe_d, smaller_d)
COMBINE(__psim_omp_minimum_s, float, SCRATCH_S, of_pe_s, smaller_s)
COMBINE(__psim_omp_maximum_d, double, SCRATCH_D, of_pe_d, larger_d)
COMBINE(__psim_omp_maximum_s, float, SCRATCH_S, of_pe_s, larger_s)

/* Integers that are numbers of doubles. */
#define COMBINE_BITS(NAME, OPERATOR)                                        \
  double NAME(double x) {                                                   \
    if (loop.state != PES) return x;                                        \
    SCRATCH_D = x;                                                          \
    const unsigned mask = psim_simd_mask();                                 \
    unsigned pe = (unsigned)__builtin_ctz(mask);                            \
    long all = (long)of_pe_d(pe);                                           \
    while (++pe < 32)                                                       \
      if (mask >> pe & 1) all = all OPERATOR (long)of_pe_d(pe);             \
    return (double)all;                                                     \
  }
COMBINE_BITS(__psim_omp_or_d, |)
COMBINE_BITS(__psim_omp_and_d, &)
COMBINE_BITS(__psim_omp_xor_d, ^)

/* PEs do not write memory: the value, which is the same in all, goes through an integer register. */
void __psim_omp_store_d(double *at, double value) {
  if (loop.state != PES) {
    *at = value;
    return;
  }
  SCRATCH_D = value;
  *(long *)at = *(volatile long *)PSIM_SIMD_DATA_WINDOW;
}
void __psim_omp_store_s(float *at, float value) {
  if (loop.state != PES) {
    *at = value;
    return;
  }
  SCRATCH_S = value;
  *(int *)at = *(volatile int *)PSIM_SIMD_DATA_WINDOW;
}
