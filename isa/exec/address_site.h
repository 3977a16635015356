// SPDX-License-Identifier: Apache-2.0
// Predictions of an instruction's next effective address, or a jump's next target. Recording omits addresses
// that were predicted, and replay fills them in again. Both sides make the same calls in the same order.
#pragma once

#include <array>
#include <cstdint>

namespace psim::isa {

/// The address that last came after a surprising address, i.e. where pointers led. Indexed by the address
/// modulo 256 KiB, without a check for equality: a wrong entry only costs a surprise.
class Followers {
 public:
  std::uint64_t& after(std::uint64_t recent) { return next_[recent >> 4 & (next_.size() - 1)]; }
  void forget() { next_.fill(0); }

 private:
  std::array<std::uint64_t, 16384> next_{};
};

/// The prediction state of a site. By itself, a site expects its last value plus a stride. The stride changes
/// when the same step has come twice: the jump from the end of a row to the next then costs one surprise, not
/// two. Linked, it expects a fixed distance, seen twice, from the last surprising address of any site: the
/// members of the object that a pointer leads to. Following, it expects the address that followed the last
/// surprising one before: the same pointers again.
struct AddressGuess {
  std::uint64_t expected = 0;               ///< linked: minus the last surprising address
  std::uint64_t stride = 0, last_step = 0;  ///< modulo 2^64
  std::uint64_t linked = 0;                 ///< all ones, or 0: by itself
  /// For the last surprise: its distance from the one before, of any site, and its value.
  std::uint64_t last_link = 0, last_value = 0;
  std::uint64_t unlinked = 0;  ///< times that a link failed; the last ends linking
  std::uint64_t follows = 0;   ///< 1 or 0
  std::uint64_t failed = 0;    ///< surprises since the last correct prediction
  static constexpr std::uint64_t kMostUnlinked = 4;
  static constexpr std::uint64_t kFollowAfter = 16, kFollowUntil = 64;  ///< numbers of surprises in a row

  /// Returns the predicted address. `recent`: the last surprising address of any site.
  std::uint64_t prediction(std::uint64_t recent) const { return expected + (recent & linked); }
  /// Returns true, and advances, if the site does not follow and `address` was predicted; otherwise changes
  /// nothing.
  bool met(std::uint64_t address, std::uint64_t recent) {
    if (((address - prediction(recent)) | follows) != 0) return false;
    expected += stride;
    return true;
  }
  /// Does the same for any site. An address that a following site predicted becomes the last surprising
  /// address.
  bool met(std::uint64_t address, std::uint64_t& recent, Followers& followers) {
    if (follows == 0) return met(address, recent);
    if (address != followers.after(recent)) return false;
    failed = 0, recent = address;
    return true;
  }
  /// Updates the site after a surprise. Targets of jumps neither link nor follow.
  void learn(std::uint64_t value, std::uint64_t recent, bool is_address) {
    const std::uint64_t link = value - recent, previous = expected - stride;
    failed = previous == last_value ? failed + 1 : 0;
    if (linked != 0) [[unlikely]] {
      linked = stride = last_step = 0, expected = value;
      ++unlinked;
    } else if (is_address && link == last_link && previous == last_value && unlinked < kMostUnlinked) {
      // No prediction was correct since: the stride is not the right model.
      linked = ~std::uint64_t{0}, stride = 0, expected = link;
    } else {
      const std::uint64_t step = value - previous;
      if (step == last_step) stride = step;
      last_step = step;
      expected = value + stride;
    }
    last_link = link, last_value = value;
  }
  /// Does the same for any site; `value` becomes the last surprising address.
  void learn_address(std::uint64_t value, std::uint64_t& recent, Followers& followers) {
    if (follows != 0) {
      followers.after(recent) = value;
      if (++failed == kFollowUntil) follows = failed = linked = last_step = 0, expected = last_value = value;
    } else {
      learn(value, recent, true);
      if (failed >= kFollowAfter && linked == 0) {
        follows = 1, linked = ~std::uint64_t{0};  // surprises are distances along the pointers
        failed = stride = expected = 0;
      }
    }
    recent = value;
  }
};

/// The site of one pc.
struct AddressSite : AddressGuess {
  /// Accesses in SIMD state, and those by an ASI, go to SBM at their address minus this; kNotSbm: to memory.
  /// Other accesses ignore it.
  std::uint64_t sbm_base = kNotSbm;
  static constexpr std::uint64_t kNotSbm = ~std::uint64_t{0};
};

}  // namespace psim::isa
