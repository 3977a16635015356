// SPDX-License-Identifier: Apache-2.0
// Signals that report crashes or end processes. A rank's dispositions of these are stored and returned. For a
// rank's own faults, and terminating signals such as SIGINT that it raises, the simulator calls the program's
// handlers, then reports faults that persist. It does not call handlers of libraries (Fortran's), nor
// handlers of terminating signals from outside. Other signals are the program's: the last rank that sets a
// disposition sets it for the process, but a rank that raises a signal finds its own.
#include <signal.h>
#include <ucontext.h>

#include <algorithm>
#include <array>

#include "ranks/libc/crash_signals.h"
#include "ranks/libc/libc_caller.h"

using psim::net::LibcState;
using psim::net::running_rank;

namespace {

bool simulators(int signal) {
  if (psim::net::child_process::here) return false;
  switch (signal) {
    case SIGHUP:
    case SIGINT:
    case SIGQUIT:
    case SIGILL:
    case SIGABRT:
    case SIGBUS:
    case SIGFPE:
    case SIGSEGV:
    case SIGTERM:
      return true;
    default:
      return false;
  }
}

struct sigaction exchange(int signal, const struct sigaction* wanted) {
  auto& all = running_rank->libc().signals;
  const auto found = all.find(signal);
  struct sigaction before {};
  if (found != all.end()) before = found->second;
  if (wanted) all[signal] = *wanted;
  return before;
}

int set_action(int signal, const struct sigaction* wanted, struct sigaction* before) {
  const bool known = running_rank->libc().signals.contains(signal);
  struct sigaction installed {};
  if (!simulators(signal) && PSIM_REAL(sigaction)(signal, wanted, &installed) != 0) return -1;
  const struct sigaction old = exchange(signal, wanted);
  if (!before) return 0;
  *before = old;
  // An installed handler may be another rank's.
  if (!known && installed.sa_handler == SIG_IGN) *before = installed;
  return 0;
}

/// Returns true for signals other than faults that end a process by default.
bool ends_process(int signal) {
  constexpr std::array kOthers{SIGILL, SIGABRT,  SIGBUS,  SIGFPE,  SIGSEGV, SIGCHLD, SIGCONT,
                               SIGURG, SIGWINCH, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU};
  return signal > 0 && std::ranges::find(kOthers, signal) == kOthers.end();
}

}  // namespace

int psim::net::raise_as_rank(int number) {
  if (psim::net::child_process::here || !ends_process(number)) return PSIM_REAL(raise)(number);
  struct sigaction action {};
  const auto own = running_rank->libc().signals.find(number);
  if (own != running_rank->libc().signals.end())
    action = own->second;
  else if (!simulators(number) && ::sigaction(number, nullptr, &action) != 0)
    return PSIM_REAL(raise)(number);
  const auto* handler = reinterpret_cast<const void*>(action.sa_handler);
  if (action.sa_handler == SIG_IGN) return 0;
  if (handler != nullptr && running_rank->in_program(handler)) {
    if ((action.sa_flags & static_cast<int>(SA_RESETHAND)) != 0) running_rank->libc().signals.erase(number);
    if (!simulators(number)) {
      if (PSIM_REAL(sigaction)(number, &action, nullptr) != 0) return -1;
      return PSIM_REAL(raise)(number);
    }
    siginfo_t info{};
    info.si_signo = number, info.si_code = SI_TKILL;
    if ((action.sa_flags & SA_SIGINFO) != 0)
      action.sa_sigaction(number, &info, nullptr);
    else
      action.sa_handler(number);
    return 0;
  }
  // Other handlers are the simulator's, as of SIGUSR1, or libraries', as Fortran's.
  psim::net::crash_signals::raise_as_fault(number);
  return 0;
}

bool psim::net::deliver_to_rank(int signal, siginfo_t* info, void* context) {
  if (!running_rank) return false;
  auto& libc = running_rank->libc();
  const auto found = libc.signals.find(signal);
  if (found == libc.signals.end()) return false;
  const struct sigaction action = found->second;
  const auto* handler = reinterpret_cast<const void*>(action.sa_handler);
  if (handler == nullptr || action.sa_handler == SIG_IGN || !running_rank->in_program(handler)) return false;
  const LibcState::Fault fault{static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP],
                               info->si_addr};
  if (crash_signals::while_handling(context)) return false;
  libc.again = fault == libc.handled ? libc.again + 1 : 0;
  if (libc.again == kMostCures) return false;
  if ((action.sa_flags & static_cast<int>(SA_RESETHAND)) != 0) libc.signals.erase(found);
  // Not reached after a handler that jumps out of the fault.
  if ((action.sa_flags & SA_SIGINFO) != 0)
    action.sa_sigaction(signal, info, context);
  else
    action.sa_handler(signal);
  libc.handled = fault;
  return signal != SIGABRT;  // abort() then ends the process
}

extern "C" {

PSIM_SEES_CALLER int sigaction(int signal, const struct sigaction* wanted,
                               struct sigaction* before) noexcept {
  if (!PSIM_CALLED_BY_RANK || psim::net::child_process::here)
    return PSIM_REAL(sigaction)(signal, wanted, before);
  return set_action(signal, wanted, before);
}

PSIM_SEES_CALLER sighandler_t signal(int number, sighandler_t handler) noexcept {
  if (!PSIM_CALLED_BY_RANK || psim::net::child_process::here) return PSIM_REAL(signal)(number, handler);
  struct sigaction wanted {
  }, before{};
  wanted.sa_handler = handler;
  wanted.sa_flags = SA_RESTART;
  return set_action(number, &wanted, &before) == 0 ? before.sa_handler : SIG_ERR;
}

PSIM_SEES_CALLER int kill(pid_t process, int number) noexcept {
  if (PSIM_CALLED_BY_RANK && process == running_rank->process()) return psim::net::raise_as_rank(number);
  return PSIM_REAL(kill)(process, number);
}

PSIM_SEES_CALLER int raise(int number) noexcept {
  if (PSIM_CALLED_BY_RANK) return psim::net::raise_as_rank(number);
  return PSIM_REAL(raise)(number);
}

}  // extern "C"
