/* SPDX-License-Identifier: Apache-2.0
 * More functions of the mathematical library for SIMD functions, like those of psim_simd_elementary.h:
 *
 *     psim_simd_tan, _asin, _acos, _atan, _atan2, _erf             within one unit in the last place of the result
 *     psim_simd_erfc                                               within 1.2 units
 *     psim_simd_fmod                                               exact
 *
 * psim_simd_tan and psim_simd_fmod are for SIMD state only.
 *
 * Methods: tan, asin, acos, atan, erf and erfc have the polynomials of fdlibm (k_tan.c, e_asin.c, s_atan.c, s_erf.c of Sun Microsystems,
 * 1993; freely granted), with selects for its branches and sums of two numbers where it has tables of splits. fmod subtracts
 * multiples of y with quotients of 53 bits until no PE has more than y. */
#ifndef PSIM_SIMD_ANGLES_H
#define PSIM_SIMD_ANGLES_H

#include "psim_simd_powers.h"

#define PSIM_NO_NUMBER_ __builtin_nan("0x7ffffffffffff")
#define PSIM_SMALLEST_ 0x1p-1074

/* The value of c[0] + c[1] x + …, of `n` coefficients. */
static inline double psim_polynomial_(double x, const double *c, int n) {
  double y = c[n - 1];
  for (int i = n - 2; i >= 0; i--) y = __builtin_fma(y, x, c[i]);
  return y;
}

/* The tangent of a reduced number; with the last of its bits, the cotangent with the other sign. */
static inline double psim_tangent_of_(struct psim_reduced_ reduced) {
  static const double kOdd[] = {1.33333333333201242699e-01, 2.18694882948595424599e-02, 3.59207910759131235356e-03,
                                5.88041240820264096874e-04, 7.81794442939557092300e-05, -1.85586374855275456654e-05};
  static const double kEven[] = {5.39682539762260521377e-02, 8.86323982359930005737e-03, 1.45620945432529025516e-03,
                                 2.46463134818469906812e-04, 7.14072491382608190305e-05, 2.59073051863633712884e-05};
  const double odd = psim_and_(reduced.bits, PSIM_SMALLEST_), turn = psim_choose_eq_(odd, 0.0, 1.0, -1.0);
  const double size = __builtin_fabs(reduced.r), rest = psim_choose_lt_(reduced.r, 0.0, -reduced.rest, reduced.rest);
  /* From 0.67434 on: tan(pi/4 - x) = (1 - tan x) / (1 + tan x) */
  const double large = (0x1.921fb54442d18p-1 - size) + (0x1.1a62633145c07p-55 - rest);
  const double x = psim_choose_lt_(size, 0.67434, size, large), y = psim_choose_lt_(size, 0.67434, rest, 0.0);
  const double z = x * x, w = z * z, s = z * x;
  const double sum = psim_polynomial_(w, kOdd, 6) + z * psim_polynomial_(w, kEven, 6);
  const double r = __builtin_fma(3.33333333333334091986e-01, s, y + z * (s * sum + y)), t = x + r;
  const double below = r - (t - x);
  const double numerator = psim_choose_lt_(size, 0.67434, -1.0, t * t), denominator = psim_choose_lt_(size, 0.67434, t, t + turn);
  const double q = psim_simd_div(numerator, denominator);
  const double other = __builtin_fma(q, __builtin_fma(q, below, __builtin_fma(q, t, 1.0)), q); /* -1 / (x + r) */
  double result = psim_choose_eq_(odd, 0.0, t, other);
  result = psim_choose_lt_(size, 0.67434, result, turn - 2.0 * (x - (q - r)));
  return psim_choose_lt_(reduced.r, 0.0, -result, result);
}
static inline double psim_simd_tan(double x) {
  const double size = __builtin_fabs(x);
  double result = psim_tangent_of_(psim_reduce_(psim_choose_lt_(size, 0x1p40, x, 1.0)));
  if (PSIM_SUM_OF_PES_(psim_choose_lt_(size, 0x1p40, 0.0, 1.0)) != 0) { /* all PEs agree */
    const double large = psim_tangent_of_(psim_reduce_large_(psim_choose_lt_(size, __builtin_inf(), x, 1.0)));
    result = psim_choose_lt_(size, 0x1p40, result, psim_choose_lt_(size, __builtin_inf(), large, x - x));
  }
  return psim_choose_lt_(size, 0x1p-60, x, result);
}

