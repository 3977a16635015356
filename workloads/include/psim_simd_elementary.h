/* SPDX-License-Identifier: Apache-2.0
 * Functions of the mathematical library for SIMD functions (psim_simd.h):
 *
 *     psim_simd_floor, _ceil, _trunc, _round, _rint      exact
 *     psim_simd_exp, _log, _sin, _cos                    within one unit in the last place of the result
 *
 * Functions of `float` are the same in double, rounded. No function has a branch on data of one PE, and no datum leaves the
 * floating-point registers, as in psim_simd_math.h, whose compiler options these need, too. They round to nearest only. In scalar
 * state they give the same results, but for psim_simd_sin and psim_simd_cos, which are for SIMD state only.
 *
 * Methods: exp reduces by multiples of log(2) and adds up its series to the 13th power. log, sin and cos are those of
 * fdlibm (e_log.c, k_sin.c, k_cos.c of Sun Microsystems, 1993; freely granted), with selects for its branches. Numbers are reduced
 * by multiples of pi/2 with 159 bits of it, in three parts. docs/decisions/0085-loops-with-other-ends.md has the errors. */
#ifndef PSIM_SIMD_ELEMENTARY_H
#define PSIM_SIMD_ELEMENTARY_H

#include "psim_simd_math.h"

#define PSIM_NO_NUMBER_ __builtin_nan("0x7ffffffffffff") /* all bits but the sign, as SPARC makes them */
#define PSIM_SMALLEST_ 0x1p-1074                         /* the integer 1 */

/* Between numbers and integers of 64 bits, in floating-point registers. */
static inline double psim_to_integer_(double x) {
  double r;
  __asm__("fdtox %1, %0" : "=e"(r) : "e"(x));
  return r;
}
static inline double psim_to_number_(double x) {
  double r;
  __asm__("fxtod %1, %0" : "=e"(r) : "e"(x));
  return r;
}
/* gcc must not simplify x + c - c. */
static inline double psim_opaque_(double x) {
  __asm__("" : "+e"(x));
  return x;
}
static inline double psim_signed_as_(double magnitude, double x) { /* magnitude: not negative */
  return psim_xor_(magnitude, psim_and_(x, -0.0));
}

/* Numbers from 2^52 on are integers; below, adding 2^52 rounds to one. A result of 0 has the sign of x. */
static inline double psim_simd_rint(double x) {
  const double size = __builtin_fabs(x);
  const double r = psim_opaque_(size + 0x1p52) - 0x1p52;
  return psim_choose_lt_(size, 0x1p52, psim_signed_as_(r, x), x);
}
static inline double psim_simd_trunc(double x) {
  const double size = __builtin_fabs(x);
  const double r = psim_opaque_(size + 0x1p52) - 0x1p52;
  const double down = psim_choose_gt_(r, size, r - 1, r);
  return psim_choose_lt_(size, 0x1p52, psim_signed_as_(down, x), x);
}
static inline double psim_simd_floor(double x) {
  const double r = psim_simd_rint(x);
  return psim_choose_gt_(r, x, psim_signed_as_(__builtin_fabs(r - 1), x), r);
}
static inline double psim_simd_ceil(double x) {
  const double r = psim_simd_rint(x);
  return psim_choose_lt_(r, x, psim_signed_as_(__builtin_fabs(r + 1), x), r);
}
static inline double psim_simd_round(double x) { /* halves away from zero */
  const double size = __builtin_fabs(x), t = psim_simd_trunc(size), rest = size - t;
  const double r = psim_choose_lt_(rest, 0.5, t, t + 1);
  return psim_choose_lt_(size, 0x1p52, psim_signed_as_(r, x), x);
}

/* 2^k for an integer k from -1022 to 1023. */
static inline double psim_power_of_two_(double k) { return psim_add64_(1.0, psim_to_integer_(k * 0x1p52)); }

static inline double psim_simd_exp(double x) {
  /* Beyond these numbers the result is infinite or zero. */
  x = psim_choose_gt_(x, 710.0, 710.0, x);
  x = psim_choose_lt_(x, -746.0, -746.0, x);
  const double k = psim_opaque_(__builtin_fma(x, 0x1.71547652b82fep+0, 0x1.8p52)) - 0x1.8p52;
  const double high = __builtin_fma(-k, 0x1.62e42feep-1, x); /* exact: the constant has 33 bits */
  const double low = k * 0x1.a39ef35793c76p-33;
  const double r = high - low, rest = (high - r) - low;
  double q = 1.0 / 6227020800.0;
  q = __builtin_fma(q, r, 1.0 / 479001600.0);
  q = __builtin_fma(q, r, 1.0 / 39916800.0);
  q = __builtin_fma(q, r, 1.0 / 3628800.0);
  q = __builtin_fma(q, r, 1.0 / 362880.0);
  q = __builtin_fma(q, r, 1.0 / 40320.0);
  q = __builtin_fma(q, r, 1.0 / 5040.0);
  q = __builtin_fma(q, r, 1.0 / 720.0);
  q = __builtin_fma(q, r, 1.0 / 120.0);
  q = __builtin_fma(q, r, 1.0 / 24.0);
  q = __builtin_fma(q, r, 1.0 / 6.0);
  q = __builtin_fma(q, r, 0.5);
  const double y = 1 + (r + __builtin_fma(r * r, q, rest));
  /* In two factors, because 2^k may be beyond the range of numbers. */
  const double half = psim_opaque_(__builtin_fma(k, 0.5, 0x1.8p52)) - 0x1.8p52;
  return y * psim_power_of_two_(half) * psim_power_of_two_(k - half);
}

