// SPDX-License-Identifier: Apache-2.0
#include "isa/state/decoded.h"

#include <algorithm>

#include "isa/state/context.h"
#include "isa/table/fields.h"
#include "isa/table/format.h"

namespace psim::isa {

namespace {
PSIM_HANDLER(unbound) { PSIM_TROUBLE(FaultKind::IllegalInstruction); }

/// Returns the offset in SimdState::f. The even single of a lane is the high half of a little-endian word.
std::uint16_t pe_offset(unsigned number, bool whole) {
  const std::size_t row = number / 2 * sizeof(SimdState::Lanes);
  return static_cast<std::uint16_t>(row + (whole || number % 2 != 0 ? 0 : 4));
}
std::uint16_t single_at(unsigned field, bool of_pes) {
  return of_pes ? pe_offset(field, false) : single_offset(field);
}
std::uint16_t double_at(unsigned field, bool of_pes) {
  return of_pes ? pe_offset(double_register(field), true) : double_offset(double_register(field));
}
std::uint16_t quad_at(unsigned field, bool of_pes) {
  return of_pes ? pe_offset(quad_register(field), true) : double_offset(quad_register(field));
}

// clang-format off
/// Puts an operand's offset, or its immediate, into the action. `pes`: floating-point registers are those of
/// the PEs.
void set_operand(Action& a, Operand operand, bool pes) {
  const std::uint32_t word = a.word;
  switch (operand) {
    using enum Operand;
    case Rd: case RdPair: a.rd = int_sink_offset(rd(word)); break;
    case RdSource: case RdPairSource: a.rd = int_offset(rd(word)); break;
    case Rs1: case AddressRs1: case AddressImmediate: case TargetImmediate: case TrapImmediate:
      a.rs1 = int_offset(rs1(word)); break;
    case AddressRegister: case TargetRegister: case TrapRegister:
      a.rs1 = int_offset(rs1(word)), a.rs2 = int_offset(rs2(word)); break;
    case Rs2: a.rs2 = int_offset(rs2(word)); break;
    case Fs: case FsSource: a.rd = single_at(rd(word), pes); break;
    case Fs1: a.rs1 = single_at(rs1(word), pes); break;
    case Fs2: a.rs2 = single_at(rs2(word), pes); break;
    case Fs3: a.rs3 = single_at(rs3(word), pes); break;
    case Fd: case FdSource: a.rd = double_at(rd(word), pes); break;
    case Fd1: a.rs1 = double_at(rs1(word), pes); break;
    case Fd2: a.rs2 = double_at(rs2(word), pes); break;
    case Fd3: a.rs3 = double_at(rs3(word), pes); break;
    case Fq: case FqSource: a.rd = quad_at(rd(word), pes); break;
    case Fq1: a.rs1 = quad_at(rs1(word), pes); break;
    case Fq2: a.rs2 = quad_at(rs2(word), pes); break;
    case PeS: a.rd = single_at(rd(word), true); break;
    case PeS1: a.rs1 = single_at(rs1(word), true); break;
    case PeS2: a.rs2 = single_at(rs2(word), true); break;
    case PeS3: a.rs3 = single_at(rs3(word), true); break;
    case PeD: a.rd = double_at(rd(word), true); break;
    case PeD1: a.rs1 = double_at(rs1(word), true); break;
    case PeD2: a.rs2 = double_at(rs2(word), true); break;
    case PeD3: a.rs3 = double_at(rs3(word), true); break;
    case Simm11: a.imm = simm11(word); break;
    case Simm10: a.imm = simm10(word); break;
    default: break;
  }
}
// clang-format on

bool has(const Format& format, Operand operand) {
  return std::find(format.operands.begin(), format.operands.end(), operand) != format.operands.end();
}

/// Returns Decoded::codes.
std::uint8_t codes_of(const Spec& row, std::uint32_t word) {
  if (row.flow == Flow::CompareBranch) return bits(word, 21, 1) != 0 ? 2 : 0;
  const bool named = has(*row.format, Operand::BranchIcc) || has(*row.format, Operand::BranchFcc);
  return static_cast<std::uint8_t>(named ? branch_cc(word) : 0);
}

/// Returns true for partial stores, which use rs2 as a mask. Compilers and libraries always put their ASI
/// into the word.
bool is_partial_store(const Spec& row, std::uint32_t word) {
  return (row.effects & effect::kSizeByAsi) != 0 && (row.effects & effect::kStore) != 0 &&
         !has_immediate(word) && imm_asi(word) >= 0xc0 && imm_asi(word) <= 0xcd;
}

Binding binding_of(const Spec& row, FmaRounding fma, Handler pe_by_pe) {
  const Execution& execution = *row.execution;
  const bool simd = pe_by_pe != nullptr;
  if (simd && execution.in_simd != nullptr) return execution.in_simd(fma);
  if (simd && row.unit == Unit::Fp) return {.handler = pe_by_pe, .floating = true};
  return execution.rounded != nullptr ? execution.rounded(fma) : execution.scalar;
}
}  // namespace

Bindings::Bindings(FmaRounding fma, Handler pe_by_pe) : simd_{pe_by_pe != nullptr} {
  for (const Spec& row : instructions()) {
    Binding& binding = of_.emplace_back(binding_of(row, fma, pe_by_pe));
    if (binding.handler == nullptr) binding.handler = unbound;
  }
}

Decoded decoded(std::uint32_t word, const Bindings& bindings) {
  Decoded d;
  const Spec& row = decode(word);
  d.spec = &row;
  const Binding& binding = bindings[row];
  Action& a = d.action;
  a.word = word;
  a.handler = binding.immediate != nullptr && has_immediate(word) ? binding.immediate : binding.handler;
  a.imm = simm13(word);
  // The extension's own rows name their register files.
  const bool pes = bindings.simd() && !row.manual.starts_with("PSIM");
  for (const Operand operand : row.format->operands) set_operand(a, operand, pes);
  if ((row.effects & effect::kReadRd) != 0 && has(*row.format, Operand::Rd)) a.rs3 = int_offset(rd(word));
  if (binding.prepare != nullptr) binding.prepare(a);
  d.floating = binding.floating, d.cc = binding.cc;
  d.address = (row.effects & (effect::kLoad | effect::kStore)) != 0 || row.latency == LatencyClass::Prefetch;
  d.rs1_only = has(*row.format, Operand::AddressRs1) || is_partial_store(row, word);
  d.codes = codes_of(row, word);
  return d;
}

}  // namespace psim::isa
