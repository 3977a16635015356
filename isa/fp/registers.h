// SPDX-License-Identifier: Apache-2.0
// Shared parts of the floating-point handlers: the state behind a Context, quad registers, the exact path.
#pragma once

#include <type_traits>

#include "isa/fp/environment.h"
#include "isa/state/context.h"
#include "isa/table/fields.h"

namespace psim::isa::fp {

/// The unsigned integer with a T's bits.
template <class T>
using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// A quad register; the sign is in the first half.
struct QuadBits {
  std::uint64_t high, low;
};

template <class T>
inline std::uint64_t bits_of(T value) {
  return __builtin_bit_cast(Bits<T>, value);
}

/// Records the last operation, from which read_fsr() computes cexc.
inline void note(CpuState& state, Operation operation, std::uint64_t a, std::uint64_t b) {
  state.fp_last = static_cast<std::uint8_t>(operation);
  state.fp_a = a;
  state.fp_b = b;
}

/// Writes the fcc field at bit `shift` of %fsr.
inline void put_fcc(CpuState& state, unsigned shift, std::uint64_t fcc) {
  state.fsr = (state.fsr & ~(std::uint64_t{3} << shift)) | fcc << shift;
}
/// prepare() of compares: sets Action::imm to the position of the fcc written.
void prepare_compare(Action& a);

/// Handles a quad register number that is no multiple of 4: fp_exception_other, invalid_fp_register (V9
/// 5.1.4.1).
PSIM_HANDLER(invalid_register);
/// prepare() of quad operations: uses invalid_register if one of the quad operands does not exist.
template <bool Rd, bool Rs1, bool Rs2>
void prepare_quad(Action& a) {
  const bool wrong =
      (Rd && (rd(a.word) & 2) != 0) || (Rs1 && (rs1(a.word) & 2) != 0) || (Rs2 && (rs2(a.word) & 2) != 0);
  if (wrong) a.handler = invalid_register;
}

/// Does the operation in exact arithmetic, for enabled traps and for results in which the host differs from
/// SPARC. From and To are the types of source and destination registers.
template <Operation O, class From, class To>
[[gnu::noinline, gnu::cold]] PSIM_HANDLER(exactly) {
  CpuState& state = *c;
  const auto enabled = static_cast<std::uint8_t>(state.fsr >> 23 & 0x1f);
  const Result result = exact(O, get<Bits<From>>(c, a->rs1), get<Bits<From>>(c, a->rs2),
                              get<Bits<From>>(c, a->rs3), rounding(state), enabled);
  if (settle(state, result.flags)) PSIM_TROUBLE(FaultKind::FpIeee);
  if constexpr (std::is_void_v<To>)
    put_fcc(state, static_cast<unsigned>(a->imm), result.bits);
  else
    put<Bits<To>>(c, a->rd, static_cast<Bits<To>>(result.bits));
  PSIM_NEXT;
}
template <Operation O, class From, class To>
inline constexpr Execution kExactly{{.handler = exactly<O, From, To>, .floating = true}};

}  // namespace psim::isa::fp
