/* SPDX-License-Identifier: Apache-2.0
 * The functions of psim_simd_powers.h. Compiled as pe_math.c. */
#include "either_state.h"
#include "psim_simd_powers.h"

FUNCTION2(pow)
FUNCTION(exp2)
FUNCTION(log2)
FUNCTION(log10)
FUNCTION(expm1)
FUNCTION(log1p)
FUNCTION(sinh)
FUNCTION(cosh)
FUNCTION(tanh)
FUNCTION(cbrt)
FUNCTION2(hypot)

double __psim_simd_powid(double x, int n) { return psim_simd_powi(x, n); }
float __psim_simd_powis(float x, int n) { return psim_simd_powif(x, n); }
