/* SPDX-License-Identifier: Apache-2.0
 * Division and square root of functions that run on the SIMD-PEs and on the scalar core alike: in SIMD state the
 * functions of psim_simd_math.h, else the instructions, whose results are the same. Compile with -O2 -mcpu=niagara3
 * -mno-vis3: arguments must not pass integer registers. */
#include "psim_simd_math.h"

#include <sys/auxv.h>

#include "machine_flags.h"

/* Returns true in SIMD state. Only a core with PEs has the register. */
static inline int simd_state(void) {
  static int pes = -1;
  if (pes < 0) pes = (getauxval(AT_FLAGS) & PSIM_FLAG_SIMD_PES) != 0;
  if (!pes) return 0;
  register unsigned long value __asm__("g1");
  __asm__ __volatile__(".word 0x83420000" : "=r"(value)); /* rd %simd, %g1 */
  return (int)(value & 1);
}

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
