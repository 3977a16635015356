// SPDX-License-Identifier: Apache-2.0
// Cross operations: rs2 comes from the partner. Compiled without contraction, as arithmetic.cpp.
#include "isa/exec/access.h"
#include "isa/exec/executor.h"
#include "isa/simd/cross_form.h"
#include "isa/simd/lanes.h"

namespace psim::isa::simd {
namespace {

constexpr std::int64_t kSign = INT64_MIN;

/// Makes of rs2 what each of four PEs sees of it.
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

Binding of(Handler handler) {
  constexpr Bank d = Bank::PeDouble;
  return {.handler = handler, .rd = d, .rs1 = d, .rs2 = d, .rs3 = d, .floating = true};
}
template <Cross cross, Kind kind>
Binding two() {
  return of(pe_handler<Double<cross, kind, false, false>>());
}
template <Cross cross, bool Subtract, bool Negate>
Binding fused() {
  return of(host_has_avx2() ? Handler{on_avx2<Double<cross, Kind::Fused, Subtract, Negate>>}
                            : Handler{by_lanes});
}
template <Cross cross, bool Subtract, bool Negate>
Binding unfused() {
  return of(pe_handler<Double<cross, Kind::Unfused, Subtract, Negate>>());
}

struct Names {
  Op mov, add, sub, mul, madd, msub, nmsub, nmadd;
};
constexpr Names kSingle[] = {
    {Op::Fxmovs, Op::Fxadds, Op::Fxsubs, Op::Fxmuls, Op::Fxmadds, Op::Fxmsubs, Op::Fxnmsubs, Op::Fxnmadds},
    {Op::Fxemovs, Op::Fxeadds, Op::Fxesubs, Op::Fxemuls, Op::Fxemadds, Op::Fxemsubs, Op::Fxenmsubs,
     Op::Fxenmadds},
    {Op::Fxbmovs, Op::Fxbadds, Op::Fxbsubs, Op::Fxbmuls, Op::Fxbmadds, Op::Fxbmsubs, Op::Fxbnmsubs,
     Op::Fxbnmadds}};
constexpr Names kDouble[] = {
    {Op::Fxmovd, Op::Fxaddd, Op::Fxsubd, Op::Fxmuld, Op::Fxmaddd, Op::Fxmsubd, Op::Fxnmsubd, Op::Fxnmaddd},
    {Op::Fxemovd, Op::Fxeaddd, Op::Fxesubd, Op::Fxemuld, Op::Fxemaddd, Op::Fxemsubd, Op::Fxenmsubd,
     Op::Fxenmaddd},
    {Op::Fxbmovd, Op::Fxbaddd, Op::Fxbsubd, Op::Fxbmuld, Op::Fxbmaddd, Op::Fxbmsubd, Op::Fxbnmsubd,
     Op::Fxbnmaddd}};
constexpr Op kOthers[] = {Op::Fxcadds, Op::Fxcaddd, Op::Fxcmadds, Op::Fxcmaddd,
                          Op::Fxjadds, Op::Fxjaddd, Op::Fxjmadds, Op::Fxjmaddd};

template <Cross cross>
void bind_doubles(Bindings& b, const Names& names, bool once) {
  b[names.mov] = two<cross, Kind::Move>(), b[names.add] = two<cross, Kind::Add>();
  b[names.sub] = two<cross, Kind::Sub>(), b[names.mul] = two<cross, Kind::Mul>();
  b[names.madd] = once ? fused<cross, false, false>() : unfused<cross, false, false>();
  b[names.msub] = once ? fused<cross, true, false>() : unfused<cross, true, false>();
  b[names.nmsub] = once ? fused<cross, true, true>() : unfused<cross, false, true>();
  b[names.nmadd] = once ? fused<cross, false, true>() : unfused<cross, true, true>();
}
template <Cross cross>
void bind_turned(Bindings& b, Op add, Op madd, bool once) {
  b[add] = two<cross, Kind::Add>();
  b[madd] = once ? fused<cross, false, false>() : unfused<cross, false, false>();
}

template <class F>
void each_of(const Names& n, F f) {
  for (const Op op : {n.mov, n.add, n.sub, n.mul, n.madd, n.msub, n.nmsub, n.nmadd}) f(op);
}
template <class F>
void each(F f) {
  for (const Names& names : kSingle) each_of(names, f);
  for (const Names& names : kDouble) each_of(names, f);
  for (const Op op : kOthers) f(op);
}

PSIM_HANDLER(scalar_state) { PSIM_TROUBLE(c->simd.pes == 0 ? FaultKind::NoPes : FaultKind::PeState); }

}  // namespace

void refuse_cross(Bindings& b) {
  each([&](Op op) { b[op] = {.handler = scalar_state}; });
}

void bind_cross(Bindings& b, FmaRounding fma) {
  each([&](Op op) { b[op] = {.handler = by_lanes, .floating = true}; });
  const bool once = fma == FmaRounding::Fused;
  bind_doubles<Cross::Odd>(b, kDouble[0], once);
  bind_doubles<Cross::Even>(b, kDouble[1], once);
  bind_doubles<Cross::Both>(b, kDouble[2], once);
  bind_turned<Cross::BothEvenNegates>(b, Op::Fxcaddd, Op::Fxcmaddd, once);
  bind_turned<Cross::BothOddNegates>(b, Op::Fxjaddd, Op::Fxjmaddd, once);
}

}  // namespace psim::isa::simd
