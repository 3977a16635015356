// SPDX-License-Identifier: Apache-2.0
// Formats: the operands of an instruction in assembler order. Operand syntax, the registers read and written
// and the bits that belong to fields all come from here; rows never repeat them.
#pragma once

#include <array>
#include <cstdint>

#include "isa/table/operand.h"

namespace psim::isa {

/// The suffix of a mnemonic: a condition, an annul bit, a prediction.
enum class Suffix : std::uint8_t {
  None,
  Bicc,
  Bpcc,
  Fbfcc,
  Fbpfcc,
  Bpr,
  MoveIcc,
  MoveFcc,
  MoveR,
  Tcc,
  CompareBranch
};

struct Format {
  std::array<Operand, 4> operands{};  ///< Operand::None after the last
  Suffix suffix = Suffix::None;
};

constexpr std::uint32_t field_bits(Suffix suffix) {
  constexpr std::uint32_t annul = 1u << 29, predict = 1u << 19, cond = 0xfu << 25;
  switch (suffix) {
    case Suffix::None:
      return 0;
    case Suffix::Bicc:
    case Suffix::Fbfcc:
      return annul | cond;
    case Suffix::Bpcc:
    case Suffix::Fbpfcc:
      return annul | cond | predict;
    case Suffix::Bpr:
      return annul | predict | 7u << 25;
    case Suffix::MoveIcc:
    case Suffix::MoveFcc:
      return 0xfu << 14;
    case Suffix::MoveR:
      return 7u << 10;
    case Suffix::Tcc:
      return cond;
    case Suffix::CompareBranch:
      return 1u << 29 | 7u << 25;
  }
  return 0;
}

constexpr std::uint32_t field_bits(const Format& format) {
  std::uint32_t result = field_bits(format.suffix);
  for (const Operand operand : format.operands) result |= field_bits(operand);
  return result;
}

}  // namespace psim::isa
