// SPDX-License-Identifier: Apache-2.0
#include "isa/exec/decoded.h"

#include <memory>

#include "isa/exec/branches.h"
#include "isa/exec/executor.h"
#include "isa/fields.h"
#include "isa/simd/lanes.h"

namespace psim::isa {

namespace {
PSIM_HANDLER(unbound) { PSIM_TROUBLE(FaultKind::IllegalInstruction); }

Flow flow_of(Op op) {
  switch (op) {
    case Op::Call:
      return Flow::Call;
    case Op::Jmpl:
      return Flow::Jump;
    case Op::Return:
      return Flow::Return;
    case Op::Bicc:
    case Op::Bpcc:
      return Flow::BranchIcc;
    case Op::Fbfcc:
    case Op::Fbpfcc:
      return Flow::BranchFcc;
    case Op::Bpr:
      return Flow::BranchRegister;
    case Op::Cwb:
    case Op::Cxb:
      return Flow::CompareBranch;
    case Op::Tcc:
      return Flow::Trap;
    case Op::Save:
      return Flow::Save;
    case Op::Restore:
      return Flow::Restore;
    case Op::Flushw:
      return Flow::Flushw;
    default:
      return Flow::Straight;
  }
}

/// In SimdState::f. The even single of a lane is the high half of a little-endian word.
std::uint16_t pe_offset(unsigned number, bool whole = false) {
  const std::size_t row = number / 2 * sizeof(SimdState::Lanes);
  return static_cast<std::uint16_t>(row + (whole || number % 2 != 0 ? 0 : 4));
}

std::uint16_t offset_of(Bank bank, unsigned field, bool destination) {
  switch (bank) {
    case Bank::None:
      return 0;
    case Bank::Int:
      return destination ? int_sink_offset(field) : int_offset(field);
    case Bank::Single:
      return single_offset(field);
    case Bank::Double:
      return double_offset(double_register(field));
    case Bank::Quad:
      return double_offset(quad_register(field));
    case Bank::PeSingle:
      return pe_offset(field);
    case Bank::PeDouble:
      return pe_offset(double_register(field), true);
    case Bank::PeQuad:
      return pe_offset(quad_register(field), true);
  }
  return 0;
}

std::unique_ptr<Bindings> make_bindings(FmaRounding fma, bool simd) {
  auto b = std::make_unique<Bindings>();
  bind_integer(*b);
  bind_memory(*b);
  bind_alternate_space(*b);
  bind_state_registers(*b);
  bind_fp(*b, fma);
  bind_vis(*b);
  bind_extension(*b);
  if (simd) bind_simd_state(*b, fma);
  return b;
}
}  // namespace

const Bindings& bindings(FmaRounding fma, bool simd) {
  static const std::unique_ptr<Bindings> kAll[2][2] = {
      {make_bindings(FmaRounding::Fused, false), make_bindings(FmaRounding::Unfused, false)},
      {make_bindings(FmaRounding::Fused, true), make_bindings(FmaRounding::Unfused, true)}};
  return *kAll[simd][fma == FmaRounding::Unfused];
}

Decoded decoded(std::uint32_t word, const Bindings& bindings) {
  Decoded d;
  d.spec = &decode(word);
  const Op op = d.spec->op;
  d.flow = flow_of(op);
  const Binding& binding = bindings[op];
  Action& a = d.action;
  a.word = word;
  a.handler = binding.handler != nullptr ? binding.handler : Handler{unbound};
  if (binding.immediate != nullptr && has_immediate(word)) a.handler = binding.immediate;
  a.rd = offset_of(binding.rd, rd(word), true);
  a.rs1 = offset_of(binding.rs1, rs1(word), false);
  a.rs2 = offset_of(binding.rs2, rs2(word), false);
  a.rs3 = offset_of(binding.rs3, rs3(word), false);
  a.imm = simm13(word);
  if (binding.prepare != nullptr) binding.prepare(a);
  if (d.flow == Flow::Trap) a.handler = software_trap_handler;
  d.floating = binding.floating;
  d.address =
      (d.spec->effects & (effect::kLoad | effect::kStore)) != 0 || op == Op::Prefetch || op == Op::Prefetcha;
  // Partial stores take rs2 for a mask; their ASI is in the word wherever compilers and libraries use them.
  d.rs1_only = op == Op::Casa || op == Op::Casxa ||
               (op == Op::Stdfa && !has_immediate(word) && imm_asi(word) >= 0xc0 && imm_asi(word) <= 0xcd);
  return d;
}

}  // namespace psim::isa
