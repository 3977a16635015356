// SPDX-License-Identifier: Apache-2.0
// What an instruction's next effective address, or a jump's next target, is taken to be: recording leaves out
// what came true, and replay fills it in again. Both sides ask and tell the same things in the same order.
#pragma once

#include <array>
#include <cstdint>

namespace psim::isa {

/// What came after a surprising address when it last came: where pointers led. By the address's place in 256
/// KiB, without a check that it is the same: what is wrong is only a surprise.
class Followers {
 public:
  std::uint64_t& after(std::uint64_t recent) { return next_[recent >> 4 & (next_.size() - 1)]; }
  void forget() { next_.fill(0); }

 private:
  std::array<std::uint64_t, 16384> next_{};
};

/// What a site has learnt. By itself it expects its last value plus a stride, which changes when the same
/// step has come twice, so that the jump from the end of a row to the next costs one surprise, not two.
/// Linked, it expects what it once had twice beside the last surprising address of any site: the members of
/// what a pointer leads to. Following, it expects what followed the last surprising address: the same
/// pointers again.
struct AddressGuess {
  std::uint64_t expected = 0;               ///< linked: less the last surprising address
  std::uint64_t stride = 0, last_step = 0;  ///< modulo 2^64
  std::uint64_t linked = 0;                 ///< all ones, or 0: by itself
  /// Of the last surprise: its distance from the one before, of any site, and its value.
  std::uint64_t last_link = 0, last_value = 0;
  std::uint64_t unlinked = 0;  ///< times that a link failed; the last ends linking
  std::uint64_t follows = 0;   ///< 1 or 0
  std::uint64_t failed = 0;    ///< surprises since something came true
  static constexpr std::uint64_t kMostUnlinked = 4;
  static constexpr std::uint64_t kFollowAfter = 16, kFollowUntil = 64;  ///< surprises without end

  /// What a surprise is the difference from. `recent`: the last surprising address of any site.
  std::uint64_t prediction(std::uint64_t recent) const { return expected + (recent & linked); }
  /// True, and moved on, if the site does not follow and `address` is what was expected; otherwise nothing
  /// has changed.
  bool met(std::uint64_t address, std::uint64_t recent) {
    if (((address - prediction(recent)) | follows) != 0) return false;
    expected += stride;
    return true;
  }
  /// The same of any site. What a site that follows meets is the last surprising address from then on.
  bool met(std::uint64_t address, std::uint64_t& recent, Followers& followers) {
    if (follows == 0) return met(address, recent);
    if (address != followers.after(recent)) return false;
    failed = 0, recent = address;
    return true;
  }
  /// After a surprise. Targets of jumps link to nothing and follow nothing.
  void learn(std::uint64_t value, std::uint64_t recent, bool is_address) {
    const std::uint64_t link = value - recent, previous = expected - stride;
    failed = previous == last_value ? failed + 1 : 0;
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
  /// The same of any site; then `value` is the last surprising address.
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

/// One for each pc.
struct AddressSite : AddressGuess {
  /// Accesses in SIMD state, and those by an ASI, go to SBM at their address less this; kNotSbm: to memory.
  /// Others never ask.
  std::uint64_t sbm_base = kNotSbm;
  static constexpr std::uint64_t kNotSbm = ~std::uint64_t{0};
};

}  // namespace psim::isa
