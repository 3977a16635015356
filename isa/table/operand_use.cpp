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
// clang-format off
Use use_of(Operand operand, std::uint32_t word) {
  switch (operand) {
    using enum Operand;
    case Rs1: return {Role::Source, integer_register(rs1(word))};
    case Rs2: return {Role::Source, integer_register(rs2(word))};
    case Rd: return {Role::Destination, integer_register(rd(word))};
    case RdSource: return {Role::Source, integer_register(rd(word))};
    case RdPair: return {Role::Destination, integer_pair(rd(word))};
    case RdPairSource: return {Role::Source, integer_pair(rd(word))};
    case Fs1: return {Role::Source, floating(rs1(word), 1)};
    case Fs2: return {Role::Source, floating(rs2(word), 1)};
    case Fs3: return {Role::Source, floating(rs3(word), 1)};
    case Fs: return {Role::Destination, floating(rd(word), 1)};
    case FsSource: return {Role::Source, floating(rd(word), 1)};
    case Fd1: return {Role::Source, floating(rs1_double(word), 2)};
    case Fd2: return {Role::Source, floating(rs2_double(word), 2)};
    case Fd3: return {Role::Source, floating(rs3_double(word), 2)};
    case Fd: return {Role::Destination, floating(rd_double(word), 2)};
    case FdSource: return {Role::Source, floating(rd_double(word), 2)};
    case Fq1: return {Role::Source, floating(rs1_quad(word), 4)};
    case Fq2: return {Role::Source, floating(rs2_quad(word), 4)};
    case Fq: return {Role::Destination, floating(rd_quad(word), 4)};
    case FqSource: return {Role::Source, floating(rd_quad(word), 4)};
    case PeS1: return {Role::Source, of_pes(rs1(word), 1)};
    case PeS2: return {Role::Source, of_pes(rs2(word), 1)};
    case PeS3: return {Role::Source, of_pes(rs3(word), 1)};
    case PeS: return {Role::Destination, of_pes(rd(word), 1)};
    case PeD1: return {Role::Source, of_pes(rs1_double(word), 2)};
    case PeD2: return {Role::Source, of_pes(rs2_double(word), 2)};
    case PeD3: return {Role::Source, of_pes(rs3_double(word), 2)};
    case PeD: return {Role::Destination, of_pes(rd_double(word), 2)};
    case AddressRegister: case AddressImmediate: case AddressRs1: return {Role::Address, integer_register(rs1(word))};
    case TargetRegister: case TargetImmediate: case TrapRegister: case TrapImmediate:
      return {Role::Source, integer_register(rs1(word))};
    case AsiRegister: return {Role::Address, state(reg::kAsi)};
    case BranchIcc: case MoveIcc: case TrapIcc: return {Role::Source, state(reg::kCcr)};
    case BranchFcc: return {Role::Source, state(static_cast<std::uint8_t>(reg::kFcc + branch_cc(word)))};
    case MoveFcc: return {Role::Source, state(static_cast<std::uint8_t>(reg::kFcc + move_cc(word)))};
    case CompareFcc: return {Role::Destination, state(static_cast<std::uint8_t>(reg::kFcc + compare_cc(word)))};
    // Immediates have no register; the effects of the row name state registers.
    case None: case Simm13: case Simm11: case Simm10: case Simm5: case Shcnt32: case Shcnt64: case High22:
    case Const22: case SiamMode: case MembarMask: case PrefetchFunction: case ImmediateAsi: case Disp30:
    case Disp22: case Disp19: case Disp16: case Disp10: case Y: case Ccr: case Asi: case Tick: case Pc: case Fprs:
    case Gsr: case Stick: case Pause: case Mwait: case Fsr: case Simd: case PeMask: case SimdStack: case AsrRead: case AsrWrite: case PrivilegedRead:
    case PrivilegedWrite:
      return {};
  }
  return {};
}
// clang-format on

}  // namespace psim::isa
