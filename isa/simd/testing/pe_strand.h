// SPDX-License-Identifier: Apache-2.0
// For tests: executes single words in SIMD state by their handlers, without memory.
#pragma once

#include "isa/exec/bindings.h"
#include "isa/instructions/testing/strand.h"

namespace psim::isa::testing {

struct PeStrand {
  explicit PeStrand(FmaRounding fma = FmaRounding::Fused, unsigned pes = 16) : table{bindings(fma, true)} {
    c.simd.reset({.pes = pes}, bindings(fma, false));
    c.simd.on = true;
  }
  const Bindings& table;
  Context c;

  /// Returns false if the instruction raised a fault, which is then in c.fault.
  bool run(std::uint32_t word) {
    Action actions[2] = {decoded(word, table).action, {}};
    actions[1].handler = stop;
    c.exit = Exit::Next;
    const fp::Guest guest{c};
    for (const Action* a = actions; a != nullptr;) a = a->handler(&c, a, nullptr, nullptr);
    return c.exit == Exit::Done;
  }
  std::uint64_t fsr() { return fp::read_fsr(c); }
  void set_fsr(std::uint64_t value) { fp::write_fsr(c, value); }
};

}  // namespace psim::isa::testing
