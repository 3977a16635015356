// SPDX-License-Identifier: Apache-2.0
#include "isa/fp/soft_float.h"

#include <bit>
#include <utility>

namespace psim::isa::fp {
namespace {

constexpr u128 kTop = u128{1} << 127;

int leading_zeros(u128 value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  return high != 0 ? std::countl_zero(high) : 64 + std::countl_zero(static_cast<std::uint64_t>(value));
}

/// Returns value / 2^shift, with bit 0 set if any bit was lost.
u128 shift_right_sticky(u128 value, int shift) {
  if (shift == 0) return value;
  if (shift > 127) return value != 0;
  return value >> shift | ((value << (128 - shift)) != 0);
}

Number finite(bool negative, int exponent, u128 significand) {
  if (significand == 0) return {Kind::Zero, negative, 0, 0};
  const int shift = leading_zeros(significand);
  return {Kind::Finite, negative, exponent - shift, significand << shift};
}

Number invalid(Status& status) {
  status.flags |= kInvalid;
  return {Kind::QuietNan, false, 0, kTop - 1};
}

Number quiet(Number number, Status& status) {
  if (number.kind == Kind::SignallingNan) status.flags |= kInvalid;
  number.kind = Kind::QuietNan;
  number.significand |= kTop >> 1;
  return number;
}

/// Returns the NaN that results from an operation on `a` and `b`, of which at least one is a NaN.
Number propagate(const Number& a, const Number& b, Status& status) {
  if (a.kind == Kind::SignallingNan || b.kind == Kind::SignallingNan) status.flags |= kInvalid;
  // Kinds are ordered: finite, quiet, signalling.
  return quiet(a.kind > b.kind || !b.nan() ? a : b, status);
}

bool rounds_away(Rounding rounding, bool negative, bool odd, bool half, bool below_half) {
  switch (rounding) {
    case Rounding::Nearest:
      return half && (below_half || odd);
    case Rounding::Zero:
      return false;
    case Rounding::Up:
      return !negative && (half || below_half);
    case Rounding::Down:
      return negative && (half || below_half);
  }
  return false;
}

struct Rounded {
  u128 kept;
  bool inexact;
};
/// Rounds `significand` without its low `drop` bits (at least 1).
Rounded round_off(u128 significand, int drop, bool negative, Rounding rounding) {
  const u128 half = u128{1} << (drop - 1);
  const u128 kept = significand >> drop;
  const bool has_half = (significand & half) != 0, has_rest = (significand & (half - 1)) != 0;
  const bool away = rounds_away(rounding, negative, (kept & 1) != 0, has_half, has_rest);
  return {kept + (away ? 1 : 0), has_half || has_rest};
}

}  // namespace

Number unpack(u128 bits, FloatFormat format) {
  const int fraction_bits = format.precision - 1;
  const bool negative = (bits >> (fraction_bits + format.exponent_bits) & 1) != 0;
  const int maximum = (1 << format.exponent_bits) - 1;
  const int exponent = static_cast<int>(bits >> fraction_bits) & maximum;
  // The fraction, just below bit 127.
  const u128 fraction = (bits & ((u128{1} << fraction_bits) - 1)) << (127 - fraction_bits);
  if (exponent == maximum) {
    if (fraction == 0) return {Kind::Infinity, negative, 0, 0};
    return {(fraction & kTop >> 1) != 0 ? Kind::QuietNan : Kind::SignallingNan, negative, 0, fraction};
  }
  if (exponent == 0) return finite(negative, 1 - format.bias(), fraction);
  return {Kind::Finite, negative, exponent - format.bias(), kTop | fraction};
}

u128 pack(const Number& number, FloatFormat format, Status& status) {
  const int fraction_bits = format.precision - 1;
  const u128 sign = u128{number.negative} << (fraction_bits + format.exponent_bits);
  const u128 infinity = u128{(1u << format.exponent_bits) - 1} << fraction_bits;
  switch (number.kind) {
    case Kind::Zero:
      return sign;
    case Kind::Infinity:
      return sign | infinity;
    case Kind::QuietNan:
    case Kind::SignallingNan:
      return sign | infinity | quiet(number, status).significand >> (127 - fraction_bits);
    case Kind::Finite:
      break;
  }
  const int least = 1 - format.bias(), drop = 128 - format.precision;
  if (number.exponent < least) {
    const Rounded narrow = round_off(shift_right_sticky(number.significand, least - number.exponent), drop,
                                     number.negative, status.rounding);
    if (narrow.inexact) status.flags |= kInexact;
    // Tiny before rounding: even if the result is rounded up to the least normal number.
    status.flags |= narrow.inexact ? kTiny | kUnderflow : kTiny;
    return sign | narrow.kept;  // a carry into the exponent field makes the least normal number
  }
  const Rounded unbounded = round_off(number.significand, drop, number.negative, status.rounding);
  const bool carry = unbounded.kept >> format.precision != 0;
  const int exponent = number.exponent + carry;
  if (unbounded.inexact) status.flags |= kInexact;
  if (exponent > format.bias()) {
    status.flags |= kOverflow | kInexact;
    const bool to_infinity = status.rounding == Rounding::Nearest ||
                             status.rounding == (number.negative ? Rounding::Down : Rounding::Up);
    return sign | (to_infinity ? infinity : infinity - 1);
  }
  const u128 kept = carry ? unbounded.kept >> 1 : unbounded.kept;
  return sign | ((u128(exponent + format.bias() - 1) << fraction_bits) + kept);
}

Number from_signed(std::int64_t value) {
  const auto magnitude =
      value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  Number number = finite(value < 0, 127, magnitude);
  if (number.kind == Kind::Zero) number.negative = false;
  return number;
}

std::int64_t to_signed(const Number& number, int width, Status& status) {
  const std::int64_t maximum = width == 32 ? INT32_MAX : INT64_MAX;
  const std::int64_t minimum = -maximum - 1;
  switch (number.kind) {
    case Kind::Zero:
      return 0;
    case Kind::Infinity:
      status.flags |= kInvalid;
      return number.negative ? minimum : maximum;
    case Kind::QuietNan:
    case Kind::SignallingNan:
      status.flags |= kInvalid;
      return maximum;
    case Kind::Finite:
      break;
  }
  if (number.exponent < 0) {
    status.flags |= kInexact;
    return 0;
  }
  const u128 whole = number.exponent > 64 ? kTop : number.significand >> (127 - number.exponent);
  const u128 limit = u128(static_cast<std::uint64_t>(maximum)) + number.negative;
  if (whole > limit) {
    status.flags |= kInvalid;
    return number.negative ? minimum : maximum;
  }
  if (number.significand << (number.exponent + 1) != 0) status.flags |= kInexact;
  const auto magnitude = static_cast<std::uint64_t>(whole);
  return static_cast<std::int64_t>(number.negative ? 0 - magnitude : magnitude);
}

Number negated(Number number) {
  if (!number.nan()) number.negative = !number.negative;
  return number;
}

Number sum(const Number& a, const Number& b, Status& status) {
  if (a.nan() || b.nan()) return propagate(a, b, status);
  if (a.kind == Kind::Infinity || b.kind == Kind::Infinity) {
    if (a.kind == b.kind && a.negative != b.negative) return invalid(status);
    return a.kind == Kind::Infinity ? a : b;
  }
  const bool zero_sign = status.rounding == Rounding::Down;  // of an exact zero from different signs
  if (a.kind == Kind::Zero && b.kind == Kind::Zero)
    return {Kind::Zero, a.negative == b.negative ? a.negative : zero_sign, 0, 0};
  if (a.kind == Kind::Zero) return b;
  if (b.kind == Kind::Zero) return a;
  const Number* large = &a;
  const Number* small = &b;
  if (b.exponent > a.exponent || (b.exponent == a.exponent && b.significand > a.significand))
    std::swap(large, small);
  const u128 aligned = shift_right_sticky(small->significand, large->exponent - small->exponent);
  if (a.negative != b.negative) {
    const u128 rest = large->significand - aligned;
    return finite(rest == 0 ? zero_sign : large->negative, large->exponent, rest);
  }
  const u128 total = large->significand + aligned;
  if (total >= aligned) return finite(large->negative, large->exponent, total);
  return {Kind::Finite, large->negative, large->exponent + 1, shift_right_sticky(total, 1) | kTop};
}

Number difference(const Number& a, const Number& b, Status& status) { return sum(a, negated(b), status); }

Number product(const Number& a, const Number& b, Status& status) {
  if (a.nan() || b.nan()) return propagate(a, b, status);
  const bool negative = a.negative != b.negative;
  if (a.kind == Kind::Infinity || b.kind == Kind::Infinity) {
    if (a.kind == Kind::Zero || b.kind == Kind::Zero) return invalid(status);
    return {Kind::Infinity, negative, 0, 0};
  }
  if (a.kind == Kind::Zero || b.kind == Kind::Zero) return {Kind::Zero, negative, 0, 0};
  constexpr u128 kLow = ~std::uint64_t{0};
  const u128 a1 = a.significand >> 64, a0 = a.significand & kLow;
  const u128 b1 = b.significand >> 64, b0 = b.significand & kLow;
  const u128 low = a0 * b0, middle1 = a1 * b0, middle2 = a0 * b1;
  const u128 middle = (low >> 64) + (middle1 & kLow) + (middle2 & kLow);
  const u128 high = a1 * b1 + (middle1 >> 64) + (middle2 >> 64) + (middle >> 64);
  const bool sticky = (low & kLow) != 0 || (middle & kLow) != 0;
  return finite(negative, a.exponent + b.exponent + 1, high | sticky);
}

Number quotient(const Number& a, const Number& b, Status& status) {
  if (a.nan() || b.nan()) return propagate(a, b, status);
  const bool negative = a.negative != b.negative;
  if (a.kind == b.kind && a.kind != Kind::Finite) return invalid(status);  // 0 / 0, infinity / infinity
  if (a.kind == Kind::Infinity) return {Kind::Infinity, negative, 0, 0};
  if (b.kind == Kind::Infinity || a.kind == Kind::Zero) return {Kind::Zero, negative, 0, 0};
  if (b.kind == Kind::Zero) {
    status.flags |= kDivisionByZero;
    return {Kind::Infinity, negative, 0, 0};
  }
  // Operands have at most 113 bits, so halving them is exact and leaves room to double the remainder.
  u128 remainder = a.significand >> 1, bits = 0;
  const u128 divisor = b.significand >> 1;
  constexpr int kBits = 118;  // 113, a lost leading bit, rounding, and some
  for (int i = 0; i < kBits; ++i) {
    bits <<= 1;
    if (remainder >= divisor) remainder -= divisor, bits |= 1;
    remainder <<= 1;
  }
  return finite(negative, a.exponent - b.exponent + 127 - kBits, bits << 1 | (remainder != 0));
}

Number root(const Number& a, Status& status) {
  if (a.nan()) return quiet(a, status);
  if (a.kind == Kind::Zero) return a;
  if (a.negative) return invalid(status);
  if (a.kind == Kind::Infinity) return a;
  // Digit by digit: two bits of the radicand in, one bit of the root out. The radicand is taken in [1, 4).
  const bool odd = (a.exponent & 1) != 0;
  u128 source = a.significand, remainder = odd ? source >> 126 : source >> 127, bits = 0;
  source <<= odd ? 2 : 1;
  constexpr int kBits = 118;
  for (int i = 0; i < kBits; ++i) {
    if (i != 0) {
      remainder = remainder << 2 | source >> 126;
      source <<= 2;
    }
    const u128 trial = bits << 2 | 1;
    bits <<= 1;
    if (remainder >= trial) remainder -= trial, bits |= 1;
  }
  return finite(false, (a.exponent - odd) / 2 + 127 - kBits, bits << 1 | (remainder != 0 || source != 0));
}

Number multiply_add(const Number& a, const Number& b, const Number& c, Status& status) {
  const bool invalid_product = (a.kind == Kind::Infinity && b.kind == Kind::Zero) ||
                               (a.kind == Kind::Zero && b.kind == Kind::Infinity);
  if (c.nan() && invalid_product) return status.flags |= kInvalid, quiet(c, status);
  if (a.nan() || b.nan()) {
    // One priority over all three: signalling first, then c, b, a.
    const Number& best = a.kind > b.kind || !b.nan() ? a : b;
    if (a.kind == Kind::SignallingNan || b.kind == Kind::SignallingNan) status.flags |= kInvalid;
    return propagate(best, c, status);
  }
  return sum(product(a, b, status), c, status);
}

unsigned compare(const Number& a, const Number& b, bool signalling, Status& status) {
  if (a.nan() || b.nan()) {
    if (signalling || a.kind == Kind::SignallingNan || b.kind == Kind::SignallingNan)
      status.flags |= kInvalid;
    return 3;
  }
  if (a.kind == Kind::Zero && b.kind == Kind::Zero) return 0;
  if (a.kind == Kind::Zero) return b.negative ? 2 : 1;
  if (b.kind == Kind::Zero) return a.negative ? 1 : 2;
  if (a.negative != b.negative) return a.negative ? 1 : 2;
  const auto magnitude = [](const Number& n) {
    return std::pair{n.kind == Kind::Infinity ? INT32_MAX : n.exponent, n.significand};
  };
  const auto ma = magnitude(a), mb = magnitude(b);
  if (ma == mb) return 0;
  return (ma < mb) != a.negative ? 1 : 2;
}

}  // namespace psim::isa::fp
