// SPDX-License-Identifier: Apache-2.0
#include "isa/exec/access.h"
#include "isa/simd/lanes.h"
#include "isa/simd/transfer.h"
#include "isa/spec.h"

namespace psim::isa {

namespace simd {
namespace {
/// FDIV and FSQRT: the PEs have no divider.
PSIM_HANDLER(no_divider) { PSIM_TROUBLE(FaultKind::PeDivide); }
}  // namespace
}  // namespace simd

void bind_extension(Bindings& b) {
  simd::bind_state_registers(b);
  simd::bind_transfers(b);
  simd::bind_exchange(b);
  simd::refuse_cross(b);
}

void bind_simd_state(Bindings& b, FmaRounding fma) {
  for (const Spec& spec : instructions())
    if (spec.unit == Unit::Fp) b[spec.op] = {.handler = simd::by_lanes, .floating = true};
  simd::bind_arithmetic(b, fma);
  simd::bind_moves(b);
  simd::bind_memory(b);
  simd::bind_alternate_space(b);
  simd::bind_cross(b, fma);
  for (const Op op : {Op::Fdivs, Op::Fdivd, Op::Fdivq, Op::Fsqrts, Op::Fsqrtd, Op::Fsqrtq})
    b[op] = {.handler = simd::no_divider};
}

}  // namespace psim::isa
