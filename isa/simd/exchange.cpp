// SPDX-License-Identifier: Apache-2.0
// Moves between scalar registers and those of the PEs, numbers of PEs, sums across PEs; in either state.
#include "isa/fp/host.h"
#include "isa/fp/registers.h"
#include "isa/simd/lanes.h"
#include "isa/state/access.h"
#include "isa/table/fields.h"
#include "isa/table/groups.h"
#include "isa/table/simd.h"

namespace psim::isa::simd {
namespace {

using u64 = std::uint64_t;
using u32 = std::uint32_t;

/// Returns a T of one PE; for a single, Action's offset names its half.
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
/// Ignores the mask, since the instruction names the PE.
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

/// Adds the lanes of scratch[0] in pairs, then pairs of sums, and so on, without the disabled PEs.
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

/// Computes the sum; returns false after an enabled trap. %fsr.cexc is unchanged unless there is a trap.
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

template <class T>
constexpr Execution kBroadcasts{{.handler = broadcast<T>}};
template <class T>
constexpr Execution kPuts{{.handler = put_one<T>}};
template <class T>
constexpr Execution kGets{{.handler = get_one<T>}};
constexpr Execution kPeNumbers{{.handler = pe_numbers}};
template <class T, bool ToPes>
constexpr Execution kSums{{.handler = sum<T, ToPes>, .floating = true}};

}  // namespace
}  // namespace psim::isa::simd

namespace psim::isa::table {
using namespace simd;

namespace {
// clang-format off
constexpr Spec kSimdExchangeRows[] = {
    // Between scalar registers and those of PEs, in either state; rs1 is the number of the PE.
    row("fbcasts", "10 ddddd 110110 00000 010010001 ttttt", kScalarToPeS, kPeMove, "PSIM moves", kBroadcasts<std::uint32_t>),
    row("fbcastd", "10 ddddd 110110 00000 010010010 ttttt", kScalarToPeD, kPeMove, "PSIM moves", kBroadcasts<std::uint64_t>),
    row("fputs", "10 ddddd 110110 sssss 010010101 ttttt", kPutS, kPeMove, "PSIM moves", kPuts<std::uint32_t>, effect::kReadRd),
    row("fputd", "10 ddddd 110110 sssss 010010110 ttttt", kPutD, kPeMove, "PSIM moves", kPuts<std::uint64_t>, effect::kReadRd),
    row("fgets", "10 ddddd 110110 sssss 010011001 ttttt", kGetS, kPeMove, "PSIM moves", kGets<std::uint32_t>),
    row("fgetd", "10 ddddd 110110 sssss 010011010 ttttt", kGetD, kPeMove, "PSIM moves", kGets<std::uint64_t>),
    row("fpeid", "10 ddddd 110110 00000 010011110 00000", kPeIndex, kPeMove, "PSIM moves", kPeNumbers),
    // Sums across PEs: to the scalar register, to that of every PE.
    row("fsums", "10 ddddd 110110 00000 010100001 ttttt", kPeToScalarS, kPeSum, "PSIM sums", kSums<float, false>, effect::kReadFsr | effect::kOneFlop),
    row("fsumd", "10 ddddd 110110 00000 010100010 ttttt", kPeToScalarD, kPeSum, "PSIM sums", kSums<double, false>, effect::kReadFsr | effect::kOneFlop),
    row("fsumbs", "10 ddddd 110110 00000 010100101 ttttt", kPeSs, kPeSum, "PSIM sums", kSums<float, true>, effect::kReadFsr | effect::kOneFlop),
    row("fsumbd", "10 ddddd 110110 00000 010100110 ttttt", kPeDd, kPeSum, "PSIM sums", kSums<double, true>, effect::kReadFsr | effect::kOneFlop),
};
// clang-format on
static_assert(disjoint(kSimdExchangeRows), "two instructions claim the same word");
}  // namespace

std::span<const Spec> simd_exchange_rows() { return kSimdExchangeRows; }

}  // namespace psim::isa::table
