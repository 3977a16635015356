// SPDX-License-Identifier: Apache-2.0
// The monitor of a strand (OSA2015, load-monitor): the address of the last load by ASI_MONITOR_PRIMARY or
// _SECONDARY, and the bytes of its block at that time. wr %mwait waits for a write to it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "isa/memory/guest_memory.h"

namespace psim::isa {

class WriteMonitor {
 public:
  static constexpr std::uint64_t kBytes = 64;

  /// Notes `address`, which the program may read.
  void arm(std::uint64_t address, const GuestMemory& memory) {
    address_ = address;
    armed_ = memory.copy_out(block(), bytes_) == kBytes;
  }
  /// Forgets the address. Returns false if there was none, or if the bytes of its block have changed.
  bool disarm(const GuestMemory& memory) {
    std::array<std::byte, kBytes> now;
    if (!armed_) return false;
    armed_ = false;
    return memory.copy_out(block(), now) == kBytes && now == bytes_;
  }
  std::uint64_t address() const { return address_; }

 private:
  std::uint64_t block() const { return address_ & ~(kBytes - 1); }

  bool armed_ = false;
  std::uint64_t address_ = 0;
  std::array<std::byte, kBytes> bytes_{};
};

}  // namespace psim::isa
