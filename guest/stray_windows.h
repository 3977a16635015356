// SPDX-License-Identifier: Apache-2.0
// Register windows whose stack is not there when a signal comes, as after the stack has overflowed: they
// travel in the signal's frame (arch/sparc/include/uapi/asm/sigcontext.h: __siginfo_rwin_t) and reach their
// stack, if it has come into being, when the handler returns.
#pragma once

#include <array>
#include <cstdint>

#include "isa/exec/cpu_state.h"
#include "isa/memory/guest_memory.h"

namespace psim::isa {

class StrayWindows {
 public:
  /// As many as the kernel's structure holds: all windows but one, which is always reserved.
  static constexpr unsigned kMost = kWindows - 1;
  static constexpr std::size_t kBytes = kMost * (128 + 8) + 8;

  /// Writes all live windows of `state` to their save areas; holds those that cannot be written. The
  /// processor's own state stays as it is.
  StrayWindows(const CpuState& state, GuestMemory& memory);

  bool any() const { return count_ != 0; }
  /// The structure of kBytes bytes at `address`; false if it is not writable.
  bool write_to(GuestMemory& memory, std::uint64_t address) const;
  /// The structure at `address`, each window to its stack; false if one cannot be written.
  static bool put_back(GuestMemory& memory, std::uint64_t address);

 private:
  std::array<std::array<std::uint64_t, 16>, kMost> registers_{};
  std::array<std::uint64_t, kMost> stack_pointer_{};
  unsigned count_ = 0;
};

}  // namespace psim::isa
