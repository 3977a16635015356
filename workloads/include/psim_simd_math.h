/* SPDX-License-Identifier: Apache-2.0
 * Division and square root for SIMD functions (psim_simd.h), because PEs have no divider:
 *
 *     psim_simd_div(x, y), psim_simd_divf(x, y)      x / y
 *     psim_simd_sqrt(x), psim_simd_sqrtf(x)          the square root
 *
 * With rounding to nearest the results are those of fdivd, fdivs, fsqrtd and fsqrts, bit for bit: with zeros,
 * infinities, NaNs, denormal operands and results, overflow and underflow. If x and y are both NaNs, the result is one
 * of the two, which the instruction chooses by their order. In another rounding mode the last bit of a quotient may
 * differ, and a quotient that overflows may be a wrong finite number. Exceptions are not those of the instructions:
 * the accrued exceptions of %fsr may have more (invalid, overflow, underflow, inexact) or lack division by zero and
 * the invalid operation of a root.
 *
 * No function has a branch, and no datum leaves the floating-point registers: each PE computes with its own
 * data. The functions also work in scalar state. They need the multiply-add of one rounding (psim --fma
 * fused, the default for programs compiled so), and lose the last bits with -ffast-math. Compile with
 *
 *     -O3 -mcpu=niagara3 -mno-vis3 -fno-tree-vectorize -fno-tree-loop-distribute-patterns -fcx-limited-range
 *
 * Method: integer subtraction from a constant gives a seed of 1/y or 1/sqrt(x), Newton's iterations refine
 * it, and Markstein's final step rounds correctly: q + (x - y q) (1/y), and g + (x - g g) / (2 g).
 * docs/decisions/0043-division-on-pes.md has the reasons. */
#ifndef PSIM_SIMD_MATH_H
#define PSIM_SIMD_MATH_H

#include "psim_simd.h"

#ifndef __FP_FAST_FMA
#error "psim_simd_math.h needs multiply-adds: compile with -mcpu=niagara3"
#endif

/* Integers of 64 bits, and of 32 bits each, in floating-point registers: VIS 1 and 3, as words because the
 * assembler takes fpadd64 and fpsub64 with few options. */
#define PSIM_VIS_(NAME, WORD)                                                    \
  static inline double NAME(double a, double b) {                                \
    double r;                                                                    \
    __asm__("psim_word_ " WORD ", %0, %1, %2, %%f0" : "=e"(r) : "e"(a), "e"(b)); \
    return r;                                                                    \
  }
PSIM_VIS_(psim_add64_, "0x81b00840")       /* fpadd64 */
PSIM_VIS_(psim_sub64_, "0x81b008c0")       /* fpsub64 */
PSIM_VIS_(psim_shift_right_, "0x81b004e0") /* fsrl32 */
PSIM_VIS_(psim_and_, "0x81b00e00")         /* fandd */
PSIM_VIS_(psim_xor_, "0x81b00d80")         /* fxord */
#undef PSIM_VIS_

/* x OP y ? a : b with the quiet compare; "uo": unordered. */
#define PSIM_CHOOSE_(NAME, MOVE)                                      \
  static inline double NAME(double x, double y, double a, double b) { \
    __asm__("fcmpd %%fcc3, %1, %2\n\tfmovd" MOVE " %%fcc3, %3, %0"    \
            : "+e"(b)                                                 \
            : "e"(x), "e"(y), "e"(a)                                  \
            : "fcc3");                                                \
    return b;                                                         \
  }
PSIM_CHOOSE_(psim_choose_lt_, "l")
PSIM_CHOOSE_(psim_choose_gt_, "g")
PSIM_CHOOSE_(psim_choose_eq_, "e")
PSIM_CHOOSE_(psim_choose_uo_, "u")
#undef PSIM_CHOOSE_

/* The constants, whose bits count where they meet integer operations. */
#define PSIM_INFINITY_ __builtin_inf()
#define PSIM_QUIET_NAN_ __builtin_nan("0x7ffffffffffff") /* all bits but the sign, as SPARC makes them */
#define PSIM_ULP_ 0x1p-1074                              /* the integer 1 */

/* c - a b, rounded once (fnmsubd; gcc makes two instructions of the multiply-add with -a). */
static inline double psim_residual_(double a, double b, double c) { return -__builtin_fma(a, b, -c); }