/* n pi/4 + turn v, where |v| is at most pi/2, and less if n is 1 */
static inline double psim_with_quarters_(double n, double turn, struct psim_pair_ v) {
  const double c = n * 0x1.921fb54442d18p-1;
  const double low = __builtin_fma(n, 0x1.921fb54442d18p-1, -c) + n * 0x1.1a62633145c07p-55;
  const struct psim_pair_ sum = psim_pair_of_(c, turn * v.h);
  return sum.h + (sum.l + (low + turn * v.l));
}

/* The angle of (x, y), of which atan(y / x) is that of (1, y / x). */
static inline double psim_simd_atan2(double y, double x) {
  static const double kEven[] = {3.33333333333329318027e-01, 1.42857142725034663711e-01, 9.09088713343650656196e-02,
                                 6.66107313738753120669e-02, 4.97687799461593236017e-02, 1.62858201153657823623e-02};
  static const double kOdd[] = {-1.99999999998764832476e-01, -1.11111104054623557880e-01, -7.69187620504482999495e-02,
                                -5.83357013379057348645e-02, -3.65315727442169155270e-02};
  const double a = __builtin_fabs(x), b = __builtin_fabs(y), sign_of_x = psim_signed_as_(1.0, x);
  double most = psim_choose_gt_(b, a, b, a), least = psim_choose_gt_(b, a, a, b), factor = 1.0, back, n, turn;
  struct psim_pair_ numerator, denominator, v;
  /* Two infinities are as two ones; zeros are as 0 and 1. */
  least = psim_choose_eq_(most, __builtin_inf(), psim_choose_eq_(least, most, 1.0, 0.0), least);
  most = psim_choose_eq_(most, __builtin_inf(), 1.0, psim_choose_eq_(most, 0.0, 1.0, most));
  factor = psim_choose_gt_(most, 0x1p900, 0x1p-200, factor);
  factor = psim_choose_lt_(most, 0x1p-700, 0x1p300, factor);
  most *= factor, least *= factor;
  /* A small quotient may be denormal. */
  back = psim_choose_lt_(least, most * 0x1p-300, 0x1p-300, 1.0);
  least *= psim_choose_eq_(back, 1.0, 1.0, 0x1p300);
  /* atan(q) = pi/4 + atan((q - 1) / (q + 1)) */
  n = psim_choose_eq_(back, 1.0, psim_choose_gt_(least, 0.4142 * most, 1.0, 0.0), 0.0);
  numerator.h = psim_choose_eq_(n, 0.0, least, least - most);
  numerator.l = psim_choose_eq_(n, 0.0, 0.0, least - (numerator.h + most));
  denominator = psim_pair_of_(most, psim_choose_eq_(n, 0.0, 0.0, least));
  v = psim_quotient_of_pairs_(numerator, denominator);
  {
    const double z = v.h * v.h, w = z * z;
    const double sum = z * (psim_polynomial_(w, kEven, 6) + z * psim_polynomial_(w, kOdd, 5));
    v = psim_pair_of_(v.h, __builtin_fma(-v.h, psim_choose_eq_(back, 1.0, sum, 0.0), v.l * (1 - psim_choose_eq_(back, 1.0, z, 0.0))));
  }
  v.h *= back, v.l *= back;
  turn = psim_choose_gt_(b, a, -1.0, 1.0);
  n = psim_choose_gt_(b, a, 2 - n, n);
  n = psim_choose_lt_(sign_of_x, 0.0, 4 - n, n);
  turn = psim_choose_lt_(sign_of_x, 0.0, -turn, turn);
  return psim_choose_uo_(x, y, x + y, psim_signed_as_(__builtin_fabs(psim_with_quarters_(n, turn, v)), y));
}
static inline double psim_simd_atan(double x) { return psim_simd_atan2(x, 1.0); }

