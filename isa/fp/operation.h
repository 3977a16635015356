// SPDX-License-Identifier: Apache-2.0
// Single- and double-precision operations by name, in exact arithmetic (isa/fp/soft_float.h). They are the
// reference for the host's arithmetic, and define NaN results, %fsr.cexc and enabled traps.
#pragma once

#include <cstdint>

#include "isa/fp/soft_float.h"

namespace psim::isa::fp {

enum class Operation : std::uint8_t {
  None,  ///< no operation since %fsr was last complete
  Move,  ///< an operation without exceptions: clears cexc
  Adds,
  Addd,
  Subs,
  Subd,
  Muls,
  Muld,
  Smuld,
  Divs,
  Divd,
  Sqrts,
  Sqrtd,
  Stod,
  Dtos,
  Stoi,
  Dtoi,
  Stox,
  Dtox,
  Itos,
  Itod,
  Xtos,
  Xtod,
  Cmps,
  Cmpd,
  Cmpes,
  Cmped,
  // Fused multiply-add: one rounding; the negative ones negate the rounded result.
  Madds,
  Maddd,
  Msubs,
  Msubd,
  Nmsubs,
  Nmsubd,
  Nmadds,
  Nmaddd,
  // Unfused: two roundings; the negative ones negate the rounded product (JPS1-V p. 51).
  UnfusedMadds,
  UnfusedMaddd,
  UnfusedMsubs,
  UnfusedMsubd,
  UnfusedNmsubs,
  UnfusedNmsubd,
  UnfusedNmadds,
  UnfusedNmaddd,
  // VIS 3: the rounded result negated, or halved before rounding.
  Nadds,
  Naddd,
  Nmuls,
  Nmuld,
  Nsmuld,
  Hadds,
  Haddd,
  Hsubs,
  Hsubd,
  Nhadds,
  Nhaddd,
};

struct Result {
  std::uint64_t bits = 0;  ///< a single in the low half; for a compare, the fcc value
  std::uint8_t flags = 0;  ///< kInexact … kInvalid, kTiny
};

/// Computes an operation exactly. Operands are rs1, rs2, rs3; one-operand operations take `b` (rs2). Singles
/// and 32-bit integers are in the low half. `enabled` is %fsr.tem: an unfused multiply-add stops at an
/// enabled exception of its product.
Result exact(Operation operation, std::uint64_t a, std::uint64_t b, std::uint64_t c, Rounding rounding,
             std::uint8_t enabled = 0);

}  // namespace psim::isa::fp
