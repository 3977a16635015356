/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PSIM_OMP_SIMD_STATE_H
#define PSIM_OMP_SIMD_STATE_H

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

#endif
