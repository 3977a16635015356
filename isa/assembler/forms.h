// SPDX-License-Identifier: Apache-2.0
// Every mnemonic that the assembler takes, with the ways to write its operands: the rows of the instruction
// table and its synthetic instructions with their conditions spelt out, and synonyms (synonyms.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/spec.h"
#include "isa/table/format.h"
#include "isa/table/synthetic.h"

namespace psim::isa::assembler {

/// One way to write the operands of a mnemonic. The word is `value` with the operands' fields; the bits of
/// `mask` cannot be changed by them.
struct Form {
  std::uint32_t value = 0, mask = 0;
  Format format;
  Same same = Same::Any;
};

/// In order of preference; empty for a mnemonic that does not exist.
const std::vector<Form>& forms_of(std::string_view mnemonic);
/// For "did you mean".
const std::vector<std::string>& mnemonics();

/// `value`'s low bits laid into the bits of `mask`, lowest first.
constexpr std::uint32_t deposit(std::uint64_t value, std::uint32_t mask) {
  std::uint32_t result = 0;
  for (; mask != 0; mask &= mask - 1, value >>= 1)
    if ((value & 1) != 0) result |= mask & (0 - mask);
  return result;
}

}  // namespace psim::isa::assembler
