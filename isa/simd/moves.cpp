// SPDX-License-Identifier: Apache-2.0
// Moves, sign operations, bitwise logic and moves on a PE's own fcc in SIMD state, on all PEs at once.
#include "isa/exec/conditions.h"
#include "isa/fields.h"
#include "isa/simd/lanes.h"

namespace psim::isa::simd {
namespace {

using u64 = std::uint64_t;

#define PSIM_BODY                                                                                      \
  [[gnu::always_inline]] static inline const Action* run(Context* c, const Action* a, std::byte* host, \
                                                         const std::uint8_t* pages)

/// rd = F(rs1, rs2), bit by bit. Lanes above the last PE may become anything in F, so they are left alone.
template <auto F>
struct BitwiseDouble {
  PSIM_BODY {
    if (c->simd.partial) [[unlikely]]
      return by_lanes(c, a, host, pages);
    const unsigned n = c->simd.pes;
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
    if (c->simd.partial) [[unlikely]]
      return by_lanes(c, a, host, pages);
    const unsigned n = c->simd.pes;
    const auto& fcc = c->simd.fcc[static_cast<unsigned>(a->imm >> 8)];
    const u64 values = static_cast<u64>(a->imm & 15);
    for (unsigned pe = 0; pe < n; ++pe) {
      const u64 taken = u64{0} - (values >> fcc[pe] & 1);
      u64& to = lane_at(c, a->rd, pe);
      to = (lane_at(c, a->rs2, pe) & taken) | (to & ~taken);
    }
    PSIM_NEXT;
  }
};
void on_fcc(Action& a) { a.imm = fcc_mask(move_cond(a.word)) | move_cc(a.word) << 8; }

Binding of(Bank bank, Handler handler) { return {.handler = handler, .rd = bank, .rs1 = bank, .rs2 = bank}; }
template <auto F>
void bind(Bindings& b, Op single, Op dbl) {
  b[single] = of(Bank::PeSingle, pe_handler<BitwiseSingle<F>>());
  b[dbl] = of(Bank::PeDouble, pe_handler<BitwiseDouble<F>>());
}
constexpr u64 kSign = u64{1} << 63;
constexpr u64 kSingleSign = u64{1} << 31;

/// A move of an integer register or an fcc to an integer register looks at the agreed fcc.
template <bool I>
PSIM_HANDLER(integer_move_on_fcc) {
  // "Always" and "never" look at none.
  const bool reads = (move_cond(a->word) & 7) != 0;
  const int fcc = reads ? agreed_fcc(c, a, move_cc(a->word)) : 0;
  if (fcc < 0) return nullptr;
  if (fcc_mask(move_cond(a->word)) >> fcc & 1)
    put(c, a->rd, I ? static_cast<u64>(simm11(a->word)) : get(c, a->rs2));
  PSIM_NEXT;
}

}  // namespace

void bind_moves(Bindings& b) {
  bind<[](u64, u64 y) { return y; }>(b, Op::Fmovs, Op::Fmovd);
  bind<[](u64, u64 y) { return y; }>(b, Op::Fsrc2s, Op::Fsrc2d);
  bind<[](u64 x, u64) { return x; }>(b, Op::Fsrc1s, Op::Fsrc1d);
  bind<[](u64, u64) { return u64{0}; }>(b, Op::Fzeros, Op::Fzerod);
  bind<[](u64, u64) { return ~u64{0}; }>(b, Op::Fones, Op::Foned);
  bind<[](u64 x, u64) { return ~x; }>(b, Op::Fnot1s, Op::Fnot1d);
  bind<[](u64, u64 y) { return ~y; }>(b, Op::Fnot2s, Op::Fnot2d);
  bind<[](u64 x, u64 y) { return x & y; }>(b, Op::Fands, Op::Fandd);
  bind<[](u64 x, u64 y) { return ~x & y; }>(b, Op::Fandnot1s, Op::Fandnot1d);
  bind<[](u64 x, u64 y) { return x & ~y; }>(b, Op::Fandnot2s, Op::Fandnot2d);
  bind<[](u64 x, u64 y) { return ~(x & y); }>(b, Op::Fnands, Op::Fnandd);
  bind<[](u64 x, u64 y) { return x | y; }>(b, Op::Fors, Op::Ford);
  bind<[](u64 x, u64 y) { return ~x | y; }>(b, Op::Fornot1s, Op::Fornot1d);
  bind<[](u64 x, u64 y) { return x | ~y; }>(b, Op::Fornot2s, Op::Fornot2d);
  bind<[](u64 x, u64 y) { return ~(x | y); }>(b, Op::Fnors, Op::Fnord);
  bind<[](u64 x, u64 y) { return x ^ y; }>(b, Op::Fxors, Op::Fxord);
  bind<[](u64 x, u64 y) { return ~(x ^ y); }>(b, Op::Fxnors, Op::Fxnord);
  b[Op::Fnegd] = of(Bank::PeDouble, pe_handler<BitwiseDouble<[](u64, u64 y) { return y ^ kSign; }>>());
  b[Op::Fabsd] = of(Bank::PeDouble, pe_handler<BitwiseDouble<[](u64, u64 y) { return y & ~kSign; }>>());
  b[Op::Fnegs] = of(Bank::PeSingle, pe_handler<BitwiseSingle<[](u64, u64 y) { return y ^ kSingleSign; }>>());
  b[Op::Fabss] = of(Bank::PeSingle, pe_handler<BitwiseSingle<[](u64, u64 y) { return y & ~kSingleSign; }>>());
  b[Op::Fmovdfcc] = of(Bank::PeDouble, pe_handler<MoveOnFccDouble>());
  b[Op::Fmovdfcc].prepare = on_fcc;
  b[Op::Movfcc].handler = integer_move_on_fcc<false>, b[Op::Movfcc].immediate = integer_move_on_fcc<true>;
}

}  // namespace psim::isa::simd
