// SPDX-License-Identifier: Apache-2.0
// The callers of a position in a running program, by its register windows and its stack.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/memory/guest_memory.h"
#include "isa/state/cpu_state.h"

namespace psim::isa {

/// A position in a program: its address, and the addresses of the calls that led there, innermost first.
struct CallSite {
  std::uint64_t pc = 0;
  std::vector<std::uint64_t> calls = {};
};

/// Returns the call site of `pc`, an instruction of the current window's function, with at most `most` calls.
/// Changes no register window.
CallSite call_site(const CpuState& state, const GuestMemory& memory, std::uint64_t pc, unsigned most = 32);

}  // namespace psim::isa