/* 1/y with a relative error of 2^-9.6, for y whose reciprocal is normal: integer subtraction and one of
 * Newton's steps whose constants together have the least error. */
static inline double psim_seed_reciprocal_(double y) {
  const double s = psim_sub64_(0x1.e668p+1022 /* 0x7fde668000000000 */, y);
  return s * psim_residual_(y, s, 2.001281);
}
/* An x or y that is zero, infinite or no number: x y is the quotient, with its sign and payload, if only x is zero or
 * infinite, or if either is not a number. The bits of y xor those of infinity make infinity of zero and zero of infinity:
 * x times that is the quotient by zero or infinity. */
#define PSIM_SPECIAL_QUOTIENT_(x, y)                                                                    \
  const double product_ = (x) * (y), inverse_ = psim_xor_((y), PSIM_INFINITY_), special_ = (x) * inverse_

/* x / y. */
static inline double psim_simd_div(double x, double y) {
  /* y s has an exponent of 0 to 3; -51 to 0 if y is denormal. s is a power of two: its exponent field is 2046 less
   * that of y, whose low two bits are cleared so that s neither overflows nor is denormal. */
  const double s = psim_sub64_(0x1p+1023, psim_and_(y, 0x1p+1021 /* 0x7fc0000000000000 */));
  const double ys = y * s, xs = x * s, size = __builtin_fabs(xs);
  double k = 0.0, xk, r, e, q, q1, q2, scale, below, t, special;
  PSIM_SPECIAL_QUOTIENT_(xs, ys);
  /* The quotient is that of x s 2^k and y s, times 2^-k. Quotients below 2^-704, whose residuals may be denormal, take
   * k = 256; those above 2^896 take k = -128. If x is zero or y infinite, a NaN takes the place of s 2^k and makes one of the
   * quotient. */
  k = psim_choose_lt_(size, 0x1p-700, 0x1p-767 /* 256 << 52 */, k);
  k = psim_choose_gt_(size, 0x1p+900, -0x1p+897 /* -128 << 52 */, k);
  xk = psim_choose_eq_(inverse_, 0.0, PSIM_QUIET_NAN_, psim_add64_(s, k));
  xk = x * psim_choose_eq_(xs, 0.0, PSIM_QUIET_NAN_, xk);
  scale = psim_sub64_(1.0, k); /* 2^-k */
  r = psim_seed_reciprocal_(ys);
  r *= psim_residual_(ys, r, 2.000003); /* (1 + e) / y s, e from 2^-19.6 to 2^-18.3 */
  q = xk * r;
  e = psim_residual_(ys, r, 1.0);
  e = __builtin_fma(e, e, e);
  r = __builtin_fma(r, e, r); /* above 1 / y s, or the next number to it */
  q = __builtin_fma(q, e, q); /* error below two units in the last place */
  q1 = __builtin_fma(psim_residual_(ys, q, xk), r, q);
  r = __builtin_fma(psim_residual_(ys, r, 1.0), r, r);
  e = psim_residual_(ys, q1, xk); /* exact */
  q2 = __builtin_fma(e, r, q1);   /* correctly rounded to 53 bits */
  /* A denormal quotient is rounded once, in the last product: of the next number away from zero and the number before
   * 2^-256, if the quotient is between two numbers. t is positive if it is away from zero of q1, zero if it is q1. */
  t = psim_xor_(psim_and_(xk, -0.0), e);
  below = psim_sub64_(scale, PSIM_ULP_);
  __asm__("fcmpd %%fcc2, %3, %4\n\t"
          "fmovduge %%fcc2, %5, %2\n\t"
          "fcmpd %%fcc3, %2, %5\n\t"
          "fmovdg %%fcc3, %6, %0\n\t"
          "fmovdl %%fcc3, %7, %0\n\t"
          "fmovdlg %%fcc3, %8, %1"
          : "+&e"(q2), "+&e"(scale), "+&e"(t)
          : "e"(__builtin_fabs(q1)), "e"(0x1p-766), "e"(0.0), "e"(psim_add64_(q1, PSIM_ULP_)), "e"(q1), "e"(below)
          : "fcc2", "fcc3");
  special = psim_choose_eq_(ys, 0.0, special_, product_);
  special = psim_choose_eq_(inverse_, 0.0, special_, special);
  q = q2 * scale;
  return psim_choose_uo_(q, q, special, q);
}

