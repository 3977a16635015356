// SPDX-License-Identifier: Apache-2.0
// The frame that Linux builds on the stack for a signal handler (arch/sparc/kernel/signal_64.c: struct
// rt_signal_frame), and the return from it.
#pragma once

#include <cstdint>

#include "guest/signal_state.h"
#include "isa/exec/executor.h"

namespace psim::isa {

/// Redirects the processor to the handler of `info`. Returns false if the frame cannot be written: the
/// process then dies of SIGSEGV.
bool push_signal_frame(GuestMemory& memory, Executor& executor, SignalState& signals, const SignalInfo& info);

/// rt_sigreturn: restores the state from the frame at %sp. Returns false if it cannot be read or is invalid.
bool pop_signal_frame(GuestMemory& memory, Executor& executor, SignalState& signals);

/// Writes the 128 bytes of siginfo_t at `address`.
bool write_siginfo(GuestMemory& memory, std::uint64_t address, const SignalInfo& info);

/// Returns %tstate as the guest sees it: CCR, ASI, PSTATE of user mode, CWP (V9 manual 5.2.8).
std::uint64_t tstate(const CpuState& state);

/// Copies the current window's locals and ins to or from the save area at its %sp; flush_windows() covers the
/// others.
bool store_current_window(GuestMemory& memory, const CpuState& state);
bool load_current_window(const GuestMemory& memory, CpuState& state);

}  // namespace psim::isa
