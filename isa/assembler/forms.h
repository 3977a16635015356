// SPDX-License-Identifier: Apache-2.0
// All mnemonics that the assembler accepts, with the forms of their operands: the rows of the instruction
// table and its synthetic instructions with their conditions spelt out, and synonyms (forms.cpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/table/format.h"
#include "isa/table/spec.h"
#include "isa/table/synthetic.h"

namespace psim::isa::assembler {

/// One form of the operands of a mnemonic. The word is `value` with the operands' fields; the bits of
/// `mask` cannot be changed by them.
struct Form {
  std::uint32_t value = 0, mask = 0;
  Format format;
  Same same = Same::Any;
};

/// Returns the forms in order of preference; empty for an unknown mnemonic.
const std::vector<Form>& forms_of(std::string_view mnemonic);
/// Returns all mnemonics, for "did you mean".
const std::vector<std::string>& mnemonics();

/// Returns `value`'s low bits laid into the bits of `mask`, lowest first.
constexpr std::uint32_t deposit(std::uint64_t value, std::uint32_t mask) {
  std::uint32_t result = 0;
  for (; mask != 0; mask &= mask - 1, value >>= 1)
    if ((value & 1) != 0) result |= mask & (0 - mask);
  return result;
}

}  // namespace psim::isa::assembler
