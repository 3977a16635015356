// SPDX-License-Identifier: Apache-2.0
// The stacks of all fibers in one reservation of address space. Memory is committed when it is touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/units.h"

namespace psim::net {

class Stacks {
 public:
  /// Limit of stacks with guard pages: each guard page takes two of the kernel's 65,530 mappings.
  static constexpr std::uint32_t kMostGuarded = 16'385;

  /// Reserves `count` stacks of `size` (rounded up to 4 KiB, at least 16 KiB). Throws UserError if the
  /// address space does not suffice.
  Stacks(std::uint32_t count, Bytes size);
  ~Stacks();
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;

  /// Returns an unused stack, the last released first. At most `count` may be in use.
  std::uint32_t take();
  void give_back(std::uint32_t stack);

  /// Returns the address after the highest byte; stacks grow down.
  std::byte* top(std::uint32_t stack) const { return low(stack) + size_ - kCanaryBytes; }
  /// Returns the lowest byte that the program may use.
  std::byte* bottom(std::uint32_t stack) const { return low(stack) + guard_; }
  std::size_t usable() const { return size_ - guard_ - kCanaryBytes; }

  /// Returns the bytes of memory in the upper 64 KiB of all stacks used so far.
  std::uint64_t resident() const;

  /// Returns true if each stack ends in a page that faults. Otherwise overrun() detects overflows afterwards.
  bool guarded() const { return guard_ != 0; }
  /// Returns true if `address` lies in the guard page of `stack`.
  bool in_guard(std::uint32_t stack, const void* address) const;
  /// Returns true if a frame was below bottom(): the stack pointer is, or the canary below it is damaged.
  bool overrun(std::uint32_t stack, const void* stack_pointer) const {
    return !guarded() && (stack_pointer < bottom(stack) || !canary_intact(stack));
  }

 private:
  // Known bytes above each stack's top, which the stack above overwrites when it overflows. They cost no
  // memory, because the top page of a stack is always committed.
  static constexpr std::size_t kCanaryBytes = 64;

  std::byte* low(std::uint32_t stack) const { return base_ + std::size_t{stack} * size_; }
  bool canary_intact(std::uint32_t stack) const;

  std::uint32_t count_;
  std::size_t size_;
  std::size_t guard_;        // faulting bytes below each stack, or 0
  std::byte* base_;          // of the first stack; a page for its canary is below it
  std::uint32_t fresh_ = 0;  // stacks from here on have never been used
  std::vector<std::uint32_t> used_;
};

}  // namespace psim::net
