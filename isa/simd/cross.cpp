// SPDX-License-Identifier: Apache-2.0
// Cross operations: rs2 comes from the partner. Compiled without contraction, as
// isa/instructions/fp/arithmetic.cpp.
#include "isa/simd/lanes.h"
#include "isa/table/cross_form.h"
#include "isa/table/groups.h"
#include "isa/table/simd.h"

namespace psim::isa::simd {
namespace {

constexpr std::int64_t kSign = INT64_MIN;

/// Converts rs2 to the values that four PEs see of it.
template <Cross cross>
[[gnu::always_inline]] inline void cross_over(D4& y) {
  if constexpr (cross == Cross::Odd) {
    y = __builtin_shufflevector(y, y, 0, 0, 2, 2);
  } else if constexpr (cross == Cross::Even) {
    y = __builtin_shufflevector(y, y, 1, 1, 3, 3);
  } else {
    y = __builtin_shufflevector(y, y, 1, 0, 3, 2);
    if constexpr (cross == Cross::BothEvenNegates)
      y = reinterpret_cast<D4>(reinterpret_cast<L4>(y) ^ L4{kSign, 0, kSign, 0});
    if constexpr (cross == Cross::BothOddNegates)
      y = reinterpret_cast<D4>(reinterpret_cast<L4>(y) ^ L4{0, kSign, 0, kSign});
  }
}

enum class Kind : std::uint8_t { Move, Add, Sub, Mul, Fused, Unfused };

/// rs1, crossed rs2, rs3. For multiply-adds: subtract rs3; negate the result (fused) or product (unfused).
template <Cross cross, Kind kind, bool Subtract, bool Negate>
struct Double {
  [[gnu::always_inline]] static inline const Action* run(Context* c, const Action* a, std::byte* host,
                                                         const std::uint8_t* pages) {
    if (unusual(c)) [[unlikely]]
      return by_lanes(c, a, host, pages);
    const unsigned n = c->simd.pes;
    const L4 sign = L4{} + (Negate ? kSign : 0);
    L4 bad{};
    for (unsigned pe = 0; pe < n; pe += kStep) {
      const D4 x = vector_at<D4>(c, a->rs1, pe);
      D4 y = vector_at<D4>(c, a->rs2, pe);
      cross_over<cross>(y);
      D4 result = y;
      if constexpr (kind == Kind::Add) result = x + y;
      if constexpr (kind == Kind::Sub) result = x - y;
      if constexpr (kind == Kind::Mul) {
        result = x * y;
        mark_least_normal(result, bad);
      }
      if constexpr (kind == Kind::Fused) {
        result = vector_at<D4>(c, a->rs3, pe);
        multiply_add<Subtract>(result, x, y);
        mark_least_normal(result, bad);
      }
      if constexpr (kind == Kind::Unfused) {
        const D4 rounded = x * y;
        mark_least_normal(rounded, bad);
        const D4 product = reinterpret_cast<D4>(reinterpret_cast<const L4&>(rounded) ^ sign);
        result = Subtract ? product - vector_at<D4>(c, a->rs3, pe) : product + vector_at<D4>(c, a->rs3, pe);
      }
      if constexpr (kind != Kind::Move) bad |= result != result;
      if constexpr (kind == Kind::Fused) result = reinterpret_cast<D4>(reinterpret_cast<L4>(result) ^ sign);
      *reinterpret_cast<D4*>(&c->simd.scratch[0][pe]) = result;
    }
    if (any(bad)) [[unlikely]]
      return by_lanes(c, a, host, pages);
    for (unsigned pe = 0; pe < n; pe += kStep)
      vector_at<D4>(c, a->rd, pe) = *reinterpret_cast<const D4*>(&c->simd.scratch[0][pe]);
    PSIM_NEXT;
  }
};

/// In scalar state there is no partner.
PSIM_HANDLER(scalar_state) { PSIM_TROUBLE(c->simd.pes == 0 ? FaultKind::NoPes : FaultKind::PeState); }

template <Cross cross, Kind kind>
Binding two(FmaRounding) {
  return {.handler = pe_handler<Double<cross, kind, false, false>>(), .floating = true};
}
template <Cross cross, bool Subtract, bool Negate>
Binding multiply_adds(FmaRounding fma) {
  if (fma == FmaRounding::Unfused)
    return {.handler = pe_handler<Double<cross, Kind::Unfused, Subtract != Negate, Negate>>(),
            .floating = true};
  return {.handler = host_has_avx2() ? Handler{on_avx2<Double<cross, Kind::Fused, Subtract, Negate>>}
                                     : Handler{by_lanes},
          .floating = true};
}
Binding lane_by_lane(FmaRounding) { return {.handler = by_lanes, .floating = true}; }

template <Cross cross, Kind kind>
constexpr Execution kCross{{.handler = scalar_state}, two<cross, kind>};
template <Cross cross, bool Subtract, bool Negate>
constexpr Execution kCrossMultiplyAdd{{.handler = scalar_state}, multiply_adds<cross, Subtract, Negate>};
/// Singles. Their crossing follows from the word: isa/table/cross_form.h.
constexpr Execution kByLanes{{.handler = scalar_state}, lane_by_lane};

}  // namespace
}  // namespace psim::isa::simd

