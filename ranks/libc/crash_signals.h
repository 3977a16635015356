// SPDX-License-Identifier: Apache-2.0
// Signals raised by a program's own faults, handled on a separate stack.
#pragma once

#include <array>
#include <csignal>
#include <cstdint>

namespace psim::net::crash_signals {

using Handler = void (*)(int, siginfo_t*, void*);

/// Handles SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT from now on. The handler need not return. All owners
/// have the same handler.
void install(void* owner, Handler handler);
/// Returns what `reads` returns, or false if it faults, because memory that it reads is not mapped or a stack
/// that it unwinds is damaged. It must hold nothing that needs a destructor. May be called in handlers.
bool attempt(bool (*reads)(void*), void* argument);
template <class Reads>
bool attempt(Reads& reads) {
  return attempt([](void* self) -> bool { return (*static_cast<Reads*>(self))(); }, &reads);
}
/// Returns true for these signals, and for 0, an overflow of a stack that only its canary shows.
bool is_fault(int signal);
/// Removes an owner. Without owners, the dispositions found at the first install() are restored.
void remove(void* owner);

/// Handles a fault outside of ranks. If code that moves ranks' data faulted, reports that their memory is
/// missing and ends the process with status 1. Returns otherwise.
void report_missing_buffer(const siginfo_t& info, void* context);
/// Handles a signal outside of ranks after a rank has crashed: reports that memory is damaged, and ends the
/// process with status 1.
[[noreturn]] void report_damage(int signal);
/// Returns true if the interrupted code was itself handling one of these signals.
bool while_handling(const void* context);
/// Raises another signal, whose default action ends the process, and handles it as a fault.
void raise_as_fault(int signal);
/// Lets the signal kill the process once the handler returns.
void give_up(int signal);
/// Stores the program counters of the interrupted code, innermost first, and returns their number. A stack
/// too damaged to unwind gives only the first.
std::uint32_t unwind(void* context, std::array<void*, 32>& frames);
/// As unwind(), for the calling code.
std::uint32_t unwind_here(std::array<void*, 32>& frames);

}  // namespace psim::net::crash_signals
