// SPDX-License-Identifier: Apache-2.0
// Encodes operand values into the bits of their fields, by the same Operand that the disassembler reads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "isa/assembler/syntax.h"
#include "isa/assembler/value.h"
#include "isa/table/format.h"

namespace psim::isa::assembler {

/// A number in an instruction or in data, possibly known only after placement.
struct Field {
  Operand operand = Operand::None;  ///< in an instruction
  std::uint8_t bytes = 0;  ///< data of 1, 2, 4 or 8 bytes, if operand is None; 0: a mark for a linker
  /// Data of 4 bytes hold a number with seven bits per byte, the least significant first, padded (DWARF:
  /// LEB128).
  enum class Leb : std::uint8_t { No, Unsigned, Signed } leb = Leb::No;
  unsigned size() const { return operand == Operand::None ? bytes : 4; }  ///< bytes that the field lies in
};

/// Returns true if the value of the field is a distance from the instruction.
bool pc_relative(Field field);
/// Returns the limits of a field, "-4096 … 4095".
std::string range_of(Field field);
/// Returns the bits of the field; nothing if the value is outside its range.
std::optional<std::uint64_t> encode(Field field, std::int64_t value);

/// The match of a written operand with one operand of a format.
struct Match {
  bool fits = false;
  std::uint32_t bits = 0;  ///< registers and the like
  std::uint32_t field_bits = 0;
  bool number = false;  ///< value's number still has to go into the field of this operand
};
Match match(Operand operand, const Argument& argument, const Value& value);
/// Returns true if the operand may be left out: %icc of a trap, %fcc0 of a compare.
bool optional_operand(Operand operand);
/// Returns "an even floating-point register", for messages.
std::string expected(Operand operand);

}  // namespace psim::isa::assembler