namespace psim::isa::table {
using namespace simd;

namespace {
// clang-format off
constexpr Spec kSimdCrossRows[] = {
    // Cross operations, only in SIMD state: moves, sums, differences, products.
    // The odd pe takes rs2 from its partner.
    row("fxadds", "10 ddddd 110110 sssss 011000001 ttttt", kPeSss, kSimdAdd, "PSIM cross", kByLanes, effect::kReadFsr | effect::kOneFlop),
    row("fxaddd", "10 ddddd 110110 sssss 011000010 ttttt", kPeDdd, kSimdAdd, "PSIM cross", kCross<Cross::Odd, Kind::Add>, effect::kReadFsr | effect::kOneFlop),
    row("fxsubs", "10 ddddd 110110 sssss 011000101 ttttt", kPeSss, kSimdAdd, "PSIM cross", kByLanes, effect::kReadFsr | effect::kOneFlop),
    row("fxsubd", "10 ddddd 110110 sssss 011000110 ttttt", kPeDdd, kSimdAdd, "PSIM cross", kCross<Cross::Odd, Kind::Sub>, effect::kReadFsr | effect::kOneFlop),
    row("fxmuls", "10 ddddd 110110 sssss 011001001 ttttt", kPeSss, kSimdMultiply, "PSIM cross", kByLanes, effect::kReadFsr | effect::kOneFlop),
    row("fxmuld", "10 ddddd 110110 sssss 011001010 ttttt", kPeDdd, kSimdMultiply, "PSIM cross", kCross<Cross::Odd, Kind::Mul>, effect::kReadFsr | effect::kOneFlop),
    row("fxmovs", "10 ddddd 110110 00000 011001101 ttttt", kPeSs, kPeMove, "PSIM cross", kByLanes),
    row("fxmovd", "10 ddddd 110110 00000 011001110 ttttt", kPeDd, kPeMove, "PSIM cross", kCross<Cross::Odd, Kind::Move>),
    // The even pe takes rs2 from its partner.
    row("fxeadds", "10 ddddd 110110 sssss 011010001 ttttt", kPeSss, kSimdAdd, "PSIM cross", kByLanes, effect::kReadFsr | effect::kOneFlop),
    row("fxeaddd", "10 ddddd 110110 sssss 011010010 ttttt", kPeDdd, kSimdAdd, "PSIM cross", kCross<Cross::Even, Kind::Add>, effect::kReadFsr | effect::kOneFlop),
    row("fxesubs", "10 ddddd 110110 sssss 011010101 ttttt", kPeSss, kSimdAdd, "PSIM cross", kByLanes, effect::kReadFsr | effect::kOneFlop),
    row("fxesubd", "10 ddddd 110110 sssss 011010110 ttttt", kPeDdd, kSimdAdd, "PSIM cross", kCross<Cross::Even, Kind::Sub>, effect::kReadFsr | effect::kOneFlop),
    row("fxemuls", "10 ddddd 110110 sssss 011011001 ttttt", kPeSss, kSimdMultiply, "PSIM cross", kByLanes, effect::kReadFsr | effect::kOneFlop),
    row("fxemuld", "10 ddddd 110110 sssss 011011010 ttttt", kPeDdd, kSimdMultiply, "PSIM cross", kCross<Cross::Even, Kind::Mul>, effect::kReadFsr | effect::kOneFlop),
    row("fxemovs", "10 ddddd 110110 00000 011011101 ttttt", kPeSs, kPeMove, "PSIM cross", kByLanes),
    row("fxemovd", "10 ddddd 110110 00000 011011110 ttttt", kPeDd, kPeMove, "PSIM cross", kCross<Cross::Even, Kind::Move>),
    // Both pes take rs2 from their partner.
    row("fxbadds", "10 ddddd 110110 sssss 011100001 ttttt", kPeSss, kSimdAdd, "PSIM cross", kByLanes, effect::kReadFsr | effect::kOneFlop),
    row("fxbaddd", "10 ddddd 110110 sssss 011100010 ttttt", kPeDdd, kSimdAdd, "PSIM cross", kCross<Cross::Both, Kind::Add>, effect::kReadFsr | effect::kOneFlop),
    row("fxbsubs", "10 ddddd 110110 sssss 011100101 ttttt", kPeSss, kSimdAdd, "PSIM cross", kByLanes, effect::kReadFsr | effect::kOneFlop),
    row("fxbsubd", "10 ddddd 110110 sssss 011100110 ttttt", kPeDdd, kSimdAdd, "PSIM cross", kCross<Cross::Both, Kind::Sub>, effect::kReadFsr | effect::kOneFlop),
    row("fxbmuls", "10 ddddd 110110 sssss 011101001 ttttt", kPeSss, kSimdMultiply, "PSIM cross", kByLanes, effect::kReadFsr | effect::kOneFlop),
    row("fxbmuld", "10 ddddd 110110 sssss 011101010 ttttt", kPeDdd, kSimdMultiply, "PSIM cross", kCross<Cross::Both, Kind::Mul>, effect::kReadFsr | effect::kOneFlop),
    row("fxbmovs", "10 ddddd 110110 00000 011101101 ttttt", kPeSs, kPeMove, "PSIM cross", kByLanes),
    row("fxbmovd", "10 ddddd 110110 00000 011101110 ttttt", kPeDd, kPeMove, "PSIM cross", kCross<Cross::Both, Kind::Move>),
    // Both take rs2 from their partner; the even (c) or the odd (j) PE subtracts it.
    row("fxcadds", "10 ddddd 110110 sssss 011110001 ttttt", kPeSss, kSimdAdd, "PSIM cross", kByLanes, effect::kReadFsr | effect::kOneFlop),
    row("fxcaddd", "10 ddddd 110110 sssss 011110010 ttttt", kPeDdd, kSimdAdd, "PSIM cross", kCross<Cross::BothEvenNegates, Kind::Add>, effect::kReadFsr | effect::kOneFlop),
    row("fxjadds", "10 ddddd 110110 sssss 011110101 ttttt", kPeSss, kSimdAdd, "PSIM cross", kByLanes, effect::kReadFsr | effect::kOneFlop),
    row("fxjaddd", "10 ddddd 110110 sssss 011110110 ttttt", kPeDdd, kSimdAdd, "PSIM cross", kCross<Cross::BothOddNegates, Kind::Add>, effect::kReadFsr | effect::kOneFlop),
    // Multiply-adds: rs1 × rs2 of the partner ± rs3, rounded as the scalar ones.
    row("fxmadds", "10 ddddd 011101 sssss uuuuu 0001 ttttt", kPeSsss, kSimdMultiplyAdd, "PSIM cross", kByLanes, effect::kReadFsr | effect::kTwoFlops),
    row("fxmaddd", "10 ddddd 011101 sssss uuuuu 0010 ttttt", kPeDddd, kSimdMultiplyAdd, "PSIM cross", kCrossMultiplyAdd<Cross::Odd, false, false>, effect::kReadFsr | effect::kTwoFlops),
    row("fxmsubs", "10 ddddd 011101 sssss uuuuu 0101 ttttt", kPeSsss, kSimdMultiplyAdd, "PSIM cross", kByLanes, effect::kReadFsr | effect::kTwoFlops),
    row("fxmsubd", "10 ddddd 011101 sssss uuuuu 0110 ttttt", kPeDddd, kSimdMultiplyAdd, "PSIM cross", kCrossMultiplyAdd<Cross::Odd, true, false>, effect::kReadFsr | effect::kTwoFlops),
    row("fxnmsubs", "10 ddddd 011101 sssss uuuuu 1001 ttttt", kPeSsss, kSimdMultiplyAdd, "PSIM cross", kByLanes, effect::kReadFsr | effect::kTwoFlops),
    row("fxnmsubd", "10 ddddd 011101 sssss uuuuu 1010 ttttt", kPeDddd, kSimdMultiplyAdd, "PSIM cross", kCrossMultiplyAdd<Cross::Odd, true, true>, effect::kReadFsr | effect::kTwoFlops),
    row("fxnmadds", "10 ddddd 011101 sssss uuuuu 1101 ttttt", kPeSsss, kSimdMultiplyAdd, "PSIM cross", kByLanes, effect::kReadFsr | effect::kTwoFlops),
    row("fxnmaddd", "10 ddddd 011101 sssss uuuuu 1110 ttttt", kPeDddd, kSimdMultiplyAdd, "PSIM cross", kCrossMultiplyAdd<Cross::Odd, false, true>, effect::kReadFsr | effect::kTwoFlops),
    row("fxemadds", "10 ddddd 011101 sssss uuuuu 0000 ttttt", kPeSsss, kSimdMultiplyAdd, "PSIM cross", kByLanes, effect::kReadFsr | effect::kTwoFlops),
    row("fxemaddd", "10 ddddd 011101 sssss uuuuu 0011 ttttt", kPeDddd, kSimdMultiplyAdd, "PSIM cross", kCrossMultiplyAdd<Cross::Even, false, false>, effect::kReadFsr | effect::kTwoFlops),
    row("fxemsubs", "10 ddddd 011101 sssss uuuuu 0100 ttttt", kPeSsss, kSimdMultiplyAdd, "PSIM cross", kByLanes, effect::kReadFsr | effect::kTwoFlops),
    row("fxemsubd", "10 ddddd 011101 sssss uuuuu 0111 ttttt", kPeDddd, kSimdMultiplyAdd, "PSIM cross", kCrossMultiplyAdd<Cross::Even, true, false>, effect::kReadFsr | effect::kTwoFlops),
    row("fxenmsubs", "10 ddddd 011101 sssss uuuuu 1000 ttttt", kPeSsss, kSimdMultiplyAdd, "PSIM cross", kByLanes, effect::kReadFsr | effect::kTwoFlops),
    row("fxenmsubd", "10 ddddd 011101 sssss uuuuu 1011 ttttt", kPeDddd, kSimdMultiplyAdd, "PSIM cross", kCrossMultiplyAdd<Cross::Even, true, true>, effect::kReadFsr | effect::kTwoFlops),
    row("fxenmadds", "10 ddddd 011101 sssss uuuuu 1100 ttttt", kPeSsss, kSimdMultiplyAdd, "PSIM cross", kByLanes, effect::kReadFsr | effect::kTwoFlops),
    row("fxenmaddd", "10 ddddd 011101 sssss uuuuu 1111 ttttt", kPeDddd, kSimdMultiplyAdd, "PSIM cross", kCrossMultiplyAdd<Cross::Even, false, true>, effect::kReadFsr | effect::kTwoFlops),
    row("fxbmadds", "11 ddddd 101000 sssss uuuuu 0001 ttttt", kPeSsss, kSimdMultiplyAdd, "PSIM cross", kByLanes, effect::kReadFsr | effect::kTwoFlops),
    row("fxbmaddd", "11 ddddd 101000 sssss uuuuu 0010 ttttt", kPeDddd, kSimdMultiplyAdd, "PSIM cross", kCrossMultiplyAdd<Cross::Both, false, false>, effect::kReadFsr | effect::kTwoFlops),
    row("fxbmsubs", "11 ddddd 101000 sssss uuuuu 0101 ttttt", kPeSsss, kSimdMultiplyAdd, "PSIM cross", kByLanes, effect::kReadFsr | effect::kTwoFlops),
    row("fxbmsubd", "11 ddddd 101000 sssss uuuuu 0110 ttttt", kPeDddd, kSimdMultiplyAdd, "PSIM cross", kCrossMultiplyAdd<Cross::Both, true, false>, effect::kReadFsr | effect::kTwoFlops),
    row("fxbnmsubs", "11 ddddd 101000 sssss uuuuu 1001 ttttt", kPeSsss, kSimdMultiplyAdd, "PSIM cross", kByLanes, effect::kReadFsr | effect::kTwoFlops),
    row("fxbnmsubd", "11 ddddd 101000 sssss uuuuu 1010 ttttt", kPeDddd, kSimdMultiplyAdd, "PSIM cross", kCrossMultiplyAdd<Cross::Both, true, true>, effect::kReadFsr | effect::kTwoFlops),
    row("fxbnmadds", "11 ddddd 101000 sssss uuuuu 1101 ttttt", kPeSsss, kSimdMultiplyAdd, "PSIM cross", kByLanes, effect::kReadFsr | effect::kTwoFlops),
    row("fxbnmaddd", "11 ddddd 101000 sssss uuuuu 1110 ttttt", kPeDddd, kSimdMultiplyAdd, "PSIM cross", kCrossMultiplyAdd<Cross::Both, false, true>, effect::kReadFsr | effect::kTwoFlops),
    row("fxcmadds", "11 ddddd 101000 sssss uuuuu 0000 ttttt", kPeSsss, kSimdMultiplyAdd, "PSIM cross", kByLanes, effect::kReadFsr | effect::kTwoFlops),
    row("fxcmaddd", "11 ddddd 101000 sssss uuuuu 0011 ttttt", kPeDddd, kSimdMultiplyAdd, "PSIM cross", kCrossMultiplyAdd<Cross::BothEvenNegates, false, false>, effect::kReadFsr | effect::kTwoFlops),
    row("fxjmadds", "11 ddddd 101000 sssss uuuuu 0100 ttttt", kPeSsss, kSimdMultiplyAdd, "PSIM cross", kByLanes, effect::kReadFsr | effect::kTwoFlops),
    row("fxjmaddd", "11 ddddd 101000 sssss uuuuu 0111 ttttt", kPeDddd, kSimdMultiplyAdd, "PSIM cross", kCrossMultiplyAdd<Cross::BothOddNegates, false, false>, effect::kReadFsr | effect::kTwoFlops),
};
// clang-format on
static_assert(disjoint(kSimdCrossRows), "two instructions claim the same word");
}  // namespace

std::span<const Spec> simd_cross_rows() { return kSimdCrossRows; }

}  // namespace psim::isa::table
