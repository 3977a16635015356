/* SPDX-License-Identifier: Apache-2.0
 * More functions of the mathematical library for SIMD functions, like those of psim_simd_elementary.h:
 *
 *     psim_simd_pow, _exp2, _log2, _log10, _expm1, _log1p, _sinh, _cosh, _tanh, _cbrt, _hypot
 *
 * Each is within one unit in the last place of the result. psim_simd_powi(x, n) and psim_simd_powif multiply; n is the same for all PEs.
 *
 * Method: exponentials and logarithms as sums of two numbers, with errors of some 2^-57 and 2^-65, from series; the other functions
 * combine these. docs/decisions/0094-more-loops-on-pes.md has the errors. */
#ifndef PSIM_SIMD_POWERS_H
#define PSIM_SIMD_POWERS_H

#include "psim_simd_elementary.h"

#define PSIM_NO_NUMBER_ __builtin_nan("0x7ffffffffffff")

/* The number h + l, where l is at most half a unit in the last place of h. */
struct psim_pair_ {
  double h, l;
};
static inline struct psim_pair_ psim_pair_of_(double h, double l) { /* |h| >= |l|, or h = 0 */
  struct psim_pair_ sum;
  sum.h = h + l;
  sum.l = l - (sum.h - h);
  return sum;
}
/* n / d. The reciprocal has an error of some 2^-37. */
static inline double psim_reciprocal_near_(double d) {
  double r = psim_seed_reciprocal_(d);
  r = __builtin_fma(r, psim_residual_(d, r, 1.0), r);
  return __builtin_fma(r, psim_residual_(d, r, 1.0), r);
}
static inline struct psim_pair_ psim_quotient_of_pairs_(struct psim_pair_ n, struct psim_pair_ d) {
  const double r = psim_reciprocal_near_(d.h), first = n.h * r;
  const double q = __builtin_fma(psim_residual_(first, d.h, n.h), r, first);
  const double rest = psim_residual_(q, d.h, n.h) + psim_residual_(q, d.l, n.l);
  return psim_pair_of_(q, rest * r);
}
static inline struct psim_pair_ psim_product_of_pairs_(struct psim_pair_ a, struct psim_pair_ b) {
  const double h = a.h * b.h;
  return psim_pair_of_(h, __builtin_fma(a.h, b.h, -h) + (a.h * b.l + a.l * b.h));
}

/* (h + l) 2^k */
struct psim_exponential_ {
  double h, l, k;
};
/* exp(r + rest) 2^k, for |r| up to log(2) / 2 */
static inline struct psim_exponential_ psim_exponential_series_(double r, double rest, double k) {
  struct psim_exponential_ e;
  struct psim_pair_ one, all;
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
  one = psim_pair_of_(1.0, r);
  all = psim_pair_of_(one.h, one.l + __builtin_fma(r * r, q, __builtin_fma(rest, r, rest)));
  e.h = all.h, e.l = all.l, e.k = k;
  return e;
}
static inline double psim_integer_near_(double x) { return psim_opaque_(x + 0x1.8p52) - 0x1.8p52; }
static inline double psim_between_(double x, double low, double high) { /* a NaN remains one */
  x = psim_choose_gt_(x, high, high, x);
  return psim_choose_lt_(x, low, low, x);
}
/* exp(x + rest), x from -1100 to 1100 */
static inline struct psim_exponential_ psim_exponential_of_(double x, double rest) {
  const double k = psim_integer_near_(x * 0x1.71547652b82fep+0);
  const double high = __builtin_fma(-k, 0x1.62e42feep-1, x), low = k * 0x1.a39ef35793c76p-33;
  const double first = high - low;
  const struct psim_pair_ r = psim_pair_of_(first, ((high - first) - low) + rest);
  return psim_exponential_series_(r.h, r.l, k);
}
static inline double psim_scaled_(double y, double k) {
  const double half = psim_integer_near_(k * 0.5);
  return y * psim_power_of_two_(half) * psim_power_of_two_(k - half);
}
static inline double psim_value_of_(struct psim_exponential_ e) { return psim_scaled_(e.h, e.k); }