/* asin(v) or asin(sqrt((1 - |x|) / 2)), for |x| from 1/2 on; acos(|x|) is twice the latter. */
static inline struct psim_pair_ psim_inverse_sine_(double x) {
  static const double kP[] = {1.66666666666666657415e-01, -3.25565818622400915405e-01, 2.01212532134862925881e-01,
                              -4.00555345006794114027e-02, 7.91534994289814532176e-04, 3.47933107596021167570e-05};
  static const double kQ[] = {1.0, -2.40339491173441421878e+00, 2.02094576023350569471e+00, -6.88283971605453293030e-01,
                              7.70381505559019352791e-02};
  const double size = __builtin_fabs(x), half = 0.5 * (1 - size), z = psim_choose_lt_(size, 0.5, size * size, half);
  const double root = psim_simd_sqrt(half), more = psim_residual_(root, root, half);
  const double rest = psim_choose_gt_(half, 0.0, more * psim_seed_reciprocal_(psim_choose_gt_(half, 0.0, 2 * root, 1.0)), 0.0);
  const double v = psim_choose_lt_(size, 0.5, size, root);
  const double ratio = psim_simd_div(z * psim_polynomial_(z, kP, 6), psim_polynomial_(z, kQ, 5));
  return psim_pair_of_(v, __builtin_fma(v, ratio, psim_choose_lt_(size, 0.5, 0.0, rest)));
}
static inline double psim_simd_asin(double x) {
  const double size = __builtin_fabs(x);
  const struct psim_pair_ v = psim_inverse_sine_(x);
  const double y = psim_signed_as_(
      __builtin_fabs(psim_with_quarters_(psim_choose_lt_(size, 0.5, 0.0, 2.0), psim_choose_lt_(size, 0.5, 1.0, -2.0), v)), x);
  return psim_choose_uo_(x, x, x, psim_choose_gt_(size, 1.0, PSIM_NO_NUMBER_, psim_choose_lt_(size, 0x1p-60, x, y)));
}
static inline double psim_simd_acos(double x) {
  const double size = __builtin_fabs(x), sign = psim_signed_as_(1.0, x);
  const struct psim_pair_ v = psim_inverse_sine_(x);
  const double y = psim_with_quarters_(psim_choose_lt_(size, 0.5, 2.0, psim_choose_lt_(x, 0.0, 4.0, 0.0)),
                                       psim_choose_lt_(size, 0.5, -sign, 2 * sign), v);
  return psim_choose_uo_(x, x, x, psim_choose_gt_(size, 1.0, PSIM_NO_NUMBER_, y));
}

/* erf(|x|) = erf.h + erf.l + more, and what 1 - erf(|x|) is from 1.25 on */
struct psim_error_ {
  struct psim_pair_ erf;
  double more, rest;
};
static inline struct psim_error_ psim_error_function_(double size) {
  static const double kPp[] = {1.28379167095512558561e-01, -3.25042107247001499370e-01, -2.84817495755985104766e-02,
                               -5.77027029648944159157e-03, -2.37630166566501626084e-05};
  static const double kQq[] = {1.0, 3.97917223959155352819e-01, 6.50222499887672944485e-02, 5.08130628187576562776e-03,
                               1.32494738004321644526e-04, -3.96022827877536812320e-06};
  static const double kPa[] = {-2.36211856075265944077e-03, 4.14856118683748331666e-01, -3.72207876035701323847e-01, 3.18346619901161753674e-01,
                               -1.10894694282396677476e-01, 3.54783043256182359371e-02, -2.16637559486879084300e-03};
  static const double kQa[] = {1.0, 1.06420880400844228286e-01, 5.40397917702171048937e-01, 7.18286544141962662868e-02,
                               1.26171219808761642112e-01, 1.36370839120290507362e-02, 1.19844998467991074170e-02};
  static const double kRa[] = {-9.86494403484714822705e-03, -6.93858572707181764372e-01, -1.05586262253232909814e+01, -6.23753324503260060396e+01,
                               -1.62396669462573470355e+02, -1.84605092906711035994e+02, -8.12874355063065934246e+01, -9.81432934416914548592e+00};
  static const double kSa[] = {1.0, 1.96512716674392571292e+01, 1.37657754143519042600e+02, 4.34565877475229228821e+02, 6.45387271733267880336e+02,
                               4.29008140027567833386e+02, 1.08635005541779435134e+02, 6.57024977031928170135e+00, -6.04244152148580987438e-02};
  static const double kRb[] = {-9.86494292470009928597e-03, -7.99283237680523006574e-01, -1.77579549177547519889e+01, -1.60636384855821916062e+02,
                               -6.37566443368389627722e+02, -1.02509513161107724954e+03, -4.83519191608651397019e+02};
  static const double kSb[] = {1.0, 3.03380607434824582924e+01, 3.25792512996573918826e+02, 1.53672958608443695994e+03, 3.19985821950859553908e+03,
                               2.55305040643316442583e+03, 4.74528541206955367215e+02, -2.24409524465858183362e+01};
  const double x = psim_choose_lt_(size, 28.0, size, 28.0), z = x * x, s = x - 1;
  const double away = psim_choose_lt_(x, 1.25, 1.0, x); /* of which the inverse and its square are needed */
  const struct psim_pair_ one = {1.0, 0.0}, point = {away, 0.0}, inverse = psim_quotient_of_pairs_(one, point);
  const double t = inverse.h * inverse.h;
  double p = psim_polynomial_(z, kPp, 5), q = psim_polynomial_(z, kQq, 6), high, low;
  struct psim_pair_ upper = {0.0, 0.0}, lower = {0.0, 0.0}, ratio;
  struct psim_error_ result;
  const double middle_p = psim_polynomial_(s, kPa, 7), middle_q = psim_polynomial_(s, kQa, 7);
  const double near_p = psim_polynomial_(t, kRa, 8), near_q = psim_polynomial_(t, kSa, 9);
  const double far_p = psim_polynomial_(t, kRb, 7), far_q = psim_polynomial_(t, kSb, 8);
  p = psim_choose_lt_(x, 0.84375, p, psim_choose_lt_(x, 1.25, middle_p, psim_choose_lt_(x, 1 / 0.35, near_p, far_p)));
  q = psim_choose_lt_(x, 0.84375, q, psim_choose_lt_(x, 1.25, middle_q, psim_choose_lt_(x, 1 / 0.35, near_q, far_q)));
  upper.h = p, lower.h = q;
  ratio = psim_quotient_of_pairs_(upper, lower);
  /* exp(-x^2 - 0.5625 + ratio) / x */
  high = -z, low = -__builtin_fma(x, x, -z);
  {
    const struct psim_pair_ first = psim_pair_of_(high, -0.5625), sum = psim_pair_of_(first.h, ratio.h);
    const struct psim_exponential_ e = psim_exponential_of_(sum.h, sum.l + (first.l + low + ratio.l));
    const struct psim_pair_ power = {e.h, e.l}, quotient = psim_product_of_pairs_(power, inverse);
    result.rest = psim_scaled_(quotient.h, e.k);
  }
  result.erf.h = psim_choose_lt_(x, 0.84375, x, psim_choose_lt_(x, 1.25, 8.45062911510467529297e-01, 1.0));
  result.erf.l = psim_choose_lt_(x, 0.84375, x * ratio.h, psim_choose_lt_(x, 1.25, ratio.h, -result.rest));
  result.more = psim_choose_lt_(x, 0.84375, __builtin_fma(x, ratio.h, -x * ratio.h) + x * ratio.l, psim_choose_lt_(x, 1.25, ratio.l, 0.0));
  return result;
}
static inline double psim_simd_erf(double x) {
  const struct psim_error_ of = psim_error_function_(__builtin_fabs(x));
  return psim_choose_uo_(x, x, x, psim_signed_as_(__builtin_fabs(of.erf.h + of.erf.l), x));
}
static inline double psim_simd_erfc(double x) {
  const double size = __builtin_fabs(x), sign = psim_signed_as_(1.0, x);
  const struct psim_error_ of = psim_error_function_(size);
  const struct psim_pair_ sum = psim_pair_of_(1.0, -sign * of.erf.h);
  const double near = sum.h + (sum.l - sign * (of.erf.l + of.more));
  const double far = psim_choose_lt_(x, 0.0, 2 - of.rest, of.rest);
  return psim_choose_uo_(x, x, x, psim_choose_lt_(size, 1.25, near, far));
}

