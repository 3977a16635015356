// SPDX-License-Identifier: Apache-2.0
// edge, array, alignaddr, and what else writes GSR: bmask, cmask, siam.
#include "isa/vis/address.h"

#include "isa/exec/handler.h"
#include "isa/fields.h"
#include "isa/fp/environment.h"
#include "isa/vis/arithmetic.h"
#include "isa/vis/handlers.h"
#include "isa/vis/pack.h"

namespace psim::isa::vis {
namespace {

/// edge…cc: CCR as of subcc.
template <auto F>
PSIM_HANDLER(edge_cc) {
  CpuState& state = *c;
  const u64 x = get(c, a->rs1), y = get(c, a->rs2);
  state.cc_kind = CcKind::Sub;
  state.cc_a = x;
  state.cc_b = y;
  put(c, a->rd, F(x, y));
  PSIM_NEXT;
}
template <auto F>
constexpr Binding with_cc() {
  return {.handler = edge_cc<F>, .rd = Bank::Int, .rs1 = Bank::Int, .rs2 = Bank::Int};
}

/// GSR.align takes the low bits of the sum, or with Little of its negative.
template <bool Little>
PSIM_HANDLER(alignaddr) {
  CpuState& state = *c;
  const u64 sum = get(c, a->rs1) + get(c, a->rs2);
  state.gsr = (state.gsr & ~u64{7}) | ((Little ? 0 - sum : sum) & 7);
  put(c, a->rd, sum & ~u64{7});
  PSIM_NEXT;
}

PSIM_HANDLER(bmask) {
  CpuState& state = *c;
  const u64 sum = get(c, a->rs1) + get(c, a->rs2);
  state.gsr = (state.gsr & 0xffffffff) | sum << 32;
  put(c, a->rd, sum);
  PSIM_NEXT;
}

template <class Lane>
PSIM_HANDLER(set_mask) {
  CpuState& state = *c;
  state.gsr = cmask<Lane>(get(c, a->rs2), state.gsr);
  PSIM_NEXT;
}

/// GSR.im and GSR.irnd take the three bits of the mode.
PSIM_HANDLER(siam) {
  CpuState& state = *c;
  fp::write_gsr(state, (state.gsr & ~(u64{7} << 25)) | u64{bits(a->word, 0, 3)} << 25);
  PSIM_NEXT;
}

constexpr Binding of(Handler handler) {
  return {.handler = handler, .rd = Bank::Int, .rs1 = Bank::Int, .rs2 = Bank::Int};
}

}  // namespace

void bind_address(Bindings& b) {
  b[Op::Edge8cc] = with_cc<&edge<u8, false>>();
  b[Op::Edge8lcc] = with_cc<&edge<u8, true>>();
  b[Op::Edge16cc] = with_cc<&edge<u16, false>>();
  b[Op::Edge16lcc] = with_cc<&edge<u16, true>>();
  b[Op::Edge32cc] = with_cc<&edge<u32, false>>();
  b[Op::Edge32lcc] = with_cc<&edge<u32, true>>();
  b[Op::Edge8n] = int_binary<&edge<u8, false>>();
  b[Op::Edge8ln] = int_binary<&edge<u8, true>>();
  b[Op::Edge16n] = int_binary<&edge<u16, false>>();
  b[Op::Edge16ln] = int_binary<&edge<u16, true>>();
  b[Op::Edge32n] = int_binary<&edge<u32, false>>();
  b[Op::Edge32ln] = int_binary<&edge<u32, true>>();
  b[Op::Array8] = int_binary<&array<0>>();
  b[Op::Array16] = int_binary<&array<1>>();
  b[Op::Array32] = int_binary<&array<2>>();
  b[Op::Xmulx] = int_binary<&xmulx>();
  b[Op::Xmulxhi] = int_binary<&xmulxhi>();
  b[Op::Alignaddr] = of(alignaddr<false>);
  b[Op::Alignaddrl] = of(alignaddr<true>);
  b[Op::Bmask] = of(bmask);
  b[Op::Cmask8] = {.handler = set_mask<u8>, .rs2 = Bank::Int};
  b[Op::Cmask16] = {.handler = set_mask<u16>, .rs2 = Bank::Int};
  b[Op::Cmask32] = {.handler = set_mask<u32>, .rs2 = Bank::Int};
  b[Op::Siam] = {.handler = siam, .floating = true};
}

}  // namespace psim::isa::vis
