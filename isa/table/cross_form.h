// SPDX-License-Identifier: Apache-2.0
// The forms of cross operations: the direction, and the operation (docs/isa.md).
#pragma once

#include <cstdint>

#include "isa/table/fields.h"

namespace psim::isa::simd {

/// The PEs that take rs2 from the partner in their pair.
enum class Cross : std::uint8_t {
  Odd,   ///< the odd PE; the even one uses its own
  Even,  ///< the even PE
  Both,
  BothEvenNegates,  ///< fxc…: both, and the even PE negates its operand
  BothOddNegates,   ///< fxj…
};

constexpr unsigned source_pe(Cross cross, unsigned pe) {
  return cross == Cross::Odd ? pe & ~1u : cross == Cross::Even ? pe | 1u : pe ^ 1u;
}
/// Returns the number of PEs of a pair that take rs2 from the other.
constexpr std::uint8_t takers(Cross cross) { return cross == Cross::Odd || cross == Cross::Even ? 1 : 2; }
constexpr bool negates(Cross cross, unsigned pe) {
  return cross == (pe % 2 == 0 ? Cross::BothEvenNegates : Cross::BothOddNegates);
}

struct CrossForm {
  Cross cross = Cross::Odd;
  bool is_double = false;
  /// The operation in scalar state, on registers 0.
  std::uint32_t scalar = 0;
};

/// Returns the form of a word whose row is a cross operation.
constexpr CrossForm cross_form(std::uint32_t word) {
  constexpr std::uint32_t kFpop1 = 2u << 30 | 0x34u << 19, kMultiplyAdd = 2u << 30 | 0x37u << 19;
  CrossForm form;
  std::uint32_t size = bits(word, 5, 2);
  if (bits(word, 19, 6) == 0x36) {
    constexpr std::uint32_t kOpf[] = {0x40, 0x44, 0x48, 0x00};  // add, sub, mul, mov
    std::uint32_t operation = bits(word, 7, 2);
    form.cross = static_cast<Cross>(bits(word, 9, 2));
    if (bits(word, 9, 2) == 3) {
      form.cross = operation == 0 ? Cross::BothEvenNegates : Cross::BothOddNegates;
      operation = 0;
    }
    form.scalar = kFpop1 | (kOpf[operation] | size) << 5;
  } else {
    // Sizes 1 and 2 are as in the scalar multiply-adds; 0 and 3 are the single and double of the second kind.
    const bool second = size == 0 || size == 3;
    std::uint32_t operation = bits(word, 7, 2);
    if (word >> 30 == 2) {
      form.cross = second ? Cross::Even : Cross::Odd;
    } else {
      form.cross = !second ? Cross::Both : operation == 0 ? Cross::BothEvenNegates : Cross::BothOddNegates;
      if (second) operation = 0;
    }
    if (second) size = size == 0 ? 1 : 2;
    form.scalar = kMultiplyAdd | (operation << 2 | size) << 5;
  }
  form.is_double = size == 2;
  return form;
}

}  // namespace psim::isa::simd