/* x / y in double with an error of 2^-57, rounded: a quotient of floats is no nearer to the middle between two floats,
 * unless it is that. */
static inline float psim_simd_divf(float xf, float yf) {
  const double x = xf, y = yf;
  double r = psim_seed_reciprocal_(y), e = psim_residual_(y, r, 1.0), q;
  PSIM_SPECIAL_QUOTIENT_(x, y);
  r = __builtin_fma(r, __builtin_fma(e, e, e), r);
  q = x * r;
  q = __builtin_fma(psim_residual_(y, q, x), r, q);
  q = psim_choose_uo_(q, q, product_, q);
  q = psim_choose_eq_(x, 0.0, product_, q); /* whose sign may be lost */
  q = psim_choose_eq_(y, 0.0, special_, q);
  return (float)psim_choose_eq_(inverse_, 0.0, special_, q);
}

/* Refines g = sqrt(x), h = 1 / (2 sqrt(x)): the relative error e becomes 1.5 e^2. */
#define PSIM_REFINE_ROOT_(g, h)                      \
  do {                                               \
    const double r_ = psim_residual_((g), (h), 0.5); \
    (g) = __builtin_fma((g), r_, (g));               \
    (h) = __builtin_fma((h), r_, (h));               \
  } while (0)

/* Sets g = sqrt(x), h = 1 / (2 sqrt(x)) with an error of 2^-34.8, for a normal x. The error of the seed is
 * 2^-4.9. */
#define PSIM_SEED_ROOT_(x, g, h)                                                                           \
  do {                                                                                                     \
    const double y_ = psim_sub64_(0x1.6eb50c7b537a9p+511 /* 0x5fe6eb50c7b537a9 */,                         \
                                  psim_shift_right_((x), 0x0.0000100000001p-1022 /* 1 in both halves */)); \
    (g) = (x)*y_;                                                                                          \
    (h) = y_ * 0.5;                                                                                        \
    PSIM_REFINE_ROOT_(g, h);                                                                               \
    PSIM_REFINE_ROOT_(g, h);                                                                               \
    PSIM_REFINE_ROOT_(g, h);                                                                               \
  } while (0)

/* Replaces the root `g` of zero, infinity, a negative number and no number. */
static inline double psim_root_(double g, double x) {
  __asm__(
      "fcmpd %%fcc2, %1, %2\n\t"
      "fcmpd %%fcc3, %1, %3\n\t"
      "fmovduge %%fcc2, %4, %0\n\t"
      "fmovde %%fcc3, %4, %0\n\t"
      "fmovdl %%fcc3, %5, %0"
      : "+&e"(g)
      : "e"(x), "e"(PSIM_INFINITY_), "e"(0.0), "e"(x + x), "e"(PSIM_QUIET_NAN_)
      : "fcc2", "fcc3");
  return g;
}

/* The square root of x. */
static inline double psim_simd_sqrt(double x) {
  double up = 1.0, down = 1.0, xs, g, h;
  /* Below 2^-900, where the residual may be denormal, the root of 2^200 x, times 2^-100. */
  __asm__(
      "fcmpd %%fcc3, %2, %3\n\t"
      "fmovdl %%fcc3, %4, %0\n\t"
      "fmovdl %%fcc3, %5, %1"
      : "+&e"(up), "+&e"(down)
      : "e"(x), "e"(0x1p-900), "e"(0x1p+200), "e"(0x1p-100)
      : "fcc3");
  xs = x * up;
  PSIM_SEED_ROOT_(xs, g, h);
  PSIM_REFINE_ROOT_(g, h);
  g = __builtin_fma(psim_residual_(g, g, xs), h, g);
  return psim_root_(g * down, x);
}

/* The square root of x in double, with an error below 2^-52, rounded. */
static inline float psim_simd_sqrtf(float xf) {
  const double x = xf;
  double g, h;
  PSIM_SEED_ROOT_(x, g, h);
  g = __builtin_fma(psim_residual_(g, g, x), h, g);
  return (float)psim_root_(g, x);
}

#undef PSIM_SPECIAL_QUOTIENT_
#undef PSIM_REFINE_ROOT_
#undef PSIM_SEED_ROOT_
#undef PSIM_INFINITY_
#undef PSIM_QUIET_NAN_
#undef PSIM_ULP_

#endif
