/* SPDX-License-Identifier: Apache-2.0
 * How the runtime uses an SBM: scratch, the buffers of tiles, the stack of SIMD functions. */
#ifndef PSIM_OMP_SBM_H
#define PSIM_OMP_SBM_H

enum { PSIM_OMP_SCRATCH = 64 };

#endif
