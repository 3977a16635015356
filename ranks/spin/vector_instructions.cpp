// SPDX-License-Identifier: Apache-2.0
// Moves of vector registers and comparisons of floating-point numbers.
#include <cstring>

#include "ranks/spin/decoded.h"

namespace psim::net::spin {

bool Interpreter::execute_vector(Decoded& code, std::uint8_t opcode) {
  const bool plain = !code.narrow && !code.repeat && !code.repeat_not;
  const auto load_whole = [&](std::array<Value, 2>& to) {
    if (!code.operand.memory) {
      to = vectors[code.operand.number];
      return true;
    }
    return load(code.operand.address, 8, to[0]) && load(code.operand.address + 8, 8, to[1]);
  };
  const auto store_whole = [&](const std::array<Value, 2>& from) {
    if (!code.operand.memory) {
      vectors[code.operand.number] = from;
      return true;
    }
    return store(code.operand.address, 8, from[0]) && store(code.operand.address + 8, 8, from[1]);
  };
  /// Loads the low `size` bytes of the operand, which may be a vector register.
  const auto load_low = [&](unsigned size, Value& value) {
    if (code.operand.memory) return load(code.operand.address, size, value);
    value = vectors[code.operand.number][0];
    value.bits &= mask(size);
    return true;
  };
  if (!code.modrm(registers)) return false;
  auto& own = vectors[code.field];
  Value value;
  switch (opcode) {
    case 0x10:
    case 0x28:
    case 0x6f:
      if (opcode == 0x10 && (code.repeat || code.repeat_not)) {  // movss, movsd
        const unsigned size = code.repeat ? 4 : 8;
        if (!load_low(size, value)) return false;
        if (code.operand.memory) {
          own = {value, Value{0}};
        } else {
          own[0].bits = (own[0].bits & ~mask(size)) | value.bits;
          own[0].known = value.known && (own[0].known || size == 8);
        }
        return true;
      }
      return (opcode != 0x6f || code.narrow || code.repeat) && load_whole(own);
    case 0x11:
    case 0x29:
    case 0x7f:
      if (opcode == 0x11 && (code.repeat || code.repeat_not)) {
        const unsigned size = code.repeat ? 4 : 8;
        return code.operand.memory && store(code.operand.address, size, own[0]);
      }
      return (opcode != 0x7f || code.narrow || code.repeat) && store_whole(own);
    case 0x12:
    case 0x13:
    case 0x16:
    case 0x17: {  // movlps, movhps
      if (!code.operand.memory || code.repeat || code.repeat_not) return false;
      Value& half = own[opcode >= 0x16 ? 1 : 0];
      return (opcode & 1) == 0 ? load(code.operand.address, 8, half) : store(code.operand.address, 8, half);
    }
    case 0x2e:
    case 0x2f: {  // ucomiss, ucomisd, comiss, comisd
      if (code.repeat || code.repeat_not || !load_low(code.narrow ? 8 : 4, value)) return false;
      const double x = code.narrow ? std::bit_cast<double>(own[0].bits)
                                   : std::bit_cast<float>(static_cast<std::uint32_t>(own[0].bits));
      const double y = code.narrow ? std::bit_cast<double>(value.bits)
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
    case 0x57:
    case 0xef:  // xorps, xorpd, pxor
      if ((opcode == 0x57 ? code.repeat || code.repeat_not : !code.narrow) || code.operand.memory ||
          code.operand.number != code.field)
        return false;
      own = {Value{0}, Value{0}};
      return true;
    case 0x6c: {  // punpcklqdq
      std::array<Value, 2> other;
      if (!code.narrow || !load_whole(other)) return false;
      own[1] = other[0];
      return true;
    }
    case 0x6e:
      if (!code.narrow || !read(code, code.operand, code.wide ? 8 : 4, value)) return false;
      own = {value, Value{0}};
      return true;
    case 0x7e:
      if (code.repeat) {  // movq from the low half
        if (!load_low(8, value)) return false;
        own = {value, Value{0}};
        return true;
      }
      return code.narrow && write(code, code.operand, code.wide ? 8 : 4, own[0]);
    case 0xd6:
      if (!code.narrow || plain) return false;
      if (code.operand.memory) return store(code.operand.address, 8, own[0]);
      vectors[code.operand.number] = {own[0], Value{0}};
      return true;
    default:
      return false;
  }
}

}  // namespace psim::net::spin
