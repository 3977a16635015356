/* SPDX-License-Identifier: Apache-2.0
 * The functions of psim_simd_angles.h. Compiled as pe_math.c. */
#include "either_state.h"
#include "psim_simd_angles.h"

FUNCTION(tan)
FUNCTION(asin)
FUNCTION(acos)
FUNCTION(atan)
FUNCTION2(atan2)
FUNCTION(erf)
FUNCTION(erfc)
FUNCTION2(fmod)
