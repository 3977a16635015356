// SPDX-License-Identifier: Apache-2.0
// Register windows whose stack memory is not mapped when a signal comes, e.g. after a stack overflow. They
// are saved in the signal's frame (arch/sparc/include/uapi/asm/sigcontext.h: __siginfo_rwin_t). When the
// handler returns they are written to their stack, if that exists by then.
#pragma once

#include <array>
#include <cstdint>

#include "isa/memory/guest_memory.h"
#include "isa/state/cpu_state.h"

namespace psim::isa {

class StrayWindows {
 public:
  /// The capacity of the kernel's structure: all windows but one, which is always reserved.
  static constexpr unsigned kMost = kWindows - 1;
  static constexpr std::size_t kBytes = kMost * (128 + 8) + 8;

  /// Writes all live windows of `state` to their save areas and keeps those that cannot be written. Does not
  /// change the processor's state.
  StrayWindows(const CpuState& state, GuestMemory& memory);

  bool any() const { return count_ != 0; }
  /// Writes the structure of kBytes bytes at `address`; returns false if it is not writable.
  bool write_to(GuestMemory& memory, std::uint64_t address) const;
  /// Writes each window of the structure at `address` to its stack; returns false if one cannot be written.
  static bool put_back(GuestMemory& memory, std::uint64_t address);

 private:
  std::array<std::array<std::uint64_t, 16>, kMost> registers_{};
  std::array<std::uint64_t, kMost> stack_pointer_{};
  unsigned count_ = 0;
};

}  // namespace psim::isa
