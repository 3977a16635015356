/* SPDX-License-Identifier: Apache-2.0
 * Bits of AT_FLAGS that psim sets (guest/initial_stack.h). */
#ifndef PSIM_OMP_MACHINE_FLAGS_H
#define PSIM_OMP_MACHINE_FLAGS_H

#define PSIM_FLAG_SIMD_PES (1ul << 40)   /* the core has SIMD-PEs */
#define PSIM_FLAG_FUNCTIONAL (1ul << 41) /* psim only executes: time means nothing */

/* The memory system: cycles of a miss of L2 and of a hit in it, sixteenths of a byte per cycle, the
 * logarithms of the capacities, and L1's prefetch (0: none, 1: stream, 2: every access hits). All are 0
 * without PEs. */
#define PSIM_FLAGS_MEMORY_CYCLES(FLAGS) ((FLAGS) >> 4 & 0xfff)
#define PSIM_FLAGS_BANDWIDTH(FLAGS) ((FLAGS) >> 16 & 0xfff)
#define PSIM_FLAGS_L2_CYCLES(FLAGS) ((FLAGS) >> 28 & 0xff)
#define PSIM_FLAGS_L1_LOG(FLAGS) ((FLAGS) >> 42 & 63)
#define PSIM_FLAGS_L2_LOG(FLAGS) ((FLAGS) >> 48 & 63)
#define PSIM_FLAGS_PREFETCH(FLAGS) ((FLAGS) >> 54 & 3)
/* The numbers of machine simd16. */
#define PSIM_FLAGS_OF_SIMD16 (140ul << 4 | 128ul << 16 | 20ul << 28 | 17ul << 42 | 22ul << 48)

#endif
