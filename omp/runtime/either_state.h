/* SPDX-License-Identifier: Apache-2.0
 * Functions of the mathematical library that run on the SIMD-PEs and on the scalar core alike, with the same
 * results. */
#ifndef PSIM_OMP_EITHER_STATE_H
#define PSIM_OMP_EITHER_STATE_H

#include "psim_simd.h"
#include "simd_state.h"

static inline double sum_in_either_state(double x) { return simd_state() ? psim_fsumd(x) : x; }
#define PSIM_SUM_OF_PES_ sum_in_either_state

/* Functions of one and of two numbers. */
#define FUNCTION(NAME)                                                   \
  double __psim_simd_##NAME##d(double x) { return psim_simd_##NAME(x); } \
  float __psim_simd_##NAME##s(float x) { return (float)psim_simd_##NAME((double)x); }
#define FUNCTION2(NAME)                                                               \
  double __psim_simd_##NAME##d(double x, double y) { return psim_simd_##NAME(x, y); } \
  float __psim_simd_##NAME##s(float x, float y) { return (float)psim_simd_##NAME((double)x, (double)y); }

#endif
