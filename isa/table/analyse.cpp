// SPDX-License-Identifier: Apache-2.0
#include "isa/table/analyse.h"

#include <array>
#include <cstddef>

#include "isa/table/cross_form.h"
#include "isa/table/fields.h"
#include "isa/table/format.h"
#include "isa/table/operand_use.h"
#include "isa/table/spec.h"

namespace psim::isa {
namespace {

// clang-format off
std::int64_t displacement_of(Operand operand, std::uint32_t word) {
  switch (operand) {
    case Operand::Disp30: return disp30(word);
    case Operand::Disp22: return disp22(word);
    case Operand::Disp19: return disp19(word);
    case Operand::Disp16: return disp16(word);
    case Operand::Disp10: return disp10(word);
    default: return 0;
  }
}

/// Returns true for condition "always" or "never" of an instruction with conditions: its codes are not read.
bool unconditional(Suffix suffix, std::uint32_t word) {
  switch (suffix) {
    case Suffix::Bicc: case Suffix::Bpcc: case Suffix::Fbfcc: case Suffix::Fbpfcc: case Suffix::Tcc:
      return (cond(word) & 7) == 0;
    case Suffix::MoveIcc: case Suffix::MoveFcc: return (move_cond(word) & 7) == 0;
    case Suffix::None: case Suffix::Bpr: case Suffix::MoveR: case Suffix::CompareBranch: return false;
  }
  return false;
}
// clang-format on

void add(StaticInstruction& to, Role role, RegisterRange range) {
  if (range.count == 0) return;
  auto* const list = role == Role::Destination ? to.destination.data() : to.source.data();
  std::uint8_t& count = role == Role::Destination ? to.destinations : to.sources;
  for (unsigned i = 0; i < count; ++i) {
    if (list[i].first == range.first && list[i].count == range.count) return;
  }
  list[count++] = range;
}

bool has_address_rs2(Operand operand) {
  return operand == Operand::AddressRegister || operand == Operand::TargetRegister ||
         operand == Operand::TrapRegister;
}

using Uses = std::array<Use, std::tuple_size_v<decltype(Format::operands)>>;

void add_operands(StaticInstruction& result, const Format& format, const Uses& uses, std::uint32_t word,
                  bool addresses) {
  for (std::size_t n = 0; n < uses.size() && format.operands[n] != Operand::None; ++n) {
    const Operand operand = format.operands[n];
    const Use& use = uses[n];
    if ((use.role == Role::Address) != addresses || use.role == Role::Nothing) continue;
    const bool condition = operand == Operand::BranchIcc || operand == Operand::BranchFcc ||
                           operand == Operand::MoveIcc || operand == Operand::MoveFcc ||
                           operand == Operand::TrapIcc;
    if (condition && unconditional(format.suffix, word)) continue;
    add(result, use.role, use.registers);
    if (has_address_rs2(operand)) add(result, use.role, integer_register(rs2(word)));
  }
}

void add_effects(StaticInstruction& result, const Spec& spec, const Uses& uses, std::uint32_t word) {
  struct Implicit {
    std::uint32_t effect;
    Role role;
    std::uint8_t name, count;
  };
  static constexpr Implicit kImplicit[] = {
      {effect::kReadCc, Role::Source, reg::kCcr, 1},
      {effect::kWriteCc, Role::Destination, reg::kCcr, 1},
      {effect::kReadY, Role::Source, reg::kY, 1},
      {effect::kWriteY, Role::Destination, reg::kY, 1},
      {effect::kReadGsr, Role::Source, reg::kGsr, 1},
      {effect::kWriteGsr, Role::Destination, reg::kGsr, 1},
      {effect::kReadAsi, Role::Source, reg::kAsi, 1},
      {effect::kWriteAsi, Role::Destination, reg::kAsi, 1},
      {effect::kReadFprs, Role::Source, reg::kFprs, 1},
      {effect::kWriteFprs, Role::Destination, reg::kFprs, 1},
      {effect::kReadSimd, Role::Source, reg::kSimd, 1},
      {effect::kWriteSimd, Role::Destination, reg::kSimd, 1},
      {effect::kWriteO7, Role::Destination, reg::kInt + 15, 1},
  };
  for (const Implicit& implicit : kImplicit) {
    if ((spec.effects & implicit.effect) != 0) add(result, implicit.role, {implicit.name, implicit.count});
  }
  const bool icc_branch = spec.format->suffix == Suffix::Bicc;
  if (icc_branch && !unconditional(Suffix::Bicc, word)) add(result, Role::Source, {reg::kCcr, 1});
  if ((spec.effects & effect::kReadFcc0) != 0 && !unconditional(Suffix::Fbfcc, word)) {
    add(result, Role::Source, {reg::kFcc, 1});
  }
  if (spec.latency == LatencyClass::Serial && (spec.effects & (effect::kReadFsr | effect::kWriteFsr)) != 0) {
    const Role role = (spec.effects & effect::kWriteFsr) != 0 ? Role::Destination : Role::Source;
    // The 32-bit forms access fcc0 only.
    add(result, role, {reg::kFcc, static_cast<std::uint8_t>(spec.bytes == 4 ? 1 : 4)});
    add(result, role, {reg::kFsr, 1});
  }
  if ((spec.effects & effect::kReadRd) != 0) {
    for (const Use& use : uses) {
      if (use.role == Role::Destination &&
          (use.registers.first < reg::kCcr || use.registers.first >= reg::kSimdFp)) {
        add(result, Role::Source, use.registers);
      }
    }
  }
}

// clang-format off
bool is_block_asi(std::uint8_t asi) {
  switch (asi) {
    case 0x16: case 0x17: case 0x1e: case 0x1f:  // as if user
    case 0x70: case 0x71: case 0x78: case 0x79:
    case 0xe0: case 0xe1:  // committing stores
    case 0xf0: case 0xf1: case 0xf8: case 0xf9:
      return true;
    default: return false;
  }
}
// clang-format on

/// Sets the size of memory accesses whose size an ASI decides (JPS1 commonality L.3; UltraSPARC user's manual
/// 8.3).
void size_by_asi(StaticInstruction& result) {
  if ((result.spec->effects & effect::kSizeByAsi) == 0) return;
  const unsigned first = rd_double(result.word);
  const bool immediate = has_immediate(result.word);  // i = 1: the ASI is in %asi
  const std::uint8_t asi = imm_asi(result.word);
  if (first % 16 == 0 && (immediate || is_block_asi(asi))) {
    result.access_bytes = 64;
    auto& range = result.load ? result.destination[0] : result.source[result.sources - 1u];
    range = {static_cast<std::uint8_t>(reg::kFp + first), 16};
  } else if (!immediate && (asi & 0xf4) == 0xd0) {
    result.access_bytes = (asi & 2) != 0 ? 2 : 1;
  } else if (result.store && !immediate && (asi & 0xf0) == 0xc0) {
    result.address_sources = rs1(result.word) != 0;  // partial store: rs2 is the mask, a datum
  }
}

BranchKind branch_kind(const Spec& spec, std::uint32_t word) {
  switch (spec.flow) {
    case Flow::Call:
      return BranchKind::Call;
    case Flow::Return:
      return BranchKind::Return;
    case Flow::Jump: {
      if (rd(word) == 15) return BranchKind::Call;
      const bool linked = rs1(word) == 15 || rs1(word) == 31;
      // +8 skips the call and its slot; +12 also the unimp word, after a function that returns a structure.
      const bool back = has_immediate(word) && (simm13(word) == 8 || simm13(word) == 12);
      return rd(word) == 0 && linked && back ? BranchKind::Return : BranchKind::Indirect;
    }
    case Flow::BranchIcc:
    case Flow::BranchFcc:
      return cond(word) == 8 ? BranchKind::Always : BranchKind::Conditional;
    case Flow::BranchRegister:
    case Flow::CompareBranch:
      return BranchKind::Conditional;
    case Flow::Straight:
    case Flow::Trap:
    case Flow::Save:
    case Flow::Restore:
    case Flow::FlushWindows:
      return BranchKind::None;
  }
  return BranchKind::None;
}

void set_timing(StaticInstruction& result, const Spec& spec) {
  result.unit = spec.unit;
  result.latency = spec.latency;
  const auto retime = [&](Unit unit, LatencyClass latency) { result.unit = unit, result.latency = latency; };
  result.timed = (spec.effects & effect::kTimed) != 0;
  const Operand first = spec.format->operands[0];
  if (first == Operand::High22 && rd(result.word) == 0) retime(Unit::None, LatencyClass::None);
  if (spec.flow == Flow::Trap && cond(result.word) == 0) {
    retime(Unit::None, LatencyClass::None);
    result.timed = false;
  }
  // Under total store order a barrier only waits for #StoreLoad (2) and for the completion masks
  // #Lookaside, #MemIssue and #Sync.
  if (first == Operand::MembarMask && (bits(result.word, 0, 7) & 0x72) != 0)
    retime(Unit::Address, LatencyClass::Serial);
  result.serial = result.latency == LatencyClass::Serial;
}

/// Replaces the names of scalar registers by those of SIMD state. The extension's own rows name their
/// register files.
void move_to_pes(StaticInstruction& result, const Spec& spec) {
  if (spec.manual.starts_with("PSIM")) return;
  const auto rename = [](RegisterRange& range) {
    if (range.first >= reg::kFp && range.first < reg::kCcr)
      range.first = static_cast<std::uint8_t>(range.first + (reg::kSimdFp - reg::kFp));
    else if (range.first >= reg::kFcc && range.first < reg::kY)
      range.first = static_cast<std::uint8_t>(range.first + (reg::kSimdFcc - reg::kFcc));
  };
  for (unsigned n = 0; n < result.sources; ++n) rename(result.source[n]);
  for (unsigned n = 0; n < result.destinations; ++n) rename(result.destination[n]);
  if (result.unit == Unit::Fp) result.unit = Unit::Simd;
}
/// Returns true for a load or store whose datum is a register of the PEs.
bool moves_pe_data(const StaticInstruction& s) {
  const auto of_pes = [](const RegisterRange& range) {
    return range.first >= reg::kSimdFp && range.first < reg::kSimdFcc;
  };
  if (s.unit != Unit::Address) return false;
  return (s.load && s.destinations != 0 && of_pes(s.destination[0])) ||
         (s.store && s.sources != 0 && of_pes(s.source[s.sources - 1u]));
}

}  // namespace

std::int64_t displacement(const Spec& row, std::uint32_t word) {
  std::int64_t sum = 0;
  for (const Operand operand : row.format->operands) sum += displacement_of(operand, word);
  return sum;
}

StaticInstruction analyse(std::uint32_t word, bool simd) {
  const Spec& spec = decode(word);
  StaticInstruction result;
  result.spec = &spec;
  result.word = word;
  set_timing(result, spec);
  result.load = (spec.effects & effect::kLoad) != 0;
  result.store = (spec.effects & effect::kStore) != 0;
  result.window_save = (spec.effects & effect::kSaveWindow) != 0;
  result.window_restore = (spec.effects & effect::kRestoreWindow) != 0;
  result.flops = (spec.effects & effect::kTwoFlops) != 0 ? 2 : (spec.effects & effect::kOneFlop) != 0 ? 1 : 0;
  result.access_bytes = spec.bytes;
  result.branch = branch_kind(spec, word);
  const bool annuls =
      (field_bits(spec.format->suffix) & 1u << 29) != 0 && spec.format->suffix != Suffix::CompareBranch;
  result.annul = annuls && annul(word);
  result.no_delay_slot = spec.format->suffix == Suffix::CompareBranch;
  result.displacement = displacement(spec, word);

  Uses uses{};
  const auto& operands = spec.format->operands;
  for (std::size_t n = 0; n < uses.size() && operands[n] != Operand::None; ++n)
    uses[n] = use_of(operands[n], word);
  add_operands(result, *spec.format, uses, word, true);
  result.address_sources = result.sources;
  add_operands(result, *spec.format, uses, word, false);
  add_effects(result, spec, uses, word);
  if (!result.store) result.address_sources = result.sources;
  size_by_asi(result);
  if (simd) move_to_pes(result, spec);
  result.resolve_registers();
  result.simd = result.unit == Unit::Simd;
  result.pe_data = moves_pe_data(result);
  if (spec.manual == "PSIM cross") result.crosses = simd::takers(simd::cross_form(word).cross);
  return result;
}

}  // namespace psim::isa
