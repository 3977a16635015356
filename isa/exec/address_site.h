// SPDX-License-Identifier: Apache-2.0
// What an instruction's next effective address, or a jump's next target, is taken to be: recording leaves out
// what came true, and replay fills it in again. Both sides ask and tell the same things in the same order.
#pragma once

#include <cstdint>

namespace psim::isa {

/// One for each pc. By itself it expects its last value plus a stride, which changes when the same step has
/// come twice, so that the jump from the end of a row to the next costs one surprise, not two. Linked, it
/// expects what it once had twice beside the last surprising address of any site: the members of what a
/// pointer leads to.
struct AddressSite {
  std::uint64_t expected = 0;               ///< linked: less the last surprising address
  std::uint64_t stride = 0, last_step = 0;  ///< modulo 2^64
  std::uint64_t linked = 0;                 ///< all ones, or 0: by itself
  /// Of the last surprise: its distance from the one before, of any site, and its value.
  std::uint64_t last_link = 0, last_value = 0;
  std::uint64_t unlinked = 0;  ///< times that a link failed; the last ends linking
  static constexpr std::uint64_t kMostUnlinked = 4;
  /// Accesses in SIMD state, and those by an ASI, go to SBM at their address less this; kNotSbm: to memory.
  /// Others never ask.
  std::uint64_t sbm_base = kNotSbm;
  static constexpr std::uint64_t kNotSbm = ~std::uint64_t{0};

  /// `recent`: the last surprising address of any site.
  std::uint64_t prediction(std::uint64_t recent) const { return expected + (recent & linked); }
  /// True, and moved on, if `address` is what was expected; otherwise nothing has changed.
  bool met(std::uint64_t address, std::uint64_t recent) {
    if (address != prediction(recent)) return false;
    expected += stride;
    return true;
  }
  /// After a surprise. Targets of jumps link to nothing.
  void learn(std::uint64_t value, std::uint64_t recent, bool is_address) {
    const std::uint64_t link = value - recent, previous = expected - stride;
    if (linked != 0) [[unlikely]] {
      linked = stride = last_step = 0, expected = value;
      ++unlinked;
    } else if (is_address && link == last_link && previous == last_value && unlinked < kMostUnlinked) {
      // Nothing came true since: its stride is not what it goes by.
      linked = ~std::uint64_t{0}, stride = 0, expected = link;
    } else {
      const std::uint64_t step = value - previous;
      if (step == last_step) stride = step;
      last_step = step;
      expected = value + stride;
    }
    last_link = link, last_value = value;
  }
};

}  // namespace psim::isa
