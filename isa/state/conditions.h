// SPDX-License-Identifier: Apache-2.0
// Integer and floating-point conditions (V9 manual, tables 33–37): as masks over the flags or, if the last
// cc-setting instruction is known, directly from its operands.
#pragma once

#include <array>
#include <cstdint>

#include "isa/state/cpu_state.h"

namespace psim::isa {

/// Returns a mask whose bit n is set if condition `cond` holds with NZVC = n.
constexpr std::uint16_t icc_mask(unsigned cond) {
  std::uint16_t mask = 0;
  for (unsigned flags = 0; flags < 16; ++flags) {
    const bool n = flags & 8, z = flags & 4, v = flags & 2, c = flags & 1;
    const std::array<bool, 8> holds{false, z, z || n != v, n != v, c || z, c, n, v};
    if (holds[cond & 7] != (cond >= 8)) mask = static_cast<std::uint16_t>(mask | 1u << flags);
  }
  return mask;
}

/// Returns a mask whose bit n is set if condition `cond` of FBfcc holds with fcc = n (0 =, 1 <, 2 >, 3
/// unordered).
constexpr std::uint8_t fcc_mask(unsigned cond) {
  constexpr unsigned E = 1, L = 2, G = 4, U = 8;
  constexpr std::array<std::uint8_t, 8> first{0, L | G | U, L | G, L | U, L, G | U, G, U};
  // Conditions 8–15 are the complements of 0–7 (fba of fbn, fbe of fbne, …).
  return cond < 8 ? first[cond] : static_cast<std::uint8_t>(~first[cond - 8] & (E | L | G | U));
}

/// Evaluates a register condition of BPr, MOVr and FMOVr (V9 table 32); 0 and 4 are reserved and never hold.
constexpr bool register_condition(unsigned rcond, std::int64_t value) {
  const std::array<bool, 4> holds{false, value == 0, value <= 0, value < 0};
  return (rcond & 3) != 0 && holds[rcond & 3] != (rcond >= 4);
}

/// Evaluates condition `cond` of a - b, for T = 32 or 64 bits, unsigned.
template <unsigned cond, class T>
constexpr bool holds_after_sub(T a, T b) {
  using S = std::make_signed_t<T>;
  const S sa = static_cast<S>(a), sb = static_cast<S>(b);
  if constexpr (cond >= 8) return !holds_after_sub<cond - 8, T>(a, b);
  if constexpr (cond == 0) return false;
  if constexpr (cond == 1) return a == b;
  if constexpr (cond == 2) return sa <= sb;
  if constexpr (cond == 3) return sa < sb;
  if constexpr (cond == 4) return a <= b;
  if constexpr (cond == 5) return a < b;
  if constexpr (cond == 6) return static_cast<S>(a - b) < 0;
  S unused;
  return __builtin_sub_overflow(sa, sb, &unused);
}

/// Evaluates condition `cond` of a + b.
template <unsigned cond, class T>
constexpr bool holds_after_add(T a, T b) {
  using S = std::make_signed_t<T>;
  if constexpr (cond >= 8) return !holds_after_add<cond - 8, T>(a, b);
  const T sum = static_cast<T>(a + b);
  S unused;
  const bool n = static_cast<S>(sum) < 0, z = sum == 0, c = sum < a;
  const bool v = __builtin_add_overflow(static_cast<S>(a), static_cast<S>(b), &unused);
  if constexpr (cond == 0) return false;
  if constexpr (cond == 1) return z;
  if constexpr (cond == 2) return z || n != v;
  if constexpr (cond == 3) return n != v;
  if constexpr (cond == 4) return c || z;
  if constexpr (cond == 5) return c;
  if constexpr (cond == 6) return n;
  return v;
}

/// Evaluates condition `cond` of a logical result: no carry, no overflow.
template <unsigned cond, class T>
constexpr bool holds_after_logic(T result) {
  using S = std::make_signed_t<T>;
  if constexpr (cond >= 8) return !holds_after_logic<cond - 8, T>(result);
  const bool n = static_cast<S>(result) < 0, z = result == 0;
  if constexpr (cond == 0 || cond == 5 || cond == 7) return false;
  if constexpr (cond == 1 || cond == 4) return z;
  if constexpr (cond == 2) return z || n;
  return n;  // 3 and 6
}

/// Returns condition codes `cc` (0 icc, 2 xcc) of a state as NZVC.
inline unsigned nzvc(const CpuState& state, unsigned cc) {
  const Ccr flags = state.cc();
  return cc & 2 ? flags.xcc : flags.icc;
}
/// Returns fcc`n` of a state: bits 11:10 and 33:32, 35:34, 37:36 of %fsr (V9 5.1.7).
inline unsigned fcc(const CpuState& state, unsigned n) {
  return static_cast<unsigned>(state.fsr >> (n == 0 ? 10 : 30 + 2 * n)) & 3;
}

}  // namespace psim::isa
