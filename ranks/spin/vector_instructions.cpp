// SPDX-License-Identifier: Apache-2.0
// Moves of vector registers and comparisons of floating-point numbers.
#include <bit>

#include "ranks/spin/interpreter.h"

namespace psim::net::spin {

bool Interpreter::execute_vector(const Instruction& code) {
  const Value address = code.rm.memory ? address_of(code.rm) : Value{};
  if (!address.known) return false;
  auto& own = vectors[code.reg];
  auto& other = vectors[code.rm.number];  // unless it is in memory
  const auto load_whole = [&](std::array<Value, 2>& to) {
    if (code.rm.memory) return load(address.bits, 8, to[0]) && load(address.bits + 8, 8, to[1]);
    to = other;
    return true;
  };
  /// Loads the low `size` bytes of the operand.
  const auto load_low = [&](unsigned size, Value& value) {
    if (code.rm.memory) return load(address.bits, size, value);
    value = {other[0].bits & mask(size), other[0].known};
    return true;
  };
  Value value;
  switch (code.action) {
    case Action::MoveVectorToRegister:
      return load_whole(own);
    case Action::MoveVectorToOperand:
      if (code.rm.memory) return store(address.bits, 8, own[0]) && store(address.bits + 8, 8, own[1]);
      other = own;
      return true;
    case Action::MoveScalarToRegister:
      if (!load_low(code.size, value)) return false;
      if (code.rm.memory) {
        own = {value, Value{0}};
      } else {
        own[0].bits = (own[0].bits & ~mask(code.size)) | value.bits;
        own[0].known = value.known && (own[0].known || code.size == 8);
      }
      return true;
    case Action::MoveScalarToOperand:
      return store(address.bits, code.size, own[0]);
    case Action::MoveHalfToRegister:
      return load(address.bits, 8, own[code.detail]);
    case Action::MoveHalfToOperand:
      return store(address.bits, 8, own[code.detail]);
    case Action::MoveLowToRegister:
      if (!load_low(8, value)) return false;
      own = {value, Value{0}};
      return true;
    case Action::MoveLowToOperand:
      if (code.rm.memory) return store(address.bits, 8, own[0]);
      other = {own[0], Value{0}};
      return true;
    case Action::MoveGeneralToVector:
      if (!read(code.rm, code.size, value)) return false;
      own = {value, Value{0}};
      return true;
    case Action::MoveVectorToGeneral:
      return write(code.rm, code.size, own[0]);
    case Action::CompareScalars: {
      if (!load_low(code.size, value)) return false;
      const double x = code.size == 8 ? std::bit_cast<double>(own[0].bits)
                                      : std::bit_cast<float>(static_cast<std::uint32_t>(own[0].bits));
      const double y = code.size == 8 ? std::bit_cast<double>(value.bits)
                                      : std::bit_cast<float>(static_cast<std::uint32_t>(value.bits));
      const bool unordered = __builtin_isunordered(x, y);
      flags = {.carry = unordered || x < y,
               .zero = unordered || !(__builtin_isgreater(x, y) || __builtin_isless(x, y)),
               .sign = false,
               .overflow = false,
               .parity = unordered,
               .known = own[0].known && value.known};
      return true;
    }
    case Action::ClearVector:
      own = {Value{0}, Value{0}};
      return true;
    case Action::UnpackLow: {
      std::array<Value, 2> halves;
      if (!load_whole(halves)) return false;
      own[1] = halves[0];
      return true;
    }
    default:
      return false;
  }
}

}  // namespace psim::net::spin
