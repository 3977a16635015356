// SPDX-License-Identifier: Apache-2.0
// Moves, sign operations, bitwise logic and moves on a PE's own fcc in SIMD state, on all PEs at once.
#pragma once

#include "isa/simd/lanes.h"
#include "isa/state/conditions.h"
#include "isa/table/fields.h"

namespace psim::isa::simd {

using u64 = std::uint64_t;
using u32 = std::uint32_t;

/// rd = F(rs1, rs2), bit by bit. Lanes above the last PE could get any value in F, so they are not written.
template <auto F>
struct BitwiseDouble {
  PSIM_BODY {
    const unsigned n = c->simd.pes;
    if (c->simd.partial) [[unlikely]] {
      for (unsigned pe = 0; pe < n; ++pe) {
        const u64 value = F(lane_at(c, a->rs1, pe), lane_at(c, a->rs2, pe));
        u64& to = lane_at(c, a->rd, pe);
        to ^= (to ^ value) & c->simd.enabled_lanes[pe];
      }
      PSIM_NEXT;
    }
    for (unsigned pe = 0; pe < n; ++pe)
      lane_at(c, a->rd, pe) = F(lane_at(c, a->rs1, pe), lane_at(c, a->rs2, pe));
    PSIM_NEXT;
  }
};
template <auto F>
struct BitwiseSingle {
  PSIM_BODY {
    if (c->simd.partial) [[unlikely]]
      return by_lanes(c, a, host, pages);
    typedef std::uint32_t Word __attribute__((may_alias));
    const unsigned n = c->simd.pes;
    const auto* const x = reinterpret_cast<const Word*>(row_at(c, a->rs1));
    const auto* const y = reinterpret_cast<const Word*>(row_at(c, a->rs2));
    auto* const to = reinterpret_cast<Word*>(row_at(c, a->rd));
    for (unsigned pe = 0; pe < n; ++pe) to[2 * pe] = static_cast<Word>(F(x[2 * pe], y[2 * pe]));
    PSIM_NEXT;
  }
};

/// Action::imm: the mask of fcc values that move, and above it, in bits 8 and 9, the number of the fcc.
struct MoveOnFccDouble {
  PSIM_BODY {
    const unsigned n = c->simd.pes;
    const auto& fcc = c->simd.fcc[static_cast<unsigned>(a->imm >> 8)];
    const u64 values = static_cast<u64>(a->imm & 15);
    for (unsigned pe = 0; pe < n; ++pe) {
      const u64 taken = (u64{0} - (values >> fcc[pe] & 1)) & c->simd.enabled_lanes[pe];
      u64& to = lane_at(c, a->rd, pe);
      to = (lane_at(c, a->rs2, pe) & taken) | (to & ~taken);
    }
    PSIM_NEXT;
  }
};
inline void on_fcc(Action& a) { a.imm = fcc_mask(move_cond(a.word)) | move_cc(a.word) << 8; }

/// F(R, R) on registers of the size of R.
template <class R, auto F>
Binding bitwise(FmaRounding) {
  if constexpr (sizeof(R) == 8)
    return {.handler = pe_handler<BitwiseDouble<F>>()};
  else
    return {.handler = pe_handler<BitwiseSingle<F>>()};
}
inline Binding moves_doubles_on_fcc(FmaRounding) {
  return {.handler = pe_handler<MoveOnFccDouble>(), .prepare = on_fcc};
}

/// Moves by an integer register or fcc to an integer register use the agreed fcc.
template <bool I>
PSIM_HANDLER(integer_move_on_fcc) {
  // "Always" and "never" read no fcc.
  const bool reads = (move_cond(a->word) & 7) != 0;
  const int fcc = reads ? agreed_fcc(c, a, move_cc(a->word)) : 0;
  if (fcc < 0) return nullptr;
  if (fcc_mask(move_cond(a->word)) >> fcc & 1)
    put(c, a->rd, I ? static_cast<u64>(simm11(a->word)) : get(c, a->rs2));
  PSIM_NEXT;
}

inline Binding integer_moves_on_fcc(FmaRounding) {
  return {.handler = integer_move_on_fcc<false>, .immediate = integer_move_on_fcc<true>};
}

}  // namespace psim::isa::simd
