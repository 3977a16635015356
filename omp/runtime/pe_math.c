/* SPDX-License-Identifier: Apache-2.0
 * Division and square root of functions that run on the SIMD-PEs and on the scalar core alike: in SIMD state the
 * functions of psim_simd_math.h, else the instructions, whose results are the same. Compile with -O2 -mcpu=niagara3
 * -mno-vis3: arguments must not pass integer registers. */
#include "psim_simd_math.h"
#include "simd_state.h"

/* The instructions are volatile so that gcc does not move them to where both states pass. */
double __psim_simd_divd(double x, double y) {
  if (simd_state()) return psim_simd_div(x, y);
  double r;
  __asm__ __volatile__("fdivd %1, %2, %0" : "=e"(r) : "e"(x), "e"(y));
  return r;
}

float __psim_simd_divs(float x, float y) {
  if (simd_state()) return psim_simd_divf(x, y);
  float r;
  __asm__ __volatile__("fdivs %1, %2, %0" : "=f"(r) : "f"(x), "f"(y));
  return r;
}

double __psim_simd_sqrtd(double x) {
  if (simd_state()) return psim_simd_sqrt(x);
  double r;
  __asm__ __volatile__("fsqrtd %1, %0" : "=e"(r) : "e"(x));
  return r;
}

float __psim_simd_sqrts(float x) {
  if (simd_state()) return psim_simd_sqrtf(x);
  float r;
  __asm__ __volatile__("fsqrts %1, %0" : "=f"(r) : "f"(x));
  return r;
}
