// SPDX-License-Identifier: Apache-2.0
// %simd, %pemask, %simdstack.
#include "isa/simd/state_registers.h"

#include "isa/exec/access.h"
#include "isa/simd/lanes.h"

namespace psim::isa {

std::uint64_t read_simd(const SimdState& s) { return std::uint64_t{s.pes} << 8 | s.on; }
std::uint64_t read_simdstack(const SimdState& s) { return s.stack_bytes / 64 << 48 | s.stack_window; }
bool write_simdstack(SimdState& s, std::uint64_t value) {
  const std::uint64_t bytes = (value >> 48) * 64, base = value & 0xffff'ffff'ffff;
  if (base % 64 != 0 || bytes > s.sbm_bytes) return false;
  s.stack_window = base, s.stack_bytes = bytes;
  return true;
}

namespace simd {
namespace {

using u64 = std::uint64_t;

template <auto Read>
PSIM_HANDLER(read) {
  if (c->simd.pes == 0) [[unlikely]]
    PSIM_TROUBLE(FaultKind::NoPes);
  put(c, a->rd, Read(c->simd));
  PSIM_NEXT;
}
/// wr writes r[rs1] xor operand 2.
template <bool I>
u64 value(const Context* c, const Action* a) {
  return get(c, a->rs1) ^ (I ? static_cast<u64>(a->imm) : get(c, a->rs2));
}
/// By itself: what follows is decoded anew, in the other state.
template <bool I>
PSIM_HANDLER(write_state) {
  if (c->simd.pes == 0) PSIM_TROUBLE(FaultKind::NoPes);
  if (!c->alone) return do_alone(c, a);
  c->simd.on = (value<I>(c, a) & 1) != 0;
  PSIM_NEXT;
}
template <bool I>
PSIM_HANDLER(write_mask) {
  if (c->simd.pes == 0) PSIM_TROUBLE(FaultKind::NoPes);
  c->simd.set_mask(static_cast<std::uint32_t>(value<I>(c, a)));
  PSIM_NEXT;
}
template <bool I>
PSIM_HANDLER(write_stack) {
  if (c->simd.pes == 0) PSIM_TROUBLE(FaultKind::NoPes);
  if (!write_simdstack(c->simd, value<I>(c, a))) PSIM_TROUBLE(FaultKind::PeOperand, value<I>(c, a));
  PSIM_NEXT;
}
template <auto Read>
Binding reads() {
  return {.handler = read<Read>, .immediate = read<Read>, .rd = Bank::Int};
}
Binding writes(Handler by_register, Handler by_immediate) {
  return {.handler = by_register, .immediate = by_immediate, .rs1 = Bank::Int, .rs2 = Bank::Int};
}

}  // namespace

void bind_state_registers(Bindings& b) {
  b[Op::Rdsimd] = reads<read_simd>();
  b[Op::Rdpemask] = reads<[](const SimdState& s) { return u64{s.mask}; }>();
  b[Op::Rdsimdstack] = reads<read_simdstack>();
  b[Op::Wrsimd] = writes(write_state<false>, write_state<true>);
  b[Op::Wrpemask] = writes(write_mask<false>, write_mask<true>);
  b[Op::Wrsimdstack] = writes(write_stack<false>, write_stack<true>);
}

}  // namespace simd
}  // namespace psim::isa
