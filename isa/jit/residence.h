// SPDX-License-Identifier: Apache-2.0
// Where the integer registers of the guest are while translated code runs: some have a host register of their
// own throughout a region, all others stay in CpuState::r.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace psim::isa::jit {

/// A set of guest registers, %r1 to %r31.
using Registers = std::uint32_t;

struct Residence {
  static constexpr unsigned kNone = 0xff;
  std::array<std::uint8_t, 32> home{};  ///< number of the host register, or kNone
  Registers homes = 0;                  ///< those with a host register
  Registers valid = 0;                  ///< whose host register holds the value
  Registers dirty = 0;                  ///< of `valid`, whose value in CpuState::r is out of date

  Residence() { home.fill(kNone); }
  bool at_home(unsigned r) const { return (homes >> r & 1) != 0; }
};

/// Calls f(register) for each of a set, ascending.
template <class F>
void for_each(Registers set, F f) {
  for (; set != 0; set &= set - 1) f(static_cast<unsigned>(std::countr_zero(set)));
}

}  // namespace psim::isa::jit