/* log(m) = h + l for the z + rest = m 2^k with m between sqrt(1/2) and sqrt(2). z: normal, positive */
struct psim_logarithm_ {
  struct psim_pair_ m;
  double k;
};
static inline struct psim_logarithm_ psim_logarithm_of_(double z, double rest) {
  struct psim_logarithm_ result;
  struct psim_pair_ f, d, s, a, b, c;
  const double exponent = psim_and_(psim_sub64_(z, 0x1.6a09e667f3bcdp-1), -__builtin_inf());
  double p = 2.0 / 25, square, below, product;
  result.k = psim_to_number_(exponent) * 0x1p-52;
  f = psim_pair_of_(psim_sub64_(z, exponent) - 1, rest * psim_sub64_(1.0, exponent));
  d = psim_pair_of_(2.0, f.h);
  d.l += f.l;
  s = psim_quotient_of_pairs_(f, d);
  square = s.h * s.h, below = __builtin_fma(s.h, s.h, -square) + 2 * s.h * s.l;
  p = __builtin_fma(p, square, 2.0 / 23);
  p = __builtin_fma(p, square, 2.0 / 21);
  p = __builtin_fma(p, square, 2.0 / 19);
  p = __builtin_fma(p, square, 2.0 / 17);
  p = __builtin_fma(p, square, 2.0 / 15);
  p = __builtin_fma(p, square, 2.0 / 13);
  p = __builtin_fma(p, square, 2.0 / 11);
  p = __builtin_fma(p, square, 2.0 / 9);
  p = __builtin_fma(p, square, 2.0 / 7);
  p = __builtin_fma(p, square, 2.0 / 5);
  product = square * p;
  a = psim_pair_of_(0x1.5555555555555p-1, product);
  a.l += __builtin_fma(square, p, -product) + 0x1.5555555555555p-55;
  b.h = square * a.h;
  b.l = __builtin_fma(square, a.h, -b.h) + (square * a.l + below * a.h);
  c.h = s.h * b.h;
  c.l = __builtin_fma(s.h, b.h, -c.h) + (s.h * b.l + s.l * b.h);
  result.m = psim_pair_of_(2 * s.h, c.h);
  result.m = psim_pair_of_(result.m.h, result.m.l + (2 * s.l + c.l));
  return result;
}
/* Adds k log(2). */
static inline struct psim_pair_ psim_with_exponent_(struct psim_logarithm_ of, double k) {
  const struct psim_pair_ first = psim_pair_of_(k * 0x1.62e42feep-1, of.m.h); /* the product is exact */
  const double low = k * 0x1.a39ef35793c76p-33;
  const double below = __builtin_fma(k, 0x1.a39ef35793c76p-33, -low) + k * 0x1.cc01f97b57a08p-87;
  return psim_pair_of_(first.h, first.l + of.m.l + low + below);
}
/* A number that is not denormal in its place, and what its k is too large by. */
struct psim_normal_ {
  double z, less;
};
static inline struct psim_normal_ psim_normal_of_(double x) {
  struct psim_normal_ normal;
  normal.z = x * psim_choose_lt_(x, 0x1p-1022, 0x1p54, 1.0);
  normal.less = psim_choose_lt_(x, 0x1p-1022, 54.0, 0.0);
  return normal;
}
static inline double psim_logarithm_or_special_(double y, double x) {
  y = psim_choose_lt_(x, __builtin_inf(), y, x); /* infinity, and NaNs */
  y = psim_choose_lt_(x, 0.0, PSIM_NO_NUMBER_, y);
  return psim_choose_eq_(x, 0.0, -__builtin_inf(), y);
}

static inline double psim_simd_pow(double x, double y) {
  const double size = __builtin_fabs(x), power = __builtin_fabs(y);
  const double usual = psim_choose_gt_(size, 0.0, psim_choose_lt_(size, __builtin_inf(), size, 1.0), 1.0);
  const struct psim_normal_ normal = psim_normal_of_(usual);
  const struct psim_logarithm_ of = psim_logarithm_of_(normal.z, 0.0);
  const struct psim_pair_ log = psim_with_exponent_(of, of.k - normal.less);
  double high = y * log.h, low = __builtin_fma(y, log.h, -high) + y * log.l, result, whole, odd;
  low = psim_choose_lt_(__builtin_fabs(high), 800.0, low, 0.0);
  result = psim_value_of_(psim_exponential_of_(psim_between_(high, -746.0, 710.0), low));
  /* Zero and infinity are extreme numbers above or below 1. */
  result = psim_choose_eq_(size, 0.0, psim_choose_gt_(y, 0.0, 0.0, __builtin_inf()), result);
  result = psim_choose_eq_(size, __builtin_inf(), psim_choose_gt_(y, 0.0, __builtin_inf(), 0.0), result);
  result = psim_choose_eq_(size, 1.0, 1.0, result);
  /* A negative x needs an integer y. From 2^53 on all numbers are even. */
  whole = psim_choose_lt_(power, 0x1p53, psim_simd_rint(y), y);
  odd = psim_choose_lt_(power, 0x1p53, power - 2 * psim_simd_trunc(power * 0.5), 0.0);
  result = psim_choose_eq_(odd, 1.0, psim_signed_as_(result, x), result);
  result = psim_choose_lt_(x, 0.0, psim_choose_eq_(size, __builtin_inf(), result, psim_choose_eq_(whole, y, result, PSIM_NO_NUMBER_)), result);
  result = psim_choose_uo_(x, y, x + y, result);
  result = psim_choose_eq_(x, 1.0, 1.0, result);
  return psim_choose_eq_(y, 0.0, 1.0, result);
}
#define PSIM_POWER_(NAME, TYPE, DIVIDE) /* as libgcc's __powidf2 and __powisf2 */ \
  static inline TYPE NAME(TYPE x, int n) {                                        \
    unsigned left = n < 0 ? -(unsigned)n : (unsigned)n;                           \
    TYPE result = left % 2 ? x : 1;                                               \
    while (left >>= 1) {                                                          \
      x *= x;                                                                     \
      if (left % 2) result *= x;                                                  \
    }                                                                             \
    return n < 0 ? DIVIDE(1, result) : result;                                    \
  }
