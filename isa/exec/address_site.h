// SPDX-License-Identifier: Apache-2.0
// What an instruction's next effective address, or a jump's next target, is taken to be: recording leaves out
// what came true, and replay fills it in again. Both sides ask and tell the same things in the same order.
#pragma once

#include <cstdint>

namespace psim::isa {

/// One for each pc. The stride changes when the same step has come twice, so that the jump from the end of a
/// row to the next costs one surprise, not two.
struct AddressSite {
  std::uint64_t expected = 0;
  std::uint64_t stride = 0, last_step = 0;  ///< modulo 2^64
  /// Accesses in SIMD state, and those by an ASI, go to SBM at their address less this; kNotSbm: to memory.
  /// Others never ask.
  std::uint64_t sbm_base = kNotSbm;
  static constexpr std::uint64_t kNotSbm = ~std::uint64_t{0};

  /// True, and moved on, if `address` is what was expected; otherwise nothing has changed.
  bool met(std::uint64_t address) {
    if (address != expected) return false;
    expected += stride;
    return true;
  }
  /// After a surprise.
  void learn(std::uint64_t address) {
    const std::uint64_t step = address - (expected - stride);
    if (step == last_step) stride = step;
    last_step = step;
    expected = address + stride;
  }
};

}  // namespace psim::isa
