// SPDX-License-Identifier: Apache-2.0
// The parts of an instruction: prefixes, operands, immediate bytes.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "ranks/spin/interpreter.h"

namespace psim::net::spin {

/// Returns a mask of the lowest `size` bytes.
constexpr std::uint64_t mask(unsigned size) {
  return size == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * size) - 1;
}
constexpr bool sign_of(std::uint64_t value, unsigned size) { return (value >> (8 * size - 1) & 1) != 0; }
constexpr std::uint64_t extend(std::uint64_t value, unsigned size) {
  value &= mask(size);
  return sign_of(value, size) ? value | ~mask(size) : value;
}

/// Operations of the opcodes 00 to 3F.
enum Operation : unsigned { kAdd, kOr, kAdc, kSbb, kAnd, kSub, kXor, kCmp };

/// Returns the address of the thread's block, the base of segment FS.
inline std::uint64_t thread_pointer() {
  std::uint64_t base;
  asm("mov %%fs:0, %0" : "=r"(base));  // the first word of a thread's block is its own address
  return base;
}

/// A register, or memory at a known address.
struct Interpreter::Operand {
  bool memory = false;
  std::uint8_t number = 0;
  std::uint64_t address = 0;
};

struct Interpreter::Decoded {
  std::uint64_t at = 0;  ///< address of the next byte
  bool rex = false, wide = false, narrow = false, repeat = false, repeat_not = false, locked = false,
       of_thread = false;
  std::uint8_t rex_r = 0, rex_x = 0, rex_b = 0;
  std::uint8_t field = 0;  ///< of ModRM: a register or an extension of the opcode
  Operand operand;         ///< of ModRM

  unsigned size() const { return wide ? 8 : narrow ? 2 : 4; }
  template <class T>
  T take() {
    T value;
    std::memcpy(&value, reinterpret_cast<const void*>(at), sizeof value);
    at += sizeof value;
    return value;
  }
  std::uint64_t immediate(unsigned size) {
    switch (size) {
      case 1:
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(take<std::int8_t>()));
      case 2:
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(take<std::int16_t>()));
      default:
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(take<std::int32_t>()));
    }
  }
  /// Decodes ModRM. `immediates`: bytes after the operand, needed for addresses relative to the next
  /// instruction.
  bool modrm(const std::array<Value, 16>& registers, unsigned immediates = 0) {
    const auto byte = take<std::uint8_t>();
    const unsigned mode = byte >> 6, low = byte & 7;
    field = static_cast<std::uint8_t>((byte >> 3 & 7) | rex_r);
    if (mode == 3) {
      operand = {false, static_cast<std::uint8_t>(low | rex_b), 0};
      return true;
    }
    std::uint64_t address = 0;
    bool known = true;
    const auto add = [&](unsigned number, unsigned scale) {
      address += registers[number].bits << scale;
      known &= registers[number].known;
    };
    bool relative = false;
    if (low == 4) {
      const auto sib = take<std::uint8_t>();
      const unsigned index = (sib >> 3 & 7u) | rex_x, base = sib & 7u;
      if (index != rsp) add(index, sib >> 6);
      if (base == 5 && mode == 0)
        address += immediate(4);
      else
        add(base | rex_b, 0);
    } else if (low == 5 && mode == 0) {
      address += immediate(4);
      relative = true;
    } else {
      add(low | rex_b, 0);
    }
    if (mode == 1) address += immediate(1);
    if (mode == 2) address += immediate(4);
    if (relative) address += at + immediates;
    if (of_thread) address += thread_pointer();
    operand = {true, 0, address};
    return known;
  }
};

}  // namespace psim::net::spin
