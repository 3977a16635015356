// SPDX-License-Identifier: Apache-2.0
// The signals by which a program dies of its own fault, handled on a stack of their own.
#pragma once

#include <array>
#include <csignal>
#include <cstdint>

namespace psim::net::crash_signals {

using Handler = void (*)(int, siginfo_t*, void*);

/// Handles SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT from now on. The handler need not return. All owners
/// have the same handler.
void install(void* owner, Handler handler);
/// When no owner is left, the dispositions found at the first install() return.
void remove(void* owner);

/// A fault outside of ranks: if code that moves their data met it, says that their memory is missing, and
/// ends the process with status 1. Returns otherwise.
void blame_buffers(const siginfo_t& info, void* context);
/// A signal outside of ranks after one of them has crashed: prints that the memory is damaged, and ends the
/// process with status 1.
[[noreturn]] void blame_damage(int signal);
/// Whether the interrupted code was itself handling one of the signals.
bool while_handling(const void* context);
/// Lets the signal kill the process once the handler returns.
void give_up(int signal);
/// Program counters of the interrupted code, innermost first; the number found. A stack too damaged to unwind
/// gives only the first.
std::uint32_t unwind(void* context, std::array<void*, 32>& frames);
/// The same of the code that calls it.
std::uint32_t unwind_here(std::array<void*, 32>& frames);

}  // namespace psim::net::crash_signals
