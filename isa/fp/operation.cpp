// SPDX-License-Identifier: Apache-2.0
#include "isa/fp/operation.h"

namespace psim::isa::fp {
namespace {

struct Machine {
  Status status;
  std::uint8_t enabled;

  Number in(std::uint64_t bits, FloatFormat format) const {
    return unpack(format.precision == 24 ? bits & 0xffffffff : bits, format);
  }
  Result out(const Number& number, FloatFormat format) {
    return {static_cast<std::uint64_t>(pack(number, format, status)), 0};
  }
  /// Rounds, then negates unless the result is a NaN.
  Result out_negated(const Number& number, FloatFormat format) {
    Result result = out(number, format);
    if (!number.nan()) result.bits ^= std::uint64_t{1} << (format.precision == 24 ? 31 : 63);
    return result;
  }
  static Number halved(Number number) {
    --number.exponent;
    return number;
  }
  Result fused(std::uint64_t a, std::uint64_t b, std::uint64_t c, FloatFormat f, bool subtract, bool negate) {
    Number addend = in(c, f);
    if (subtract) addend = negated(addend);
    const Number number = multiply_add(in(a, f), in(b, f), addend, status);
    return negate ? out_negated(number, f) : out(number, f);
  }
  Result unfused(std::uint64_t a, std::uint64_t b, std::uint64_t c, FloatFormat f, bool subtract,
                 bool negate) {
    const Number first = product(in(a, f), in(b, f), status);
    Result result = negate ? out_negated(first, f) : out(first, f);
    const bool underflow = (status.flags & kTiny) != 0 && (enabled & kUnderflow) != 0;
    if ((status.flags & enabled) != 0 || underflow) return result;
    const Number second = in(result.bits, f), addend = in(c, f);
    return out(subtract ? difference(second, addend, status) : sum(second, addend, status), f);
  }

  Result run(Operation operation, std::uint64_t a, std::uint64_t b, std::uint64_t c);
};

Result Machine::run(Operation operation, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  const auto s = [&](std::uint64_t bits) { return in(bits, kSingle); };
  const auto d = [&](std::uint64_t bits) { return in(bits, kDouble); };
  const auto word = [&](std::int64_t value) { return Result{static_cast<std::uint32_t>(value), 0}; };
  const auto xword = [&](std::int64_t value) { return Result{static_cast<std::uint64_t>(value), 0}; };
  using enum Operation;
  switch (operation) {
    case None:
    case Move:
      return {};
    case Adds:
      return out(sum(s(a), s(b), status), kSingle);
    case Addd:
      return out(sum(d(a), d(b), status), kDouble);
    case Subs:
      return out(difference(s(a), s(b), status), kSingle);
    case Subd:
      return out(difference(d(a), d(b), status), kDouble);
    case Muls:
      return out(product(s(a), s(b), status), kSingle);
    case Muld:
      return out(product(d(a), d(b), status), kDouble);
    case Smuld:
      return out(product(s(a), s(b), status), kDouble);
    case Divs:
      return out(quotient(s(a), s(b), status), kSingle);
    case Divd:
      return out(quotient(d(a), d(b), status), kDouble);
    case Sqrts:
      return out(root(s(b), status), kSingle);
    case Sqrtd:
      return out(root(d(b), status), kDouble);
    case Stod:
      return out(s(b), kDouble);
    case Dtos:
      return out(d(b), kSingle);
    case Stoi:
      return word(to_signed(s(b), 32, status));
    case Dtoi:
      return word(to_signed(d(b), 32, status));
    case Stox:
      return xword(to_signed(s(b), 64, status));
    case Dtox:
      return xword(to_signed(d(b), 64, status));
    case Itos:
      return out(from_signed(static_cast<std::int32_t>(b)), kSingle);
    case Itod:
      return out(from_signed(static_cast<std::int32_t>(b)), kDouble);
    case Xtos:
      return out(from_signed(static_cast<std::int64_t>(b)), kSingle);
    case Xtod:
      return out(from_signed(static_cast<std::int64_t>(b)), kDouble);
    case Cmps:
      return {compare(s(a), s(b), false, status), 0};
    case Cmpd:
      return {compare(d(a), d(b), false, status), 0};
    case Cmpes:
      return {compare(s(a), s(b), true, status), 0};
    case Cmped:
      return {compare(d(a), d(b), true, status), 0};
    case Madds:
      return fused(a, b, c, kSingle, false, false);
    case Maddd:
      return fused(a, b, c, kDouble, false, false);
    case Msubs:
      return fused(a, b, c, kSingle, true, false);
    case Msubd:
      return fused(a, b, c, kDouble, true, false);
    case Nmsubs:
      return fused(a, b, c, kSingle, true, true);
    case Nmsubd:
      return fused(a, b, c, kDouble, true, true);
    case Nmadds:
      return fused(a, b, c, kSingle, false, true);
    case Nmaddd:
      return fused(a, b, c, kDouble, false, true);
    case UnfusedMadds:
      return unfused(a, b, c, kSingle, false, false);
    case UnfusedMaddd:
      return unfused(a, b, c, kDouble, false, false);
    case UnfusedMsubs:
      return unfused(a, b, c, kSingle, true, false);
    case UnfusedMsubd:
      return unfused(a, b, c, kDouble, true, false);
    case UnfusedNmsubs:
      return unfused(a, b, c, kSingle, false, true);
    case UnfusedNmsubd:
      return unfused(a, b, c, kDouble, false, true);
    case UnfusedNmadds:
      return unfused(a, b, c, kSingle, true, true);
    case UnfusedNmaddd:
      return unfused(a, b, c, kDouble, true, true);
    case Nadds:
      return out_negated(sum(s(a), s(b), status), kSingle);
    case Naddd:
      return out_negated(sum(d(a), d(b), status), kDouble);
    case Nmuls:
      return out_negated(product(s(a), s(b), status), kSingle);
    case Nmuld:
      return out_negated(product(d(a), d(b), status), kDouble);
    case Nsmuld:
      return out_negated(product(s(a), s(b), status), kDouble);
    case Hadds:
      return out(halved(sum(s(a), s(b), status)), kSingle);
    case Haddd:
      return out(halved(sum(d(a), d(b), status)), kDouble);
    case Hsubs:
      return out(halved(difference(s(a), s(b), status)), kSingle);
    case Hsubd:
      return out(halved(difference(d(a), d(b), status)), kDouble);
    case Nhadds:
      return out_negated(halved(sum(s(a), s(b), status)), kSingle);
    case Nhaddd:
      return out_negated(halved(sum(d(a), d(b), status)), kDouble);
  }
  return {};
}

}  // namespace

Result exact(Operation operation, std::uint64_t a, std::uint64_t b, std::uint64_t c, Rounding rounding,
             std::uint8_t enabled) {
  Machine machine{{rounding, 0}, enabled};
  Result result = machine.run(operation, a, b, c);
  result.flags = machine.status.flags;
  return result;
}

}  // namespace psim::isa::fp
