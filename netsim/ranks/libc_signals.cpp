// SPDX-License-Identifier: Apache-2.0
// What ranks want done with signals that tell of crashes or end processes: it is kept and given back, but the
// simulator goes on to report the one and to obey the other (Fortran's library asks for most of them, and
// programs for SIGINT). Other signals are the program's.
#include <signal.h>

#include <cstring>

#include "netsim/ranks/libc_caller.h"

using psim::net::LibcState;
using psim::net::running_rank;

namespace {

bool simulators(int signal) {
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

}  // namespace

extern "C" {

int sigaction(int signal, const struct sigaction* wanted, struct sigaction* before) noexcept {
  if (!PSIM_RANK_ASKS || !simulators(signal)) {
    PSIM_NEXT(sigaction);
    return real(signal, wanted, before);
  }
  const struct sigaction old = exchange(signal, wanted);
  if (before) *before = old;
  return 0;
}

sighandler_t signal(int number, sighandler_t handler) noexcept {
  if (!PSIM_RANK_ASKS || !simulators(number)) {
    PSIM_NEXT(signal);
    return real(number, handler);
  }
  struct sigaction wanted {};
  wanted.sa_handler = handler;
  wanted.sa_flags = SA_RESTART;
  return exchange(number, &wanted).sa_handler;
}

int kill(pid_t process, int number) noexcept {
  if (PSIM_RANK_ASKS && process == running_rank->process()) return raise(number);
  PSIM_NEXT(kill);
  return real(process, number);
}

}  // extern "C"