static inline double psim_simd_fmod(double x, double y) {
  const double by = __builtin_fabs(y), size = __builtin_fabs(x);
  const double good = psim_choose_gt_(by, 0.0, psim_choose_lt_(size, __builtin_inf(), 1.0, 0.0), 0.0);
  const double divisor = psim_choose_eq_(good, 1.0, psim_choose_lt_(by, __builtin_inf(), by, 0x1p1023), 1.0);
  double rest = psim_choose_eq_(good, 1.0, size, 0.0);
  while (PSIM_SUM_OF_PES_(psim_choose_lt_(__builtin_fabs(rest), divisor, 0.0, 1.0)) != 0) {
    /* A multiple of y by a power of two, if the quotient would be infinite. */
    double multiple = psim_choose_lt_(divisor, __builtin_fabs(rest) * 0x1p-1000, divisor * 0x1p+990, divisor), q;
    multiple = psim_choose_lt_(multiple, __builtin_fabs(rest) * 0x1p-1000, multiple * 0x1p+200, multiple);
    q = psim_simd_trunc(psim_simd_div(rest, multiple));
    rest = psim_residual_(q, multiple, rest);
  }
  rest = psim_choose_lt_(rest, 0.0, rest + divisor, rest);
  rest = psim_signed_as_(__builtin_fabs(rest), x);
  rest = psim_choose_lt_(size, by, x, rest); /* also of infinite y */
  rest = psim_choose_eq_(good, 1.0, rest, PSIM_NO_NUMBER_);
  return psim_choose_uo_(x, y, x + y, rest);
}

#undef PSIM_NO_NUMBER_
#undef PSIM_SMALLEST_

#endif
