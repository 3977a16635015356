// SPDX-License-Identifier: Apache-2.0
// A decoded instruction word: its action, and its kind of control flow.
#pragma once

#include <cstdint>
#include <optional>

#include "isa/state/handler.h"
#include "isa/table/spec.h"

namespace psim::isa {

struct Decoded {
  Action action;  ///< ready to run, but for index and slot
  const Spec* spec = nullptr;
  bool floating = false;  ///< Binding::floating
  bool address = false;   ///< it has an effective address, r[rs1] + operand 2
  bool rs1_only = false;  ///< …which is r[rs1] alone: casa, casxa, partial stores
  /// For a branch, the condition codes that it tests: 0 icc, 2 xcc; or n of fccn. For a comparison: 2 for 64
  /// bits.
  std::uint8_t codes = 0;
  std::optional<CcKind> cc{};  ///< Binding::cc
};

Decoded decoded(std::uint32_t word, const Bindings& bindings);

/// Returns true if the control transfer has a delay slot.
constexpr bool is_transfer(Flow flow) { return flow >= Flow::Call && flow <= Flow::CompareBranch; }

}  // namespace psim::isa
