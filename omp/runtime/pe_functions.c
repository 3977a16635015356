/* SPDX-License-Identifier: Apache-2.0
 * The functions of psim_simd_elementary.h. Compiled as pe_math.c. */
#include "either_state.h"
#include "psim_simd_elementary.h"

FUNCTION(floor)
FUNCTION(ceil)
FUNCTION(trunc)
FUNCTION(round)
FUNCTION(rint)
FUNCTION(exp)
FUNCTION(log)
FUNCTION(sin)
FUNCTION(cos)
