// SPDX-License-Identifier: Apache-2.0
// IEEE 754 arithmetic in integers, exact in every flag, for cases that the host's cannot handle: quad
// precision, NaN results, enabled traps, and the flags of one single operation.
//
// An operation works on unpacked Numbers of any format and returns an unrounded Number; pack() rounds it once
// to a format. Rules that IEEE 754 leaves open are those of SPARC (V9 manual, annex B): of two NaNs, a
// signalling one has priority over a quiet one, and then the second operand over the first; a NaN that comes
// from no NaN is positive with all fraction bits set; tininess is detected before rounding, as SPARC JPS1
// requires (impl. dep. #55).
#pragma once

#include <cstdint>

namespace psim::isa::fp {

__extension__ using u128 = unsigned __int128;

/// FSR.rd (V9 5.1.7.2).
enum class Rounding : std::uint8_t { Nearest, Zero, Up, Down };

/// Exception flags, in the bits of FSR.cexc.
inline constexpr std::uint8_t kInexact = 1, kDivisionByZero = 2, kUnderflow = 4, kOverflow = 8, kInvalid = 16;
/// In addition: the result is tiny before rounding, even if exact; underflow when FSR.tem enables its trap.
inline constexpr std::uint8_t kTiny = 32;

/// The rounding mode of an operation, and the flags that it raises.
struct Status {
  Rounding rounding = Rounding::Nearest;
  std::uint8_t flags = 0;
};

struct FloatFormat {
  int precision;      ///< bits of the significand, the hidden one included
  int exponent_bits;  ///< the sign comes above them
  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
};
inline constexpr FloatFormat kSingle{24, 8}, kDouble{53, 11}, kQuad{113, 15};

enum class Kind : std::uint8_t { Zero, Finite, Infinity, QuietNan, SignallingNan };

/// Finite: significand × 2^(exponent − 127), with bit 127 set and bit 0 sticky. NaN: the fraction below bit
/// 127.
struct Number {
  Kind kind = Kind::Zero;
  bool negative = false;
  int exponent = 0;
  u128 significand = 0;
  bool nan() const { return kind >= Kind::QuietNan; }
};

Number unpack(u128 bits, FloatFormat format);
u128 pack(const Number& number, FloatFormat format, Status& status);
Number from_signed(std::int64_t value);
/// Truncates to a two's-complement number of `width` bits (32 or 64). A number out of range gives the nearest
/// bound, a NaN the upper one (as in qemu); both are invalid.
std::int64_t to_signed(const Number& number, int width, Status& status);

Number negated(Number number);  ///< NaNs stay unchanged
Number sum(const Number& a, const Number& b, Status& status);
Number difference(const Number& a, const Number& b, Status& status);
/// Returns the product, exact for factors of at most 64 bits.
Number product(const Number& a, const Number& b, Status& status);
Number quotient(const Number& a, const Number& b, Status& status);
Number root(const Number& a, Status& status);
/// Returns a × b + c with one rounding (in pack), for single and double. Priority of NaNs: signalling ones
/// first, then c, b, a; 0 × infinity is invalid even when c is a NaN.
Number multiply_add(const Number& a, const Number& b, const Number& c, Status& status);

/// Returns the value of an fcc field: 0 equal, 1 less, 2 greater, 3 unordered. Unordered is invalid for a
/// signalling NaN, and for any NaN if `signalling` (fcmpe).
unsigned compare(const Number& a, const Number& b, bool signalling, Status& status);

}  // namespace psim::isa::fp