PSIM_POWER_(psim_simd_powi, double, psim_simd_div)
PSIM_POWER_(psim_simd_powif, float, psim_simd_divf)
#undef PSIM_POWER_

static inline double psim_simd_exp2(double x) {
  const double near = psim_between_(x, -1080.0, 1030.0), k = psim_integer_near_(near), f = near - k;
  const double r = f * 0x1.62e42fefa39efp-1;
  return psim_value_of_(
      psim_exponential_series_(r, __builtin_fma(f, 0x1.62e42fefa39efp-1, -r) + f * 0x1.abc9e3b39803fp-56, k));
}
static inline double psim_simd_log2(double x) {
  const struct psim_normal_ normal = psim_normal_of_(x);
  const struct psim_logarithm_ of = psim_logarithm_of_(normal.z, 0.0);
  const struct psim_pair_ unit = {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
  const struct psim_pair_ log = psim_product_of_pairs_(of.m, unit), sum = psim_pair_of_(of.k - normal.less, log.h);
  return psim_logarithm_or_special_(sum.h + (sum.l + log.l), x);
}
static inline double psim_simd_log10(double x) {
  const struct psim_normal_ normal = psim_normal_of_(x);
  const struct psim_logarithm_ of = psim_logarithm_of_(normal.z, 0.0);
  const struct psim_pair_ unit = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
  const struct psim_pair_ log = psim_product_of_pairs_(psim_with_exponent_(of, of.k - normal.less), unit);
  return psim_logarithm_or_special_(log.h, x);
}
static inline double psim_simd_log1p(double x) {
  const double sum = 1 + x, back = sum - 1, rest = (1 - (sum - back)) + (x - back);
  const struct psim_logarithm_ of = psim_logarithm_of_(psim_choose_gt_(sum, 0.0, sum, 1.0), rest);
  const double y = psim_logarithm_or_special_(psim_with_exponent_(of, of.k).h, sum);
  return psim_choose_lt_(__builtin_fabs(x), 0x1p-60, x, y);
}

/* exp(x) - 1 for x from -40 to 700 */
static inline struct psim_pair_ psim_less_one_(struct psim_exponential_ e) {
  const double power = psim_power_of_two_(e.k), h = e.h * power, l = e.l * power;
  const double less = h - 1, back = less + 1, rest = (h - back) + l; /* less + 1 is h, or rounded */
  return psim_pair_of_(less, rest);
}
static inline double psim_simd_expm1(double x) {
  const struct psim_exponential_ e = psim_exponential_of_(psim_between_(x, -40.0, 710.0), 0.0);
  struct psim_exponential_ small = e;
  double y;
  small.k = psim_choose_lt_(e.k, 1000.0, e.k, 0.0);
  y = psim_choose_lt_(e.k, 1000.0, psim_less_one_(small).h, psim_value_of_(e));
  return psim_choose_lt_(__builtin_fabs(x), 0x1p-60, x, psim_choose_uo_(x, x, x, y));
}
/* exp(|x|) for the three functions below, whose results of NaNs are NaNs, and with 40 at most */
static inline struct psim_exponential_ psim_at_most_40_(struct psim_exponential_ e, double size) {
  e.k = psim_choose_lt_(size, 40.0, e.k, 0.0);
  return e;
}
static inline double psim_simd_sinh(double x) {
  const double size = __builtin_fabs(x);
  struct psim_exponential_ e = psim_exponential_of_(psim_between_(size, 0.0, 712.0), 0.0);
  const struct psim_pair_ m = psim_less_one_(psim_at_most_40_(e, size));
  struct psim_pair_ d = psim_pair_of_(1.0, m.h), q, sum;
  /* m / (m + 1), where either may be the larger of the sum */
  const double one = m.h + 1, back = one - m.h;
  d.h = one, d.l = ((m.h - (one - back)) + (1 - back)) + m.l;
  q = psim_quotient_of_pairs_(m, d);
  sum = psim_pair_of_(m.h, q.h);
  e.k -= 1;
  {
    const double y = psim_choose_lt_(size, 40.0, 0.5 * (sum.h + (sum.l + m.l + q.l)), psim_value_of_(e));
    return psim_choose_lt_(size, 0x1p-60, x, psim_choose_uo_(x, x, x, psim_signed_as_(__builtin_fabs(y), x)));
  }
}
static inline double psim_simd_cosh(double x) {
  const double size = __builtin_fabs(x);
  struct psim_exponential_ e = psim_exponential_of_(psim_between_(size, 0.0, 712.0), 0.0);
  const double power = psim_power_of_two_(psim_at_most_40_(e, size).k);
  const struct psim_pair_ d = {e.h * power, e.l * power}, one = {1.0, 0.0};
  const struct psim_pair_ q = psim_quotient_of_pairs_(one, d), sum = psim_pair_of_(d.h, q.h);
  e.k -= 1;
  return psim_choose_uo_(x, x, x, psim_choose_lt_(size, 40.0, 0.5 * (sum.h + (sum.l + d.l + q.l)), psim_value_of_(e)));
}
static inline double psim_simd_tanh(double x) {
  const double size = __builtin_fabs(x), most = psim_choose_gt_(size, 20.0, 20.0, size);
  const struct psim_pair_ m = psim_less_one_(psim_exponential_of_(2 * most, 0.0));
  struct psim_pair_ d;
  const double two = m.h + 2, back = two - m.h;
  d.h = two, d.l = ((m.h - (two - back)) + (2 - back)) + m.l;
  {
    const double y = psim_signed_as_(__builtin_fabs(psim_quotient_of_pairs_(m, d).h), x);
    return psim_choose_lt_(size, 0x1p-60, x, psim_choose_uo_(x, x, x, y));
  }
}

static inline double psim_simd_cbrt(double x) {
  const double size = __builtin_fabs(x);
  double factor = psim_choose_lt_(size, 0x1p-900, 0x1p300, 1.0), back = psim_choose_lt_(size, 0x1p-900, 0x1p-100, 1.0), z, y, t;
  factor = psim_choose_gt_(size, 0x1p900, 0x1p-300, factor), back = psim_choose_gt_(size, 0x1p900, 0x1p100, back);
  z = size * factor;
  /* 1/cbrt(z): the bits of a constant minus a third of those of z, and steps of third order. */
  y = psim_to_integer_(__builtin_fma(psim_to_number_(z), -1.0 / 3, 0x1.54f00p+62));
  for (int step = 0; step < 3; step++) {
    const double r = psim_residual_(z * y, y * y, 1.0);
    y = __builtin_fma(y, r * __builtin_fma(r, 2.0 / 9, 1.0 / 3), y);
  }
  t = z * y * y;
  {
    const double square = t * t, below = __builtin_fma(t, t, -square), cube = square * t;
    const double rest = __builtin_fma(square, t, -cube) + below * t;
    t = __builtin_fma(((z - cube) - rest) * (1.0 / 3), y * y, t);
  }
  t = psim_signed_as_(t * back, x);
  t = psim_choose_lt_(size, __builtin_inf(), t, x + x);
  return psim_choose_eq_(x, 0.0, x, t);
}

static inline double psim_simd_hypot(double x, double y) {
  const double a = __builtin_fabs(x), b = __builtin_fabs(y);
  double large = psim_choose_gt_(b, a, b, a), small = psim_choose_gt_(b, a, a, b), factor = 1.0, back = 1.0, root, result;
  struct psim_pair_ sum;
  factor = psim_choose_gt_(large, 0x1p500, 0x1p-600, factor), back = psim_choose_gt_(large, 0x1p500, 0x1p600, back);
  factor = psim_choose_lt_(large, 0x1p-500, 0x1p600, factor), back = psim_choose_lt_(large, 0x1p-500, 0x1p-600, back);
  large *= factor, small *= factor;
  {
    const double p = large * large, q = small * small;
    sum = psim_pair_of_(p, q);
    sum.l += __builtin_fma(large, large, -p) + __builtin_fma(small, small, -q);
  }
  root = psim_simd_sqrt(sum.h);
  {
    const double twice = psim_choose_gt_(root, 0.0, psim_choose_lt_(root, __builtin_inf(), 2 * root, 1.0), 1.0);
    const double rest = (psim_residual_(root, root, sum.h) + sum.l) * psim_seed_reciprocal_(twice);
    result = (root + psim_choose_lt_(root, __builtin_inf(), rest, 0.0)) * back;
  }
  result = psim_choose_uo_(x, y, x + y, result);
  result = psim_choose_eq_(a, __builtin_inf(), __builtin_inf(), result);
  return psim_choose_eq_(b, __builtin_inf(), __builtin_inf(), result);
}

#undef PSIM_NO_NUMBER_

#endif
