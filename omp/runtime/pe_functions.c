/* SPDX-License-Identifier: Apache-2.0
 * Functions of the mathematical library that run on the SIMD-PEs and on the scalar core alike, with the same results. Compiled as
 * pe_math.c. */
#include "psim_simd.h"
#include "simd_state.h"

static inline double sum_in_either_state(double x) { return simd_state() ? psim_fsumd(x) : x; }
#define PSIM_SUM_OF_PES_ sum_in_either_state
#include "psim_simd_elementary.h"

#define FUNCTION(NAME)                                                             \
  double __psim_simd_##NAME##d(double x) { return psim_simd_##NAME(x); }           \
  float __psim_simd_##NAME##s(float x) { return (float)psim_simd_##NAME((double)x); }
FUNCTION(floor)
FUNCTION(ceil)
FUNCTION(trunc)
FUNCTION(round)
FUNCTION(rint)
FUNCTION(exp)
FUNCTION(log)
FUNCTION(sin)
FUNCTION(cos)
