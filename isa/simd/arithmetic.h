// SPDX-License-Identifier: Apache-2.0
// Arithmetic of SIMD state: add, subtract, multiply, multiply-add, compare, on all PEs at once. Files that
// include this are compiled without contraction of products and sums: each operation is rounded separately
// (isa/CMakeLists.txt).
#pragma once

#include "isa/fp/host.h"
#include "isa/fp/registers.h"
#include "isa/simd/lanes.h"
#include "isa/table/fields.h"

namespace psim::isa::simd {

/// Copies the scratch row to rd, unless by_lanes() must handle the instruction.
template <bool Masked>
[[gnu::always_inline]] inline bool end_of_doubles(Context* c, const Action* a, const L4& bad) {
  if (any(bad)) [[unlikely]]
    return false;
  for (unsigned pe = 0; pe < c->simd.pes; pe += kStep)
    replace_lanes<Masked>(vector_at<L4>(c, a->rd, pe), *reinterpret_cast<const L4*>(&c->simd.scratch[0][pe]),
                          c, pe);
  return true;
}

struct Add {
  static constexpr bool kUnderflows = false;
  template <class T>
  [[gnu::always_inline]] static void apply(T& x, const T& y) {
    x += y;
  }
};
struct Sub {
  static constexpr bool kUnderflows = false;
  template <class T>
  [[gnu::always_inline]] static void apply(T& x, const T& y) {
    x -= y;
  }
};
struct Mul {
  static constexpr bool kUnderflows = true;  ///< inexact and tiny; sums and differences cannot be
  template <class T>
  [[gnu::always_inline]] static void apply(T& x, const T& y) {
    x *= y;
  }
};

template <class F>
struct BinaryDouble {
  PSIM_COMPUTE {
    const unsigned n = c->simd.pes;
    L4 bad{};
    for (unsigned pe = 0; pe < n; pe += kStep) {
      D4 x, y;
      read_lanes<Masked>(x, c, a->rs1, pe), read_lanes<Masked>(y, c, a->rs2, pe);
      F::apply(x, y);
      bad |= x != x;
      if constexpr (F::kUnderflows) mark_least_normal(x, bad);
      *reinterpret_cast<D4*>(&c->simd.scratch[0][pe]) = x;
    }
    return end_of_doubles<Masked>(c, a, bad);
  }
};

/// The singles of a row are every other word: an even number is the high half of its lane.
typedef float Single __attribute__((may_alias));

template <class F>
struct BinarySingle {
  PSIM_BODY {
    if (unusual(c)) [[unlikely]]
      return by_lanes(c, a, host, pages);
    const unsigned n = c->simd.pes;
    const auto* const x = reinterpret_cast<const Single*>(row_at(c, a->rs1));
    const auto* const y = reinterpret_cast<const Single*>(row_at(c, a->rs2));
    auto* const to = reinterpret_cast<Single*>(row_at(c, a->rd));
    auto* const result = reinterpret_cast<Single*>(&c->simd.scratch[0]);
    bool bad = false;
    for (unsigned pe = 0; pe < n; ++pe) {
      Single value = x[2 * pe];
      F::apply(value, y[2 * pe]);
      bad |= value != value;
      if constexpr (F::kUnderflows) bad |= fp::host::is_least_normal(value);
      result[pe] = value;
    }
    if (bad) [[unlikely]]
      return by_lanes(c, a, host, pages);
    for (unsigned pe = 0; pe < n; ++pe) to[2 * pe] = result[pe];
    PSIM_NEXT;
  }
};

// One rounding, in one host instruction; negative forms negate the rounded result.
template <bool Subtract, bool Negate>
struct FusedDouble {
  PSIM_COMPUTE {
    const unsigned n = c->simd.pes;
    const L4 sign = L4{} + (Negate ? INT64_MIN : 0);
    L4 bad{};
    for (unsigned pe = 0; pe < n; pe += kStep) {
      D4 x, y, z;
      read_lanes<Masked>(x, c, a->rs1, pe), read_lanes<Masked>(y, c, a->rs2, pe);
      read_lanes<Masked>(z, c, a->rs3, pe);
      multiply_add<Subtract>(z, x, y);
      bad |= z != z;
      mark_least_normal(z, bad);
      *reinterpret_cast<L4*>(&c->simd.scratch[0][pe]) = reinterpret_cast<L4>(z) ^ sign;
    }
    return end_of_doubles<Masked>(c, a, bad);
  }
};
// Two roundings; negative forms negate the rounded product (JPS1-V p. 51).
template <bool Subtract, bool Negate>
struct UnfusedDouble {
  PSIM_COMPUTE {
    const unsigned n = c->simd.pes;
    const L4 sign = L4{} + (Negate ? INT64_MIN : 0);
    L4 bad{};
    for (unsigned pe = 0; pe < n; pe += kStep) {
      D4 x, y, z;
      read_lanes<Masked>(x, c, a->rs1, pe), read_lanes<Masked>(y, c, a->rs2, pe);
      read_lanes<Masked>(z, c, a->rs3, pe);
      x *= y;
      mark_least_normal(x, bad);
      x = reinterpret_cast<D4>(reinterpret_cast<L4>(x) ^ sign);
      if constexpr (Subtract)
        x -= z;
      else
        x += z;
      bad |= x != x;
      *reinterpret_cast<D4*>(&c->simd.scratch[0][pe]) = x;
    }
    return end_of_doubles<Masked>(c, a, bad);
  }
};

template <bool Fused, bool Subtract, bool Negate>
struct MultiplyAddSingle {
  PSIM_BODY {
    if (unusual(c)) [[unlikely]]
      return by_lanes(c, a, host, pages);
    const unsigned n = c->simd.pes;
    const auto* const x = reinterpret_cast<const Single*>(row_at(c, a->rs1));
    const auto* const y = reinterpret_cast<const Single*>(row_at(c, a->rs2));
    const auto* const z = reinterpret_cast<const Single*>(row_at(c, a->rs3));
    auto* const to = reinterpret_cast<Single*>(row_at(c, a->rd));
    auto* const result = reinterpret_cast<Single*>(&c->simd.scratch[0]);
    bool bad = false;
    for (unsigned pe = 0; pe < n; ++pe) {
      float value;
      if constexpr (Fused) {
        value = Subtract ? fp::host::multiply_sub(x[2 * pe], y[2 * pe], z[2 * pe])
                         : fp::host::multiply_add(x[2 * pe], y[2 * pe], z[2 * pe]);
        bad |= fp::host::is_least_normal(value);
        if constexpr (Negate) value = -value;
      } else {
        value = x[2 * pe] * y[2 * pe];
        bad |= fp::host::is_least_normal(value);
        if constexpr (Negate) value = -value;
        value = Subtract ? value - z[2 * pe] : value + z[2 * pe];
      }
      bad |= value != value;
      result[pe] = value;
    }
    if (bad) [[unlikely]]
      return by_lanes(c, a, host, pages);
    for (unsigned pe = 0; pe < n; ++pe) to[2 * pe] = result[pe];
    PSIM_NEXT;
  }
};

// Compares; without NaNs fcmp and fcmpe are the same. Action::imm: the number of the fcc.
struct CompareDouble {
  PSIM_COMPUTE {
    const unsigned n = c->simd.pes;
    L4 bad{};
    for (unsigned pe = 0; pe < n; pe += kStep) {
      D4 x, y;
      read_lanes<Masked>(x, c, a->rs1, pe), read_lanes<Masked>(y, c, a->rs2, pe);
      bad |= (x != x) | (y != y);
    }
    if (any(bad)) [[unlikely]]
      return false;
    for (unsigned pe = 0; pe < n; pe += kStep) {
      D4 x, y;
      read_lanes<Masked>(x, c, a->rs1, pe), read_lanes<Masked>(y, c, a->rs2, pe);
      replace_lanes<Masked>(*reinterpret_cast<L4*>(&c->simd.fcc[static_cast<unsigned>(a->imm)][pe]),
                            ((x < y) & 1) | ((x > y) & 2), c, pe);
    }
    return true;
  }
};
inline void compare_number(Action& a) { a.imm = compare_cc(a.word); }

template <class T, class F>
Binding computes(FmaRounding) {
  if constexpr (sizeof(T) == 8)
    return {.handler = pe_handler<OnLanes<BinaryDouble<F>>>(), .floating = true};
  else
    return {.handler = pe_handler<BinarySingle<F>>(), .floating = true};
}
inline Binding compares_doubles(FmaRounding) {
  return {.handler = pe_handler<OnLanes<CompareDouble>>(), .floating = true, .prepare = compare_number};
}
/// The negative forms negate the rounded result, or, rounded twice, the rounded product.
template <class T, bool Subtract, bool Negate>
Binding multiply_adds(FmaRounding fma) {
  Binding binding{.handler = by_lanes, .floating = true};
  if constexpr (sizeof(T) == 8) {
    if (fma == FmaRounding::Unfused)
      binding.handler = pe_handler<OnLanes<UnfusedDouble<Subtract != Negate, Negate>>>();
    else if (host_has_avx2())
      binding.handler = on_avx2<OnLanes<FusedDouble<Subtract, Negate>>>;
  } else {
    if (fma == FmaRounding::Unfused)
      binding.handler = pe_handler<MultiplyAddSingle<false, Subtract != Negate, Negate>>();
    else if (host_has_avx2())
      binding.handler = on_avx2<MultiplyAddSingle<true, Subtract, Negate>>;
  }
  return binding;
}

}  // namespace psim::isa::simd
