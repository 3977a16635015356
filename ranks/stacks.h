// SPDX-License-Identifier: Apache-2.0
// The stacks of all fibers in one reservation of address space: memory is committed where it is touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/units.h"

namespace psim::net {

class Stacks {
 public:
  /// More stacks than this have no guard page: each page takes two of the kernel's 65,530 mappings.
  static constexpr std::uint32_t kMostGuarded = 16'385;

  /// Reserves `count` stacks of `size` (rounded up to 4 KiB, at least 16 KiB). Throws UserError if the
  /// address space does not suffice.
  Stacks(std::uint32_t count, Bytes size);
  ~Stacks();
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;

  /// A stack nobody uses, the one given back last first. At most `count` are out.
  std::uint32_t take();
  void give_back(std::uint32_t stack);

  /// One past the highest byte; stacks grow down.
  std::byte* top(std::uint32_t stack) const { return low(stack) + size_ - kCanaryBytes; }
  /// The lowest byte the program may use.
  std::byte* bottom(std::uint32_t stack) const { return low(stack) + guard_; }
  std::size_t usable() const { return size_ - guard_ - kCanaryBytes; }

  /// Whether each stack ends in a page that faults. Without, overrun() tells after the fact.
  bool guarded() const { return guard_ != 0; }
  /// Whether `address` lies in the guard page of `stack`.
  bool in_guard(std::uint32_t stack, const void* address) const;
  /// Whether a frame has been below bottom(): the stack pointer is, or the canary below it is gone.
  bool overrun(std::uint32_t stack, const void* stack_pointer) const {
    return !guarded() && (stack_pointer < bottom(stack) || !canary_intact(stack));
  }

 private:
  // Known bytes above each stack's top: the stack over it overwrites them when it overruns. They cost no
  // memory, for the top page of a stack is always committed.
  static constexpr std::size_t kCanaryBytes = 64;

  std::byte* low(std::uint32_t stack) const { return base_ + std::size_t{stack} * size_; }
  bool canary_intact(std::uint32_t stack) const;

  std::uint32_t count_;
  std::size_t size_;
  std::size_t guard_;        // bytes that fault below each stack, or 0
  std::byte* base_;          // of the first stack; a page for its canary lies below
  std::uint32_t fresh_ = 0;  // stacks from here on were never used
  std::vector<std::uint32_t> used_;
};

}  // namespace psim::net
