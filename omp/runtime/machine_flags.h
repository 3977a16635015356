/* SPDX-License-Identifier: Apache-2.0
 * Bits of AT_FLAGS that psim sets (guest/initial_stack.h). */
#ifndef PSIM_OMP_MACHINE_FLAGS_H
#define PSIM_OMP_MACHINE_FLAGS_H

#define PSIM_FLAG_SIMD_PES (1ul << 40)   /* the core has SIMD-PEs */
#define PSIM_FLAG_FUNCTIONAL (1ul << 41) /* psim only executes: time means nothing */

#endif
