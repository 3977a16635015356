// SPDX-License-Identifier: Apache-2.0
// %simd, %pemask, %simdstack.
#include "isa/simd/state_registers.h"

#include "isa/simd/lanes.h"
#include "isa/state/access.h"
#include "isa/table/groups.h"
#include "isa/table/simd.h"

namespace psim::isa {

std::uint64_t read_simd(const SimdState& s) {
  return s.sbm_bytes / 64 << 16 | std::uint64_t{s.pes} << 8 | s.on;
}
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
/// Runs alone, since the following instructions are decoded again, in the other state.
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
std::uint64_t read_pemask(const SimdState& s) { return s.mask; }

template <auto Read>
constexpr Execution kSimdReads{{.handler = read<Read>, .immediate = read<Read>}};
constexpr Execution kWritesState{{.handler = write_state<false>, .immediate = write_state<true>}};
constexpr Execution kWritesMask{{.handler = write_mask<false>, .immediate = write_mask<true>}};
constexpr Execution kWritesStack{{.handler = write_stack<false>, .immediate = write_stack<true>}};

}  // namespace
}  // namespace simd

namespace table {
using namespace simd;

namespace {
// clang-format off
constexpr auto kSimdStateRows = rows(
    // State: the value written is rs1 xor the second operand.
    row("rd", "10 ddddd 101000 01000 0 0000000000000", kRead<Simd>, kSimple, "PSIM state", kSimdReads<read_simd>, effect::kReadSimd),
    row("rd", "10 ddddd 101000 01001 0 0000000000000", kRead<PeMask>, kSimple, "PSIM state", kSimdReads<read_pemask>, effect::kReadSimd),
    row("rd", "10 ddddd 101000 01010 0 0000000000000", kRead<SimdStack>, kSimple, "PSIM state", kSimdReads<read_simdstack>, effect::kReadSimd),
    pair<"10 01000 110000 sssss">("wr", kWriteR<Simd>, kWriteI<Simd>, kSerial, "PSIM state", kWritesState, effect::kWriteSimd | effect::kSwitchesState),
    pair<"10 01001 110000 sssss">("wr", kWriteR<PeMask>, kWriteI<PeMask>, kSerial, "PSIM state", kWritesMask, effect::kWriteSimd),
    pair<"10 01010 110000 sssss">("wr", kWriteR<SimdStack>, kWriteI<SimdStack>, kSerial, "PSIM state", kWritesStack, effect::kWriteSimd)
);
// clang-format on
static_assert(disjoint(kSimdStateRows), "two instructions claim the same word");
}  // namespace

std::span<const Spec> simd_state_rows() { return kSimdStateRows; }

}  // namespace table
}  // namespace psim::isa
