// SPDX-License-Identifier: Apache-2.0
// For tests: executes single instruction words by their handlers, without memory.
#pragma once

#include "isa/exec/bindings.h"
#include "isa/fp/environment.h"
#include "isa/state/context.h"
#include "isa/state/decoded.h"

namespace psim::isa::testing {

inline PSIM_HANDLER(stop) {
  c->exit = Exit::Done;
  return nullptr;
}

/// Runs single instructions on a state.
struct Strand {
  explicit Strand(FmaRounding fma = FmaRounding::Unfused) : table{bindings(fma)} {}
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
  std::uint64_t& d(unsigned number) { return c.f[number / 2]; }
  std::uint64_t fsr() { return fp::read_fsr(c); }
  void set_fsr(std::uint64_t value) { fp::write_fsr(c, value); }
};

/// Encode words of FPop1 and FPop2 from their fields.
constexpr std::uint32_t fpop1(unsigned opf, unsigned rd, unsigned rs1, unsigned rs2) {
  return 2u << 30 | rd << 25 | 0x34u << 19 | rs1 << 14 | opf << 5 | rs2;
}
constexpr std::uint32_t fpop2(unsigned opf, unsigned rd, unsigned rs1, unsigned rs2) {
  return 2u << 30 | rd << 25 | 0x35u << 19 | rs1 << 14 | opf << 5 | rs2;
}

}  // namespace psim::isa::testing
