// SPDX-License-Identifier: Apache-2.0
#include "isa/table/operand_use.h"

#include "isa/table/fields.h"

namespace psim::isa {
namespace {

RegisterRange integer_pair(unsigned number) {
  const unsigned even = number & ~1u;  // an odd number traps
  return even == 0 ? RegisterRange{1, 1} : RegisterRange{static_cast<std::uint8_t>(even), 2};
}
RegisterRange floating(unsigned number, unsigned halves) {
  return {static_cast<std::uint8_t>(reg::kFp + number), static_cast<std::uint8_t>(halves)};
}
RegisterRange of_pes(unsigned number, unsigned halves) {
  return {static_cast<std::uint8_t>(reg::kSimdFp + number), static_cast<std::uint8_t>(halves)};
}
RegisterRange state(std::uint8_t name, std::uint8_t count = 1) { return {name, count}; }

}  // namespace

RegisterRange integer_register(unsigned number) {
  return {static_cast<std::uint8_t>(reg::kInt + number), static_cast<std::uint8_t>(number != 0)};
}

Use use_of(Operand operand, std::uint32_t word) {
  const OperandRow& row = row_of(operand);
  const auto condition = [](unsigned number) { return state(static_cast<std::uint8_t>(reg::kFcc + number)); };
  const unsigned number = field_of(row, word);
  switch (row.file) {
    case RegisterFile::Integer:
      return {row.role, integer_register(number)};
    case RegisterFile::Pair:
      return {row.role, integer_pair(number)};
    case RegisterFile::Single:
      return {row.role, floating(number, 1)};
    case RegisterFile::Double:
      return {row.role, floating(double_register(number), 2)};
    case RegisterFile::Quad:
      return {row.role, floating(quad_register(number), 4)};
    case RegisterFile::PeSingle:
      return {row.role, of_pes(number, 1)};
    case RegisterFile::PeDouble:
      return {row.role, of_pes(double_register(number), 2)};
    case RegisterFile::None:
      break;
  }
  switch (operand) {
    case Operand::AsiRegister:
      return {row.role, state(reg::kAsi)};
    case Operand::BranchIcc:
    case Operand::MoveIcc:
    case Operand::TrapIcc:
      return {row.role, state(reg::kCcr)};
    case Operand::BranchFcc:
    case Operand::MoveFcc:
    case Operand::CompareFcc:
      return {row.role, condition(number)};
    default:  // addresses; immediates have no register, and the effects of the row name state registers
      return row.role == Role::Nothing ? Use{} : Use{row.role, integer_register(rs1(word))};
  }
}

}  // namespace psim::isa