static inline double psim_simd_log(double x) {
  const double tiny = psim_choose_lt_(x, 0x1p-1022, 0x1p54, 1.0);
  const double z = x * tiny, less = psim_choose_lt_(x, 0x1p-1022, 54.0, 0.0);
  /* The exponent of the number between sqrt(1/2) and sqrt(2), times 2^52, as an integer. */
  const double exponent = psim_and_(psim_sub64_(z, 0x1.6a09e667f3bcdp-1), -__builtin_inf());
  const double k = psim_to_number_(exponent) * 0x1p-52 - less;
  const double f = psim_sub64_(z, exponent) - 1;
  const double s = psim_simd_div(f, 2 + f), s2 = s * s, s4 = s2 * s2;
  const double even = s4 * __builtin_fma(s4, __builtin_fma(s4, 1.531383769920937332e-01, 2.222219843214978396e-01), 3.999999999940941908e-01);
  const double odd = s2 * __builtin_fma(s4, __builtin_fma(s4, __builtin_fma(s4, 1.479819860511658591e-01, 1.818357216161805012e-01),
                                                           2.857142874366239149e-01),
                                         6.666666666666735130e-01);
  const double half = 0.5 * f * f;
  const double y = k * 6.93147180369123816490e-01 - ((half - (s * (half + (even + odd)) + k * 1.90821492927058770002e-10)) - f);
  double result = psim_choose_lt_(x, __builtin_inf(), y, x); /* infinity, and NaNs */
  result = psim_choose_lt_(x, 0.0, PSIM_NO_NUMBER_, result);
  return psim_choose_eq_(x, 0.0, -__builtin_inf(), result);
}

/* x - k pi/2, between -pi/4 and pi/4, in two parts, and k with its last bits in those of the result. */
struct psim_reduced_ {
  double r, rest, bits;
};
static inline struct psim_reduced_ psim_reduce_(double x) {
  struct psim_reduced_ reduced;
  const double bits = psim_opaque_(__builtin_fma(x, 0x1.45f306dc9c883p-1, 0x1.8p52)), k = bits - 0x1.8p52;
  const double p1 = k * 0x1.921fb54442d18p+0, e1 = __builtin_fma(k, 0x1.921fb54442d18p+0, -p1);
  const double p2 = k * 0x1.1a62633145c07p-54, e2 = __builtin_fma(k, 0x1.1a62633145c07p-54, -p2);
  const double a = x - p1; /* exact */
  /* a - e1 - p2, with what is lost. */
  const double b = a - e1;
  const double back1 = b - a, error1 = (a - (b - back1)) + (-e1 - back1);
  const double c = b - p2, back2 = c - b, error2 = (b - (c - back2)) + (-p2 - back2);
  const double rest = ((error1 + error2) - e2) - k * -0x1.f1976b7ed8fbcp-110;
  reduced.r = c + rest;
  reduced.rest = (c - reduced.r) + rest;
  reduced.bits = bits;
  return reduced;
}
/* Likewise for numbers from 2^40 on: x times 2/pi, without multiples of 8. 2/pi times 2^500 is the sum of these parts of 24 bits, whose products with
 * x 2^-500 are exact in two numbers. */
