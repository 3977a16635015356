// SPDX-License-Identifier: Apache-2.0
// Handlers take their operands from the registers that the instruction table says.
#include <gtest/gtest.h>

#include "isa/exec/decoded.h"
#include "isa/exec/executor.h"
#include "isa/table/format.h"

namespace psim::isa {
namespace {

struct Place {
  Bank Binding::*field;
  Bank bank;
};
/// Where an operand goes; field is null for operands that are no register of these banks.
Place place_of(Operand operand) {
  switch (operand) {
    using enum Operand;
    case Rs1:
      return {&Binding::rs1, Bank::Int};
    case Rs2:
      return {&Binding::rs2, Bank::Int};
    case Rd:
      return {&Binding::rd, Bank::Int};
    case Fs1:
      return {&Binding::rs1, Bank::Single};
    case Fs2:
      return {&Binding::rs2, Bank::Single};
    case Fs3:
      return {&Binding::rs3, Bank::Single};
    case Fs:
      return {&Binding::rd, Bank::Single};
    case Fd1:
      return {&Binding::rs1, Bank::Double};
    case Fd2:
      return {&Binding::rs2, Bank::Double};
    case Fd3:
      return {&Binding::rs3, Bank::Double};
    case Fd:
      return {&Binding::rd, Bank::Double};
    case Fq1:
      return {&Binding::rs1, Bank::Quad};
    case Fq2:
      return {&Binding::rs2, Bank::Quad};
    case Fq:
      return {&Binding::rd, Bank::Quad};
    default:
      return {nullptr, Bank::None};
  }
}

/// Opcodes FPop1, FPop2, IMPDEP1 and IMPDEP2 of op = 2.
bool is_floating_or_vis(const Spec& row) {
  const unsigned op3 = row.pattern.value >> 19 & 0x3f;
  return row.pattern.value >> 30 == 2 && op3 >= 0x34 && op3 <= 0x37 && row.op != Op::Illegal &&
         !row.manual.starts_with("PSIM");
}

TEST(Bindings, EveryFloatingPointAndVisInstructionHasAHandlerOnTheRightRegisters) {
  unsigned rows = 0;
  for (const FmaRounding fma : {FmaRounding::Fused, FmaRounding::Unfused})
    for (const Spec& row : instructions()) {
      if (!is_floating_or_vis(row)) continue;
      ++rows;
      const Binding& binding = bindings(fma)[row.op];
      EXPECT_NE(binding.handler, nullptr) << row.name;
      for (const Operand operand : row.format->operands)
        if (const Place place = place_of(operand); place.field != nullptr) {
          EXPECT_EQ(static_cast<int>(binding.*place.field), static_cast<int>(place.bank)) << row.name;
        }
    }
  EXPECT_GT(rows, 2 * 200u);
}

}  // namespace
}  // namespace psim::isa
