// SPDX-License-Identifier: Apache-2.0
// Moves between scalar registers and those of the PEs, numbers of PEs, sums across PEs; in either state.
#include "isa/exec/access.h"
#include "isa/exec/executor.h"
#include "isa/fields.h"
#include "isa/fp/host.h"
#include "isa/fp/registers.h"
#include "isa/simd/lanes.h"

namespace psim::isa::simd {
namespace {

using u64 = std::uint64_t;
using u32 = std::uint32_t;

/// A T of one PE; of a single, Action's offset names its half.
template <class T>
T get_lane(Context* c, std::uint16_t offset, unsigned pe) {
  T value;
  std::memcpy(&value, row_at(c, offset) + 8 * pe, sizeof value);
  return value;
}
template <class T>
void put_lane(Context* c, std::uint16_t offset, unsigned pe, T value) {
  std::memcpy(row_at(c, offset) + 8 * pe, &value, sizeof value);
}
template <class F>
[[gnu::always_inline]] inline void each_enabled(const SimdState& s, F f) {
  for (u32 left = s.mask; left != 0; left &= left - 1) f(static_cast<unsigned>(__builtin_ctz(left)));
}

template <class T>
PSIM_HANDLER(broadcast) {
  if (c->simd.pes == 0) PSIM_TROUBLE(FaultKind::NoPes);
  const T value = get<T>(c, a->rs2);
  each_enabled(c->simd, [=](unsigned pe) { put_lane<T>(c, a->rd, pe, value); });
  PSIM_NEXT;
}
/// Whatever the mask: the PE is named.
template <class T>
PSIM_HANDLER(put_one) {
  if (c->simd.pes == 0) PSIM_TROUBLE(FaultKind::NoPes);
  const u64 pe = get(c, a->rs1);
  if (pe >= c->simd.pes) PSIM_TROUBLE(FaultKind::PeOperand, pe);
  put_lane<T>(c, a->rd, static_cast<unsigned>(pe), get<T>(c, a->rs2));
  PSIM_NEXT;
}
template <class T>
PSIM_HANDLER(get_one) {
  if (c->simd.pes == 0) PSIM_TROUBLE(FaultKind::NoPes);
  const u64 pe = get(c, a->rs1);
  if (pe >= c->simd.pes) PSIM_TROUBLE(FaultKind::PeOperand, pe);
  put<T>(c, a->rd, get_lane<T>(c, a->rs2, static_cast<unsigned>(pe)));
  PSIM_NEXT;
}
PSIM_HANDLER(pe_numbers) {
  if (c->simd.pes == 0) PSIM_TROUBLE(FaultKind::NoPes);
  each_enabled(c->simd, [=](unsigned pe) { put_lane<u64>(c, a->rd, pe, pe); });
  PSIM_NEXT;
}

/// Adds the lanes of scratch[0] in pairs, then pairs of sums, and so on; a PE that is not enabled is left
/// out.
template <class T, class Plus>
T tree(SimdState& s, Plus plus) {
  auto& v = s.scratch[0];
  u32 there = s.mask;
  for (unsigned step = 1; step < kMostPes; step *= 2)
    for (unsigned pe = 0; pe + step < kMostPes; pe += 2 * step) {
      if ((there >> (pe + step) & 1) == 0) continue;
      v[pe] = (there >> pe & 1) != 0 ? plus(v[pe], v[pe + step]) : v[pe + step];
      there |= 1u << pe;
    }
  return __builtin_bit_cast(T, static_cast<fp::Bits<T>>(there == 0 ? 0 : v[0]));
}
template <class T>
void take_lanes(Context* c, const Action* a) {
  each_enabled(c->simd, [=](unsigned pe) { c->simd.scratch[0][pe] = get_lane<fp::Bits<T>>(c, a->rs2, pe); });
}

/// The sum, or false after an enabled trap. %fsr.cexc stays as it was, unless there is a trap.
template <class T>
[[gnu::noinline]] bool sum_of(Context* c, const Action* a, T& result) {
  if (!c->fp_traps) {
    take_lanes<T>(c, a);
    result = tree<T>(c->simd, [](u64 x, u64 y) {
      const T sum = fp::host::add(__builtin_bit_cast(T, static_cast<fp::Bits<T>>(x)),
                                  __builtin_bit_cast(T, static_cast<fp::Bits<T>>(y)));
      return u64{__builtin_bit_cast(fp::Bits<T>, sum)};
    });
    if (!fp::host::is_nan(result)) return true;
  }
  take_lanes<T>(c, a);
  CpuState& state = *c;
  const u64 before = state.fsr;
  bool trapped = false;
  result = tree<T>(c->simd, [&](u64 x, u64 y) {
    if (trapped) return x;
    const auto sum = fp::exact(sizeof(T) == 4 ? fp::Operation::Adds : fp::Operation::Addd, x, y, 0,
                               fp::rounding(state), static_cast<std::uint8_t>(state.fsr >> 23 & 0x1f));
    trapped = fp::settle(state, sum.flags);
    return sum.bits;
  });
  if (trapped)
    state.fsr = (state.fsr & ~fp::kAexc) | (before & fp::kAexc);
  else
    state.fsr = (before & ~fp::kAexc) | (state.fsr & fp::kAexc);
  return !trapped;
}
template <class T, bool ToPes>
const Action* add_up(Context* c, const Action* a) {
  if (c->simd.pes == 0) return trouble(c, a, FaultKind::NoPes);
  T result;
  if (!sum_of<T>(c, a, result)) return trouble(c, a, FaultKind::FpIeee);
  if (ToPes)
    each_enabled(c->simd, [=](unsigned pe) { put_lane<T>(c, a->rd, pe, result); });
  else
    put<T>(c, a->rd, result);
  return a + 1;
}
template <class T, bool ToPes>
PSIM_HANDLER(sum) {
  const Action* const after = add_up<T, ToPes>(c, a);
  if (after == nullptr) return nullptr;
  PSIM_GO(after);
}

}  // namespace

void bind_exchange(Bindings& b) {
  constexpr Bank s = Bank::Single, d = Bank::Double, ps = Bank::PeSingle, pd = Bank::PeDouble;
  b[Op::Fbcasts] = {.handler = broadcast<u32>, .rd = ps, .rs2 = s};
  b[Op::Fbcastd] = {.handler = broadcast<u64>, .rd = pd, .rs2 = d};
  b[Op::Fputs] = {.handler = put_one<u32>, .rd = ps, .rs1 = Bank::Int, .rs2 = s};
  b[Op::Fputd] = {.handler = put_one<u64>, .rd = pd, .rs1 = Bank::Int, .rs2 = d};
  b[Op::Fgets] = {.handler = get_one<u32>, .rd = s, .rs1 = Bank::Int, .rs2 = ps};
  b[Op::Fgetd] = {.handler = get_one<u64>, .rd = d, .rs1 = Bank::Int, .rs2 = pd};
  b[Op::Fpeid] = {.handler = pe_numbers, .rd = pd};
  b[Op::Fsums] = {.handler = sum<float, false>, .rd = s, .rs2 = ps, .floating = true};
  b[Op::Fsumd] = {.handler = sum<double, false>, .rd = d, .rs2 = pd, .floating = true};
  b[Op::Fsumbs] = {.handler = sum<float, true>, .rd = ps, .rs2 = ps, .floating = true};
  b[Op::Fsumbd] = {.handler = sum<double, true>, .rd = pd, .rs2 = pd, .floating = true};
}

}  // namespace psim::isa::simd