static const double psim_two_by_pi_[] = {
    0xa2f983p+476, 0x6e4e44p+452, 0x1529fcp+428, 0x2757d1p+404, 0xf534ddp+380, 0xc0db62p+356, 0x95993cp+332,
    0x439041p+308, 0xfe5163p+284, 0xabdebbp+260, 0xc561b7p+236, 0x246e3ap+212, 0x424dd2p+188, 0xe00649p+164,
    0x2eea09p+140, 0xd1921cp+116, 0xfe1debp+92, 0x1cb129p+68, 0xa73ee8p+44, 0x8235f5p+20, 0x2ebb44p-4,
    0x84e99cp-28, 0x7026b4p-52, 0x5f7e41p-76, 0x3991d6p-100, 0x398353p-124, 0x39f49cp-148, 0x845f8bp-172,
    0xbdf928p-196, 0x3b1ff8p-220, 0x97ffdep-244, 0x05980fp-268, 0xef2f11p-292, 0x8b5a0ap-316, 0x6d1f6dp-340,
    0x367ecfp-364, 0x27cb09p-388, 0xb74f46p-412, 0x3f669ep-436, 0x5fea2dp-460, 0x7527bap-484, 0xc7ebe5p-508,
    0xf17b3dp-532, 0x0739f7p-556, 0x8a5292p-580, 0xea6bfbp-604, 0x5fb11fp-628, 0x8d5d08p-652, 0x560330p-676,
    0x46fc7bp-700, 0x6babf0p-724, 0xcfbc20p-748,
};
static inline double psim_without_eights_(double x) {
  const double eighths = x * 0.125;
  return x - 8 * psim_simd_rint(eighths);
}
static inline struct psim_reduced_ psim_reduce_large_(double x) {
  struct psim_reduced_ reduced;
  const double small = x * 0x1p-500;
  double high = 0, middle = 0, low = 0;
  for (unsigned i = 0; i < 2 * sizeof psim_two_by_pi_ / sizeof *psim_two_by_pi_; i++) {
    const double part = psim_two_by_pi_[i / 2], product = small * part;
    const double term = psim_without_eights_(i % 2 == 0 ? product : __builtin_fma(small, part, -product));
    const double sum = high + term, back = sum - high, error = (high - (sum - back)) + (term - back);
    const double sum2 = middle + error, back2 = sum2 - middle, error2 = (middle - (sum2 - back2)) + (error - back2);
    high = psim_without_eights_(sum), middle = sum2, low += error2;
  }
  {
    const double sum = high + middle, back = sum - high, rest = (high - (sum - back)) + (middle - back) + low;
    const double bits = psim_opaque_(sum + 0x1.8p52), f = sum - (bits - 0x1.8p52);
    const double part = f + rest, rest2 = (f - part) + rest;
    const double product = part * 0x1.921fb54442d18p+0;
    const double low2 = __builtin_fma(part, 0x1.921fb54442d18p+0, -product) + (part * 0x1.1a62633145c07p-54 + rest2 * 0x1.921fb54442d18p+0);
    reduced.r = product + low2;
    reduced.rest = (product - reduced.r) + low2;
    reduced.bits = bits;
  }
  return reduced;
}
static inline double psim_sine_(double x, double y) {
  const double z = x * x, v = z * x;
  const double r = __builtin_fma(z, __builtin_fma(z, __builtin_fma(z, __builtin_fma(z, 1.58969099521155010221e-10, -2.50507602534068634195e-08),
                                                                   2.75573137070700676789e-06),
                                                  -1.98412698298579493134e-04),
                                 8.33333333332248946124e-03);
  return x - ((z * (0.5 * y - v * r) - y) - v * -1.66666666666666324348e-01);
}
static inline double psim_cosine_(double x, double y) {
  const double z = x * x, w = z * z;
  const double r = z * __builtin_fma(z, __builtin_fma(z, 2.48015872894767294178e-05, -1.38888888888741095749e-03), 4.16666666666666019037e-02) +
                   w * w * __builtin_fma(z, __builtin_fma(z, -1.13596475577881948265e-11, 2.08757232129817482790e-09),
                                         -2.75573143513906633035e-07);
  const double half = 0.5 * z, first = 1 - half;
  return first + (((1 - first) - half) + (z * r - x * y));
}
/* sin(x + quarters pi/2), from the reduced number. */
static inline double psim_sine_of_(struct psim_reduced_ reduced, double quarters) {
  const double sine = psim_sine_(reduced.r, reduced.rest), cosine = psim_cosine_(reduced.r, reduced.rest);
  const double turned = psim_add64_(reduced.bits, quarters);
  const double odd = psim_and_(turned, PSIM_SMALLEST_), negative = psim_and_(turned, 2 * PSIM_SMALLEST_);
  const double value = psim_choose_eq_(odd, 0.0, sine, cosine);
  return psim_choose_eq_(negative, 0.0, value, -value);
}
/* The runtime of psim-sparc-cc has another, for both states. */
#ifndef PSIM_SUM_OF_PES_
#define PSIM_SUM_OF_PES_ psim_fsumd
#endif
static inline double psim_sine_or_cosine_(double x, double quarters) {
  const double size = __builtin_fabs(x);
  double result = psim_sine_of_(psim_reduce_(psim_choose_lt_(size, 0x1p40, x, 1.0)), quarters);
  if (PSIM_SUM_OF_PES_(psim_choose_lt_(size, 0x1p40, 0.0, 1.0)) != 0) { /* all PEs agree */
    const double large = psim_sine_of_(psim_reduce_large_(psim_choose_lt_(size, __builtin_inf(), x, 1.0)), quarters);
    result = psim_choose_lt_(size, 0x1p40, result, psim_choose_lt_(size, __builtin_inf(), large, x - x));
  }
  return result;
}
static inline double psim_simd_sin(double x) { /* of -0 it is -0 */
  return psim_choose_eq_(x, 0.0, x, psim_sine_or_cosine_(x, 0.0));
}
static inline double psim_simd_cos(double x) { return psim_sine_or_cosine_(x, PSIM_SMALLEST_); }

#undef PSIM_NO_NUMBER_
#undef PSIM_SMALLEST_

#endif
