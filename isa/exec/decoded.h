// SPDX-License-Identifier: Apache-2.0
// An instruction word made ready: its action, and what kind of control flow it is.
#pragma once

#include <cstdint>

#include "isa/exec/handler.h"
#include "isa/spec.h"

namespace psim::isa {

enum class Flow : std::uint8_t {
  Straight,  ///< its handler does it
  Call,
  Jump,  ///< jmpl
  Return,
  BranchIcc,       ///< Bicc, Bpcc
  BranchFcc,       ///< Fbfcc, Fbpfcc
  BranchRegister,  ///< Bpr
  CompareBranch,   ///< Cwb, Cxb: no delay slot
  Trap,            ///< Tcc
  Save,            ///< may overflow
  Restore,         ///< may underflow
  Flushw,
};

struct Decoded {
  Action action;  ///< ready to run, but for index and slot
  const Spec* spec = nullptr;
  Flow flow = Flow::Straight;
  bool floating = false;  ///< Binding::floating
  bool address = false;   ///< it has an effective address, r[rs1] + operand 2
  bool rs1_only = false;  ///< …which is r[rs1] alone: casa, casxa, partial stores
};

/// The bindings of all Ops in scalar or SIMD state, rounding multiply-adds as `fma` says.
const Bindings& bindings(FmaRounding fma, bool simd = false);
Decoded decoded(std::uint32_t word, const Bindings& bindings);

/// Does the control transfer hold back its successor by a delay slot?
constexpr bool is_transfer(Flow flow) { return flow >= Flow::Call && flow <= Flow::CompareBranch; }

}  // namespace psim::isa
